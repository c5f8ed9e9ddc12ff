"""Mutate the modules that state the rules, and check that a test fails for each mutant.

    python bench/mutants.py                      # a sample of 150 mutants, drawn with seed 1
    python bench/mutants.py --modules model/rules,model/board --sample 0     # all of two modules
    python bench/mutants.py --kinds families,offsets,boxes --sample 0       # all of three kinds
    python bench/mutants.py --list               # the number of mutants in each module

A mutant is the program with one change in its source: another comparison or sign; a number one off;
an element of a tuple, list or set dropped (a knight's move, a kind of house); an operand of a sum
or union dropped (all boxes); a condition ignored; a statement left out; a name replaced by its twin
(column instead of row, king's moves instead of knight's moves). There are four kinds. `families`
leaves out the clauses of one family of one encoding. `offsets` changes the code that defines moves,
and `boxes` the code that defines boxes and windows. All other mutants are `other`.

The quick tests of the module run on a copy of the tree. A mutant that none of them kills is printed
with its change. A mutant may be equivalent to the original (in the size of a cache, for example);
docs/TRUST.md explains each of these. Every test run is forked from a server that has imported
everything the tests need, except satdoku. So a mutant that is killed at once costs a second or two,
and a survivor costs all tests.

Source: R. A. DeMillo, R. J. Lipton, F. G. Sayward, Hints on Test Data Selection: Help for the
Practicing Programmer, IEEE Computer 11(4), 1978.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# The folders and files of tests/ that test a module, by the beginning of the module's path.
TESTS = {
    "model/": ("model", "witness", "cnf/encodings/test_formula.py", "answers/test_session.py",
               "test_metamorphic.py"),
    "cnf/encodings/": ("cnf", "answers/test_session.py"),
    "engine/": ("engine/test_api.py",),
    "witness/": ("witness", "model/test_rules.py", "answers/test_session.py", "crosscheck",
                 "batch/test_solve.py"),
    "certificates/": ("certificates/proof/test_rup.py", "certificates/test_check.py"),
}  # fmt: skip
ENCODERS = ("groups", "integers", "reduced", "triads", "formula")
MODULES = (
    "model/board", "model/rules", "model/constraints",
    *(f"cnf/encodings/{name}" for name in ENCODERS), "engine/plan", "witness/rules",
    "witness/verify", "certificates/proof/formula",
)  # fmt: skip
# The functions and assignments that define moves and boxes, by module.
PLACES = {
    "offsets": {
        "model/board": {"leaps", "knight_pairs", "king_pairs", "adjacent_pairs"},
        "model/rules": {"_consecutive_neighbours", "_attacking_queens", "RULES"},
        "witness/rules": {"STATEMENTS", "not_consecutive", "not_both_highest"},
    },
    "boxes": {
        "model/board": {"boxes", "box_of", "of_map", "_usual_board"},
        "model/rules": {"_windows", "_same_place_in_box"},
        "witness/rules": {"_box", "_window", "_place"},
    },
}
KINDS = ("families", *PLACES, "other")
FAMILIES_OF = ("knight,nonconsecutive,diagonal", "king,antiqueen,windoku,disjoint")
TIMEOUT = 300  # seconds; a mutant whose tests take longer counts as killed
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
DROPPED = """
    def __post_init__(self) -> None:
        kept = (f for f in self.families if (self.encoding, f.name) != ({encoding!r}, {name!r}))
        object.__setattr__(self, "families", tuple(kept))
"""
_PAIRS = (("row", "column"), ("rows", "columns"), ("box_rows", "box_columns"), ("down", "right"),
          ("top", "left"), ("a", "b"), ("x", "y"), ("king_pairs", "knight_pairs"))  # fmt: skip
TWINS = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
TWINS["adjacent_pairs"] = "king_pairs"
# The modules, other than satdoku, that the server imports once for all test runs.
PRELOAD = ["pytest", "_pytest.assertion.rewrite", "hypothesis", "hypothesis.extra._patching",
           "numpy", "pysat.solvers", "z3"]  # fmt: skip


class Mutant(NamedTuple):
    """One change: its kind, module and line, the text before and after, and the whole source."""

    kind: str
    module: str
    line: int
    before: str
    after: str
    source: str


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module's source."""
    source = (ROOT / "satdoku" / f"{module}.py").read_text()
    found = []
    tree = ast.parse(source)
    for line, before, after, changed in _changes(tree):
        kind = _kind(module, _owner(tree, line))
        found.append(Mutant(kind, module, line, before, after, ast.unparse(changed)))
    return found + (_dropped_families(source) if module == "cnf/encodings/formula" else [])


def _kind(module: str, owner: ast.AST | None) -> str:
    name = getattr(owner, "name", None) or ast.unparse(getattr(owner, "target", ast.Pass()))
    return next((k for k, places in PLACES.items() if name in places.get(module, ())), "other")


