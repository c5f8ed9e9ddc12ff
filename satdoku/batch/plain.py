"""Lists answered as lines: read, solved, verified and printed part by part, in order.

Invariant: the lines equal the output of `solve_chunks` and `format_lines`. A part of plain puzzles
that the kernel answers with solutions stays bytes from file to file; other parts become arrays.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..engine import kernel
from ..engine.plan import plan_for
from ..engine.targets import active
from ..files.collection import AVAILABLE, Part, Plain, plain_lines
from ..runtime.errors import SatdokuError, Status, WitnessError
from ..witness.verify import all_solve, says_houses_only
from .options import BatchOptions

if TYPE_CHECKING:
    from ..files.collection import Chunk

_SOLVED = bytes([Status.UNIQUE, Status.MULTIPLE, Status.SOLVED])


class Answered(NamedTuple):
    """The answers to a part of a collection.

    lines: as `format_lines` writes them; statuses: a code of `Status` for each puzzle; errors: what
    is wrong with the puzzles that are none, in order.
    """

    lines: bytes | bytearray
    statuses: bytes | bytearray
    errors: tuple[SatdokuError, ...] = ()


def answer_parts(
    parts: Iterable[Part], options: BatchOptions, *, workers: int | str = 0
) -> Generator[Answered, None, None]:
    """The answers to each part, in order, by the C kernel (there must be one); there may be more
    parts then. So many threads solve, or others (see `workers.KINDS`), while this thread reads and
    writes; with 0 workers it solves as well."""
    parts = _shared_out(parts, options)
    if not workers:
        yield from (answer(part, options) for part in parts)
        return
    from ..runtime.workers import Workers, map_in_order  # not above: threads take a while to load

    with Workers("thread", workers) if isinstance(workers, int) else Workers(workers) as pool:
        jobs = ((None, (part, options)) for part in parts)
        yield from (answered for _, answered in map_in_order(pool, answer, jobs))


def _shared_out(parts: Iterable[Part], options: BatchOptions) -> Iterator[Part]:
    """The parts; see `solve.shared_out`."""
    for part in parts:
        if isinstance(part, Plain):
            yield part
        else:
            from .solve import shared_out

            yield from shared_out([part], options)


def answer(part: Part, options: BatchOptions) -> Answered:
    """The answers to one part, every solution verified; raises `WitnessError`."""
    if not isinstance(part, Plain):
        return _by_arrays(part, options)
    constraints = options.constraints
    board, rules = constraints.board, constraints.rules
    if not AVAILABLE or not says_houses_only(rules, board):  # numpy is the quicker witness
        return _by_arrays(part.chunk(), options)
    plan = plan_for(constraints, True)
    found = kernel.solve_bytes(plan, part.cells, options.limit, options.node_budget, active())
    if found.statuses.translate(None, _SOLVED):
        return _settled(part, found, options)
    if not all_solve(found.solutions, part.cells, rules, board):
        raise WitnessError(f"wrong solutions for puzzles from line {part.line} of {part.source}")
    lines = plain_lines(found.statuses, found.solutions, board)
    return Answered(lines, found.statuses)


def _settled(part: Plain, found: kernel.Found, options: BatchOptions) -> Answered:
    """What the kernel has answered where some puzzles have no solution, or none is known."""
    import numpy as np

    from .decide import engine_result
    from .results.texts import format_lines
    from .solve import settled

    chunk = part.chunk()
    count = part.rows
    statuses = np.frombuffer(found.statuses, np.uint8)
    solutions = np.frombuffer(found.solutions, np.uint8).reshape(count, -1)
    nodes = np.frombuffer(found.nodes, np.uint32)
    result = engine_result(statuses, solutions, nodes, part.board)
    result = settled(chunk.puzzles, result, options)
    return Answered(format_lines(chunk, result, options), result.statuses.tobytes())


def _by_arrays(chunk: Chunk, options: BatchOptions) -> Answered:
    from .results.texts import format_lines
    from .solve import solve_chunks

    ((chunk, result),) = solve_chunks([chunk], options)
    errors = tuple(error for _, error in sorted(chunk.errors.items()))
    return Answered(format_lines(chunk, result, options), result.statuses.tobytes(), errors)
