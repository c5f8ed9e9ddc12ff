"""Collections solved from Python, file to file; `cli/commands/test_batch.py` has the options."""

import csv
import gzip
import json
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from board_cases import BOARDS, some_puzzles
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku.answers.api import layers_in_several_ways
from satdoku.batch.files import Run, Solving, Writing, solve_files
from satdoku.files.collection import parts_of
from satdoku.files.outputs import journal_path
from satdoku.files.streams import FileError
from satdoku.model.grid import as_grid
from satdoku.runtime.errors import SatdokuError
from satdoku.witness.verify import solves

FOUR, FOUR_SOLUTION = "1.....2....3.4..", "1234432121433412"


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"{CLASSIC}\n{'.' * 81}\nnonsense\n")
    return str(path)


def test_lines_are_written_and_counted(puzzles, tmp_path):
    out = tmp_path / "out.txt"
    counts = satdoku.solve_files(puzzles, str(out))
    first, second, third = out.read_text().splitlines()
    assert first == f"unique {CLASSIC_SOLUTION}"
    assert (second.split()[0], third.split()[0]) == ("multiple", "invalid")
    assert counts["statuses"] == {"unique": 1, "multiple": 1, "invalid": 1}
    assert (counts["rows_read"], counts["rows_written"], counts["unreadable"]) == (3, 3, 1)


def test_a_run_tells_which_rows_cannot_be_read(puzzles, tmp_path):
    said = []
    Run([puzzles], str(tmp_path / "out.txt"), on_message=said.append).go()
    assert "line 3" in str(said[0])


def test_a_run_writes_ratings_in_place_of_solutions(puzzles, tmp_path):
    out = tmp_path / "out.csv"
    Run([puzzles], str(out), rated=True).go()
    rows = list(csv.DictReader(out.open()))
    assert [(row["er"], row["technique"]) for row in rows] == [("2.8", "claiming"), *2 * [("", "")]]
    assert "solution" not in rows[0]


