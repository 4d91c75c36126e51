"""All that asks for a search: the computer's move, hints, analysis, puzzles."""
