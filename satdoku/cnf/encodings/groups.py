"""All encodings with one variable per candidate: at least one and at most one of every group.

Invariant: an at-most-one encoding is a function that takes literals and a source of fresh variables
and returns clauses. It knows neither cells nor solvers. These encodings differ only in this
function and in the implied clauses that they omit.

Counts of auxiliary variables and clauses of a group are beside its at-least-one clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, count, islice
from math import isqrt
from operator import neg

from ...model.constraints import Constraints
from ...model.lowering import Family
from ...model.rules import CandidatePair
from ...model.shapes import Connected
from ...runtime import limits
from .formula import Area, Clause, ClauseFamily, Formula

Fresh = Callable[[], int]
CELL = "cell"  # the family of `Constraints` that gives each cell one digit
AtMostOne = Callable[[Sequence[int], Fresh], Iterable[Clause]]
UNDER_ONE = 3  # literals under a commander
FEW_FOR_SQUADS, FEW_FOR_RECTANGLE = 5, 6  # up to so many literals, pairwise is as good or better


def pairwise(literals: Sequence[int], fresh: Fresh | None = None) -> Iterable[Clause]:
    """At most one, as n(n-1)/2 binary clauses without fresh variables; standard iterators in C."""
    return combinations(map(neg, literals), 2)


def encode_groups(
    constraints: Constraints,
    encoding: str,
    at_most_one: AtMostOne = pairwise,
    *,
    at_least_in_houses: bool = True,
    at_most_in_cells: bool = True,
) -> Formula:
    """At least one and at most one for every group, and a binary clause for every other pair.

    If several families state a clause, the first of them gets it. You may switch off either option
    or both: the clauses that are then omitted follow from the rest.
    """
    fresh = count(constraints.variables + 1)
    # Pairwise states every pair of a group, so `written` already has a rule's pair inside a group.
    loose = None if at_most_one is pairwise else loose_pairs(constraints)
    written: dict[Clause, None] = {}  # in insertion order, so the first family keeps its clause
    families: list[ClauseFamily] = []
    for family in constraints.families:
        limits.check()
        groups = [tuple(candidate + 1 for candidate in group) for group in family.groups]
        if at_least_in_houses or family.name == CELL:
            at_least = tuple(groups)
        else:
            implied = follow_from_cells(constraints, family)
            at_least = tuple(g for g, follows in zip(groups, implied, strict=True) if not follows)
        before = len(written)
        if at_most_in_cells or family.name != CELL:
            stated = chain.from_iterable(at_most_one(group, fresh.__next__) for group in groups)
            written.update(dict.fromkeys(stated))
        pairs = (pair for pair in family.pairs if loose is None or pair in loose)
        written.update(dict.fromkeys(map(excluded, pairs)))
        families += named(family.name, at_least, tuple(islice(written, before, None)))
        families += supported(family)
    families += shaped(constraints.board.choices, constraints.families, fresh.__next__)
    return Formula(constraints, encoding, tuple(families), next(fresh) - 1)


def with_clues(base: Formula, constraints: Constraints) -> Formula | None:
    """The formula of the constraints, made from that of their board and rules alone.

    None if a clue has groups, which may overlap others, or if families were made by hand.
    """
    known = len(base.constraints.families)
    clues = constraints.families[known:]
    if constraints.families[:known] != base.constraints.families or any(f.groups for f in clues):
        return None
    fresh = count(base.variables + 1)
    stated = base.constraints.excluded
    added: set[CandidatePair] = set()
    families = list(base.families)
    for family in clues:
        limits.check()
        new = [pair for pair in family.pairs if pair not in stated and pair not in added]
        added.update(new)
        families += named(family.name, (), tuple(map(excluded, new)))
        families += supported(family)
    families += shaped(constraints.board.choices, clues, fresh.__next__)
    return Formula(constraints, base.encoding, tuple(families), next(fresh) - 1)


def loose_pairs(constraints: Constraints) -> frozenset[CandidatePair]:
    """The forbidden pairs that are not inside a group; classic rules have none, so this is fast."""
    return frozenset(
        constraints.pairs if any(family.pairs for family in constraints.families) else ()
    )


def excluded(pair: CandidatePair) -> Clause:
    """The clause of a forbidden pair; a candidate paired with itself is false."""
    a, b = pair
    return (-a - 1, -b - 1) if a != b else (-a - 1,)


def supported(family: Family) -> Iterator[ClauseFamily]:
    """The clauses that give a candidate its supports."""
    if family.supports:
        clauses = ((-a - 1, *(b + 1 for b in partners)) for a, partners in family.supports)
        yield ClauseFamily(f"{family.name}: supports", tuple(dict.fromkeys(clauses)))


def shaped(size: int, families: Iterable[Family], fresh: Fresh) -> Iterator[ClauseFamily]:
    """The clauses of the shapes, with their auxiliary variables."""
    from .shapes import flooded, shape_clauses  # few puzzles have any

    for family in families:
        if family.shapes:
            areas: list[Area] = []
            clauses: list[Clause] = []
            for shape in family.shapes:
                if isinstance(shape, Connected):
                    own, found = flooded(shape, size, fresh)
                    clauses += own
                    areas.append(found)
                else:
                    clauses += limits.watched(shape_clauses(shape, size, fresh))
            yield ClauseFamily(f"{family.name}: shapes", tuple(clauses), tuple(areas))


def in_full(formula: Formula) -> Formula:
    """The formula whose clauses say also that areas are connected, for who cannot flood."""
    if not formula.areas:
        return formula
    from .shapes import unfolded

    fresh = count(formula.variables + 1).__next__
    families = []
    for family in formula.families:
        families.append(family._replace(areas=()))
        for area in family.areas:
            clauses = tuple(limits.watched(unfolded(area, fresh)))
            families.append(ClauseFamily(f"{family.name}: connected", clauses))
    return replace(formula, families=tuple(families), variables=fresh() - 1)


def named(
    name: str, at_least: tuple[Clause, ...], at_most: tuple[Clause, ...]
) -> list[ClauseFamily]:
    """The clauses of one family, split into at-least-one and at-most-one; empty parts omitted."""
    parts = ((f"{name}: at least one", at_least), (f"{name}: at most one", at_most))
    return [ClauseFamily(title, clauses) for title, clauses in parts if clauses]


def follow_from_cells(constraints: Constraints, family: Family) -> Iterator[bool]:
    """For each group, whether its "at least one" follows because every cell holds a digit.

    It follows in a house: a house has as many cells as there are digits, and it holds each digit at
    most once, so it holds each digit once.
    """
    n = constraints.board.choices
    cells = [frozenset(candidate // n for candidate in group) for group in family.groups]
    digits = [{candidate % n for candidate in group} for group in family.groups]
    alike = [len(c) == n and len(d) == 1 for c, d in zip(cells, digits, strict=True)]
    stated = {(c, *d) for c, d, good in zip(cells, digits, alike, strict=True) if good}
    digits_of = Counter(house for house, _ in stated)
    return (good and digits_of[house] == n for house, good in zip(cells, alike, strict=True))


def extended(constraints: Constraints) -> Formula:
    """Pairwise exactly-one for every group, with all redundant clauses.

    Source: I. Lynce and J. Ouaknine, Sudoku as a SAT Problem, AIMATH 2006 ("extended encoding").
    Counts for classic 9x9: 324 at-least-one clauses and 11,664 at-most-one pairs make 11,988
    clauses as written. A box and a line share 1,458 of the pairs, so 10,530 clauses are distinct.
    Unit propagation on this encoding finds all naked and hidden singles.

    Standard-library iterators, which run in C, make the pairs and remove duplicates: this takes 4
    ms for classic 9x9, while importing numpy alone would take 200 ms.
    """
    return encode_groups(constraints, "extended")


def minimal(constraints: Constraints) -> Formula:
    """A digit in every cell, no digit twice in a house, no redundant clauses.

    Source: I. Lynce and J. Ouaknine, Sudoku as a SAT Problem, AIMATH 2006 ("minimal encoding").
    Counts for classic 9x9: 81 at-least-one clauses and 8,748 pairs make 8,829 clauses as written;
    7,371 are distinct. It follows by counting that a cell holds only one digit and a house every
    digit, but unit propagation does not find this, so it misses hidden singles. Where a cell is in
    no house with every digit, it does not follow, and cells hold at most one digit by clauses.
    """
    stated = not constraints.board.is_usual
    return encode_groups(constraints, "minimal", at_least_in_houses=False, at_most_in_cells=stated)


def efficient(constraints: Constraints) -> Formula:
    """The efficient encoding: exactly one digit in every cell, no digit twice in a house.

    Source: T. Weber, A SAT-based Sudoku Solver, LPAR 2005 (short paper); the name is that of G.
    Kwon and H. Jain. Counts for classic 9x9: 81 at-least-one clauses and 11,664 pairs make 11,745
    clauses as written; 10,287 are distinct. Unit propagation finds naked singles, but not hidden
    singles.
    """
    return encode_groups(constraints, "efficient", at_least_in_houses=False)


# At most one of a group, in other ways than pairwise.


def sequential(literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
    """At most one by the sequential counter: s[i] means "one of the first i literals is true".

    Source: C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP 2005;
    the clauses are PySAT's. A group of n > 2 takes n - 1 auxiliary variables and 3n - 4 clauses;
    classic 9x9 has 3,321 variables and 7,776 clauses.
    """
    return _filled("seqcounter", literals, fresh)


def ladder(literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
    """At most one by the ladder: its rungs are true up to one place, that of the true literal.

    Source: I. P. Gent and P. Nightingale, A New Encoding of AllDifferent into SAT, ModRef 2004; the
    "regular" encoding of C. Ansótegui and F. Manyà, SAT 2004, is the same; the clauses are PySAT's.
    A group of n > 2 takes n + 1 auxiliary variables and 4n clauses; classic 9x9 has 3,969 variables
    and 11,988 clauses.
    """
    return _filled("ladder", literals, fresh)


def bitwise(literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
    """At most one by bits: a true literal sets the bits to its number, so only one can be true.

    Source: A. M. Frisch, T. J. Peugniez, A. J. Doggett and P. Nightingale, Solving Non-Boolean
    Satisfiability Problems with Stochastic Local Search, J. Automated Reasoning 35, 2005; the
    clauses are PySAT's. A group of n > 2 takes b = ceil(log2 n) auxiliary variables and n*b
    clauses; classic 9x9 has 2,025 variables and 11,988 clauses.
    """
    return _filled("bitwise", literals, fresh)


def commander(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """At most one by commanders: pairwise in squads of three, and at most one squad's commander.

    Source: W. Klieber and G. Kwon, Efficient CNF Encoding for Selecting 1 from N Objects, CFV 2007,
    with squads of three, which they found best. They add a clause "a true commander has a true
    literal under it" to get exactly one; here the group's own at-least-one clause does that.

    A group of nine takes 3 auxiliary variables and 21 clauses in addition to its at-least-one
    clause; a box and a row share the clauses of three cells. Classic 9x9 has 1,701 variables and
    6,399 distinct clauses. Below six literals, pairwise needs no variables and no more clauses, so
    the formula of a 4x4 board equals that of the extended encoding.
    """
    if len(literals) <= FEW_FOR_SQUADS:
        yield from pairwise(literals)
        return
    commanders = []
    for start in range(0, len(literals), UNDER_ONE):
        squad = literals[start : start + UNDER_ONE]
        yield from pairwise(squad)
        # A squad of one literal needs no commander: the literal is its own.
        commanders.append(fresh() if len(squad) > 1 else squad[0])
        yield from ((-literal, commanders[-1]) for literal in squad if literal != commanders[-1])
    yield from commander(commanders, fresh)


def product(literals: Sequence[int], fresh: Fresh) -> Iterator[Clause]:
    """At most one by product: each literal has a line and a file, and at most one of each is true.

    Source: J. Chen, A New SAT Encoding of the At-Most-One Constraint, ModRef 2010. The literals of
    a group form a rectangle. A group of nine forms 3x3 and takes 6 auxiliary variables and 24
    clauses; classic 9x9 has 2,673 variables and 8,100 clauses. Below seven literals, pairwise has
    fewer clauses and no variables, so the formulas of 4x4 and 6x6 boards equal those of the
    extended encoding.
    """
    if len(literals) <= FEW_FOR_RECTANGLE:
        yield from pairwise(literals)
        return
    width = isqrt(len(literals) - 1) + 1  # the root, rounded up
    files = [fresh() for _ in range(width)]
    lines = [fresh() for _ in range(-(-len(literals) // width))]
    for index, literal in enumerate(literals):
        line, file = divmod(index, width)
        yield -literal, lines[line]
        yield -literal, files[file]
    yield from product(lines, fresh)
    yield from product(files, fresh)


def totalizer(literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
    """At most one by the totalizer: a tree of unary sums whose root forbids a sum of two or more.

    Source: O. Bailleux and Y. Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints,
    CP 2003; the clauses are PySAT's, which count in full and then forbid the sum of two. A group of
    nine takes 29 auxiliary variables and 66 clauses; classic 9x9 has 10,125 variables and 21,708
    clauses.
    """
    return _filled("totalizer", literals, fresh)


AT_MOST_ONE: dict[str, AtMostOne] = {
    "sequential": sequential,
    "ladder": ladder,
    "bitwise": bitwise,
    "commander": commander,
    "product": product,
    "totalizer": totalizer,
}


def _filled(kind: str, literals: Sequence[int], fresh: Fresh) -> Iterable[Clause]:
    """The clauses of the encoding that PySAT's `EncType` calls `kind`: a pattern, which every group
    of that length fills in with its own literals and fresh variables."""
    clauses, auxiliary = _pattern(kind, len(literals))
    own = [*literals, *(fresh() for _ in range(auxiliary))]
    of = [0, *own, *(-literal for literal in reversed(own))]  # of[-k] is the negation of of[k]
    return (tuple(of[literal] for literal in clause) for clause in clauses)


@lru_cache(maxsize=64)
def _pattern(kind: str, length: int) -> tuple[list[list[int]], int]:
    """Clauses for literals 1 to length, and how many variables from length + 1 on they use."""
    from pysat.card import CardEnc, EncType

    literals = list(range(1, length + 1))
    cnf = CardEnc.atmost(lits=literals, bound=1, top_id=length, encoding=getattr(EncType, kind))
    return cnf.clauses, max(cnf.nv - length, 0)
