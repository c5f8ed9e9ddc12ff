"""Our own JSON of a puzzle: there and back, where it is read, what is refused."""

import json
import random
import re
from pathlib import Path

import jsonschema
import pytest
from clue_examples import random_clue
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from record_cases import Seen, read_both
from soak import share

from satdoku import Session, format_puzzle_json, parse_puzzle_json
from satdoku.cli import main
from satdoku.files.collection import read_chunks
from satdoku.files.foreign import ForeignError
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.puzzle_json import KEYS, puzzle_of
from satdoku.files.puzzles import read_puzzles
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, empty_grid
from satdoku.model.kinds import KINDS
from satdoku.model.rules import RULES, RuleError

EMPTY = "." * 81
PAGE = Path(__file__).parent.parent.parent / "docs" / "PUZZLE_JSON.md"
SCHEMA = json.loads((PAGE.parent / "puzzle.schema.json").read_text())
FITS = jsonschema.Draft202012Validator(SCHEMA).is_valid
JIGSAW = "000112222000011222003331122333444155363444175366444175886666775888667755888877755"
BOARDS = [
    *map(Board.of_size, (4, 6, 8, 9, 10, 12, 16, 25)),
    *(Board(6, 3, 2), Board.latin(5), Board.latin(9)),
    *map(Board.of_map, (JIGSAW, "1112122233334444", "01" * 2)),
]
HEAD = {"format": "satdoku-puzzle", "version": 1}
FOUR = {**HEAD, "puzzle": "1.....2....3.4.."}


def there_and_back(grid, constraints, **stated):
    """What is read of what is written; by a file of two such puzzles the same."""
    text = format_puzzle_json(grid, constraints, **stated)
    assert FITS(json.loads(text))
    read = parse_puzzle_json(text)
    assert (read.grid.cells, read.rules) == (grid.cells, constraints.name)
    again = constraints_for(read.rules, default=read.grid.board)
    assert again == constraints and again.board == read.grid.board
    assert format_puzzle_json(read.grid, again, **stated) == text
    return read


def drawn_grid(rng, board):
    digits = rng.choices([0, *range(1, board.size + 1)], k=board.cells)
    return Grid(bytes(digits), board)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_clue_of_every_kind_comes_back(kind):
    rng = random.Random(kind)
    for text in (KINDS[kind].example, *(random_clue(rng, kind, 9) for _ in range(8))):
        try:
            wanted = constraints_for(text)
        except ClueError:  # a sum out of reach
            continue
        there_and_back(drawn_grid(rng, wanted.board), wanted)


@settings(max_examples=share(60), deadline=None)
@given(
    st.sampled_from(BOARDS), st.sets(st.sampled_from(sorted(RULES))), st.integers(), st.booleans()
)
def test_whatever_is_written_comes_back(board, names, seed, marked):
    rng = random.Random(seed)
    try:
        constraints = constraints_for(",".join(sorted(names)) or "classic", board)
    except RuleError:  # windows that the board has not
        return
    digits = range(1, board.size + 1)
    marks = [frozenset(rng.sample(digits, rng.randint(0, board.size))) for _ in range(board.cells)]
    grid, solution = drawn_grid(rng, board), drawn_grid(rng, board)
    words = {"id": "7", "title": 'a "clues": ü', "author": "\x1b"}
    candidates = tuple(marks) if marked else None
    read = there_and_back(grid, constraints, candidates=candidates, solution=solution, **words)
    assert (read.marks, read.answer.cells) == (candidates, solution.cells)
    assert {key: getattr(read, key) for key in words} == words


