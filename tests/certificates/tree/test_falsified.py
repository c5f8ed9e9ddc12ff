"""Falsified trees, claims, solutions, puzzles, columns and files: none is accepted that is false.

Bound: the check of a row visits at most as many nodes as its tree has bytes, times the literals of
the longest clause, and one more; and one for each solution. So no row takes longer than its length
allows.
"""

from __future__ import annotations

import json
import random
import zlib
from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from examples import FOUR
from sum_cases import KINDS_OF_FALSE, forgeries
from tree_cases import (
    RULES,
    changed,
    is_true,
    one_column_changed,
    rows_of_file,
    some_puzzles,
    some_rows,
    trees_for,
    trees_of_formula,
    write,
)

from satdoku import Session, check_trees
from satdoku.certificates.check_trees import FileChecker, formula_of
from satdoku.certificates.collection import head_of
from satdoku.certificates.format import Certificate, Proof, hash_of
from satdoku.certificates.proof import ProofError
from satdoku.certificates.tree import COMPILED, Row, Rows, Trees, Verdict, columns
from satdoku.certificates.tree.files import Head, pack, read_head
from satdoku.certificates.tree.formula import positive_form
from satdoku.certificates.tree.reference import Checker, State
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.runtime.errors import SatdokuError

MORE = ("boxes=3x3", "king", "boxes=4x2", "samurai", "boxes=3x3;cage=20:r1c1,r1c2,r1c3")


def rows_under(rules: str, seed: int, puzzles: int = 8) -> tuple[Constraints, Trees, list[Row]]:
    constraints = constraints_for(rules)
    trees = trees_for(constraints, compiled=COMPILED)
    fewest = 0.15 if constraints.board.cells < 50 else 0.3
    return constraints, trees, some_rows(trees, some_puzzles(constraints, seed, puzzles, fewest))


def falsify(rules: str, seed: int, count: int) -> tuple[int, int]:
    """How many changed rows are accepted, all of them true, and how many are refused."""
    draw = random.Random(seed)
    constraints, trees, rows = rows_under(rules, seed)
    digits = trees.formula.digits
    wrong = [changed(draw, draw.choice(rows), draw.choice(rows), digits) for _ in range(count)]
    verdicts = trees.check(columns(wrong))
    accepted = {row for row, verdict in zip(wrong, verdicts, strict=True) if not verdict}
    with Session(constraints) as session:
        for row in accepted.difference(rows):
            assert is_true(row, constraints, session), row
    return verdicts.count(0), len(wrong) - verdicts.count(0)


@pytest.mark.parametrize("rules", RULES)
def test_no_false_row_is_accepted(rules: str) -> None:
    accepted, refused = falsify(rules, 1, 300)
    assert refused > 100 and accepted + refused == 300


@pytest.mark.slow
@pytest.mark.parametrize("rules", (*RULES, *MORE))
def test_no_false_row_of_thousands_is_accepted(rules: str) -> None:
    found = [falsify(rules, seed, 1000) for seed in range(2, 8)]
    assert sum(refused for _, refused in found) > 2000


