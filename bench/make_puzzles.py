"""Write the generated collection in puzzles/: unique and minimal classic puzzles.

    python bench/make_puzzles.py 1000 --seed 1 > puzzles/generated-1000.txt

Backtracking with random digits makes a full grid. Then givens are removed in random order as long
as the solution stays unique. The result depends only on the seed and not on the solver, because
every solver gives the same answer about uniqueness.
"""

from __future__ import annotations

import argparse
import random

from satdoku import Session, Status
from satdoku.model.board import Board

BOARD = Board()


def random_grid(generator: random.Random) -> bytes:
    """A full grid by backtracking on the cell with the fewest digits left; ties are random."""
    cells = bytearray(81)

    def options(cell: int) -> list[int]:
        taken = {cells[peer] for peer in BOARD.peers[cell]}
        return [digit for digit in range(1, 10) if digit not in taken]

    def fill() -> bool:
        empty = [cell for cell in range(81) if not cells[cell]]
        if not empty:
            return True
        generator.shuffle(empty)
        cell = min(empty, key=lambda c: len(options(c)))
        digits = options(cell)
        generator.shuffle(digits)
        for digit in digits:
            cells[cell] = digit
            if fill():
                return True
        cells[cell] = 0
        return False

    fill()
    return bytes(cells)


def minimal_puzzle(generator: random.Random, session: Session) -> str:
    """A puzzle that gets a second solution if any of its givens is removed."""
    cells = bytearray(random_grid(generator))
    for cell in generator.sample(range(81), 81):
        digit, cells[cell] = cells[cell], 0
        if session.decide_cells(bytes(cells))[0] is not Status.UNIQUE:
            cells[cell] = digit
    return "".join(map(str, cells)).replace("0", ".")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator, session = random.Random(arguments.seed), Session()
    print(f"# {arguments.count} minimal classic puzzles, each with one solution")
    print(f"# made by bench/make_puzzles.py {arguments.count} --seed {arguments.seed}")
    for _ in range(arguments.count):
        print(minimal_puzzle(generator, session))


if __name__ == "__main__":
    main()
