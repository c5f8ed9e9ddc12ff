"""Attack the journals of `satdoku batch --resume`: forged, torn, replayed, of other runs.

    python bench/attacks/journals.py                    # for a minute
    python bench/attacks/journals.py --seconds 600 --seed 2
    python bench/attacks/journals.py --seed 2 --case 17 # one case again

A case has the journal of a whole run, changes it, the input, the options or the key, and runs
again. Either the output is, byte for byte, that of a run without a journal, or the run refuses with
exit code 2 and a message that names the journal or the key, and leaves the journal and the output
that was there as they were. Anything else is a fall: another output, a traceback, a file behind a
link that changed, a journal left after success, more than a minute.

Exit code 1 if anything fell. Each fall is printed with the call that repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn
from unittest import mock

LONGEST = 60  # seconds
HEADER, HEAD = 8 + 32 + 32, 4 + 32 + 32  # bytes of the journal's header, and of a record's
ROWS = 1100  # three chunks of a session
COLUMNS = "line,id,puzzle,rules,status,solution,reason,nodes,solved_by"
USUAL = ("--backend", "session", "--columns", COLUMNS)
OPTIONS = (  # of which each but the first makes other results, or may
    (),
    ("--limit", "1"),
    ("--conflicts", "1"),
    ("--rules", "king"),
    ("--clue", "cage=5:r1c1,r1c2"),
    ("--solver", "minisat22"),
    ("--input-format", "csv"),
    ("--ignore-ruleset",),
)
BASE = ("1234341221434321", "1234341243212143", "1234432121433412", "2143341212344321")
BEFORE = b"what was there before\n"


class Fall(Exception):
    """What must not happen."""


class Place(NamedTuple):
    """The files of a case, in a folder of their own."""

    folder: Path

    @property
    def input(self) -> Path:
        return self.folder / "in.csv"

    @property
    def out(self) -> Path:
        return self.folder / "out.jsonl"

    @property
    def journal(self) -> Path:
        return self.folder / "out.jsonl.journal"

    @property
    def key(self) -> Path:
        return self.folder / "state" / "satdoku" / "journal.key"


def rows(draw: random.Random) -> list[str]:
    """Lines of a table: good rows, rows with rules of their own, and bad ones."""
    found = []
    for number in range(ROWS):
        puzzle = "".join(x if draw.random() < 0.4 else "." for x in draw.choice(BASE))
        match draw.randrange(40):
            case 0:
                puzzle = puzzle[1:]
            case 1:
                puzzle = f"11{puzzle[2:]}"
        found.append(f"n{number},{puzzle},{'diagonal' if draw.random() < 0.01 else ''}")
    return found


def written(place: Place, lines: list[str]) -> None:
    place.input.write_text("\n".join(["id,puzzle,rules", *lines, ""]))


# Runs.


def run(place: Place, *options: str) -> tuple[int, str]:
    """`satdoku batch` in this process: the exit code, and what it says."""
    from satdoku.cli import main

    says = io.TextIOWrapper(io.BytesIO(), "utf-8")
    words = ["batch", place.input.name, "-o", place.out.name, "-q", "-w", "1", *USUAL, *options]
    state = {"XDG_STATE_HOME": str(place.folder / "state")}
    with (
        contextlib.chdir(place.folder),
        mock.patch.dict(os.environ, state),
        contextlib.redirect_stderr(says),
    ):
        code = main(words)
        says.flush()
    return code, says.buffer.getvalue().decode()  # type: ignore[attr-defined]


def expected(place: Place, *options: str) -> tuple[int, bytes]:
    """What a run without a journal gives."""
    code, _ = run(place, *options)
    return code, place.out.read_bytes() if place.out.exists() else b""


def whole_journal(place: Place, *options: str) -> bytes:
    """The journal of a run, as it is before its end removes it."""
    from satdoku.batch.journal import Journal

    with mock.patch.object(Journal, "remove", Journal.close):
        run(place, "--resume", *options)
    data = place.journal.read_bytes()
    place.journal.unlink()
    return data


def records(data: bytes) -> list[bytes]:
    """The records behind the header."""
    found, at, row_bytes = [], HEADER, 1 + 16 + 4 + 4 + 1
    while at < len(data):
        (count,) = struct.unpack_from("<I", data, at)
        end = at + HEAD + count * row_bytes
        found.append(data[at:end])
        at = end
    return found


# What is done to a journal. Each has the journal's bytes and puts something in its place.


def torn(draw: random.Random, place: Place, data: bytes) -> None:
    place.journal.write_bytes(data[: draw.randrange(len(data))])


def flipped(draw: random.Random, place: Place, data: bytes) -> None:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 5, 100))):
        changed[draw.randrange(draw.choice((HEADER + HEAD, len(data))))] ^= 1 << draw.randrange(8)
    place.journal.write_bytes(changed)


def mixed(draw: random.Random, place: Place, data: bytes) -> None:
    """Records exchanged, dropped or doubled."""
    parts = records(data)
    match draw.randrange(3):
        case 0:
            draw.shuffle(parts)
        case 1:
            parts.pop(draw.randrange(len(parts)))
        case 2:
            parts.insert(draw.randrange(len(parts)), draw.choice(parts))
    place.journal.write_bytes(data[:HEADER] + b"".join(parts))


def huge(draw: random.Random, place: Place, data: bytes) -> None:
    """A record that says to be huge, or a file that is (with a hole)."""
    at = draw.choice([HEADER, len(data)])
    count = struct.pack("<I", draw.choice((0, 1, 2**31, 2**32 - 1)))
    place.journal.write_bytes(data[:at] + count + data[at + 4 :])
    if draw.random() < 0.5:
        os.truncate(place.journal, draw.choice((10**7, 10**10)))


def forged(draw: random.Random, place: Place, data: bytes) -> None:
    """Results changed, and sealed anew without the key."""
    from satdoku.batch.seal import NO_KEY, seal

    last, parts = seal(NO_KEY, data[:40]), []
    for record in records(data):
        count, digest, _ = struct.unpack_from("<I32s32s", record)
        payload = bytearray(record[HEAD:])
        payload[:count] = bytes([draw.choice((0, 1, 2))]) * count
        last = seal(NO_KEY, last, count.to_bytes(4, "little"), digest, payload)
        parts.append(struct.pack("<I32s32s", count, digest, last) + payload)
    start = draw.choice((data[:HEADER], data[:40] + seal(NO_KEY, data[:40])))
    place.journal.write_bytes(start + b"".join(parts))


def of_others(draw: random.Random, place: Place, data: bytes) -> None:
    """The journal of another input or of other options, whole or behind our header or records."""
    before = place.input.read_bytes()
    options: tuple[str, ...] = ()
    if draw.random() < 0.5:
        written(place, rows(draw))
    else:
        options = draw.choice(OPTIONS[1:])
    other = whole_journal(place, *options)
    place.input.write_bytes(before)
    ours = data[: draw.choice((0, HEADER, HEADER + len(records(data)[0])))]
    place.journal.write_bytes(ours + other[HEADER if ours else 0 :])


def of_another_key(draw: random.Random, place: Place, data: bytes) -> None:
    """The key lost, replaced, shortened, or opened to others."""
    place.journal.write_bytes(data)
    match draw.randrange(4):
        case 0:
            place.key.unlink()
        case 1:
            place.key.write_bytes(draw.randbytes(32))
        case 2:
            place.key.write_bytes(draw.randbytes(draw.randrange(32)))
        case 3:
            place.key.chmod(0o644)


def no_file(draw: random.Random, place: Place, data: bytes) -> None:
    """A link to a journal or to another file, a folder, a pipe; or bytes that are no journal."""
    victim = place.folder / "victim"
    match draw.randrange(6):
        case 0:
            victim.write_bytes(data)
            place.journal.symlink_to(victim)
        case 1:
            victim.write_bytes(BEFORE)
            place.journal.symlink_to(victim)
        case 2:
            place.journal.symlink_to(place.folder / "nowhere")
        case 3:
            place.journal.mkdir()
        case 4:
            os.mkfifo(place.journal)
        case 5:
            place.journal.write_bytes(draw.choice((b"", data[:8], BEFORE, draw.randbytes(500))))


def kept(draw: random.Random, place: Place, data: bytes) -> None:
    """A good journal, whole or torn: what changed is the input or the options."""
    place.journal.write_bytes(data if draw.random() < 0.5 else data[: draw.randrange(len(data))])


CHANGES: tuple[Callable[[random.Random, Place, bytes], None], ...] = (
    torn, flipped, mixed, huge, forged, of_others, of_another_key, no_file, kept, kept, kept,
)  # fmt: skip


def input_changed(draw: random.Random, place: Place) -> None:
    """Rows changed, exchanged, added or dropped after the journal was written."""
    head, *lines = place.input.read_text().splitlines()
    at, to = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(7):
        case 0:
            lines[at], lines[to] = lines[to], lines[at]
        case 1:
            lines.insert(at, lines[to])
        case 2:
            del lines[at]
        case 3:
            del lines[at:]
        case 4:
            name, puzzle, _ = lines[at].split(",")
            lines[at] = f"{name},{puzzle},{draw.choice(('king', 'diagonal', 'nonsense'))}"
        case 5:
            name, puzzle, rules = lines[at].split(",")
            lines[at] = f"{name},{draw.choice('1234.')}{puzzle[1:]},{rules}"
        case 6:
            name, puzzle, rules = lines[at].split(",")
            lines[at] = f"{name}x,{puzzle},{rules}"  # only what stands beside the results
    place.input.write_text("\n".join([head, *lines, ""]))


# Cases.


def attack(draw: random.Random, place: Place) -> str:
    """Raise `Fall` if a case falls; else say what was done, and how it ended."""
    written(place, rows(draw))
    data = whole_journal(place)
    change = draw.choice(CHANGES)
    change(draw, place, data)
    options: tuple[str, ...] = ()
    if change is kept and draw.random() < 0.7:
        input_changed(draw, place)
    elif change is kept:
        options = draw.choice(OPTIONS[1:])
    good = expected(place, *options)
    place.out.write_bytes(BEFORE)
    before = seen(place)
    code, says = run(place, "--resume", *options)
    after = seen(place)
    if (code, place.out.read_bytes()) == good and not os.path.lexists(place.journal):
        if after.get("victim") != before.get("victim"):
            raise Fall(f"{change.__name__}: a file behind a link was changed")
        return f"{change.__name__}: right"
    names = (place.journal.name, place.key.name)
    refused = code == 2 and after == before and any(name in says for name in names)
    if not refused:
        changed = [name for name in {*before, *after} if before.get(name) != after.get(name)]
        raise Fall(f"{change.__name__}: exit {code}, changed {sorted(changed)}: {says[-200:]!r}")
    return f"{change.__name__}: refused"


def seen(place: Place) -> dict[str, object]:
    """The output, the journal and the file behind a link, as they are."""
    found: dict[str, object] = {}
    for path in (place.out, place.journal, place.folder / "victim"):
        if path.is_symlink():
            found[path.name] = os.readlink(path)
        elif path.is_file():
            big = path.stat().st_size > 10**8
            found[path.name] = path.stat().st_size if big else path.read_bytes()
        elif path.exists():
            found[path.name] = path.stat().st_mode
    return found


def try_case(seed: int, number: int) -> str:
    """How a case ended; raises `Fall`."""
    with tempfile.TemporaryDirectory() as folder:
        signal.signal(signal.SIGALRM, hangs)
        signal.alarm(LONGEST)
        try:
            return attack(random.Random(f"{seed}/{number}"), Place(Path(folder)))
        except Exception as error:
            if isinstance(error, Fall):
                raise
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(last.filename)}:{last.lineno}"
            raise Fall(f"{type(error).__name__}: {error} at {where}") from error
        finally:
            signal.alarm(0)


def hangs(number: int, frame: object) -> NoReturn:
    raise Fall("hangs")


def cases(seed: int, seconds: float) -> Iterator[int]:
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        yield number
        number += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="this case alone")
    arguments = parser.parse_args()
    numbers = cases(arguments.seed, arguments.seconds)
    ends, fallen = Counter[str](), 0
    for number in numbers if arguments.case is None else [arguments.case]:
        try:
            ends[try_case(arguments.seed, number)] += 1
        except Fall as fall:
            fallen += 1
            print(f"--seed {arguments.seed} --case {number}: {fall}", flush=True)
    told = ", ".join(f"{end} {count:,}" for end, count in sorted(ends.items()))
    print(f"journals: {ends.total() + fallen:,} cases, {fallen:,} fell ({told})")
    return int(fallen > 0)


if __name__ == "__main__":
    sys.exit(main())
