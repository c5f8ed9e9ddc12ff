"""Every kind of clue against brute force: solved, witnessed and propagated."""

from __future__ import annotations

import random
import re

import pytest
from clue_examples import OF_DIGITS, OF_GRID, OF_LAYERS, OUTSIDE, keeps, random_clue
from examples import FOUR, fill
from naming import named_in, naming

from satdoku.answers.api import solve
from satdoku.answers.session import Session
from satdoku.certificates.make import certify
from satdoku.model import lowering
from satdoku.model.board import Board, Layer
from satdoku.model.clue import SET, ClueError, read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS, canonical, clue_of
from satdoku.witness.clues import STATEMENTS
from satdoku.witness.verify import violations

GRIDS = tuple(fill(bytes(16), 0))
ON_FOUR = sorted(KINDS.keys() - {"entropic", "entropy", *OF_LAYERS})  # sizes divisible by three


def drawn(kind, count, size, board):
    rng = random.Random(kind)
    clues = {}
    while len(clues) < count:
        try:
            clues[len(clues)] = clue_of(random_clue(rng, kind, size), board)
        except ClueError:  # a line of region sums within one box
            continue
    return list(clues.values())


@pytest.mark.parametrize(("rules", "board", "line"), [
    ("rossini=-:row2", Board.of_size(9), ["r2c1", "r2c2", "r2c3"]),
    ("rossini=-:-col2", Board.of_size(6), ["r6c2", "r5c2"]),
    ("rossini=-:row2", Board.of_size(6), ["r2c1", "r2c2", "r2c3"]),
    ("rossini=-:-row2", Board.of_size(16), ["r2c16", "r2c15", "r2c14", "r2c13"]),
    ("rossini=-:col1", Board.of_map("1112122233334444"), ["r1c1", "r2c1", "r3c1"]),
    ("rossini=-:col1", Board.latin(5), ["r1c1", "r2c1", "r3c1"]),
])  # fmt: skip
def test_a_rossini_clue_is_a_thermometer_in_the_first_box(rules, board, line):
    """Or on three cells beside regions, and without boxes."""
    said, meant = constraints_for(rules, board), f"thermo:{','.join(line[::-1])}"
    assert {*said.pairs} == {*constraints_for(meant, board).pairs}
    assert not said.is_wide
    full = Grid(bytes(range(1, 5)) + bytes(12), FOUR)
    assert not violations(full, ("rossini=+:row1", "rossini=-:-row1"))
    assert violations(full, ("rossini=-:row1",))


def test_every_kind_is_stated_three_times():
    assert KINDS.keys() == STATEMENTS.keys() == OF_DIGITS.keys() | OF_GRID.keys()


@pytest.mark.parametrize(
    ("kind", "count"),
    [(kind, 3) for kind in ON_FOUR]
    + [pytest.param(kind, 200, marks=pytest.mark.slow) for kind in ON_FOUR],
)
def test_solutions_are_those_of_brute_force(kind, count):
    """Random clues on the 4x4 board: all solutions, and what the witness says of each grid."""
    for clue in drawn(kind, count, 4, FOUR):
        constraints = constraints_for(clue.text(FOUR), FOUR)
        good = {g for g in GRIDS if keeps(g, clue, (clue,), 4)}
        with Session(constraints, recycle=2, verify=False) as session:
            assert {s.cells for s in session.solutions(bytes(16))} == good
        for grid in random.Random(1).sample(GRIDS, 40):
            broken = violations(Grid(grid, FOUR), constraints.rules)
            assert bool(broken) == (grid not in good)


