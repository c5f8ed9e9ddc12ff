"""Attack what reads files: mutated inputs of each format, through the command line's entry.

    python bench/attacks/fuzz_inputs.py                        # 20 s for each format
    python bench/attacks/fuzz_inputs.py --formats csv,opb --seconds 600
    python bench/attacks/fuzz_inputs.py --formats csv --seed 1 --case 4711   # one case again, shown

The formats are CSV, JSON lines, pencil marks, OPB, DIMACS, certificates and texts of Interactive
Sudoku Solver. A case is drawn by format, seed and number alone. It is a good file in which bytes,
fields, JSON values, words or lines were changed, or good lines with bad ones among them; a command
reads it. What falls:

- a traceback, or an exit code other than 0, 1 and 2;
- a case that takes more than 10 s, or lets the process grow by more than 1 GB;
- a character on either stream that a terminal would act on, or text that its encoding lacks;
- a good line beside bad ones without its answer, or with another one; counts that do not add up;
- a grid out of a solver's answer, or a verified certificate, that is wrong by brute force.

Exit code 1 if anything fell. Each fall is printed with the call that repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing.connection import Connection
from operator import eq
from pathlib import Path
from typing import Any, NamedTuple

LONGEST, MOST_MB = 10.0, 1024  # seconds and growth of a case
BOARD = [[r, c, r // 2 * 2 + c // 2] for r in range(4) for c in range(4)]


class Call(NamedTuple):
    """A command line and what it prints with which exit code."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str


class Case(NamedTuple):
    """A mutated input. good: the answers that lines of it must have, by line number."""

    data: bytes
    good: dict[int, str]
    options: tuple[str, ...] = ()
    more: Any = None


class Fall(Exception):
    """What must not happen."""


# Brute force on 4x4, without any code of satdoku.


def grids(puzzle: str) -> Iterator[str]:
    """All solutions of a classic 4x4 puzzle."""
    hole = puzzle.find(".")
    if hole < 0:
        if all(
            len({puzzle[i] for i in range(16) if BOARD[i][kind] == house}) == 4
            for kind in range(3)
            for house in range(4)
        ):
            yield puzzle
        return
    for digit in "1234":
        if not any(puzzle[i] == digit and any(map(eq, BOARD[i], BOARD[hole])) for i in range(16)):
            yield from grids(puzzle[:hole] + digit + puzzle[hole + 1 :])


def status_of(puzzle: str) -> str:
    found = len(list(grids(puzzle)))
    return "unique" if found == 1 else "multiple" if found else "none"


SOLVED = [next(grids(f"{first}{'.' * 13}{last}")) for first in ("12", "23") for last in "34"]


def puzzle_of(draw: random.Random) -> str:
    """A 4x4 puzzle without a clash of givens."""
    while True:
        grid = draw.choice(SOLVED)
        puzzle = "".join(x if draw.random() < 0.35 else "." for x in grid)
        if draw.random() < 0.2:
            puzzle = puzzle.replace(".", draw.choice("1234"), 1)
        if not clash(puzzle):
            return puzzle


def clash(puzzle: str) -> bool:
    return any(
        puzzle[i] == puzzle[j] != "." and any(map(eq, BOARD[i], BOARD[j]))
        for i in range(16)
        for j in range(i)
    )


# Mutations.

