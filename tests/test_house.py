"""The house itself: imports run one way, and only one module each knows a solver."""

import ast
from pathlib import Path

import pytest

import satdoku
from satdoku.encodings import ENCODINGS

ROOT = Path(satdoku.__file__).parent
# Lower modules first; a module may import only those before it.
ORDER = [
    "errors", "addresses", "board", "rules", "engine.plan", "engine.kernel",
    "engine.reference.lanes", "engine.reference.block", "engine.reference.classic",
    "engine.reference.generic", "engine.reference.search", "engine.reference", "engine", "grid",
    "question", "pencil", "files", "verify", "lzstring", "fpuzzles.links", "fpuzzles.read",
    "fpuzzles.write", "fpuzzles", "proof", "proof.steps", "proof.rup", "proof.lrat", "proof.native",
    "proof.formula", "proof.external", "certificate", "recheck", "encodings.formula",
    "encodings.groups", "encodings.cardinality", "encodings.integers", "encodings",
    "encodings.extended", "encodings.minimal", "encodings.efficient", "encodings.reduced",
    "encodings.sequential", "encodings.ladder", "encodings.bitwise", "encodings.commander",
    "encodings.product", "encodings.totalizer", "encodings.triads", "encodings.log",
    "encodings.order", "dimacs", "smtlib", "solver", "session", "prover", "residual", "api",
    "columns", "entries", "collection.chunk", "collection.record", "collection.table",
    "collection.objects", "collection.arrays", "collection.arrow", "collection.rows",
    "collection.sniff", "collection.text", "collection", "workers", "batch", "journal",
    "results.columns", "results.texts", "results.npz", "results", "certifier", "bulk",
    "symmetry.chain", "symmetry.structure", "symmetry.group", "symmetry.layout",
    "symmetry.refinement", "symmetry.search", "symmetry.lines", "symmetry.listed",
    "symmetry.kernel", "symmetry", "counting.kernel", "counting.layers", "counting",
    "counting.external", "few_grids", "hitting", "fewest", "generator.errors", "generator.dice",
    "generator.oracle", "generator.classic", "generator.walk", "generator.grids",
    "generator.removal", "generator.shapes", "generator.patterns", "generator", "crosscheck.base",
    "crosscheck.integers", "crosscheck.booleans", "crosscheck.models", "crosscheck.query",
    "crosscheck", "differential.plain", "differential.cases", "differential.backends",
    "differential.shrink", "differential", "fingerprint", "report.words", "report.facts",
    "report.markup", "report.plots", "report.page", "report.text", "report", "audit.rows",
    "audit.details", "audit.tally", "audit.compare", "audit", "lab.instances", "lab.tasks",
    "lab.making", "lab.backends", "lab.sat", "lab.smt", "lab.cpsat", "lab.asp", "lab.picosat",
    "lab.registry", "lab.judge", "lab.cubes", "lab.worker", "lab.results", "lab.runner",
    "lab.selection", "lab.figures", "lab.plots", "lab.report", "lab", "render.picture",
    "render.svg", "render.png", "render.terminal", "render", "explain.units", "explain.state",
    "explain.finding", "explain.techniques", "explain.search", "explain.mus", "explain.witness",
    "explain.words", "explain.step", "explain.finder", "explain.steps", "explain.reasons",
    "explain", "rating", "cli.parser.options", "cli.parser.ask", "cli.parser.bulk",
    "cli.parser.study", "cli.parser.exchange", "cli.parser.lab", "cli.parser", "cli.inputs",
    "cli.progress", "cli.exchange", "cli.certificates", "cli.batch", "cli.certify", "cli.generate",
    "cli.render", "cli.audit", "cli.encodings", "cli.fuzz", "cli.bench", "cli.commands",
    "cli.counting", "cli.fewest", "cli.orbits", "cli.explain", "cli",
]  # fmt: skip


def module_names():
    files = sorted(ROOT.rglob("*.py"))
    names = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in files]
    return {name.removesuffix(".__init__"): file for name, file in zip(names, files, strict=True)}


def imports(name, file):
    """Modules of satdoku, and top-level packages from outside, that a file imports anywhere."""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    inside, outside = set(), set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            if node.module:
                inside.add(".".join([*base, *node.module.split(".")]))
            else:
                inside |= {".".join([*base, alias.name]) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            outside.add(str(node.module).split(".")[0])
        elif isinstance(node, ast.Import):
            outside |= {alias.name.split(".")[0] for alias in node.names}
    return inside, outside


def test_every_module_has_its_place():
    assert set(module_names()) - {"__init__", "__main__"} == set(ORDER)


@pytest.mark.parametrize("name", ORDER)
def test_imports_run_down_the_list(name):
    inside, _ = imports(name, module_names()[name])
    known = {n for n in inside if n in ORDER}
    allowed = set(ORDER[: ORDER.index(name)])
    # A package's file and its parts see each other; the outside still sees one direction.
    allowed |= {n for n in ORDER if n.split(".")[0] == name.split(".")[0]}
    assert known <= allowed


def test_few_modules_import_pysat_and_one_z3():
    """`solver` answers questions about puzzles; `explain.mus` about sets of units, which it
    does not hold; `encodings` builds clauses."""
    users = {"pysat": set(), "z3": set()}
    for name, file in module_names().items():
        for package in imports(name, file)[1] & users.keys():
            users[package].add(name)
    # Two build clauses with PySAT's classes: its CNF, and its at-most-one constraints.
    builders = {"encodings.formula", "encodings.cardinality"}
    z3s = {"crosscheck.base", "crosscheck.integers", "crosscheck.query"}
    # `hitting` asks MaxSAT, about sets of cells and not about puzzles.
    solvers = {"solver", "prover", "explain.mus", "hitting"}
    assert users == {"pysat": {*solvers, *builders}, "z3": z3s}


@pytest.mark.parametrize(
    "witness",
    ["verify", "smtlib", *(n for n in ORDER if n.startswith(("crosscheck", "proof")))],
)
def test_witnesses_do_not_read_the_encoder(witness):
    inside, _ = imports(witness, module_names()[witness])
    assert "encodings" not in inside
    source = module_names()[witness].read_text()
    assert not any(word in source for word in (".groups", ".pairs", ".families", "RULES"))


@pytest.mark.parametrize("judge", ["certificate", "recheck", "verify", "proof"])
def test_certificates_are_judged_without_solver_encoder_or_engine(judge):
    """Nothing that made a certificate is imported, even indirectly, by what checks it."""
    reached, waiting = set(), [judge]
    while waiting:
        name = waiting.pop()
        if name in module_names() and name not in reached:
            reached.add(name)
            waiting += imports(name, module_names()[name])[0]
    makers = {"encodings", "rules", "solver", "session", "prover", "residual", "engine", "batch"}
    makers |= {"certifier"}
    assert not reached & makers


def test_every_module_opens_with_its_law():
    for name, file in module_names().items():
        # The commands are bound by the law of their package.
        if not name.startswith(("__", "cli.")) or name == "cli.parser":
            docstring = ast.get_docstring(ast.parse(file.read_text()))
            assert docstring, name
            # What an encoding is bound to is the paper that it comes from.
            encoding = name.removeprefix("encodings.") in ENCODINGS
            assert ("Source:" if encoding else "Law:") in docstring, name
