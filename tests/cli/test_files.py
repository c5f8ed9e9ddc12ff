"""The files that a command line names: none is read and written, none destroyed, none shared."""

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from temporaries import bytes_written, parts

import satdoku
from satdoku.batch.journal import Journal
from satdoku.batch.seal import NO_KEY
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.files import READ, WRITTEN, kind_of
from satdoku.cli.options import (
    Written,
    command_line,
    folder_to_write,
    label_of,
    names_to_read,
    to_read,
)
from satdoku.cli.parsers import command_parser
from satdoku.files.outputs import leftovers, listed_endings
from satdoku.runtime.errors import Status

SATDOKU = [sys.executable, "-m", "satdoku"]
EMPTY = "." * 81


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "words",
    [
        "certify x.part -o x",
        "batch x.part -o x",
        "batch x.part -o x --resume",
        "audit x.part --report x.json",
        "export x.part -o x",
        "render x.part -o x.svg",
        "generate --seed 1 -o x",
    ],
)
def test_an_input_or_a_stranger_with_the_name_of_a_temporary_file_stays(run, here, words):
    puzzles = f"{CLASSIC}\n"
    for name in ("x.part", "x.json.part", "x.svg.part"):
        (here / name).write_text(puzzles)
    assert run(*words.split())[0] == 0
    found = contents(here)
    assert {found.pop(f"{name}.part") for name in ("x", "x.json", "x.svg")} == {puzzles.encode()}
    (made,) = found.values()
    assert made


@pytest.mark.parametrize(
    "words",
    [
        "certify x -o x",
        "certify x -o link",
        "certify 000001.cnf --plain . -o y",
        "certify 000001.cert.jsonl.gz -o .",
        "generate --pattern x -o x",
        "generate --regions x -o ./x",
        "export x -o x",
        "export n1 -o n{n}",
        "render p1.svg -o p{n}.svg",
        "candidates p1.svg -o p1.svg",
        "batch x -o x",
        "batch y.journal -o y --resume",
        "batch y.cert.jsonl.gz -o y --certify 1",
        "batch x -o y --summary hard",
        "audit x --report x",
        "audit x --report y.json --report ./y.json",
    ],
)
def test_no_file_is_read_and_written(run, here, words):
    names = ["x", "000001.cnf", "000001.cert.jsonl.gz", "n1", "p1.svg", "y.journal"]
    for name in [*names, "y.cert.jsonl.gz"]:
        (here / name).write_text(f"{CLASSIC}\n")
    os.link("x", "hard")
    os.symlink("x", "link")
    before = contents(here)
    code, _, err = run(*words.split())
    assert (code, "and output at once" in err) == (2, True)
    found = contents(here)
    assert {name: found[name] for name in before} == before
    assert set(found) <= {*before, "y"}  # that of another puzzle, or before the folder


def test_an_output_that_is_a_link_is_replaced(run, here):
    (here / "target").write_text("precious")
    os.symlink("target", "out")
    assert run("generate", "--seed", "1", "-q", "-o", "out")[0] == 0
    assert (here / "target").read_text() == "precious"
    assert not (here / "out").is_symlink()


