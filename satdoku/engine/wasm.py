"""The kernel for browsers and node: where it lies, how it is built, and what it reads.

Invariant: a plan as bytes says what the plan of the same constraints says, and `js/exports.c` reads
no other format. The module `js/satdoku.wasm` holds the kernel and, in a section of its own, the
named rules as Python states them, so that `js/satdoku.js` states none. No numpy.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path

from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.rules import RULES, RuleError
from ..runtime.package import VERSION
from .plan import plan_for, refusal
from .targets import EngineError

FOLDER = Path(__file__).resolve().parent / "js"
KERNEL = FOLDER / "satdoku.wasm"
MAGIC, FORMAT = 0x4B445453, 2  # as in js/exports.c
SECTION = "satdoku"
SIZES = (4, 6, 9)  # of the boards whose rules the module names
MISSING = (
    "there is no WebAssembly compiler, so the kernel for browsers was not built: install ziglang "
    "(pip install ziglang), or clang, lld, wasi-libc and libclang-rt-dev-wasm32, then run "
    "`python setup.py build_ext --inplace`"
)
_SOURCES = ("js/exports.c", "c/kernel.c", "c/baseline.c")
# -O2: the kernel is smaller than with -O3, and faster in V8.
_FLAGS = (
    "-O2", "-std=c11", "-msimd128", "-mbulk-memory", "-DNDEBUG",
    "-Wl,--no-entry,--strip-all,-z,stack-size=1048576",
)  # fmt: skip


def plan_bytes(constraints: Constraints, givens: bytes = b"") -> bytes:
    """The plan of the constraints for `satdoku.js`, with the givens of a puzzle, a byte each.

    Raises `BoardError` where only a session answers, and `EngineError` for other givens than none
    or one for each cell.
    """
    if constraints.needs_session:
        raise refusal(constraints)
    cells = constraints.board.cells
    if len(givens) not in (0, cells) or max(givens, default=0) > constraints.board.choices:
        raise EngineError(f"givens: expected none, or {cells} digits")
    plan = plan_for(constraints, True)
    numbers = array("i", [MAGIC, FORMAT, cells, plan.digits, plan.classic, len(givens)])
    for part in plan.parts.values():
        numbers.extend((len(part), len(part.members)))
    for part in plan.parts.values():
        numbers.extend(part.starts)
        numbers.extend(part.members)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes() + givens


def kernel() -> bytes:
    """The module; raises `EngineError` that says what to install where it was not built."""
    if not KERNEL.is_file():
        raise EngineError(MISSING)
    return KERNEL.read_bytes()


def named_rules() -> dict[str, object]:
    """The named rules for each of `SIZES`: the houses of the board without rules, and for each rule
    that the board allows the houses and the pairs of candidates that it adds."""
    boards = {}
    for size in SIZES:
        board = Board.of_size(size)
        plain = constraints_for("classic", board)
        houses = _houses(plain)
        rules = {}
        for name in RULES:
            try:
                stated = constraints_for(name, board)
            except RuleError:
                continue
            pairs = [number for pair in stated.pairs for number in pair]
            rules[name] = {"houses": _houses(stated)[len(houses) :], "pairs": pairs}
        boards[str(size)] = {"houses": houses, "rules": rules}
    return {"version": VERSION, "boards": boards}


def _houses(constraints: Constraints) -> list[list[int]]:
    """The cells of each house, in the order of their groups."""
    n = constraints.board.choices
    groups = constraints.groups[constraints.board.cells :]
    return [[candidate // n for candidate in group] for group in groups[::n]]


def build(output: Path) -> bool:
    """Build the module of the sources beside this file; whether a compiler could."""
    output.parent.mkdir(parents=True, exist_ok=True)
    made = output.with_suffix(".part")
    sources = [str(Path(__file__).parent / name) for name in _SOURCES]
    try:
        for compiler in _compilers():
            words = [*compiler, *_FLAGS, *sources, "-o", str(made)]
            if subprocess.run(words, capture_output=True, check=False).returncode == 0:
                text = json.dumps(named_rules(), separators=(",", ":"))
                output.write_bytes(made.read_bytes() + _section(SECTION, text.encode()))
                return True
    finally:
        made.unlink(missing_ok=True)
    return False


def _compilers() -> Iterator[list[str]]:
    """Compilers of C that may know WebAssembly; SATDOKU_WASM_CC=none: none."""
    if os.environ.get("SATDOKU_WASM_CC") == "none":
        return
    if clang := shutil.which("clang"):
        yield [clang, "--target=wasm32-wasi", "-nostartfiles", "-Wl,--stack-first"]
    if importlib.util.find_spec("ziglang"):
        zig = [sys.executable, "-m", "ziglang", "cc"]
        yield [*zig, "-target", "wasm32-wasi", "-mexec-model=reactor"]


def _section(name: str, data: bytes) -> bytes:
    """A custom section of a WebAssembly module."""
    label = name.encode()
    content = _leb(len(label)) + label + data
    return b"\0" + _leb(len(content)) + content


def _leb(number: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
