"""The page of a match: its views, what its templates are given, the board, frames and variations."""
