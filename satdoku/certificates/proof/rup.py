"""Proof checkers: DRAT in C or in Python, which also finds the hints of LRAT, and LRAT.

Invariant: both check the same steps in the same order with the same verdicts (`c/checker.c`). The
one in Python serves if the one in C was not built. In addition it can name the clauses that each
lemma follows from, which is what LRAT records.

Unit propagation by two watched literals, the first two of each clause. A list indexed by literal
has 2n + 1 entries: Python's negative indices put -n..-1 after 0..n.

The hints of LRAT are not trusted. Under the negation of the lemma, each named clause in turn must
be unit, until one of them is false. Nothing is searched, so such a checker is short enough to be
formally verified, as cake_lpr is. Negative hints (RAT) are rejected. Source: L. Cruz-Filipe, M.
Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient Certified RAT Verification, CADE 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from ...runtime import limits
from . import DEFAULT_BUDGET, DELETE, Ints, LratStep, Outcome, ProofError, Verdict

_CALL = 50_000_000  # clauses that a call in C visits first, where time is limited

Clause = Sequence[int]
OnLemma = Callable[[int, Clause, list[int]], None]  # name, clause, names of what it follows from
OnDelete = Callable[[int], None]


def check(
    variables: int,
    clauses: Ints,
    proof: Ints,
    *,
    budget: int = DEFAULT_BUDGET,
    on_lemma: OnLemma | None = None,
    on_delete: OnDelete | None = None,
) -> Verdict:
    """Whether every lemma up to the empty clause is RUP; `clauses` is the whole formula.

    Clauses are named 1, 2, ... in order; lemmas continue the numbering. `on_lemma` is called for
    each confirmed lemma that is needed, `on_delete` for each clause that no later lemma will name.
    """
    formula = _Formula(variables)
    for clause in split(clauses):
        if clause is None or not formula.in_range(clause):
            return Verdict(Outcome.MALFORMED, 0)
        formula.add(clause)
    step = 0
    for step, (deletes, clause) in enumerate(_steps(proof), 1):
        limits.check()
        if clause is None or not formula.in_range(clause):
            return Verdict(Outcome.MALFORMED, step)
        if deletes:
            name = formula.delete(clause)
            if name and on_delete:
                on_delete(name)
        else:
            hints, refuted = formula.derive(clause), formula.conflict
            if hints is None:
                return Verdict(Outcome.NOT_IMPLIED, step)
            name = formula.add(clause)
            if on_lemma and not (clause and refuted):
                on_lemma(name, clause, hints)
            if not clause:
                return Verdict(Outcome.VERIFIED, step)
        if formula.visits > budget:
            return Verdict(Outcome.OVER_BUDGET, step)
    return Verdict(Outcome.NO_EMPTY_CLAUSE, step)


def split(numbers: Ints) -> Iterator[list[int] | None]:
    """The clauses between the zeros; None for a last one without a 0."""
    start = 0
    while start < len(numbers):
        try:
            end = numbers.index(0, start)
        except ValueError:
            yield None
            return
        yield numbers[start:end].tolist()
        start = end + 1


def _steps(proof: Ints) -> Iterator[tuple[bool, list[int] | None]]:
    """Whether each step deletes, and its clause."""
    for clause in split(proof):
        if clause and clause[0] == DELETE:
            yield True, clause[1:]
        else:
            yield False, clause


class _Formula:
    """Clauses, what unit propagation makes of them, and why."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.visits = 0
        self.clauses: list[list[int]] = [[]]  # by name, the watched literals first
        self.deleted: set[int] = set()
        self.names: dict[frozenset[int], list[int]] = {}  # of the clauses with these literals
        self.watchers: list[list[int]] = [[] for _ in range(2 * variables + 1)]  # by literal
        self.value = [0] * (2 * variables + 1)  # by literal: 1 true, -1 false
        self.reason = [0] * (variables + 1)  # by variable: the clause that fixed it, 0 if none
        self.trail: list[int] = []
        self.done = 0
        self.conflict = 0  # a clause that is false at top level

    def in_range(self, clause: Clause) -> bool:
        return all(-self.variables <= literal <= self.variables for literal in clause)

    def add(self, literals: Clause) -> int:
        """Add a clause, propagate what becomes unit, and return the clause's name."""
        distinct, name = frozenset(literals), len(self.clauses)
        clause = sorted(distinct, key=lambda literal: self.value[literal] < 0)
        self.clauses.append(clause)
        if self.conflict or any(-literal in distinct for literal in distinct):
            return name
        if len(clause) > 1:
            self.names.setdefault(distinct, []).append(name)
            for literal in clause[:2]:
                self.watchers[literal].append(name)
        not_false = [literal for literal in clause[:2] if self.value[literal] >= 0]
        if not not_false:
            self.conflict = name
        elif len(not_false) == 1 and not self.value[not_false[0]]:
            self._assign(not_false[0], name)
            self.conflict = self._propagate()
        return name

    def delete(self, literals: Clause) -> int:
        """Delete a clause with these literals; its name, or 0 if there is none.

        Units stay, and what propagation has fixed stays fixed: it is implied all the same. A clause
        that fixed a literal will be named by lemmas to come, so it is not told.
        """
        names = self.names.get(frozenset(literals))
        if self.conflict or not names:
            return 0
        name = names.pop()
        self.deleted.add(name)
        needed = any(self.reason[abs(literal)] == name for literal in self.clauses[name])
        return 0 if needed else name

    def derive(self, clause: Clause) -> list[int] | None:
        """The clauses that refute the clause's negation, in order; None if it is not RUP.

        A tautology needs none.
        """
        if any(-literal in clause for literal in clause):
            return []
        mark, conflict = len(self.trail), self.conflict
        true = {literal for literal in clause if self.value[literal] > 0}
        if true:  # take the one that was fixed first: its reason does not depend on the others
            first = next(literal for literal in self.trail if literal in true)
            conflict = self.reason[abs(first)]
        elif not conflict:
            for literal in {literal: 0 for literal in clause if not self.value[literal]}:
                self._assign(-literal, 0)
            conflict = self._propagate()
        hints = self._explain(conflict, clause) if conflict else None
        self._undo(mark)
        return hints

    def _explain(self, conflict: int, clause: Clause) -> list[int]:
        """The reasons that a conflict depends on, in the order of the trail, then the conflict."""
        hints = [conflict]
        assumed = set(map(abs, clause))
        wanted = set(map(abs, self.clauses[conflict]))
        for literal in reversed(self.trail):
            variable = abs(literal)
            if variable in wanted and variable not in assumed:
                hints.append(self.reason[variable])
                wanted.update(map(abs, self.clauses[self.reason[variable]]))
        return hints[::-1]

    def _assign(self, literal: int, reason: int) -> None:
        self.value[literal], self.value[-literal] = 1, -1
        self.reason[abs(literal)] = reason
        self.trail.append(literal)

    def _undo(self, length: int) -> None:
        for literal in self.trail[length:]:
            self.value[literal] = self.value[-literal] = self.reason[abs(literal)] = 0
        del self.trail[length:]
        self.done = length

    def _propagate(self) -> int:
        """Propagate; a clause that has become false, or 0 if there is none."""
        conflict = 0
        while not conflict and self.done < len(self.trail):
            conflict = self._visit(-self.trail[self.done])
            self.done += 1
        return conflict

    def _visit(self, literal: int) -> int:
        """Visit the clauses that watch a literal that is now false; a false one of them, or 0."""
        value, clauses, conflict = self.value, self.clauses, 0
        names = self.watchers[literal]
        kept = self.watchers[literal] = []
        self.visits += len(names)
        for name in names:
            if name in self.deleted:
                continue
            clause = clauses[name]
            if clause[0] == literal:
                clause[0], clause[1] = clause[1], literal
            other = clause[0]
            if conflict or value[other] > 0 or not self._watch_another(name, clause):
                kept.append(name)
                if value[other] < 0:
                    conflict = conflict or name
                elif not value[other] and not conflict:
                    self._assign(other, name)
        return conflict

    def _watch_another(self, name: int, clause: list[int]) -> bool:
        """Watch another literal that is not false instead of the second; whether there is one."""
        for place in range(2, len(clause)):
            literal = clause[place]
            if self.value[literal] >= 0:
                clause[1], clause[place] = literal, clause[1]
                self.watchers[literal].append(name)
                return True
        return False


