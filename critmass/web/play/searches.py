"""Searches for pages: what is found out about a position, and what that costs whoever asks."""

from typing import Any

from flask import Flask, current_app

from critmass.links import LEVELS, Link
from critmass.pool import Busy, Pool, Question
from critmass.search import Thought
from critmass.search.analysis import Study
from critmass.web.http import rate_limit as limits


def init_app(app: Flask) -> None:
    """Give the app its pool; nothing runs in it yet."""
    config = app.config
    app.extensions["thinking"] = Pool(config["SEARCH_PROCESSES"], config["SEARCH_QUEUE"], config["SEARCH_SECONDS"])


def ask(kind: str, link: Link, *numbers: int) -> Any:
    """Return what is found out about the position that a link shows; raise `Busy`."""
    return _ask(Question(kind, link.next_path, numbers), limits.SEARCH)


def _ask(question: Question, cost: float) -> Any:
    """Return the answer to a question, which costs something only where it is not known; raise `Busy`."""
    if _pool().kept(question) is None and (wait := limits.short_of(cost)):
        raise Busy("You have asked for very many moves.", wait, 429)
    return _pool().ask(question)


def _pool() -> Pool:
    pool: Pool = current_app.extensions["thinking"]
    return pool


def move(link: Link, level: int = LEVELS[-1]) -> Thought:
    """Return what a level plays in the position that a link shows, full strength if nothing is said; raise `Busy`."""
    return thought(ask("move", link, level))


def thought(told: dict[str, Any]) -> Thought:
    """Return a thought as a searcher wrote it down."""
    return Thought(**{**told, "line": tuple(told["line"])})


def study(link: Link, at: int) -> Study:
    """Return the study of the position after ply `at`, and of the move that was played in it; raise `Busy`."""
    return _study(_ask(_about(link, at), limits.STUDY))


def known_study(link: Link, at: int) -> Study | None:
    """Return the same if it is known without a search."""
    told = _pool().kept(_about(link, at))
    return told and _study(told)


def _about(link: Link, at: int) -> Question:
    return Question("study", link.game + link.moves_until(at), link.match.cells[at : at + 1])


def _study(told: Any) -> Study:
    return Study(thought(told["best"]), told["played"] and thought(told["played"]))
