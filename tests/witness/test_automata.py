"""The automaton of a clue accepts what the clue's statement allows, by brute force."""

from itertools import product
from random import Random

import pytest
from clue_examples import random_machine
from examples import FOUR
from soak import share
from wide_puzzles import WIDE, wide_puzzles

from satdoku.witness.automata import layers_of
from satdoku.witness.clues import Part, Valued, each_once, formula
from satdoku.witness.regular import accepts
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


@pytest.mark.parametrize("seed", range(share(30)))
def test_cells_that_a_machine_reads_again_are_remembered(seed):
    """As its formula says, of digits as they are and of digits by their positions."""
    random = Random(seed)
    named = [*range(3), *(random.randrange(3) for _ in range(3))]
    random.shuffle(named)
    digits = (2, 3, 4, 5) if seed % 2 else (1, 2, 3, 4)
    machine = accepts(random_machine(random, 4), (1, 2, 3, 4, 5), (len(named),))
    own = tuple(random.sample(digits, 3)) if seed % 3 else digits
    part = Part(tuple(named), Valued(machine, (tuple(sorted(own)),) * len(named)))
    once = each_once(part)
    said = Part(once.cells, lambda *places: formula(once.holds, places, lambda told: told))
    counts = [len(own)] * len(once.cells)
    assert layers_of(once, 4, counts) == layers_of(said, 4, counts)
