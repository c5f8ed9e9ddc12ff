"""Texts of Interactive Sudoku Solver: there and back, what each constraint is, what is refused."""

import random
from urllib.parse import quote

import pytest
from clue_examples import keeps, random_clue
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, fill
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku import solve
from satdoku.files.foreign import ForeignError, is_foreign, is_iss
from satdoku.files.fpuzzles import format_fpuzzles
from satdoku.files.iss import format_iss, parse_iss
from satdoku.files.puzzles import read_puzzles
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.puzzle import Puzzle
from satdoku.model.rules import RULES, RuleError
from satdoku.witness.verify import violations

EMPTY = "." * 81
GRIDS = tuple(fill(bytes(16), 0))
ALONE = ("odd", "even", "low", "high", "digits")  # they come back as digits of each cell
REFUSED = {
    "minimum", "maximum", "no-difference", "no-ratio", "no-sum", "slow-thermo", "nabner",
    "parity", "box-index", "knight-digits", "king-digits", "queen-digits", "product",
    "greater-sum", "rossini", "edge-connected", "single-loop", "no-square",
    "alike", "alike-run",  # but of labels
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_clue_of_every_kind_is_written_and_read_or_refused(kind):
    rng = random.Random(kind)
    for text in (KINDS[kind].example, *(random_clue(rng, kind, 9) for _ in range(15))):
        try:
            wanted = constraints_for(text)
        except ClueError:  # a sum out of reach
            continue
        try:
            written = format_iss(EMPTY, wanted)
        except ClueError as error:
            assert "Interactive Sudoku Solver cannot state the clue" in str(error)
            outside = (
                "sandwich",
                "x-sum",
                "skyscraper",
                "hidden-skyscraper",
                "numbered-room",
                "little-killer",
            )
            some = (*outside, "difference", "ratio", "greater", "sum", "quadruple", "taxicab",
                    "entropy", "flat-mates", "or", "and", "arrow")  # fmt: skip
            assert kind in REFUSED or kind in some
            continue
        assert kind not in REFUSED
        read = constraints_for(parse_iss(written).rules)
        if kind in ALONE or (len(wanted.clues[0].cells) == 1 and read != wanted):
            assert {clue.kind for clue in read.clues} <= {"digits"}
            continue  # one clue a cell; a cell of one digit is given
        if kind == "arrow" and len(wanted.clues[0].groups) > 2:
            continue  # an arrow a shaft
        if kind in ("or", "and"):
            continue  # their parts may come back as others; see below
        if kind == "machine":  # its states have other names
            assert read.families[-1].shapes == wanted.families[-1].shapes
            continue
        if kind == "clone":  # one clue for each place in the groups
            assert read.pairs and {*read.pairs} == {*wanted.pairs}
            continue
        assert read == wanted


@pytest.mark.parametrize("kind", ["or", "and"])
def test_several_clues_come_back_with_the_same_meaning(kind):
    rng, written = random.Random(kind), 0
    while written < 8:
        try:
            clue = clue_of(random_clue(rng, kind, 4), FOUR)
            read = parse_iss(format_iss(Grid(bytes(16), FOUR), clue.text(FOUR)))
        except ClueError:  # no clue, or none that can be written
            continue
        written += 1
        for grid in rng.sample(GRIDS, 30):
            broken = violations(Grid(grid, FOUR), constraints_for(read.rules, FOUR).rules)
            assert bool(broken) != keeps(grid, clue, (clue,), 4)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".Or.~R1C1_5.~R1C2_5_6.End", "or:(digits=5,6:r1c2),(digits=5:r1c1)"),
        (".Or.And.~R1C1_1.~R1C2_2.End.~R1C3_3.End.",
         "or:(and:(digits=1:r1c1),(digits=2:r1c2)),(digits=3:r1c3)"),
        (".Or.~R1C1_5~R1C2_3.End", "and:(digits=3:r1c2),(digits=5:r1c1)"),
        (".Or.Or.X~R1C1~R1C2.End.And.V~R1C1~R1C2.End.End",
         "or:(sum=10:r1c1,r1c2),(sum=5:r1c1,r1c2)"),
    ],
)  # fmt: skip
def test_alternatives_are_read(text, rules):
    """What one constraint states holds together; no given within them is one of the puzzle."""
    read = parse_iss(text)
    assert (read.grid.givens, read.rules) == (0, f"classic;{rules}")
    written = parse_iss(format_iss(EMPTY, rules))
    if rules.startswith("and:"):  # which is no alternative
        assert written == parse_iss(".~R1C1_5~R1C2_3")
    else:
        assert written.rules == f"classic;{rules}"


