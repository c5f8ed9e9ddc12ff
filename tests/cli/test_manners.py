"""What all commands have in common: help, usage, --json, -q, colour, and text of an input shown."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_cases import on_a_terminal
from examples import CLASSIC

import satdoku
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.parsers import command_parser
from satdoku.engine.targets import TARGETS

COMMANDS = list(SUMMARIES)
ENDING = [command for command in COMMANDS if command != "serve"]  # which waits for Ctrl-C
ESCAPE, OVERRIDE = "\x1b[31m", "\u202e"


@pytest.fixture
def example(run, monkeypatch, tmp_path):
    """Run a command's example in an empty folder, the last part with more options."""
    monkeypatch.chdir(tmp_path)

    def call(command, *more):
        text = load(command).EXAMPLE
        *before, last = [shlex.split(part) for part in text.split(" | ")]
        for program, *words in before:
            code, out = 0, words[0].replace("\\n", "\n")
            if program != "printf":
                code, out, _ = run(*words)
            assert code in (0, 10), words  # 10: satisfiable
            stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(out.encode())))
            monkeypatch.setattr(sys, "stdin", stream)
        return run(*last[1:], *more)

    return call


# Help and usage ----------------------------------------------------------------------------------


def test_the_table_lists_every_command_once():
    folder = Path(satdoku.__file__).parent / "cli" / "commands"
    assert sorted(COMMANDS) == sorted(
        file.stem for file in folder.glob("*.py") if file.stem != "__init__"
    )


@pytest.mark.parametrize("command", ENDING)
def test_the_example_works(example, command):
    code, out, err = example(command)
    assert code == 0
    assert out or os.listdir()
    assert "error" not in err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_usage_every_option_and_the_example(run, command):
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: satdoku {command} ")
    assert f"\nexample:\n  {load(command).EXAMPLE}\n" in out
    assert f"satdoku {command}" in load(command).EXAMPLE
    assert "Exit codes: 0 done" in out
    assert run("help", command) == (0, out, "")
    assert not re.search(r"\w-$", out, re.M)  # an option or a kind can be copied
    actions = command_parser(command, load(command))._actions
    assert all(action.help for action in actions)
    assert all(line == line.rstrip() and len(line) <= 100 for line in out.splitlines())


def test_help_lists_the_commands(run):
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert re.findall(r"^  (\w+) +\S", out, re.M) == COMMANDS
    assert run("help") == run("-h") == (0, out, "")
    assert run() == (2, "", "usage: satdoku COMMAND [OPTION ...] [PUZZLE ...]\n"
                            "satdoku: error: expected a command\n")  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_option_shows_the_usage_of_the_command(run, command):
    code, out, err = run(command, *(["x"] if command != "rules" else []), "--quite")
    assert (code, out) == (2, "")
    assert err.startswith(f"usage: satdoku {command} ")
    assert err.endswith(f"satdoku {command}: error: no option '--quite': did you mean '--quiet'?\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sovle", CLASSIC], "no command 'sovle': did you mean 'solve'?"),
        (["hlep"], "no command 'hlep': did you mean 'help'?"),
        (["help", "rendr"], "no command 'rendr': did you mean 'render'?"),
        (["qqq"], "no command 'qqq': `satdoku help` lists the commands"),
        (["--verison"], "no option '--verison': did you mean '--version'?"),
        (["/"], "expected a command before '/': satdoku solve /"),
    ],
)
def test_a_wrong_command(run, words, message):
    usage = "usage: satdoku COMMAND [OPTION ...] [PUZZLE ...]\n"
    assert run(*words) == (2, "", f"{usage}satdoku: error: {message}\n")


def test_a_word_too_many(run):
    _, _, err = run("render", "12..............", "knight")
    assert err.endswith("satdoku render: error: unexpected argument 'knight'\n")


def test_options_and_puzzles_may_alternate(run):
    fours = ["1234341221434321", "12.............."]
    assert run("check", fours[0], "-q", fours[1])[:2] == (1, "unique\nmultiple\n")
    assert run("check", "--", *fours)[:2] == (1, "unique\nmultiple\n")


