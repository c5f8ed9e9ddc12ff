"""Names in docstrings become links to their places in the reference.

Invariant: only names that the pages of docs/api list are linked, and of these only those that no
argument or command bears as well: with a capital letter or an underscore.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griffe

API = Path(__file__).parents[1] / "api"
LISTED = re.compile(r"^::: (satdoku\.[\w.]+)$", re.MULTILINE)


def places() -> dict[str, str]:
    """The identifier of each name that is linked."""
    listed = [name for page in API.glob("*.md") for name in LISTED.findall(page.read_text())]
    names = {identifier.rpartition(".")[2]: identifier for identifier in listed}
    return {name: place for name, place in names.items() if re.search("[A-Z_]", name)}


def linked(text: str, known: dict[str, str]) -> str:
    """The text, with a link for each known name in backticks."""
    return re.sub(
        r"`(\w+)`",
        lambda found: f"[{found[0]}][{known[found[1]]}]" if found[1] in known else found[0],
        text,
    )


class Links(griffe.Extension):
    """Rewrites docstrings when they have been read."""

    def __init__(self) -> None:
        super().__init__()
        self.known = places()

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = linked(obj.docstring.value, self.known)