def test_an_alternative_out_of_reach_never_holds():
    """Programs list all lengths of a sum, among them some that no digits have."""
    listed = ".Or.And.~R1C1_1.Sum~30~R1C9.End.And.~R1C1_4.Sum~30~R1C6~R1C7~R1C8~R1C9.End.End"
    assert (
        parse_iss(listed).rules == parse_iss(f".Or{listed[listed.index('.And.~R1C1_4') :]}").rules
    )
    for text in (".Cage~28~R1C1~R1C2~R1C3", ".ContainExact~1_1~R1C1", ".Or.Sum~99~R1C1.End"):
        assert parse_iss(f".Or{text}.X~R1C1~R1C2.End").rules == "classic;sum=10:r1c1,r1c2"
        with pytest.raises(ForeignError, match=r"\.(Or|And|Cage|ContainExact): "):
            parse_iss(f".And{text}.X~R1C1~R1C2.End")
    with pytest.raises(ForeignError, match="none of its alternatives is in reach"):
        parse_iss(".Or.Sum~99~R1C1.End")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (".Or.~R1C1_5", "column 1: .Or: expected .End behind it"),
        (".~R1C1_5.End", "column 9: found .End, expected .Or, .And, .Replicate before"),
        (".Or.AntiKnight.End", "column 4: found .AntiKnight in .Or"),
        (".And.Shape~4x4.End", "column 5: found .Shape in .And"),
        (".Or.End", "column 1: .Or: none of its alternatives is in reach"),
        (".And.Or.End.X~R1C1~R1C2.End", "column 5: .Or: none of its alternatives is in reach"),
        (".Or" * 21 + ".End" * 21, "column 61: expected at most 20 of .Or, .And"),
        (".Or.Or.~R1C1_5.X~R1C1~R3C3.End.End", "column 1: .Or: no two of its cells share an edge"),
    ],
)
def test_broken_alternatives_are_told(text, problem):
    with pytest.raises(ForeignError) as raised:
        parse_iss(text)
    assert problem in str(raised.value)


@settings(max_examples=share(30), deadline=None)
@given(
    st.sampled_from([4, 6, 8, 9, 10, 12, 16]),
    st.sets(st.sampled_from(sorted(set(RULES) - {"antiqueen", "windoku"}))),
    st.integers(),
)
def test_what_is_written_reads_back(size, names, seed):
    digits = random.Random(seed).choices([0, *range(1, size + 1)], k=size * size)
    grid, rules = Grid(bytes(digits), Board.of_size(size)), ",".join(sorted(names))
    read = parse_iss(format_iss(grid, rules))
    assert read == Puzzle(grid, constraints_for(rules, grid.board))