TOKENS = [
    *(bytes([i]) for i in (0, 7, 8, 9, 11, 12, 13, 26, 27, 28, 30, 127, 133, 160, 255)),
    *(b'"', b'""', b"'", b",", b";", b"|", b"{", b"}", b"[", b"]", b":", b"#", b"*", b"=", b"+"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xed\xa0\x80"),
    *(b"\x1b[31m", b"\x1b]0;x\x07", b"\xc2\x9b", b"\x1f\x8b\x08", b"PAR1", b"PK\x03\x04"),
    *("٣".encode(), "²".encode(), b"1", "①".encode(), "\U0001f600".encode()),
    *(b"null", b"NaN", b"-1", b"1e999", b"9" * 25, b"9" * 5000, b"0x10", b"1_0", b"0", b"\\u0000"),
    *(b"\\ud800", b"\\x1b", b"puzzle", b"solution", b"rules", b"clues", b"id", b"king", b"jigsaw="),
    *(b"cage=5:r1c1,r1c2", b"thermo:r1c1,r2c1", b"boxes=1x4", b"scl", b"fpuzzles", b".~R1C1_1"),
    *(b"s SATISFIABLE", b"s UNSATISFIABLE", b"v", b"sat", b"x0", b"~x1", b"-x1", b"x" + b"9" * 9),
    *(b"p cnf 64 1", b"p cnf 0 0", b"c satdoku-size 25", b"* satdoku-size 9", b"1234", b"." * 81),
    *(b"." * 256, b"." * 625, b"\n", b"\r\n", b"\n\n", b" ", b"%", b"[" * 3000, b'{"a":' * 3000),
]


def mutated(data: bytes, draw: random.Random, times: int = 0) -> bytes:
    """Bytes changed, a few times over."""
    for _ in range(times or draw.choice((1, 1, 1, 2, 3, 8))):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.choice((1, 1, 2, 5, 20, 100)))
        match draw.randrange(9):
            case 0 if at < len(data):
                data = data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + data[at:end] * draw.choice((2, 2, 3, 1000)) + data[end:]
            case 3:
                data = data[:at] + draw.randbytes(draw.choice((1, 2, 8))) + data[at:]
            case 4:
                data = data[:at]
            case 5:
                to = draw.randrange(len(data) + 1)
                data = data[:at] + data[end:to] + data[at:end] + data[max(end, to) :]
            case 6 if end > at:
                data = data[:at] + draw.choice(TOKENS) + data[end:]
            case _:
                data = data[:at] + draw.choice(TOKENS) + data[at:]
    return data


def one_line(data: bytes) -> bytes:
    """The bytes without what ends a line."""
    return data.replace(b"\n", b"").replace(b"\r", b"")


def words_mutated(text: str, draw: random.Random) -> str:
    """Words exchanged, dropped, doubled or replaced, in lines that stay."""
    lines = [line.split(" ") for line in text.split("\n")]
    for _ in range(draw.choice((1, 1, 2, 4))):
        words = draw.choice(lines)
        at, to = draw.randrange(len(words)), draw.randrange(len(words))
        match draw.randrange(5):
            case 0:
                words[at], words[to] = words[to], words[at]
            case 1 if len(words) > 1:
                del words[at]
            case 2:
                words.insert(to, words[at])
            case 3:
                words[at] = draw.choice(TOKENS).decode("latin-1")
            case 4:
                draw.shuffle(lines[draw.randrange(len(lines))])
    return "\n".join(" ".join(words) for words in lines)


def value_mutated(value: Any, draw: random.Random) -> Any:
    """A JSON value with one part replaced, dropped or put deeper."""
    strange = [
        None, True, -1, 0, 10**30, 10**400, 1.5, float("nan"), "", "\x1b[0m", "\ud800", "a" * 10**5,
        [], {}, [[]], [None] * 81, {"puzzle": "1"}, [0] * 16, [9] * 81, "." * 81, "." * 16,
        list("." * 16), [[1] * 4] * 4, [[[1]]], "é", "٣" * 16, "1" * 729, "r1c1", "r99c99",
        {"rows": 4, "cols": 10**9},
    ]  # fmt: skip
    if isinstance(value, dict) and value and draw.random() < 0.85:
        key = draw.choice(list(value))
        match draw.randrange(6):
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                names = ("puzzle", "solution", "rules", "clues", "id", "givens", "board", "\x1b")
                return {**value, draw.choice(names): draw.choice([value[key], *strange])}
            case _:
                return {**value, key: value_mutated(value[key], draw)}
    if isinstance(value, list) and value and draw.random() < 0.85:
        at = draw.randrange(len(value))
        return [*value[:at], value_mutated(value[at], draw), *value[at + draw.randrange(2) :]]
    return draw.choice(strange) if draw.random() < 0.8 else [value]


