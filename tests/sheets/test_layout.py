"""Rows on pages: nothing overlaps, nothing leaves the page, nothing is lost."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.sheets.layout import GAP, LEAST, STYLES, Area, Block, pages, slot_width

AREA = Area(500, 700)
LATER = [SimpleNamespace(height=10.0)]
heights = st.lists(st.floats(1, 400), max_size=4)


def block(number, heading=(), words=(), code=0.0, widest=1000.0):
    paragraphs = ([SimpleNamespace(height=h) for h in some] for some in (heading, words))
    return Block(number, *paragraphs, code, widest)


@given(
    st.sampled_from(list(STYLES)),
    st.lists(
        st.tuples(st.floats(0, 60), heights, st.floats(0, 180), st.floats(90, 600)), min_size=1
    ),
)
def test_nothing_overlaps_or_leaves_the_page(per_page, some):
    style = STYLES[per_page]
    blocks = [block(i, [h], w, c, most) for i, (h, w, c, most) in enumerate(some)]
    placed = list(pages(blocks, AREA, style, LATER))
    numbers = [b.number for page in placed for _, row in page.rows for b in row.blocks]
    assert numbers == list(range(len(blocks)))
    for page in placed:
        end = 0.0
        assert 1 <= len(page.rows) <= style.rows
        for top, row in page.rows:
            assert top >= end - 0.001
            assert len(row.blocks) <= style.columns and 0 < row.side <= slot_width(AREA, style)
            for one in row.blocks:
                assert one.head <= row.head and one.foot <= row.foot
            assert row.head + row.side + row.foot <= row.height + 0.001
            end = top + row.height
        assert end <= AREA.height + 0.001


@pytest.mark.parametrize("per_page", STYLES)
def test_without_words_pages_are_full(per_page):
    style = STYLES[per_page]
    placed = list(pages([block(i) for i in range(per_page + 1)], AREA, style, LATER))
    assert [sum(len(row.blocks) for _, row in page.rows) for page in placed] == [per_page, 1]
    sides = {round(row.side, 3) for page in placed for _, row in page.rows}
    assert len(sides) == 1  # a page that is not full has no larger grids


def test_grids_give_way_to_words_down_to_a_bound_then_pages_hold_fewer():
    style, usual = STYLES[2], (AREA.height - GAP) / 2
    (page,) = pages([block(0, words=[100]), block(1)], AREA, style, LATER)
    assert all(LEAST * usual <= row.side < usual for _, row in page.rows)
    first, second = pages([block(0, words=[320]), block(1)], AREA, style, LATER)
    assert not first.later and len(first.rows) == len(second.rows) == 1


def test_words_for_which_no_page_has_room_are_put_off():
    (page,) = pages([block(0, words=[600]), block(1)], AREA, STYLES[4], LATER)
    assert [b.number for b in page.later] == [0]
    ((_, row),) = page.rows
    assert list(row.blocks[0].words) == LATER and not row.blocks[1].later
