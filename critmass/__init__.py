"""Critical Mass: Chain Reaction in which a match is its link."""

__version__ = "0.1.0"
