"""`Constraints`: the values computed from its groups and pairs."""

import random
import time
from contextlib import suppress
from itertools import combinations

import pytest
from clue_examples import random_clue

from satdoku.model.board import Board, BoardError
from satdoku.model.clue import Clue, ClueError
from satdoku.model.constraints import constraints_for, tells_board, whole, with_clues
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.lowering import _said, clue_family, quick_families
from satdoku.model.rules import RuleError
from satdoku.runtime.errors import SatdokuError

MAP = "1112122233334444"
CASES = [
    ("classic", 4), ("classic", 6), ("classic", 9), ("miracle", 9), ("diagonal,antiqueen", 6),
    ("windoku,disjoint", 9), (f"jigsaw={MAP},king", 4), ("knight", 16),
]  # fmt: skip


def each(rules, size):
    return constraints_for(rules, None if "jigsaw" in rules else Board.of_size(size))


@pytest.mark.parametrize("rules, size", CASES)
def test_exclusions_are_all_pairs_that_cannot_both_hold(rules, size):
    constraints = each(rules, size)
    grouped = {tuple(sorted(p)) for g in constraints.groups for p in combinations(g, 2)}
    stated = {pair for family in constraints.families for pair in family.pairs}
    assert constraints.exclusions == tuple(sorted(grouped | stated))
    assert set(constraints.exclusions) == grouped | set(constraints.pairs)
    assert not grouped & set(constraints.pairs)


def test_exclusions_by_number():
    """The extended encoding has 10,530 distinct clauses; 324 of them say "at least one"."""
    assert len(constraints_for("classic").exclusions) == 10_206
    assert len(constraints_for("miracle").exclusions) == 14_706 - 324


@pytest.mark.parametrize("rules, size", [case for case in CASES if case[1] < 16])
def test_overlaps_are_all_groups_that_share_two_candidates(rules, size):
    constraints = each(rules, size)
    groups = [set(group) for group in constraints.groups]
    expected = {
        (a, b)
        for (a, one), (b, other) in combinations(enumerate(groups), 2)
        if len(one & other) > 1 and one != other
    }
    assert len(constraints.overlaps) == len(expected)
    assert set(constraints.overlaps) == expected


def test_overlaps_by_number():
    """Classic 9x9: for each of nine digits, a box meets three rows and three columns."""
    assert len(constraints_for("classic").overlaps) == 9 * 6 * 9


def test_a_region_map_is_the_boards_and_no_rule():
    constraints = constraints_for(f"jigsaw={MAP},king")
    assert constraints.rules == ("king",)
    assert constraints.name == "king,jigsaw=0001011122223333"
    assert constraints.board.region_map == "0001011122223333"
    assert constraints_for(constraints.name) == constraints
    assert constraints_for("king", constraints.board) == constraints
    assert constraints_for("king,jigsaw", constraints.board) == constraints
    assert Board.of_size(4).region_map == ""


def test_boxes_may_have_any_shape():
    constraints = constraints_for("king,boxes=3x2")
    assert (constraints.board, constraints.rules) == (Board(6, 3, 2), ("king",))
    assert constraints.name == "king,boxes=3x2"
    assert constraints_for(constraints.name, Board.of_size(6)) == constraints
    assert constraints_for("boxes=2x3").name == "classic"
    assert constraints_for("boxes=1x7").name == "latin=7"


def test_latin_takes_the_boxes_away():
    constraints = constraints_for("king,latin", Board.of_size(4))
    assert (constraints.board, constraints.rules) == (Board.latin(4), ("king",))
    assert constraints.name == "king,latin=4"
    assert constraints_for(constraints.name) == constraints
    assert constraints_for("king", constraints.board) == constraints
    assert constraints_for("LATIN").board == Board.latin(9)
    assert [family.name for family in constraints_for("latin=5").families] == [
        "cell", "row", "column",
    ]  # fmt: skip
    assert constraints_for(f"jigsaw={MAP}", Board.latin(4)).board == Board.of_map(MAP)


@pytest.mark.parametrize(
    "text, size, message",
    [
        ("latin=5", 9, "latin=5 on a board of 9x9"),
        ("latin=x", 9, "latin=x: expected a size, such as latin=5"),
        ("latin=257", None, "board size 257: expected 2 to 256"),
        (f"latin=4,jigsaw={MAP}", None, "latin and jigsaw: expected only one that tells the board"),
        ("boxes=3x2", 9, "boxes=3x2 on a board of 9x9"),
        ("boxes=3", None, "boxes=3: expected rows x columns, as in boxes=2x6"),
        ("boxes", 9, "boxes=: expected rows x columns, as in boxes=2x6"),
        ("boxes=20x20", None, "board size 400: expected 2 to 256"),
        ("latin,windoku", 9, "windoku needs square boxes"),
        ("latin,disjoint", 9, "disjoint needs rectangular boxes"),
        (
            "latin;box-index:r1c1",
            9,
            "clue box-index:r1c1: it goes by boxes, and the board has none",
        ),
        ("latin;region-sum:r1c1-r1c6", 9, "it goes by boxes, and the board has none"),
        ("latin;cage:box1", 9, "clue cage:box1: box1: the board has no boxes"),
    ],
)
def test_what_needs_boxes_is_refused_where_there_are_none(text, size, message):
    with pytest.raises(SatdokuError, match=message):
        constraints_for(text, size and Board.of_size(size))


