"""Fonts: Latin text in Helvetica, other scripts in a font that has them, the rest as `?`."""

import pytest

from satdoku.sheets import SheetError, fonts
from satdoku.sheets.fonts import BOLD, PLAIN, Typesetter


def test_latin_text_needs_no_font():
    setter = Typesetter()
    assert list(setter.runs("Größe ≤ 9 – “naïve” × €")) == [(PLAIN, "Größe ≤ 9 – “naïve” × €")]
    assert list(setter.runs("a  b\n\tc", bold=True)) == [(BOLD, "a b c")]
    assert not setter.missing


def test_other_scripts_are_set_in_a_font_that_has_them():
    setter = Typesetter()
    (latin, greek) = setter.runs("Sudoku Σουδόκου")
    assert latin == (PLAIN, "Sudoku ") and greek[1] == "Σουδόκου" and greek[0] != PLAIN
    assert not setter.missing  # matplotlib, which the tests have, brings DejaVu Sans


def test_what_no_font_has_is_a_question_mark_and_named(monkeypatch):
    monkeypatch.setattr(fonts, "_known", lambda: ())
    setter = Typesetter()
    assert list(setter.runs("a数独b", bold=True)) == [(BOLD, "a"), (BOLD, "??"), (BOLD, "b")]
    assert list(setter.missing) == ["数", "独"]


@pytest.mark.parametrize("text", ["שלום", "سودوكو", "\U0010ffff", "\ud800"])
def test_what_cannot_be_set_letter_by_letter_is_never_set_wrongly(text):
    setter = Typesetter()
    assert list(setter.runs(text)) == [(PLAIN, "?" * len(text))]
    assert list(setter.missing) == list(dict.fromkeys(text))


def test_letters_with_accents_are_composed_first():
    assert list(Typesetter().runs("e\N{COMBINING ACUTE ACCENT}")) == [(PLAIN, "é")]


def test_markup_is_escaped():
    assert Typesetter().markup("<b>&") == '<font name="Helvetica">&lt;b&gt;&amp;</font>'


def test_the_font_that_is_asked_for_must_be_one(tmp_path):
    wrong = tmp_path / "a.ttf"
    wrong.write_bytes(b"no font")
    for path in (wrong, tmp_path / "missing.ttf"):
        with pytest.raises(SheetError, match="expected a TrueType font"):
            Typesetter(str(path))
    known = next(folder / "DejaVuSansMono.ttf" for folder in reversed([*fonts._folders()]))
    ((name, _),) = Typesetter(str(known)).runs("Ж")
    assert name == fonts._loaded(str(known), must=True)[0]
