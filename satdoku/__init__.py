"""Sudoku as SAT: solve, audit, enumerate, export and cross-check puzzles, chess rules included.

Vocabulary, used everywhere:
    cell        0..80, row-major; people read r1c1..r9c9
    digit       1..9; 0 is an empty cell
    grid        81 digits: `Grid`, bytes with a board; (81,) uint8 where arrays are wanted
    given       a digit the puzzle states
    candidate   a pair (cell, digit), 0-based index 81*row + 9*column + digit-1
    variable    candidate + 1, the DIMACS number: positive means "this digit is in this cell"
    house       a row, column or box
    peers       of a cell: the cells that share a house with it
    group       a set of candidates of which exactly one is true
    pair        two candidates that cannot both be true
    rule set    names of extra rules, such as `knight,diagonal`; `classic` means no extra rule,
                `miracle` means knight, king and nonconsecutive
"""

from __future__ import annotations

from .runtime import package
from .runtime.package import VERSION as __version__

TYPE_CHECKING = False  # `typing` takes milliseconds, which a command has better use for

# The public names of each module. It is imported on first use, so that `import satdoku` is cheap.
_PUBLIC = {
    "answers.api": ("candidates", "classify", "count", "propagate", "solutions", "solve"),
    "answers.external.solver": ("SolverCommand",),
    "answers.listing": ("iter_solutions",),
    "answers.session": ("Session",),
    "answers.tallies": ("candidate_counts",),
    "audit.files": ("Checks", "audit_files"),
    "audit.frame": ("audit_frame",),
    "audit.report": ("report_page", "report_text"),
    "batch.files": ("Solving", "Writing", "solve_files"),
    "batch.rate": ("rate_batch",),
    "batch.solve": ("classify_batch", "solve_batch"),
    "certificates.check": ("check_certificates",),
    "certificates.check_trees": ("check_rows", "check_trees"),
    "certificates.collection": ("Proving", "certify_files"),
    "certificates.make": ("certify", "certify_batch", "certify_count"),
    "counting": ("Way", "count_exact"),
    "counting.burnside": ("count_orbits",),
    "counting.external": ("count_by",),
    "counting.few_grids": ("count_puzzles",),
    "datasets.augment": ("Augmenting", "augment_files"),
    "datasets.batches": ("iter_batches",),
    "datasets.clean": ("Cleaning", "clean_files"),
    "datasets.make": ("make_dataset",),
    "datasets.many": ("score_batch",),
    "datasets.score": ("check_answer", "judge_placements"),
    "datasets.split": ("Splitting", "split_files"),
    "datasets.tasks": ("Episodes", "tasks"),
    "explain": ("explain_cell", "explain_conflict", "explain_steps"),
    "explain.judge": ("judge_step",),
    "explain.rating": ("rate",),
    "fewest": ("fewest_givens", "puzzles_with_givens"),
    "files.cells": ("RowsError", "as_cells"),
    "files.drawn": ("format_drawn", "parse_drawn"),
    "files.formats": ("ReadOptions",),
    "files.fpuzzles": ("format_fpuzzles", "format_sudokupad", "parse_fpuzzles"),
    "files.frames": ("as_frame",),
    "files.iss": ("format_iss", "parse_iss"),
    "files.killer": ("format_killer", "parse_killer"),
    "files.notation": ("format_marks",),
    "files.one": ("parse_puzzle", "rules_in_words"),
    "files.pencilmark": ("parse_pencilmark",),
    "files.sudokubench": ("parse_sudokubench",),
    "files.puzzle_json": ("format_puzzle_json", "parse_puzzle_json"),
    "files.puzzles": ("read_puzzles",),
    "generator": ("Wish", "generate", "minimize", "random_seed"),
    "generator.files": ("generate_file",),
    "generator.clues": ("minimize_clues", "puzzles_with_clues"),
    "generator.fair": ("FairSample", "fair_puzzles"),
    "generator.holes": ("puzzles_with_holes",),
    "generator.uniform": ("uniform_grids",),
    "model.board": ("Board",),
    "model.constraints": ("Constraints", "constraints_for"),
    "model.grid": ("Grid", "GridError", "parse_grid"),
    "model.marks": ("pencil_marks",),
    "model.nearness": ("clue_warnings",),
    "model.own_rules": ("rule",),
    "model.puzzle": ("Puzzle",),
    "model.rules": ("RULES",),
    "render": ("render_png", "render_svg", "render_terminal"),
    "runtime.cluster": ("Dask",),
    "runtime.errors": ("SatdokuError", "Status"),
    "setting": ("Suggestion", "suggest"),
    "sheets": ("KeySteps", "Page", "sheet_pdf"),
    "symmetry": ("automorphisms", "canonical", "orbits"),
    "traces.files": ("explain_files",),
    "traces.traces": ("Tracing", "explain_batch"),
    "web.play": ("play", "play_page"),
    "web.server": ("serve",),
}
_HOME = {name: module for module, names in _PUBLIC.items() for name in names}
__all__ = [
    "RULES", "Augmenting", "Board", "Checks", "Cleaning", "Constraints", "Dask", "Episodes",
    "FairSample", "Grid", "GridError", "KeySteps", "Page", "Proving", "Puzzle", "ReadOptions",
    "RowsError",
    "SatdokuError", "Session", "SolverCommand", "Solving", "Splitting", "Status", "Suggestion",
    "Tracing", "Way", "Wish", "Writing",
    "__version__", "as_cells", "as_frame", "audit_files", "audit_frame", "augment_files",
    "automorphisms",
    "candidate_counts", "candidates", "canonical", "certify", "certify_batch", "certify_count",
    "certify_files", "check_answer", "check_certificates", "check_rows", "check_trees", "classify",
    "classify_batch", "clean_files", "clue_warnings",
    "constraints_for", "count", "count_by", "count_exact", "count_orbits", "count_puzzles",
    "explain_batch", "explain_cell", "explain_conflict", "explain_files", "explain_steps",
    "fair_puzzles", "fewest_givens", "format_drawn",
    "format_fpuzzles", "format_iss", "format_killer", "format_marks", "format_puzzle_json",
    "format_sudokupad", "generate", "generate_file",
    "iter_batches", "iter_solutions", "judge_placements", "judge_step", "make_dataset", "minimize",
    "minimize_clues", "orbits",
    "parse_drawn", "parse_fpuzzles", "parse_grid", "parse_iss", "parse_killer", "parse_pencilmark",
    "parse_puzzle", "parse_puzzle_json", "parse_sudokubench", "pencil_marks", "play", "play_page",
    "propagate",
    "puzzles_with_clues", "puzzles_with_givens", "puzzles_with_holes", "random_seed", "rate",
    "rate_batch", "read_puzzles", "render_png", "render_svg", "render_terminal", "report_page",
    "report_text", "rule", "rules_in_words", "score_batch", "serve", "sheet_pdf", "solutions",
    "solve", "solve_batch", "solve_files", "split_files", "suggest", "tasks", "uniform_grids",
]  # fmt: skip

