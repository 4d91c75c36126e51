"""A little of the fuzzing, and all that it ever found."""

import pytest

from torture.fuzz import corpus, escaped, fuzz, unescaped
from torture.targets import TARGETS

SECONDS = 1


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_found_before_is_stood(target: str) -> None:
    inputs = corpus(target)
    assert inputs
    for data in inputs:
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_a_little_fuzzing_finds_nothing(target: str) -> None:
    assert target in fuzz(target, SECONDS)


def test_the_corpus_holds_any_bytes() -> None:
    every = bytes(range(256))
    assert unescaped(escaped(every)) == every
