"""The automaton of a clue accepts what the clue's statement allows, by brute force."""

from itertools import product

import pytest
from examples import FOUR
from wide_puzzles import WIDE, wide_puzzles

from satdoku.witness.automata import layers_of
from satdoku.witness.clues import Part
from satdoku.witness.rules import StatementError, stated


def words(layers):
    """Every sequence of digits that the edges accept."""
    ways = [((), 0)]
    for edges in layers or [()]:
        ways = [((*w, d), after) for w, s in ways for before, d, after in edges if before == s]
    return {word for word, _ in ways}


@pytest.mark.parametrize("kind", sorted(set(WIDE) - {"entropy"}))
def test_the_automaton_accepts_what_the_statement_allows(kind):
    for constraints in wide_puzzles(kind, 6, 4):
        for said in stated(FOUR, constraints.rules):
            for part in (p for p in said.wide if isinstance(p, Part) and len(p.cells) < 8):
                every = product(range(1, 5), repeat=len(part.cells))
                assert words(layers_of(part, 4)) == {w for w in every if part.holds(*w)}


def test_an_automaton_of_too_many_states_is_refused(monkeypatch):
    monkeypatch.setattr("satdoku.witness.automata._MOST_WORK", 500)
    cells = tuple(range(20))
    weighted = Part(cells, lambda *digits: sum(3**i * x for i, x in enumerate(digits)) == 3**20)
    with pytest.raises(StatementError, match="a clue on 20 cells has too many states"):
        layers_of(weighted, 9)


def test_clues_whose_parts_are_too_many_are_refused(monkeypatch):
    """Each state of the second one takes as much work as it has parts."""
    monkeypatch.setattr("satdoku.witness.automata._MOST_WORK", 20_000)
    few, many = (
        stated(FOUR, (text,))[-1].wide[0]
        for text in ("or:(odd:r1c1),(thermo:r1c1,r2c2,r2c3)", "or:(odd:r1c1),(taxicab)")
    )
    assert layers_of(few, 4)
    with pytest.raises(StatementError, match="a clue on 16 cells has too many states"):
        layers_of(many, 4)