def _owner(tree: ast.Module, line: int) -> ast.AST | None:
    """The innermost function around a line; outside functions, the annotated assignment."""
    around = [
        node
        for node in ast.walk(tree)  # breadth first
        if isinstance(node, ast.FunctionDef | ast.AnnAssign)
        and node.lineno <= line <= (node.end_lineno or line)
    ]
    functions = [node for node in around if isinstance(node, ast.FunctionDef)]
    return (functions or [*around[:1]] or [None])[-1]


def _dropped_families(source: str) -> list[Mutant]:
    """Mutants whose formulas lack one family of clauses of one encoding."""
    sys.path.insert(0, str(ROOT))
    from satdoku.cnf.encodings import ENCODINGS, encode
    from satdoku.model.constraints import constraints_for

    field = "    puzzle: bytes | None = None\n"
    assert source.count(field) == 1, "the last field of `Formula`"
    found = []
    for encoding in ENCODINGS:
        formulas = [encode(constraints_for(rules), encoding) for rules in FAMILIES_OF]
        names = dict.fromkeys(family.name for f in formulas for family in f.families)
        for name in names:
            changed = source.replace(field, field + DROPPED.format(encoding=encoding, name=name))
            words = f"{encoding}: {name}"
            found.append(Mutant("families", "cnf/encodings/formula", 0, words, "", changed))
    return found


def _changes(tree: ast.Module) -> Iterator[tuple[int, str, str, ast.Module]]:
    """Each change of the tree: its line, the text before and after, and a changed copy."""
    nodes = list(_worth_changing(tree))
    everything = list(ast.walk(tree))
    places = {id(node): place for place, node in enumerate(everything)}
    for node in nodes:
        for variant in chain(_variants(node), _twins(node, _owner(tree, node.lineno))):
            changed = copy.deepcopy(tree)
            _replace(changed, list(ast.walk(changed))[places[id(node)]], variant)
            yield node.lineno, ast.unparse(node), ast.unparse(variant), changed


