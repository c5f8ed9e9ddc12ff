"""Solve a puzzle step by step; each step has the smallest explanation that was found.

Invariant: `witness` proves every step from the units that it names and the candidates that were
left. The last state equals what a CDCL solver finds for the puzzle.

In every state the next step is the conclusion whose explanation needs the fewest units. Sources:
J. Espasa, I. P. Gent, R. Hoffmann, C. Jefferson, A. M. Lynch, Using Small MUSes to Explain How to
Solve Pen and Paper Puzzles (Demystify, 2021); B. Bogaerts, E. Gamba, T. Guns, A Framework for
Step-Wise Explaining How to Solve Constraint Satisfaction Problems (2020).

The plain techniques come first. A search runs only if they find nothing of size 4 or less, or of
size 1 if there are clues, and then only for something smaller than they found. No conclusion has a
smaller explanation than such a finding (see `techniques`). A larger finding is the smallest that
was found, and it is minimal: every one of its units is needed. Where cells are connected, or there
are layers or ranks, it is needed for propagation: fewer units may say as much, but take so many
cases that nobody follows them. There, if propagation finds nothing, candidates are tried beside the
one to refute, and those that lead to a contradiction are cases of the finding.

The search is unit propagation that draws the cheapest consequence first. Each consequence has a
support: the set of reasons that it needs. Consequences are drawn in the order of the size of their
supports (Dijkstra's order, generalised to and-or graphs by D. Knuth, A Generalization of Dijkstra's
Algorithm, IPL 6, 1977). The support of a consequence is the union of the supports that it follows
from, so its size is not a sum, and a smaller union may be missed: the result is small but not
always smallest. It depends only on the state and the suppositions. There is no solver, clock or
randomness in it, so every machine finds the same contradiction.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import chain
from math import inf
from typing import NamedTuple

from ..answers.api import true_candidates
from ..answers.session import verified
from ..model.board import bits, mask_of
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import SatdokuError, WitnessError
from . import techniques
from .mus import Oracle, selector
from .readings import Mask, Removal
from .step import Pattern, Step, pattern_of_fish, pattern_of_sum
from .techniques import Finding, State, fewest_excluders
from .units import Unit, Units, units_of
from .witness import proves
from .words import chain_of, words_of

Supposed = tuple[int, bool, Mask]  # candidate, true or false, reasons that this costs
Entry = tuple[int, int, bool, Mask]  # size of the support, candidate, true or false, support
NO_BOUND = 1 << 30
FEW = 3  # look for common rivals only in groups with at most this many candidates left


class Propagation:
    """The consequences of a state and some suppositions that need fewer than `bound` reasons.

    Reasons are numbers: the numbers of units, and the numbers given to `suppose`. With `overlaps`,
    a candidate is also false if all candidates left in some group exclude it (box-line inference
    and similar ones). This is stronger, and about three times slower. only: the reasons that may
    be used.
    """

    def __init__(
        self, state: State, *, bound: int = NO_BOUND, overlaps: bool = False, only: Mask = -1
    ) -> None:
        self.units = state.units
        self._unused = ~only
        self.open = state.live & ~state.placed
        self._not_false = state.live
        self.bound = bound
        self.overlaps = overlaps
        self.true: dict[int, Mask] = {}
        self.false: dict[int, Mask] = {}
        self._left = {unit.number: left.bit_count() for unit, left in state.open_groups}
        self._contradiction: Mask | None = None
        self._heap: list[Entry] = []
        self._touched: dict[int, None] = {}  # clues of several cells that lost a candidate
        for unit, struck in state.unsupported:
            for candidate in bits(struck):
                self.suppose(candidate, False, 1 << unit)

    def suppose(self, candidate: int, holds: bool, support: Mask = 0) -> None:
        """Suppose that an open candidate is true or false; `support` are the reasons it costs."""
        size = support.bit_count()
        if size < self.bound and not support & self._unused:
            heappush(self._heap, (size, candidate, holds, support))

    def contradiction(self) -> Mask | None:
        """Draw all consequences; return the smallest set of reasons found for a contradiction.

        None if there is no contradiction.
        """
        while self._has_more() or self._touched:
            if not self._has_more():
                self._read(self._touched.popitem()[0])
                continue
            _, candidate, holds, support = heappop(self._heap)
            if candidate in (self.true if holds else self.false):
                continue
            if holds:
                self._settle_true(candidate, support)
            else:
                self._settle_false(candidate, support)
        return self._contradiction

    def _has_more(self) -> bool:
        return bool(self._heap) and self._heap[0][0] < self.bound

    def _read(self, unit: int) -> None:
        """The candidates that a clue no longer allows are false: it needs many reasons and much
        time, so this waits until there is nothing else to draw."""
        clue = self.units.all[unit]
        if clue.is_local:
            for removal in clue.removals(self._not_false):
                self._remove(removal, unit)
            return
        support = 1 << unit
        for candidate in bits(clue.members & self.open & ~self._not_false):
            support |= self.false[candidate]
        for candidate in bits(clue.unsupported(self._not_false) & self.open):
            self.suppose(candidate, False, support)

    def _remove(self, removal: Removal, unit: int) -> None:
        support = 1 << unit
        for candidate in bits(removal.because & self.open & ~self._not_false):
            support |= self.false[candidate]
        for candidate in bits(removal.struck & self.open):
            self.suppose(candidate, False, support)

    def _settle_true(self, candidate: int, support: Mask) -> None:
        self.true[candidate] = support
        if candidate in self.false:
            self._contradict(support | self.false[candidate])
        for unit, others in self.units.rivals[candidate]:
            for other in bits(others & self.open):
                if other not in self.false:
                    self.suppose(other, False, support | 1 << unit)
        for unit, others in self.units.supports_of[candidate]:
            self._needs_one(candidate, others, unit)

    def _settle_false(self, candidate: int, support: Mask) -> None:
        self.false[candidate] = support
        self._not_false &= ~(1 << candidate)
        if candidate in self.true:
            self._contradict(support | self.true[candidate])
        for unit, other, others in self.units.supports_at[candidate]:
            if other not in self.false:
                self._needs_one(other, others, unit)
        self._touched.update(dict.fromkeys(self.units.read_by[candidate]))
        for group in self.units.groups_at[candidate]:
            self._left[group] -= 1
            if self._left[group] < 2:
                self._last_of(group)
            elif self.overlaps and self._left[group] <= FEW:
                self._common_rivals(group)

    def _needs_one(self, candidate: int, others: Mask, unit: int) -> None:
        """A candidate without support is false; if it is true, its last support is."""
        rest = others & self._not_false
        if rest & rest - 1 or (rest and candidate not in self.true):
            return
        support = 1 << unit
        for other in bits(others & self.open & ~rest):
            support |= self.false[other]
        if rest & self.open:
            self.suppose(rest.bit_length() - 1, True, support | self.true[candidate])
        elif not rest and self.open >> candidate & 1:
            self.suppose(candidate, False, support)

    def rest(self, group: int) -> tuple[Mask, Mask]:
        """The candidates of a group that are not false, and the reasons for the false ones."""
        rest, support = 0, 1 << group
        for candidate in bits(self.units.all[group].candidates & self.open):
            if candidate in self.false:
                support |= self.false[candidate]
            else:
                rest |= 1 << candidate
        return rest, support

    def _last_of(self, group: int) -> None:
        """The last candidate left in a group is true; an empty group is a contradiction."""
        rest, support = self.rest(group)
        if not rest:
            self._contradict(support)
        elif (last := rest.bit_length() - 1) not in self.true:
            self.suppose(last, True, support)

    def _common_rivals(self, group: int) -> None:
        rest, support = self.rest(group)
        common = self.open & ~self.units.all[group].candidates
        for candidate in bits(rest):
            common &= self.units.excluded[candidate]
        for rival in bits(common):
            if rival not in self.false:
                by = fewest_excluders(self.units, rival, rest)
                self.suppose(rival, False, support | mask_of(by))

    def _contradict(self, support: Mask) -> None:
        if support.bit_count() < self.bound and not support & self._unused:
            self._contradiction, self.bound = support, support.bit_count()


def refute(
    state: State,
    candidate: int,
    *,
    bound: int = NO_BOUND,
    overlaps: bool = False,
    only: Mask = -1,
) -> Mask | None:
    """A set of fewer than `bound` units that refutes the candidate in the state, or None.

    None means only that this propagation finds no such set.
    """
    propagation = Propagation(state, bound=bound, overlaps=overlaps, only=only)
    propagation.suppose(candidate, True)
    return propagation.contradiction()


class ByCases(NamedTuple):
    """Units that refute a candidate, and further ones that each lead to a contradiction beside it
    and those before them."""

    support: Mask
    cases: tuple[int, ...]

    @property
    def size(self) -> int:
        """Units and cases."""
        return self.support.bit_count() + len(self.cases)


def refute_by_cases(
    state: State,
    supposed: Sequence[Supposed],
    only: Mask = -1,
    cases: Sequence[int] | None = None,
    deadline: float = inf,
) -> ByCases | None:
    """How propagation refutes what is supposed once it has refuted candidates beside it, out of
    `cases` or of those that the groups with few candidates left have; None if it does not, or not
    before the deadline."""
    beyond = len(state.units.all) + len(supposed)  # the numbers of the cases as reasons
    only |= -1 << beyond
    refuted: dict[int, Mask] = {}

    def search() -> Propagation:
        begun = Propagation(state, only=only)
        for candidate, holds, support in supposed:
            begun.suppose(candidate, holds, support)
        for other, support in refuted.items():
            begun.suppose(other, False, support)
        return begun

    while True:
        base, before = search(), len(refuted)
        if (found := base.contradiction()) is not None:
            used = tuple(case for at, case in enumerate(refuted) if found >> beyond + at & 1)
            return ByCases(found & ~(-1 << beyond), used)
        for case in _undecided(state, base) if cases is None else cases:
            if case in refuted or case in base.false:
                continue
            if time.monotonic() > deadline:
                return None
            tried = search()
            tried.suppose(case, True)
            if (support := tried.contradiction()) is not None:
                refuted[case] = support | 1 << beyond + len(refuted)
                base.suppose(case, False, refuted[case])
                if base.contradiction() is not None:
                    break
        if len(refuted) == before:
            return None


def fewer(
    proof: ByCases, state: State, supposed: Sequence[Supposed], deadline: float = inf
) -> ByCases:
    """The proof without the reasons that it can do without, as far as the time suffices."""
    for reason in reversed(tuple(bits(proof.support))):
        if time.monotonic() > deadline:
            break
        if proof.support >> reason & 1:
            only = proof.support & ~(1 << reason)
            proof = refute_by_cases(state, supposed, only, proof.cases) or proof
    return proof


def _undecided(state: State, search: Propagation) -> list[int]:
    """The candidates left in groups that have few, those with fewest first, each once."""
    lefts = [search.rest(unit.number)[0] for unit, _ in state.open_groups]
    few = sorted((left for left in lefts if 1 < left.bit_count() <= FEW), key=int.bit_count)
    return list(dict.fromkeys(candidate for left in few for candidate in bits(left)))


BOUNDS = (5, 7, 10, 14, 20, 30, NO_BOUND)  # sizes of explanations that the search tries in turn
SMALL = 4  # plain findings up to this size are taken without a search for smaller ones
CORES = 12  # candidates to try if propagation refutes none
TRIED = 3  # the same where cells are connected, by cases or by cores
FISH = {4: "x-wing", 6: "swordfish", 8: "jellyfish"}


class Finder:
    """Looks for the next finding: first with the plain techniques by size, then by search.

    true: the candidates that some solution has; the finder refutes the others. After the deadline
    (a time of `time.monotonic`) a search raises `BudgetError`, so time never changes a finding.
    """

    def __init__(self, units: Units, true: Mask, deadline: float = inf) -> None:
        self.units, self.true, self.deadline = units, true, deadline
        self._oracle: Oracle | None = None

    def next(self, state: State) -> Finding:
        """The finding with the fewest units; among equals the plainest, then the first."""
        plain = self._plain(state)
        if plain is not None and plain.size <= (1 if self.units.clues else SMALL):
            return plain
        bound = NO_BOUND if plain is None else plain.size
        if (found := self._searched(state, bound)) is not None:
            return found
        return self._last_resort(state) if plain is None else self._shrunk(state, plain)

    def close(self) -> None:
        """Free the solver, if there is one."""
        if self._oracle is not None:
            self._oracle.close()

    def _plain(self, state: State) -> Finding | None:
        """The smallest finding of the plain techniques, the first of its size."""
        for technique in (techniques.singles, techniques.clues, techniques.locked):
            for finding in technique(state):
                return finding
        larger = chain(
            techniques.subsets(state, 2),
            techniques.common_peers(state),
            techniques.subsets(state, 3),
        )
        return min(larger, key=lambda finding: finding.size, default=None)

    def _searched(self, state: State, bound: int) -> Finding | None:
        """The smallest explanation under the bound that propagation finds, made minimal."""
        for step in BOUNDS:
            best = self._best(state, min(step, bound), overlaps=False)
            if best is not None or step >= bound:
                return best
        return None

    def _shrunk(self, state: State, plain: Finding) -> Finding:
        """The finding; if it names clues, what they need may make some of its units superfluous."""
        if not any(self.units.all[unit].sentence for unit in plain.units):
            return plain
        candidate = next(bits(plain.struck))
        units = self._minimal(state, plain.units, candidate)
        return plain if len(units) == plain.size else self._finding(state, units, candidate)

    def _last_resort(self, state: State) -> Finding:
        """If propagation refutes no candidate: try stronger propagation, then a solver's cores."""
        found = self._best(state, NO_BOUND, overlaps=True)
        if found is None and self.units.is_local:
            found = self._by_cases(state)
        return found or self._by_cores(state)

    def _by_cases(self, state: State) -> Finding | None:
        """The smallest of several refutations by cases, without units that can be left out."""
        found: list[tuple[int, ByCases, int]] = []
        for number, candidate in enumerate(self._by_reach(state)):
            if len(found) == TRIED or (found and number >= CORES):
                break
            self._look_at_the_clock()
            proof = refute_by_cases(state, [(candidate, True, 0)], deadline=self.deadline)
            if proof is not None:
                found.append((proof.size, proof, candidate))
        if not found:
            return None
        _, proof, candidate = min(found)
        proof = fewer(proof, state, [(candidate, True, 0)], self.deadline)
        units, struck = tuple(bits(proof.support)), 1 << candidate
        return Finding("cases", units, struck=struck, refuted=candidate, cases=proof.cases)

    def _by_reach(self, state: State) -> list[int]:
        """The wrong candidates left, those first from which most follows."""
        wrong = bits(state.live & ~self.true)
        return sorted(wrong, key=lambda candidate: -_reach(state, candidate))

    def _best(self, state: State, bound: int, *, overlaps: bool) -> Finding | None:
        """The refutation with the fewest units below the bound; the first candidate's if equal."""
        best: tuple[tuple[int, ...], int] | None = None
        for candidate in bits(state.live & ~self.true):
            self._look_at_the_clock()
            support = refute(state, candidate, bound=bound, overlaps=overlaps)
            if support is not None:
                units = self._fewer(state, support, candidate, overlaps=overlaps)
                best, bound = (units, candidate), len(units)
        return None if best is None else self._finding(state, *best)

    def _fewer(
        self, state: State, support: Mask, candidate: int, *, overlaps: bool
    ) -> tuple[int, ...]:
        """Units of the support of which none can be left out; where cells are connected, or there
        are layers, none without which propagation would not do: fewer may say it, but to no one."""
        if not self.units.is_local:
            return self._minimal(state, tuple(bits(support)), candidate)
        for unit in reversed(tuple(bits(support))):
            if support >> unit & 1:
                only = support & ~(1 << unit)
                found = refute(state, candidate, overlaps=overlaps, only=only)
                support = support if found is None else found
        return tuple(bits(support))

    def _by_cores(self, state: State) -> Finding:
        """The smallest of several minimal sets, found by shrinking a solver's cores."""
        oracle = self._asked(state)
        selectors = [selector(self.units, unit) for unit in range(len(self.units.all))]
        found = []
        for candidate in self._by_reach(state)[: TRIED if self.units.is_local else CORES]:
            self._look_at_the_clock()
            core = oracle.core(selectors, [candidate + 1])
            assert core is not None  # the candidate is in no solution
            units = tuple(literal - selectors[0] for literal in core)
            found.append((self._minimal(state, units, candidate), candidate))
        best, candidate = min(found, key=lambda pair: len(pair[0]))
        return self._finding(state, best, candidate)

    def _minimal(self, state: State, units: tuple[int, ...], candidate: int) -> tuple[int, ...]:
        oracle = self._asked(state)
        literals = [selector(self.units, unit) for unit in units]
        kept = oracle.minimal(literals, [candidate + 1]).literals
        return tuple(literal - selector(self.units, 0) for literal in kept)

    def _finding(self, state: State, units: tuple[int, ...], candidate: int) -> Finding:
        """A finding that strikes the candidate and all others that the same units refute."""
        oracle = self._asked(state)
        switched = [selector(self.units, unit) for unit in units]
        reach = mask_of(
            other
            for unit in units
            for other in bits(self.units.all[unit].members & state.live & ~self.true)
        )
        if self.units.is_local:
            only = mask_of(units)
            also = (
                c for c in bits(reach) if refute(state, c, only=only, overlaps=True) is not None
            )
        else:
            also = (c for c in bits(reach) if oracle.contradict([*switched, c + 1]))
        struck = 1 << candidate | mask_of(also)
        return Finding(_shape(self.units, units), units, struck=struck, refuted=candidate)

    def _look_at_the_clock(self) -> None:
        if time.monotonic() > self.deadline:
            raise limits.late()

    def _asked(self, state: State) -> Oracle:
        if self._oracle is None:
            self._oracle = Oracle(self.units)
        self._oracle.keep_only(state.live)
        return self._oracle


