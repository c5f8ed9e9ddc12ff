"""Make a training set and a test set of the size and form of sudoku-extreme, and measure commands.

    python bench/dataset.py FOLDER [--size 3831994 422786] [--seed 16] [--run audit rows clean ...]

`FOLDER/train.csv` and `FOLDER/test.csv` get columns source, question, answer and rating, and
`FOLDER/planted.json` what was planted. To be quick, many rows are made from few puzzles: BASES
minimal ones are generated, those of the test apart from those of training. A row is one of these

- `changed`: a base from which one given was taken and into which one or two others were put, still
  with one solution (55 % of the rows; about 24 givens, most of them not minimal any more);
- `minimal`: a base itself (the first rows, each base once);
- `easier`: a base to which 2 to 12 givens were given back (the rest),

moved by a random symmetry. So a grid serves many rows, up to symmetry, of the same file. The last
rows of the test are planted: copies of rows of training (exact leaks), symmetric images of others,
and other puzzles of grids of training. The rating is 10 plus the givens above 17, of no meaning.

With `--run` each of these commands runs on both files as a process of its own (other options, such
as `-w 1`, are passed on): `audit`, `rows` (the same with `--rows rows.csv`), `clean` with what it
drops, and `split --by grid`. It prints the wall-clock time, the processor time, the peak of the
memory of the process and its children together, and what was found: the leaks of an audit must be
those that were planted.
Needs /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.batch.solve import solve_batch
from satdoku.generator import generate
from satdoku.runtime.errors import Status

Puzzles = NDArray[np.uint8]
Rows = tuple[NDArray[np.bytes_], Puzzles, Puzzles]  # sources, questions, answers

TRAIN, TEST = 3_831_994, 422_786  # rows of sudoku-extreme
BASES = 50_000
PLANTED = 1_000  # rows of each kind of leak
CHANGED = 0.55
BLOCK = 1 << 16
SOURCES = np.array([b"made_minimal", b"made_changed", b"made_easier "])


def changed(puzzles: Puzzles, grids: Puzzles, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Change the givens in place as far as the solution stays the only one; where that is."""
    order = np.where(puzzles > 0, 2, rng.random(puzzles.shape)).argsort(axis=1)
    taken = np.where(puzzles > 0, rng.random(puzzles.shape), -1).argmax(axis=1)
    rows, more = np.arange(len(puzzles)), rng.random(len(puzzles)) < 0.8
    tried = puzzles.copy()
    tried[rows, taken] = 0
    tried[rows, order[:, 0]] = grids[rows, order[:, 0]]
    tried[rows[more], order[more, 1]] = grids[rows[more], order[more, 1]]
    good = solve_batch(tried)[0] == Status.UNIQUE
    puzzles[good] = tried[good]
    return np.asarray(good)


def easier(puzzles: Puzzles, grids: Puzzles, rng: np.random.Generator) -> Puzzles:
    """With 2 to 12 givens more."""
    order = np.where(puzzles > 0, 2, rng.random(puzzles.shape)).argsort(axis=1).argsort(axis=1)
    more: Puzzles = np.where(order < rng.integers(2, 13, (len(puzzles), 1)), grids, puzzles)
    return more


def moved(puzzles: Puzzles, grids: Puzzles, rng: np.random.Generator) -> tuple[Puzzles, Puzzles]:
    """Both under the same random symmetry, another one for each row."""
    count = len(puzzles)
    sides = [
        (rng.random((count, 3)).argsort(axis=1)[:, :, None] * 3
         + rng.random((count, 3, 3)).argsort(axis=2)).reshape(count, 9)
        for _ in range(2)
    ]  # fmt: skip
    cells = sides[0][:, :, None] * 9 + sides[1][:, None, :]
    turned = rng.random(count) < 0.5
    cells[turned] = cells[turned].transpose(0, 2, 1)
    cells = cells.reshape(count, 81)
    names = np.zeros((count, 10), np.uint8)
    names[:, 1:] = rng.random((count, 9)).argsort(axis=1) + 1
    one, other = (
        np.take_along_axis(names, np.take_along_axis(some, cells, 1), 1)
        for some in (puzzles, grids)
    )
    return one, other


def blocks(puzzles: Puzzles, grids: Puzzles, rows: int, rng: np.random.Generator) -> Iterator[Rows]:
    """`rows` rows made from the bases, in blocks."""
    done = 0
    while done < rows:
        if done < len(puzzles):
            some = np.arange(done, min(done + BLOCK, len(puzzles)))
            kinds, question = np.zeros(len(some), int), puzzles[some]
        else:
            some = rng.integers(0, len(puzzles), BLOCK)
            question = puzzles[some]
            good = changed(question, grids[some], rng)
            question[~good] = easier(question[~good], grids[some][~good], rng)
            kinds = np.where(good, 1, 2)
            kept = np.flatnonzero(good | (rng.random(BLOCK) < easier_share(good.mean())))
            some, kinds, question = some[kept], kinds[kept], question[kept]
        part = slice(0, rows - done)
        question, answer = moved(question[part], grids[some[part]], rng)
        yield SOURCES[kinds[part]], question, answer
        done += len(question)


