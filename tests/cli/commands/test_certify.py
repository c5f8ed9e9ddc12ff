"""The commands `certify` and `verify`, run as a user runs them."""

import gzip
import json
from array import array

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES
from large_puzzles import file_of_both

from satdoku.certificates.format import write_section
from satdoku.certificates.make import certify
from satdoku.certificates.proof import external, parse_drat, parse_formula, parse_lrat
from satdoku.certificates.proof.rup import Checker, check_lrat
from satdoku.cli import main
from satdoku.cnf.dimacs import parse_cnf
from satdoku.files.outputs import open_output
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid

CLASH = "55" + "." * 79


@pytest.fixture(autouse=True)
def _no_outside_tools(monkeypatch):
    """What is installed here must not change what the commands print."""
    monkeypatch.setattr(external, "available", tuple)


def test_a_certificate_there_and_back(tmp_path, capsys):
    path = str(tmp_path / "c.gz")
    assert main(["certify", CLASSIC, "." * 81, CLASH, "-o", path]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["verify", path]) == 0
    out, err = capsys.readouterr()
    claims = [("unique", CLASSIC), ("multiple", "." * 81), ("none", CLASH.replace("0", "."))]
    assert out.splitlines() == [f"verified {claim} {puzzle}" for claim, puzzle in claims]
    assert err == "satdoku: 3 verified, 0 rejected\n"
    assert main(["verify", "-q", path]) == 0
    assert capsys.readouterr() == ("", "")


def test_standard_output_and_json(capsys):
    assert main(["certify", CLASSIC]) == 0
    preamble, certificate, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert preamble["format"] == "satdoku certificate"
    assert certificate["solutions"] == [CLASSIC_SOLUTION]
    assert end == {"certificates": 1}


def test_a_folder_gets_one_file_a_puzzle(tmp_path, capsys):
    folder = str(tmp_path / "new") + "/"
    assert main(["certify", CLASSIC, "." * 16, str(PUZZLES / "miracle.txt"), "-o", folder]) == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == [f"00000{n}.cert.jsonl.gz" for n in (1, 2, 3)]
    assert main(["verify", *(folder + name for name in names)]) == 0
    assert capsys.readouterr().out.count("verified") == 3


def test_boards_of_several_sizes_in_one_file(tmp_path, capsys):
    path = str(tmp_path / "c")
    assert main(["certify", "." * 16, CLASSIC, "." * 36, "-o", path]) == 0
    assert main(["verify", path]) == 0
    assert capsys.readouterr().out.count("verified") == 3


def test_all_and_hints_and_plain_files(tmp_path, capsys):
    path, plain = str(tmp_path / "c.xz"), tmp_path / "plain"
    rules = ["--rules", "diagonal", "--all", "--lrat", "--plain", str(plain)]
    assert main(["certify", "." * 16, "-o", path, *rules]) == 0
    assert main(["verify", path]) == 0
    assert capsys.readouterr().out == f"verified all {'.' * 16} diagonal\n"
    assert sorted(p.name for p in plain.iterdir()) == ["000001.cnf", "000001.lrat"]
    cnf = parse_cnf((plain / "000001.cnf").read_text())
    assert cnf.clauses[-48:] == [c for c in cnf.clauses if len(c) == 16]


@pytest.mark.parametrize(
    "rules, board, told",
    [
        ("classic", None, ""),
        ("miracle", None, " knight,king,nonconsecutive"),
        ("classic", Board(6, 3, 2), " boxes=3x2"),
        ("king,jigsaw=1112122233334444", None, " king,jigsaw=0001011122223333"),
    ],
)
def test_a_claim_is_told_with_the_rules_it_holds_under(rules, board, told, tmp_path, capsys):
    found = constraints_for(rules, board)
    preamble, certificate = certify(empty_grid(found.board), found)
    with open_output(str(tmp_path / "c")) as stream:
        write_section(stream, preamble, [certificate])
    assert main(["verify", str(tmp_path / "c")]) == 0
    assert capsys.readouterr().out.removesuffix("\n").endswith(f".{told}")


def test_what_is_rejected_is_told(tmp_path, capsys):
    path = tmp_path / "c.gz"
    main(["certify", CLASSIC, CLASSIC_SOLUTION, "-o", str(path)])
    text = gzip.decompress(path.read_bytes()).decode()
    spoilt = tmp_path / "spoilt"
    spoilt.write_text(text.replace(f'"puzzle":"{CLASSIC}"', f'"puzzle":"{"." * 81}"'))
    assert main(["verify", "-q", str(spoilt)]) == 1
    out, err = capsys.readouterr()
    assert out == f"rejected unique {'.' * 81}\n"
    assert err.startswith(f"satdoku: {spoilt}: line 2: rejected: proof step 1: the clause does not")
    (tmp_path / "cut").write_text(text[:-10])
    assert main(["verify", str(spoilt), str(tmp_path / "cut"), str(path)]) == 2
    out, err = capsys.readouterr()
    assert out.count("verified") == 5  # 1 + 2 before the cut + 2
    assert "cut: line 4" in err
    assert "5 verified, 1 rejected" in err