if TYPE_CHECKING:
    from typing import Any

    from .answers.api import (
        candidates,
        classify,
        count,
        propagate,
        solutions,
        solve,
    )
    from .answers.external.solver import SolverCommand
    from .answers.listing import iter_solutions
    from .answers.session import Session
    from .answers.tallies import candidate_counts
    from .audit.files import Checks, audit_files
    from .audit.frame import audit_frame
    from .audit.report import report_page, report_text
    from .batch.files import Solving, Writing, solve_files
    from .batch.rate import rate_batch
    from .batch.solve import classify_batch, solve_batch
    from .certificates.check import check_certificates
    from .certificates.check_trees import check_rows, check_trees
    from .certificates.collection import Proving, certify_files
    from .certificates.make import certify, certify_batch, certify_count
    from .counting import Way, count_exact
    from .counting.burnside import count_orbits
    from .counting.external import count_by
    from .counting.few_grids import count_puzzles
    from .datasets.augment import Augmenting, augment_files
    from .datasets.batches import iter_batches
    from .datasets.clean import Cleaning, clean_files
    from .datasets.make import make_dataset
    from .datasets.many import score_batch
    from .datasets.score import check_answer, judge_placements
    from .datasets.split import Splitting, split_files
    from .datasets.tasks import Episodes, tasks
    from .explain import explain_cell, explain_conflict, explain_steps
    from .explain.judge import judge_step
    from .explain.rating import rate
    from .fewest import fewest_givens, puzzles_with_givens
    from .files.cells import RowsError, as_cells
    from .files.drawn import format_drawn, parse_drawn
    from .files.formats import ReadOptions
    from .files.fpuzzles import format_fpuzzles, format_sudokupad, parse_fpuzzles
    from .files.frames import as_frame
    from .files.iss import format_iss, parse_iss
    from .files.killer import format_killer, parse_killer
    from .files.notation import format_marks
    from .files.one import parse_puzzle, rules_in_words
    from .files.pencilmark import parse_pencilmark
    from .files.puzzle_json import format_puzzle_json, parse_puzzle_json
    from .files.puzzles import read_puzzles
    from .files.sudokubench import parse_sudokubench
    from .generator import Wish, generate, minimize, random_seed
    from .generator.clues import minimize_clues, puzzles_with_clues
    from .generator.fair import FairSample, fair_puzzles
    from .generator.files import generate_file
    from .generator.holes import puzzles_with_holes
    from .generator.uniform import uniform_grids
    from .model.board import Board
    from .model.constraints import Constraints, constraints_for
    from .model.grid import Grid, GridError, parse_grid
    from .model.marks import pencil_marks
    from .model.nearness import clue_warnings
    from .model.own_rules import rule
    from .model.puzzle import Puzzle
    from .model.rules import RULES
    from .render import render_png, render_svg, render_terminal
    from .runtime.cluster import Dask
    from .runtime.errors import SatdokuError, Status
    from .setting import Suggestion, suggest
    from .sheets import KeySteps, Page, sheet_pdf
    from .symmetry import automorphisms, canonical, orbits
    from .traces.files import explain_files
    from .traces.traces import Tracing, explain_batch
    from .web.play import play, play_page
    from .web.server import serve


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


package.svg = lambda *shown, **options: __getattr__("render_svg")(*shown, **options)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