# Cases of collections.


def among(
    draw: random.Random, head: list[bytes], good: list[tuple[bytes, str]], bad: list[bytes]
) -> Case:
    """Good lines with bad ones among them; the first line stays, as it tells the format."""
    first, *rest = good
    marked = [*rest, *((line, "") for line in bad)]
    draw.shuffle(marked)
    lines = [*((line, "") for line in head), first, *marked]
    answers = {number: answer for number, (_, answer) in enumerate(lines, 1) if answer}
    end = draw.choice((b"\n", b"\n", b"\n", b"\r\n"))
    return Case(end.join(line for line, _ in lines) + end, answers)


def shaped(case: Case, draw: random.Random) -> Case:
    """The case, or, without answers, with its bytes changed."""
    if draw.random() < 0.5:
        return case
    return case._replace(data=mutated(case.data, draw), good={})


def some_puzzles(draw: random.Random) -> list[str]:
    return [puzzle_of(draw) for _ in range(draw.randrange(2, 7))]


def csv_case(draw: random.Random) -> Case:
    separator = draw.choice(",,,;\t")
    roles = ["id", "puzzle", "solution", "note"][: draw.randrange(2, 5)]
    quoted = draw.random() < 0.3

    def row(number: int, puzzle: str) -> list[str]:
        values = [f"n{number}", puzzle, next(grids(puzzle), "") if draw.random() < 0.5 else ""]
        return [*values, draw.choice(("", "a b", "'q'"))][: len(roles)]

    def written(fields: list[str]) -> bytes:
        texts = (f'"{field}"' if quoted else field for field in fields)
        return separator.join(texts).encode("utf-8", "surrogateescape")

    def spoilt(fields: list[str]) -> bytes:
        at = draw.randrange(len(fields))
        match draw.randrange(7):
            case 0:
                fields.pop(at)
            case 1:
                fields.insert(at, draw.choice(fields))
            case 2:
                draw.shuffle(fields)
            case 3:
                fields[at] = "9" * draw.choice((1, 80, 82, 5000, 70_000))
            case 4:
                fields[at] = draw.choice(TOKENS).decode("utf-8", "surrogateescape")
            case _:
                return one_line(mutated(written(fields), draw))
        return one_line(written(fields))

    puzzles = some_puzzles(draw)
    good = [(written(row(n, puzzle)), status_of(puzzle)) for n, puzzle in enumerate(puzzles)]
    bad = [spoilt(row(n, puzzle_of(draw))) for n in range(draw.randrange(1, 4))]
    if draw.random() < 0.15:  # an odd head line says nothing of what follows
        head = one_line(mutated(separator.join(roles).encode(), draw))
        case = among(draw, [head], good, bad)
        return case._replace(good={})
    return shaped(among(draw, [separator.join(roles).encode()], good, bad), draw)


def jsonl_case(draw: random.Random) -> Case:
    def stated(puzzle: str) -> dict[str, Any]:
        value: dict[str, Any] = {"id": draw.randrange(100)}
        match draw.randrange(4):
            case 0:
                value["puzzle"] = [0 if x == "." else int(x) for x in puzzle]
            case 1:
                value["puzzle"] = [[0 if x == "." else int(x) for x in puzzle[i : i + 4]]
                                   for i in range(0, 16, 4)]  # fmt: skip
            case _:
                value["puzzle"] = puzzle
        if draw.random() < 0.3:
            value["solution"] = next(grids(puzzle), "")
        return value

    def spoilt(value: dict[str, Any]) -> bytes:
        if draw.random() < 0.3:
            value |= {"rules": draw.choice(("king", "diagonal", "cage=5:r1c1,r1c2", "latin"))}
        if draw.random() < 0.1:
            value = {"format": "sudoku-puzzle", "format_version": 1, "givens": [0] * 16,
                     "board": {"rows": 4, "cols": 4}, "digits": 4,
                     "rules": [{"type": "cage", "sum": 5, "cells": ["r1c1", "r1c2"]}]}  # fmt: skip
        text = json.dumps(value if draw.random() < 0.3 else value_mutated(value, draw))
        return one_line(mutated(text.encode(), draw) if draw.random() < 0.4 else text.encode())

    good = [(json.dumps(stated(p)).encode(), status_of(p)) for p in some_puzzles(draw)]
    bad = [spoilt(stated(puzzle_of(draw))) for _ in range(draw.randrange(1, 4))]
    return shaped(among(draw, [], good, bad), draw)


