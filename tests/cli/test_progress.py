"""What long runs say of themselves where standard error is no terminal."""

import re

import pytest
from examples import PUZZLES

from satdoku.cli import progress

LINE = re.compile(r"[\d,]+( of [\d,]+)? (puzzles|cubes|grids|symmetries): [\d,]+ s(, .*)?")
RUNS = {
    "batch": ("batch", PUZZLES / "generated-1000.txt"),
    "audit": ("audit", PUZZLES / "generated-1000.txt"),
    "generate": ("generate", "-n", "3", "--seed", "1"),
    "enumerate": ("enumerate", "." * 16, "--limit", "50"),
    "count": ("count", "." * 64, "--rules", "knight"),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_file_gets_whole_lines_and_nothing_if_quiet(name, run, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    command = RUNS[name]
    code, _, err = run(*command)
    assert code == 0
    assert "\r" not in err
    assert [line for line in err.splitlines() if LINE.fullmatch(line)]
    code, _, err = run(*command, "--quiet")
    assert (code, err) == (0, "")


def test_a_short_run_says_nothing_of_how_far_it_is(run):
    _, _, err = run(*RUNS["batch"])
    assert not any(map(LINE.fullmatch, err.splitlines()))


def test_lines_come_now_and_then_and_say_what_is_done(capsys, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    bar = progress.terminal_bar(quiet=False, total=4000, unit=" puzzles", unit_scale=True)
    for _ in range(40):
        clock[0] += 2
        bar.set_postfix_str("5 unique", refresh=False)
        bar.update(100)
    bar.close()
    assert capsys.readouterr().err == (
        "1,500 of 4,000 puzzles: 30 s, 50/s, 5 unique\n"
        "3,000 of 4,000 puzzles: 60 s, 50/s, 5 unique\n"
    )
