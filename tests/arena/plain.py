"""A bot for the tests that knows no rules: `plain.py first|last|random|theirs|says TEXT`."""

import sys


def main(how: str, *rest: str) -> None:
    lines = iter(sys.stdin.readline, "")
    side = next(lines).strip()
    for _ in lines:
        rows = [next(lines).strip() for _ in range(6)][::-1]
        cells = [f"{'abcdef'[column]}{row + 1}" for row in range(6) for column in range(6)]
        free = [cell for cell in cells if rows[int(cell[1]) - 1][2 * (ord(cell[0]) - 97)] in (".", side)]
        taken = [cell for cell in cells if cell not in free]
        answers = {
            "first": free[0],
            "last": free[-1],
            "random": "random",
            "theirs": (taken or free)[0],
            "says": " ".join(rest),
        }
        print(answers[how], flush=True)


main(*sys.argv[1:])
