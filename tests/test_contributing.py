"""The recipes of CONTRIBUTING.md work: each block is applied to a copy of the package and tried."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

import satdoku

PAGE = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()
RECIPES = {
    "A house rule", "An inequality rule", "Another relation", "A kind of clue", "An encoding",
    "A solver", "A format of another program", "An output format", "A command",
}  # fmt: skip


class Block(NamedTuple):
    """A code block: the file it is for, where in it ("" if the file is new), and the code."""

    file: str
    place: str
    code: str


def recipes():
    """The blocks of each recipe, by its title."""
    found = {}
    for section in PAGE.split("\n### ")[1:]:
        title, _, text = section.partition("\n")
        blocks = re.findall(r"```python\n# (\S+?)(?:, ([^\n]*))?\n(.*?)```", text, re.DOTALL)
        found[title] = [Block(*block) for block in blocks]
    return found


def assignment(tree, name):
    """The top-level statement that assigns or defines the name."""
    for statement in tree.body:
        if getattr(statement, "name", "") == name:
            return statement
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return statement
    raise AssertionError(f"{name} is nowhere assigned")


def last_entry(value, key):
    """The last entry of a table, or of the table that it holds for a key."""
    if isinstance(value, ast.DictComp):
        value = value.generators[0].iter
    if key:
        keys = [ast.literal_eval(k) for k in value.keys]
        value = value.values[keys.index(key)]
    return (value.values if isinstance(value, ast.Dict) else value.elts)[-1]


def applied(source, place, code):
    """The source with the code `in NAME`, `in NAME["KEY"]` or `before NAME`."""
    how, name, key = re.fullmatch(r'(in|before) (\w+)(?:\["(.*)"\])?', place).groups()
    statement = assignment(ast.parse(source), name)
    lines = source.splitlines(keepends=True)
    if how == "before":
        at = statement.lineno - 1
        return "".join([*lines[:at], code, "\n\n", *lines[at:]])
    last = last_entry(statement.value, key)
    row, column = last.end_lineno - 1, last.end_col_offset
    head, tail = lines[row][:column], lines[row][column:].lstrip(",")
    entry = f",\n{code.rstrip().removesuffix(',')},"
    return "".join([*lines[:row], head, entry, tail, *lines[row + 1 :]])


def apply(blocks, folder):
    for block in blocks:
        file = folder / block.file
        assert file.exists() == bool(block.place), block.file
        code = applied(file.read_text(), block.place, block.code) if block.place else block.code
        file.write_text(code)


def package_copy(folder):
    shutil.copytree(Path(satdoku.__file__).parent, folder / "satdoku")  # with its bytecode
    return folder


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A package to which all recipes are applied."""
    folder = package_copy(tmp_path_factory.mktemp("contributing"))
    for blocks in recipes().values():
        apply(blocks, folder)
    return folder


@pytest.fixture(scope="module")
def with_rules(tmp_path_factory):
    """A package with the new rules alone: the new solver would ask about them for long."""
    folder = package_copy(tmp_path_factory.mktemp("rules"))
    for title in ("A house rule", "An inequality rule", "Another relation"):
        apply(recipes()[title], folder)
    return folder


