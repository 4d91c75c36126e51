"""The engine: the rules of Chain Reaction and nothing else. Standard library only, values only."""

from critmass.engine.board import Board
from critmass.engine.errors import Fault, MoveFault, RulesFault
from critmass.engine.grid import Grid, cell_name, cell_names, cells_of, make_grid, parse_cell
from critmass.engine.match import Match, Outcome, Ply, Position, Reason
from critmass.engine.rules import CODINGAME, CRITICAL_MASS, Rules, classic

__all__ = [
    "CODINGAME",
    "CRITICAL_MASS",
    "Board",
    "Fault",
    "Grid",
    "Match",
    "MoveFault",
    "Outcome",
    "Ply",
    "Position",
    "Reason",
    "Rules",
    "RulesFault",
    "cell_name",
    "cell_names",
    "cells_of",
    "classic",
    "make_grid",
    "parse_cell",
]
