"""Where puzzles come from, and what is said of bad ones."""

import gzip
import json
from random import Random

import pytest
from command_cases import CLASH, LETTER, NONE, ROWS
from examples import CLASSIC, CLASSIC_SOLUTION
from large_puzzles import UNIQUE

from satdoku import solve
from satdoku.cli import main
from satdoku.files.collection import read_chunks
from satdoku.files.puzzles import read_puzzles
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.puzzle import Puzzle, Unreadable


@pytest.mark.parametrize("text", [CLASSIC, ROWS, CLASSIC + "\r\n", "# title\n" + ROWS])
def test_a_puzzle_comes_from_an_argument_a_file_or_standard_input(run, file, stdin, text):
    expected = (0, CLASSIC_SOLUTION + "\n", "")
    assert run("solve", text) == expected
    assert run("solve", file(text)) == expected
    assert run("solve", file(gzip.compress(text.encode()), "puzzle.gz")) == expected
    stdin(text)
    assert run("solve", "-") == expected


def test_many_puzzles_are_answered_in_order(run, file):
    name = file(f"{CLASSIC}\n{'.' * 16}\n{NONE}\n")
    assert run("check", CLASH, name, CLASSIC)[:2] == (
        1,
        "invalid\nunique\nmultiple\nnone\nunique\n",
    )