def test_what_a_stopped_command_leaves_is_told(here):
    """Also by a command that has no journal and no summary."""
    command = [*SATDOKU, "generate", "-n", "1000000", "-o", "g.txt", "-w", "1", "-q"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while bytes_written(here / "g.txt") <= 0:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    (part,) = parts(here / "g.txt")
    assert process.returncode == 143
    assert err == f"satdoku: what was written so far is kept in {part.name}\nsatdoku: terminated\n"


def test_the_next_batch_tells_of_what_a_killed_one_left(run, here):
    (here / "in.txt").write_text(f"{CLASSIC}\n")
    left = here / "out.0123456789abcdef.part"
    left.write_text("half a result")
    code, _, err = run("batch", "in.txt", "-o", "out")
    assert code == 0
    assert f"satdoku: {left.name}: left by a run that was stopped; delete it if you" in err
    assert left.read_text() == "half a result"
    assert run("batch", "in.txt", "-o", "out", "-q")[2] == ""


# All options of all commands -----------------------------------------------------------------

COMMANDS = {name: command_parser(name, load(name)) for name in SUMMARIES}
NOT_FILES = {
    "--after", "--allow", "--author", "--backends", "--box", "--cell", "--certify",
    "--clue-count", "--clue-size", "--clues", "--column", "--columns",
    "--encoding", "--encodings", "--er", "--executor", "--find", "--forbid", "--givens", "--host",
    "--judge", "--keep", "--kinds", "--modes", "--proofs", "--rules", "--solver", "--stratify",
    "--symmetry", "--technique", "--title", "--versus", "--witnesses",
    "KIND", "report FOLDER",  # `bench` names the files in that folder itself
}  # fmt: skip
PUZZLE = "1234341221434321"
OPENED: list[str] | None = None  # while a list, `_watch` adds what is opened


def _watch(event, arguments):
    if OPENED is not None and event == "open" and isinstance(arguments[0], str):
        OPENED.append(os.path.realpath(arguments[0]))


sys.addaudithook(_watch)


def of_types(name, types):
    return [action for action in COMMANDS[name]._actions if kind_of(action) in types]


def words_for(name, *options):
    """A command with these values of options, and what it needs beside."""
    given = {id(action) for action, _ in options}
    first, rest = [], []
    for action, value in options:
        if not action.option_strings:
            first.append(value)
            continue
        rest += [action.option_strings[-1], value]
        rest += ["another"] if action.nargs == "+" else []  # of two files at least
        asked = label_of(action) == "--certificates" and name != "generate"
        rest += ["--certify", "1"] if asked else []
    for action in COMMANDS[name]._actions:
        if id(action) in given:
            continue
        if not action.option_strings and action.type is to_read:
            first.append(PUZZLE if action.dest == "puzzle" else "in.txt")
        elif action.dest == "output" and name in ("split", "sheet"):
            rest += ["-o", "one", "other"] if name == "split" else ["-o", "pages.pdf"]
    return [name, *(["report"] if name == "bench" else []), *first, *rest]


@pytest.fixture
def folder(here):
    """A file that is read, under four names, and another one."""
    (here / "x").write_text(f"{PUZZLE}\n")
    (here / "in.txt").write_text(f"{PUZZLE}\n")
    os.link("x", "hard")
    os.symlink("x", "link")
    return here


def test_every_option_that_takes_a_text_is_known_to_name_files_or_not():
    declared = READ.keys() | WRITTEN.keys()
    actions = [(name, a) for name in COMMANDS for a in COMMANDS[name]._actions]
    texts = {label_of(a) for _, a in actions if a.nargs != 0 and not a.choices and a.type is None}
    assert texts == NOT_FILES
    assert not NOT_FILES & {label_of(a) for _, a in actions if kind_of(a) in declared}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_an_option_that_names_no_file_opens_none(run, folder, name, monkeypatch):
    for action in COMMANDS[name]._actions:
        if label_of(action) not in NOT_FILES - {"report FOLDER"} or action.nargs == 0:
            continue
        for value in ("x", str(folder / "x"), "@x", f"jigsaw={folder}/x", "puzzle=x"):
            monkeypatch.setattr(sys.modules[__name__], "OPENED", [])
            run(*words_for(name, (action, value)))
            assert str(folder / "x") not in OPENED, (label_of(action), value)
    monkeypatch.setattr(sys.modules[__name__], "OPENED", None)


def _value(action, path):
    """A value of an option that names the file, as its type has it."""
    return {names_to_read: f"classic,{path}", command_line: f"./p {path} {{cnf}}"}.get(
        action.type, path
    )


PAIRS = [
    pytest.param(name, read, written, id=f"{name}-{label_of(read)}-{label_of(written)}")
    for name in COMMANDS
    for written in of_types(name, WRITTEN)
    for read in [*of_types(name, READ), *of_types(name, WRITTEN)]
]


@pytest.mark.parametrize("name, read, written", PAIRS)
def test_no_option_writes_what_another_one_names(run, folder, name, read, written):
    before = contents(folder)
    for path in ("x", "./x", "link", "hard", str(folder / "x")):
        if read is written:
            if read.nargs != "+" and not isinstance(read, argparse._AppendAction):
                continue
            words = words_for(name, (read, "x"), (read, path))
            if read.nargs == "+":
                words = [name, "in.txt", label_of(read), "x", path]
        else:
            words = words_for(name, (read, _value(read, "x")), (written, path))
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert contents(folder) == before, words
        both = re.search(r"^satdoku: (\S+) .*: would be .* and output at once(?:: (\S+) |)", err)
        if both:
            assert {*both.groups()} - {None} == {label_of(read), label_of(written)}, (words, err)
        else:
            assert folder_to_write in (read.type, written.type), (words, err)
            assert "is no directory, expected one" in err


@pytest.mark.parametrize("name", [name for name in COMMANDS if of_types(name, WRITTEN)])
def test_what_cannot_be_written_is_refused_before_the_work(run, folder, name):
    before = contents(folder)
    (folder / "sub").mkdir()
    for action in of_types(name, WRITTEN):
        bad = {
            "": "empty name, expected a ",
            "x/y": "irectory",
            "sub": "is a directory, expected a file",
            "no/y": "no/y: No such file or directory",
            "y" * 250: "File name too long",
        }
        for path, reason in bad.items():
            if kind_of(action) is not Written and path not in ("", "x/y"):
                continue
            code, out, err = run(*words_for(name, (action, path)))
            assert (code, out) == (2, ""), (label_of(action), path)
            assert err.startswith(f"satdoku: {label_of(action)}") and reason in err
    (folder / "sub").rmdir()
    assert contents(folder) == before


def test_an_output_that_the_user_may_not_write_is_refused_before_the_work(run, folder, monkeypatch):
    """The tests may run as a user who may do everything."""
    monkeypatch.setattr(os, "access", lambda path, mode: not (mode & os.W_OK and path == "."))
    code, out, err = run("batch", "x", "--summary", "y")
    assert (code, out, err) == (2, "", "satdoku: --summary y: Permission denied\n")


@pytest.mark.parametrize(
    "line, message",
    [
        ("batch - -o x < x", "--output x: would be input and output at once: standard input is"),
        ("batch /dev/stdin -o x < x", "--output x: would be input and output at once: IN /dev/s"),
        ("solve x >> x", "standard output: would be input and output at once: PUZZLE x is"),
        ("batch in.txt -o x >> x", "--output x: would be another output and output at once: st"),
    ],
)
def test_what_a_shell_has_opened_counts(folder, line, message):
    before = contents(folder)
    command = f"{sys.executable} -m satdoku {line}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"satdoku: {message}")
    assert contents(folder) == before


def test_devices_and_open_streams_are_written_as_they_are(folder):
    """Where standard output is a file, only its name tells that nothing may take its place."""
    command = "echo first; {0} -m satdoku export x -f json -o /dev/fd/1; {0} -m satdoku batch x -q"
    with open("all", "wb") as out:
        line = f"{command} -o /dev/null --summary /dev/null".format(sys.executable)
        assert subprocess.run(line, shell=True, stdout=out).returncode == 0
    first, second = (folder / "all").read_text().splitlines()
    assert (first, json.loads(second)["puzzle"]) == ("first", PUZZLE)
    assert not os.path.isfile("/dev/null")


def test_numbered_pictures_spare_what_is_read(run, folder):
    (folder / "in-001.svg").write_text("1.3.34..2.43.3.1\n")
    code, _, err = run("explain", "--steps", "in-001.svg", "-o", "in.svg")
    assert (code, err) == (2, "satdoku: in-001.svg: would be input and output at once\n")
    assert (folder / "in-001.svg").read_text() == "1.3.34..2.43.3.1\n"


def test_the_rows_of_a_benchmark_spare_its_puzzles(run, folder):
    (folder / "measurements.csv").write_text(PUZZLE)
    code, out, err = run("bench", "--tasks", "measurements.csv", "-o", ".")
    assert (code, out, "would be input and output at once: --tasks" in err) == (2, "", True)
    assert (folder / "measurements.csv").read_text() == PUZZLE


WRITERS = {
    "files/outputs.py",  # all outputs
    "files/tables.py", "audit/report/page.py",  # into what that has opened
    "batch/journal.py", "batch/task_journal.py",  # of a name that is declared
    "bench/results.py", "bench/report.py", "bench/plots.py",  # in the folder of a benchmark
    "bench/worker.py", "certificates/proof/external.py", "answers/external/solver.py",
    "witness/z3/models.py",  # in temporary folders
    "cli/__init__.py", "web/worker.py",  # standard streams
    "engine/wasm.py",  # beside the sources, by setup.py
    "runtime/supervisor.py",  # no file: the null device
}  # fmt: skip


def _writes(call):
    """Whether a call opens a file for writing, or changes one."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("write_text", "write_bytes", "truncate", "savefig", "rename", "fdopen"):
        return True
    words = " ".join(ast.unparse(word) for word in [*call.args, *call.keywords])
    if name in ("open", "FileIO"):
        return bool(re.search(r"'[rbt]*[wax+][bt+]*'|O_(WRONLY|RDWR|CREAT)", words))
    return name == "replace" and ast.unparse(call.func) == "os.replace"


def test_nothing_else_opens_files_for_writing():
    root = Path(satdoku.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if any(
            isinstance(node, ast.Call) and _writes(node)
            for node in ast.walk(ast.parse(path.read_text()))
        )
    }
    assert found == WRITERS


# Two runs on one OUT -----------------------------------------------------------------------------


@pytest.mark.covering
@pytest.mark.parametrize("first", [[], ["--resume"]])
@pytest.mark.parametrize("second", [[], ["--resume"]])
def test_the_second_run_on_one_output_is_refused(run, here, first, second):
    """The first is halted meanwhile; what it was to write is written whole."""
    pytest.importorskip("fcntl")
    (here / "in.txt").write_text(f"{CLASSIC}\n")
    (here / "many.txt").write_text(f"{CLASSIC}\n" * 2000)
    options = ["-o", "out", "-q", "-w", "1", "--backend", "session", *first]
    with subprocess.Popen([*SATDOKU, "batch", "many.txt", *options]) as process:
        while not parts(here / "out") or leftovers(str(here / "out")):  # until it has its lock
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        try:
            code, _, err = run("batch", "in.txt", "-o", "out", "-q", *second)
        finally:
            process.send_signal(signal.SIGCONT)
        process.wait(600)
    assert (code, "another run is " in err) == (2, True)
    assert process.returncode == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n" * 2000
    assert parts(here / "out") == []
    (here / "out.journal").unlink(missing_ok=True)
    assert run("batch", "in.txt", "-o", "out", "-q")[0] == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n"


# Forged journals ---------------------------------------------------------------------------------


@pytest.fixture
def forged(run, here, monkeypatch):
    """Write a journal for `in.txt` that claims a status, without solutions, of each puzzle."""

    def write(status, key):
        (here / "in.txt").write_text(f"{CLASSIC}\n" * 3)
        init, append, lies = Journal.__init__, Journal.append, []

        def other_key(self, path, settings, _):
            init(self, path, settings, key)

        def lie(self, chunk, result):
            wrong = np.full_like(result.statuses, status), np.zeros_like(result.solutions)
            append(self, chunk, result._replace(statuses=wrong[0], solutions=wrong[1]))
            lies.append(chunk)

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "__init__", other_key)
            patch.setattr(Journal, "append", lie)
            patch.setattr(Journal, "remove", Journal.close)
            run("batch", "in.txt", "-o", "out", "--resume", "-q")
        assert lies
        (here / "out").unlink()

    return write


@pytest.mark.parametrize("status", [Status.NONE, Status.UNIQUE, 77])
def test_a_forged_journal_is_never_believed(run, here, forged, status):
    forged(status, NO_KEY)
    code, _, err = run("batch", "in.txt", "-o", "out", "--resume", "-q")
    assert code == 2
    assert "out.journal: of another user or machine, or forged" in err
    assert "remove it to start again" in err
    (here / "out.journal").unlink()
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 0
    assert (here / "out").read_text() == f"unique {CLASSIC_SOLUTION}\n" * 3


def test_without_a_key_it_is_said_what_is_trusted(run, here, forged, monkeypatch):
    """And that is true: `none` is believed, what the witness can refute is not."""
    (here / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "file"))
    forged(Status.UNIQUE, NO_KEY)
    code, _, err = run("batch", "in.txt", "-o", "out", "--resume", "-q")
    assert code == 2
    assert "no key can be kept here, so the journal has no seal; if others can write out.j" in err
    assert "out.journal: holds results that are wrong, so it was forged: remove it" in err
    (here / "out.journal").unlink()
    forged(Status.NONE, NO_KEY)
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 0
    assert (here / "out").read_text() == "none\n" * 3
    monkeypatch.undo()
    monkeypatch.chdir(here)
    forged(Status.NONE, NO_KEY)
    assert run("batch", "in.txt", "-o", "out", "--resume", "-q")[0] == 2  # with a key


# Forms, folders, patterns ------------------------------------------------------------------------

FORMED = [
    pytest.param(name, action, id=f"{name}-{label_of(action)}")
    for name in COMMANDS
    for action in of_types(name, WRITTEN)
    if isinstance(action.type, Written) and (name, label_of(action)) != ("fewest", "--resume")
]


@pytest.mark.parametrize("name, action", FORMED)
def test_every_output_has_the_form_of_its_ending_or_is_refused(run, folder, name, action):
    """The only exception is a journal, which nobody else reads."""
    before = contents(folder)
    code, out, err = run(*words_for(name, (action, "y.xlsx")))
    assert (code, out, contents(folder)) == (2, "", before)
    assert err.startswith(f"satdoku: {label_of(action)} y.xlsx: ending .xlsx: expected ")
    assert action.type.forms and all(
        f".{ending}" in err for form in action.type.forms for ending in endings_of(form)
    )
    if len(action.type.forms) > 1:
        assert listed_endings(action.type.forms) in action.help


def endings_of(form):
    """Those that tell a form, as the message has them; a name without one may have it too."""
    return [ending.strip(".") for ending in re.findall(r"\.\w+", listed_endings((form,)))][:1]


def test_the_options_that_write_are_many():
    assert len(FORMED) > 20
    assert {name for name in COMMANDS if of_types(name, WRITTEN)} == {
        *(param.values[0] for param in FORMED),
        "bench",
        "dataset",  # a folder
    }


def test_an_ending_that_the_form_asked_for_replaces_is_no_error(run, here):
    assert run("generate", "--seed", "1", "-f", "csv", "-o", "y.xlsx", "-q")[0] == 0
    assert (here / "y.xlsx").read_text().startswith("puzzle,rules\n")
    assert "; -f names another" in run("generate", "-o", "z.xlsx")[2]


@pytest.fixture
def many(here):
    (here / "in").mkdir()
    for name, puzzle in (("b.txt", PUZZLE), ("a.txt", "1" + 15 * "."), ("c.csv", PUZZLE)):
        (here / "in" / name).write_text(f"{'puzzle' * name.endswith('csv')}\n{puzzle}\n")
    return here


@pytest.mark.parametrize(
    "words, names",
    [
        (["in"], ["a.txt", "b.txt", "c.csv"]),
        (["in/*.txt"], ["a.txt", "b.txt"]),
        (["in/c*", "in/?.txt"], ["c.csv", "a.txt", "b.txt"]),
    ],
)
def test_a_folder_and_a_pattern_stand_for_files(run, many, words, names):
    asked = ["--columns", "file", "--columns", "status", "-f", "csv", "-q"]
    code, out, _ = run("batch", *words, *asked)
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == [f"in/{n}" for n in names]
    assert run("check", *words)[1].splitlines() == [
        "multiple" if name == "a.txt" else "unique" for name in names
    ]


def test_a_pattern_of_nothing_is_an_error_and_a_puzzle_with_its_signs_a_puzzle(run, many):
    assert run("audit", "in/*.parquet") == (2, "", "satdoku: in/*.parquet: no such file\n")
    (many / "empty").mkdir()
    assert run("solve", "empty") == (2, "", "satdoku: empty: holds no file\n")
    assert run("solve", "1***************", "--format", "line")[0] == 0
    assert run("clean", "in/b.txt", "--against", "in/*", "-q")[:2] == (1, "")


def test_files_of_a_folder_are_read_and_never_written(run, many):
    before = contents(many / "in")
    code, _, err = run("batch", "in", "-o", "in/a.txt")
    assert (code, "input and output at once" in err) == (2, True)
    assert contents(many / "in") == before


# Options that add up, and those without effect ---------------------------------------------------


def test_every_list_adds_up(run, here):
    """Each option whose value is a list, as its `,...` says, may be repeated."""
    lists = {
        (name, label_of(action))
        for name, parser in COMMANDS.items()
        for action in parser._actions
        if str(action.metavar).endswith(",...") or label_of(action) == "--rules"
    }
    assert len(lists) > 30
    for name, option in lists:
        parsed = COMMANDS[name]._option_string_actions[option]
        values = argparse.Namespace(**{parsed.dest: parsed.default})
        for value in ("a", "b"):
            parsed(COMMANDS[name], values, value, option)
        assert getattr(values, parsed.dest) in ("a,b", "a;b"), (name, option)


def test_lists_that_are_repeated_are_one_list(run, here):
    (here / "x").write_text(f"{PUZZLE}\n{PUZZLE}\n1111............\n")
    faults = ["exact-duplicate", "clashing-givens"]
    assert run("audit", "x", "-q", "--allow", ",".join(faults))[0] == 0
    assert run("audit", "x", "-q", "--allow", faults[0], "--allow", faults[1])[0] == 0
    assert run("audit", "x", "-q", "--allow", faults[0])[0] == 1
    both = run(
        "check", "1" + 15 * ".", "--rules", "diagonal;odd:r1c1", "--rules", "knight", "--json"
    )
    assert json.loads(both[1])["rules"] == "knight,diagonal;odd:r1c1"
    assert run("split", "x", "-o", "p.csv", "-o", "q.csv", "-q")[0] in (0, 2)
    assert {"p.csv", "q.csv"} <= contents(here).keys()


@pytest.mark.parametrize(
    "line, told",
    [
        ("generate --seed 1 --size 4 --unique", ["--unique"]),
        ("generate --seed 1 --size 4 --holes-pattern balanced", ["--holes-pattern"]),
        (f"check {PUZZLE} --column puzzle=x", ["--column"]),
        ("rate x -o y.csv --json", ["--json"]),
        ("generate --seed 1 --size 4 --holes 3 --unique", []),
        ("check x --column rules=", []),
        (f"check {PUZZLE}", []),
    ],
)
def test_options_without_effect_are_told(run, folder, line, told):
    _, _, err = run(*line.split())
    messages = [text for text in err.splitlines() if "no effect" in text]
    assert messages == [f"satdoku: {option} has no effect here" for option in told]
    assert run(*line.split(), "-q")[2] == ""


def test_slow_certificates_of_all_are_told_of_trees(run, folder):
    asked = ["batch", "x", "-o", "y", "--certify", "all", "--certificates"]
    told = "z.jsonl: a name in .trees gets proof trees, made sooner and smaller\n"
    assert told in run(*asked, "z.jsonl")[2]
    assert "made sooner" not in run(*asked, "z.trees")[2]


def test_a_role_without_a_column(run, here):
    (here / "r.csv").write_text(f"puzzle,rules,solution\n{PUZZLE},no such rule,x\n")
    assert run("check", "r.csv")[0] == 2
    assert run("check", "r.csv", "--column", "rules=")[1] == "unique\n"
    asked = ["--column", "rules=", "--column", "answer="]
    assert run("audit", "r.csv", *asked, "-q")[0] == 0
    assert run("batch", "r.csv", "--column", "puzzle=")[0] == 2
    (here / "t.txt").write_text(f"{PUZZLE} {PUZZLE[::-1]}\n")
    assert run("audit", "t.txt", "-q", "--column", "answer=")[0] == 0
