"""Everything that could break it, on purpose: `python -m tests.torture`, or in short as tests.

docs/reliability.md says what each part promises and what was seen.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))
