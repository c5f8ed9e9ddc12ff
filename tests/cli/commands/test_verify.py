"""The trust boundary of `satdoku verify`: what its process loads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from loaded_modules import foreign, modules_of, within

from satdoku.cli import main

STORED = Path(__file__).parent.parent.parent / "certificates" / "data" / "version-1.jsonl.xz"
UNTRUSTED = (
    "satdoku.batch",
    "satdoku.certificates.make",
    "satdoku.certificates.make",
    "satdoku.certificates.make",
    "satdoku.certificates.sample",
    "satdoku.cnf",
    "satdoku.engine",
    "satdoku.model.constraints",
    "satdoku.model.rules",
    "satdoku.answers",
    "satdoku.symmetry",
    "satdoku.witness.z3",
)


@pytest.fixture(scope="module")
def loaded():
    return modules_of("verify", "--no-external", str(STORED))


def test_verify_loads_the_checker(loaded):
    assert {"satdoku.certificates.check", "satdoku.witness.verify"} <= loaded


def test_verify_loads_nothing_that_made_the_certificate(loaded):
    assert within(loaded, *UNTRUSTED) == set()


def test_verify_loads_the_standard_library_and_satdoku_alone(loaded):
    """No PySAT, no Z3, no numpy, nor anything else that somebody installed."""
    assert foreign(loaded) == set()


def test_the_look_at_modules_sees_what_a_solver_loads():
    loaded = modules_of("check", "--backend", "session", "1" + "." * 80, code=1)
    assert {"pysat", "pysolvers"} <= foreign(loaded)
    assert "satdoku.answers.session" in within(loaded, "satdoku.answers", "satdoku.cnf")


# Rows of proof trees -------------------------------------------------------------------------


@pytest.fixture
def trees(tmp_path):
    puzzles, path = tmp_path / "p.txt", tmp_path / "p.trees"
    puzzles.write_text("1234341221434321\n....3412..434321\n12\n11..............\n")
    main(["certify", str(puzzles), "-o", str(path), "--all", "-q"])
    return path


def test_rows_with_their_trees(trees, capsys):
    capsys.readouterr()
    assert main(["verify", str(trees), "--row", "2-4"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "verified row 2: all ....3412..434321",
        "solution 1234341221434321",
        "solution 2134341212434321",
        "r1c1 = 1: solution 1",
        "r1c1 = 2: solution 2",
        "row 3: unread, nothing is claimed",
        "verified row 4: all 11..............",
        "propagation alone: contradiction",
    ]
    assert err == "satdoku: 2 verified, 0 rejected\n"


def test_rows_as_data(trees, capsys):
    assert main(["verify", str(trees), "--row", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["row"] == 1 and told["status"] == "verified" and told["tree"] == ""
    assert told["steps"] == [{"depth": 0, "text": "propagation alone: the solution"}]


@pytest.mark.parametrize("rows", [(), ("--row", "2")])
def test_rows_from_standard_input(trees, rows):
    command = [sys.executable, "-m", "satdoku", "verify", "-", *rows]
    found = subprocess.run(command, input=trees.read_bytes(), capture_output=True, check=False)
    assert found.returncode == 0 and found.stdout.startswith(b"verified ")
    cut = subprocess.run(
        command[:5], input=trees.read_bytes()[:-9], capture_output=True, check=False
    )
    assert cut.returncode == 2 and b"the file ends within it" in cut.stderr


def test_rows_that_do_not_hold_or_are_none(trees, capsys):
    data = trees.read_bytes()
    trees.write_bytes(data.replace(b'"rules":[]', b'"rules":["king"]'))
    assert main(["verify", str(trees), "--row", "1"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("rejected row 1: all 1234") and "row 1: rejected: the formula is" in err
    trees.write_bytes(data)
    assert main(["verify", str(trees), "--row", "5"]) == 2
    assert "there is no row 5: it has 4" in capsys.readouterr().err
    assert main(["verify", str(STORED), "--row", "1"]) == 2
    assert "--row is for files of proof trees" in capsys.readouterr().err
    for wrong in ("0", "x", "3-2", "1-", "-1"):
        assert main(["verify", str(trees), f"--row={wrong}"]) == 2
    assert "expected N, such as 7, or N-M" in capsys.readouterr().err