def test_candidates_are_kept_by_every_solution(run, tmp_path):
    marks = [{2}, *[{1, 2, 3, 4}] * 15]
    path = tmp_path / "marked.json"
    path.write_text(format_puzzle_json("." * 16, candidates=marks))
    read = parse_puzzle_json(path.read_text())
    assert read.mark_bytes == bytes([0, 1, 0, 0, *[1] * 60])
    rules = constraints_for("classic", Board.of_size(4))
    with Session(rules) as session, session.restricted(read.mark_bytes):
        assert len(list(session.solutions(read.grid, limit=None))) == 72
    solutions = run("enumerate", path, "--limit", 100)[1].split()
    assert len(solutions) == 72 and {grid[0] for grid in solutions} == {"2"}
    code, out, _ = run("export", "-f", "json", path)
    assert (code, out) == (0, path.read_text() + "\n")
    code, _, err = run("export", "-f", "iss", path)
    assert code == 2 and "export -f json take them" in err
    assert parse_puzzle_json(json.dumps(FOUR | {"candidates": [[]] * 16})).mark_bytes == bytes(64)


def test_an_object_stands_wherever_a_puzzle_does(tmp_path):
    """Alone over several lines, and as a line among grids, links and records."""
    value = {**HEAD, "puzzle": CLASSIC, "clues": ["thermo:r1c1,r1c2"], "rules": "king"}
    more = value | {"id": 7, "solution": [int(digit) for digit in CLASSIC_SOLUTION]}
    rules = "king;thermo:r1c1,r1c2"
    path = tmp_path / "file"
    path.write_text(json.dumps(more, indent=2))
    whole = Seen(1, CLASSIC, "7", rules, CLASSIC_SOLUTION)
    assert read_both(path) == [whole]
    lines = [json.dumps(v) for v in (more, value, {"puzzle": EMPTY, "rules": "knight"})]
    lines += [CLASSIC, format_fpuzzles(EMPTY, "king")]
    seen = [whole, Seen(2, CLASSIC, "", rules), Seen(3, EMPTY, "", "knight")]
    seen += [Seen(4, CLASSIC), Seen(5, EMPTY, "", "king")]
    path.write_text("\n".join(lines))
    assert read_both(path) == seen
    path.write_text("\n".join([lines[2], *lines[:2]]))  # JSON lines
    assert [row[1:] for row in read_both(path)] == [row[1:] for row in (seen[2], *seen[:2])]


@pytest.mark.parametrize("first", [{"puzzle": EMPTY}, {"puzzle": "123456789" * 81}])
def test_candidates_beside_givens_and_among_marks(first, tmp_path):
    """Both ways of reading keep the candidates, and a link is a row among marks."""
    marks = [{2, 3}, *[set(range(1, 10))] * 80]
    lines = [json.dumps(first), format_puzzle_json(EMPTY, candidates=marks)]
    path = tmp_path / "file"
    path.write_text("\n".join([*lines, format_fpuzzles(CLASSIC)]))
    (chunk,) = read_chunks(str(path))
    wanted = parse_puzzle_json(lines[1]).mark_bytes
    assert not chunk.errors
    found = chunk.puzzles[1].tobytes() if chunk.marks is None else chunk.marks[1]
    assert found == wanted == list(read_puzzles(str(path), None, Board()))[1].mark_bytes


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 3}, "version: found 3, expected 1 or 2"),
        ({"version": True}, "version: found true or false, expected a number"),
        ({"format": "satdoku-puzle"}, "format: found satdoku-puzle, expected satdoku-puzzle"),
        ({"clue": []}, "no key 'clue': did you mean 'clues'? choose from format, version, "),
        ({"clues": {}}, "clues: found an object, expected a list or a text"),
        ({"clues": [7]}, "clues: found a number among them, expected texts"),
        ({"clues": ["termo:r1c1"]}, "clues: clue termo:r1c1: no kind 'termo': did you mean "),
        ({"clues": ["thermo:r1c1,r9c9"]}, "clues: clue thermo:r1c1,r9c9: r9c9 is outside the "),
        ({"rules": ["king"]}, "rules: found a list, expected a text"),
        ({"rules": "kinng"}, "rules: no rule 'kinng': did you mean 'king'?"),
        ({"puzzle": "x" * 16}, "puzzle: found 'x', expected a digit 1-4, or one of "),
        ({"puzzle": "1....."}, "puzzle: found 6 cells, expected "),
        ({"puzzle": [9] * 16}, "puzzle: found "),
        ({"boxes": "3x3"}, "puzzle: found 16 cells, expected 81 cells"),
        ({"boxes": "3"}, "boxes: found '3', expected rows and columns of a box, such as 3x3"),
        ({"boxes": "20x20"}, "boxes: board size 400: expected 2 to 256"),
        (
            {"boxes": "2x2", "rules": "jigsaw=1112122233334444"},
            "boxes: found boxes beside a region map, expected one of them",
        ),
        ({"rules": "jigsaw=1112"}, "rules: region 1 has 3 cells: expected 2"),
        ({"candidates": [[1]]}, "candidates: found 1 cell, expected 16"),
        ({"candidates": [[1]] * 15 + [[5]]}, "candidates: r4c4 has [5], expected a list of digits"),
        ({"candidates": [[1]] * 15 + [1]}, "candidates: r4c4 has 1, expected a list of digits"),
        ({"solution": "1234"}, "solution: found 4 cells, expected 16 cells"),
    ],
)
def test_what_is_wrong_is_told_with_its_key_and_place(change, problem):
    value = FOUR | change
    key = problem.partition(":")[0] if ":" in problem[:12] else next(iter(change))
    for indent in (None, 1):
        text = json.dumps(value, indent=indent)
        with pytest.raises(ForeignError) as caught:
            parse_puzzle_json(text, source="file", line=7)
        error = caught.value
        assert error.found.startswith(problem)
        line, column = text.splitlines()[error.line - 7], error.column
        assert line[column - 1 :].startswith(f'"{key}":')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no JSON object: "),
        (format_fpuzzles(CLASSIC), "found no '{', expected a JSON object"),
        ('{"format": "satdoku-puzzle"}', "version: not stated, expected 1 or 2"),
        ('{"version": 1}', "format: not stated, expected satdoku-puzzle"),
        (json.dumps(HEAD), "no key 'puzzle', expected format, version, puzzle"),
        (json.dumps(FOUR | {"puzzle": None}), "no key 'puzzle', expected"),
        (json.dumps(FOUR)[:-1] + ', "id": 1, "id": 2}', "id: stated twice, expected each key once"),
    ],
)
def test_an_object_that_is_not_whole_is_refused(text, problem):
    with pytest.raises(ForeignError, match=re.escape(problem)):
        parse_puzzle_json(text)


