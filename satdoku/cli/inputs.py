"""From what was typed to puzzles, and back to text on the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator

from ..board import Board
from ..entries import Entry, read_puzzles
from ..files import STANDARD, FileError, read_text
from ..grid import FORMATS, Grid, GridError, parse_grid
from ..rules import Constraints, constraints

LONGEST_NAME = 255  # characters of a file name, on every usual file system


def law_for(arguments: argparse.Namespace, board: Board | None = None) -> Constraints:
    """The constraints that --rules and --regions ask for, on the puzzle's board."""
    return constraints(_rule_text(arguments), board or asked_board(arguments))


def asked_board(arguments: argparse.Namespace) -> Board | None:
    """The board that the options name, None if the puzzle shall tell."""
    text = _rule_text(arguments)
    if "jigsaw=" in text:
        return constraints(text).board
    return Board.of_size(arguments.size) if arguments.size else None


def _rule_text(arguments: argparse.Namespace) -> str:
    """The rule set with the region map of --regions, text or file, in it."""
    region_map: str = arguments.regions or ""
    if not region_map:
        return str(arguments.rules)
    if os.path.isfile(region_map):
        region_map = read_text(region_map)
    return f"{arguments.rules},jigsaw={''.join(region_map.split())}"


def entries(arguments: argparse.Namespace) -> Iterator[Entry]:
    """The puzzles of all positional arguments; bad ones are reported on stderr and passed over."""
    board = asked_board(arguments)
    for argument in arguments.puzzles:
        if argument != STANDARD and is_puzzle_text(argument):
            yield Entry(1, _grid_or_error(argument, board))
            continue
        found = False
        for entry in read_puzzles(argument, board):
            found = True
            yield entry
        if not found:
            raise FileError(f"{_name(argument)}: holds no puzzle")


def is_puzzle_text(argument: str) -> bool:
    """Whether an argument is meant as a grid: nothing else is so long and no file."""
    if os.path.exists(argument):
        return False
    if len(argument) > LONGEST_NAME and os.sep not in argument:
        return True
    looks = sum(argument.count(character) for character in ".0123456789*_%?|-+ ")
    return "\n" in argument or (len(argument) >= 16 and looks > len(argument) / 2)


def _grid_or_error(text: str, board: Board | None) -> Grid | GridError:
    try:
        return parse_grid(text, board)
    except GridError as error:
        return error


def one_puzzle(argument: str, board: Board | None) -> Grid:
    """The single puzzle of an argument: text, or the first puzzle of a file."""
    if argument != STANDARD and is_puzzle_text(argument):
        return parse_grid(argument, board)
    for entry in read_puzzles(argument, board):
        if isinstance(entry.grid, GridError):
            raise entry.grid
        return entry.grid
    raise FileError(f"{_name(argument)}: holds no puzzle")


def _name(argument: str) -> str:
    return "standard input" if argument == STANDARD else argument


def grid_writer(arguments: argparse.Namespace) -> Callable[[Grid], str]:
    form = arguments.format or ("pretty" if sys.stdout.isatty() else "line")
    return FORMATS[form]


def complain(message: object) -> None:
    """One line on stderr."""
    print(f"satdoku: {message}", file=sys.stderr)
