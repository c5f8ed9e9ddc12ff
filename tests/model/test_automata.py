"""Automata of automata, against the sets of words that they accept."""

import random
from itertools import combinations, permutations, product

import pytest
from soak import share

from satdoku.model import automata
from satdoku.model.automata import (
    MOST_MOVES,
    both,
    either,
    joined,
    of_alike,
    of_two,
    ranked,
    sets_told,
)
from satdoku.model.constraints import constraints_for
from satdoku.model.shapes import (
    AVAILABLE,
    MOST,
    Alike,
    Automaton,
    DigitSets,
    OneOf,
    automaton,
    built,
    placed,
)

SIZE, RANKS = 3, {cell: rank for rank, cell in enumerate((5, 2, 7, 1, 4))}


def random_language(rng, count):
    """So many cells in any order, and some of all words on them."""
    cells = tuple(rng.sample(sorted(RANKS), count))
    every = list(product(range(1, SIZE + 1), repeat=count))
    return cells, set(rng.sample(every, rng.randint(0, len(every))))


def of_words(cells, words):
    """The automaton that remembers all that it read."""
    return automaton(
        cells,
        [range(1, SIZE + 1)] * len(cells),
        (),
        lambda at, word, d: (*word, d),
        words.__contains__,
    )


def words_of(read):
    ways = {((), 0)}
    for edges in read.layers:
        ways = {((*w, d), after) for w, s in ways for before, d, after in edges if before == s}
    return {word for word, _ in ways}


def as_grids(cells, words):
    """Each word as the digits of all cells, in all ways to fill the others."""
    free = [cell for cell in RANKS if cell not in cells]
    return {
        tuple(sorted([*zip(cells, word, strict=True), *zip(free, rest, strict=True)]))
        for word in words
        for rest in product(range(1, SIZE + 1), repeat=len(free))
    }


@pytest.mark.parametrize("seed", range(share(12)))
def test_what_is_joined_accepts_the_union_or_the_intersection(seed):
    """However their cells are ordered; the smallest automaton comes out."""
    rng = random.Random(seed)
    one, other, third = (random_language(rng, rng.randint(1, 4)) for _ in range(3))
    first, second = (ranked(of_words(*language), RANKS, SIZE) for language in (one, other))
    for (cells, words), read in ((one, first), (other, second)):
        assert list(read.cells) == sorted(cells, key=RANKS.get)
        assert as_grids(read.cells, words_of(read)) == as_grids(cells, words)
    for join, grids in (
        (either, as_grids(*one) | as_grids(*other)),
        (both, as_grids(*one) & as_grids(*other)),
    ):
        read = join((first, second), RANKS, SIZE, MOST_MOVES)
        assert as_grids(read.cells, words_of(read)) == grids
        assert read == of_words(read.cells, words_of(read))
        of_three = [first, second, ranked(of_words(*third), RANKS, SIZE)]
        whole = joined(join, of_three, RANKS, SIZE)
        assert whole == join((read, of_three[2]), RANKS, SIZE, MOST_MOVES)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(automata, "MOVES_AT_ONCE", 0)
            assert joined(join, of_three, RANKS, SIZE) == whole


def test_every_shape_is_ranked():
    sets = DigitSets((1, 5, 2), (frozenset({1, 2, 3}),))
    assert ranked(sets, RANKS, SIZE).cells == (5, 2, 1)
    assert len(words_of(ranked(sets, RANKS, SIZE))) == 6
    one = ranked(OneOf(((1, 3), (2, 3)), given=(5, 1)), RANKS, SIZE)
    assert words_of(one) == {w for w in product((1, 2, 3), repeat=3) if w[0] != 1 or 3 in w[1:]}
    less = ranked(of_two((1, 5), int.__lt__, SIZE), RANKS, SIZE)
    assert (less.cells, words_of(less)) == ((5, 1), {(2, 1), (3, 1), (3, 2)})
    assert words_of(of_two((4, 4), lambda x, y: x + y == 4, SIZE)) == {(2,)}


def test_what_says_nothing_or_all():
    nothing, never = Automaton((), ()), of_two((4, 4), lambda x, y: False, SIZE)
    odd = of_two((1, 1), lambda x, y: x % 2 == 1, SIZE)
    assert words_of(either((nothing, odd), RANKS, SIZE, MOST_MOVES)) == {(1,), (2,), (3,)}
    assert both((nothing, odd), RANKS, SIZE, MOST_MOVES) == odd
    assert words_of(both((never, odd), RANKS, SIZE, MOST_MOVES)) == set()
    assert len(words_of(either((never, odd), RANKS, SIZE, MOST_MOVES))) == 6


def test_counts_of_what_is_alike():
    """r1c1 tells how many of two arms from one cell are alike, or how far they are."""
    arms = ((1, 2, 3), (1, 4))
    for is_run, expected in ((False, 3), (True, 2)):
        read = of_alike(Alike((0, 1, 2, 3, 4), arms, is_run, 0, (1, 2, 3, 4), 2))
        told = {digits[0] for digits in words_of(read) if digits[1:] == (1, 2, 1, 1)}
        assert told == {expected}


def random_layers(rng, cells, size, check):
    """Those of a random step, which may go by the place."""
    states, density, anywhere = rng.randint(1, 6), rng.random() ** 0.5, rng.random() < 0.5
    accepted = {state for state in range(states) if rng.random() < 0.6}
    known = {}

    def step(position, state, digit):
        key = (0 if anywhere else position, state, digit)
        if key not in known:
            known[key] = rng.randrange(states) if rng.random() < density else None
        return known[key]

    domains = [range(1, size + 1)] * cells
    if not anywhere:
        domains = [range(1, rng.randint(1, size) + 1) for _ in range(cells)]
    said = domains, 0, step, accepted.__contains__, check, anywhere
    return built(*said), said


