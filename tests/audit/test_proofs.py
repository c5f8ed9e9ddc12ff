"""Proofs in a column of a data set, written by `batch` and checked by `audit`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from sum_cases import long_sum

from satdoku import Checks, Writing, audit_files, audit_frame, solve_files
from satdoku.certificates.beside import proof_texts
from satdoku.cli import main
from satdoku.runtime.errors import SatdokuError

UNIQUE, OPEN, NONE = "1234341221434321", "." * 16, "12........3...4."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Puzzles with their answers and proofs."""
    puzzles, path = tmp_path / "p.txt", tmp_path / "d.csv"
    puzzles.write_text("\n".join([UNIQUE, OPEN, "....341221434321", NONE, "11", ""]))
    columns = ["puzzle", "status", "solution", "proof"]
    solve_files(str(puzzles), str(path), writing=Writing(results=columns, prove=proof_texts))
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open() as stream:
        return list(csv.DictReader(stream))


def unproved(path: Path, proofs: str = "proof", **more: object) -> dict[int, str]:
    report = audit_files(str(path), checks=Checks(proofs=proofs, symmetry=False), **more)
    findings = report["files"][0]["findings"]
    (found,) = [f["examples"] for f in findings if f["kind"] == "unproved"] or [[]]
    return {example["line"]: example["detail"] for example in found}


def test_all_statuses_are_proved(data: Path) -> None:
    told = rows_of(data)
    assert [row["proof"][:1] for row in told] == ["u", "m", "u", "n", ""]
    assert unproved(data) == {}
    report = audit_files(str(data), checks=Checks(proofs="proof", symmetry=False))
    assert report["files"][0]["proofs"] == {"checked": 4, "proved": 4, "unproved": 0}


@pytest.mark.parametrize(
    ("row", "text", "why"),
    [
        (0, "", "no proof"),
        (0, "u0", "no proof: expected u or n and hex"),
        (0, "u00 ", "no proof: expected u or n and hex"),
        (0, "uAB", "no proof: expected u or n and hex"),
        (0, "x", "no proof: expected u or n and hex"),
        (0, "m12", "found 2 cells"),
        (0, "U{}", "missing"),
        (0, "Uä", "not JSON"),
        (0, "u00", "the tree goes on behind its last leaf"),
        (0, "n", "the proof claims none, the puzzle is unique"),
        (0, f"m{OPEN}", "the proof claims multiple, the puzzle is unique"),
        (1, f"m{OPEN}", "a grid that is no solution, or solutions that do not ascend"),
        (3, "n00", "the tree goes on behind its last leaf"),
    ],
)
def test_what_is_no_proof_of_a_row(data: Path, row: int, text: str, why: str) -> None:
    told = rows_of(data)
    told[row]["proof"] = text
    with data.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, [*told[0]])
        writer.writeheader()
        writer.writerows(told)
    ((line, found),) = unproved(data).items()
    assert line == row + 2 and why in found


def test_a_proof_is_about_the_stated_answer(data: Path) -> None:
    text = data.read_text()
    other = text.replace("1234341221434321,unique,1234341221434321", "1234341221434321,unique,")
    data.write_text(other)
    assert unproved(data) == {}
    data.write_text(other.replace(",unique,,", ",unique,2143432112343412,"))
    assert unproved(data) == {2: "a grid that is no solution, or solutions that do not ascend"}


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv.gz"])
def test_every_format_holds_proofs(
    form: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, bare = str(tmp_path / f"d.{form}"), str(tmp_path / f"b.{form}")
    columns = ["--columns", "puzzle,solution,proof"]
    puzzles = tmp_path / "u.txt"
    puzzles.write_text("1234341221434321\n....341221434321\n")
    assert main(["batch", str(puzzles), "-o", path, "-q", *columns]) == 0
    assert main(["audit", path, "--proofs", "proof", "--no-symmetry"]) == 0
    assert (
        "Every answer and every uniqueness is proved, checked in 0.0 s" in capsys.readouterr().out
    )
    assert main(["batch", str(puzzles), "-o", bare, "-q", "--columns", "puzzle,solution"]) == 0
    assert main(["audit", bare, "--proofs", "proof"]) == 2
    assert "no column 'proof': its columns are puzzle, solution" in capsys.readouterr().err


def test_rows_with_rules_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layered = "shape=4x4;boxes=2x2;layer=shade:0-1;connected=1:shade"
    lines = ["puzzle,rules", f"{UNIQUE},", f"{OPEN},king", f"....341221434321,{layered}"]
    (tmp_path / "p.csv").write_text("\n".join([*lines, ""]))
    path = tmp_path / "d.jsonl"
    asked = ["--columns", "puzzle,rules,solution,proof"]
    assert main(["batch", str(tmp_path / "p.csv"), "-o", str(path), "-q", *asked]) == 0
    told = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["proof"][0] for row in told] == ["u", "n", "U"]
    assert main(["audit", str(path), "--proofs", "proof", "--allow", "no-solution"]) == 0
    assert "All 3 proofs hold" in capsys.readouterr().out
    told[2]["proof"] = told[2]["proof"].replace('"puzzle":"....', '"puzzle":"1...')
    path.write_text("".join(f"{json.dumps(row)}\n" for row in told))
    assert unproved(path) == {3: "the certificate is about other grids than its row"}
    assert main(["audit", str(path), "--proofs", "proof", "--allow", "no-solution"]) == 1
    assert "Not proved: 1 of 3 rows" in capsys.readouterr().out


