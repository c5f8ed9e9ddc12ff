"""Every parser as a function of bytes that may raise `SatdokuError` and nothing else.

What a parser accepts, and one of our writers can write, must read back as the same. `seeds` are
inputs that each parser accepts: what is mutated to get beyond its first line.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from examples import CLASSIC, CLASSIC_SOLUTION
from record_cases import Seen, from_chunks, from_puzzles

from satdoku import ReadOptions
from satdoku.batch.journal import Journal
from satdoku.batch.options import BatchOptions
from satdoku.batch.solve import solve_batch
from satdoku.bench.results import HEADER, read_rows
from satdoku.certificates.check import check_certificates
from satdoku.certificates.format import read_certificates, write_section
from satdoku.certificates.make import certify
from satdoku.certificates.proof import parse_drat, parse_formula, parse_lrat
from satdoku.cnf.dimacs import (
    SATISFIABLE,
    decode_answer,
    format_answer,
    format_cnf,
    parse_answer,
    parse_cnf,
)
from satdoku.cnf.encodings import encode
from satdoku.files.collection import FORMATS, Chunk, read_chunks
from satdoku.files.fpuzzles import format_fpuzzles, format_sudokupad, parse_fpuzzles
from satdoku.files.fpuzzles.links import compress, decompress
from satdoku.files.fpuzzles.links import load as fields
from satdoku.files.iss import format_iss, parse_iss
from satdoku.files.one import as_puzzle, parse_puzzle
from satdoku.files.pencilmark import parse_pencilmark
from satdoku.files.puzzle_json import format_puzzle_json, parse_puzzle_json
from satdoku.files.puzzles import read_puzzles
from satdoku.files.streams import Source, read_text
from satdoku.files.sudokubench import parse_sudokubench
from satdoku.model.board import Board, board_for
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.model.grid import LINE_BYTES, format_csv, format_line, format_pretty, parse_grid
from satdoku.model.looks import Cage, Line, Shape, paint
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.runtime.errors import SatdokuError
from satdoku.witness.smtlib import parse_smt_answer

FOUR = Board.of_size(4)
CONSTRAINTS = constraints_for("classic", FOUR)
BUDGET = 2_000_000  # clauses that checking one mutated proof may visit
LZ_LIMIT = 1 << 16  # characters that a packed text may hold


def text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def in_file(data: bytes, read: Callable[[str], object]) -> None:
    """Pass the bytes to a parser that takes a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data")
        with open(path, "wb") as file:
            file.write(data)
        read(path)


def grid(data: bytes) -> None:
    found = parse_grid(text(data))
    for write in (format_line, format_pretty, format_csv):
        assert parse_grid(write(found), found.board) == found


def jigsaw_map(data: bytes) -> None:
    board = constraints_for("jigsaw=" + text(data)).board
    assert constraints_for(f"jigsaw={board.region_map}").board == board


def rules(data: bytes) -> None:
    found = constraints_for(text(data), default=FOUR)
    assert constraints_for(found.name, default=FOUR) == found


def collection(format: str | None) -> Callable[[bytes], None]:
    def parse(data: bytes) -> None:
        def read(path: str) -> None:
            for chunk in read_chunks(path, size=64, reading=ReadOptions(format=format)):
                check_chunk(chunk)

        in_file(data, read)

    return parse


def check_chunk(chunk: Chunk) -> None:
    """Errors and names are safe to print, and good rows of digits read back from lines."""
    assert len(chunk.lines) == len(chunk.puzzles)
    answers = chunk.answers.errors if chunk.answers else {}
    for error in (*chunk.errors.values(), *answers.values()):
        check_message(error)
    assert all(name.isprintable() for name in (*(chunk.ids or ()), *(chunk.rules or ())))
    good = [row for row in range(len(chunk.lines)) if row not in chunk.errors]
    if good and chunk.puzzles.dtype == np.uint8:
        cells = np.frombuffer(LINE_BYTES, np.uint8)[chunk.puzzles[good]]
        lines = b"".join(row.tobytes() + b"\n" for row in cells)
        (again,) = read_chunks(
            source_of(lines), None, board_for(chunk.cells), reading=ReadOptions(format="lines")
        )
        assert np.array_equal(again.puzzles, chunk.puzzles[good])


