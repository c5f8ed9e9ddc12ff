"""Usual names lead to kinds, rules and boards; what cannot be stated says why."""

import re
from itertools import groupby

import pytest
from usual_names import TERMS

from satdoku import SatdokuError, constraints_for
from satdoku.model.kinds import ALIASES, DEFINITIONS, KINDS, title
from satdoku.model.other_names import UNSTATED, folded, found, usual_names
from satdoku.model.rules import BOARDS, RULES


def searched(query):
    """The names of what is found, the best first."""
    return [of.name for of in found(DEFINITIONS, query, text_of)]


def text_of(definition):
    return getattr(definition, "sentence", "") or definition.summary


def test_the_terms_are_many():
    assert len(TERMS) >= 80 and {*TERMS.values()} >= {*RULES}


@pytest.mark.parametrize("term", TERMS)
def test_a_search_for_a_usual_name_finds_it_among_the_first(term):
    """Among the first five, as some words are shared: 'negative constraint' is all three."""
    assert TERMS[term] in searched(term)[:5]


def test_the_best_is_first():
    assert searched("killer")[0] == "cage" and "little-killer" in searched("killer")
    assert searched("X")[0] == "sum" and searched("thermo")[0] == "thermo"
    assert searched("anti-knight") == ["knight", "knight-digits"]
    assert searched("odd")[0] == "odd" and searched("whispers")[0] == "whisper"


def test_words_of_the_sentence_are_found_after_names_and_nonsense_is_not():
    assert "palindrome" in searched("reads the same") and "thermo" in searched("bulb")
    assert searched("zzz") == searched("killer zzz") == []
    assert searched("") == [definition.name for definition in DEFINITIONS]


def test_everything_has_a_title_and_usual_names_that_are_told_apart():
    for definition in DEFINITIONS:
        texts = [usual.text for usual in usual_names(definition)]
        assert texts and "=" not in texts[0] and texts[0][:1].isupper() | texts[0][0].isdigit()
        for usual in usual_names(definition):
            known = {*KINDS, *ALIASES, *RULES, *BOARDS}
            assert re.split("[=:]", usual.means)[0] in known
            own = {definition.name, usual.means, *known} - known
            assert usual.text in own or usual.text not in known - {usual.means}


SHARED = {  # on purpose: people call several things so
    "Kropki", "all dots given", "strict Kropki", "negative constraint", "XV", "strict XV",
    "negative XV", "anti-XV", "indexing", "sum line", "chess sudoku",
}  # fmt: skip


def test_a_name_means_one_thing_unless_people_call_several_so():
    meant = sorted(
        (folded(usual.text), usual.means)
        for definition in DEFINITIONS
        for usual in usual_names(definition)
    )
    several = {name for name, group in groupby(meant, lambda pair: pair[0]) if len({*group}) > 1}
    assert several == {folded(name) for name in SHARED}
    assert not several & {folded(name) for name in UNSTATED}


def test_titles_go_by_the_value():
    assert title("whisper") == title("whisper", "3") == "Whisper line"
    assert (title("whisper", "5"), title("whisper", "4")) == ("German whisper", "Dutch whisper")
    assert (title("difference", "1"), title("ratio", "2")) == (
        "White Kropki dot",
        "Black Kropki dot",
    )
    assert (title("sum", "10"), title("sum", "7"), title("cage", "7")) == (
        "X",
        "Sum",
        "Killer cage",
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Knight's moves", "knights move"), ("X-Sums", "x sum"), ("boxes", "box"),
        ("German_Whispers", "german whisper"), ("less", "LESS"),
    ],
)  # fmt: skip
def test_names_are_compared_without_case_signs_and_plurals(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("killer=10:r1c1,r1c2", "no kind 'killer': did you mean cage (Killer cage)?"),
        ("thermometers:r1c1,r1c2", "no kind 'thermometers': did you mean thermo (Thermometer)?"),
        (
            "kropki:r1c1,r1c2",
            "no kind 'kropki': did you mean white (White Kropki dot) or black (Black Kropki dot)?",
        ),
        ("xv:r1c1,r1c2", "no kind 'xv': did you mean x or v?"),
        ("german:r1c1,r1c2", "no kind 'german': did you mean whisper=5 (German whisper)?"),
        (
            "indexing:r1c1",
            "no kind 'indexing': did you mean value-index (Value indexing line), col-index (Column "
            "indexer), row-index (Row indexer) or box-index (Box indexer)?",
        ),
        ("knight,antiking", "no rule 'antiking': did you mean king (Anti-king)?"),
        ("Anti-Knight", "no rule 'anti-knight': did you mean knight (Anti-knight)?"),
        (f"x{'-' * 3000}sudoku", f"no rule 'x{'-' * 39}': did you mean diagonal (Diagonals)?"),
        ("x-sudoku", "no rule 'x-sudoku': did you mean diagonal (Diagonals)?"),
        ("fog:r1c1", "no kind 'fog': it hides clues and says nothing of the solution"),
        ("yin_yang", "no rule 'yin_yang': no word says it: state it by a layer"),
        ("region-construction:r1c1", "did you mean chaos (Chaos construction)?"),
        ("twodoku", "no rule 'twodoku': did you mean grids:r1c1,r7c7 (twodoku)?"),
        ("0-8", "no rule '0-8': did you mean digits=0-8 (0-8)?"),
        ("0-9", "no rule '0-9': did you mean shape=9x9,digits=0-9 (0-9)?"),
        ("termo:r1c1,r1c2", "no kind 'termo': did you mean 'thermo'? choose from alike,"),
    ],
)
def test_a_name_from_elsewhere_is_told(text, said):
    with pytest.raises(SatdokuError, match=re.escape(said)):
        constraints_for(text)