def run(folder, *words, stdin=""):
    """Run the copy's command line; its exit code and standard output."""
    # An empty PYTHONDONTWRITEBYTECODE: the copy is compiled once, not on each run.
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(
        [sys.executable, "-m", "satdoku", *words],
        cwd=folder, env=environment, input=stdin, capture_output=True, text=True,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_there_is_a_recipe_for_each_thing_and_it_touches_two_files_at_most():
    assert recipes().keys() >= RECIPES
    for title, blocks in recipes().items():
        assert blocks, title
        assert len({block.file for block in blocks}) <= 2, title


def distances(cells, size):
    """Every two digits of a grid with their distance in rows and columns, the lesser first."""
    for (a, x), (b, y) in combinations(enumerate(cells), 2):
        yield x, y, sorted((abs(a // size - b // size), abs(a % size - b % size)))


# The new rules a third time.
RULES = {
    "wrapped": lambda cells, n: len({cells[n * r + (r + 1) % n] for r in range(n)}) == n,
    "camel": lambda cells, n: all(x != y for x, y, d in distances(cells, n) if d == [1, 3]),
    "ratio": lambda cells, n: (
        not any(2 * x == y or x == 2 * y for x, y, d in distances(cells, n) if d == [0, 1])
    ),
}
# Puzzles with hundreds of classic solutions, of which a few obey the rule.
PUZZLES = {
    "wrapped": "8765......4........3.6...48.13..6....5..981..69.1...2......1....24.659..9....4.5.",
    "camel": "....52.68.7.6....51.5.......5......1.......84.84..63.284...95...2.......9..2.....",
    "ratio": "....5.......9.....9.....2..51932867.......82.3..6..1.5....8....894..2.1..3541....",
}


def grids(copy, puzzle, *words):
    code, printed = run(copy, "enumerate", puzzle, *words)
    assert code == (0 if printed else 1)
    return sorted(printed.split())


@pytest.mark.covering
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [4, 9])
def test_a_new_rule_has_the_right_grids(copy, rule, size):
    """The classic ones that obey it, by brute force."""
    puzzle = "." * 16 if size == 4 else PUZZLES[rule]
    classic = grids(copy, puzzle)
    expected = [g for g in classic if RULES[rule](list(map(int, g)), size)]
    assert len(classic) >= 288
    assert len(expected) == {"wrapped": (24, 26), "camel": (0, 2), "ratio": (0, 2)}[rule][size == 9]
    assert grids(copy, puzzle, "--rules", rule) == expected


TELLING = """
import json
from satdoku import constraints_for, parse_puzzle
from satdoku.files.foreign import WRITTEN
from satdoku.files.fpuzzles.words import is_stated
from satdoku.model.board import Board
from satdoku.model.grid import empty_grid
from satdoku.model.puzzle import Puzzle
from satdoku.model.words import sayings
from satdoku.web.catalogue import catalogue

constraints = constraints_for("wrapped", Board.of_size(4))
puzzle = Puzzle(empty_grid(constraints.board), constraints)
forms = ("fpuzzles", "sudokupad", "iss", "json")
read = {form: parse_puzzle(WRITTEN[form].write(puzzle)).rules for form in forms}
pad = {"cells": [[{}] * 4] * 4, "global": ["wrap"],
       "regions": [[[r, c], [r, c + 1], [r + 1, c], [r + 1, c + 1]]
                   for r in (0, 2) for c in (0, 2)]}
read["native"] = parse_puzzle(json.dumps(pad)).rules
words = [is_stated("Wrapped diagonals contain the digits from 1-4.", constraints),
         is_stated("Wrapped diagonals apply.", constraints),
         sayings(constraints)[1].sentence]
print(json.dumps([read, words, [rule["name"] for rule in catalogue()["rules"]]]))
"""


def test_all_that_is_told_of_a_new_rule_is_known_everywhere(copy):
    done = subprocess.run(
        [sys.executable, "-c", TELLING], cwd=copy, text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    read, words, listed = json.loads(done.stdout)
    assert {*read.values()} == {"wrapped"} and len(read) == 5
    assert (
        words[0]
        and words[1]
        and "wrapped" in listed
        and "wraps around holds every digit" in words[2]
    )
    assert run(copy, "certify", "11" + "." * 14, "-r", "wrapped", "-o", "r.cert")[0] == 0
    for command, *rest in (
        ["rules"],
        ["render", "." * 16, "-r", "wrapped"],
        ["sheet", "." * 16, "-r", "wrapped", "-o", "r.pdf"],
        ["certify", "11" + "." * 14, "-r", "wrapped", "-o", "r.cert"],
        ["verify", "r.cert"],
        ["export", "." * 16, "-r", "wrapped", "-f", "iss"],
    ):
        code, printed = run(copy, command, *rest)
        assert code == 0 and ("rapped" in printed or "-o" in rest), (command, printed)
    for name in ("broken-diagonal", "brokendiagonals"):
        assert run(copy, "check", "." * 16, "-r", name)[0] == 2


def test_a_new_kind_of_clue_has_the_right_grids_and_certificates(copy, tmp_path):
    clue, cells = "consecutive:r1c1,r2c2,r3c3", (0, 5, 10)
    digits = [[int(grid[cell]) for cell in cells] for grid in grids(copy, "." * 16)]
    expected = sum(abs(a - b) == abs(b - c) == 1 for a, b, c in digits)
    assert len(grids(copy, "." * 16, "--clue", clue)) == expected > 0
    path = str(tmp_path / "none.cert")
    assert run(copy, "certify", "1....4".ljust(16, "."), "--clue", clue, "-o", path)[0] == 0
    assert run(copy, "verify", path) == (0, f"verified none 1....4.......... {clue}\n")
    assert run(copy, "clues", "consecutive")[0] == 0


NEW = "consecutive:r1c1,r2c2,r3c3"
ROW = "1423324123144132"  # a grid that has it
ASKED = ["1" + "." * 15, "--clue", NEW]
IN_ALL = {  # of every command, how it meets the clue; several ways stand in a list
    "solve": ASKED, "check": ASKED, "count": ASKED, "candidates": ASKED, "propagate": ASKED,
    "enumerate": [*ASKED, "--limit", "3"], "rate": ASKED, "explain": ASKED,
    "minimize": [ROW, *ASKED[1:]], "fewest": [ROW, *ASKED[1:]],
    "orbits": ["-r", f"latin=4;{NEW}"], "batch": ["rows.csv", "-o", "solved.csv"],
    "audit": ["rows.csv"], "clean": ["rows.csv", "-o", "cleaned.csv"],
    "split": ["rows.csv", "-o", "one.csv", "two.csv"],
    "augment": ["rows.csv", "-o", "forms.csv"],
    "generate": [
        ["--size", "4", "--clues", "consecutive", "--seed", "1"],
        ["--size", "4", *ASKED[1:], "--seed", "1"],
    ],
    "dataset": ["recipe.toml", "-o", "made"],
    "certify": [*ASKED, "-o", "new.cert"], "verify": ["new.cert"],
    "export": [
        [*ASKED, "-f", form] for form in ("json", "smtlib2", "opb", "iss", "fpuzzles")
    ] + [[*ASKED, "-o", "new.cnf"]],
    "decode": ["answer", "--cnf", "new.cnf"],
    "render": [ASKED, [*ASKED, "-o", "new.svg"], [*ASKED, "-o", "new.png", "--solve"]],
    "sheet": [*ASKED, "-o", "new.pdf", "--solutions"], "clues": ["consecutive"],
    "crosscheck": ASKED,
    "fuzz": [*ASKED, "--limit", "30", "--backends", "plain,z3-int-distinct"],
}  # fmt: skip
WITHOUT_CLUES = {"rules", "encodings", "bench", "serve"}  # of the page see below
WALK = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from satdoku.cli import main

class Text(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BytesIO(), write_through=True)

done = []
for words in json.load(sys.stdin):
    with redirect_stdout(Text()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(words)
    done.append([words, code, out.buffer.getvalue().decode(), err.getvalue()])
print(json.dumps(done))
"""


def test_every_command_knows_a_new_kind_of_clue(copy):
    """Each answers; what is written for other programs is read back as the same clue."""
    from satdoku.cli.commands import SUMMARIES

    assert IN_ALL.keys() | WITHOUT_CLUES == SUMMARIES.keys()
    rows = ("1" + "." * 15, ROW[:8] + "." * 8)
    lines = ["puzzle,rules", *(f'{row},"{NEW}"' for row in rows)]
    (copy / "rows.csv").write_text("\n".join(lines))
    recipe = '[[part]]\nrows = 2\nsize = 4\nclues = ["consecutive"]\n'
    (copy / "recipe.toml").write_text(recipe)
    # what a solver says of the formula that `export` writes: the grid as literals
    true = [4 * cell + int(digit) for cell, digit in enumerate(ROW)]
    (copy / "answer").write_text(f"s SATISFIABLE\nv {' '.join(map(str, true))} 0\n")
    walk = [
        [command, *words]
        for command, ways in IN_ALL.items()
        for words in (ways if isinstance(ways[0], list) else [ways])
    ]
    walk.sort(key=lambda words: words[0] in ("verify", "decode"))  # they read what others write
    done = subprocess.run(
        [sys.executable, "-c", WALK], cwd=copy, input=json.dumps(walk), text=True,
        capture_output=True, env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for words, code, out, err in json.loads(done.stdout):
        assert code in (0, 1) and (out or "-o" in words), (words, code, out, err)
        if words[-1] in ("iss", "fpuzzles"):
            assert "ConsecutiveLine~R1C1~R2C2~R3C3" in out or words[-1] == "fpuzzles"
            code, read = run(copy, "export", out.strip(), "-f", "json")
            assert (code, json.loads(read)["clues"]) == (0, [NEW])
    assert (copy / "new.pdf").read_bytes().startswith(b"%PDF")
    assert 'stroke="#c9a27a"' in (copy / "new.svg").read_text()
    assert run(copy, "check", "." * 16, "--clue", "consecutive-line:r1c1,r1c2")[0] == 2


ON_PAGE = f"""
import json
from satdoku import Board, constraints_for
from satdoku.files.fpuzzles.words import is_stated
from satdoku.model.words import sayings
from satdoku.web.catalogue import catalogue
from satdoku.web.questions import answering

(kind,) = (kind for kind in catalogue()["kinds"] if kind["name"] == "consecutive")
puzzle = {{"format": "satdoku-puzzle", "version": 1, "puzzle": "1" + "." * 15, "clues": ["{NEW}"]}}
(picture,) = answering("picture")({{"puzzle": puzzle}})
constraints = constraints_for("{NEW}", Board.of_size(4))
words = sayings(constraints)[1], is_stated("consecutive rules apply.", constraints)
taken = {{}}
plain = {{"sudokuwiki", "drawn", "killer"}}  # they state no clue, or cages alone
for form in [form["name"] for form in catalogue()["formats"] if form["name"] not in plain]:
    try:
        (taken[form],) = answering("export")({{"puzzle": puzzle, "format": form}})
    except Exception as error:
        taken[form] = str(error)
print(json.dumps([kind, picture, taken, words]))
"""


def test_the_page_knows_a_new_kind_of_clue(copy):
    done = subprocess.run(
        [sys.executable, "-c", ON_PAGE], cwd=copy, text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    kind, picture, taken, (said, is_stated) = json.loads(done.stdout)
    assert is_stated and said == [
        "Consecutive line", "Neighbouring digits along the brown line are consecutive.",
    ]  # fmt: skip
    assert (kind["group"], kind["shape"]) == ("Lines and sets", "line")
    assert picture["clues"][0]["says"] == "neighbouring digits along the line are consecutive"
    assert 'stroke="#c9a27a"' in picture["svg"]
    for form, got in taken.items():
        assert isinstance(got, dict), (form, got)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [4, pytest.param(9, marks=pytest.mark.slow)])
def test_all_backends_agree_on_a_new_rule(with_rules, rule, size):
    puzzle = "1" + "." * 15 if size == 4 else PUZZLES[rule]
    assert run(with_rules, "fuzz", puzzle, "--rules", rule, "--limit", "100")[0] == 0


def test_backends_disagree_if_the_second_statement_is_wrong(tmp_path):
    relation, ratio, statement = recipes()["Another relation"]
    wrong = statement._replace(code=statement.code.replace(" and y != 2 * x", ""))
    assert wrong != statement
    apply([relation, ratio, wrong], package_copy(tmp_path))
    assert run(tmp_path, "fuzz", "." * 16, "--rules", "ratio", "--limit", "300")[0] == 1


def test_a_rule_without_its_second_statement_is_refused(tmp_path):
    apply(recipes()["An inequality rule"][:1], package_copy(tmp_path))
    code, printed = run(tmp_path, "check", "." * 16)
    assert (code, printed) == (2, "")


def test_a_new_encoding_has_the_same_grids_and_the_size_that_it_states(copy):
    words = ("--rules", "wrapped")
    assert grids(copy, "." * 16, *words, "--encoding", "split") == grids(copy, "." * 16, *words)
    _, sizes = run(copy, "encodings", "--size", "9", "--encodings", "split")
    assert sizes.split()[-2] == f"{729 + 324 * 3:,}"
    assert run(copy, "fuzz", "--cases", "5", "--backends", "plain,split")[0] == 0


def test_a_new_solver_is_asked_everywhere(copy):
    assert run(copy, "check", "." * 16, "--solver", "maplechrono") == (1, "multiple\n")
    assert run(copy, "fuzz", "--cases", "5", "--backends", "plain,maplechrono")[0] == 0


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=[pytest.mark.slow] * (rule != "ratio")) for rule in RULES]
)
def test_a_new_backend_agrees_with_the_others(copy, rule):
    """On 4x4 in any encoding, and on a 9x9 grid without its first row, in the default one."""
    words = ("--rules", rule, "--limit", "30", "--backends")
    assert run(copy, "fuzz", "12" + "." * 14, *words, "plain,dpll,dpll/log,dpll/split")[0] == 0
    _, grid = run(copy, "solve", PUZZLES[rule], "--rules", rule)
    assert run(copy, "fuzz", "." * 9 + grid[9:81], *words, "plain,dpll")[0] == 0


def test_a_new_foreign_format_is_read_and_written_everywhere(copy):
    puzzle = PUZZLES["camel"]
    code, link = run(copy, "export", puzzle, "-f", "sudokuwiki")
    assert code == 0 and link.startswith("https://www.sudokuwiki.org/Sudoku.htm?bd=")
    assert run(copy, "count", link.strip()) == run(copy, "count", puzzle)
    (copy / "links.txt").write_text(f"{link}{link[:-2]}\n{puzzle}\n")
    written = run(copy, "batch", "links.txt", "-q", "-f", "csv", "-o", "-")[1].splitlines()
    assert len(written) == 4 and written[1].split(",")[3:] == written[3].split(",")[3:]
    assert "bd= with 81 digits" in written[2]
    assert run(copy, "export", puzzle, "-r", "king", "-f", "sudokuwiki") == (2, "")


def test_a_new_format_is_written(copy):
    good, bad = "1234341221434...", "11" + "." * 14
    words = ("batch", "-", "-q", "-f", "pairs")
    code, printed = run(copy, *words, stdin=f"{good}\n{bad}\n")
    assert (code, printed) == (0, f"{good}:1234341221434321\n{bad}:\n")
    run(copy, *words[:3], "-o", "out.pairs", stdin=f"{good}\n")
    assert (copy / "out.pairs").read_text() == f"{good}:1234341221434321\n"


def test_a_new_command_has_its_help_and_answers(copy):
    assert run(copy, "givens", "1" + "." * 15) == (0, "1\n")
    assert '"givens": 1' in run(copy, "givens", "1" + "." * 15, "--json")[1]
    assert "satdoku givens 123............." in run(copy, "givens", "--help")[1]
    assert "print the number of givens" in run(copy, "--help")[1]