def source_of(data: bytes) -> Source:
    return Source("data", io.BytesIO(data))


def both_ways(data: bytes) -> None:
    """Puzzle by puzzle each may have its own board; on one board, arrays say the same.

    Of rows that state rules only the words: whether they mean anything, `read_chunks` leaves open.
    """
    in_file(data, lambda path: list(read_puzzles(path)))

    def seen(read: Callable[[Path, Board], list[Seen]], path: str) -> list[Seen] | str:
        try:
            found = read(Path(path), Board())
        except SatdokuError as error:
            return str(error)
        return [row._replace(puzzle="") if row.rules else row for row in found]

    in_file(data, lambda path: agree(seen(from_puzzles, path), seen(from_chunks, path)))


def agree(one: object, other: object) -> None:
    assert one == other


def cnf(data: bytes) -> None:
    found = parse_cnf(text(data))
    body = "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in found.clauses)
    again = parse_cnf(f"p cnf {found.variables} {len(found.clauses)}\n{body}")
    assert again.clauses == found.clauses


def answer(data: bytes) -> None:
    found = parse_answer(text(data))
    if found.status == SATISFIABLE:
        assert parse_answer(format_answer(found.status, found.literals)) == found
    decode_answer(found, encode(CONSTRAINTS))


def proofs(data: bytes) -> None:
    for parse in (parse_drat, parse_lrat, parse_formula):
        try:
            parse(text(data))
        except SatdokuError as error:
            check_message(error)


def certificate(data: bytes) -> None:
    in_file(data, lambda path: list(check_certificates(path, budget=BUDGET)))


def certificate_fields(data: bytes) -> None:
    """What can be read is written as a section of its own, and read again."""

    def read(path: str) -> None:
        for entry in read_certificates(path, on_error=check_message):
            with open(path + "2", "wb") as file:
                write_section(file, entry.preamble, [entry.certificate])
            (again,) = read_certificates(path + "2")
            assert again[1:] == entry[1:]

    in_file(data, read)


def fpuzzle(data: bytes) -> None:
    found = parse_fpuzzles(text(data))
    write = format_fpuzzles if found.grid.board.is_square else format_sudokupad
    again = parse_fpuzzles(write(found, candidates=found.noted))
    assert (again.grid, again.rules) == (found.grid, found.rules)
    for name in ("title", "author", "words"):  # halves of UTF-16 pairs are no text
        said = (
            getattr(found, name).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        )
        assert getattr(again, name) == said
    assert len(again.looks) <= len(found.looks)
    drawn = replace(found, looks=again.looks)
    assert Counter(parse_fpuzzles(write(drawn)).looks) == Counter(again.looks)


def solver_text(data: bytes) -> None:
    """A text of Interactive Sudoku Solver. What is written once reads back as it is; the first time
    a clue that allows one digit becomes a given, and regions that are the usual boxes go."""
    found = parse_iss(text(data))
    try:
        once = parse_iss(format_iss(found.grid, rules_of(found)))
    except SatdokuError:  # what it reads is more than it can state
        return
    assert all(given in (0, again) for given, again in zip(found.grid, once.grid, strict=True))
    assert set(rules_of(once).groups) == set(rules_of(found).groups)
    assert parse_iss(format_iss(once.grid, rules_of(once))) == once


def rules_of(found: Puzzle) -> Constraints:
    return constraints_for(found.rules, default=found.grid.board)


def one_puzzle(data: bytes) -> None:
    """Any text as one puzzle; its own rules, asked for again, are agreed to."""
    found = parse_puzzle(text(data))
    assert as_puzzle(found, found.constraints) == found
    assert found.grid.board == found.constraints.board