def marks_case(draw: random.Random) -> Case:
    if draw.random() < 0.25:  # laid out over lines: only that it does not fall
        cells = [draw.choice(("1", "23", "1234", "4", "12")) for _ in range(16)]
        lines = [" ".join(cells[i : i + 4]) for i in range(0, 16, 4)]
        if draw.random() < 0.5:
            lines = [f"|{line}|" for line in lines]
            lines = ["+---+", *lines[:2], "+---+", *lines[2:], "+---+"]
        text = "\n".join(lines * draw.randrange(1, 3)).encode()
        return Case(mutated(text, draw) if draw.random() < 0.8 else text, {})

    def marks(puzzle: str) -> bytes:
        return "".join(
            "1234" if x == "." else "".join(d if d == x else "." for d in "1234") for x in puzzle
        ).encode()

    def spoilt(line: bytes) -> bytes:
        match draw.randrange(5):
            case 0:
                return line[: draw.randrange(1, len(line))]
            case 1:
                return line.translate(bytes.maketrans(b"1234", draw.choice((b"2341", b"1299"))))
            case 2:
                return bytes(draw.choice(b"1234.0x") for _ in range(64))
            case _:
                return one_line(mutated(line, draw))

    good = [(marks(p), status_of(p)) for p in some_puzzles(draw)]
    bad = [spoilt(marks(puzzle_of(draw))) for _ in range(draw.randrange(1, 4))]
    case = shaped(among(draw, [], good, bad), draw)
    return case._replace(options=("--input-format", "marks")) if draw.random() < 0.4 else case


def read_collection(case: Case, path: str, draw: random.Random) -> None:
    """`batch` and `check` answer every good line; other commands do not fall."""
    options = ("--size", "4", *case.options)
    known = case.options if draw.random() < 0.7 else options
    known = options if case.good else known
    summary = f"{path}.summary.json"
    limits = ("--conflicts", "2000", "--summary", summary, "-w", "1")
    columns = ("--columns", "line,id,puzzle,rules,status,reason")
    found = called(draw, "batch", path, "-q", "-f", "jsonl", *columns, *limits, *known)
    counts = json.loads(Path(summary).read_text()) if os.path.exists(summary) else None
    rows = [json.loads(line) for line in found.out.splitlines()]
    if counts is not None and counts["puzzles"] != len(rows):
        raise Fall(f"{counts['puzzles']} puzzles counted, {len(rows)} written")
    expect(case, {row["line"]: row["status"] for row in rows}, found)
    match draw.randrange(8):
        case 0 | 1 | 2:
            found = called(draw, "check", path, "--json", "--conflicts", "2000", *known)
            rows = [json.loads(line) for line in found.out.splitlines()]
            expect(case, {row["line"]: row["status"] for row in rows if "line" in row}, found)
        case 3:
            called(draw, "batch", path, "-q", "--conflicts", "2000", "-w", "1", *known)
        case 4:
            called(draw, "audit", path, "--json", "-q", "-w", "1", *case.options)
        case 5:
            called(draw, "render", path, "-f", "text", *known)
        case 6:
            called(draw, "export", path, "-f", "json", *known)
        case 7:
            out = f"{path}.out.csv"
            kept = ("--keep", "all", "-o", out)
            called(draw, "batch", path, "-q", *kept, "--conflicts", "2000", *known)


def expect(case: Case, answers: dict[int, str], found: Call) -> None:
    """The good lines have their answers."""
    for line, status in case.good.items():
        if answers.get(line) != status:
            raise Fall(f"{found.words[0]}: line {line} is {answers.get(line)}, expected {status}")


