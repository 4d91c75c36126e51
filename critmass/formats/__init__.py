"""A match in every other form: as JSON and text, in notation, as pictures and films, and in words."""
