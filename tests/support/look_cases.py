"""Random titles, texts of rules and drawings, as wild as a puzzle may have them."""

from __future__ import annotations

from hypothesis import strategies as st

from satdoku.model.looks import LONGEST, Cage, Line, Look, Shape, paint

HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt; &amp; ]]>", "'; --",
    "a\nb\r\nc", "\t", "Größe 我 😀 ﷽", "\x1b[31m", "e\u0301\u200d\u202e", "{}[]:,#0f",
    "\\' \\\" \\n", "\0", "No rules provided for this puzzle? ", "title: x", "x" * 5000,
)  # fmt: skip
# Halves of UTF-16 pairs are no text; links replace them.
WORDS = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=("Cs",)), max_size=300)
TEXTS = WORDS.map(lambda text: text[:LONGEST])
COLOURS = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")
PALE = COLOURS.flatmap(lambda c: st.integers(1, 0xFE).map(lambda n: f"{c}{n:02x}")) | COLOURS
NUMBERS = st.floats(-12, 12).map(lambda x: round(x, 3) + 0.0)
SIZES = st.floats(0.01, 9).map(lambda x: round(x, 3))
PLACES = st.tuples(NUMBERS, NUMBERS)
ANGLES = st.integers(0, 359).map(float)


def seen(shape: dict[str, object]) -> bool:
    """Whether there is anything to see of a shape."""
    return bool(shape["fill"] or shape["edge"] or str(shape["text"]).strip())


LINES = st.builds(
    Line, st.lists(PLACES, min_size=2, max_size=6).map(tuple), PALE, SIZES, st.booleans(),
    st.booleans(),
)  # fmt: skip
NO_TEXT = {"font": 0.5, "colour": "#000000"}  # what a shape without a text does not state
SHAPES = (
    st.fixed_dictionaries({
        "at": PLACES, "size": st.tuples(SIZES, SIZES), "round": st.booleans(),
        "fill": PALE | st.just(""), "edge": PALE | st.just(""), "angle": ANGLES,
        "text": TEXTS | st.just(""), "font": SIZES, "colour": PALE, "over": st.booleans(),
    })
    .filter(seen)
    .map(lambda stated: Shape(**(stated if stated["text"] else stated | NO_TEXT)))
)  # fmt: skip
CAGES = st.builds(
    Cage,
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=5).map(tuple),
    PALE,
    TEXTS,
)
LOOKS = st.lists(LINES | SHAPES | CAGES, max_size=8).map(tuple)

# What f-puzzles states as it is: lines from cell to cell, shapes in cells, on edges and corners.
_HALVES = st.integers(1, 17).map(lambda n: n / 2)
_MIDDLES = st.integers(0, 8).map(lambda n: n + 0.5)
_AT = st.tuples(_HALVES, _HALVES)
_PLAIN_LINES = st.builds(
    Line, st.lists(st.tuples(_MIDDLES, _MIDDLES), min_size=2, max_size=5).map(tuple), PALE, SIZES
)
_PLAIN_SHAPES = st.builds(
    Shape, _AT, st.tuples(SIZES, SIZES), st.booleans(), PALE, PALE, ANGLES, TEXTS, colour=PALE,
    over=st.just(True),
)  # fmt: skip
_PLAIN_TEXTS = st.builds(
    Shape, _AT, text=TEXTS.filter(str.strip), angle=ANGLES, font=SIZES, colour=PALE,
    over=st.just(True),
)  # fmt: skip
_PAINTS = st.dictionaries(
    st.tuples(st.integers(0, 8), st.integers(0, 8)),
    st.lists(PALE, min_size=1, max_size=4),
    max_size=4,
).map(lambda cells: [look for at, some in sorted(cells.items()) for look in paint(*at, some)])


def of_fpuzzles() -> st.SearchStrategy[tuple[Look, ...]]:
    """Drawings that f-puzzles states as they are, in the order in which it lists them."""
    lists = [
        st.lists(some, max_size=3) for some in (_PLAIN_LINES, _PLAIN_SHAPES, _PLAIN_TEXTS, CAGES)
    ]
    return st.tuples(_PAINTS, *lists).map(
        lambda parts: tuple(
            look
            for some in (parts[0], parts[1], *_by_form(parts[2]), parts[3], parts[4])
            for look in some
        )
    )


def _by_form(shapes: list[Shape]) -> tuple[list[Shape], list[Shape]]:
    return [s for s in shapes if not s.round], [s for s in shapes if s.round]
