"""What a match and its faults are called in plain English: one wording for page, text and terminal."""

from critmass.engine import Fault, Ply, Position, Reason, cell_name, cell_names, cells_of
from critmass.engine.errors import (
    BadBoard,
    BadCharacter,
    BadPlayers,
    HalfMove,
    MatchOver,
    MoveFault,
    OutsideBoard,
    OwnedCell,
)
from critmass.engine.rules import MAX_PLAYERS, MAX_SIDE, MIN_PLAYERS, MIN_SIDE
from critmass.links import COLOUR_NAMES, GAMES, LEVELS, Address, BadAt, BadColours, Link, LongName, OptionFault
from critmass.links.names import MAX_NAME, isolated, split_names, visible
from critmass.search import Thought
from critmass.search.analysis import Study, Verdict, loses, wins

STRENGTHS = ("Beginner", "Learner", "Casual", "Attentive", "Practised", "Strong", "Expert", "Full strength")
"""What the computer's levels are called, from the first."""
GRADES = ("Easy", "Gentle", "Tricky", "Hard", "Fiendish")
"""What the grades of puzzles are called, from the first."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def count(number: int, thing: str) -> str:
    """Return a number of things, `1 ring` or `3 rings`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listing(names: list[str]) -> str:
    """Return names as a sentence lists them: `Ada, Bo and Cy`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def game_title(link: Link) -> str:
    """Return what is being played: `Classic, 6×9, 3 players`."""
    rules = link.rules
    title = GAMES[rules.name].title
    if GAMES[rules.name].rules is None:
        title += f", {rules.columns}×{rules.rows}, {count(rules.players, 'player')}"
    return title


def name_of(link: Link, player: int) -> str:
    """Return what a player is called, `isolated` from the words around it."""
    return isolated(link.names[player - 1])


def told(link: Link, ply: Ply) -> str:
    """Return what happened on a ply: `Red played c4: 3 rings, 7 cells captured. Green is out`."""
    return ". ".join(filter(None, (told_move(link, ply), told_gone(link, ply))))


def told_move(link: Link, ply: Ply) -> str:
    """Return what was played and what it set off: `Red played c4: 3 rings, 7 cells captured`."""
    text = f"{name_of(link, ply.player)} played {ply.name}"
    if rings := len(ply.steps) - 1:
        text += f": {count(rings, 'ring')}, {count(ply.captured, 'cell')} captured"
    return text


def told_gone(link: Link, ply: Ply) -> str:
    """Return whom a ply put out: `Green is out`; empty if nobody."""
    gone = [name_of(link, player) for player in ply.eliminated]
    return f"{listing(gone)} {'is' if len(gone) == 1 else 'are'} out" if gone else ""


def standing(link: Link, position: Position) -> str:
    """Return how a match stands: `Blue to move`, `Red wins`, `Draw`."""
    if position.turn is not None:
        return f"{name_of(link, position.turn)} to move"
    winner = position.outcome.winner if position.outcome else None
    return f"{name_of(link, winner)} wins" if winner else "Draw"


def thinking(link: Link) -> str:
    """Return what is said while the computer's move is awaited: `Computer is thinking…`."""
    turn = link.position.turn
    return f"{name_of(link, turn)} is thinking…" if turn else ""


def hinted(link: Link, thought: Thought) -> str:
    """Return a hint in words: `Hint: d4, Red wins in 3 moves`, the latter only where it is proven."""
    position, cell = link.position, cell_name(link.rules.grid, thought.cell)
    if thought.end is None:
        return f"Hint: {cell}"
    longest = " holds out longest" if loses(thought) else ""
    return f"Hint: {cell}{longest}, {forced(link, position, thought)}"


def forced(link: Link, position: Position, thought: Thought) -> str:
    """Return what is proven about a position of two players: `Red wins in 3 moves`."""
    turn, end = position.turn, thought.end
    assert turn is not None and end is not None  # noqa: S101, PT018 - asked for only where something is proven
    winner = turn if wins(thought) else 3 - turn
    return f"{name_of(link, winner)} wins in {count((end + 1) // 2, 'move')}"


_STANDS = ((0.1, ""), (0.3, "slightly better"), (0.6, "better"), (1.0, "much better"))
"""How somebody stands who can expect less than that."""


def stands(link: Link, position: Position, thought: Thought | None) -> str:
    """Return who stands better: `Red wins in 2 moves`, `Blue stands slightly better`, `Both stand alike`."""
    turn = position.turn
    if turn is None or thought is None:
        return standing(link, position)
    if thought.end is not None:
        return forced(link, position, thought)
    words = next((words for bound, words in _STANDS if abs(thought.score) < bound), _STANDS[-1][1])
    if link.rules.players == 2:
        better = turn if thought.score > 0 else 3 - turn
        return f"{name_of(link, better)} stands {words}" if words else "Both stand alike"
    how = words.replace("better", "well" if thought.score > 0 else "badly") or "neither well nor badly"
    return f"{name_of(link, turn)} stands {how}"


def judged(link: Link, before: Study, after: Thought | None, verdict: Verdict) -> str:
    """Return what is wrong with a move, and what would have been better: `b4 throws a win away; d5 wins in 3 moves`."""
    assert before.played is not None  # noqa: S101 - a verdict is one on a move
    played, best = (cell_name(link.rules.grid, thought.cell) for thought in (before.played, before.best))
    if verdict in (Verdict.THROWN, Verdict.MISSED):
        what = "throws a win away" if verdict is Verdict.THROWN else "misses a win"
        return f"{played} {what}; {best} wins in {count(((before.best.end or 0) + 1) // 2, 'move')}"
    if verdict is Verdict.WEAK:
        return f"{played} gives much away; {best} is better"
    end = after.end if after and after.end is not None else (before.played.end or 0) - 1
    return f"{played} loses in {count((end + 1) // 2, 'move')}; {best} may hold"