def test_a_budget_and_bad_puzzles(tmp_path, capsys):
    path = str(tmp_path / "c")
    assert main(["certify", str(PUZZLES / "inkala-2012.txt"), "12x" + "." * 78, "-o", path]) == 2
    assert "found 'x'" in capsys.readouterr().err
    assert main(["verify", path, "--budget", "1"]) == 1
    assert "given up" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["certify", CLASSIC, "--solver", "minisat22"],
        ["certify", CLASSIC, "--plain", "/dev/null/x"],
        ["verify", "/dev/null"],
        ["verify", "/nowhere"],
    ],
)
def test_bad_input_exits_with_2(arguments, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("satdoku: ")


def test_outside_tools_are_named(tmp_path, capsys, monkeypatch):
    path = str(tmp_path / "c")
    main(["certify", CLASSIC, "-o", path])
    monkeypatch.setattr(external, "available", lambda: ("drat-trim",))
    monkeypatch.setattr(external, "refusal", lambda *_: None)
    assert main(["verify", path]) == 0
    assert "1 verified, 1 also by drat-trim, 0 rejected" in capsys.readouterr().err
    monkeypatch.setattr(external, "refusal", lambda *_: "drat-trim: s NOT VERIFIED")
    assert main(["verify", path]) == 1
    assert main(["verify", path, "--no-external"]) == 0
    main(["certify", CLASSIC, "--lrat", "-o", path])  # which drat-trim does not read
    capsys.readouterr()
    assert main(["verify", path]) == 0
    assert "1 verified, 0 rejected" in capsys.readouterr().err


def test_a_puzzle_beyond_the_limit_gets_no_certificate(tmp_path, capsys):
    path = str(tmp_path / "c")
    knights = ["--rules", "knight", "--size", "16", "." * 256]
    assert main(["certify", *knights, "-o", path, "--timeout", "1e-6"]) == 1
    assert "timed out after 1e-06 s (--timeout changes it)" in capsys.readouterr().err
    assert main(["certify", CLASSIC, "--lrat", "-o", path, "--timeout", "600"]) == 0
    assert main(["verify", path]) == 0


def test_a_large_puzzle_gets_a_proof_that_checks(tmp_path, capsys):
    both = file_of_both(tmp_path)
    assert main(["certify", both, "--plain", str(tmp_path / "proofs")]) == 1
    assert capsys.readouterr().out == "unique\nmultiple\n"
    cnf, drat = (tmp_path / "proofs" / f"000001.{suffix}" for suffix in ("cnf", "drat"))
    formula = parse_formula(cnf.read_text())
    assert Checker(*formula).check(type(formula[1])("i"), parse_drat(drat.read_text())).good
    assert main(["certify", both]) == 2
    assert "--plain DIR writes a formula and its DRAT proof" in capsys.readouterr().err


# Proof trees for other tools -----------------------------------------------------------------


@pytest.mark.parametrize("hints", [False, True])
def test_trees_as_plain_files(hints, tmp_path):
    puzzles, out, plain = tmp_path / "p.txt", tmp_path / "p.trees", tmp_path / "plain"
    puzzles.write_text(f"{CLASSIC}\n12\n{'.' * 81}\n{CLASH}\n")
    asked = ["certify", str(puzzles), "-o", str(out), "--plain", str(plain), "-q"]
    assert main([*asked, *["--lrat"] * hints]) == 2
    suffix = "lrat" if hints else "drat"
    names = [f"00000{n}.{end}" for n in (1, 4) for end in ("cnf", suffix)]  # as rows count
    assert sorted(path.name for path in plain.iterdir()) == names
    for number in (1, 4):
        variables, clauses = parse_formula((plain / f"00000{number}.cnf").read_text())
        text = (plain / f"00000{number}.{suffix}").read_text()
        if hints:
            assert check_lrat(variables, clauses, parse_lrat(text)).good
        else:
            assert Checker(variables, clauses).check(array("i"), parse_drat(text)).good


def test_hints_of_trees_need_a_folder(tmp_path, capsys):
    assert main(["certify", CLASSIC, "-o", str(tmp_path / "p.trees"), "--lrat"]) == 2
    assert "add --plain DIR for LRAT files" in capsys.readouterr().err


def test_what_is_said_of_trees_stands_on_lines_of_its_own(tmp_path, capsys):
    puzzles = tmp_path / "p.txt"
    puzzles.write_text(f"{CLASSIC}\n")
    assert main(["certify", str(puzzles), "-o", str(tmp_path / "p.trees")]) == 0
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "satdoku: 1 puzzle: 1 unique"
    assert second.endswith("every solution verified") and "\\n" not in second
    assert third == "satdoku: 1 row read, 1 written, 0 of them unreadable"