def test_a_long_lunchbox_is_small():
    """Only digits with room for nine between them are its ends: it is a sandwich of 1 and 9."""
    (family,) = (f for f in constraints_for("lunchbox=30:row1").families if f.shapes)
    assert sum(map(len, family.shapes[0].layers)) < 1500  # 26,842 by what was read


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize("seed", range(share(40)))
def test_c_makes_the_automata_that_python_makes(seed):
    from satdoku.model import _automata

    rng, moves = random.Random(seed), []
    for _ in range(20):
        size, cells = rng.randint(1, 4), rng.randint(0, 6)
        expected, said = random_layers(rng, cells, size, moves.append)
        counted, moves = moves[:], []
        said = (*said[:4], moves.append, said[5])
        assert _automata.built(*said) == expected
        assert moves == counted
        moves = []
        parts = []
        for _ in range(rng.randint(1, 4)):
            own = tuple(sorted(rng.sample(range(cells), rng.randint(0, cells))))
            parts.append((random_layers(rng, len(own), size, lambda more: None)[0], own))
        for need_all in (True, False):
            counted, moves = [], []
            expected = automata.joined_in_python(need_all, parts, cells, size, counted.append)
            assert _automata.joined(need_all, parts, cells, size, moves.append) == expected
            assert moves == counted
        moves = []


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize("seed", range(share(40)))
def test_c_reads_cells_that_come_again_as_python_does(seed, monkeypatch):
    rng = random.Random(seed)
    for _ in range(20):
        size, positions = rng.randint(1, 4), rng.randint(1, 6)
        layers = [*random_layers(rng, positions, size, lambda more: None)[0]]
        for at in rng.sample(range(positions + 1), rng.randint(0, 2)):
            layers.insert(at, None)  # the cell is only kept in mind there
        cells = tuple(rng.randrange(5) for _ in layers)
        domains = [tuple(range(1, rng.randint(1, size) + 1)) for _ in {*cells}]
        found = automata.retraced(cells, layers, domains, size, MOST)
        with monkeypatch.context() as without:
            without.setattr(automata, "AVAILABLE", False)
            assert automata.retraced(cells, layers, domains, size, MOST) == found


@pytest.mark.skipif(not AVAILABLE, reason="built without a compiler")
@pytest.mark.parametrize(
    "layers", [[((0, 1, 0),)], ((0, 1, 0),), (((0, 1),),), (((0, 9, 0),),), (((-1, 1, 0),),)]
)
def test_c_refuses_what_are_no_layers(layers):
    from satdoku.model import _automata

    with pytest.raises((TypeError, ValueError)):
        _automata.joined(True, [(layers, (0,))], 1, 3, lambda more: None)
    with pytest.raises((TypeError, ValueError)):
        _automata.ways(layers, 4, 3)


@pytest.mark.parametrize("seed", range(share(40)))
def test_cells_that_come_too_early_are_kept_in_mind(seed, monkeypatch):
    rng = random.Random(seed)
    cells, words = random_language(rng, rng.randint(2, 5))
    read, order = of_words(cells, words), tuple(rng.sample(cells, len(cells)))
    found = automata._reordered(read, order, SIZE)
    monkeypatch.setattr(automata, "MOST_KEPT", -1)
    assert found == automata._reordered(read, order, SIZE)


@pytest.mark.parametrize(("weights", "total"), [((1, 1, 1), 12), ((2, -1, 3), 7), ((1, 1), 99)])
def test_a_sum_says_how_large_it_is_before_its_edges_are_listed(weights, total):
    said = automata.weighted((4, 2, 7)[: len(weights)], weights, total, 6)
    automata._layers.cache_clear()
    assert said.moves == sum(map(len, automata.summed(weights, total, 6)))
    assert not automata._layers.cache_info().misses
    assert said.layers == automata.summed(weights, total, 6)
    moved = placed(said, range(10, 20))
    assert moved.cells == tuple(cell + 10 for cell in said.cells)
    assert moved.layers == said.layers


@pytest.mark.parametrize("seed", range(share(30)))
def test_an_automaton_that_heeds_no_order_tells_sets_of_digits(seed):
    """Languages that are closed under orders, and the same with one word more or less."""
    rng, size, count = random.Random(seed), 5, 3 + seed % 2
    every = [*combinations(range(1, size + 1), count)]
    some = rng.sample(every, rng.randrange(1, len(every)))
    closed = {word for each in some for word in permutations(each)}
    closed |= {(d,) * count for d in range(1, size + 1) if rng.random() < 0.3}
    domains = [range(1, size + 1)] * count

    def read(words):
        cells = tuple(range(count))
        return automaton(cells, domains, (), lambda at, w, d: (*w, d), words.__contains__)

    found = sets_told(read(closed).layers, size)
    assert found is not None and {*found} == {*map(frozenset, some)}
    broken = closed ^ {rng.choice([*permutations(every[0])])}
    assert sets_told(read(broken).layers, size) is None


def test_an_automaton_of_two_cells_or_of_everything_tells_no_sets():
    assert sets_told(of_two((0, 1), lambda a, b: a + b == 4, 3).layers, 3) is None
    everything = automaton((0, 1, 2), [range(1, 5)] * 3, 0, lambda at, s, d: 0, lambda s: True)
    assert sets_told(everything.layers, 4) is None
