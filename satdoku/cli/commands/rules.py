"""The command `rules`: every rule and alias with its meaning."""

from __future__ import annotations

import argparse

from ...model.rules import ALIASES, JIGSAW, JIGSAW_SUMMARY, RULES
from .. import EXIT_DONE

EXAMPLE = "satdoku rules"


def add_options(parser: argparse.ArgumentParser) -> None:
    """None."""


def run(arguments: argparse.Namespace) -> int:
    """The rules and aliases with what they mean."""
    for rule in RULES.values():
        print(f"{rule.name:<16}{rule.summary}")
    print(f"{JIGSAW:<16}{JIGSAW_SUMMARY}")
    for alias, names in ALIASES.items():
        print(f"{alias:<16}{', '.join(names) or 'rows, columns and boxes only'}")
    return EXIT_DONE
