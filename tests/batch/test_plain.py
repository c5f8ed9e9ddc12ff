"""Lists from bytes to lines: the same answers as by arrays, in order, every solution verified."""

import io

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES

from satdoku.batch import plain as module
from satdoku.batch.options import BatchOptions
from satdoku.batch.plain import answer_parts
from satdoku.batch.results.texts import format_lines
from satdoku.batch.solve import solve_chunks
from satdoku.engine import kernel
from satdoku.engine.targets import TARGETS
from satdoku.files import streams
from satdoku.files.collection import read_chunks, read_parts
from satdoku.files.streams import Source
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import Status, WitnessError

GENERATED = (PUZZLES / "generated-1000.txt").read_text().splitlines()[3:103]
CLASH = "55" + "." * 79
NONE = f"12345678{'.' * 9}9{'.' * 63}"
LINES = [*GENERATED[:40], "." * 81, *GENERATED[40:70], CLASH, NONE, "bad", *GENERATED[70:]]

pytestmark = pytest.mark.skipif(not TARGETS, reason="built without a compiler")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(streams, "BLOCK_BYTES", 82 * 16)


def answers(lines, options, workers=0):
    source = Source("in", io.BytesIO("\n".join([*lines, ""]).encode()))
    return list(answer_parts(read_parts(source, size=10), options, workers=workers))


def by_arrays(lines, options):
    source = Source("in", io.BytesIO("\n".join([*lines, ""]).encode()))
    return list(solve_chunks(read_chunks(source, size=10), options))


def is_alike(line, other):
    """Of several solutions any may be printed."""
    return line == other or line.split()[0] == other.split()[0] in ("multiple", "solved")


@pytest.mark.parametrize(
    "rules", ["classic", "diagonal", "latin=9", "nonconsecutive", "cage=10:r1c1,r1c2"]
)
@pytest.mark.parametrize("limit", [1, 2])
def test_the_lines_are_those_of_arrays(rules, limit):
    options = BatchOptions(constraints_for(rules), limit)
    wanted = by_arrays(LINES, options)
    found = answers(LINES, options)
    lines = b"".join(answered.lines for answered in found).decode().splitlines()
    others = b"".join(format_lines(*pair, options) for pair in wanted).decode().splitlines()
    assert len(lines) == len(others) == len(LINES)
    assert all(map(is_alike, lines, others))
    assert b"".join(a.statuses for a in found) == b"".join(
        result.statuses.tobytes() for _, result in wanted
    )
    errors = [str(error) for answered in found for error in answered.errors]
    assert len(errors) == 1 and errors[0].startswith("in: line 74, ")


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_threads_gives_the_same_answers_in_order(workers):
    options = BatchOptions(constraints_for())
    alone, shared = (
        [(a.lines, a.statuses, len(a.errors)) for a in answers(LINES[:72], options, n)]
        for n in (0, workers)
    )
    assert alone == shared


def test_what_the_kernel_gives_up_is_answered_by_a_session():
    options = BatchOptions(constraints_for(), node_budget=1)
    (answered,) = answers(["." * 81, CLASSIC], options)
    assert answered.statuses == bytes([Status.MULTIPLE, Status.UNIQUE])
    assert answered.lines.endswith(f"unique {CLASSIC_SOLUTION}\n".encode())


@pytest.mark.parametrize("lines", [GENERATED[:5], [*GENERATED[:5], NONE]])
def test_a_kernel_that_is_wrong_is_caught(lines, monkeypatch):
    true = kernel.solve_bytes

    def wrong(*arguments):
        found = true(*arguments)
        found.solutions[80], found.solutions[79] = found.solutions[79:81]
        return found

    monkeypatch.setattr(kernel, "solve_bytes", wrong)
    with pytest.raises(WitnessError, match="wrong solutions for puzzles"):
        answers(lines, BatchOptions(constraints_for()))


def test_plain_parts_of_classic_puzzles_stay_bytes(monkeypatch):
    monkeypatch.setattr(module, "_by_arrays", None)
    monkeypatch.setattr(module, "_settled", None)
    options = BatchOptions(constraints_for())
    assert sum(len(a.statuses) for a in answers(GENERATED, options)) == len(GENERATED)
    assert np.frombuffer(answers(GENERATED, options)[0].statuses, np.uint8).all()