def easier_share(good: float) -> float:
    """How many of the rows that could not be changed are kept, as easier ones."""
    return min(1.0, good * (1 - CHANGED) / CHANGED / max(1 - good, 1e-9))


def lines(rows: Rows) -> bytes:
    """Rows of CSV, all of one length."""
    sources, questions, answers = rows
    count = len(questions)
    ratings = 10 + np.count_nonzero(questions, axis=1) - 17
    digits = np.stack([ratings // 10, ratings % 10], 1).astype(np.uint8) + ord("0")
    cells = questions + np.uint8(ord("0"))
    cells[questions == 0] = ord(".")
    comma, end = (np.full((count, 1), ord(sign), np.uint8) for sign in ",\n")
    names = np.ascontiguousarray(sources).view(np.uint8).reshape(count, -1)
    parts = [names, comma, cells, comma, answers + np.uint8(ord("0")), comma, digits, end]
    return np.concatenate(parts, axis=1).tobytes()


def planted(train: Rows, rng: np.random.Generator) -> Rows:
    """PLANTED exact leaks, as many symmetric images, and other puzzles of the same grids."""
    sources, questions, answers = (part[: 3 * PLANTED] for part in train)
    questions, answers = questions.copy(), answers.copy()
    images, others = slice(PLANTED, 2 * PLANTED), slice(2 * PLANTED, 3 * PLANTED)
    questions[images], answers[images] = moved(questions[images], answers[images], rng)
    questions[others] = easier(questions[others], answers[others], rng)
    return sources, questions, answers


def make(folder: Path, train: int, test: int, seed: int) -> None:
    """Write both files and what was planted."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    bases = np.asarray(generate(BASES, seed=seed, workers=os.cpu_count() or 1))
    grids = solve_batch(bases)[1]
    own = BASES // 10  # of the test
    first: Rows | None = None
    for name, some, rows in (("train", slice(own, None), train), ("test", slice(0, own), test)):
        with (folder / f"{name}.csv").open("wb") as file:
            file.write(b"source,question,answer,rating\n")
            rows -= 3 * PLANTED * (name == "test")
            for block in blocks(bases[some], grids[some], rows, rng):
                first = first or block
                file.write(lines(block))
            if name == "test" and first is not None:
                file.write(lines(planted(first, rng)))
    found = {"train": train, "test": test, "seed": seed, "bases": BASES, "leaks of each": PLANTED}
    (folder / "planted.json").write_text(json.dumps(found, indent=1))


def resident(process: int) -> int:
    """Bytes of memory of a process and its children, pages that they share counted once each."""
    total, children = 0, f"/proc/{process}/task/{process}/children"
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total = 1024 * int(line.split()[1])
        return total + sum(resident(int(child)) for child in Path(children).read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return total  # it has just ended


FILES = ("train.csv", "test.csv")
COMMANDS: dict[str, tuple[str, ...]] = {
    "audit": ("audit", *FILES),
    "rows": ("audit", *FILES, "--rows", "rows.csv"),
    "clean": ("clean", *FILES, "-o", "clean.csv", "--dropped", "dropped.csv"),
    "split": ("split", *FILES, "-o", "split-train.csv", "split-test.csv", "--by", "grid"),
}


def measured(folder: Path, name: str, more: list[str]) -> dict[str, Any]:
    """Run one of `COMMANDS`; what it took and what it found."""
    command = [sys.executable, "-P", "-m", "satdoku", *COMMANDS[name], "--json", *more]
    start, before, peak = time.perf_counter(), os.times(), 0
    with (folder / "found.json").open("w") as found:
        process = subprocess.Popen(command, cwd=folder, stdout=found)
        while process.poll() is None:
            peak = max(peak, resident(process.pid))
            time.sleep(0.1)
    wall, after = time.perf_counter() - start, os.times()
    return {
        "command": name,
        "wall_s": wall,
        "processor_s": sum(after[2:4]) - sum(before[2:4]),
        "peak_mib": peak / 2**20,
        **_told(json.loads((folder / "found.json").read_text())),
    }


def _told(found: dict[str, Any]) -> dict[str, Any]:
    """The counts of `clean` and `split`; of an audit the rows, answers and leaks."""
    if "files" not in found:
        return found
    return {
        "rows": sum(file["rows"] for file in found["files"]),
        "answers": [file["answers"] for file in found["files"]],
        **{
            kind: [leak | {"examples": len(leak["examples"])} for leak in found[kind]]
            for kind in ("leaks", "grid_leaks")
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--size", type=int, nargs=2, default=(TRAIN, TEST), metavar=("TRAIN", "TEST")
    )
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument(
        "--run", nargs="+", choices=COMMANDS, default=[], help="measure these commands"
    )
    arguments, more = parser.parse_known_args()
    if not (arguments.folder / "planted.json").exists():
        start = time.perf_counter()
        make(arguments.folder, *arguments.size, arguments.seed)
        print(f"made in {time.perf_counter() - start:.0f} s")
    for name in arguments.run:
        print(json.dumps(measured(arguments.folder, name, more), indent=1))


if __name__ == "__main__":
    main()
