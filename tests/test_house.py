"""Rules for the source code that import-linter cannot check; see pyproject.toml for the others."""

import ast
import re
from pathlib import Path

import pytest
from loaded_modules import loaded_by, within

import satdoku

ROOT = Path(satdoku.__file__).parent


def module_names():
    files = sorted(ROOT.rglob("*.py"))
    names = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in files]
    return {name.removesuffix(".__init__"): file for name, file in zip(names, files, strict=True)}


def imports(name, file):
    """The modules of satdoku and the outside top-level packages that a file imports anywhere."""
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


def test_few_modules_import_pysat_and_one_z3():
    """`answers.solver` answers questions about puzzles, `explain.mus` those about sets of units;
    `cnf.encodings` builds clauses."""
    users = {"pysat": set(), "z3": set()}
    for name, file in module_names().items():
        for package in imports(name, file)[1] & users.keys():
            users[package].add(name)
    # Two build clauses with PySAT's classes: its CNF, and its at-most-one constraints.
    builders = {"cnf.encodings.formula", "cnf.encodings.groups"}
    z3s = {"witness.z3.models", "witness.z3.query"}
    # `answers.flooding` names PySAT's class of propagators;
    # `fewest.hitting` asks MaxSAT about sets of cells, not about puzzles.
    solvers = {"answers.solver", "answers.flooding", "explain.mus", "fewest.hitting"}
    assert users == {"pysat": {*solvers, *builders}, "z3": z3s}


@pytest.mark.parametrize("module", ["satdoku.explain", "satdoku.explain.mus", "satdoku.fewest"])
def test_importing_explanations_does_not_load_pysat(module):
    loaded = loaded_by(module)
    assert module in loaded
    assert not within(loaded, "pysat")


def test_witnesses_do_not_read_what_they_check():
    """This checks attributes; a contract in pyproject.toml checks imports."""
    for name, file in module_names().items():
        if name.startswith(("witness", "certificates.proof")):
            words = (".groups", ".pairs", ".families", "RULES")
            # A clue's cells as they are written, and pairs that the witness itself states.
            own = r"\bclue\.groups|\b(related|relations\[0\])\.pairs|from \.(clues\.)?pairs import"
            text = re.sub(own, "", file.read_text())
            assert not any(word in text for word in words), name


def test_no_attribute_locks_those_of_other_objects():
    """`runtime.lazy` says why."""
    for name, file in module_names().items():
        assert not re.search(r"functools.*\bcached_property", file.read_text()) or (
            name == "runtime.lazy"
        ), name


def test_every_module_opens_with_its_invariant():
    for name, file in module_names().items():
        tree = ast.parse(file.read_text())
        docstring = ast.get_docstring(tree)
        assert docstring or name == "__init__", name
        # A package without code only says what it contains. Commands follow their package.
        if len(tree.body) > 1 and not name.startswith(("__", "cli.")):
            assert "Invariant:" in docstring, name