def test_an_object_is_read_as_its_text_is():
    text = format_puzzle_json(CLASSIC, "knight;thermo:r1c1,r1c2", title="T", id="7")
    assert puzzle_of(json.loads(text)) == parse_puzzle_json(text)
    with pytest.raises(ForeignError, match="no key 'colour'"):
        puzzle_of({**json.loads(text), "colour": "red"})


def test_null_is_as_good_as_no_key():
    nothing = dict.fromkeys(set(KEYS) - set(FOUR))
    assert parse_puzzle_json(json.dumps(FOUR | nothing)) == parse_puzzle_json(json.dumps(FOUR))


def test_rules_and_boards_that_are_asked_for_are_those_of_a_link():
    text = format_puzzle_json(EMPTY, "king")
    assert parse_puzzle_json(text, "knight,king").rules == "knight,king"
    with pytest.raises(ForeignError, match="the puzzle has the rules king, 'knight' lacks them"):
        parse_puzzle_json(text, "knight")
    with pytest.raises(ForeignError, match="found a board of 9x9 with boxes of 3x3, expected"):
        parse_puzzle_json(text, None, Board.of_size(4))


def test_the_page_tells_every_key_and_what_it_holds():
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.read_text(), re.MULTILINE)
    assert {key: set(kinds.split(" or ")) for key, kinds in rows} == {
        key: set(kinds) for key, kinds in KEYS.items()
    }


def test_the_examples_of_the_page_are_read_and_written_as_they_stand():
    examples = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for text in examples:
        read = parse_puzzle_json(text)
        stated = json.loads(text)
        assert json.loads(format_puzzle_json(read)) == stated
    assert len(examples) >= 2