def test_regions_take_the_place_of_boxes():
    layout = "000112222000011222003331122333444155363444175366444175886666775888667755888877755"
    assert parse_iss(format_iss(EMPTY, f"jigsaw={layout}")).rules == f"jigsaw={layout}"
    assert format_iss(Grid(bytes(25), Board.latin(5))) == ".Shape~5x5"
    latin = format_iss("1" + "." * 80, "latin=9")
    assert latin == ".NoBoxes.~R1C1_1"
    assert (parse_iss(latin).rules, parse_iss(latin).grid.board) == ("latin=9", Board.latin(9))
    assert parse_iss(".Shape~5x5").rules == "latin=5"
    board = Board.of_map("1112122233334444")
    text = format_iss(Grid(bytes(16), board))
    assert text == ".Shape~4x4.NoBoxes.Jigsaw~0001011122223333"
    assert parse_iss(text).grid.board == board
    beside = parse_iss(".Shape~4x4.Jigsaw~1112122233334444")
    assert beside.grid.board == Board.of_size(4)
    assert beside.rules.count("region:") == 4
    seven = "1112222111122233334443334444556667755666775556777"
    assert parse_iss(f".Shape~7x7.Jigsaw~{seven}").grid.board == Board.of_map(seven)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".Thermo~R1C1~R2C1", "thermo:r1c1,r2c1"),
        (" .Thermo ~r1c1 ~r2c1\n.AntiKnight", "knight;thermo:r1c1,r2c1"),
        (".AntiKnight . Anti King \n", "knight,king"),
        ("..AntiKnight. .AntiKing.", "knight,king"),
        (". .\n.Thermo~r1c1~r2c1", "classic;thermo:r1c1,r2c1"),
        (".Whisper~R1C1~R2C1.Whisper~3~R1C1~R2C2", "whisper=3:r1c1,r2c2;whisper=5:r1c1,r2c1"),
        (".WhiteDot~R1C1~R1C2~R2C2", "difference=1:r1c1,r1c2;difference=1:r1c2,r2c2"),
        (".X~R1C1~R1C2.V~R2C1~R2C2", "sum=10:r1c1,r1c2;sum=5:r2c1,r2c2"),
        (".GreaterThan~R2C1~R1C1", "greater:r2c1,r1c1"),
        (".Cage~0~R1C1~R1C2.Cage~9~R2C1~R2C2", "cage:r1c1,r1c2;cage=9:r2c1,r2c2"),
        (".PillArrow~2~R1C2~R1C1~R2C1~R3C1", "arrow:r1c1,r1c2>r2c1,r3c1"),
        (".Quad~R2C3~1~1~9", "quadruple=1,1,9:r2c3,r2c4,r3c3,r3c4"),
        (".XSum~R1~15~20.XSum~C2~~9", "x-sum=15:row1;x-sum=20:-row1;x-sum=9:-col2"),
        (".Sandwich~0~C3", "sandwich=0:col3"),
        (".LittleKiller~20~R1C3", "little-killer=20:r1c3,r2c2,r3c1"),
        (".LittleKiller~20~R9C7", "little-killer=20:r9c7,r8c8,r7c9"),
        (".Diagonal~1.Diagonal~-1", "diagonal"),
        (".Diagonal~-1", "region:falling"),
        (".StrictKropki.StrictXV", "no-difference=1;no-ratio=2;no-sum=10;no-sum=5"),
        (".Indexing~C~R1C5.Indexing~R~R2C2", "col-index:r1c5;row-index:r2c2"),
        (
            ".EqualSum~R1C1~R2C2~-~R3C3~R4C4~-~R1C4",
            "equal-sum:r1c1,r2c2>r3c3,r4c4>r1c4",
        ),
        (".SameValues~3~R1C1~R4C4~R9C9", "clone:r1c1>r4c4>r9c9"),
        (".SameValues~2~R1C1~R1C2~R2C1~R2C2", "same-values:r1c1,r1c2>r2c1,r2c2"),
        (".Cage~9~R1C1~R1C1~R2C1", "sum=9:r1c1,r1c1,r2c1;distinct:r1c1,r2c1"),
        (".Cage~0~R1C1~R1C1~R2C1", "distinct:r1c1,r2c1"),
        (".FullRank~R1~5~7", "full-rank=5:row1;full-rank=7:-row1"),
        (".FullRank~C2~~7.FullRankTies~only-unclued", "full-rank=7:-col2"),
        (".FullRank~R1~5~5.FullRankTies~any", "shared-rank=5:row1;shared-rank=5:-row1"),
        (".SearchPriority~2~R1C1.Lunchbox~5~R1C1~R1C2~R1C3", "lunchbox=5:r1c1,r1c2,r1c3"),
        (".ValueIndexing~R1C1~R2C1~R3C1.GlobalMod", "value-index:r1c1,r2c1,r3c1;modular-entropy"),
        (".LookAndSay~1205~R1C1~R2C2", "count=2x1:r1c1,r2c2;count=5x0:r1c1,r2c2"),
        (
            ".ContainExact~5_05_7~R6C9~R7C9~R7C8",
            "count=5x2:r6c9,r7c8,r7c9;count=7x1:r6c9,r7c8,r7c9",
        ),
        (".~R1C1_1_2~R1C2_3", "digits=1,2:r1c1"),
        (".Sum~-5_=_2_-1_0~R2C1~R1C1~R3C3", "weighted=2,-1=-5:r2c1,r1c1"),
        (".Sum~5_=_2_-1_1~R2C1~R1C1~R2C1", "weighted=3,-1=5:r2c1,r1c1"),
        (".Whisper~5~R1C1~R1C2~R2C2~R2C1~R1C1", "whisper=5:r1c1,r1c2,r2c2,r2c1,r1c1"),
        (".Whisper~0~R1C1~R1C2", "whisper=0:r1c1,r1c2"),
        (".Modular~3~R1C1~R1C2~R2C1~R1C1~R3C3", "modular=3:r1c1,r1c2,r2c1,r1c1,r3c3"),
        (".Sum~10~R1C1~R1C1~R1C2", "sum=10:r1c1,r1c1,r1c2"),
        (".RegionSumLine~R1C1~R1C2", "region-sum:r1c1,r1c2"),
        (".Zipper~R1C1~R1C2", "zipper:r1c1,r1c2"),
        (".Thermo~R1C1.Between~R1C1~R1C2", "thermo:r1c1;between:r1c1,r1c2"),
        (".And.End", "classic"),
        (".Or.And.End.~R1C1_1.End", "classic"),
        (".Or.And.And.End.End.~R1C1_1.End", "classic"),
        (".And.Or.And.End.End.X~R1C1~R1C2.End", "sum=10:r1c1,r1c2"),
        (".Or.XSum~R1.X~R1C1~R1C2.End", "sum=10:r1c1,r1c2"),
        (".Or.XSum~R1~90.X~R1C1~R1C2.End", "sum=10:r1c1,r1c2"),
        (".Or.XSum~R1~~20.X~R1C1~R1C2.End", "or:(sum=10:r1c1,r1c2),(x-sum=20:-row1)"),
        (".Or.Skyscraper~R1~10.X~R1C1~R1C2.End", "sum=10:r1c1,r1c2"),
        (".Regex~MTJ8MjE~R1C1~R1C2~~R3C1~R3C2", "regex=12|21:r1c1,r1c2;regex=12|21:r3c1,r3c2"),
        (".Regex~.*12%7C3~R1C1~R1C2~R1C3".replace(".*", ""), "regex=12|3:r1c1,r1c2,r1c3"),
        # the table of consecutive digits, as published puzzles have it
        (
            ".Pair~CoAKgCoAKgCoAC~_consecutive~R1C6~R1C7~~_again~R2C5~R3C4",
            "regex=12|2[13]|3[24]|4[35]|5[46]|6[57]|7[68]|8[79]|98:r1c6,r1c7;"
            "regex=12|2[13]|3[24]|4[35]|5[46]|6[57]|7[68]|8[79]|98:r2c5,r3c4",
        ),
    ],
)
def test_each_constraint_is_its_rule_or_clue(text, rules):
    read = parse_iss(text)
    assert read.rules == constraints_for(rules).name
    assert str(read.grid) == (EMPTY if "R1C2_3" not in text else f".3{EMPTY[2:]}")
    link = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(''.join(text.split()))}"
    assert parse_iss(link) == read
    assert is_iss(text) and is_iss(link)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            ".Thermo~R1C1~R2C1.Nowhere~5~R1C1",
            "column 18: .Nowhere is not supported; supported: W",
        ),
        ("x.Thermo", "column 1: found 'x.Thermo', expected a dot and a constraint"),
        (".Thermo~R1C1~RAC1", "column 1: .Thermo: 'RAC1' is no cell of a board of 9x9"),
        (".Lockout~4~R1C1", "column 1: .Lockout: 1 cell: expected 2 to 81"),
        (".Thermo~R1C1~R1C2~R1C1", "column 1: .Thermo: r1c1 stands twice, and no digit goes"),
        (".Shape~6x6.Entropic~R1C1~R1C2", "column 11: .Entropic: Interactive Sudoku Solver has it"),
        (".Shape~6x6.GlobalEntropy", "column 11: .GlobalEntropy: Interactive Sudoku Solver has it"),
        (".Shape~10x10.PillArrow~2~R1C1~R1C2~R1C3", "column 13: .PillArrow: supported with digits"),
        (".Renban~R1C1~R1C2~LOOP", "column 1: .Renban: 'LOOP' is no cell"),
        (".Sum~0_1_-1~R1C1~R1C2", "column 1: .Sum: value '0_1_-1': expected a number"),
        (".Sum~0_=_1_-1~R1C1", "column 1: .Sum: 2 coefficients for 1 cell"),
        (".Sum~0_=_1_-1~R1C1~R1C1", "column 1: .Sum: 0 cells: expected 1 to 81"),
        (".Sum~9_=_1_-1~R1C1~R1C2", "column 1: .Sum: its cells add up to -8 to 8, not 9"),
        (".Shape~9x9~2-10", "column 1: .Shape~9x9~2-10: expected digits from 0 or 1 on, at most"),
        (".Shape~9x9~17", "column 1: .Shape~9x9~17: expected digits from 0 or 1 on, at most 16"),
        (".Shape~6x6~1-5", "column 1: .Shape~6x6~1-5: row at r1c1 has 6 cells, and there are 5"),
        (".Shape~4x4~~Round", "column 1: .Shape~4x4~~Round: expected rows x columns"),
        (".Shape~4", "column 1: .Shape~4: expected rows x columns, such as 9x9"),
        (".Shape", "column 1: .Shape~: expected rows x columns, such as 9x9"),
        (".Shape~17x17", "column 1: .Shape~17x17: expected 1 to 16 rows and columns"),
        (".Shape~1x1", "column 1: .Shape~1x1: board size 1: expected 2 to 25"),
        (".RegionSize~x", "column 1: .RegionSize: expected a number of cells"),
        (".RegionSize~6.RegionSize~6", "column 14: found a second .RegionSize, expected one"),
        (
            ".Shape~9x9.RegionSize~27",
            "column 1: .Shape~9x9: box at r1c1 has 27 cells",
        ),
        (".Shape~9x9~~Raw.AntiKing", "column 16: .AntiKing: Interactive Sudoku Solver does not"),
        (".Shape~9x9~~Raw.XSum~R1~5", "column 16: .XSum: Interactive Sudoku Solver does not have"),
        (".Shape~9x9~0-8~Raw.NumberedRoom~R1~5", "column 19: .NumberedRoom: Interactive Sudoku"),
        (".Shape~6x9.Diagonal~1", "column 11: .Diagonal: '1': expected 1 or -1, on a square"),
        (".Shape~6x9.XSum~R7~5", "column 11: .XSum: 'R7': expected a row or a column"),
        (".Quad~R9C1~5", "column 1: .Quad: 'R9C1' begins no square of 2x2 cells"),
        (".Var~a", "column 1: .Var: 'a': expected capital letters"),
        (".Var~A.Thermo~VA~VA1", "column 7: .Thermo: 'VA1' is no cell of a board of 9x9"),
        (".Var~A~~626", "column 1: .Var: 'A': 626 variables, expected at most 625"),
        (".Var~A~~2.Var~A~~3", "column 10: .Var: layer 'a': expected a name of letters, each"),
        (".Var~A~~2x2.X~VA1~VA2", "column 1: .Var: 'A': no rows but those of the grid can be kept"),
        (".Var~A~~20.X~VA9~VA10", "column 11: .X: no two of its cells share an edge"),
        (".Var~A.Indexing~C~VA", "column 7: .Indexing: a is in a layer: expected cells"),
        (".Doppelganger", "column 1: .Doppelganger: it needs a square, and the digits from 0"),
        (".WhiteDot~R1C1~R5C5", "column 1: .WhiteDot: no two of its cells share an edge"),
        (".Diagonal~2", "column 1: .Diagonal: '2': expected 1 or -1"),
        (".Diagonal", "column 1: .Diagonal: arguments are missing"),
        (".~R1C1_10", "column 1: .: 'R1C1_10': expected a cell and digits, such as R1C1_3"),
        (".~R1C1_1~R1C1_2", "column 1: R1C1 is given as 1 and as 2"),
        (".LittleKiller~5~R5C5", "column 1: .LittleKiller: 'R5C5' begins no diagonal"),
        (".NoBoxes.RegionSumLine~R1C1~R1C2", "column 9: .RegionSumLine: there are no boxes"),
        (
            ".FullRank~R1~5.FullRankTies~some",
            "column 15: .FullRankTies~some: expected any or only-unclued or none",
        ),
        (
            ".SameValues~2~R1C1~R1C2~R2C1",
            "column 1: .SameValues: 3 cells do not fall into 2 sets",
        ),
        (".LookAndSay~123~R1C1", "column 1: .LookAndSay: '123': expected pairs of how often"),
        (".LookAndSay~1323~R1C1", "column 1: .LookAndSay: '1323': expected pairs of how often"),
        (".EqualSum~R1C1~R1C2", "column 1: .EqualSum: 1 group of cells: expected 2 or more"),
        (".ContainExact~5_5~R1C1", "column 1: .ContainExact: value 5x2: there are only 1 cell"),
        (".Jigsaw~123", "column 1: .Jigsaw: 3 cells: expected 81"),
        (".NoBoxes.DisjointSets", "column 9: .DisjointSets: it goes by the usual boxes"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text, problem):
    with pytest.raises(ForeignError) as error:
        parse_iss(text, source="some.txt", line=7)
    assert f"some.txt: line 7, {problem}" in str(error.value)


