"""`audit_files`: every format, errors before the work starts, memory within its bound."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from random import Random

import numpy as np
import pytest
from audit_oracle import GRID, Row, chunk_of, chunked, generated, nines, some_files
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku import Checks
from satdoku.audit.files import AuditError, audit_chunks, audit_files
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError
from satdoku.symmetry import group

SIX_BY_SEVEN = (
    "6...7...53..62132.......6.54...3215.4..53.",
    "...243.1....746.4.7...1...5..75364..6.5...",
)
SIX = "4..3.....2..63....5.....3...6..4..1."


def test_every_chunk_is_heard_with_the_statuses_of_the_report(grids):
    heard = Counter()
    files = some_files(Random(7), grids, 3, sizes=(25,))
    report = audit_chunks(
        chunked(files, 4), on_chunk=lambda chunk, statuses: heard.update(statuses.tolist())
    )
    told = sum((Counter(file["statuses"]) for file in report["files"]), Counter())
    assert {str(satdoku.Status(code)): n for code, n in heard.items()} == told


def test_a_csv_file_with_everything_in_it(file):
    path = file(
        "id,puzzle,solution\n"
        f"good,{CLASSIC},{CLASSIC_SOLUTION}\n"
        f"short,{CLASSIC[1:]},{CLASSIC_SOLUTION}\n"
        f"unanswered,{CLASSIC[27:] + CLASSIC[:27]},\n"
        f"junk,{CLASSIC},75281\n"
    )
    report = satdoku.audit_files(path)
    (told,) = report["files"]
    assert told["path"] == path
    assert told["statuses"] == {"unique": 3, "invalid": 1}
    assert told["answers"] == {"stated": 2, "right": 1, "unreadable": 1}
    assert told["duplicates"] == {"exact": 1, "symmetric": 1}
    found = {f["kind"]: f["examples"] for f in told["findings"]}
    ((short,), (junk,)) = found["malformed row"], found["unreadable answer"]
    assert (short["line"], short["id"]) == (3, "short")
    assert "line 3" in short["detail"] and "found 80 cells" in short["detail"]
    assert (junk["line"], junk["id"]) == (5, "junk")
    assert "found 5 cells" in junk["detail"]
    assert [(e["line"], e["other_line"]) for e in found["exact duplicate"]] == [(5, 2)]
    assert [(e["line"], e["other_line"]) for e in found["symmetric duplicate"]] == [(4, 2)]


def test_any_formats_together(file, tmp_path):
    puzzles = generated()[:20]
    np.savez(tmp_path / "b.npz", puzzles=puzzles[10:])
    lines = ["".join(map(str, row)) for row in puzzles[:12].tolist()]
    report = audit_files([file("\n".join(lines), "a.txt"), str(tmp_path / "b.npz")])
    assert [told["rows"] for told in report["files"]] == [12, 10]
    assert [leak["exact"] for leak in report["leaks"]] == [2]
    assert report["leaks"][0]["examples"][0]["other_line"] == 11


def test_a_file_without_rows_is_reported(file):
    empty = file("", "empty.txt")
    report = audit_files([file(CLASSIC), empty, file(CLASSIC, "c.txt")])
    assert [(told["path"], told["rows"]) for told in report["files"]][1] == (empty, 0)
    assert [leak["into"] for leak in report["leaks"]] == [report["files"][2]["path"]]
    with pytest.raises(AuditError, match=r"empty\.txt: holds no puzzle"):
        audit_files(empty)
    with pytest.raises(AuditError, match="no file"):
        audit_files([])


def test_the_first_file_decides_the_board(file):
    small, broken = file(GRID), file("123\n", "b.txt")
    report = audit_files([small, broken])
    assert report["files"][1]["statuses"] == {"invalid": 1}
    report = audit_files([small, file(CLASSIC, "c.txt")])
    assert report["files"][1]["findings"][0]["kind"] == "malformed row"


def test_chunks_of_another_size_are_refused():
    files = [("a", [chunk_of([Row(bytes(16))], "a")]), *nines(generated()[:1])]
    with pytest.raises(AuditError, match="0: puzzles of 81 cells: expected 16"):
        audit_chunks(files)


def test_rules_that_fix_the_board(file):
    """5x5 has no boxes: the regions in the rules fix the board, as text or as constraints."""
    regions = "".join("abcde"[(c + 2 * r) % 5] for r in range(5) for c in range(5))
    grid = "".join(str((c + r) % 5 + 1) for r in range(5) for c in range(5))
    path = file(f"puzzle,solution\n.{grid[1:]},{grid}\n")
    for rules in (f"jigsaw={regions}", constraints_for(f"jigsaw={regions}")):
        report = audit_files(path, rules)
        assert report["sound"], report
        assert report["rules"].startswith("jigsaw=")
    assert constraints_for(f"jigsaw={regions}").board == Board(
        5, regions=constraints_for(report["rules"]).board.regions
    )


@pytest.mark.parametrize(
    "name, said", [("nowhere.csv", "No such file"), ("hollow", "holds no file")]
)
def test_a_file_that_cannot_be_read_is_noticed_before_the_work_begins(
    file, name, said, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hollow").mkdir()
    with pytest.raises(SatdokuError, match=re.escape(f"{name}: {said}")):
        audit_files([file(CLASSIC), name], progress=lambda *_: pytest.fail("too late"))


def test_kinds_that_are_unknown_are_refused_before_the_work_begins():
    with pytest.raises(AuditError, match=r"no finding 'leek': did you mean 'leak'\? choose from"):
        audit_chunks(
            nines(generated()[:1]), checks=Checks(allow=["leak", "leek"]), on_chunk=pytest.fail
        )


MEASURE = """
import sys, satdoku
satdoku.audit_files(sys.argv[1], symmetry=sys.argv[2] == "True")
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("symmetry, bytes_a_row", [(True, 100), (False, 70)])
def test_memory_grows_as_promised(tmp_path, symmetry, bytes_a_row):
    """A million rows, each an image of one of a thousand puzzles, so every row has duplicates."""
    symmetries, rng = group(constraints_for("classic")), np.random.default_rng(1)
    with open(tmp_path / "a.txt", "wb") as out:
        for _ in range(1000):
            images = symmetries.apply(symmetries.random(rng), generated())
            rows = np.full((len(images), 82), ord("\n"), np.uint8)
            rows[:, :81] = np.where(images > 0, images + ord("0"), ord("."))
            out.write(rows.tobytes())
    (tmp_path / "b.txt").write_bytes((tmp_path / "a.txt").read_bytes()[: 82 * 40_000])
    peaks = []
    # By default it depends on chance whether glibc returns freed memory: 10 bytes per row.
    fixed = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072"}
    for name in ("b.txt", "a.txt"):
        command = [sys.executable, "-c", MEASURE, str(tmp_path / name), str(symmetry)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=fixed)
        peaks.append(1024 * int(done.stdout))
    assert (peaks[1] - peaks[0]) / 960_000 < bytes_a_row


