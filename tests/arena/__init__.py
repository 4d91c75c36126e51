"""Tests of the arena, with real bot processes, good and evil."""
