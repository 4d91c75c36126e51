"""Where the templates and static files are."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
HOME = _PACKAGE if (_PACKAGE / "templates").is_dir() else _PACKAGE.parent
"""The folder that holds them: the package's own in a wheel, the one above it in a checkout."""
