import pickle
import re

import pytest
from examples import FOUR
from naming import naming

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import ALIASES, RULES, RuleError, flags_of, foreign_rules

STRIPES = "1111222233334444"


def family(rules, name, board=None):
    return next(f for f in constraints_for(rules, board).families if f.name == name)


def test_classic_has_324_groups_of_nine_and_no_pairs():
    constraints = constraints_for("classic")
    assert [(f.name, len(f.groups)) for f in constraints.families] == [
        ("cell", 81), ("row", 81), ("column", 81), ("box", 81),
    ]  # fmt: skip
    assert {len(group) for group in constraints.groups} == {9}
    assert len(set(constraints.groups)) == 324
    assert constraints.pairs == ()


@pytest.mark.parametrize(
    ("rule", "written", "new"), [("knight", 2016, 1368), ("king", 1152, 504),
                                 ("nonconsecutive", 2304, 2304)],
)  # fmt: skip
def test_chess_rules_have_the_known_numbers_of_pairs(rule, written, new):
    assert len(family(rule, rule).pairs) == written
    assert len(constraints_for(rule).pairs) == new


def test_a_region_map_must_have_the_board_s_size():
    assert constraints_for(f"jigsaw={STRIPES}", FOUR).board.regions is not None
    with pytest.raises(RuleError, match="a region map of 16 cells on a board of 9x9"):
        constraints_for(f"jigsaw={STRIPES}", Board.of_size(9))


def test_miracle_is_the_union_of_its_three_rules():
    constraints = constraints_for("miracle")
    assert constraints == constraints_for("nonconsecutive, king,KNIGHT")
    assert constraints.name == "knight,king,nonconsecutive"
    assert len(constraints.pairs) == 1368 + 504 + 2304


@pytest.mark.parametrize(("rule", "houses"), [("diagonal", 2), ("windoku", 4), ("disjoint", 9)])
def test_house_rules_add_a_group_for_each_house_and_digit(rule, houses):
    assert len(family(rule, rule).groups) == 9 * houses


def test_windows_and_diagonals_lie_where_they_should():
    windows = {frozenset(c // 9 for c in group) for group in family("windoku", "windoku").groups}
    corners = {min(window) for window in windows}
    assert corners == {10, 14, 46, 50}
    diagonals = {
        frozenset(c // 9 for c in group) for group in family("diagonal", "diagonal").groups
    }
    assert diagonals == {frozenset(range(0, 81, 10)), frozenset(range(8, 73, 8))}


def test_antiqueen_binds_the_highest_digit_on_diagonals_only():
    pairs = family("antiqueen", "antiqueen").pairs
    assert {candidate % 9 for pair in pairs for candidate in pair} == {8}
    assert len(pairs) == 408  # 2 * sum of n*(n-1)/2 over the diagonals of a 9x9 board


def test_pairs_are_ordered_and_not_inside_groups():
    constraints = constraints_for("miracle,antiqueen")
    grouped = [set(group) for group in constraints.groups]
    for low, high in constraints.pairs[::37]:
        assert low < high
        assert not any(low in group and high in group for group in grouped)


def test_jigsaw_regions_replace_the_boxes():
    constraints = constraints_for(f"jigsaw={STRIPES}")
    assert constraints.board.size == 4
    assert constraints.board.boxes == constraints.board.rows
    assert constraints_for(constraints.name) == constraints


def test_a_rule_set_reads_back_from_its_name():
    for rules in ("classic", "knight", "diagonal,windoku", f"knight,jigsaw={STRIPES}"):
        constraints = constraints_for(rules)
        assert constraints_for(constraints.name, constraints.board) == constraints


def test_constraints_travel_between_processes():
    constraints = constraints_for("miracle")
    assert pickle.loads(pickle.dumps(constraints)) == constraints


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("kinght", "did you mean 'knight'"),
        ("xyzzy", "choose from"),
        ("jigsaw", "needs a region map"),
        ("knight=3", "takes no value"),
        ("jigsaw=1234", "region map with 4 regions: expected 2"),
        ("jigsaw=111", "one for each cell"),
        (f"windoku,jigsaw={STRIPES}", "square boxes"),
        (f"disjoint,jigsaw={STRIPES}", "rectangular"),
    ],
)
def test_bad_rule_sets_say_what_is_wrong(rules, message):
    with pytest.raises(ValueError, match=message):
        constraints_for(rules)


def test_windoku_needs_square_boxes():
    with pytest.raises(RuleError, match="square boxes"):
        constraints_for("windoku", Board.of_size(6))
    assert len(family("windoku", "windoku", FOUR).groups) == 4


def test_constraints_for_another_board_are_refused():
    with pytest.raises(RuleError, match="not 4x4"):
        constraints_for(constraints_for("knight"), FOUR)


def test_every_rule_and_alias_is_documented():
    assert all(rule.summary and rule.name == name for name, rule in RULES.items())
    assert all(name in RULES for names in ALIASES.values() for name in names)


# Modules that name a rule, and how: never as a rule. The list may only shrink.
NAMED = {
    "generator/givens.py": "diagonal", "web/study.py": "diagonal",  # a symmetry
    # a word of a format: a key of it, or the name of a way to state clues
    "model/kinds/relations.py": "king knight nonconsecutive",  # and pieces of chess
    "model/kinds/sums.py": "diagonal",
    "files/fpuzzles/clues.py": "diagonal", "files/iss/ways.py": "diagonal",
    "files/iss/clues.py": "diagonal",
    "files/pencilmark.py": "diagonal disjoint king knight",
}  # fmt: skip


def test_no_module_names_a_rule_but_that_of_the_rules_and_the_witness():
    assert naming(RULES, but=("model/rules.py", "witness/rules.py")) == NAMED


def test_every_phrase_and_word_of_a_format_is_of_one_rule():
    for rule in RULES.values():
        for phrase in rule.said:
            found = re.compile(phrase.replace("{all}", "1-9"))
            assert not found.fullmatch("") and phrase == phrase.lower()
    for form in ("iss", "fpuzzles", "sudokupad", "killer"):
        stated = [there.name for _, there in foreign_rules(form) if there.way == "flag"]
        assert list(flags_of(form)) == stated and len({*stated}) == len(stated)
