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


@pytest.mark.parametrize("name, said", [("nowhere.csv", "No such file"), (".", "is a directory")])
def test_a_file_that_cannot_be_read_is_noticed_before_the_work_begins(file, name, said):
    with pytest.raises(SatdokuError, match=re.escape(f"{name}: {said}")):
        audit_files([file(CLASSIC), name], progress=lambda *_: pytest.fail("too late"))


def test_kinds_that_are_unknown_are_refused_before_the_work_begins():
    with pytest.raises(AuditError, match="no finding 'leek': choose from malformed-row,"):
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
