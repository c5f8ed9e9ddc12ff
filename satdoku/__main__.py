"""The process `satdoku`, also `python -m satdoku`.

Invariant: signals are handled before anything else is imported.
"""

import sys

from .runtime.interrupts import prepare


def run() -> int:
    """Run the command line of this process and return its exit code."""
    prepare()
    from . import cli

    return cli.run()


if __name__ == "__main__":
    sys.exit(run())
