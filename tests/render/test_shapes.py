from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.words import letters
from satdoku.render import shapes

NINE = Board()


def test_an_element_has_short_numbers_and_names_with_dashes():
    assert shapes.element("circle", cx=1 / 3, r=2.0, stroke_width="1") == (
        '<circle cx="0.33" r="2" stroke-width="1"/>'
    )


def test_a_text_is_escaped_and_stands_on_its_baseline():
    assert shapes.text((1, 10), 10, "<2", fill="red") == (
        '<text x="1" y="13.6" fill="red">&lt;2</text>'
    )


def test_a_group_without_elements_is_left_out():
    assert list(shapes.group("a", "", [])) == []
    assert list(shapes.group("a", "", ["x"])) == ['<g class="a">', "x", "</g>"]
    assert next(shapes.group("a", 'fill="b"', ["x"])) == '<g class="a" fill="b">'


def test_points_between_points():
    assert shapes.centre(10, NINE) == (60, 60)
    assert shapes.between((0, 0), (40, 20)) == (20, 10)
    assert shapes.polyline([(0, 0), (1.5, 2)]) == "M0 0L1.5 2"


def test_small_digits_lie_in_their_cells_each_at_its_own_place():
    for size in (4, 6, 9, 10, 16, 25):
        board = Board.of_size(size)
        places = [shapes.spot(size + 1, digit, board) for digit in range(1, size + 1)]
        assert len(set(places)) == size
        half = shapes.slot(board) / 2
        assert all(40 + half <= x <= 80 - half for place in places for x in place)
    assert shapes.spot(0, 5, NINE) == (20, 20)
    assert shapes.spot(0, 1, NINE, part=0.5, lower=4) == (14, 18)


def test_cells_lie_at_their_places_and_small_digits_are_as_many_as_a_cell_may_hold():
    board = constraints_for("shape=4x6,digits=-4-5;holes:r1c1").board
    assert shapes.centre(0, board) == (60, 20) and shapes.centre(5, board) == (20, 60)
    assert shapes.distance(0, 5, board) == 2**0.5
    assert len({shapes.spot(0, digit, board) for digit in range(1, 11)}) == 10
    assert shapes.slot(board) == 36 / 4  # ten digits need four columns
    assert letters(board) == 2 and letters(NINE) == 1
