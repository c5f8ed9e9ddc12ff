"""Which font a character is set in.

Invariant: what is measured is what is set; a character that no font has, or that cannot be set one
after another (right to left, joined), is a question mark, and is named in `Typesetter.missing`.

Latin text and a few signs are set in Helvetica, which every viewer has. Everything else is set in
TrueType fonts, of which a document embeds the characters that occur: the one that is asked for,
or the first of `KNOWN` on this machine that has the character.
"""

from __future__ import annotations

import html
import os
import unicodedata
from collections.abc import Iterator
from functools import cache
from hashlib import md5
from importlib import import_module, util
from itertools import groupby
from pathlib import Path
from typing import Any

from ..runtime.errors import SatdokuError

PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
SIGNS = frozenset("≤≥≠×÷−√∞≡∈±")  # beside Latin text: the standard fonts have these, too
UNKNOWN = "?"
# Fonts with many characters that are often there, those with Latin, Greek and Cyrillic first.
KNOWN = (
    "dejavusans.ttf", "notosans-regular.ttf", "liberationsans-regular.ttf", "arial.ttf",
    "freesans.ttf", "arial unicode.ttf", "notosanscjksc-regular.ttf", "notosanssc-regular.ttf",
    "notosansjp-regular.ttf", "notosanskr-regular.ttf", "wqy-microhei.ttc", "wqy-zenhei.ttc",
    "droidsansfallbackfull.ttf", "droidsansfallback.ttf", "ipagp.ttf", "ipaexg.ttf",
    "nanumgothic.ttf", "msyh.ttc", "msgothic.ttc", "malgun.ttf", "simhei.ttf", "unifont.ttf",
)  # fmt: skip
FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts",
    "/Library/Fonts", "/System/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts",
)  # fmt: skip
_RIGHT_TO_LEFT = ("R", "AL", "AN", "RLE", "RLO", "RLI")


class SheetError(SatdokuError):
    """A sheet that cannot be made."""


class Typesetter:
    """Chooses fonts for the texts of one document.

    font: path of a TrueType font to look into first. missing: the characters that were replaced.
    """

    def __init__(self, font: str | os.PathLike[str] | None = None) -> None:
        self._asked = (_loaded(os.fspath(font), must=True),) if font else ()
        self.missing: dict[str, None] = {}

    def runs(self, text: str, *, bold: bool = False) -> Iterator[tuple[str, str]]:
        """The text in parts, each with the name of its font."""
        clean = unicodedata.normalize("NFC", " ".join(text.split()))
        chosen = ((self._font_of(c), c) for c in clean)
        for font, some in groupby(chosen, key=lambda pair: pair[0]):
            part = "".join(c for _, c in some)
            if font == UNKNOWN:
                self.missing |= dict.fromkeys(part)
                font, part = PLAIN, UNKNOWN * len(part)
            yield (BOLD if bold and font == PLAIN else font), part

    def markup(self, text: str, *, bold: bool = False) -> str:
        """The text for a paragraph of reportlab."""
        return "".join(
            f'<font name="{font}">{html.escape(part)}</font>'
            for font, part in self.runs(text, bold=bold)
        )

    def _font_of(self, character: str) -> str:
        if _is_latin(character) or character in SIGNS:
            return PLAIN
        if _needs_shaping(character):
            return UNKNOWN
        return next((name for name, has in self._fonts() if ord(character) in has), UNKNOWN)

    def _fonts(self) -> Iterator[tuple[str, Any]]:
        yield from filter(None, self._asked)
        yield from _known()


def _is_latin(character: str) -> bool:
    try:
        return character.encode("cp1252") >= b" "
    except UnicodeEncodeError:
        return False


def _needs_shaping(character: str) -> bool:
    """Whether it joins others or runs from right to left; nothing here sets those."""
    is_mark = unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf", "Cc", "Cs", "Co", "Cn")
    return is_mark or unicodedata.bidirectional(character) in _RIGHT_TO_LEFT


@cache
def _known() -> tuple[tuple[str, Any], ...]:
    """The fonts of `KNOWN` on this machine, with the characters that each has."""
    found: dict[str, str] = {}
    for folder in _folders():
        for path in sorted(folder.rglob("*.tt[fc]")):
            found.setdefault(path.name.lower(), str(path))
    loaded = (_loaded(found[name]) for name in KNOWN if name in found)
    return tuple(filter(None, loaded))


@cache
def _loaded(path: str, *, must: bool = False) -> tuple[str, Any] | None:
    """A font under the name of its file; None if it cannot be used, an error if it `must` be."""
    ttfonts, metrics = (import_module(f"reportlab.pdfbase.{n}") for n in ("ttfonts", "pdfmetrics"))
    try:
        font = ttfonts.TTFont(f"F{md5(path.encode(errors='replace')).hexdigest()}", path)
    except (ttfonts.TTFError, OSError) as error:
        if must:
            raise SheetError(f"{path}: expected a TrueType font ({error})") from None
        return None
    metrics.registerFont(font)
    return font.fontName, font.face.charToGlyph


def _folders() -> Iterator[Path]:
    """Where fonts are; last those that come with matplotlib, found without importing it."""
    yield from (Path(folder).expanduser() for folder in FOLDERS)
    spec = util.find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
