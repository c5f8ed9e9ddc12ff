"""Clue files that explode: no command outlasts its --timeout, whatever becomes of its clues."""

import json
import random
import re
import shlex
import sys

import pytest
from process_groups import processor_seconds

from satdoku.cli import main
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.parsers import command_parser
from satdoku.model import automata as automata_module
from satdoku.model import lowering
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import MOST_CLAUSES, constraints_for
from satdoku.model.kinds import clue_of

EMPTY = "." * 81
GENEROUS = 30.0  # seconds, where making the clues alone took 40

# Every command with --timeout, in each of its ways.
RUNS = [
    f"enumerate {EMPTY}",
    f"enumerate {EMPTY} --backend session",
    f"count {EMPTY}",
    f"count {EMPTY} --exact",
    f"count {EMPTY} --limit 2",
    "count --size 9",
    f"explain {EMPTY}",
    f"explain {EMPTY} --steps",
    f"explain {EMPTY} --cell r1c1",
    f"rate {EMPTY} --scale mus",
    f"sheet {EMPTY} --key-steps 1 -o pages.pdf",
    f"fewest {EMPTY}",
    f"suggest {EMPTY}",
    f"export {EMPTY} -f html --path -o page.html",
    f"fewest {EMPTY} --all 5",
    "fewest --size 9",
    "orbits --size 9",
    "generate -n 1 --size 9 -w 1",
    f"crosscheck {EMPTY} --witnesses cadical153,plain,z3-bool",
    f"certify {EMPTY}",
    f"minimize {EMPTY}",
    f"minimize {EMPTY} --clues",
    f"solve {EMPTY}",
    f"check {EMPTY}",
    f"candidates {EMPTY}",
    f"candidates {EMPTY} --count 9",
    f"solve {EMPTY} --solver-cmd 'sleep 100 #{{cnf}}'",
    f"check {EMPTY} --solver-cmd 'sleep 100 #{{cnf}}'",
]
if sys.platform == "win32":  # `sleep` is no program there
    RUNS = [run.replace("sleep 100", "timeout 100") for run in RUNS]
WITHOUT_RULES = {"bench", "dataset"}  # they take no clues


def weighted(number, cells=28, most=56, seed=1):
    """Clues that each make about 450,000 edges."""
    rng = random.Random(seed)
    names = [f"r{row}c{column}" for row in range(1, 10) for column in range(1, 10)]
    for _ in range(number):
        weights = [rng.choice((-1, 1)) * rng.randint(most // 2, most) for _ in range(cells)]
        total = sum(weight * rng.randint(1, 9) for weight in weights)
        places = ",".join(rng.sample(names, cells))
        yield f"weighted={','.join(map(str, weights))}={total}:{places}"


def test_all_commands_with_a_limit_are_walked():
    limited = set()
    for name in SUMMARIES:
        options = command_parser(name, load(name))._option_string_actions
        if "--timeout" in options:
            limited.add(name)
    assert limited == {shlex.split(run)[0] for run in RUNS} | WITHOUT_RULES


@pytest.mark.parametrize("words", RUNS)
def test_clues_that_explode_end_at_the_limit(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clues = tmp_path / "clues.txt"
    clues.write_text("\n".join(weighted(3)))
    start = processor_seconds()
    code = main([*shlex.split(words), "--clue", str(clues), "--timeout", "0.1", "-q"])
    took = processor_seconds() - start
    said = capsys.readouterr()
    assert code in (1, 2), said.err  # 2: an empty grid is none to list the puzzles of
    assert "Traceback" not in said.err
    assert took < GENEROUS


def test_clues_beyond_all_bounds_are_refused_with_the_number(tmp_path, capsys):
    clues = tmp_path / "clues.txt"
    clues.write_text("\n".join(weighted(4, most=60)))
    assert main(["enumerate", EMPTY, "--clue", str(clues)]) == 2
    found = re.search(
        r"clue weighted=.*4 clues are too many: up to this one ([\d,]+) clauses, expected at most",
        capsys.readouterr().err,
    )
    assert int(found[1].replace(",", "")) > MOST_CLAUSES


def test_a_sum_beyond_its_bound_is_counted_not_made(monkeypatch):
    monkeypatch.setattr(automata_module, "_layers", lambda *_: pytest.fail("it is made"))
    (clue,) = weighted(1, cells=60, most=100)
    with pytest.raises(ClueError, match=r"its 60 cells are too many: at least [\d,]+ moves"):
        constraints_for(clue)


def test_an_or_is_refused_by_the_work_it_takes(monkeypatch):
    """Parts that read the same cells in other orders make states of sets of sets."""
    monkeypatch.setattr("satdoku.model.shapes.MOST_WORK", 10_000)
    rng = random.Random(1)
    names = [Board.of_size(9).name_of(cell) for cell in range(12)]
    parts = (",".join(rng.sample(names, 12)) for _ in range(4))
    clue = "or:" + ",".join(f"(regex=.*(12|21).*:{cells})" for cells in parts)
    with pytest.raises(ClueError, match=r"it is too large: more than 10,000 moves"):
        constraints_for(clue)


def test_the_size_of_a_clue_does_not_depend_on_what_is_kept():
    """Whether clues are refused must not depend on what was asked before."""
    board = Board.of_size(9)
    text = "or:(sum=20:r1c1-r1c5),(regex=.*12.*:r2c1-r2c5)"
    for clue in (text, "sum=25:r1c1-r1c6", "cage=20:r1c1,r1c2,r1c3,r1c4", "circles:row1,row2"):
        read = clue_of(clue, board)
        sizes = {lowering.clue_family(clue, read, (), board).said.size for _ in range(3)}
        assert len(sizes) == 1, clue
        assert min(sizes).moves > 0


@pytest.mark.parametrize("command", ["solve", "check", "candidates"])
def test_time_over_is_unknown_with_the_reason(run, command):
    """Knight rules on an empty 25x25 take longer than the least time, on any machine."""
    puzzle = ["--size", "25", "--rules", "knight", "." * 625, "--timeout", "1e-6"]
    code, out, err = run(command, *puzzle, "--json")
    assert (code, json.loads(out)["status"]) == (1, "unknown")
    assert err == "satdoku: timed out after 1e-06 s (--timeout changes it)\n"


def test_a_count_to_two_that_time_ends_is_a_bound_and_no_answer(run):
    code, out, _ = run("count", "--limit", "2", "--timeout", "1e-6", "--size", "25", "." * 625)
    assert (code, out) == (1, ">=0\n")