AGAIN = [  # cells that come again: a sum counts each time, a line reads each time
    "sum=4:r1c1,r1c1", "sum=5:r1c1,r1c1,r1c2", "sum=7:r1c1,r1c1,r1c2,r2c2",
    "product=12:r1c1,r1c1,r1c2", "weighted=1,1,-1=3:r1c1,r1c1,r1c2",
    "weighted=1,-1,1=3:r1c1,r1c1,r1c2", "little-killer=6:r1c1,r2c2,r1c1",
    "equal-sum:r1c1,r1c1>r1c2,r2c2,r3c3", "equal-sum:r1c1,r1c2>r1c1,r2c3",
    "equal-sum:r1c1>r1c1", "greater-sum:r1c1,r1c1>r1c2,r2c2", "arrow:r1c1>r2c2,r2c2",
    "double-arrow:r1c1,r1c2,r2c2,r1c1", "double-arrow:r1c1,r2c2,r3c3,r2c2,r4c1",
    "region-sum:r1c1,r1c2,r1c3,r1c2,r1c1", "ten-line=4:r1c1,r1c2,r1c1,r2c2",
    "zipper:r1c1,r1c2,r2c2,r1c1", "zipper:r1c1,r2c2,r1c1", "slow-thermo:r1c1,r2c3,r1c1,r3c2",
    "whisper=1:r1c1,r2c3,r3c2,r1c1", "palindrome:r1c1,r2c3,r3c2,r1c1",
    "clone:r1c1,r1c1>r2c3,r3c2", "modular=3:r1c1,r2c3,r3c2,r1c1",
    "between:r1c1,r2c3,r3c2,r2c3,r4c1", "lockout=1:r1c1,r2c3,r3c2,r2c3,r4c1",
    "regex=1.1:r1c1,r2c3,r1c1", "regex=11|33:r1c1,r1c1", "regex=(12|34)*:r1c1,r2c3,r1c1,r1c2",
    "machine=a-[12]>a,a-3>b,b-[12]>a,a*:r1c1,r2c3,r1c1,r1c2",
    "machine=a-[12]>a,a-/>b,b-[12]>c,c-[34]>a,a*:r1c1,r2c3>r1c1,r1c2",
    "or:(sum=5:r1c1,r1c1,r1c2),(odd:r1c1)", "or:(equal-sum:r1c1,r1c2>r1c1,r2c3),(odd:r1c1)",
    "no-sum=5;sum=5:r1c1,r1c1,r1c2",
]  # fmt: skip
SHORT = [  # lines too short to say all that longer ones do
    "thermo:r1c1", "slow-thermo:r1c1", "whisper=2:r1c1", "palindrome:r1c1", "renban:r1c1",
    "nabner:r1c1", "modular=2:r1c1", "parity:r1c1", "distinct:r1c1", "between:r1c1",
    "between:r1c1,r1c2", "lockout=2:r1c1,r1c2", "region-sum:r1c1", "region-sum:r1c1,r1c2",
    "zipper:r1c1", "zipper:r1c1,r1c2", "whisper=0:r1c1,r1c2", "whisper=0:r1c1,r1c1",
    "or:(zipper:r1c1,r1c2),(odd:r1c1)", "and:(zipper:r1c1,r1c2),(odd:r1c1)",
]  # fmt: skip


@pytest.mark.parametrize("text", AGAIN + SHORT)
def test_cells_that_come_again_and_short_lines(text):
    """Solved, witnessed, and proved by the witness's own formula."""
    constraints = constraints_for(text, FOUR)
    clues = constraints.clues
    good = {g for g in GRIDS if all(keeps(g, clue, clues, 4) for clue in clues)}
    with Session(constraints, recycle=2, verify=False) as session:
        assert {s.cells for s in session.solutions(bytes(16))} == good
    assert good == {g for g in GRIDS if not violations(Grid(g, FOUR), constraints.rules)}
    assert good
    certify("11" + "." * 14, constraints)  # a certificate is checked before it is returned