def because(link: Link, position: Position) -> str:
    """Return why a match is over; empty while it goes on."""
    outcome = position.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return f"Nobody has won by move {position.ply}, the last one the rules allow."
    winner = name_of(link, outcome.winner)
    others = listing([name_of(link, player) for player in position.out])
    if outcome.reason is Reason.CUT:
        return f"{winner}'s chain took every orb on the board and was stopped there, cells still critical."
    return f"{others} {'has' if len(position.out) == 1 else 'have'} no orbs left."


def grace(position: Position) -> str:
    """Return the note that wipes do not count yet, `Wipes count from move 8`; empty when they do, or never matter."""
    rules = position.rules
    if rules.first_live_ply <= rules.players or rules.is_live(position.ply + 1):
        return ""
    return f"Wipes count from move {rules.first_live_ply}"


def told_whole(link: Link) -> str:
    """Return the position shown in one sentence for those who listen: the last move, then how it stands."""
    position, ply = link.position, link.ply
    parts = [told(link, ply)] if ply else []
    if ply and link.ring is not None:
        parts.insert(0, f"Ring {link.ring} of {len(ply.steps) - 1}" if link.ring else "The orb is placed")
    parts.append(standing(link, position))
    parts.append(because(link, position).rstrip(".") or grace(position))
    return ". ".join(filter(None, parts)) + "."


def cells_told(link: Link) -> list[str]:
    """Return what each cell holds, for those who listen: `c4, yours, 2 of 4 orbs`."""
    board, grid = link.board, link.rules.grid
    mine = link.position.turn if link.level is None else None
    names = cell_names(grid)
    told = [f"{name}, empty" for name in names]
    for player, count, alike in board.alike(grid.cells):
        whose = "yours" if player == mine else f"{name_of(link, player)}'s"
        for cell in cells_of(alike):
            told[cell] = f"{names[cell]}, {whose}, {count} of {grid.capacity(cell)} orbs"
    return told


def fault_told(fault: Fault, address: Address, colours: str | None = None) -> str:
    """Return what is wrong with a link, and where, in plain words."""
    match fault:
        case BadBoard():
            sizes = f"{MIN_SIDE} to {MAX_SIDE} each way, like 6x9"
            return f"{quoted(address.board)} is no board: it takes columns × rows, {sizes}."
        case BadPlayers():
            given = f"{quoted(address.players)} is no number of players" if address.players else "No number of players"
            return f"{given}: it takes {MIN_PLAYERS} to {MAX_PLAYERS}."
        case MatchOver():
            return f"Move {fault.ply} comes too late: the match had ended with move {fault.ply - 1}."
        case BadCharacter():
            return f"Move {fault.ply} has a character that no move is written with: {quoted(fault.character)}."
        case HalfMove():
            return f"Move {fault.ply} is cut short: “{fault.text}” is a column or a row, and a move takes both."
        case OutsideBoard():
            return f"Move {fault.ply}, “{fault.text}”, is not on this {fault.columns}×{fault.rows} board."
        case OwnedCell():
            owner, player = (_colour(colours, number) for number in (fault.owner, fault.player))
            return f"Move {fault.ply}: {player} cannot play {fault.cell}, it is {owner}'s."
        case BadAt():
            return f"{quoted(fault.value)} is no move of this match."
        case BadColours():
            known = ", ".join(f"{letter} ({name.lower()})" for letter, name in COLOUR_NAMES.items())
            return (
                f"{quoted(fault.value)} does not give each player a colour: it takes one letter a player, "
                f"all different, from {known}."
            )
        case LongName():
            return (
                f"“{isolated(fault.name)}”, the name of player {fault.player}, is too long: it has {len(fault.name)} "
                f"characters, and a name may have {MAX_NAME}."
            )
        case OptionFault(option="names"):
            given = ",".join(map(visible, split_names(fault.value)))
            return f"“{isolated(given)}” is too much: it takes one name a player, and no more."
        case OptionFault(option="computer"):
            levels = f"level, {LEVELS[0]} to {LEVELS[-1]}"
            return f"{quoted(fault.value)} seats no computer: it takes the number of a player and a {levels}, like 25."
        case OptionFault():
            return f"{quoted(fault.value)} is not what “{fault.option}” takes."
    return str(fault)


def _colour(colours: str | None, player: int) -> str:
    letter = (colours or "")[player - 1 : player] or "rbgyvotp"[player - 1]
    return COLOUR_NAMES[letter]


def quoted(text: str) -> str:
    """Return in quotes what somebody wrote; a character that cannot be seen by its number, `U+200B`."""
    seen = visible(text) + "\u2423"
    shown = (char if char in seen else f"U+{ord(char):04X}" for char in text.replace(" ", "\u2423"))
    return f"“{''.join(shown)}”"


def fault_title(fault: Fault) -> str:
    """Return what is wrong with a link, as the headline of its page."""
    return "This name is too long" if isinstance(fault, LongName) else "This link is not a match"


def before(fault: Fault) -> str:
    """Return what is offered instead of a link that is no match."""
    if isinstance(fault, LongName):
        return "The match with the name cut"
    if isinstance(fault, MoveFault):
        return f"The match before move {fault.ply}" if fault.ply > 1 else "The match before its first move"
    if isinstance(fault, OptionFault):
        return "The match without it"
    return "A new classic match"