# Cases of answers, certificates and texts.

PUZZLE = "1.....2....3.4.."
SOLUTION = next(grids(PUZZLE))
TRUE = [4 * cell + int(digit) for cell, digit in enumerate(SOLUTION)]


def printed(*words: str) -> str:
    """What a command prints, once for all."""
    if words not in _printed:
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())) as out:
            _main()(list(words))
        _printed[words] = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return _printed[words]


_printed: dict[tuple[str, ...], str] = {}


def either_mutated(text: str, draw: random.Random) -> bytes:
    if draw.random() < 0.6:
        text = words_mutated(text, draw)
        if draw.random() < 0.6:
            return text.encode("utf-8", "surrogateescape")
    return mutated(text.encode("utf-8", "surrogateescape"), draw)


def answer_case(form: str) -> Callable[[random.Random], Case]:
    """An answer to an export, one of them mutated."""

    def make(draw: random.Random) -> Case:
        export = printed("export", "-f", form, PUZZLE)
        signs = [(v if v in TRUE else -v) for v in range(1, 65)]
        if form == "opb":
            literals = " ".join(f"{'-' * (v < 0)}x{abs(v)}" for v in signs)
            truth = ((abs(v), "true" if v > 0 else "false") for v in signs)
            defined = "\n".join(f"(define-fun k!{v} () Bool\n    {said})" for v, said in truth)
            answers = [f"s SATISFIABLE\nv {literals}\n", f"sat\n{defined}\n", "s UNSATISFIABLE\n"]
        else:
            literals = " ".join(map(str, signs))
            answers = [f"s SATISFIABLE\nv {literals} 0\n", f"SAT\n{literals} 0\n", "UNSAT\n"]
        answer = draw.choice([*answers[:2], *answers])
        if draw.random() < 0.25:  # a second status, or more literals
            literal = f"{draw.choice(('', '-'))}{'x' * (form == 'opb')}{draw.randrange(1, 70)}"
            words = ("s UNSATISFIABLE", "s SATISFIABLE", "UNSAT", "unsat", "sat", "s UNKNOWN")
            lines = answer.split("\n")
            lines.insert(draw.randrange(len(lines)), draw.choice((*words, f"v {literal}")))
            return Case("\n".join(lines).encode(), {}, ("strict",), export)
        if draw.random() < 0.3:
            head, _, body = export.partition("\n")  # the comments are what is read
            lines = [head, *body.split("\n")]
            at = draw.randrange(min(12, len(lines)))
            lines[at] = either_mutated(lines[at], draw).decode("utf-8", "surrogateescape")
            return Case(answer.encode(), {}, more="\n".join(lines))
        return Case(either_mutated(answer, draw), {}, ("strict",), export)

    return make


def read_answer(case: Case, path: str, draw: random.Random) -> None:
    """`decode`: a grid is the solution, whatever the answer looks like."""
    export = f"{path}.export"
    Path(export).write_bytes(case.more.encode("utf-8", "surrogateescape"))
    found = called(draw, "decode", path, "--export", export, "-f", "line")
    if found.code == 0 and case.options and found.out.strip() != SOLUTION:
        raise Fall(f"decoded as {found.out.strip()!r}")
    said = case.data.decode("utf-8", "replace")
    no = "unsat" in said.lower()
    if found.code == 1 and not no and "UNKNOWN" not in said and "unknown" not in said:
        raise Fall("'none' out of an answer that does not say so")
    if found.code == 1 and "none" in found.out and case.options:
        whole = [line.strip() for line in said.splitlines()]
        if any(line in ("s SATISFIABLE", "SATISFIABLE", "SAT", "sat") for line in whole):
            raise Fall("'none' out of an answer that also says that there is one")
    if case.more.startswith("p") or "p cnf" in case.more:
        called(draw, "solve", export, "--dimacs-output")