def _worth_changing(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Expressions and statements that run: not docstrings, types, error messages or imports."""
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or name in ("annotation", "returns"):
                continue
            told = isinstance(child, ast.Raise | ast.Import | ast.ImportFrom | ast.JoinedStr)
            text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            alias = isinstance(child, ast.Assign) and ast.unparse(child.value)[:9] == "Callable["
            if told or text or typing or alias:
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _worth_changing(child)


def _variants(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """All nodes that may replace a node."""
    if isinstance(node, ast.Compare | ast.BinOp | ast.BoolOp | ast.AugAssign):
        yield from _other_operators(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.BitOr | ast.BitAnd):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield from (ast.Constant(node.value + step) for step in (1, -1))
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield node.operand
    elif isinstance(node, ast.Tuple | ast.List | ast.Set) and isinstance(
        getattr(node, "ctx", ast.Load()), ast.Load
    ):
        for place in range(len(node.elts)):
            yield _without(node, place)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Expr | ast.AugAssign):
        yield ast.Pass()
    elif isinstance(node, ast.If):
        yield from (_with(node, test=ast.Constant(truth)) for truth in (True, False))
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        yield from _unfiltered(node)


def _twins(node: ast.AST, owner: ast.AST | None) -> Iterator[ast.AST]:
    """The twin of a name, if it has one; a name that does not exist would test nothing."""
    key = {ast.Name: "id", ast.Attribute: "attr"}.get(type(node), "")
    twin = TWINS.get(getattr(node, key, ""))
    if twin is None or not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
        return
    if key == "attr" or (owner and re.search(rf"\b{twin}\b", ast.unparse(owner))):
        yield _with(node, **{key: twin})


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            if type(op) in SWAPS:
                ops = [*node.ops]
                ops[place] = SWAPS[type(op)]()
                yield _with(node, ops=ops)
    elif type(node.op) in SWAPS:  # type: ignore[attr-defined]
        yield _with(node, op=SWAPS[type(node.op)]())  # type: ignore[attr-defined]


def _unfiltered(node: ast.AST) -> Iterator[ast.AST]:
    for place, part in enumerate(node.generators):  # type: ignore[attr-defined]
        if part.ifs:
            parts = [*node.generators]  # type: ignore[attr-defined]
            parts[place] = _with(part, ifs=[])
            yield _with(node, generators=parts)


def _without(node: ast.AST, place: int) -> ast.AST:
    elements = node.elts  # type: ignore[attr-defined]
    return _with(node, elts=elements[:place] + elements[place + 1 :])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    kept = dict(ast.iter_fields(node))
    return type(node)(**{**kept, **fields})


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Replace `old`, which is somewhere in the tree, by `new`."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
                return
            if isinstance(value, list) and any(item is old for item in value):
                value[next(i for i, item in enumerate(value) if item is old)] = new
                return


# Running ---------------------------------------------------------------------------------------


def copied_tree(folder: Path) -> Path:
    """Copy everything that the tests need, including compiled modules."""
    skip = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "build")
    for name in ("satdoku", "tests", "puzzles", "docs", "bench"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def tests_of(module: str) -> list[str]:
    names = next(tests for start, tests in TESTS.items() if module.startswith(start))
    return [f"tests/{name}" for name in names]


def runs_of(mutant: Mutant) -> list[list[str]]:
    """Arguments for pytest, the likeliest to fail first; a mutant survives if it passes all."""
    everything = tests_of(mutant.module)
    if mutant.kind == "families":
        return [["tests/cnf/test_families.py", "-k", mutant.before.partition(":")[0]], everything]
    return [everything]


def passes(folder: Path, arguments: list[str], write_bytecode: bool = False) -> bool:
    """Whether all these tests pass in the tree; a run that takes too long does not pass."""
    context = multiprocessing.get_context("forkserver")
    run = context.Process(target=_run_tests, args=(folder, arguments, write_bytecode))
    run.start()
    run.join(TIMEOUT)
    if run.is_alive():
        run.kill()
        run.join()
    return run.exitcode == 0


def _run_tests(folder: Path, arguments: list[str], write_bytecode: bool) -> None:
    """Run pytest silently on the satdoku of the tree; call this in a separate process."""
    import pytest

    assert "satdoku" not in sys.modules
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(folder)
    os.environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}  # for child processes
    sys.dont_write_bytecode = not write_bytecode
    sys.path.insert(0, str(folder))
    plain = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1"]
    os._exit(pytest.main([*plain, *arguments]))


def survives(mutant: Mutant, folder: Path) -> bool:
    """Whether no test fails for the mutant."""
    file = folder / "satdoku" / f"{mutant.module}.py"
    original = file.read_text()
    # Remove stale bytecode: Python would use it if its time and size match those of the mutant.
    for stale in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        stale.unlink()
    file.write_text(mutant.source)
    try:
        return all(passes(folder, arguments) for arguments in runs_of(mutant))
    finally:
        file.write_text(original)


def judge(mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """The mutants that survive; each is printed as soon as it is found."""
    folders: SimpleQueue[Path] = SimpleQueue()
    multiprocessing.get_context("forkserver").set_forkserver_preload(PRELOAD)
    with tempfile.TemporaryDirectory() as top:
        first = copied_tree(Path(top) / "0")
        compileall.compile_dir(first / "satdoku", quiet=1)
        for tests in sorted({tuple(tests_of(mutant.module)) for mutant in mutants}):
            if not passes(first, [*tests], write_bytecode=True):
                sys.exit(f"{', '.join(tests)} fail without any mutant")
        folders.put(first)
        for number in range(1, jobs):
            folders.put(Path(shutil.copytree(first, Path(top) / str(number))))

        def one(mutant: Mutant) -> bool:
            mine = folders.get()
            try:
                lives = survives(mutant, mine)
            finally:
                folders.put(mine)
            if lives:
                print(f"SURVIVES {describe(mutant)}", flush=True)
            return lives

        with ThreadPoolExecutor(jobs) as pool:
            return [m for m, lives in zip(mutants, pool.map(one, mutants), strict=True) if lives]


def describe(mutant: Mutant) -> str:
    if not mutant.line:
        return f"family dropped: {mutant.before}"
    texts = [" ".join(text.split())[:70] for text in (mutant.before, mutant.after)]
    return f"{mutant.module}.py:{mutant.line}: {texts[0]}  ->  {texts[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--modules", default=",".join(MODULES), help="such as model/rules,model/board"
    )
    parser.add_argument("--kinds", default=",".join(KINDS), help="of " + ", ".join(KINDS))
    parser.add_argument("--sample", type=int, default=150, help="how many; 0: all (150)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    kinds = arguments.kinds.split(",")
    every = [m for module in arguments.modules.split(",") for m in mutants_of(module)]
    mutants = [mutant for mutant in every if mutant.kind in kinds]
    known = Counter(mutant.module for mutant in mutants)
    if arguments.list:
        print("\n".join(f"{count:5} {module}" for module, count in known.items()))
        print("\n".join(f"{n:5} {kind}" for kind, n in Counter(m.kind for m in mutants).items()))
        return
    if 0 < arguments.sample < len(mutants):
        mutants = random.Random(arguments.seed).sample(mutants, arguments.sample)
    start = time.time()
    lived = judge(mutants, arguments.jobs)
    for key in ("kind", "module"):
        print(_score(key, mutants, lived, every))
    print(f"{len(mutants) - len(lived)} of {len(mutants)} killed in {time.time() - start:.0f} s")
    sys.exit(int(bool(lived)))


def _score(key: str, mutants: list[Mutant], lived: list[Mutant], every: list[Mutant]) -> str:
    """The number of mutants killed, tried and known, for one kind or one module."""
    tried, left, known = (
        Counter(getattr(mutant, key) for mutant in some) for some in (mutants, lived, every)
    )
    return "\n".join(
        f"{name:<28} {count - left[name]:4} of {count:4} killed ({known[name]} known)"
        for name, count in sorted(tried.items())
    )


if __name__ == "__main__":
    main()