@pytest.mark.parametrize(
    "text, error, message",
    [
        ("jigsaw", RuleError, "needs a region map"),
        (f"jigsaw={MAP[:-1]}", BoardError, "15 characters"),
        ("jigsaw=1111222233333333", BoardError, "3 regions: expected 4"),
        ("jigsaw=1111122223333444", BoardError, "region 1 has 5 cells"),
        ("king=3", RuleError, "'king' takes no value"),
    ],
)
def test_bad_region_maps_are_rejected(text, error, message):
    with pytest.raises(error, match=message):
        constraints_for(text)


def test_rules_with_a_region_map_bring_their_board_and_others_take_the_default():
    six = Board.of_size(6)
    assert constraints_for("king", default=six).board == six
    assert constraints_for(f"king,jigsaw={MAP}", default=six).board == Board.of_map(MAP)
    assert constraints_for(constraints_for("king"), default=six).board == Board.of_size(9)


ALL = ",".join(f"row{row}" for row in range(1, 10))
ALL_25 = ",".join(f"row{row}" for row in range(1, 26))


@pytest.mark.parametrize(
    "clue, size, problem",
    [
        (f"contains={','.join('1' * 12)}:{ALL}", 9, "a digit so often in 81 cells"),
        (f"sum=9000:{ALL_25}", 25, "its 625 cells are too many"),
        (f"slow-thermo:{ALL_25}", 25, "it relates too many cells, 195000 pairs"),
        ("taxicab", 25, "it relates too many cells, "),
    ],
)
def test_a_clue_that_would_fill_the_memory_is_refused(clue, size, problem):
    """Each of them is shorter than a line, and ran for minutes."""
    start = time.process_time()
    with pytest.raises(ClueError, match=problem):
        constraints_for(clue, Board.of_size(size))
    assert time.process_time() - start < 10


def test_clues_that_together_would_fill_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr("satdoku.model.constraints.MOST_CLAUSES", 10_000)
    clues = [f"sum={total}:row1,r2c2" for total in range(50, 60)]
    assert constraints_for(clues[0]).clues
    with pytest.raises(
        ClueError, match=r"clue sum=5\d.*10 clues are too many: up to this one \d+,\d+ clauses"
    ):
        constraints_for(";".join(clues))


def test_clues_on_a_whole_board_are_read():
    for clue, pairs in ((f"slow-thermo:{ALL}", 116_640), (f"sum=400:{ALL}", 0)):
        assert sum(len(family.pairs) for family in constraints_for(clue).families) == pairs


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_clue_says_the_same_as_one_of_its_form_that_was_moved(kind):
    """Each kind whose meaning depends on where its cells lie says so (`by_place`)."""
    rng, board = random.Random(kind), Board.of_size(9)
    for _ in range(2 if KINDS[kind].joins else 12):
        with suppress(ClueError):  # a line of region sums within one box
            clue = clue_of(random_clue(rng, kind, 9), board)
            said = _said(clue, (clue,), board)
            family = clue_family(clue.text(board), clue, (clue,), board)
            quick = quick_families([clue.text(board)], board)[0] or family
            assert (quick.name, quick.groups, quick.stated) == (
                family.name,
                family.groups,
                family.stated,
            )
            for each in (family, quick):
                assert (each.relations, each.shapes, each.sums) == (
                    said.relations,
                    said.shapes,
                    said.sums,
                )
                assert (each.forbids, each.said.size) == (said.forbids, said.size)


def test_a_large_board_has_houses_alone_and_its_candidates_are_not_listed_unasked():
    board = Board.of_size(36)
    constraints = constraints_for("diagonal,boxes=3x12", board)
    assert (constraints.name, constraints.board.box_shape) == ("diagonal,boxes=3x12", "3x12")
    assert constraints_for("latin", board).name == "latin=36"
    with pytest.raises(SatdokuError, match="a board of 36x36: expected at most 25x25 here"):
        _ = constraints.groups
    assert len(whole(constraints).groups) == 4 * 36**2 + 2 * 36
    assert whole(constraints_for()) is constraints_for()
    for word in ("knight", "cage=9:r1c1,r1c2"):
        with pytest.raises(SatdokuError, match="boards beyond 25x25 take only rules that are hou"):
            constraints_for(word, board)
    with pytest.raises(SatdokuError, match="windoku needs square boxes"):
        constraints_for("windoku,boxes=3x12", board)


def test_several_texts_say_what_they_say_together():
    texts = ["knight,diagonal", "odd:r1c1", "digits=1-9"]
    for given in (texts, tuple(texts), dict.fromkeys(texts)):
        assert constraints_for(given) is constraints_for(";".join(texts))
    assert constraints_for([]) == constraints_for("classic")
    assert constraints_for(["latin=5"]).board == Board.latin(5)
    assert tells_board(["knight", "latin=5"])
    assert not tells_board(["knight", "odd:r1c1"])


def test_clues_at_hand_say_what_their_texts_say():
    texts = ["cage=15:r1c1,r1c2", "thermo:r2c1,r3c2,r4c3", "or:(odd:r5c5),(x:r1c1,r2c1)", "taxicab"]
    board = Board.of_size(9)
    ours = with_clues("knight;even:r9c9", board, [clue_of(text, board) for text in texts])
    theirs = constraints_for(";".join(["knight", "even:r9c9", *texts]))
    assert ours == theirs
    assert [f.name for f in ours.families] == [f.name for f in theirs.families]
    assert ours.exclusions == theirs.exclusions
    assert with_clues("knight", board, []) is constraints_for("knight")
    with pytest.raises(ClueError, match="clue regex=1"):
        with_clues("", board, [Clue("regex", ((0, 1),), "1(")])
