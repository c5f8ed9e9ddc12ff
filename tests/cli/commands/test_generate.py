"""The commands `generate` and `minimize`, run as a user runs them."""

import gzip
import io
import itertools
import json
import sys

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.cli import main
from satdoku.cli.commands import generate
from satdoku.cli.progress import SilentBar

MINIMAL = ".17..3..4..2..4..6...6...9.43.1.......6..93...2.4....5.61.....7...9.5.....4.8.5.."


def given(line):
    return np.array([character != "." for character in line])


def test_a_seed_prints_its_puzzles(capsys):
    assert main(["generate", "-n", "2", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    first, second = out.splitlines()
    assert first == MINIMAL
    assert satdoku.classify(second) is satdoku.Status.UNIQUE


def test_without_a_seed_the_one_drawn_is_told(capsys):
    assert main(["generate", "--size", "4"]) == 0
    out, err = capsys.readouterr()
    word, seed = err.removeprefix("satdoku: ").split()
    assert word == "seed"
    assert main(["generate", "--size", "4", "--seed", seed]) == 0
    assert capsys.readouterr().out == out
    assert main(["generate", "--size", "4", "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_and_its_summary(capsys, tmp_path):
    path = tmp_path / "puzzles.txt.gz"
    arguments = ["generate", "-n", "9", "--size", "6", "--seed", "7"]
    assert main([*arguments, "-o", str(path), "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("9 puzzles in ") and err.endswith("each verified unique\n")
    assert main(arguments) == 0
    assert gzip.decompress(path.read_bytes()).decode() == capsys.readouterr().out


def command(words):
    return main(words.split())


def test_shapes_and_numbers_of_givens(capsys, tmp_path):
    assert command("generate -n 3 --seed 1 --givens 30-32 --symmetry rot180") == 0
    for line in capsys.readouterr().out.splitlines():
        assert np.array_equal(given(line), given(line)[::-1])
        assert 30 <= given(line).sum() <= 32
    assert command("generate --seed 1 --givens 40") == 0
    assert given(capsys.readouterr().out.strip()).sum() == 40
    mask = tmp_path / "mask.txt"
    mask.write_text("1..1\n.1..\n..1.\n1...\n")
    assert main(["generate", "--size", "4", "--seed", "1", "--pattern", str(mask)]) == 0
    pattern = "".join(mask.read_text().split())
    assert (given(capsys.readouterr().out.strip()) == given(pattern)).all()


def test_rules_and_regions(capsys):
    assert command("generate --seed 1 --rules miracle") == 0
    assert satdoku.classify(capsys.readouterr().out, "miracle") is satdoku.Status.UNIQUE
    regions = "aaaabbaacbbbcccddbccddddeeeeffeeffff"
    assert main(["generate", "--seed", "1", "--regions", regions]) == 0
    puzzle = capsys.readouterr().out
    assert satdoku.classify(puzzle, f"jigsaw={regions}") is satdoku.Status.UNIQUE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--givens 2x", "--givens 2x: expected LO-HI, such as 24-28, or one number"),
        ("--givens 30-20", "30 to 20 givens: expected LO-HI within 0 to 81"),
        ("--givens 17 --tries 2 --seed 1", "found 0 of 1 puzzle with 17 to 17 givens in 2 tries"),
        ("--symmetry round", "no symmetry 'round': choose from none, rot180"),
        ("--pattern 111", "pattern of 3 characters: expected 81, one a cell (9x9)"),
        ("--seed -1", "seed -1: expected 0 or more"),
        ("--size 4 --rules king", "there is no 4x4 grid under the rules king"),
        ("--size 26", "a board of 26x26: expected at most 25x25 here"),
    ],
)
def test_what_cannot_be_ends_with_2(arguments, message, capsys):
    assert main(["generate", "-q", *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_proof_trees_beside_the_puzzles(tmp_path, capsys):
    puzzles, path = tmp_path / "p.txt", tmp_path / "p.trees"
    written = []
    for workers in "1", "2":
        asked = f"generate -n 4200 --size 4 --seed 1 --workers {workers} -o {puzzles}"
        assert main([*asked.split(), "--certificates", str(path)]) == 0
        assert "4,200 proof trees in" in capsys.readouterr().err
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert main(["verify", str(path)]) == 0
    assert "verified 4,200 unique" in capsys.readouterr().out
    assert main(["certify", str(puzzles), "-o", str(path), "-q"]) == 0
    assert path.read_bytes() == written[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--certificates x.txt", "x.txt: ending .txt: expected .trees"),
        ("--holes 9 --certificates x.trees", "--certificates takes no --holes"),
        ("--clues thermo --certificates x.trees", "takes neither --clues nor --questions"),
        ("--questions --certificates x.trees", "batch --columns puzzle,rules,proof FILE"),
    ],
)
def test_puzzles_without_proof_trees(options, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "--seed", "1", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and not [*tmp_path.iterdir()]


def test_a_failed_run_leaves_no_file(tmp_path, capsys):
    path = tmp_path / "puzzles.txt"
    assert main(["generate", "--givens", "17", "--tries", "1", "-o", str(path)]) == 2
    assert list(tmp_path.iterdir()) == []


def test_minimize(capsys, monkeypatch):
    assert main(["minimize", CLASSIC_SOLUTION, MINIMAL, "--seed", "2"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert second == MINIMAL
    assert all(a in (".", b) for a, b in zip(first, CLASSIC_SOLUTION, strict=True))
    assert satdoku.classify(first) is satdoku.Status.UNIQUE
    for cell in np.flatnonzero(given(first)):
        less = f"{first[:cell]}.{first[cell + 1 :]}"
        assert satdoku.classify(less) is satdoku.Status.MULTIPLE
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(f"{CLASSIC}\n{'.' * 81}\n".encode())))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["minimize", "-"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert len(first) == 81 and second == "multiple"


def test_minimize_with_a_limit(capsys):
    assert main(["minimize", CLASSIC_SOLUTION, CLASSIC, "--seed", "2"]) == 0
    freely = capsys.readouterr().out
    assert main(["minimize", CLASSIC_SOLUTION, CLASSIC, "--seed", "2", "--timeout", "600"]) == 0
    assert capsys.readouterr().out == freely
    knights = ["--rules", "knight", "--size", "25", "." * 625]
    assert main(["minimize", *knights, "--timeout", "1e-6", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["status"] == "unknown"


def test_minimize_tells_what_it_cannot_read(capsys):
    assert main(["minimize", "5" * 81, "x" * 300, "--rules", "knight"]) == 2
    out, err = capsys.readouterr()
    assert out == "invalid\n"
    assert "found 'x'" in err or "300" in err
    assert main(["minimize", CLASSIC, "--seed", "-3"]) == 2
    assert "seed -3" in capsys.readouterr().err


def test_questions_are_read_back_as_puzzles_with_their_answers(run, tmp_path):
    file = tmp_path / "tasks.jsonl"
    for more in ((), ("--clues", "thermo")):
        asked = ("generate", "-n", "3", "--size", "4", "--seed", "7", "--questions", *more)
        assert run(*asked, "-o", str(file))[0] == 0
        found = satdoku.audit_files([str(file)])
        assert found["files"][0]["answers"] == {"stated": 3, "right": 3}


def test_questions(run):
    code, out, _ = run("generate", "-n", "3", "--size", "4", "--seed", "7", "--questions")
    assert code == 0
    tasks = list(satdoku.tasks(3, seed=7, size=4))
    assert [{key: json.loads(line)[key] for key in tasks[0]} for line in out.splitlines()] == tasks
    asked = ("generate", "--size", "4", "--seed", "7", "--questions", "--clues")
    assert "- thermo at r" in json.loads(run(*asked, "thermo")[1])["question"]
    code, out, err = run(*asked, "thermo", "--givens", "3")
    assert (code, out) == (2, "") and "clues settle the givens" in err


@pytest.fixture
def clock(monkeypatch):
    """Every look at the clock takes a second, so that a limit comes after so many questions."""
    monkeypatch.setattr("time.monotonic", map(float, itertools.count()).__next__)


@pytest.mark.parametrize(
    ("words", "seconds", "head"),
    [
        ("-n 20 --size 6", 300, 0),
        ("-n 20 --size 6 --json", 300, 0),
        ("-n 9 --size 4 --clues white", 50, 1),
        ("-n 9 --size 4 --clues white --questions", 100, 0),
    ],
)
def test_what_was_made_when_time_runs_out_is_written(words, seconds, head, clock, run, tmp_path):
    asked = ["generate", "--seed", "1", *words.split()]
    code, whole, _ = run(*asked)
    assert code == 0
    code, out, err = run(*asked, "--timeout", seconds)
    made = len(out.splitlines()) - head
    number = words.split()[1]
    said = f"satdoku: timed out after {seconds} s: {made} of {number} puzzles\n"
    assert code == 1 and err.endswith(said)  # behind what a long run tells
    assert 0 < made < int(number)
    assert whole.startswith(out)
    path = tmp_path / "made.txt"
    assert run(*asked, "--timeout", seconds, "-q", "-o", path) == (1, "", "")
    written = path.read_text()  # perhaps more than before: less is done a second time
    assert whole.startswith(written) and len(written) >= len(out)


def test_the_bar_says_what_is_being_done_before_the_first_puzzle(run, monkeypatch):
    class Recorder(SilentBar):
        def set_postfix_str(self, text="", refresh=True):
            told.append(text.partition(",")[0])

        def update(self, n=1):
            if n:
                told.append(n)

    told = []
    monkeypatch.setattr(generate, "terminal_bar", lambda **options: Recorder())
    code, out, _ = run("generate", "-n", 4, "--seed", 1, "--rules", "diagonal", "--size", 6)
    assert (code, len(out.splitlines())) == (0, 4)
    assert [step for step, _ in itertools.groupby(told)][-6:] == [
        "drawing grids", "taking givens away", 1, "drawing grids", "taking givens away", 3,
    ]  # fmt: skip


def test_grids_with_holes(capsys):
    assert main(["generate", "-n", "2", "--size", "16", "--holes", "40%", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.count(".") for line in lines] == [102, 102]
    balanced = ["--holes", "108", "--holes-pattern", "balanced", "--json"]
    assert main(["generate", "--size", "36", "--seed", "1", *balanced]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["holes"] == 108
    rows = np.array(record["puzzle"].split(), int).reshape(36, 36)
    assert ((rows == 0).sum(axis=1) == 3).all()
    assert main(["generate", "--holes", "30", "--unique", "--seed", "1"]) == 0
    assert satdoku.classify(capsys.readouterr().out) is satdoku.Status.UNIQUE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--holes 9 --givens 24", "--holes settles the givens: it takes no --givens"),
        ("--holes x", "x: expected a number of cells such as 300, or a part such as 0.4 or 40%"),
        ("--holes .4 --size 36 --rules king", "'king': boards beyond 25x25 take only rules"),
        ("--holes .4 --size 257", "board size 257: expected 2 to 256"),
    ],
)
def test_holes_that_cannot_be_made(capsys, options, message):
    try:
        code = main(["generate", *options.split()])
    except SystemExit as exit:
        code = exit.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_uniform_grids(capsys, tmp_path):
    assert command("generate --uniform -n 30 --size 6 --seed 4 -w 2") == 0
    lines = capsys.readouterr().out.splitlines()
    grids = satdoku.uniform_grids(30, size=6, seed=4)
    assert lines == ["".join(map(str, grid)) for grid in grids]
    path = tmp_path / "grids.txt"
    assert command(f"generate --uniform -n 30 --size 6 --seed 4 -w 1 -o {path}") == 0
    assert path.read_text().splitlines() == lines
    err = capsys.readouterr().err
    assert err.startswith("30 grids in ") and err.endswith(" grids/s, each verified\n")
    assert command("generate --uniform --rules knight --seed 1 --timeout 1") == 1
    assert "timed out after 1 s: 0 of 1 puzzles" in capsys.readouterr().err


def test_minimal_puzzles_with_weights(capsys, tmp_path):
    trees = tmp_path / "some.trees"
    arguments = f"generate --uniform --minimal -n 20 --size 6 --seed 4 --certificates {trees}"
    assert command(arguments) == 0
    out, err = capsys.readouterr()
    sample = satdoku.fair_puzzles(20, size=6, seed=4)
    head, *rows = out.splitlines()
    assert head == "puzzle,rules,givens,weight,tries"
    for row, puzzle, weight, tries in zip(
        rows, sample.puzzles, sample.weights, sample.tries, strict=True
    ):
        text = "".join(map(str, puzzle)).replace("0", ".")
        assert row == f"{text},classic,{(puzzle > 0).sum()},{float(weight)!r},{tries}"
    assert sample.words in err
    assert command(f"verify {trees}") == 0
    capsys.readouterr()
    assert command("generate --uniform --minimal -n 20 --size 6 --seed 4 --json -q") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["weight"] for record in records] == sample.weights.tolist()
    assert records[0]["tries"] == sample.tries[0] and records[0]["seed"] == 4


@pytest.mark.parametrize(
    "option",
    ["--givens 24", "--symmetry rot180", "--er 2-3", "--clues thermo", "--questions", "--tries 9"],
)
def test_what_uniform_settles(option, capsys):
    assert command(f"generate --uniform {option}") == 2
    name = option.split()[0]
    assert f"--uniform settles the givens: it takes no {name}" in capsys.readouterr().err
    assert command("generate --uniform --holes 3") == 2
