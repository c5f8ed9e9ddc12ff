"""A stored notebook as a page: its text, its code, and what it shows.

Invariant: nothing runs; what a cell shows is what the notebook stores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SHOWN = ("text/html", "image/svg+xml", "text/plain")  # the first of these that an output has


def page_of(notebook: Path) -> str:
    """Markdown of all cells, below a link to the notebook itself."""
    cells = json.loads(notebook.read_text())["cells"]
    title, *rest = (_cell(cell) for cell in cells)
    head, _, text = title.partition("\n")
    return "\n\n".join([head, f"[The notebook]({notebook.name})", text, *rest]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *map(_output, cell["outputs"])])


def _output(output: dict[str, Any]) -> str:
    if "text" in output:
        return _block("".join(output["text"]))
    kind = next(kind for kind in SHOWN if kind in output["data"])
    text = "".join(output["data"][kind])
    if kind == "text/plain":
        return _block(text)
    # A blank line would end the HTML: the rest would be read as Markdown.
    lines = "\n".join(line for line in text.splitlines() if line.strip())
    return f'<div class="shown">\n{lines}\n</div>'


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"