HELP = """
import os, sys
from satdoku.cli import main

for word in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    try:
        main([*word.split(), "--help"])
    except SystemExit:
        pass
    print(f"modules of {word}:", *sys.modules, file=sys.stderr)
    break
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each command starts from a copy of a process")
def test_help_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-c", HELP, "", *COMMANDS], capture_output=True, text=True
    )
    told = dict(re.findall(r"^modules of (\S*): (.*)$", done.stderr, re.MULTILINE))
    assert [*told] == ["", *COMMANDS]
    for word, names in told.items():
        loaded = set(names.split())
        assert "satdoku.cli.program" in loaded
        assert not loaded & {"numpy", "pysat", "z3", "tqdm", "multiprocessing", "satdoku.engine"}
        commands = {name for name in loaded if name.startswith("satdoku.cli.commands.")}
        assert commands == {f"satdoku.cli.commands.{word}"} - {"satdoku.cli.commands."}


# -q and --json -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ENDING)
def test_quiet_leaves_stderr_empty(example, command):
    code, _, err = example(command, "-q")
    assert (code, err) == (0, "")


RECORDS = {  # keys of a line of JSON
    "solve": {"puzzle", "rules", "status", "solution"},
    "check": {"puzzle", "rules", "status"},
    "count": {"puzzle", "rules", "count", "kind"},
    "enumerate": {"puzzle", "rules", "solution"},
    "candidates": {"puzzle", "rules", "candidates"},
    "propagate": {"puzzle", "rules", "status", "grid"},
    "batch": {"line", "status", "solution"},
    "audit": {"sound"},
    "explain": {"puzzle", "rules", "steps"},
    "rate": {"file", "line", "puzzle", "rules", "status", "scale", "technique"},
    "fewest": {"puzzle", "rules", "low", "high", "proven", "fewest", "unavoidable_sets"},
    "orbits": {"rules", "group", "grids", "orbits"},
    "generate": {"puzzle", "rules", "seed", "status", "givens"},
    "minimize": {"puzzle", "rules", "status", "minimal"},
    "verify": {"file", "line", "puzzle", "rules", "claim", "status"},
    "crosscheck": {"puzzle", "rules", "agree", "problems", "witnesses"},
    "decode": {"rules", "status", "solution"},
    "rules": {"name", "summary"},
    "clues": {"name", "sentence", "example", "cells", "value", "aliases"},
    "encodings": {"encoding", "kind", "size", "rules", "variables", "clauses"},
}


@pytest.mark.parametrize("command", RECORDS)
def test_json_is_printed_as_lines_of_objects(example, command):
    code, out, _ = example(command, "--json")
    assert code == 0
    texts = [out] if command == "audit" else out.splitlines()
    assert texts
    for text in texts:
        assert RECORDS[command] <= json.loads(text).keys()


BAD = CLASSIC[:40] + "x" + CLASSIC[41:]
MIXED = [
    "check",
    "solve",
    "count",
    "candidates",
    "propagate",
    "explain",
    "rate",
    "fewest",
    "minimize",
]


@pytest.mark.parametrize("command", MIXED)
def test_json_has_an_object_for_every_puzzle_in_order(run, tmp_path, command):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"1.....2....3.4..\n{BAD}\n\n1.....2....3.4..\n")
    code, out, err = run(command, path, "--json", "-q")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 2
    assert [(record["file"], record["line"]) for record in records] == [
        (str(path), line) for line in (1, 2, 4)
    ]
    assert records[1].keys() == {"file", "line", "status", "error"}
    assert records[1]["status"] == "invalid"
    assert err == f"satdoku: {records[1]['error']}\n"
    assert {**records[0], "line": 4} == records[2]


def test_json_names_the_id_of_a_row(run, tmp_path):
    path = tmp_path / "puzzles.csv"
    path.write_text("id,puzzle\nfirst,1.....2....3.4..\n")
    record = json.loads(run("check", path, "--json")[1])
    assert record == {
        "file": str(path), "line": 2, "id": "first", "puzzle": "1.....2....3.4..",
        "rules": "classic", "status": "unique", "solved_by": "engine" if TARGETS else "cadical153",
    }  # fmt: skip


def test_json_of_a_cnf(run, tmp_path):
    name = str(tmp_path / "p.cnf")
    run("export", "1.....2....3.4..", "-o", name)
    _, out, _ = run("solve", name, "--json")
    _, solution, _ = run("solve", "1.....2....3.4..")
    assert json.loads(out) == {"file": name, "status": "solved", "solution": solution.strip()}


def test_json_of_a_puzzle_that_takes_too_long(run):
    words = ["." * 256, "--rules", "antiqueen,miracle", "--size", 16, "--limit", 0.2]
    assert json.loads(run("rate", *words, "--json")[1])["status"] == "unknown"


def test_json_of_answers_that_are_no(run):
    clash = "11.............."
    reason = "r1c1=1 and r1c2=1 break the row rule"
    about = {"puzzle": clash, "rules": "classic"}
    _, out, err = run("check", clash, "--json")
    assert json.loads(out) == {**about, "status": "invalid", "reason": reason}
    assert err == f"satdoku: invalid: {reason}\n"
    assert json.loads(run("solve", clash, "--json")[1]) == {**about, "status": "invalid"}
    assert json.loads(run("propagate", clash, "--json")[1]) == {**about, "status": "conflict"}
    assert json.loads(run("minimize", clash, "--json")[1]) == {**about, "status": "invalid"}
    assert json.loads(run("count", clash, "--json")[1]) == {**about, "count": 0, "kind": "exact"}


def test_json_of_counts(run):
    def counted(*words):
        return json.loads(run("count", *words, "--json")[1])

    empty = {"puzzle": "." * 16, "rules": "classic"}
    assert counted("." * 16) == {**empty, "count": 288, "kind": "exact"}
    assert counted("." * 16, "--limit", 9) == {**empty, "count": 9, "kind": "at least"}
    assert counted("--size", 4) == {"rules": "classic", "size": 4, "count": 288, "kind": "exact"}


def test_json_of_canonical_forms(run):
    grids = ["1234341221434321", "4321214334121234"]
    _, out, _ = run("orbits", "--canonical", "--json", *grids)
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["puzzle"] for record in records] == grids
    assert len({record["canonical"] for record in records}) == 1


def test_the_summary_of_a_batch_is_printed_as_json(run, tmp_path):
    path, results = tmp_path / "puzzles.txt", tmp_path / "out.txt"
    path.write_text(f"{CLASSIC}\n")
    code, out, err = run("batch", path, "-o", results, "--summary", "-")
    assert (code, err) == (0, "")
    assert json.loads(out)["statuses"] == {"unique": 1}
    code, out, err = run("batch", path, "--summary", "-")
    assert (code, out) == (2, "")
    assert err == "satdoku: --summary - needs an output file for the results: add -o OUT\n"


# Colour ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["check", CLASSIC]])
def test_colour_only_where_it_is_wanted(run, monkeypatch, words):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    plain = run(*words)
    assert "\x1b" not in plain[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run(*words)
    assert re.sub(r"\x1b\[\d+m", "", coloured[1]) == plain[1] != coloured[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(*words) == plain


def test_a_terminal_is_coloured(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert on_a_terminal("check", CLASSIC) == "\x1b[32munique\x1b[0m\n"
    assert on_a_terminal("check", CLASSIC, NO_COLOR="1") == "unique\n"
    assert on_a_terminal("check", CLASSIC, TERM="dumb") == "unique\n"
    assert on_a_terminal("rules", "--help").startswith("\x1b[1musage:\x1b[0m satdoku rules")


def test_json_is_never_coloured(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in run("check", CLASSIC, "--json")[1]
    assert "\x1b" not in run("minimize", "." * 16, "--json")[1]


# Text of an input --------------------------------------------------------------------------------


FILES = [command for command in ENDING if command not in ("rules", "generate", "bench")]


@pytest.mark.parametrize("command", FILES)
def test_a_name_is_not_printed_raw(run, monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(command, f"no{ESCAPE}such{OVERRIDE}.cnf")
    assert code == 2
    assert "\x1b" not in out + err and OVERRIDE not in out + err
    assert r"no\x1b[31msuch\u202e.cnf" in err


@pytest.mark.parametrize(
    "words",
    [
        [f"comm{ESCAPE}and"],
        ["check", f"--opt{ESCAPE}ion", CLASSIC],
        ["check", "--rules", f"rule{ESCAPE}", CLASSIC],
        ["check", "--solver", f"s{ESCAPE}", CLASSIC],
        ["solve", "-f", f"f{ESCAPE}", CLASSIC],
        ["batch", "--column", f"c{ESCAPE}", __file__],
        ["generate", "--givens", f"g{ESCAPE}"],
        ["encodings", "--encodings", f"e{ESCAPE}"],
    ],
)
def test_an_option_is_not_printed_raw(run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "\x1b" not in err and r"\x1b[31m" in err


@pytest.mark.parametrize("command", ["check", "solve", "batch", "certify", "fewest", "export"])
def test_a_puzzle_is_not_printed_raw(run, tmp_path, command):
    path = tmp_path / "puzzles.txt"
    path.write_text(CLASSIC[:40] + ESCAPE + OVERRIDE + CLASSIC[40:] + "\n")
    code, out, err = run(command, path)
    assert code == 2
    assert "\x1b" not in out + err and OVERRIDE not in out + err
