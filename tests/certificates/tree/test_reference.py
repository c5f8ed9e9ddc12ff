"""Three checkers of proof trees, by bits, by integers and by full scans: the same verdicts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import sixty_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share
from tree_cases import (
    RULES,
    changed,
    random_formula,
    some_puzzles,
    some_rows,
    trees_for,
    trees_of_formula,
)

from satdoku import certify_files
from satdoku.certificates.tree import COMPILED, Row, Trees, Verdict, columns
from satdoku.certificates.tree.formula import Positive
from satdoku.model.constraints import constraints_for

SOURCES = Path(__file__).parents[3] / "satdoku" / "certificates" / "tree"


def by_full_scans(formula: Positive, row: Row) -> bool:
    claim, grids = chr(row.claim), [*row.solutions]
    own = formula.clauses, formula.pairs, formula.cells, formula.digits
    return sixty_lines.holds(*own, claim, row.puzzle, grids, [*row.tree])


def verdicts(trees: Trees, rows: list[Row]) -> tuple[int, int]:
    """How many of the rows hold, and how many do not, by all checkers."""
    one = trees_of_formula(trees.formula, compiled=True).check(columns(rows))
    other = trees_of_formula(trees.formula, compiled=False).check(columns(rows))
    assert [Verdict(x) for x in one] == [Verdict(x) for x in other]
    assert [not x for x in one] == [by_full_scans(trees.formula, row) for row in rows]
    return one.count(0), len(rows) - one.count(0)


def some_changed(seed: int, rows: list[Row], count: int, digits: int) -> list[Row]:
    draw = random.Random(seed)
    return [changed(draw, draw.choice(rows), draw.choice(rows), digits) for _ in range(count)]


def agree(rules: str, seed: int, count: int, fewest: float = 0.5) -> tuple[int, int]:
    constraints = constraints_for(rules)
    trees = trees_for(constraints, compiled=COMPILED)
    rows = some_rows(trees, some_puzzles(constraints, seed, 12, fewest))
    wrong = some_changed(seed, rows, count - len(rows), trees.formula.digits)
    return verdicts(trees, rows + wrong)


@pytest.mark.parametrize("rules", RULES)
def test_three_checkers_agree(rules: str) -> None:
    held, refused = agree(rules, 1, 60)
    assert held > 10 and refused > 10


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_three_checkers_agree_on_thousands(rules: str) -> None:
    found = [agree(rules, seed, 100, fewest=0.3) for seed in range(2, 22)]
    assert sum(held for held, _ in found) > 300 and sum(refused for _, refused in found) > 300


@given(st.integers(0, 2**32))
@settings(max_examples=share(60), deadline=None)
def test_three_checkers_agree_on_random_formulas(seed: int) -> None:
    draw = random.Random(seed)
    trees = trees_of_formula(random_formula(draw), compiled=COMPILED)
    digits, cells = trees.formula.digits, trees.cells
    puzzles = bytes(draw.choice((0, 0, 0, draw.randint(1, digits))) for _ in range(3 * cells))
    rows = some_rows(trees, puzzles)
    if rows:
        verdicts(trees, rows + some_changed(seed, rows, 20, digits))


def test_a_file_is_checked_from_the_page_alone(tmp_path: Path) -> None:
    puzzles, out = tmp_path / "p.txt", tmp_path / "p.trees"
    grids = some_puzzles(constraints_for("boxes=2x3"), 3, 30, fewest=0.2)
    lines = [grids[at : at + 36] for at in range(0, len(grids), 36)]
    puzzles.write_text("\n".join("".join(map(str, line)) for line in lines))
    certify_files(str(puzzles), str(out), "boxes=2x3")
    assert [*sixty_lines.verify(out.read_bytes())] == [True] * 30


@pytest.mark.skipif(not SOURCES.exists(), reason="no sources")
def test_the_checkers_can_be_read_in_one_sitting() -> None:
    def lines(path: Path) -> int:
        return sum(1 for line in path.read_text().splitlines() if line.strip())

    assert lines(SOURCES / "c" / "tree.c") <= 200
    assert lines(SOURCES / "reference.py") <= 100
    assert lines(Path(sixty_lines.__file__)) <= 60
