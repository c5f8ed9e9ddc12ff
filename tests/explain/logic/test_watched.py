"""What is asked again only where something has changed."""

from __future__ import annotations

import random

from satdoku.explain.logic.watched import Questions, Ranked, Watched
from satdoku.model.board import bits

CANDIDATES = 40
RANDOM = random.Random(5)
MEMBERS = [RANDOM.getrandbits(CANDIDATES) & RANDOM.getrandbits(CANDIDATES) for _ in range(30)]


def few(number, left):
    """The members left, if there are few of them."""
    return [(number, candidate) for candidate in bits(left)] if left.bit_count() < 6 else []


def states():
    """Candidates go one by one; now and then all are back."""
    live = (1 << CANDIDATES) - 1
    for turn in range(200):
        yield live
        live &= ~(1 << RANDOM.randrange(CANDIDATES))
        if turn % 60 == 59:
            live = (1 << CANDIDATES) - 1


def test_the_answers_depend_on_the_state_alone():
    watched = Watched(Questions(MEMBERS), few)
    for turn, live in enumerate(states()):
        found = watched.found(live)
        if turn % 3 == 0:  # the rest is not looked at
            next(found, None)
            continue
        asked = (few(number, live & members) for number, members in enumerate(MEMBERS))
        assert [*found] == [answer for answers in asked for answer in answers]


def test_only_what_has_changed_is_asked_again():
    asked = []
    watched = Watched(Questions(MEMBERS), lambda number, left: asked.append(number) or [number])
    live = (1 << CANDIDATES) - 1
    assert next(watched.found(live)) == 0
    assert asked == [0]
    assert [*watched.found(live)] == asked == [*range(len(MEMBERS))]
    asked.clear()
    assert [*watched.found(live ^ 1 << 7)] == [*range(len(MEMBERS))]
    assert asked == [number for number, members in enumerate(MEMBERS) if members >> 7 & 1]


def test_the_lowest_rank_comes_first_and_none_is_not_asked():
    def rank(number, live):
        left = live & MEMBERS[number]
        return None if left.bit_count() == 4 else (left.bit_count(), number % 2)

    def answer(number, left):
        assert left.bit_count() != 4
        return few(number, left)

    def expected(live):
        lefts = [live & members for members in MEMBERS]
        order = [(rank(number, live), number) for number in range(len(MEMBERS))]
        for rated, number in sorted(pair for pair in order if pair[0]):
            yield from ((rated, each) for each in answer(number, lefts[number]))

    ranked = Ranked(Questions(MEMBERS), answer, rank)
    for live in states():
        found = ((rated, each) for rated, answers in ranked.ranked(live) for each in answers)
        assert [*found] == [*expected(live)]
