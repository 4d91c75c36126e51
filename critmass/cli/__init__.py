"""The command line: a module a group of commands, and `main`, which is all of them."""

from critmass.cli.main import main

__all__ = ["main"]
