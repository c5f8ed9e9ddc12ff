"""Texts of clues: cut apart, and put on cells; C does it as Python does."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from clue_examples import random_clue

from satdoku.model.board import Board
from satdoku.model.clue import (
    AVAILABLE,
    LINE,
    PATH,
    SET,
    ClueError,
    cut,
    cut_in_python,
    form_key,
    held,
    placed,
    placed_one,
    spelled,
    split_rules,
)
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of

if AVAILABLE:
    from satdoku.model import _clues

NINE = Board.of_size(9)
needs_c = pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
TEXTS = (
    "knight, king;cage=5:r1c1,r1c2\nthermo:r1c1-r1c5;;",
    " cage = 5 : r1c1 ;\tcage=5:r1c1\x1f;Cage=5:r1c1;=;:;cage:;cage=:r1c1",
    "boxes=2x3,digits=0,1,2;or:(odd:r1c1),(x:r1c1,r1c2);grids:r1c1,r1c7",
    "no-king;\N{NO-BREAK SPACE}cage=5:r1c1;é=3:r1c1",
    "",
    "\n;\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_rule_set_is_cut_as_python_cuts_it(text):
    assert cut(text, KINDS) == cut_in_python(text, KINDS)


def test_words_of_a_rule_set():
    parts, known = cut(TEXTS[0], KINDS)
    assert (parts, [*known]) == (
        ["knight, king", "cage=5:r1c1,r1c2", "thermo:r1c1-r1c5"],
        [0, 1, 1],
    )
    assert [*split_rules(TEXTS[0])] == ["knight", "king", *parts[1:]]


def forms_of(texts, board, order):
    """A form for each text that has one, with a head and an order of its own."""
    found = filter(None, (spelled(text, board) for text in texts))
    return {
        form_key(head, [*map(len, groups)]): (f"head {head}", order, head) for head, groups in found
    }


@pytest.mark.parametrize("board", [NINE, Board.of_size(4), Board.of_size(16), Board.of_shape(6, 8)])
@pytest.mark.parametrize("order", [SET, LINE, PATH])
def test_clues_are_put_on_cells_as_python_puts_them(board, order):
    rng = random.Random(board.cells)
    texts = [
        "cage=5:row1",
        "a:-row2",
        "a:r1c1,r1c1",
        "a:",
        "a",
        "",
        "a:r1c1,,r1c2",
        "a:r1c1>",
        "é:r1c1",
    ]
    lines = [line for line in (*board.rows, *board.columns) for line in (line, line[::-1])]
    texts += ("a:" + ",".join(board.names[cell] for cell in line) for line in lines)
    for kind in sorted(KINDS):
        with suppress(ClueError):
            texts.append(clue_of(random_clue(rng, kind, board.width), board).text(board))
    for _ in range(60):
        groups = [rng.sample(board.names, rng.randint(1, 3)) for _ in range(rng.randint(1, 2))]
        texts.append("b=7:" + ">".join(map(",".join, groups)))
    forms = forms_of(texts, board, order)
    found = placed(texts, board, forms)
    for text, each in zip(texts, found, strict=True):
        expected = placed_one(text, board, forms)
        assert each == expected or (each is None and not is_simple(text, board))
    assert sum(each is not None for each in found) > 40
    grid = bytes(rng.choices(range(256), k=board.cells))
    for each, more in zip(found, held(texts, board, forms, grid), strict=True):
        assert (each is None) == (more is None)
        if order == PATH:
            assert each is None or more == (each[1], tuple(grid[cell] for cell in each[2]))


def is_simple(text, board):
    """Whether it names single cells alone."""
    names = text.partition(":")[2].replace(">", ",").split(",")
    return {*names} <= {*board.names}


def test_a_clue_of_very_many_cells_is_read():
    board = Board.of_size(25)
    names = random.Random(1).sample(board.names, 300)
    text = f"even:{','.join(names)}"
    assert constraints_for(text, board).clue_texts[0].count(",") == 299


@needs_c
def test_the_c_code_refuses_what_is_no_text():
    names = _clues.names(NINE.names, NINE.line_names)
    for error, call in (
        (TypeError, lambda: _clues.split(b"a", KINDS)),
        (TypeError, lambda: _clues.names(NINE.names, [])),
        (TypeError, lambda: _clues.names((1, 2), {})),
        (ValueError, lambda: _clues.names(("r1c1",) * (1 << 17), {})),
        (TypeError, lambda: _clues.placed(names, [1], {})),
        (SystemError, lambda: _clues.placed(names, ["a:r1c1"], {"a:1": ["a", "set", 1]})),
        (ValueError, lambda: _clues.placed(names, ["a:r9c9"], {"a:1": ("a", "set", 1)}, bytes(80))),
        (TypeError, lambda: _clues.placed(names, ["a:r9c9"], {"a:1": ("a", "set", 1)}, "")),
    ):
        with pytest.raises(error):
            call()
