"""Which modules of the package name the entries of a table, found in their source."""

import ast
import re
from functools import cache
from pathlib import Path

import satdoku


@cache
def _said_in(source):
    """The string literals of a module; not docstrings."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def named_in(source, names):
    """The names that string literals are, or that begin a clue in one; not docstrings."""
    word = re.compile(f"(?:^|;)({'|'.join(map(re.escape, names))})(?:[=:]|$)")
    return {name for text in _said_in(source) for name in word.findall(text)}


def naming(names, but):
    """The modules that name some of these, with the names; `but` some folders and modules."""
    package = Path(satdoku.__file__).parent
    found = {}
    for path in package.rglob("*.py"):
        module = path.relative_to(package).as_posix()
        if not module.startswith(but):
            found[module] = " ".join(sorted(named_in(path.read_text(), names)))
    return {module: said for module, said in found.items() if said}
