"""What a command says on stderr."""

from __future__ import annotations

import sys


def complain(message: object) -> None:
    """One line on stderr."""
    print(f"satdoku: {message}", file=sys.stderr)
