"""What the page offers: rules, kinds of clues, boards, formats; from the model itself.

Invariant: no rule and no kind is named here, so the page knows each as soon as the model does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..cnf.encodings import ENCODINGS
from ..engine import describe
from ..files.foreign import WRITTEN
from ..model.board import Board
from ..model.clue import LINE, PATH, SET
from ..model.constraints import constraints_for
from ..model.kinds import ALIASES, KINDS, SORTS, Kind
from ..model.other_names import FILLERS, Definition, folded, title_of, usual_names
from ..model.rules import ALIASES as RULE_ALIASES
from ..model.rules import BOARD_ALIASES, BOARDS, RULES
from ..render.clues import is_outside
from ..runtime.package import VERSION
from .boards import form_of
from .icons import icon
from .questions import Object

SIZES = range(4, 17)


class Format(NamedTuple):
    """A way to take a puzzle away: what it is, and the end of the file's name, empty for a link."""

    text: str
    suffix: str


FORMATS = {
    **{form.name: Format(form.says, form.suffix) for form in WRITTEN.values()},
    "html": Format("page to play, HTML", ".html"),
    "svg": Format("picture, SVG", ".svg"),
    "png": Format("picture, PNG", ".png"),
    "pdf": Format("sheet to print, PDF", ".pdf"),
    "cnf": Format("formula for SAT solvers, DIMACS", ".cnf"),
    "certificate": Format("certificate, for satdoku verify", ".cert.jsonl"),
}


def catalogue() -> Object:
    """The whole of it, as docs/PAGE.md says."""
    return {
        "version": VERSION,
        "engine": describe(),
        "rules": [_named(rule, rule.summary) for rule in RULES.values()],
        "rule_aliases": {name: list(names) for name, names in RULE_ALIASES.items() if names},
        "board_words": [_named(word, word.summary) for word in BOARDS.values()],
        "kinds": [_kind(kind, heading) for heading, kinds in SORTS.items() for kind in kinds],
        "values": [_value_named(*pair) for kind in KINDS.values() for pair in _valued(kind)],
        "fillers": list(FILLERS),
        "sizes": [_size(size) for size in SIZES],
        "presets": [
            {
                "name": name,
                "text": BOARDS[name].summary,
                "form": form_of(constraints_for(name).board),
            }
            for name in BOARD_ALIASES
        ],
        "encodings": list(ENCODINGS),
        "formats": [
            {"name": name, "text": form.text, "suffix": form.suffix}
            for name, form in FORMATS.items()
        ],
    }


def _size(size: int) -> Object:
    """A size with the boxes that it may have, the usual ones first."""
    usual = Board.of_size(size)
    shapes = [f"{rows}x{size // rows}" for rows in range(2, size // 2 + 1) if size % rows == 0]
    usual_shape = [usual.box_shape] if usual.has_boxes else []
    return {"size": size, "boxes": list(dict.fromkeys([*usual_shape, *shapes]))}


def _named(of: Definition, text: str, means: str = "", drawn: str = "") -> Object:
    """What a search needs of a definition, or of the part that has a meaning alone: a title, the
    names and all other words, as a search compares them."""
    names = [usual.text for usual in usual_names(of) if means in ("", usual.means)]
    name = means or of.name
    return {
        "name": name,
        "title": title_of(of, means),
        "text": text,
        "names": list(dict.fromkeys(map(folded, [name, *names]))),
        "words": folded(f"{text} {drawn}"),
    }


def _valued(kind: Kind) -> Iterator[tuple[Kind, str]]:
    """The kind with each meaning that has usual names of its own: `white`, `whisper=5`."""
    meanings = dict.fromkeys(usual.means for usual in usual_names(kind))
    yield from ((kind, means) for means in meanings if means != kind.name)


def _value_named(kind: Kind, means: str) -> Object:
    """What differs from the kind where a value has a name; it is `fixed`."""
    value = ALIASES[means][1] if means in ALIASES else means.partition("=")[2]
    named = _named(kind, kind.says(value), means, kind.look.says)
    is_mark = means in ALIASES and kind.groups == (1, 1)  # x and v stand between two cells
    cells = ":r1c1,r1c2" if is_mark else "".join(kind.example.partition(":")[1:])
    return {
        **named,
        "example": f"{means}{cells}",
        "kind": kind.name,
        "fixed": f"{kind.name}={value}",
        "icon": icon(kind, value, 2 if is_mark else 4),
        "cells": [2, 2] if is_mark else list(kind.cells),
    }


def _kind(kind: Kind, heading: str) -> dict[str, Any]:
    return {
        **_named(kind, kind.meaning(), kind.name, kind.look.says),
        "group": heading,
        "value": _value(kind),
        "shape": _shape(kind),
        "ordered": kind.order,
        "cells": list(kind.cells),
        "groups": list(kind.groups),
        "whole_board": kind.whole_board,
        "whole_layer": kind.whole_layer,
        "near": kind.near.which if kind.near else None,
        "by_edge": bool(kind.near and kind.near.by_edge),
        "example": kind.example,
        "help": f"{kind.takes}: {kind.example}",
        "icon": icon(kind),
    }


def _value(kind: Kind) -> Object | None:
    """What stands behind `=`: whether it must, what is read on 9x9, and what it is without."""
    if kind.value is None:
        return None
    default = getattr(kind.value, "default", None)
    optional = getattr(kind.value, "is_optional", False)
    return {
        "type": type(kind.value).__name__.lower(),
        "required": not (default or optional),
        "default": str(default(9)) if default else None,
        "text": kind.value.expected(Board()),
        "words": list(getattr(kind.value, "words", ())),
    }


def _shape(kind: Kind) -> str:
    """How such a clue is drawn with the mouse."""
    if kind.joins:
        return "clues"
    if kind.groups == (0, 0) or kind.example == kind.name or kind.whole_layer:
        return "global"
    if is_outside(kind.name):
        return "outside"
    if kind.groups[1] > 1:
        return "groups"
    if kind.cells == (2, 2):
        return "pair"
    return {SET: "cells", LINE: "line", PATH: "line"}[kind.order]
