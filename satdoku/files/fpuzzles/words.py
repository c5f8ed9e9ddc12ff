"""Whether a link states rules that only a person can read: in its text, or by drawings alone.

Invariant: a text counts as understood only if it consists of phrases for rules and kinds in force.
Any other word, language or number makes it unstated: a needless warning costs a look at the
puzzle, a missing one costs a wrong answer.

Each sentence is read by itself. Every phrase that the rules in force allow is taken out of it; what
is left may only be connecting words. So "Normal sudoku rules apply." passes, "Normal sudoku rules
do not apply." and "Normal sudoku rules apply, except in box 5." do not. "Anti-knight" passes only
where the knight rule is in force, and "once in every row and column", without the boxes, only where
there are none. A line that `model.words` writes of these rules and clues passes as it is.

A drawing is a clue's own if it says that it was made for a constraint which the link states, or if
it lies on cells of one clue. A text that is understood settles the other drawings of a puzzle
without clues: they only decorate. Beside clues, and in a link without a text, other lines, circles,
rectangles, cages and texts count as unexplained rules, for they are hardly ever there for
decoration. Colours and fog alone do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...model.board import Board
from ...model.clue import Clue
from ...model.constraints import Constraints
from ...model.kinds import KINDS
from ...model.kinds.relations import DENIED
from ...model.phrases import APPLY, NEVER, NUMBERS, ONCE
from ...model.rules import RULES
from ...model.words import sayings
from ...runtime.errors import shown
from .looks import key_of

DRAWINGS = ("line", "circle", "rectangle", "cage", "text")
COLOURS = ("c", "cArray")  # of a cell
_LONGEST_TEXT = 4000  # characters; a longer text is not looked at, and so is not understood
_LONGEST_QUOTE = 160  # characters of the text that a message repeats
_METADATA = re.compile(r"\s*([^:\s]+):\s*(.+)", re.DOTALL)  # in a cage without cells, as SudokuPad


def unstated_rules(value: Mapping[str, Any], constraints: Constraints) -> str | None:
    """What the object says in words or drawings that the constraints do not, None if nothing."""
    text = "\n".join(_texts(value))
    drawn = _drawings(value, constraints)
    if not text.strip():
        return f"no text explains the drawings: {', '.join(drawn)}" if drawn else None
    left = _sentences(_foreign_lines(text, constraints))
    if len(text) <= _LONGEST_TEXT:
        left = [sentence for sentence in left if not is_stated(sentence, constraints)]
    if not left and not (drawn and constraints.clues):
        return None
    if not left:
        return f"no constraint states what is drawn: {', '.join(drawn)}"
    seen = [*drawn, *_colours(value)]
    drawings = f" (drawings not understood: {', '.join(seen)})" if seen else ""
    return f'no constraint states this rule: "{_quoted(" ".join(left))}"{drawings}'


def _foreign_lines(text: str, constraints: Constraints) -> str:
    """A text without the lines that are ours, word by word, of the rules and clues in force."""
    own = {*map(str, sayings(constraints))}
    return "\n".join(line for line in text.splitlines() if line.strip() not in own)


def words_of(constraints: Constraints) -> str:
    """What we say of rules and clues, where a setter has said nothing."""
    return "\n".join(map(str, sayings(constraints)))


def is_stated(sentence: str, constraints: Constraints) -> bool:
    """Whether phrases for the rules in force are all that a sentence says."""
    plain = " ".join(sentence.lower().translate(_ALIKE).split())
    phrases = _phrases(constraints)
    return not _CONNECTING.sub(" ", phrases.sub(" ", plain)).strip()


def _texts(value: Mapping[str, Any]) -> Iterator[str]:
    """The text of the rules, and the metadata that SudokuPad shows as rules."""
    yield str(value.get("ruleset") or "")
    for cage in _items(value.get("cage")):
        name, text = _metadata(cage)
        if name == "rules":
            yield text


def _metadata(cage: Any) -> tuple[str, str]:
    """The name and the text of metadata, which is a cage without cells; empty for a real cage."""
    if not isinstance(cage, dict) or cage.get("cells"):
        return "", ""
    match = _METADATA.match(str(cage.get("value") or ""))
    return (match[1].lower(), match[2]) if match else ("", "")


def _drawings(value: Mapping[str, Any], constraints: Constraints) -> list[str]:
    """The names of the drawings in f-puzzles, with the constraint that one is drawn for; without
    those of clues: they name a constraint that the object states, or lie on the cells of a clue."""
    named: dict[str, None] = {}
    clues = [frozenset(map(constraints.board.name_of, clue.cells)) for clue in constraints.clues]
    for key, what in value.items():
        if key.lower() not in DRAWINGS:
            continue
        for item in _items(what):
            source = item.get("fromConstraint") if isinstance(item, dict) else None
            cells = _cells_drawn(item)
            if value.get(key_of(str(source))) or any(cells and cells <= clue for clue in clues):
                continue
            if not _metadata(item)[0]:
                named[f"{key} ({_quoted(str(source))})" if source else key] = None
    return sorted(named)


def _cells_drawn(item: Any) -> frozenset[str]:
    """The cells that a drawing names."""
    if not isinstance(item, dict):
        return frozenset()
    named = [item.get("cells"), *_items(item.get("lines"))]
    return frozenset(str(cell).lower() for cells in named for cell in _items(cells))


def _items(what: Any) -> list[Any]:
    return what if isinstance(what, list) else [what] if what else []


def _colours(value: Mapping[str, Any]) -> list[str]:
    cells = (cell for row in value["grid"] for cell in row)
    return ["c (colours of cells)"] if any(c.get(key) for c in cells for key in COLOURS) else []


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?;])\s+|\n+|•", text) if part.strip()]


def _quoted(text: str) -> str:
    """A text on one line, cut, its control characters escaped."""
    line = " ".join(text.split())
    return shown(line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE]}...")


# Phrases ------------------------------------------------------------------------------------------

_ALIKE = str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "−": "-", "×": "x", "\u00a0": " "})
_CONNECTING = re.compile(
    r"\b(?:and|also|plus|with|additionally|furthermore|in addition|as well|the rules?|rules?|"
    r"sudoku|have fun|enjoy|good luck|happy solving)\b|[\s.,;:!&+()*-]+"
)
_USUAL = "(?:normal|standard|default|classic|classical|regular|usual|ordinary|basic|conventional)"
_LATIN = (
    f"(?:the )?(?:{_USUAL} )?latin square(?: rules?)?{APPLY}",
    "(?:there are |with )?no box(?:es)?",
)
_BOX = (
    r"(?:(?:\d+x\d+ |\d+-cell )?(?:box(?:es)?|blocks?|regions?|nonets?|sub-?grids?|sub-?squares?))"
)


@lru_cache(maxsize=64)
def _phrases(constraints: Constraints) -> re.Pattern[str]:
    """All that may be said where these rules are in force, the longest first."""
    board = constraints.board
    said = [*_classic(board)]
    is_usual = board == Board.of_shape(board.height, board.width)
    said += _usual(board) if board.has_boxes or is_usual else _LATIN
    for name in constraints.names:
        said += [phrase.replace("{all}", _all_digits(board)) for phrase in RULES[name].said]
    said += dict.fromkeys(_told(constraints.clues))
    return re.compile(r"\b(?:" + "|".join(sorted(said, key=len, reverse=True)) + r")(?!\w)")


_SPELLED = {"4": "(?:4|four)", "5": "(?:5|five)"}


def _told(clues: Iterable[Clue]) -> Iterator[str]:
    """How people tell what the clues say: the phrases of their kinds."""
    kinds = {clue.kind for clue in clues}
    values = {(clue.kind, clue.value) for clue in clues if clue.value}
    for name in kinds - {kind for kind, _ in values}:
        yield from KINDS[name].said.get("", ())
    for name, value in values:
        said = KINDS[name].said
        phrases = [phrase for key in ("", "=", f"={value}") for phrase in said.get(key, ())]
        yield from (phrase.replace("{value}", _SPELLED.get(value, value)) for phrase in phrases)
    for denials, every, some in DENIED:
        if denials <= kinds:
            yield every
        elif not denials & kinds:
            yield some


def _all_digits(board: Board) -> str:
    first, last = board.digits[0], board.digits[-1]
    return rf"(?:the )?(?:{NUMBERS} )?(?:from )?{first} ?(?:-|to|through) ?{last}"


def _usual(board: Board) -> Iterator[str]:
    """The rules of Sudoku by their name, which speaks of boxes wherever boxes fit."""
    jigsaw, size = board.regions is not None, board.shape
    kind = f"(?:{_USUAL}|irregular|jigsaw)" if jigsaw else _USUAL
    also = "(?:irregular |jigsaw )?" if jigsaw else ""
    yield f"(?:the )?{kind} (?:{size} )?{also}sudoku(?: rules?)?{APPLY}"
    yield f"(?:the )?(?:{kind} )?(?:sudoku )?rules(?: of sudoku)?{APPLY}"


def _classic(board: Board) -> Iterator[str]:
    """Rows, columns and boxes, all of them in one sentence."""
    jigsaw, boxes = board.regions is not None, board.has_boxes
    shaped = "(?:(?:irregular|jigsaw|outlined|marked|coloured|colored|bold(?:ly outlined)?) )?"
    each = "(?:(?:each|every|any|all|a|an|the same|the) )?"
    box = f"{each}{shaped}{_BOX}" if jigsaw else f"{each}{_BOX}"
    parts = [f"{each}rows?", f"{each}columns?", *([box] if boxes else [])]
    gap = "(?:,? (?:and|or) |, ?|/)"
    houses = gap.join(parts)
    every = "(?:every|each|all) (?:of )?"
    everything = f"(?:(?:{every})?{_all_digits(board)}|{every}(?:the )?{NUMBERS})"
    yield (
        f"(?:place|put|enter|write|insert|fill(?: in)?) {everything}{ONCE} "
        f"(?:in(?:to|side)?|within) {houses}{ONCE}"
    )
    grid = "(?:the|this) (?:grid|cells|puzzle)"
    yield f"fill (?:in )?{grid}(?: with {everything})?(?:,? (?:so|such)(?: that)?)?"
    yield f"{houses} (?:must )?contains? {everything}{ONCE}"
    yield f"{NUMBERS} {NEVER} (?:be )?repeat(?:ed)? (?:in|within) {houses}"
    yield f"no (?:{NUMBERS} )?(?:may |can )?(?:be )?repeat(?:s|ed)? (?:in|within) {houses}"
