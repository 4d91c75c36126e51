"""Puzzles: the collection that comes with the program, and how it is made."""