def test_workers_change_nothing(tmp_path: Path) -> None:
    puzzles = tmp_path / "p.txt"
    puzzles.write_text(f"....341221434321\n{OPEN}\n" * 5000)
    for workers in ("1", "2"):
        out = str(tmp_path / f"{workers}.csv")
        asked = ["--columns", "puzzle,status,solution,proof", "-q", "-w", workers]
        assert main(["batch", str(puzzles), "-o", out, *asked]) == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    assert unproved(tmp_path / "1.csv", workers=2) == {}


@pytest.fixture
def beside(data: Path, tmp_path: Path) -> str:
    """The proofs of `data` in a file of their own."""
    path, asked = str(tmp_path / "d.trees"), ["--certify", "all", "-q", "-o", str(tmp_path / "x")]
    assert main(["batch", str(data), *asked, "--certificates", path]) == 2  # one is invalid
    return path


def test_a_file_of_proof_trees_proves_row_by_row(data: Path, beside: str) -> None:
    report = audit_files(str(data), checks=Checks(proofs=beside, symmetry=False))
    assert report["files"][0]["proofs"] == {"checked": 4, "proved": 4, "unproved": 0}
    assert unproved(data, beside) == {}


def test_rows_that_a_file_of_proof_trees_does_not_prove(data: Path, beside: str) -> None:
    lines = data.read_text().splitlines()
    data.write_text("\n".join([*lines[:3], lines[2], *lines[4:], lines[1]]))
    assert unproved(data, beside) == {
        4: f"{beside}: row 3 is about another puzzle",
        7: f"{beside} has no such row",
    }
    data.write_text("\n".join([*lines[:3], lines[4], lines[3]]))
    about = "row 5: more rows than are audited; row 3 is the first about another puzzle"
    with pytest.raises(SatdokuError, match=about):
        unproved(data, beside)
    wrong = lines[3].replace(UNIQUE, "2134341221434321")
    data.write_text("\n".join([*lines[:3], wrong, *lines[4:]]))
    assert unproved(data, beside) == {
        4: "a grid that is no solution, or solutions that do not ascend"
    }


def test_frames_have_no_proofs() -> None:
    with pytest.raises(SatdokuError, match="proofs are checked in files"):
        audit_frame({"puzzle": [UNIQUE], "proof": ["u"]}, checks=Checks(proofs="proof"))


def test_what_cannot_be_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.txt").write_text(f"{OPEN}\n")
    asked = ["batch", str(tmp_path / "p.txt"), "-f", "csv", "--columns", "proof"]
    assert main([*asked, "--limit", "1"]) == 2
    assert "the column 'proof' needs --limit 2" in capsys.readouterr().err
    with pytest.raises(SatdokuError, match="column 'proof': nothing was asked to prove"):
        solve_files(
            str(tmp_path / "p.txt"), str(tmp_path / "o.csv"), writing=Writing(results=["proof"])
        )


def test_proofs_by_long_sums_are_checked_row_by_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a column and in a file; a sum that does not follow proves nothing."""
    constraints, puzzle = long_sum()
    source, data, trees = tmp_path / "p.txt", tmp_path / "d.csv", tmp_path / "d.trees"
    source.write_text(f"{puzzle}\n" * 3)
    rules = ";".join(constraints.rules)
    asked = ["--rules", rules]
    columns = ["--columns", "puzzle,solution,proof"]
    assert main(["batch", str(source), *asked, *columns, "-o", str(data)]) == 0
    told = rows_of(data)
    assert all(row["proof"].startswith('u{"sums":[{') for row in told)
    assert unproved(data, rules=rules) == {}
    assert main(["certify", str(source), *asked, "-o", str(trees), "-q"]) == 0
    assert unproved(data, str(trees), rules=rules) == {}
    told[0]["proof"] = told[0]["proof"].replace('"clues":[[1,0]]', '"clues":[[1,1]]')
    with data.open("w") as stream:
        writer = csv.DictWriter(stream, [*told[0]])
        writer.writeheader()
        writer.writerows(told)
    found = unproved(data, rules=rules)
    assert [*found] == [2] and "a sum of rule 1, which is no clue" in found[2]