def puzzle_json(data: bytes) -> None:
    found = parse_puzzle_json(text(data))
    assert parse_puzzle_json(format_puzzle_json(found)) == found


def packed(data: bytes) -> None:
    found = decompress(text(data), LZ_LIMIT)
    assert decompress(compress(found), 2 * LZ_LIMIT) == found


def journal_chunk() -> Chunk:
    """What the run that finds the journal reads: a puzzle, and again and again."""
    return Chunk(np.array([1]), np.array([list(parse_grid("12".ljust(16, ".")))], np.uint8), {})


def journal(data: bytes) -> None:
    def replay(path: str) -> None:
        found = Journal(path, "settings")
        try:
            options = BatchOptions(constraints_for("classic", Board.of_size(4)))
            while found.replay(journal_chunk(), options) is not None:
                pass
        finally:
            found.close()

    in_file(data, replay)


TARGETS: dict[str, Callable[[bytes], object]] = {
    "grid": grid,
    "jigsaw map": jigsaw_map,
    "rules": rules,
    "puzzles in a file": both_ways,
    "text": lambda data: in_file(data, read_text),
    "cnf": cnf,
    "solver output": answer,
    "smt output": lambda data: parse_smt_answer(text(data), CONSTRAINTS),
    "proof": proofs,
    "certificate": certificate,
    "certificate fields": certificate_fields,
    "f-puzzles": fpuzzle,
    "SudokuPad": fpuzzle,
    "iss": solver_text,
    "puzzle JSON": puzzle_json,
    "killer": one_puzzle,
    "drawn": one_puzzle,
    "one puzzle": one_puzzle,
    "pencilmark": lambda data: parse_pencilmark(text(data)),
    "Sudoku-Bench": lambda data: parse_sudokubench(text(data)),
    "packed text": packed,
    "journal": journal,
    "lab results": lambda data: in_file(data, lambda path: read_rows(Path(path))),
    "collection": collection(None),
    **{f"collection as {format}": collection(format) for format in FORMATS},
}


def _npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _npz(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def _columns(kind: str) -> tuple[bytes, ...]:
    """Texts, and lists of digits with what a row may state beside them; packed and plain."""
    import pyarrow
    import pyarrow.ipc
    import pyarrow.parquet

    lists = pyarrow.array([[int(digit) for digit in CLASSIC_SOLUTION], None])
    texts = {"puzzle": [CLASSIC, None], "solution": [CLASSIC_SOLUTION, ""]}
    more = {"quiz": lists, "rules": pyarrow.array(["king", ""]).dictionary_encode(), "id": [1, 2]}
    found = []
    for table, packing in product(map(pyarrow.table, (texts, more)), (None, "zstd")):
        if kind == "parquet":
            stream = io.BytesIO()
            pyarrow.parquet.write_table(table, stream, compression=packing or "none")
            found.append(stream.getvalue())
            continue
        options = pyarrow.ipc.IpcWriteOptions(compression=packing)
        for make in (pyarrow.ipc.new_file, pyarrow.ipc.new_stream):
            stream = io.BytesIO()
            with make(stream, table.schema, options=options) as writer:
                writer.write_table(table)
            found.append(stream.getvalue())
    return tuple(found)


def _journal() -> bytes:
    chunk = journal_chunk()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "journal")
        made = Journal(path, "settings")
        for _ in range(2):
            made.append(chunk, solve_batch(chunk.puzzles, CONSTRAINTS))
        made.close()
        return Path(path).read_bytes()