def sixes(count):
    """Random full 6x6 grids, of one by other orders of its rows and columns and other digits."""
    rng = random.Random(6)
    for _ in range(count):
        bands = [rng.sample((2 * band, 2 * band + 1), 2) for band in rng.sample(range(3), 3)]
        rows = [row for band in bands for row in band]
        stacks = [rng.sample(range(3 * s, 3 * s + 3), 3) for s in rng.sample(range(2), 2)]
        columns, digits = stacks[0] + stacks[1], rng.sample(range(1, 7), 6)
        yield bytes(digits[(c + r % 2 * 3 + r // 2) % 6] for r in rows for c in columns)


SIXES = tuple(sixes(60))


LINES_AND_SUMS = sorted(
    name
    for name, kind in KINDS.items()
    if (kind.order != SET or kind.counts_again) and kind.cells != (2, 2)
    if name in OF_DIGITS.keys() - OUTSIDE and kind.groups == (1, 1)
)


@pytest.mark.parametrize("kind", LINES_AND_SUMS)
@pytest.mark.parametrize("size", [4, 6])
def test_random_lines_that_visit_a_cell_again(kind, size):
    """Cells of one random clue in an order with one of them twice, or of a short line."""
    rng, board = random.Random(kind), Board.of_size(size)
    pool = GRIDS if size == 4 else SIXES
    tried = 0
    for _ in range(400):
        try:
            clue = clue_of(random_clue(rng, kind, size), board)
            cells = rng.sample(clue.cells, len(clue.cells))
            cells.insert(rng.randrange(len(cells) + 1), rng.choice(cells))
            cells = cells[: rng.randint(1, len(cells))]
            clue = KINDS[kind].canonical(clue._replace(groups=(tuple(cells),)), board)
        except ClueError:
            continue
        text, tried = clue.text(board), tried + 1
        assert clue_of(text, board) == clue
        with Session(constraints_for(text, board), verify=False) as session:
            for grid in rng.sample(pool, 6):
                kept = bool(keeps(grid, clue, (clue,), size))
                assert bool(session.solve(grid)) == kept
                assert bool(violations(Grid(grid, board), (text,))) != kept
        if tried == 8:
            return
    assert tried or (kind, size) == ("entropic", 4)


@pytest.mark.parametrize(
    "text",
    ["no-white;black:r1c1,r1c2", "no-black;white:r1c1,r1c2;white:r3c3,r3c4", "no-v;x:r1c1,r1c2",
     "no-white;no-black;black:r2c2,r2c3;difference=2:r4c1,r4c2"],
)  # fmt: skip
def test_what_is_denied_spares_what_is_joined(text):
    constraints = constraints_for(text.replace("x:", "sum=6:"), FOUR)
    clues = constraints.clues
    good = {g for g in GRIDS if all(keeps(g, clue, clues, 4) for clue in clues)}
    with Session(constraints, recycle=2) as session:
        assert {s.cells for s in session.solutions(bytes(16))} == good
    assert good == {g for g in GRIDS if not violations(Grid(g, FOUR), constraints.rules)}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_text_of_a_clue_reads_back(kind):
    rules = f"layer=area:1-9;{KINDS[kind].example}"
    board = constraints_for(rules).board
    clue = clue_of(KINDS[kind].example, board)
    assert clue_of(clue.text(board), board) == clue
    assert constraints_for(constraints_for(rules).name) == constraints_for(rules)


@pytest.mark.parametrize("text, problem", [
    ("greater:r1c1", "clue greater:r1c1: 1 cell: expected 2"),
    ("lockout=2:r1c1", "clue lockout=2:r1c1: 1 cell: expected 2 to 81"),
    ("double-arrow:r1c1,r1c2", "clue double-arrow:r1c1,r1c2: 2 cells: expected 3 to 81"),
    ("thermo:row1,r2c1", "clue thermo:row1,r2c1: 10 cells: 9 digits cannot grow as often"),
    ("odd:r1c1,r1c1", "clue odd:r1c1,r1c1: r1c1 stands twice in a set of cells"),
    ("cage=4:r1c1,r1c1", "clue cage=4:r1c1,r1c1: r1c1 stands twice in a set of cells"),
    ("renban:r1c1,r1c2,r1c1", "clue renban:r1c1,r1c2,r1c1: r1c1 stands twice in a set of cells"),
    ("thermo:r1c1,r1c2,r1c1", "clue thermo:r1c1,r1c2,r1c1: r1c1 stands twice, and no digit goes"),
    ("whisper=2:r1c1,r1c1", "clue whisper=2:r1c1,r1c1: r1c1 stands twice, and no digit goes with"),
    ("modular:r1c1,r1c2,r1c1", "clue modular:r1c1,r1c2,r1c1: r1c1 stands twice, and no digit"),
    ("between:r1c1-r1c3,r1c1", "clue between:r1c1-r1c3,r1c1: a cell stands twice, and no digits"),
    ("sum=5:r1c1,r1c1", "clue sum=5:r1c1,r1c1: r1c1 stands twice, and no digit goes with itself"),
    ("sum=4:r1c1,r1c1,r1c1", "clue sum=4:r1c1,r1c1,r1c1: a cell stands twice, and no digits go"),
    ("weighted=1,-1=3:r1c1,r1c1", "clue weighted=1,-1=3:r1c1,r1c1: its cells add up to 0 to 0"),
    ("arrow:r1c1,r1c1>r1c2", "clue arrow:r1c1,r1c1>r1c2: a cell stands twice in the circle"),
    ("odd:r10c1", "clue odd:r10c1: r10c1 is outside the board of 9x9"),
    ("thermo", "clue thermo: it names no cells: expected them after ':', as in thermo:r1c1,"),
    ("thermo:", "clue thermo:: expected cells after ':' and '>', such as r1c1,r1c2"),
    ("odd=3:r1c1", "clue odd=3:r1c1: value '3': this kind takes none"),
    ("termo:r1c1,r1c2", "clue termo:r1c1,r1c2: no kind 'termo': did you mean 'thermo'?"),
    ("rossini=up:row1", "clue rossini=up:row1: value 'up': expected + or -"),
    ("rossini=+:r1c1-r1c3", "clue rossini=+:r1c1-r1c3: these cells are no whole row or column"),
    ("weighted=1,0=5:r1c1,r1c2", "clue weighted=1,0=5:r1c1,r1c2: value '1,0=5': expected weights"),
    ("weighted=-101=5:r1c1", "clue weighted=-101=5:r1c1: value '-101=5': expected weights from"),
    ("weighted=1,1:r1c1", "clue weighted=1,1:r1c1: value '1,1': expected weights from -100 to"),
    ("weighted=1,2=5:r1c1", "clue weighted=1,2=5:r1c1: 2 weights for 1 cell: expected one for"),
    ("weighted=2,-1=18:r1c1,r1c2", "clue weighted=2,-1=18:r1c1,r1c2: its cells add up to -7 to 17"),
    ("white=0:r1c1,r1c2", "clue white=0:r1c1,r1c2: white takes no value"),
])  # fmt: skip
def test_a_wrong_clue_is_told(text, problem):
    with pytest.raises(ClueError) as raised:
        constraints_for(text)
    assert str(raised.value).startswith(problem)


@pytest.mark.parametrize("text", ["x-sum=20:", "sandwich=12:", "skyscraper=4:"])
def test_an_automaton_is_made_once_for_all_lines(text):
    def shape(line):
        (family,) = (f for f in constraints_for(text + line).families if f.shapes)
        return family.shapes[0]

    assert shape("row1").layers is shape("-col3").layers
    assert shape("row1").cells != shape("-col3").cells


def test_the_automaton_of_a_sum_is_made_once():
    one, other = (
        constraints_for(f"sum=20:{cells}").families[-1].shapes[0]
        for cells in ("r1c1-r4c4", "r2c1-r5c4")
    )
    assert one.layers is other.layers


# Modules that name a kind, and how: never as a kind. The list may only shrink.
NAMED = {
    # a word of another subject
    "model/board.py": "digits", "model/grid.py": "digits", "model/rules.py": "digits",
    "certificates/counts.py": "count",
    "certificates/fields.py": "digits",
    "__init__.py": "count", "cli/commands/__init__.py": "count",  # a command
    "cli/commands/count.py": "count", "engine/__init__.py": "count",
    "audit/tally.py": "count", "audit/compare.py": "distinct",  # columns of tables
    "audit/report/facts.py": "count distinct",
    "cli/options.py": "arrow", "files/formats.py": "arrow",  # the format of Apache Arrow
    "files/looks.py": "cage", "files/fpuzzles/looks.py": "cage",  # drawings that mean nothing
    "web/suggest.py": "digits",  # a key of an answer
    "fewest/__init__.py": "high low",  # bounds
    "cnf/encodings/groups.py": "product",
    "explain/__init__.py": "digits", "explain/units.py": "region",
    "model/sentences.py": "and or region", "model/words.py": "digits or",
    "render/picture.py": "digits",
    "ratings/step.py": "skyscraper",  # a technique
    "explain/named_words.py": "skyscraper", "explain/rated_units.py": "region skyscraper",
    "explain/clue_words.py": "greater", "explain/logic/totals.py": "sum",  # in sentences
    "web/boards.py": "digits",  # of a board
    "witness/smtlib/models.py": "and distinct or",  # of SMT-LIB
    "files/killer.py": "cage",  # all that its texts state
    # a word of a format: a key of it, or the name of a way to state clues
    "files/iss/ways.py": "digits",
    "files/iss/clues.py": "digits", "files/fpuzzles/words.py": "cage",
    "files/fpuzzles/clues.py": "digits region", "files/fpuzzles/__init__.py": "region",
    "files/sudokubench.py": "cage",
    "files/pencilmark.py": "arrow difference digits even high low odd ratio region sum",
    # what a drawing is in f-puzzles, whose keys some kinds have their names from
    "files/fpuzzles/sudokupad.py": "arrow cage difference even odd quadruple ratio region",
    "files/fpuzzles/drawings.py": "arrow difference even odd quadruple ratio region",
}  # fmt: skip


def test_no_module_names_a_kind_but_those_of_the_kinds_and_the_witness():
    assert naming(KINDS, but=("model/kinds/", "witness/clues/")) == NAMED


def test_a_named_kind_is_found():
    source = '"""renban"""\nuse(f"whisper={n}:r1c1")\nif kind == "thermo": pass'
    assert named_in(source, KINDS) == {"whisper", "thermo"}


FROM_ZERO = Board(4, 2, 2, digits=(0, 1, 2, 3))
ZEROS = [bytes(digit - 1 for digit in grid) for grid in GRIDS]
TELLING = {"col-index", "row-index", "box-index", "numbered-room", "value-index"}  # a place, from 0
FROM_ONE = {
    "sandwich", "equality", "ten-line", "region", "modular-entropy", "flat-mates", "or", "and",
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted({*ON_FOUR} - TELLING - FROM_ONE))
def test_digits_from_zero_on_mean_what_they_are(kind):
    """The brute force takes numbers, wherever they begin."""
    for clue in drawn(kind, 4, 4, FROM_ZERO):
        constraints = constraints_for(clue.text(FROM_ZERO), FROM_ZERO)
        good = {grid for grid in ZEROS if keeps(grid, clue, (clue,), 4)}
        with Session(constraints, verify=False) as session:
            found = {bytes(s.values) for s in session.solutions(Grid(bytes(16), FROM_ZERO))}
        assert found == good
        for grid in random.Random(1).sample(ZEROS, 20):
            written = Grid(bytes(digit + 1 for digit in grid), FROM_ZERO)
            assert bool(violations(written, constraints.rules)) == (grid not in good)


@pytest.mark.parametrize(
    ("rules", "good"),
    [
        ("equality:r1c1,r1c2", lambda a, b: (a + b) % 2 == 1 and (a < 2) != (b < 2)),
        ("sandwich=0:row1", lambda *d: abs(d.index(0) - d.index(3)) == 1),
    ],
)  # fmt: skip
def test_halves_and_crusts_go_by_the_digits_there_are(rules, good):
    constraints = constraints_for(rules, FROM_ZERO)
    cells = constraints.clues[0].cells
    with Session(constraints, verify=False) as session:
        found = {bytes(s.values) for s in session.solutions(Grid(bytes(16), FROM_ZERO))}
    assert found == {grid for grid in ZEROS if good(*(grid[cell] for cell in cells))}


def test_rests_go_by_the_digits_there_are():
    board = Board(6, 2, 3, digits=(0, 1, 2, 3, 4, 5))
    solved = solve(Grid(bytes(36), board), "modular-entropy")
    rests = [digit % 3 for digit in solved.values]
    assert all({rests[cell] for cell in window} == {0, 1, 2} for window in board.windows)


@pytest.mark.parametrize(
    "text", ["col-index:a.1", "row-index:r1c1,a.1", "box-index:a.1", "taxicab:r1c1,a.1",
             "region-sum:r1c1,r1c2,r1c3,a.1", "region:r1c1,r1c2,r1c3,s.1"],
)  # fmt: skip
def test_what_goes_by_places_or_by_all_digits_takes_no_other_cells(text):
    board = Board(4, 2, 2, layers=(Layer("a", (1, 2, 3, 4), 2), Layer("s", (0, 1), 2)))
    with pytest.raises(ClueError, match="layer"):
        constraints_for(text, board)


@pytest.mark.parametrize(
    "text", ["rellik=3:r1c1,r1c2,s.1", "equality:r1c1,s.2", "cage=4:r1c1,s.1,r1c2"]
)
def test_cages_of_cells_with_different_digits(text):
    board = Board(4, 2, 2, layers=(Layer("s", (0, 4), 2),))
    constraints = constraints_for(text, board)
    (clue,) = constraints.clues
    with Session(constraints, verify=False) as session:
        for place, digit in enumerate(board.layers[0].digits, 1):
            given = bytes(16) + bytes([place, place])
            found = {s.cells[:16] for s in session.solutions(Grid(given, board))}
            held = {g: [(*g, digit, digit)[cell] for cell in clue.cells] for g in GRIDS}
            assert found == {
                bytes(g) for g, d in held.items() if OF_DIGITS[clue.kind](d, clue.value, 4)
            }


@pytest.mark.parametrize("kind", ON_FOUR)
def test_what_is_learnt_of_other_cells_is_what_a_clue_says(kind):
    """`lowering` asks each form of a clue once, on the first cells of a board."""
    for clue in drawn(kind, 4, 4, FOUR):
        family = lowering.clue_family(clue.text(FOUR), clue, (clue,), FOUR)
        said = lowering._said(clue, (clue,), FOUR)
        found = family.relations, family.shapes, family.sums
        assert found == (said.relations, said.shapes, said.sums)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_clue_is_read_by_its_form_as_by_itself(kind):
    """Each kind whose check goes by where its cells lie says so (`by_place`, `is_line`)."""
    rng, board = random.Random(kind), Board.of_size(9)
    for _ in range(12):
        read = read_clue(random_clue(rng, kind, 9), board)
        to = rng.sample(range(81), 81) if rng.random() < 0.5 else range(81)
        moved = read._replace(groups=tuple(tuple(to[c] for c in group) for group in read.groups))
        alone = moved.text(board)
        names = (",".join(map(board.name_of, group)) for group in moved.groups)
        spelled = alone.partition(":")[0] + ":" + ">".join(names) if not read.parts else alone
        for text in (alone, spelled.upper(), spelled):
            try:
                expected = canonical(read_clue(text, board), board)
            except ClueError as error:
                with pytest.raises(ClueError, match=re.escape(str(error))):
                    clue_of(text, board)
            else:
                assert clue_of(text, board) == expected