# Any board ---------------------------------------------------------------------------------------


def turned(text, width):
    """Upside down, left to right, and both."""
    rows = [text[at : at + width] for at in range(0, len(text), width)]
    return "".join(rows[::-1]), "".join(row[::-1] for row in rows), text[::-1]


def test_repeats_on_a_rectangle_are_its_turns_reflections_and_renamings(file):
    rules, first, second = "shape=6x7", SIX_BY_SEVEN[0], SIX_BY_SEVEN[1]
    renamed = first.translate(str.maketrans("1234567", "2345671"))
    swapped = first[7:14] + first[:7] + first[14:]  # no turn: not looked for
    rows = [first, second, *turned(first, 7), renamed, first, swapped, first[:-1] + "8", "." * 42]
    audit = audit_files(file("\n".join(rows)), rules, rows=True)
    (report,) = audit["files"]
    assert report["statuses"] == {"unique": 8, "multiple": 1, "invalid": 1}
    assert report["duplicates"] == {"exact": 1, "symmetric": 4}
    assert audit.rows.cluster.tolist() == [0, 1, 0, 0, 0, 0, 0, 7, -1, 9]
    assert audit["symmetry"] == "4 permutations of cells x 5,040 of digits that keep the rules"
    (malformed,) = [f for f in report["findings"] if f["kind"] == "malformed row"]
    assert "found '8', expected a digit 1-7" in malformed["examples"][0]["detail"]


def test_rows_of_several_boards_are_audited_together(file):
    """Equal cells on different boards are different puzzles."""
    first = SIX_BY_SEVEN[0]
    rows = [("shape=6x7", first), ("shape=6x7;knight", first), ("shape=6x7", first[::-1])]
    rows += [("", CLASSIC), ("", CLASSIC), ("shape=6x6", SIX), ("shape=6x6;digits=1-7", SIX)]
    text = "\n".join(["rules,puzzle", *(f"{rules},{puzzle}" for rules, puzzle in rows)])
    audit = audit_files(file(text), rows=True)
    assert audit["rules"] == "classic"
    assert audit.rows.cluster.tolist() == [0, 1, 0, 3, 3, 5, 6]
    assert audit.rows.duplicate_of.tolist() == [-1, -1, -1, -1, 3, -1, -1]
    frame = satdoku.audit_frame({"rules": [r for r, _ in rows], "puzzle": [p for _, p in rows]})
    assert frame.rows.cluster.tolist() == audit.rows.cluster.tolist()
    assert frame["files"][0]["statuses"] == audit["files"][0]["statuses"]


def test_answers_beside_layers_are_digits_that_some_values_go_with(file):
    rules = "shape=4x4;layer=shade:0-1;sum=4:r1c1,shade.r1c1"  # r1c1 is 3 or 4
    solution = str(satdoku.solve("..21" + "." * 12, rules))
    assert solution[0] in "34"
    other = solution.translate(str.maketrans("1234", "3412"))
    rows = [(solution, solution), (solution, other), (solution, solution[:-1] + ".")]
    text = "\n".join(["puzzle,solution", *(",".join(row) for row in rows)])
    (report,) = audit_files(file(text), rules)["files"]
    assert report["answers"] == {"stated": 3, "right": 1, "wrong": 2}
    details = [e["detail"] for f in report["findings"] for e in f["examples"]]
    assert any("r4c4 of the answer is empty" in detail for detail in details)
