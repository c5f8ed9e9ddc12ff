"""The house itself: imports run one way, and only one module each knows a solver."""

import ast
from pathlib import Path

import pytest

import satdoku

ROOT = Path(satdoku.__file__).parent
# Lower modules first; a module may import only those before it.
ORDER = [
    "errors", "board", "rules", "engine.plan", "engine.kernel",
    "engine.reference.lanes", "engine.reference.block", "engine.reference.classic",
    "engine.reference.generic", "engine.reference.search", "engine.reference", "engine",
    "grid", "files", "verify", "encodings", "encodings.extended", "dimacs", "smtlib", "session",
    "api", "entries", "collection", "batch", "results", "crosscheck",
    "cli.parser", "cli.inputs", "cli.exchange", "cli.batch", "cli.commands", "cli",
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


def test_one_module_each_imports_pysat_for_solving_and_z3():
    users = {"pysat": set(), "z3": set()}
    for name, file in module_names().items():
        for package in imports(name, file)[1] & users.keys():
            users[package].add(name)
    assert users == {"pysat": {"session", "encodings"}, "z3": {"crosscheck"}}


@pytest.mark.parametrize("witness", ["verify", "smtlib", "crosscheck"])
def test_witnesses_do_not_read_the_encoder(witness):
    inside, _ = imports(witness, module_names()[witness])
    assert "encodings" not in inside
    source = module_names()[witness].read_text()
    assert not any(word in source for word in (".groups", ".pairs", ".families", "RULES"))


def test_every_module_opens_with_its_law():
    for name, file in module_names().items():
        if name not in (
            "__main__",
            "__init__",
            "cli.inputs",
            "cli.exchange",
            "cli.batch",
            "cli.commands",
        ):
            docstring = ast.get_docstring(ast.parse(file.read_text()))
            assert docstring, name
            assert "Law:" in docstring or name == "encodings.extended", name
