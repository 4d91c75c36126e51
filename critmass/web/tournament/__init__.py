"""The arena's live page."""