def _reach(state: State, candidate: int) -> int:
    """The number of consequences that propagation draws from a candidate."""
    search = Propagation(state)
    search.suppose(candidate, True)
    search.contradiction()
    return len(search.true) + len(search.false)


def _shape(units: Units, explanation: tuple[int, ...]) -> str:
    """The technique's name: a fish has as many rows as columns of one digit, else it is a chain."""
    named = [units.all[unit] for unit in explanation]
    rows = sum(unit.family == "row" for unit in named)
    columns = sum(unit.family == "column" for unit in named)
    one_digit = len({unit.digit for unit in named}) == 1
    if one_digit and rows == columns and rows + columns == len(named) and len(named) in FISH:
        return FISH[len(named)]
    return "chain"


class UnexplainableError(SatdokuError):
    """A puzzle without solution has no steps; `explain_conflict` says why."""


def steps_of(
    puzzle: Grid, constraints: Constraints, timeout: float | None = None
) -> Iterator[Step]:
    """Yield the steps until every candidate left is in some solution.

    `timeout`: time in seconds. After it, `BudgetError` is raised instead of the next step; it
    never changes a step. Raises `UnexplainableError` if there is no solution.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        true = true_mask(puzzle, constraints)
        state = State.of(puzzle, units_of(constraints))
        finder = Finder(state.units, true, deadline)
    try:
        while state.live != true or state.placed.bit_count() < _known(state):
            if time.monotonic() > deadline:
                raise limits.late(timeout)
            finding = finder.next(state)
            step, state = taken(state, finding, deadline)
            yield step
    finally:
        finder.close()
    check_end(state, puzzle)


def true_mask(puzzle: Grid, constraints: Constraints) -> Mask:
    """The candidates that some solution has; raises `UnexplainableError` if there are none."""
    n = puzzle.board.choices
    true = true_candidates(Puzzle(puzzle, constraints))
    if not all(true):
        raise UnexplainableError("the puzzle has no solution, so there are no steps to one")
    return mask_of(n * cell + digit - 1 for cell, digits in enumerate(true) for digit in digits)


def _known(state: State) -> int:
    """The number of cells with one candidate left."""
    return sum(state.digits_of(cell).bit_count() == 1 for cell in range(state.units.board.cells))


def check_end(state: State, puzzle: Grid) -> None:
    if state.placed == state.live:
        verified(Grid(state.cells, puzzle.board), puzzle, state.units.constraints)


def taken(
    state: State, finding: Finding, deadline: float, *, verify: bool = True
) -> tuple[Step, State]:
    """Prove the finding and return it as a step, with the state after it."""
    units = tuple(state.units.all[unit] for unit in finding.units)
    concluded = finding.placed, finding.struck, finding.cases
    if verify and not proves(units, state.live, *concluded, deadline):
        raise WitnessError(f"{finding.technique} by {units} does not follow in {state.live:x}")
    solved = Grid(state.cells, state.units.board)
    after = state.strike(finding.struck) if finding.placed is None else state.place(finding.placed)
    basis = tuple(state.units.all[unit] for unit in finding.basis)
    step = Step(
        technique=finding.technique,
        put=finding.placed,
        struck=state.live & ~after.live,
        units=units,
        solved=solved,
        live=state.live,
        board=state.units.board,
        because=tuple(sorted({c // state.units.size for c in bits(finding.about)})),
        words=words_of(state, finding),
        chain=chain_of(state, finding),
        rating=finding.rating,
        draws=finding.draws or partial(_plain_pattern, finding, units, basis, state.live),
    )
    return step, after


def _plain_pattern(
    finding: Finding, units: Sequence[Unit], basis: Sequence[Unit], live: Mask
) -> Pattern | None:
    """What to draw of a fish or a sum."""
    fish = pattern_of_fish(units, live, finding.struck)
    return fish or pattern_of_sum(basis, finding.cells)