def certificate_case(draw: random.Random) -> Case:
    puzzles = some_puzzles(draw)[:3]
    key = "\n".join(sorted(set(puzzles)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "puzzles")
        path.write_text(key)
        text = printed("certify", str(path), "-q", *(["--lrat"] if draw.random() < 0.3 else []))
    lines = text.splitlines()
    if draw.random() < 0.5:
        at = draw.randrange(len(lines))
        value = json.loads(lines[at])
        if draw.random() < 0.4 and "proof" in value:
            value["proof"]["text"] = either_mutated(value["proof"]["text"], draw).decode("latin-1")
        else:
            value = value_mutated(value, draw)
        lines[at] = json.dumps(value)
        return Case("\n".join(lines).encode(), {})
    return Case(mutated(text.encode(), draw), {})


def read_certificate(case: Case, path: str, draw: random.Random) -> None:
    """`verify`: what it believes is so by brute force."""
    found = called(draw, "verify", path, "--json", "--no-external", "--budget", "1000000")
    for line in found.out.splitlines():
        row = json.loads(line)
        if row["status"] != "verified" or row["rules"] not in ("", "classic"):
            continue
        puzzle, claim = row["puzzle"], row["claim"]
        if len(puzzle) != 16 or clash(puzzle):
            continue
        status = status_of(puzzle)
        if claim in ("unique", "none", "multiple") and claim != status:
            raise Fall(f"verified as {claim}: {puzzle} is {status}")


TEXTS = (
    ".Shape~4x4.~R1C1_1~R2C3_2~R3C4_3.Cage~5~R1C1~R1C2.Thermo~R1C1~R2C1",
    ".Shape~4x4\n.Jigsaw~1122112233443344\n.NoBoxes\n.Arrow~R1C1~R1C2~R2C2\n.LittleKiller~5~R1C2",
    ".Shape~4x4.AntiKnight.Diagonal~1.WhiteDot~R1C1~R1C2.X~R2C1~R2C2.Whisper~2~R3C1~R3C2~R3C3",
    ".Shape~4x4.Sandwich~5~R3.XSum~R1~5~.Skyscraper~C1~3~2.Renban~R1C1~R1C2.Or.~R1C1_1.~R1C1_2.End",
    ".~R1C1_3~R2C2_1_2.AntiKing.Palindrome~R1C1~R2C1~R3C1.Between~R1C1~R1C2~R1C3.Regex~1*2~R1C1~R1C2",
)


def text_case(draw: random.Random) -> Case:
    text = draw.choice(TEXTS)
    if draw.random() < 0.4:
        items = text.split(".")
        other = draw.choice(TEXTS).split(".")
        items.insert(draw.randrange(1, len(items) + 1), draw.choice(other))
        draw.shuffle(items)
        return Case((draw.choice((".", "\n.", ". ")).join(items)).encode(), {})
    if draw.random() < 0.5:
        words = text.replace("~", " ~ ").replace("_", " _ ")
        return Case(words_mutated(words, draw).replace(" ", "").encode("utf-8", "replace"), {})
    return Case(mutated(text.encode(), draw), {})


def read_texts(case: Case, path: str, draw: random.Random) -> None:
    """`check` and, of what can be read, `export` as a text and as JSON."""
    found = called(draw, "check", path, "--conflicts", "500", "--timeout", "5")
    if found.code != 2:
        called(draw, "export", path, "-f", draw.choice(("iss", "json")))


FORMATS: dict[str, tuple[Callable[[random.Random], Case], Callable[..., None]]] = {
    "csv": (csv_case, read_collection),
    "jsonl": (jsonl_case, read_collection),
    "marks": (marks_case, read_collection),
    "opb": (answer_case("opb"), read_answer),
    "dimacs": (answer_case("dimacs"), read_answer),
    "certificates": (certificate_case, read_certificate),
    "iss": (text_case, read_texts),
}


# Calls in this process.


def _main() -> Callable[[list[str]], int]:
    from satdoku.cli import main

    return main


def called(draw: random.Random, command: str, *words: str) -> Call:
    """The command with captured streams; raises `Fall` for what no call may do."""
    encoding = draw.choice(("utf-8", "utf-8", "ascii"))
    streams = [
        io.TextIOWrapper(io.BytesIO(), encoding, errors)
        for errors in ("strict", "backslashreplace")
    ]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = _main()([command, *words])
        for stream in streams:
            stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    if code not in (0, 1, 2, 10, 20):
        raise Fall(f"{command}: exit code {code}: {err.strip()[-200:]}")
    for name, text in (("standard output", out), ("standard error", err)):
        if wrong := next((c for c in text if c != "\n" and not c.isprintable()), ""):
            raise Fall(f"{command}: {wrong!a} on {name}")
    if code == 2 and not err.strip():
        raise Fall(f"{command}: exit code 2 without a word")
    if "Traceback" in err:
        raise Fall(f"{command}: a traceback on standard error")
    return Call((command, *words), code, out, err)


def drawn(form: str, seed: int, number: int) -> tuple[Case, random.Random]:
    draw = random.Random(f"{form}/{seed}/{number}")
    return FORMATS[form][0](draw), draw


def try_case(form: str, seed: int, number: int, folder: str) -> str:
    """What fell in a case; empty if nothing did."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        case, draw = drawn(form, seed, number)
        path = os.path.join(folder, f"input.{form}")
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        Path(path).write_bytes(case.data)
        FORMATS[form][1](case, path, draw)
    except Fall as fall:
        return str(fall)
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(last.filename)}:{last.lineno}"
        return f"{type(error).__name__}: {ascii(str(error))[:200]} at {where}"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    return f"grew by {grown} MB" if grown > MOST_MB else ""


def work(form: str, seed: int, first: int, end: float, to: Connection) -> None:
    """Cases from a number on; each is told before it begins and after its end."""
    with tempfile.TemporaryDirectory() as folder:
        for number in count(first):
            if time.monotonic() > end:
                break
            to.send((number, None))
            to.send((number, try_case(form, seed, number, folder)))
    to.send((-1, None))


def attack(form: str, seed: int, seconds: float) -> tuple[int, Counter[str]]:
    """Cases for so long, in a process that is replaced if one hangs; how many, and what fell."""
    end, first, falls = time.monotonic() + seconds, 0, Counter[str]()
    while time.monotonic() < end:
        receive, send = multiprocessing.Pipe(duplex=False)
        worker = multiprocessing.Process(target=work, args=(form, seed, first, end, send))
        worker.start()
        send.close()
        number = first
        with contextlib.suppress(EOFError):
            while receive.poll(LONGEST + 5 * (number == first)):  # the first imports, too
                number, fell = receive.recv()
                if number < 0:
                    worker.join()
                    return first, falls
                first = number + 1
                if fell:
                    told(form, seed, number, fell, falls)
            told(form, seed, number, f"took more than {LONGEST:.0f} s", falls)
            worker.kill()
        worker.join()
        if worker.exitcode not in (0, -9):
            told(form, seed, number, f"ended the process: {worker.exitcode}", falls)
    return first, falls


def told(form: str, seed: int, number: int, fell: str, falls: Counter[str]) -> None:
    falls[fell] += 1
    if falls[fell] == 1:
        print(f"{form} --seed {seed} --case {number}: {fell}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--formats", default=",".join(FORMATS), help="separated by commas")
    parser.add_argument("--seconds", type=float, default=20, help="for each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="this case of one format, shown")
    arguments = parser.parse_args()
    forms = arguments.formats.split(",")
    if arguments.case is not None:
        case, _ = drawn(forms[0], arguments.seed, arguments.case)
        print(case)
        with tempfile.TemporaryDirectory() as folder:
            print(try_case(forms[0], arguments.seed, arguments.case, folder) or "nothing fell")
        return 0
    fallen = 0
    for form in forms:
        cases, falls = attack(form, arguments.seed, arguments.seconds)
        fallen += falls.total()
        print(f"{form}: {cases:,} cases, {falls.total():,} fell ({len(falls)} kinds)", flush=True)
    return int(fallen > 0)


if __name__ == "__main__":
    sys.exit(main())