@pytest.mark.parametrize("rules", ("boxes=2x2", "boxes=2x3;cage=9:r1c1,r1c2,r2c2"))
def test_no_row_takes_longer_than_its_tree_allows(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, visits = random.Random(3), 0
    _, trees, rows = rows_under(rules, 3)
    slow = trees_of_formula(trees.formula, compiled=False)
    longest = max(map(len, trees.formula.clauses))
    propagate: Callable[[Checker, State], State | None] = Checker.propagate

    def counted(checker: Checker, state: State) -> State | None:
        nonlocal visits
        visits += 1
        return propagate(checker, state)

    monkeypatch.setattr(Checker, "propagate", counted)
    for _ in range(150):
        row = changed(draw, draw.choice(rows), draw.choice(rows), trees.formula.digits)
        visits = 0
        slow.check(columns([row]))
        assert visits <= len(row.solutions) + len(row.tree) * longest + 1


@pytest.mark.parametrize("compiled", [True, False])
def test_columns_that_do_not_belong_together_are_refused(compiled: bool) -> None:
    draw = random.Random(4)
    _, trees, rows = rows_under("boxes=2x2", 4, puzzles=3)
    rows = rows[:4]
    trees = trees_of_formula(trees.formula, compiled=compiled)
    for _ in range(200):
        parts = one_column_changed(draw, rows)
        with pytest.raises(ValueError, match="belong together"):
            trees.check(Rows(*parts))


@pytest.mark.skipif(not COMPILED, reason="built without a compiler")
def test_the_extension_alone_refuses_them() -> None:
    from satdoku.certificates.tree import _tree

    draw = random.Random(5)
    _, trees, rows = rows_under("boxes=2x2", 5, puzzles=3)
    form = trees.formula
    loaded = _tree.load(form.variables, form.cells, form.digits, *form.flat)
    for _ in range(200):
        parts = one_column_changed(draw, rows[:4])
        with pytest.raises(ValueError, match="belong together"):
            _tree.check(loaded, *parts)
    many = array("i", [-1] * 4)
    with pytest.raises(ValueError, match="belong together"):
        _tree.check(loaded, b"aaaa", bytes(64), many, b"", array("i", [0] * 4), b"")
    for puzzle in (b"\5" * 16, b"\xff" * 16, bytes(15)):
        with pytest.raises(ValueError, match="other digits"):
            _tree.make(loaded, puzzle, 1, False, 100, False)


def accepted_rows(path: Path) -> list[tuple[Constraints, Row]]:
    """The rows of a file that are verified, under the rules that it states."""
    with path.open("rb") as stream:
        head = read_head(stream.readline())
    constraints = constraints_for(";".join(head.rules) or "classic", head.board)
    found = []
    for block, (_, checked) in zip(rows_of_file(path), check_trees(str(path)), strict=True):
        every = enumerate(block.each(head.board.cells))
        found += [(constraints, row) for at, row in every if at not in checked.rejected]
    return found


def falsify_files(path: Path, seed: int, count: int) -> tuple[int, int]:
    """Files with a byte or a row changed: how many are read, and how many are refused."""
    draw, read = random.Random(seed), 0
    rules = draw.choice(("latin=4", "boxes=2x2", "boxes=2x2;knight", "boxes=2x3"))
    constraints, trees, rows = rows_under(rules, seed, puzzles=4)
    packed, head = pack(columns(rows)), head_of(constraints)
    with path.open("wb") as stream:
        write(stream, head, [(len(rows), packed), (len(rows), packed)])
    whole = path.read_bytes()
    for _ in range(count):
        data = bytearray(whole)
        kind = draw.randrange(4)
        if kind == 0:  # any byte
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        elif kind == 1:  # a piece twice, or not at all
            at, to = sorted(draw.choices(range(len(data)), k=2))
            data[at : at + draw.choice((0, 1, 4, 12))] = data[at:to] if draw.randrange(2) else b""
        else:  # a row, or a byte of what is packed; the frame and the index fit
            wrong = [*rows]
            other = draw.choice(rows)
            place = draw.randrange(len(rows))
            wrong[place] = changed(draw, wrong[place], other, trees.formula.digits)
            inner = bytearray(zlib.decompress(pack(columns(wrong))))
            if kind == 3:
                inner[draw.randrange(len(inner))] = draw.randrange(256)
            with path.open("wb") as stream:
                write(stream, head, [(len(rows), zlib.compress(inner, 1))])
            data = bytearray(path.read_bytes())
        path.write_bytes(data)
        try:
            accepted = accepted_rows(path)
        except SatdokuError as error:
            assert str(error)
            continue
        read += 1
        for under, row in {*accepted}.difference((constraints, row) for row in rows):
            if row.claim != ord("-"):
                with Session(under) as session:
                    assert is_true(row, under, session), (row, under)
    return read, count - read


def test_no_false_row_of_a_file_is_accepted(tmp_path: Path) -> None:
    found = [falsify_files(tmp_path / "f.trees", seed, 60) for seed in range(4)]
    assert sum(read for read, _ in found) > 50 and sum(wrong for _, wrong in found) > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_false_row_of_thousands_of_files_is_accepted(seed: int, tmp_path: Path) -> None:
    falsify_files(tmp_path / "f.trees", seed, 1000)


def test_every_verdict_is_met() -> None:
    draw, seen = random.Random(6), set()
    _, trees, rows = rows_under("boxes=2x2", 6)
    for _ in range(30):
        wrong = [changed(draw, draw.choice(rows), draw.choice(rows), 4) for _ in range(100)]
        seen |= {*trees.check(columns(wrong))}
    assert seen == {*Verdict} - {Verdict.TOO_DEEP}  # which test_tree.py meets


@pytest.mark.parametrize("each", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_no_falsified_sum_of_a_head_is_accepted(
    four_by_four: list[bytes], monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    """Each row claims that a puzzle with solutions has none, and has a whole tree or proof of that,
    by sums that do not follow; the digest is that of the false formula, or the true one."""
    refused, honest = Counter[str](), 0
    for one in forgeries(four_by_four, monkeypatch, each):
        trees = trees_of_formula(positive_form(one.clauses, 16, 4), compiled=COMPILED)
        (row,) = trees.make(bytes(one.puzzle)).each(16)
        assert row.claim == ord("n") and not any(trees.check(columns([row])))
        made = Certificate(one.puzzle, "none", (), "cadical153", Proof(one.proof))
        other = Row(ord("N"), row.puzzle, (), json.dumps(made.to_json()).encode())
        digests = {hash_of(one.text)}
        with suppress(ProofError):
            digests.add(hash_of(formula_of(FOUR, one.rules, (one.named,))[2]))
        for digest in digests:
            head = Head(FOUR, one.rules, digest, {}, (one.named,))
            assert {*FileChecker(head).refusals(columns([row, other]))} == {0, 1}, one
        refused[one.kind] += 1
        honest += len(digests) > 1
    assert refused == dict.fromkeys(KINDS_OF_FALSE, each) and honest > each