def test_what_it_has_not_is_not_written():
    with pytest.raises(RuleError, match="Interactive Sudoku Solver has no rule 'antiqueen'"):
        format_iss(EMPTY, "antiqueen")
    with pytest.raises(
        ClueError, match="cannot state the clue no-ratio=2; it has difference, ratio"
    ):
        format_iss(EMPTY, "no-black")
    with pytest.raises(RuleError, match="lacks a board of 25x25"):
        format_iss(Grid(bytes(625), Board.of_size(25)))


def test_counts_beyond_a_digit_are_written_as_lists():
    board, cells = Board.of_size(16), ",".join(f"r{row}c{row}" for row in range(1, 12))
    empty = Grid(bytes(256), board)
    for value, name in (("5x11", "ContainExact~5_5"), ("12x2", "ContainExact~12_12~R1C1"),
                        ("5x2", "LookAndSay~25~R1C1")):  # fmt: skip
        wanted = constraints_for(f"count={value}:{cells}", board)
        written = format_iss(empty, wanted)
        assert f".{name}" in written
        assert parse_iss(written).rules == wanted.name
    with pytest.raises(ClueError, match="cannot state the clue count=12x0"):
        format_iss(empty, constraints_for(f"count=12x0:{cells}", board))


def test_rules_and_boards_that_are_asked_for():
    assert parse_iss(".AntiKing", "king,knight").rules == "knight,king"
    with pytest.raises(ForeignError, match="has the rules king, 'classic' lacks them"):
        parse_iss(".AntiKing", "classic")
    with pytest.raises(
        ForeignError, match="found a board of 4x4 with boxes of 2x2, expected a board"
    ):
        parse_iss(".Shape~4x4", None, Board())