try:
    from . import _checker
except ImportError:  # built without a compiler: `rup` serves
    COMPILED = False
else:
    COMPILED = True


class Checker:
    """Checks DRAT proofs of one formula plus extra clauses; with `compiled` in C, if it is there.

    Raises `ProofError` for a clause with a literal out of range.
    """

    def __init__(self, variables: int, clauses: Ints, *, compiled: bool = COMPILED) -> None:
        self.variables, self.clauses = variables, clauses
        self._loaded = None
        if compiled and COMPILED:
            try:
                self._loaded = _checker.load(variables, clauses)
            except ValueError as error:
                raise ProofError(str(error)) from None

    def check(self, extra: Ints, proof: Ints, *, budget: int = DEFAULT_BUDGET) -> Verdict:
        """Whether the proof refutes the formula together with the `extra` clauses."""
        if self._loaded is None:
            return check(self.variables, self.clauses + extra, proof, budget=budget)
        tried = budget if limits.left() is None else min(budget, _CALL)
        while True:
            outcome, step = _checker.check(self._loaded, extra, proof, tried)
            if outcome != Outcome.OVER_BUDGET or tried == budget:
                return Verdict(Outcome(outcome), step)
            limits.check()
            tried = min(budget, 4 * tried)


def check_lrat(
    variables: int, clauses: Ints, steps: Iterable[LratStep], *, budget: int = DEFAULT_BUDGET
) -> Verdict:
    """Whether every lemma up to the empty clause follows by its hints; `clauses` is the whole
    formula, named 1, 2, ... in order."""
    formula: dict[int, Clause] = {
        name: clause for name, clause in enumerate(split(clauses), 1) if clause is not None
    }
    number = 0
    for number, step in enumerate(steps, 1):
        if any(not -variables <= literal <= variables for literal in step.clause):
            return Verdict(Outcome.MALFORMED, number)
        if step.deleted:
            for name in step.deleted:
                formula.pop(name, None)
            continue
        budget -= len(step.hints) + 1
        if budget < 0:
            return Verdict(Outcome.OVER_BUDGET, number)
        if step.name in formula or not _follows(step, formula):
            return Verdict(Outcome.NOT_IMPLIED, number)
        if not step.clause:
            return Verdict(Outcome.VERIFIED, number)
        formula[step.name] = step.clause
    return Verdict(Outcome.NO_EMPTY_CLAUSE, number)


def _follows(step: LratStep, formula: dict[int, Clause]) -> bool:
    """Whether the hints, in order, lead from the lemma's negation to a false clause."""
    false = set(step.clause)
    if any(-literal in false for literal in false):
        return True
    for hint in step.hints:
        left = [literal for literal in formula.get(hint, ()) if literal not in false]
        if hint not in formula or len(set(left)) > 1:
            return False
        if not left:
            return True
        false.add(-left[0])
    return False


def drat_to_lrat(variables: int, clauses: Ints, proof: Ints) -> str:
    """The proof with hints, as LRAT text; raises `ProofError` if the proof is wrong."""
    lines: list[str] = []

    def lemma(name: int, clause: Clause, hints: Collection[int]) -> None:
        if hints:  # a tautology has none, and no use
            lines.append(" ".join(map(str, (name, *clause, 0, *hints, 0))))

    def deletion(name: int) -> None:
        last = lines[-1].split(" ", 1)[0] if lines else "0"
        lines.append(f"{last} d {name} 0")

    verdict = check(variables, clauses, proof, on_lemma=lemma, on_delete=deletion)
    if not verdict.good:
        raise ProofError(verdict.describe())
    return "\n".join(lines) + "\n"