def test_a_puzzle_of_another_board_costs_a_collection_no_other(tmp_path):
    path = tmp_path / "file"
    nine = format_puzzle_json(CLASSIC, solution=CLASSIC_SOLUTION)
    path.write_text(f"{format_puzzle_json('.' * 16, solution='1' * 16)}\n{nine}\n")
    four, other = read_chunks(str(path))
    assert (four.cells, other.cells) == (16, 81) and not (four.errors or other.errors)
    assert other.rules == ["boxes=3x3,classic"] and other.answers.stated.all()
    assert [str(record.answer) for record in read_puzzles(str(path))][1] == CLASSIC_SOLUTION


# The schema ---------------------------------------------------------------------------------------


def test_the_schema_knows_the_keys_of_the_reader():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"].keys() == KEYS.keys()
    assert FITS(FOUR | dict.fromkeys(set(KEYS) - set(FOUR)))
    for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL):
        assert FITS(json.loads(block))


VALUES = [
    *(None, True, 0, 1, 2, 1.5, "", "x", "3x3", "satdoku-puzzle", "1" + "." * 15, [], [1], ["x"]),
    *([[1]] * 16, [[1, 26]] * 16, [0] * 16, {}),
]


@pytest.mark.parametrize("key", [*KEYS, "clue"])
def test_what_the_schema_refuses_the_reader_refuses(key):
    """The reader may refuse more, but not for a type that the schema allows."""
    for value in VALUES:
        stated = FOUR | {key: value}
        try:
            parse_puzzle_json(json.dumps(stated))
        except ForeignError as error:
            told_type = re.search(r"no key|: found [a-z ]+, expected (a |satdoku)", error.found)
            assert not (told_type and FITS(stated)) or key in ("puzzle", "solution"), value
        else:
            assert FITS(stated), value


def test_an_object_without_a_format_is_read_by_its_keys_wherever_it_stands(capsys):
    """Typed, too, where only objects of formats were read."""
    typed = json.dumps({"quiz": "1" + "." * 15, "clues": "odd:r1c1", "id": 5})
    assert main(["solve", typed]) == 0
    solution = capsys.readouterr().out
    assert solution.startswith("1") and len(solution) == 17
    assert main(["export", typed, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "5"
    assert main(["check", json.dumps({"clues": "thermo:r1c1,r2c1", "puzzle": ["."] * 3})]) == 2
    assert main(["check", '{"title": "x"}']) == 2
    assert "no grid: expected 2 to 25 rows of cells" in capsys.readouterr().err


@pytest.mark.parametrize(
    "rules",
    [
        "shape=2x4,digits=0-3",
        "shape=4x4,digits=-2-1",
        "shape=4x4,digits=1-6;holes:r1c1",
        "king,shape=4x4;grids:r1c1,r3c3;cage=3:r1c1,r1c2",
    ],
)
def test_another_board_is_version_2_and_reads_back(rules):
    constraints = constraints_for(rules)
    grid = empty_grid(constraints.board)
    marks = [[1, 2]] * len(grid)
    text = format_puzzle_json(grid, constraints, candidates=marks)
    assert json.loads(text)["version"] == 2
    assert json.loads(text)["candidates"][0] == list(constraints.board.digits[:2])
    assert FITS(json.loads(text))
    found = parse_puzzle_json(text)
    assert (found.grid, found.constraints) == (grid, constraints)
    assert found.marks == tuple(map(frozenset, marks))


def test_marks_in_layers_are_values_of_the_layer():
    stated = {
        "format": "satdoku-puzzle",
        "version": 2,
        "puzzle": "0...",
        "rules": "shape=2x2,digits=0-1;layer=shade:3,5,8",
        "candidates": [[0], [0, 1], [1], [0, 1], [3], [3, 8], [5], [3, 5, 8]],
    }
    puzzle = puzzle_of(stated)
    assert list(map(sorted, puzzle.marks))[4:] == [[1], [1, 3], [2], [1, 2, 3]]
    text = format_puzzle_json(puzzle.grid, puzzle.constraints, candidates=puzzle.marks)
    assert json.loads(text)["candidates"] == stated["candidates"]
    stated["candidates"][4] = [0]
    with pytest.raises(
        ForeignError, match=r"shade\.r1c1 has \[0\], expected a list of digits 3,5,8"
    ):
        puzzle_of(stated)
