"""A short run of each part of the torture; the long one is `make torture`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fronts import running_front
from processes import Server, running_server

from torture import hostile, lasting, load, urls


@pytest.fixture(scope="module")
def impatient() -> Iterator[Server]:
    """A server that gives up on slow clients soon."""
    with running_server("--connections", "4000", "--idle-timeout", "2") as server:
        yield server


def test_random_requests_get_no_error_of_the_servers_own(impatient: Server) -> None:
    seen = urls.bombard(impatient.port, count=400)
    assert not seen.wrong, "\n".join(seen.wrong[:20])
    assert {200, 304, 308, 400, 404, 405} <= {*seen.statuses}


@pytest.mark.parametrize("one", hostile.ATTACKS, ids=lambda one: one.name)
def test_an_attack_keeps_nobody_from_being_answered(impatient: Server, one: hostile.Attack) -> None:
    hostile.attack(impatient.port, [one], 0.7)


def test_all_attacks_at_once_keep_nobody_from_being_answered(impatient: Server) -> None:
    hostile.attack(impatient.port, hostile.ATTACKS, 2)


def test_ten_times_too_much_is_refused_and_then_all_is_well() -> None:
    with running_server() as server:
        load.overload(server.port, 2)


def test_servers_that_are_killed_lose_only_what_was_under_way(tmp_path: Path) -> None:
    with running_front(tmp_path) as front:
        load.kill_servers(front, 3, pause=0.7)


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    lasting.jump(tmp_path)


def test_it_serves_with_a_full_disk() -> None:
    lasting.full_disk(100)


def test_it_does_not_grow(tmp_path: Path) -> None:
    """Too short to show a small leak: what it has grown by may be caches that fill up."""
    lasting.a_day(tmp_path, 900, samples=18, allowed=0.3)
