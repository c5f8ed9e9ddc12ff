"""Query one Z3 solver that holds a model from Z3_MODELS and further assertions.

Invariant: Z3's answer `unknown` raises `Z3Unknown`. It never counts as "no solution".
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...model.constraints import Constraints
from ...runtime.errors import SatdokuError
from .models import DIMACS_MODEL, Z3_MODELS, Cnf, Model, ReadDimacs

TICK = 0.001  # Z3 takes whole milliseconds


class WitnessMissing(SatdokuError):
    """A witness that is unknown or not installed."""


class Z3Unknown(SatdokuError):
    """Z3 gave up; the text is the reason: `timeout` if our clock says so, else Z3's own."""


def load_z3(name: str) -> Any:
    """The module z3; raises `WitnessMissing` if it is not installed."""
    try:
        import z3
    except ImportError:
        raise WitnessMissing(f"witness {name} needs z3: pip install z3-solver") from None
    return z3


class Z3Query:
    """One solver with the rules asserted.

    cnf: our CNF, which only z3-dimacs needs. timeout: seconds for each call of `find`.
    """

    def __init__(
        self,
        name: str,
        constraints: Constraints,
        *,
        cnf: Cnf | None = None,
        timeout: float | None = None,
    ) -> None:
        self._z3 = load_z3(name)
        self.model = _model(name, constraints, cnf)
        self.solver = self.model.solver()
        self.timeout = timeout
        if timeout is not None:  # 0 milliseconds would be no limit
            self.solver.set("timeout", max(1, round(1000 * timeout)))
        self.model.load(self.solver, constraints)

    def fix(self, cells: Iterable[int], struck: Iterable[int] = ()) -> None:
        """Assert the givens (0 means none) and the negation of the struck candidates (0-based)."""
        equals = self.model.equals
        givens = zip(self.model.cells, cells, strict=True)
        self.solver.add(*(equals(x, digit) for x, digit in givens if digit))
        self.solver.add(*(self._z3.Not(self._holds(candidate)) for candidate in struck))

    @contextmanager
    def under(self, cells: Iterable[int], struck: Iterable[int] = ()) -> Iterator[None]:
        """`fix` inside a `with` block; its end retracts this and all else asserted in the block."""
        self.solver.push()
        try:
            self.fix(cells, struck)
            yield
        finally:
            self.solver.pop()

    def find(self) -> bytes | None:
        """A solution as one digit per cell, or None; raises `Z3Unknown`.

        Z3 handles Ctrl-C itself and then answers `unknown`; `find` raises `KeyboardInterrupt`.
        """
        start = time.monotonic()
        answer = self.solver.check()
        if answer == self._z3.unknown:
            raise _given_up(self.solver.reason_unknown(), time.monotonic() - start, self.timeout)
        if answer == self._z3.unsat:
            return None
        model = self.solver.model()
        return bytes(self.model.value(model, x) for x in self.model.cells)

    def forbid(self, solution: bytes) -> None:
        """Assert that the solution differs from this one."""
        terms = zip(self.model.cells, solution, strict=True)
        same = [self.model.equals(x, digit) for x, digit in terms]
        self.solver.add(self._z3.Not(self._z3.And(*same)))

    def demand(self, candidates: Iterable[int]) -> None:
        """Assert that at least one of the candidates (0-based) is true."""
        self.solver.add(self._z3.Or(*map(self._holds, candidates)))

    def counters(self) -> dict[str, int]:
        """The conflicts, decisions and propagations that Z3 counted, summed over its solvers."""
        statistics = self.solver.statistics()
        found: dict[str, int] = {}
        for position in range(len(statistics)):
            key, count = statistics[position]
            word = key.removeprefix("sat ").split()[0]
            if word in ("conflicts", "decisions", "propagations"):
                found[word] = found.get(word, 0) + int(count)
        return found

    def _holds(self, candidate: int) -> Any:
        cell, digit = divmod(candidate, self.model.board.choices)
        return self.model.equals(self.model.cells[cell], digit + 1)


def _given_up(said: str, took: float, timeout: float | None) -> BaseException:
    """Why Z3 gave up. Its timer and Ctrl-C both cancel it, and it may call either one `canceled`,
    so our clock decides between them."""
    if "mem" in said:
        return Z3Unknown(said)
    if timeout is not None and took >= timeout - TICK and "keyboard" not in said:
        return Z3Unknown("timeout")
    return KeyboardInterrupt() if "keyboard" in said or "cancel" in said else Z3Unknown(said)


def _model(name: str, constraints: Constraints, cnf: Cnf | None) -> Model:
    if name == DIMACS_MODEL:
        assert cnf is not None, f"{name} has nothing to read"
        return ReadDimacs(constraints.board, cnf)
    return Z3_MODELS[name](constraints.board)