def test_a_grid_is_no_such_text():
    for text in (CLASSIC, EMPTY, f".{'ABCDEFGHIJKLMNOP' * 16}"[:256], ".ABC.DEF..", ".", "..3", ""):
        assert not is_iss(text)
    for text in (".~R1C1_1", ".AntiKnight", ".AntiKnight.AntiKing", " .Cage~3~R1C1~R1C2"):
        assert is_iss(text) and is_foreign(text)


def test_no_text_is_gone_through_twice():
    """Half a million characters took hours to be told from a text."""
    for text in (". " + " " * 500_000 + "!", "." * 500_000, ".A" + "a" * 500_000 + "!"):
        assert not is_iss(text)


def test_rows_of_a_file_carry_their_clues(tmp_path):
    """A text, a link, a grid with a column of rules: each row keeps its own."""
    cage = "cage=15:r1c1,r1c2"
    name = tmp_path / "mixed.csv"
    link = format_fpuzzles(CLASSIC, f"knight;{cage}")
    name.write_text(
        f"id,puzzle,rules\n1,{format_iss(CLASSIC, cage)},\n2,{link},\n3,{CLASSIC},king\n"
        f"4,.Nowhere~5~R1C1,\n5,{CLASSIC},\n"
    )
    records = list(read_puzzles(str(name)))
    assert [r.rules for r in records[:3]] == [f"classic;{cage}", f"knight;{cage}", "king"]
    assert [str(records[i].grid) for i in (0, 1, 2, 4)] == [CLASSIC] * 4
    assert str(records[3].error).startswith(f"{name}: line 5, column 3: .Nowhere is not supported")


