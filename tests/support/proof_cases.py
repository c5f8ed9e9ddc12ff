"""A slow proof checker and formulas to try proofs on, shared by the tests of proofs and mutants.

It knows no watched literals: a clause is one number with a bit for each literal, and unit
propagation looks at every clause until nothing changes.
"""

from __future__ import annotations

from array import array
from itertools import combinations

from satdoku.certificates.make import refute

WRITERS = "cadical103", "cadical153", "cadical195"


def flat(clauses):
    """Clauses as the checkers take them."""
    return array("i", [number for clause in clauses for number in (*clause, 0)])


class SlowChecker:
    """RUP by full scans; as in the checkers, deletion does not undo fixed literals."""

    def __init__(self, variables, clauses):
        self.variables = variables
        self.false = 0  # bits of the literals that are permanently false
        self.even = int("01" * (variables + 2), 2)
        self.clauses = [self.bits(clause) for clause in clauses if not self.is_tautology(clause)]
        self.refuted = False
        self.fix()

    def bit(self, literal):
        return 1 << (2 * abs(literal) + (literal < 0))

    def bits(self, clause):
        total = 0
        for literal in clause:
            total |= self.bit(literal)
        return total

    def is_tautology(self, clause):
        return any(-literal in clause for literal in clause)

    def negation(self, bits):
        """The bits of the opposite literals."""
        return ((bits & self.even) << 1) | ((bits >> 1) & self.even)

    def fixpoint(self, false):
        """The false literals after unit propagation; None on a conflict."""
        if false & self.negation(false):
            return None
        before = -1
        while before != false:
            before = false
            for clause in self.clauses:
                left = clause & ~false
                if not left:
                    return None
                if not left & (left - 1):
                    false |= self.negation(left)
        return false

    def add(self, clause):
        if self.is_tautology(clause) or self.refuted:
            return
        self.clauses.append(self.bits(clause))
        self.fix()

    def fix(self):
        """Fix permanently what unit propagation finds."""
        fixed = self.fixpoint(self.false)
        self.refuted = fixed is None
        self.false = self.false if fixed is None else fixed

    def delete(self, clause):
        bits = self.bits(clause)
        if not self.is_tautology(clause) and bits & (bits - 1) and bits in self.clauses:
            self.clauses.remove(bits)

    def implies(self, clause):
        if self.refuted or self.is_tautology(clause):
            return True
        return self.fixpoint(self.false | self.bits(clause)) is None

    def accepts(self, steps):
        """Whether (deletes, clause) steps lead to the empty clause."""
        for deletes, clause in steps:
            if any(not 1 <= abs(literal) <= self.variables for literal in clause):
                return False
            if deletes:
                self.delete(clause)
            elif not self.implies(clause):
                return False
            elif not clause:
                return True
            else:
                self.add(clause)
        return False


def slow_steps(text):
    """The steps of a DRAT text, word by word; a clause [0] is not a step."""
    steps, clause, deletes = [], [], False
    for word in text.split():
        if word == "d":
            if clause or deletes:
                return [*steps, (False, [0])]
            deletes = True
        elif int(word):
            clause.append(int(word))
        else:
            steps.append((deletes, clause))
            clause, deletes = [], False
    return [*steps, (False, [0])] if clause or deletes else steps


def random_formula(random, variables, clauses):
    """A random 3-SAT formula."""
    return [
        [random.choice((-1, 1)) * v for v in random.sample(range(1, variables + 1), 3)]
        for _ in range(clauses)
    ]


def refutations(random, count):
    """Random clauses that have no model, and a proof of a random solver, with deletions."""
    while count:
        variables = random.randint(5, 50)
        lengths = random.choices((2, *[3] * 18, 4), k=int(variables * random.uniform(4, 6)))
        clauses = [
            [random.choice((-1, 1)) * random.randint(1, variables) for _ in range(length)]
            for length in lengths
        ]
        if text := refute(clauses, solver=random.choice(WRITERS)):
            count -= 1
            yield clauses, text


def pigeons(holes):
    """One pigeon more than holes: short clauses, and no short refutation."""
    at = [[1 + holes * pigeon + hole for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = combinations(range(holes + 1), 2)
    return at + [[-at[a][hole], -at[b][hole]] for a, b in pairs for hole in range(holes)]