def _drawn() -> tuple[bytes, ...]:
    """A puzzle of SudokuPad that draws a clue of each kind: as JSON, as short JSON, as a link."""
    dot = {"center": [1, 0.5], "width": 0.3, "height": 0.3, "rounded": True, "borderColor": "#000"}
    bulb = dict(dot, center=[0.5, 0.5], width=0.8, height=0.8, backgroundColor="#ccc")
    path = [[0.5, 0.5], [0.5, 2.5], [1.5, 2.5]]
    value = {
        "cells": [[{}, {"value": "2"}, {"centremarks": [1]}, {}], *[[{}] * 4] * 3],
        "regions": [[[r + i // 2, c + i % 2] for i in range(4)] for r in (0, 2) for c in (0, 2)],
        "cages": [{"value": "title: a"}, {"cells": [[3, 0], [3, 1]], "value": "5"}],
        "lines": [{"wayPoints": path, "color": "#ccc", "thickness": 20}],
        "arrows": [{"wayPoints": [[3.4, 3.1], [3.5, 2.5]]}, {"wayPoints": [[4.4, -0.4], [4, 0]]}],
        "underlays": [bulb, dict(bulb, center=[3.5, 3.5], backgroundColor="#FFF")],
        "overlays": [
            dict(dot, backgroundColor="#FFF"),
            {"center": [4.5, -0.5], "text": 6},
        ],
        "metadata": {"rules": "Normal sudoku rules apply."},
        "global": ["antiking"],
    }
    regions = "[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],"
    short = (
        "{ce:[[,{v:2},,],[,,,],[,,,],[,,,]],ca:[{v:'title: a'},{v:5,ce:[[3,0],[3,1]]}],"
        f"metadata:{{antiking:t}},re:{regions}[[2,2],[2,3],[3,2],[3,3]]]}}"
    )
    links = (f"scl{compress(text)}".encode() for text in (json.dumps(value), short))
    return (json.dumps(value).encode(), *links)


def _exchanged() -> bytes:
    """A puzzle as pencilmark exchanges it, with a rule of most shapes."""
    line = ["r1c1", "r1c2", "r2c3"]
    rules = [
        {"type": "box_grid", "origin": "r1c1", "box": [2, 2]},
        {"type": "cage", "sum": 5, "cells": line[:2]},
        {"type": "line", "kind": "whisper", "value": 2, "cells": line, "closed": True},
        {"type": "arrow", "bulb": line[:1], "lines": [line[1:]]},
        {"type": "edge", "kind": "kropki", "color": "white", "cells": line[:2]},
        {"type": "sandwich", "sum": 3, "side": "left", "cells": [f"r1c{i}" for i in range(1, 5)]},
        {"type": "relation", "op": "any_of", "params": [["sum", [5]]], "pairs": [line[:2]]},
        {"type": "neighbours", "kind": "antiking", "within": "box", "except": [["r1c1", "r2c2"]]},
        {"type": "negative", "of": "cell", "kind": "odd"},
    ]  # fmt: skip
    stated = {"format": "sudoku-puzzle", "format_version": 1, "board": {"rows": 4, "cols": 4}}
    more = {"digits": 4, "givens": [0] * 16, "candidates": {"r1c1": [1, 2]}, "meta": {"id": "7"}}
    return json.dumps(stated | more | {"rules": rules}).encode()


def _benched() -> bytes:
    """A row of Sudoku-Bench, with a drawing of each sort."""
    cells = ["r1c1", "r1c2"]
    drawn = [
        {"type": "cage", "style": "killer", "cells": cells, "value": "5"},
        {"type": "cage", "style": "box", "cells": ["r1c1-r2c2"]},
        {"type": "lines", "coords": cells, "color_hex": "#CFCFCF", "thickness": 20},
        {"type": "overlays", "coords": cells, "shape": "circle", "width": 0.3, "text": "2"},
        {"type": "global", "text": "anti-king"},
        {"type": "manual", "text": "Normal sudoku rules apply."},
    ]
    stated = {"initial_board": "1..............2", "rows": 4, "cols": "4", "rules": '"Words."'}
    return json.dumps(stated | {"visual_elements": json.dumps(drawn)}).encode()


@cache
def seeds() -> dict[str, tuple[bytes, ...]]:
    """Good inputs for each target."""
    rows = "\n".join(CLASSIC[i : i + 9] for i in range(0, 81, 9)).encode()
    line, solved = CLASSIC.encode(), CLASSIC_SOLUTION.encode()
    table = b"id,puzzle,solution\n1," + line + b"," + solved + b'\n"2",' + line + b",\n"
    marks = "".join(str(i % 9 + 1) if i % 4 else "." for i in range(729)).encode()
    objects = json.dumps({"puzzle": CLASSIC, "solution": [int(d) for d in CLASSIC_SOLUTION]})
    grids = np.frombuffer(line.translate(bytes(max(0, c - 48) for c in range(256))), np.uint8)
    npy = _npy(np.tile(grids, (3, 1)))
    cnf = "".join(format_cnf(encode(CONSTRAINTS), parse_grid("1".ljust(16, ".")))).encode()
    preamble, made = certify("12".ljust(16, "."), every=True)
    stream = io.BytesIO()
    write_section(stream, preamble, [made])
    section = stream.getvalue()
    four = parse_grid("1234341221434321")
    good = " ".join(map(str, encode(CONSTRAINTS).literals(four.cells)))
    smt = "sat\n(" + " ".join(f"({FOUR.name_of(i)} {digit})" for i, digit in enumerate(four)) + ")"
    lines = (
        line,
        line + b"\n" + solved + b"\n",
        rows,
        b"# c\n" + line + b" # 1\n[Puzzle]\n" + rows,
    )
    found = {
        "grid": (line, rows, b"1 2 3 4 | " * 4, b" ".join(b"%d" % (i % 16) for i in range(256))),
        "jigsaw map": (b"1122112233443344", b"aabbaabbccddccdd"),
        "rules": (
            b"knight,king",
            b"miracle",
            b"jigsaw=1122112233443344,diagonal",
            b"thermo:r1c1,r2c1;cage=5:r1c1,r1c2;white:r1c1,r1c2",
            b"king;x-sum=5:-col2",
            b"regex=(12|[^3])*4{1,2}.?:r1c1-r1c4",
            b"or:(odd:r1c1),(and:(v:r1c1,r1c2),(machine=a-[^1]>b,b-.>a,b-/>a,b*:r1c1-r1c3>r2c1))",
            b"arrow:r1c1>r1c2,r2c2;sandwich=3:row1",
            b"clone:r1c1-r1c2>r3c3,r3c4;no-white",
            b"digits=1,4:box3;knight-digits=1,4;count=1x2:falling",
            b"product=24:r1c1,r1c2,r2c1",
        ),
        "puzzles in a file": lines,
        "text": (line, gzip.compress(line * 20, mtime=0)),
        "cnf": (cnf, b"p cnf 2 2\n1 -2 0\n2\n0\n%\n"),
        "solver output": (f"s SATISFIABLE\nv {good} 0\n".encode(), f"SAT\n{good} 0\n".encode()),
        "smt output": (smt.encode(), b"unsat\n"),
        "proof": (b"1 2 0\nd 1 2 0\n0\n", b"9 1 0 3 4 0\n9 d 1 2 0\n10 0 9 1 0\n", cnf),
        "certificate": (section, gzip.compress(section, mtime=0)),
        "collection as csv": (table, table.replace(b",", b"\t"), b"quizzes,solutions\n" + line),
        "collection as whole": (line, rows, marks),
        "collection as marks": (marks, b"\n".join([marks, line, marks])),
        "collection as jsonl": (objects.encode(), objects.encode() + b'\n{"puzzle": null}\n'),
        "collection as npy": (npy, _npy(np.array([CLASSIC, CLASSIC[::-1]]))),
        "collection as npz": (_npz(puzzles=grids[None], solutions=grids[None]),),
        "collection as parquet": _columns("parquet"),
        "collection as arrow": _columns("arrow"),
    }
    looks = (Line(((0.5, 0.5), (1.5, 1.5)), arrow=True), Shape((1, 1), (1, 1), fill="#ffe08a"))
    looks += (*paint(0, 0, ["#ff0000", "#00ff00"]), Cage(((0, 0),), text="A"))
    told = {"title": "a", "author": "b", "words": "Rules\napply.", "looks": looks}
    link = format_fpuzzles(replace(Puzzle(*on_board(CLASSIC, "knight,diagonal")), **told))
    cage = "king,jigsaw=1122112233443344;cage=5:r1c1,r1c2"
    own = (
        format_puzzle_json(
            CLASSIC, "knight;thermo:r1c1,r2c1", solution=CLASSIC_SOLUTION, id="7"
        ).encode(),
        format_puzzle_json(four, cage, candidates=[{1, 2}] * 16, title="a", author="b").encode(),
        format_puzzle_json(replace(Puzzle(*on_board(four, cage)), **told)).encode(),
    )
    found["collection as json"] = (
        b"[" + b", ".join(objects.encode().splitlines()) + b"]",
        b'{"quizzes": ["' + line + b'"], "solutions": [null]}',
        b'[["' + line + b'", ""]]',
    )
    found["collection as jsonl"] += (b"\n".join([objects.encode(), *own]),)
    measured = "solve,a,b,extended,oneshot,unique,0.1,0.2,3,4,,729,10530,60.0,1,v,c,.3,boolean,1,m,"
    found["collection as csv"] += (
        b"#!sudoku -c3,id,num,puz\n7,1," + line + b"\n",
        b"puzzle,rules\n" + line + b",king\n" + link.encode() + b",\n",
    )
    found |= {
        "f-puzzles": (link.encode(), json.dumps(fields(link)).encode()),
        "SudokuPad": _drawn(),
        "iss": (
            b".~R1C1_3~R2C2_1_2.AntiKnight.Thermo~R1C1~R2C1.Cage~15~R1C1~R1C2",
            b".Shape~6x6.Sandwich~5~R3.XSum~R1~15~20.Diagonal~1.WhiteDot~R1C1~R1C2.StrictKropki",
            b".Shape~4x4.Jigsaw~1122112233443344.NoBoxes.Arrow~R1C1~R1C2~R2C2.LittleKiller~5~R1C2",
        ),
        "puzzle JSON": own,
        "pencilmark": (_exchanged(),),
        "Sudoku-Bench": (_benched(),),
        "packed text": (compress("abcabcabc" * 9 + "é").encode(), link.partition("=")[2].encode()),
        "journal": (_journal(),),
        "lab results": (f"{HEADER}\n{measured}\n".encode(),),
    }
    found["killer"] = (
        b"3x3:d:k:3841:3841:" + b"26:" * 79,
        b"A<" + b"0" * 7 + b"^`" + b"0" * 70,
        b"SumoCueV1D=5+0=7" + b"=0" * 78,
    )
    crossed = b"12..\n....\n....1.\n...3..\n  ..2.\n  ....\n"
    found["drawn"] = (b"1" + b"." * 15 + b"AAABABBBCCCDCDDD", crossed, b"1" + b"." * 368)
    found["one puzzle"] = (
        line,
        rows,
        marks,
        *(found[name][0] for name in ("f-puzzles", "iss", "puzzle JSON", "pencilmark", "killer")),
    )
    found["certificate fields"] = found["certificate"]
    found["collection as lines"] = found["collection as rows"] = lines
    cells = [marks[start : start + 81] for start in range(0, 729, 81)]
    found["collection as whole"] = (line, b"\n".join(cells), own[0], b".Shape~6x6\n.~R1C1_1\n")
    found["puzzles in a file"] += found["collection as csv"] + found["collection as jsonl"]
    everything = (v for k, v in found.items() if k.startswith("collection as"))
    found["collection"] = tuple(dict.fromkeys(seed for some in everything for seed in some))
    return found


def run(target: str, data: bytes) -> None:
    """Test one input: the parser must accept it or say what is wrong with it."""
    try:
        TARGETS[target](data)
    except SatdokuError as error:
        check_message(error)


def check_message(error: Exception) -> None:
    """A `SatdokuError` is one line that a terminal prints as it is, and no copy of the input."""
    assert isinstance(error, SatdokuError)
    assert str(error) and str(error).isprintable()
    assert len(str(error)) < 2000, "an error that repeats the input"