def test_lines_of_a_file_are_texts_grids_and_links(tmp_path):
    name = tmp_path / "mixed.txt"
    thermo = "thermo:r1c1,r1c2"
    lines = [CLASSIC, format_iss(CLASSIC, "king"), CLASSIC, format_fpuzzles(CLASSIC, thermo)]
    name.write_text("\n".join([*lines, ".AntiKnight", CLASSIC_SOLUTION]) + "\n")
    records = list(read_puzzles(str(name)))
    rules = ["classic", "king", "classic", f"classic;{thermo}", "knight", "classic"]
    assert [r.rules for r in records] == rules
    assert [str(r.grid) for r in records] == [*[CLASSIC] * 4, EMPTY, CLASSIC_SOLUTION]


def test_a_text_is_solved():
    read = parse_iss(".Shape~4x4.~R1C1_1.Thermo~R1C1~R1C2~R1C3.BlackDot~R1C2~R1C3")
    assert solve(read.grid, read.rules).cells[:4] == bytes((1, 2, 4, 3))


@settings(deadline=None)
@given(st.text(alphabet=".~RC19_x-ThermoCageShape \n", max_size=60))
def test_no_text_raises_anything_else(text):
    try:
        read = parse_iss(f".{text}")
    except ForeignError as error:
        assert str(error).startswith(f"puzzle: line {error.line}")
        assert error.line <= 1 + text.count("\n") and error.column <= 2 + len(text)
    else:
        assert constraints_for(read.rules, read.grid.board).board.size == read.grid.board.size


