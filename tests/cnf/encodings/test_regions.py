import random
from functools import cache
from itertools import combinations, count

import pytest
from regions_of_four import CELLS, COLUMNS, EDGES, ROWS, VALUES, N, partitions, squares
from soak import share

from satdoku.answers.flooding import Flooding
from satdoku.answers.solver import open_solver
from satdoku.cnf.encodings.regions import Regions


@cache
def answers():
    """All pairs of a grid and its regions, by brute force."""
    return [
        (square, regions)
        for square in squares()
        for regions in partitions()
        if len(set(zip(square, regions, strict=True))) == N * N
    ]


class Puzzle:
    """A board whose rows and columns hold each digit once, with regions to find."""

    def __init__(self, named=ROWS, digit=0):
        self.count = 0
        self.digits = [[self.fresh() for _ in VALUES] for _ in CELLS]
        self.labels = [[self.fresh() for _ in CELLS] for _ in VALUES]
        self.sizes = [(N, N)] * N
        self.regions = Regions(
            self.digits, self.labels, self.sizes, EDGES, [ROWS, COLUMNS], self.fresh
        )
        self.regions.name(named, digit)

    def fresh(self):
        self.count += 1
        return self.count

    def clauses(self):
        """Those of a Latin square as well."""
        yield from map(tuple, self.digits)
        for own in zip(*self.labels, strict=True):
            yield own
            yield from ((-a, -b) for a, b in combinations(own, 2))
        for cells in [*ROWS, *COLUMNS]:
            for value in range(N):
                own = [self.digits[cell][value] for cell in cells]
                yield tuple(own)
                yield from ((-a, -b) for a, b in combinations(own, 2))
        for cell in CELLS:
            yield from ((-a, -b) for a, b in combinations(self.digits[cell], 2))
        yield from self.regions.clauses

    def solutions(self, givens=()):
        """Pairs of a grid and regions; one that comes twice is an error."""
        solver = open_solver("cadical195", self.clauses())
        for cell, value in givens:
            solver.add_clause([self.digits[cell][value - 1]])
        found = {}
        with Flooding(self.labels, EDGES, self.sizes).attached(solver):
            while solver.solve():
                true = {x for x in solver.get_model() if x > 0}
                square = tuple(VALUES[[x in true for x in own].index(True)] for own in self.digits)
                label = tuple(next(i for i, own in enumerate(self.labels) if own[cell] in true)
                              for cell in CELLS)  # fmt: skip
                order = {name: i for i, name in enumerate(dict.fromkeys(label))}
                regions = tuple(order[name] for name in label)
                assert (square, regions) not in found
                found[square, regions] = label
                solver.add_clause([-x for x in true if x <= 2 * N * N * N])
        return found


def arms(cell):
    row, column = divmod(cell, N)
    return [
        ROWS[row][column::-1], ROWS[row][column:], COLUMNS[column][row::-1], COLUMNS[column][row:]
    ]  # fmt: skip


def run(regions, arm):
    same = [regions[cell] == regions[arm[0]] for cell in [*arm, arm[0]]]
    return [*same[:-1], False].index(False)


def say_arrow(puzzle, cell, chosen):
    regions = puzzle.regions
    regions.say(
        puzzle.digits[cell], VALUES, regions.total([regions.runs(arm) for arm in chosen]), 1
    )


def say_count(puzzle, cell, chosen):
    regions = puzzle.regions
    regions.say(
        puzzle.digits[cell],
        VALUES,
        regions.total([[regions.same(cell, other)] for other in chosen]),
        1,
    )


def say_distinct(puzzle, cell, chosen):
    regions = puzzle.regions
    present = [
        [regions.any_of([regions.labels[label][cell] for cell in chosen])] for label in range(N)
    ]
    regions.say(puzzle.digits[cell], VALUES, regions.total(present))


KINDS = {
    say_arrow: (
        lambda draw, cell: draw.sample(arms(cell), draw.randint(1, 4)),
        lambda regions, cell, chosen: 1 + sum(run(regions, arm) - 1 for arm in chosen),
    ),
    say_count: (
        lambda draw, cell: draw.sample([c for c in CELLS if c != cell], draw.randint(1, 8)),
        lambda regions, cell, chosen: 1 + sum(regions[c] == regions[cell] for c in chosen),
    ),
    say_distinct: (
        lambda draw, cell: draw.sample(CELLS, draw.randint(1, 9)),
        lambda regions, cell, chosen: len({regions[c] for c in chosen}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("seed", range(share(40)))
def test_as_many_solutions_as_by_brute_force(seed):
    draw = random.Random(seed)
    say, (choose, count) = draw.choice(list(KINDS.items()))
    square, regions = draw.choice(answers())
    puzzle, clues = Puzzle(draw.choice([ROWS, COLUMNS]), draw.randrange(N)), []
    while len(clues) < 2:
        cell = draw.randrange(N * N)
        chosen = choose(draw, cell)
        if count(regions, cell, chosen) == square[cell] or draw.random() < 0.1:
            say(puzzle, cell, chosen)
            clues.append((cell, chosen))
    givens = [(cell, square[cell]) for cell in draw.sample(CELLS, 4)]
    expected = {
        (s, r)
        for s, r in answers()
        if all(s[cell] == value for cell, value in givens)
        and all(count(r, cell, chosen) == s[cell] for cell, chosen in clues)
    }
    assert set(puzzle.solutions(givens)) == expected


def test_a_label_is_the_row_of_the_ones_of_its_region():
    square, _ = answers()[0]
    found = Puzzle().solutions(enumerate(square))
    assert found
    for (grid, _), label in found.items():
        assert all(label[cell] == cell // N for cell in CELLS if grid[cell] == 1)


def test_each_label_digit_and_house_has_one_variable_and_no_cell_has():
    puzzle = Puzzle()
    stated = 2 * N * N * N
    assert puzzle.count - stated == 2 * N * N * N + len(EDGES)
    short = Regions([[1, 2]], [[3]], [(1, 1)], [], [[[0]]], count(4).__next__)
    assert (-4, 1) in short.clauses  # a house that lacks the digit


def test_cells_of_one_region_and_totals_of_nothing():
    puzzle = Puzzle()
    same = puzzle.regions.same
    assert same(0, 5) == same(5, 0)
    puzzle.regions.clauses += [(same(0, 0),), (same(0, 5),)]
    assert puzzle.regions.total([]) == []
    found = puzzle.solutions([(0, 1), (15, 1)])
    assert set(found) == {(s, r) for s, r in answers() if r[0] == r[5] and s[0] == s[15] == 1}
    puzzle.regions.say(puzzle.digits[3], VALUES, [])  # the digit is zero
    assert not puzzle.solutions()
