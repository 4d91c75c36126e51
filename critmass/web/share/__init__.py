"""Taking a match along: the panel, the score sheet, frames for other pages, and import."""