def test_all_ranks_may_tie_or_none():
    rules = "shared-rank=5:row1;shared-rank=6:-col2"
    assert format_iss(EMPTY, rules).endswith(".FullRankTies~any")
    with pytest.raises(ClueError, match=r"one [.]FullRankTies for all [.]FullRank"):
        format_iss(EMPTY, f"{rules};full-rank=9:row2")


BOARDS = [
    ".Shape~6x8", ".Shape~4x7~0-6", ".Shape~9x8~0-8", ".Shape~6x6~9", ".Shape~9x9~0-8",
    ".Shape~6x6~9.RegionSize~9", ".Shape~8x8.RegionSize~4", ".Shape~4x4~0-9~Raw",
    ".Shape~4x4~4~Raw", ".Shape~6x6.NoBoxes", ".Shape~3x5", ".Shape~16x16", ".Shape~10x5~0-12",
    ".Shape~2x3.Jigsaw~001011", ".Shape~4x5.Jigsaw~00000111112222233333",
    ".Shape~4x4.Var~A~~3.Var~BC~~4x4.Var~C~~1",
    ".Shape~2x4~0-4.Var~X~~2x4",
]  # fmt: skip


@pytest.mark.parametrize("text", BOARDS)
def test_boards_come_back(text):
    puzzle = parse_iss(text)
    written = format_iss(puzzle.grid, puzzle.constraints)
    read = parse_iss(written)
    assert (read.grid, read.constraints) == (puzzle.grid, puzzle.constraints)
    assert constraints_for(read.rules) == puzzle.constraints or read.constraints.board.is_usual


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".Shape~6x8.Cage~9~R1C1~R6C8", "shape=6x8;cage=9:r1c1,r6c8"),
        (".Shape~4x7~0-6.XSum~R4~9", "shape=4x7,digits=0-6;x-sum=9:row4"),
        (".Shape~4x6.LittleKiller~9~R1C6", "shape=4x6;little-killer=9:r1c6,r2c5,r3c4,r4c3"),
        (".Shape~4x6.LittleKiller~9~R3C6", "shape=4x6;little-killer=9:r3c6,r2c5,r1c4"),
        (".Shape~6x6~9.Sandwich~9~R2", "shape=6x6,digits=1-9;lunchbox=9:row2"),
        (".Shape~6x6~9.Diagonal~1", "shape=6x6,digits=1-9;distinct:r1c6,r2c5,r3c4,r4c3,r5c2,r6c1"),
        (".Shape~6x6~9.Diagonal~1.Diagonal~-1", "diagonal,shape=6x6,digits=1-9"),
        (".Shape~10x10.NumberedRoom~R10~5", "shape=10x10;numbered-room=5:row10"),
        (".Shape~4x4~0-3.Pair~Q~R1C1~R1C2", "shape=4x4,digits=0-3;regex=10:r1c1,r1c2"),
        (".Shape~4x4~0-3.Regex~WzAxXTI~R1C1~R1C2", "shape=4x4,digits=0-3;regex=[01]2:r1c1,r1c2"),
        (".Shape~12x12.Regex~QVtCQ10~R1C1~R1C2", "shape=12x12;regex=A[BC]:r1c1,r1c2"),
        (".Shape~4x4~0-3.~R1C1_0_3", "shape=4x4,digits=0-3;digits=0,3:r1c1"),
        (".Shape~4x4.Var~A~~2.~VA2_1", "shape=4x4;layer=a*2:1-4;digits=1:a.2"),
        (".Shape~4x4.Var~A~~2.V~VA1~VA2", "shape=4x4;layer=a*2:1-4;sum=5:a.1,a.2"),
        (".Shape~4x4.Var~A.Renban~VA~R1C1", "shape=4x4;layer=a*1:1-4;renban:r1c1,a"),
        (".Shape~4x4.Var~A~~4x4.Quad~VA6~1", "shape=4x4;layer=a:1-4;"
         "quadruple=1:a.r2c2,a.r2c3,a.r3c2,a.r3c3"),
        (".Shape~4x4.Var~A~~4x4.Replicate~C.X~VA1~VA2.End", None),
        (".Shape~4x4~~Raw.Thermo~R1C1~R1C2", "latin,no-rows,no-columns,shape=4x4;thermo:r1c1,r1c2"),
    ],
)  # fmt: skip
def test_any_board_and_any_layer(text, rules):
    if rules is None:  # from the grid into a layer
        with pytest.raises(ForeignError, match="do not lie in the same layer"):
            parse_iss(text)
        return
    assert parse_iss(text).constraints == constraints_for(rules)