def test_the_name_of_the_output_says_its_format(puzzles, tmp_path):
    out = tmp_path / "out.csv.gz"
    solve_files([puzzles], str(out), writing=Writing(results=["line", "status"]))
    with gzip.open(out, "rt") as text:
        rows = list(csv.DictReader(text))
    assert [row["line"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["status"] == "unique"


def test_rules_and_their_board_hold_for_every_row(tmp_path):
    path, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    path.write_text(f"{FOUR}\n")
    rules = satdoku.constraints_for("classic", satdoku.Board.of_size(4))
    solve_files(str(path), str(out), rules)
    assert json.loads(out.read_text())["solution"] == FOUR_SOLUTION


def test_a_finished_run_leaves_no_journal_and_the_same_output(puzzles, tmp_path):
    plain, resumed = tmp_path / "a.csv", tmp_path / "b.csv"
    solve_files(puzzles, str(plain))
    solve_files(puzzles, str(resumed), writing=Writing(resume=True), workers=2)
    assert resumed.read_bytes() == plain.read_bytes()
    assert not (tmp_path / journal_path("b.csv")).exists()


def test_what_cannot_be_done_is_said_before_anything_is_written(puzzles, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    with pytest.raises(FileError, match=r"empty.txt: holds no puzzle"):
        solve_files(str(empty), str(tmp_path / "out"))
    with pytest.raises(FileError, match="input and output at once"):
        solve_files(puzzles, puzzles)
    with pytest.raises(FileError, match="the line format has no columns"):
        solve_files(puzzles, str(tmp_path / "out"), writing=Writing(results=["status"]))
    with pytest.raises(SatdokuError, match="limit 3: expected 1"):
        solve_files(puzzles, str(tmp_path / "out"), solving=Solving(limit=3))
    assert not (tmp_path / "out").exists()


def test_the_board_of_the_first_part_holds_for_all(tmp_path):
    for name, puzzle in (("a", FOUR), ("b", FOUR[::-1])):
        (tmp_path / name).write_text(f"{puzzle}\n")
    paths = [str(tmp_path / name) for name in "ab"]
    assert [part.board.size for part in parts_of(paths, None, None, 8)] == [4, 4]


# Any board ---------------------------------------------------------------------------------------

MIXED = [
    ("shape=6x7", "..1..4237....5...2.54..763...15.....6..4.3"),
    ("", CLASSIC),
    ("shape=6x6;digits=0-5", "4..3.....2..03....5.....3...0..4..1."),
    ("shape=6x6", "4..3.....2..63....5.....3...6..4..1."),
    ("shape=4x4;layer=shade:0-1", "...23....1....4."),
    ("shape=2x3;digits=-1,4,20", "-1 . . . . 20"),
    ("", ".Shape~2x3~0-2.~R1C1_0.~R1C2_1.~R2C1_2"),
    ("", FOUR),
    ("shape=4x4", FOUR),
]


def mixed_csv():
    return "\n".join(["rules,puzzle", *(f'"{rules}",{puzzle}' for rules, puzzle in MIXED)])


def mixed_objects(key="puzzle"):
    return "\n".join(json.dumps({"rules": rules, key: text}) for rules, text in MIXED)


def mixed_parquet(path):
    rules, puzzles = zip(*MIXED, strict=True)
    pq.write_table(pa.table({"rules": rules, "puzzle": puzzles}), path)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("writing", [Writing(), Writing(keep=["all"]), Writing(resume=True)])
def test_each_row_is_solved_on_the_board_of_its_own_rules(tmp_path, form, writing):
    """Of rows without rules the first decides the board: those of another size are errors."""
    path, out = tmp_path / f"in.{form}", tmp_path / "out.csv"
    if form == "parquet":
        mixed_parquet(path)
    else:
        path.write_text(mixed_csv() if form == "csv" else mixed_objects())
    counts = solve_files(str(path), str(out), writing=writing, workers=2)
    rows = list(csv.DictReader(out.open()))
    assert [row["puzzle"] for row in rows[:6]] == [puzzle for _, puzzle in MIXED[:6]]
    for row, (rules, puzzle) in zip(rows, MIXED, strict=True):
        if (rules, puzzle) == ("", FOUR):
            assert (row["status"], row["solution"]) == ("invalid", "")
            assert "found 16 cells, expected 81 cells" in row["reason"]
            continue
        assert row["status"] == str(satdoku.classify(puzzle, rules or "classic"))
        if row["status"] == "unique":
            assert row["solution"] == str(satdoku.solve(puzzle, rules or "classic"))
    assert counts["unreadable"] == 1


def test_results_of_several_boards_make_no_array(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(mixed_csv())
    with pytest.raises(SatdokuError, match="several boards, do not go into one array"):
        solve_files(str(path), str(tmp_path / "out.npz"))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("form", ["txt", "csv", "jsonl", "parquet", "npz"])
def test_results_of_any_board_are_puzzles_again(tmp_path, name, form):
    rules, puzzles = BOARDS[name], some_puzzles(BOARDS[name], 12)
    path, out = tmp_path / "in.txt", tmp_path / f"out.{form}"
    path.write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
    solve_files(str(path), str(out), rules)
    first = tmp_path / "first.csv"
    solve_files(str(path), str(first), rules)
    expected = [(row["puzzle"], row["solution"]) for row in csv.DictReader(first.open())]
    assert [puzzle for puzzle, _ in expected] == list(map(str, puzzles))
    assert all(
        bool(text) == bool(satdoku.solve(p, rules))
        for p, (_, text) in zip(puzzles, expected, strict=True)
    )
    if form == "txt":
        lines = [line.split(maxsplit=1) for line in out.read_text().splitlines()]
        statuses = [str(satdoku.classify(puzzle, rules)) for puzzle in puzzles]
        assert [line[0] for line in lines] == statuses
        solved = [line[1] if line[0] in ("unique", "multiple") else "" for line in lines]
        assert solved == [text for _, text in expected]
        return
    again = tmp_path / "again.csv"
    solve_files(str(out), str(again), rules)
    found = list(csv.DictReader(again.open()))
    assert [(row["puzzle"], row["solution"]) for row in found] == expected


def test_values_of_layers_are_columns(tmp_path):
    rules, path = BOARDS["layer"], tmp_path / "in.txt"
    puzzles = some_puzzles(rules, 20)
    path.write_text("".join(f"{puzzle}\n" for puzzle in puzzles))
    columns = Writing(results=["status", "solution", "layers", "several_ways"])
    solve_files(str(path), str(tmp_path / "out.jsonl"), rules, writing=columns)
    solve_files(str(path), str(tmp_path / "out.csv"), rules, writing=columns)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").open()]
    board = satdoku.constraints_for(rules).board
    for puzzle, line in zip(puzzles, lines, strict=True):
        if "solution" in line:
            values = [*line["solution"], *chain.from_iterable(line["layers"]["shade"])]
            full = as_grid([int(value) for value in values], board)
            assert solves(full, puzzle, satdoku.constraints_for(rules).rules)
        if line["status"] == "unique":
            expected = list(layers_in_several_ways(satdoku.parse_puzzle(str(puzzle), rules)))
            assert line["several_ways"] == expected
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    stated = [row["layers"] and json.loads(row["layers"]) for row in rows]
    assert stated == [line.get("layers", "") for line in lines]


def test_a_grid_of_another_board_may_have_a_row_on_a_line(tmp_path):
    path, out = tmp_path / "in.txt", tmp_path / "out.txt"
    rules, puzzles = BOARDS["holes"], some_puzzles(BOARDS["holes"], 3)
    lines = [[p[:3], p[3:7], p[7:11], p[11:]] for p in map(str, puzzles)]
    path.write_text("\n\n".join("\n".join(rows) for rows in lines))
    counts = solve_files(str(path), str(out), rules)
    assert counts["rows_written"] == 3
    assert [line.split()[0] for line in out.read_text().splitlines()] == [
        str(satdoku.classify(puzzle, rules)) for puzzle in puzzles
    ]


def test_a_text_that_is_no_list_of_the_board_is_refused(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("alice 12 3.5\nbob 7 8.25\ncarol 1 2.75\ndave 4 4\n")
    with pytest.raises(FileError, match="no puzzles here"):
        solve_files(str(path), str(tmp_path / "out.txt"), "shape=6x6;digits=1-9")
