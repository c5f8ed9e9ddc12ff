"""Plain techniques on states that were made for them."""

from explain_cases import names, state_with, without

from satdoku.explain import techniques
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for


def test_singles():
    (naked,) = techniques.singles(state_with(r4c7="6"))
    assert (naked.technique, names(1 << naked.placed), naked.size) == (
        "naked single",
        {"r4c7=6"},
        1,
    )
    state = without(state_with(), 3, *(f"r2c{c}" for c in range(2, 10)))
    (hidden,) = techniques.singles(state)
    assert (hidden.technique, names(1 << hidden.placed)) == ("hidden single", {"r2c1=3"})
    assert [state.units.all[u].words for u in hidden.units] == ["row 2 holds 3 once"]


def test_pointing_and_claiming():
    box = without(state_with(), 7, *(f"r{r}c{c}" for r in (2, 3) for c in (1, 2, 3)))
    (pointing,) = techniques.locked(box)
    assert (pointing.technique, pointing.size) == ("pointing", 2)
    assert names(pointing.struck) == {f"r1c{c}=7" for c in range(4, 10)}
    line = without(state_with(), 7, *(f"r1c{c}" for c in range(4, 10)))
    (claiming,) = techniques.locked(line)
    assert claiming.technique == "claiming"
    assert names(claiming.struck) == {f"r{r}c{c}=7" for r in (2, 3) for c in (1, 2, 3)}


def test_pairs_and_triples():
    naked = next(techniques.subsets(state_with(r1c1="12", r1c5="12"), 2))
    assert (naked.technique, naked.size) == ("naked pair", 4)
    assert names(naked.struck) == {f"r1c{c}={d}" for c in (2, 3, 4, 6, 7, 8, 9) for d in (1, 2)}
    triple = next(techniques.subsets(state_with(r1c1="12", r1c5="23", r1c9="13"), 3))
    assert (triple.technique, triple.size) == ("naked triplet", 6)
    assert names(triple.struck) == {f"r1c{c}={d}" for c in (2, 3, 4, 6, 7, 8) for d in (1, 2, 3)}
    others = [f"r1c{c}" for c in range(1, 10) if c not in (2, 8)]
    hidden = next(techniques.subsets(without(without(state_with(), 4, *others), 9, *others), 2))
    assert hidden.technique == "hidden pair"
    assert names(hidden.struck) == {f"r1c{c}={d}" for c in (2, 8) for d in (1, 2, 3, 5, 6, 7, 8)}


def test_a_chess_move_reaches_what_no_house_does():
    # Row 1 has 5 only at r1c4 and r1c6. A knight at r3c5 attacks both; box 2 contains both.
    constraints = constraints_for("knight")
    row = [f"r1c{c}" for c in range(1, 10) if c not in (3, 5)]
    found = list(techniques.common_peers(without(state_with(constraints), 5, *row)))
    by_knight = [f for f in found if names(f.struck) == {"r3c4=5"}]
    # r3c4 sees r1c5 by its box or by a knight's move, but r1c3 only by a knight's move.
    assert [f.size for f in by_knight] == [3]
    assert "knight's move r1c3-r3c4" in {
        constraint_unit(constraints, u).label for u in by_knight[0].units
    }


def constraint_unit(constraints, unit):
    return units_of(constraints).all[unit]


def test_nonconsecutive_neighbours_of_a_cell_with_two_digits():
    constraints = constraints_for("nonconsecutive")
    found = list(techniques.common_peers(state_with(constraints, r1c1="23")))
    struck = {frozenset(names(f.struck)): f.size for f in found}
    assert struck[frozenset({"r1c2=2"})] == 3  # 2 by the row, 3 by the neighbour's rule


def test_a_group_without_candidates_says_nothing():
    state = state_with(constraints_for("classic"))
    empty = state.strike(state.units.all[0].candidates)
    assert not list(techniques.excluded_by_all(empty, 0))
    assert list(techniques.common_peers(empty)) == []