def test_labels_of_regions_to_find_get_the_name_that_they_have_there():
    rules = "latin,shape=6x6;layer=area:1-6;chaos:area;alike-run=0:r2c2>area.r2c2-r1c2"
    text = format_iss("." * 36, rules)
    assert "ChaosConstruction" in text and "ChaosArrow" in text
    assert parse_iss(text).constraints == constraints_for(rules.replace("area", "cc"))
    with pytest.raises(ClueError, match="cannot state the clue"):  # both layers cannot have it
        format_iss("." * 36, f"layer=cc:1-6;{rules}")


def test_copies_move_variables_within_their_layer():
    copied = parse_iss(".Shape~4x4.Var~A~~4x4.Replicate~Q~VA1.V~VA1~VA2.End").constraints
    assert copied.clue_texts == ("sum=5:a.r2c1,a.r2c2",)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("samurai", "lacks 5 grids of 9x9"),
        ("digits=-1-7", "lacks a board of 9x9"),
        ("digits=0,1,2,4,8,9,11,12,13", "lacks a board of 9x9"),
        ("holes:r1c1", "lacks a board of 9x9 with boxes of 3x3 and 1 holes"),
        ("no-rows", "has no rows alone"),
        ("no-rows,no-columns", "has no rows alone, columns alone, boxes alone"),
        ("layer=shade:0-1", "no layer shade of digits 0-1: variables hold digits of the grid, 1-9"),
        ("digits=0-8;numbered-room=0:row1", "each digit has to tell a cell"),
        ("digits=0-8;taxicab", "has it for digits from 1 on only"),
        ("no-rows,no-columns,latin;knight", "does not have it on Raw grids"),
        ("shape=6x6,jigsaw=1111..2222..3333..4444..5555..6666..", "no such regions of 4 cells"),
    ],
)  # fmt: skip
def test_boards_that_it_lacks(rules, problem):
    constraints = constraints_for(rules)
    with pytest.raises((RuleError, ClueError), match=problem):
        format_iss(Grid(bytes(constraints.board.cells), constraints.board), constraints)


def test_regions_to_find_are_written_and_read():
    """Labels in a layer of that name; arms of them, from a cell of the grid or of the layer."""
    text = ".ChaosConstruction.NoBoxes.ChaosCount~R2C2.ChaosArrow~R1C1~1~CC1~CC2~CC3~-~CC1~CC10"
    puzzle = parse_iss(text)
    square = "cc.r2c2,cc.r2c1,cc.r2c3,cc.r1c2,cc.r1c1,cc.r1c3,cc.r3c2,cc.r3c1,cc.r3c3"
    assert puzzle.constraints.name == (
        "latin;layer=cc:1-9;alike-run=1:r1c1>cc.r1c1,cc.r1c2,cc.r1c3>cc.r1c1,cc.r2c1;"
        f"alike=0:r2c2>{square};chaos:cc"
    )
    again = format_iss(puzzle.grid, puzzle.constraints)
    assert parse_iss(again).constraints == puzzle.constraints
    with pytest.raises(ForeignError, match=r"expected \.ChaosConstruction beside it"):
        parse_iss(".ChaosCount~R2C2")


def test_connected_values_are_written_and_read():
    text = ".Shape~4x4.Var~S~SHADE~4x4.ConnectedValues~VS~1_2.ConnectedValues~~1~4"
    puzzle = parse_iss(text)
    assert {"connected=1,2:s", "connected=1x4"} <= {*puzzle.constraints.clue_texts}
    again = format_iss(puzzle.grid, puzzle.constraints)
    assert parse_iss(again).constraints == puzzle.constraints
    with pytest.raises(ForeignError, match="one in each cell of the grid"):
        parse_iss(".Shape~4x4.Var~S~SHADE~3.ConnectedValues~VS~1")


def test_alternatives_within_one_another_are_as_deep_as_clues_may_be():
    """One of a thing that holds or another, and so on; `read_clue` reads what was made of it."""

    def nested(depth):
        return ".Or.X~R1C1~R1C2.And" * depth + ".X~R3C1~R3C2.V~R4C1~R4C2" + ".End.End" * depth

    constraints = parse_iss(nested(9)).constraints
    assert constraints_for(constraints.name) == constraints
    with pytest.raises(ForeignError, match="within one another"):
        parse_iss(nested(11))
