"""Notebooks run without Jupyter: each cell in order, in one namespace, as `nbformat` 4 stores it.

Shell and magic commands are not known here, and need not be: the notebooks have none.

    python tests/support/notebooks.py docs/notebooks/*.ipynb     # run them and store the outputs
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path


def run(path):
    """The outputs of a notebook's code cells, run in its folder, a list for each."""
    names = {"__name__": "__main__"}
    with contextlib.chdir(path.parent):
        return [outputs_of(source(cell), names) for cell in code_cells(load(path))]


def outputs_of(code, names):
    """What a cell prints, and what its last expression shows."""
    tree, value = ast.parse(code), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        outputs.append({"data": shown(value), "metadata": {}, "output_type": "execute_result"})
    return outputs


def shown(value):
    """A value in the forms in which a notebook keeps it."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def load(path):
    """A notebook as JSON."""
    return json.loads(Path(path).read_text())


def code_cells(notebook):
    """The cells that run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell):
    """The text of a cell."""
    return "".join(cell["source"])


def store(path):
    """Run a notebook and write it with its outputs."""
    notebook = load(path)
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run(path), strict=True), 1):
        cell["execution_count"] = number
        cell["outputs"] = [
            {**out, "execution_count": number} if "data" in out else out for out in outputs
        ]
    path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    for name in sys.argv[1:]:
        store(Path(name).resolve())
