"""Statistics against values that others have published."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from critmass.arena.stats import Score, Sprt, elo, expected, log_likelihood_ratio

scores = st.builds(Score, *3 * [st.integers(0, 2000)])


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 1998.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    assert Score(wins, 0, games - wins).interval == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("score", "difference"),
    # Of the logistic curve, as in https://www.chessprogramming.org/Match_Statistics; FIDE's table is of the normal one.
    [(0.5, 0), (0.75, 190.85), (0.9, 381.70), (0.99, 798.25), (0.25, -190.85), (1, math.inf), (0, -math.inf)],
)
def test_elo_is_the_logistic_one(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.01)
    assert expected(difference) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize(
    ("score", "superiority"),
    # Φ at 0, 1, 1.96, 3 and -2.
    [
        (Score(7, 3, 7), 0.5),
        (Score(10, 90, 6), 0.8413),
        (Score(0, 5, 0), 0.5),
        (Score(3, 0, 1), 0.8413),
        (Score(6, 9, 3), 0.8413),
        (Score(9, 0, 0), 0.99865),
        (Score(0, 0, 4), 0.02275),
    ],
)
def test_superiority_is_that_of_the_normal_distribution(score: Score, superiority: float) -> None:
    assert score.superiority == pytest.approx(superiority, abs=5e-5)


@pytest.mark.parametrize(
    ("pull_request", "pairs", "elo0", "elo1", "ratio"),
    [
        # From descriptions of pull requests to Stockfish, whose tests were run in logistic Elo then.
        (2493, (424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
        (2950, (133, 1751, 5094, 1849, 165), -0.5, 1.5, 2.94),
        (2950, (149, 4748, 32785, 5063, 159), 0.25, 1.75, 2.95),
        (2951, (59, 754, 2467, 865, 75), -0.5, 1.5, 2.95),
        (2951, (33, 1185, 8378, 1302, 50), 0.25, 1.75, 2.95),
        (2971, (17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
        (2971, (11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
        (3209, (253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
        (3331, (14, 1030, 14318, 1163, 19), 0.25, 1.25, 2.93),
    ],
)
def test_the_likelihood_ratio_is_fishtests(
    pull_request: int, pairs: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert round(log_likelihood_ratio(pairs, elo0, elo1), 2) == ratio
    assert log_likelihood_ratio(pairs[::-1], -elo1, -elo0) == pytest.approx(-log_likelihood_ratio(pairs, elo0, elo1))


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.94, 2.94), abs=0.005)


def test_a_test_says_what_is_proven() -> None:
    test = Sprt(0, 20)
    assert test.accepted([0, 0, 0, 0, 0]) is None
    assert test.accepted([5, 10, 20, 10, 5]) is None
    assert test.accepted([0, 0, 0, 0, 60]) == 20
    assert test.accepted([60, 0, 0, 0, 0]) == 0


@pytest.mark.parametrize(("difference", "proven"), [(0, 0), (60, 60)])
def test_a_test_is_right_as_often_as_it_says(difference: int, proven: int) -> None:
    rng = random.Random(5)
    test, right = Sprt(0, 60), 0
    for _ in range(50):
        pairs = [0] * 5
        while (accepted := test.accepted(pairs)) is None:
            pairs[2 * sum(rng.random() < expected(difference) for _ in range(2))] += 1
        right += accepted == proven
    assert right >= 42  # 47 or 48 are expected, and fewer than 42 come in one of 300 such tests


@given(scores)
def test_a_score_lies_within_its_interval(score: Score) -> None:
    low, high = score.interval
    assert 0 <= low <= score.share <= high <= 1
    assert score.elo_interval[0] <= score.elo <= score.elo_interval[1]


@given(scores)
def test_the_other_bot_sees_the_same(score: Score) -> None:
    other = score.reversed
    assert other.share == pytest.approx(1 - score.share)
    assert other.superiority == pytest.approx(1 - score.superiority)
    low, high = score.interval
    assert other.interval == pytest.approx((1 - high, 1 - low))