def full_grid(size):
    side = round(size**0.5)
    symbols = "123456789ABCDEFGHIJKLMNOP"
    places = [divmod(cell, size) for cell in range(size * size)]
    return "".join(symbols[(side * (r % side) + r // side + c) % size] for r, c in places)


def test_large_grids_fit_in_an_argument(run):
    grid = full_grid(16)
    assert run("check", grid) == (0, "unique\n", "")
    assert run("solve", "." * 5 + grid[5:]) == (0, grid + "\n", "")
    code, out, _ = run("export", "-f", "smtlib2", full_grid(25))
    assert (code, out.count("(assert (= ")) == (0, 625)


@pytest.mark.parametrize("separator", ["", "\n", " "])
def test_regions_come_as_text_or_file(run, file, separator):
    regions = separator.join(["aaaa", "bbbb", "cccc", "dddd"])
    for arguments in (
        ["--rules", "jigsaw", "--regions", regions],
        ["--regions", regions],
        ["--regions", file(regions, "map.txt")],
        ["--rules", "jigsaw=1111222233334444"],
    ):
        # Rows as regions leave the Latin squares of order 4.
        assert run("count", *arguments, "." * 16) == (0, "576\n", "")


@pytest.mark.parametrize("board", [["--rules", "latin=5"], ["--size", "5"]])
def test_every_command_takes_a_board_without_boxes(run, tmp_path, board):
    puzzle, solution = "..34.52...1.5.....3.....1", "2134552413135244513234251"
    file, proof = tmp_path / "puzzle.txt", str(tmp_path / "proof")
    file.write_text(puzzle)
    assert run("solve", puzzle, *board) == (0, f"{solution}\n", "")
    assert run("batch", str(file), *board)[1] == f"unique {solution}\n"
    assert run("audit", str(file), *board)[1].startswith("Sound\n")
    assert run("certify", puzzle, *board, "-o", proof)[0] == 0
    assert run("verify", proof)[1] == f"verified unique {puzzle} latin=5\n"
    told = run("explain", puzzle, *board)[1]
    assert told == "r1c2=1: the only place for 1 in row 1 (hidden single)\n"
    link = run("export", puzzle, *board, "-f", "fpuzzles")[1].strip()
    iss = run("export", puzzle, *board, "-f", "iss")[1].strip()
    for other in (link, iss, run("export", puzzle, *board, "-f", "json")[1].strip()):
        assert run("solve", other) == (0, f"{solution}\n", "")
    five = [" ".join(puzzle[i : i + 5]) for i in range(0, 25, 5)]
    frame = ["┌───────────┐", *(f"│ {row} │" for row in five), "└───────────┘"]
    assert run("render", puzzle, *board)[1] == "\n".join([*frame, ""])


@pytest.mark.parametrize("rules", ["latin=5", "jigsaw=1111212222333334444455555"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_rows_tell_a_size_that_no_boxes_fit(run, tmp_path, rules, kind):
    board = constraints_for(rules).board
    puzzle = str(solve("." * 25, rules))
    rows = [(puzzle[:24] + ".", rules), (puzzle[:24] + "6", rules), ("." * 24, rules)]
    path = tmp_path / f"rows.{kind}"
    lines = {
        "csv": ["puzzle,rules", *(",".join(row) for row in rows)],
        "jsonl": [json.dumps(dict(zip(("puzzle", "rules"), row, strict=True))) for row in rows],
    }[kind]
    path.write_text("\n".join(lines) + "\n")
    code, out, err = run("solve", str(path))
    assert (code, out) == (2, f"{puzzle}\n")
    assert "found '6', expected a digit 1-5" in err
    assert "found 24 cells, expected 25 cells (5x5)" in err
    assert run("batch", str(path))[1].splitlines()[0] == f"unique {puzzle}"
    assert [grid.board for grid in good_grids(path)] == [board]


def good_grids(path):
    """Of both ways to read a file, which agree."""
    found = list(read_puzzles(str(path)))
    (chunk,) = read_chunks(str(path))
    assert [*chunk.errors] == [i for i, one in enumerate(found) if isinstance(one, Unreadable)]
    assert chunk.board == Board.latin(5)
    return [puzzle.grid for puzzle in found if isinstance(puzzle, Puzzle)]


def test_latin_takes_the_boxes_of_any_puzzle_away(run, tmp_path):
    """In a column of rules, too."""
    puzzle, rows = ".4....2....3.2.1", tmp_path / "rows.csv"
    rows.write_text(
        f"puzzle,rules\n{puzzle},latin\n{puzzle},\n{puzzle},latin=4\n{puzzle},latin=5\n"
    )
    for command in ("check", "batch"):
        lines = run(command, str(rows))[1].splitlines()
        assert [line.split()[0] for line in lines[:3]] == ["unique", "none", "unique"]
    assert lines[3] == f"invalid {rows}: line 5: rules 'latin=5' are for a board of another size"
    assert run("check", puzzle, "--rules", "latin") == (0, "unique\n", "")
    assert run("count", "." * 16, "--rules", "latin") == (0, "576\n", "")


@pytest.mark.parametrize(
    ("puzzle", "column", "message"),
    [
        (LETTER, 41, "found 'x', expected a digit 1-9, or one of . 0 % * _ ? for an empty cell"),
        (CLASSIC[1:], 81, "found 80 cells, expected 81 cells (9x9)"),
        (CLASSIC + "1", 82, "found 82 cells, expected 81 cells (9x9)"),
        (CLASSIC[1:] + "x", 81, "found 'x', expected a digit 1-9"),
    ],
)
def test_a_bad_puzzle_is_shown_where_it_is_bad(run, file, puzzle, column, message):
    code, out, err = run("solve", puzzle)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: puzzle: line 1, column {column}: {message}")
    name = file(f"# title\n{puzzle}\n")
    for command in ("solve", "check", "count", "enumerate", "export"):
        code, out, err = run(command, name)
        assert (code, out) == (2, "")
        assert err.startswith(f"satdoku: {name}: line 2, column {column}: {message}")
    code, out, err = run("batch", name)
    assert (code, out.split()[0]) == (2, "invalid")
    assert f": {message}" in out and f": {message}" in err


@pytest.mark.parametrize("command", ["solve", "check", "count", "enumerate", "batch", "export"])
def test_files_that_hold_no_puzzle(run, file, tmp_path, command):
    missing, hollow = tmp_path / "missing.txt", tmp_path / "hollow"
    hollow.mkdir()
    for name, message in (
        (file("", "empty"), "empty: holds no puzzle"),
        (file("# only comments\n\n", "comments"), "comments: holds no puzzle"),
        (str(hollow), "a directory, expected" if command == "export" else "hollow: holds no file"),
        (str(missing), "missing.txt: No such file or directory"),
        (file(gzip.compress(b"1" * 999)[:-9], "cut.gz"), "cut.gz: broken file"),
    ):
        code, out, err = run(command, name)
        assert (code, out) == (2, "")
        assert err.startswith("satdoku: ") and message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["solve", "check", "batch", "export"])
def test_a_binary_file_is_bad_input_not_a_crash(run, file, command):
    name = file(Random(5).randbytes(3000), "binary")
    code, out, err = run(command, name)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: {name}: no puzzles here: expected") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "--rules", "knigth", CLASSIC], "no rule 'knigth': did you mean 'knight'?"),
        (["batch", "--rules", "miracel", "-"], "no rule 'miracel': did you mean 'miracle'?"),
        (["export", "--rules", "king,xyz"], "no rule 'xyz': choose from antiqueen, boxes, classic"),
        (["solve", "--rules", "jigsaw", CLASSIC], "jigsaw needs a region map"),
        (["solve", "--regions", "112", CLASSIC], "region map of 3 characters"),
        (["solve", "--rules", "windoku", "." * 36], "windoku needs square boxes"),
        (["solve", "--size", "7", CLASSIC], "found 81 cells, expected 49 cells (7x7)"),
        (["solve", ".Shape~6x17"], ".Shape~6x17: expected 1 to 16 rows and columns"),
        (["solve", ".Shape~9x9~2-10"], ".Shape~9x9~2-10: expected digits from 0 or 1 on"),
        (["solve", ".Shape~6x6~5"], ".Shape~6x6~5: row at r1c1 has 6 cells, and there are 5"),
        (
            ["solve", '{"grid": [[{}, {}, {}], [{}, {}]]}'],
            "row 1 of grid has 3 cells, expected 2 cells",
        ),
        (
            ["solve", "--rules", "samurai", CLASSIC],
            "found 81 cells, expected 369 cells (5 grids of",
        ),
        (["solve", "--size", "0", CLASSIC], "board size 0: expected 2 to 256"),
        (["solve", "--size", "5", "--rules", "latin=4", CLASSIC], "latin=4 on a board of 5x5"),
        (["solve", "--size", "16", CLASSIC], "found 81 cells, expected 256 cells (16x16)"),
        (["solve", "--solver", "nosuch", CLASSIC], "no solver 'nosuch': choose from cadical153"),
        (["export", "--encoding", "nosuch"], "no encoding 'nosuch': choose from extended"),
        (["decode", "--cnf", "nosuch.cnf", "-"], "nosuch.cnf: No such file or directory"),
        (["solve", "nosuch.cnf"], "nosuch.cnf: No such file or directory"),
        (["solve", ""], "empty name: No such file or directory"),
    ],
)
def test_bad_options_say_what_was_expected(run, stdin, arguments, message):
    stdin(CLASSIC)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("satdoku: ") and message in err


@pytest.mark.parametrize("command", ["solve", "check", "count", "enumerate"])
def test_one_bad_puzzle_does_not_cost_the_others(run, file, command):
    name = file(f"{CLASSIC}\n{LETTER}\n{CLASSIC}\n")
    answer = {"solve": CLASSIC_SOLUTION, "check": "unique", "count": "1"}.get(
        command, CLASSIC_SOLUTION
    )
    code, out, err = run(command, name)
    assert (code, out) == (2, f"{answer}\n" * 2)
    assert err.startswith(f"satdoku: {name}: line 2, column 41: found 'x'")
    assert run(command, LETTER, CLASSIC)[:2] == (2, f"{answer}\n")


LEAP = "thermo:r1c1,r3c3: r1c1 and r3c3 do not touch"
LEAPS = "1...............", "--rules", "thermo:r1c1,r3c3"


@pytest.mark.parametrize("command", ["solve", "check", "count", "candidates", "export"])
def test_a_clue_whose_cells_lie_apart_is_told_once_and_answered(run, command):
    code, out, err = run(command, *LEAPS)
    assert err == f"satdoku: warning: {LEAP}\n"
    assert run(command, "-q", *LEAPS) == (code, out, "")
    assert code in (0, 1) and out
    assert run("check", LEAPS[0], *LEAPS)[2] == f"satdoku: warning: {LEAP}\n"


def test_a_warning_says_where_its_clue_stands(run, file):
    clues = file("# mine\nthermo:r1c1,r3c3\n", "clues.txt")
    err = run("check", LEAPS[0], "--clue", clues)[2]
    assert err == f"satdoku: warning: {clues}: line 2: {LEAP}\n"
    rows = "puzzle,clues\n" + 2 * f'{LEAPS[0]},"v:r1c1,r1c2;thermo:r1c1,r3c3"\n'
    table = file(rows, "rows.csv")
    code, out, err = run("check", table)
    assert (code, out) == (1, "multiple\nmultiple\n")
    assert err == f"satdoku: warning: {table}: line 2: {LEAP}\n"


def test_batch_tells_of_its_own_clues_and_not_of_those_of_rows(run, file):
    table = file(f'puzzle,clues\n{LEAPS[0]},"thermo:r1c1,r3c3"\n', "rows.csv")
    code, out, err = run("batch", table)
    assert (code, out.split()[0]) == (0, "multiple")
    assert "warning" not in err
    code, _, err = run("batch", file(LEAPS[0]), *LEAPS[1:])
    assert (code, err.count(f"warning: {LEAP}")) == (0, 1)


@pytest.mark.parametrize("command", ["count", "minimize", "batch", "audit"])
def test_other_commands_refuse_large_puzzles(command, tmp_path, capsys):
    path = tmp_path / "large.txt"
    path.write_text(f"{UNIQUE}\n")
    assert main([command, str(path)]) == 2
    err = capsys.readouterr().err
    assert "at most 25x25" in err
    assert err.count("\n") == 1
