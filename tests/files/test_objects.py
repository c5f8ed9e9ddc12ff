"""JSON lines: which key holds what, and lines that are no objects."""

import json

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from record_cases import Seen, read_both

from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.fpuzzles.links import load
from satdoku.files.objects import TRIED
from satdoku.files.puzzle_json import format_puzzle_json
from satdoku.files.streams import FileError

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81


@pytest.fixture
def read(tmp_path):
    def call(*objects, **options):
        path = tmp_path / "file"
        lines = (o if isinstance(o, str) else json.dumps(o) for o in objects)
        path.write_text("".join(f"{line}\n" for line in lines))
        return read_both(path, **options)

    return call


def test_a_role_keeps_the_key_that_it_had_first(read):
    """Whatever the chunks are: a better name that comes later changes nothing."""
    many = [{"quiz": P}] * TRIED
    found = read(*many, {"quiz": E, "solved": A}, {"solution": E, "solved": P, "quiz": E})
    assert found[TRIED:] == [Seen(TRIED + 1, E, answer=A), Seen(TRIED + 2, E, answer=P)]


def test_of_the_first_objects_the_usual_name_counts(read):
    first, second = read({"grid": E, "id": 1}, {"puzzle": P, "grid": E})
    assert (first.id, first.puzzle[2], second) == ("1", "nothing", Seen(2, P))


def test_lines_that_are_no_objects_are_errors_of_their_own(read):
    found = read({"puzzle": P}, "# comment", "", "7", '{"puzzle": ', "[1]", {"puzzle": None}, P)
    assert [seen.line for seen in found] == [1, 4, 5, 6, 7, 8]
    assert found[0] == Seen(1, P)
    assert found[4].puzzle[:4] == (7, 1, "nothing", "a puzzle of 81 cells")
    assert all(isinstance(seen.puzzle, tuple) for seen in found[1:])


def test_json_of_fpuzzles_is_a_row_among_others(read):
    link = format_fpuzzles(E, "knight")
    expected = [Seen(1, P, "7"), Seen(2, E, rules="knight"), Seen(3, E, rules="knight")]
    assert read({"puzzle": P, "id": 7}, load(link), link) == expected
    assert read(load(link), link) == [Seen(n, E, rules="knight") for n in (1, 2)]


def test_a_puzzle_by_itself_changes_no_keys_and_needs_none(read):
    """Neither a link nor JSON of ours has the keys of the records around it."""
    own = json.loads(format_puzzle_json(E, "king", id="7", solution=A))
    link = format_fpuzzles(E, "knight")
    whole = [Seen(2, E, "7", "king", A), Seen(3, E, rules="knight"), Seen(4, E, rules="knight")]
    found = read({"quiz": P, "name": "a", "solved": A}, own, link, load(link), {"quiz": P})
    assert found == [Seen(1, P, "a", answer=A), *whole, Seen(5, P)]
    assert read(own, link, load(link), format="jsonl") == [
        seen._replace(line=seen.line - 1) for seen in whole
    ]


def test_an_object_that_is_never_closed_costs_no_other(read):
    broken = '{"puzzle": "' + P
    for line in (broken, '{"puzzle": [', "{"):
        _, *others = read(line, {"puzzle": P}, {"puzzle": E})
        assert others == [Seen(2, P), Seen(3, E)]
        first, _, *others = read(load(format_fpuzzles(P)), line, E, format_fpuzzles(E), P)
        assert first == Seen(1, P, rules="classic")
        assert others == [Seen(3, E), Seen(4, E, rules="classic"), Seen(5, P)]


def test_a_file_without_a_key_for_the_puzzle_is_refused(read):
    with pytest.raises(FileError, match="no object has a key 'puzzle'"):
        read({"a": P}, {"b": P})
