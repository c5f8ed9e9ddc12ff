"""The command `sheet`."""

import pymupdf
from examples import CLASSIC, PUZZLES

from satdoku.files.fpuzzles import format_fpuzzles


def read(path):
    return pymupdf.open(path)


def test_puzzles_of_all_sorts_go_on_one_sheet(run, stdin, tmp_path):
    out = tmp_path / "a.pdf"
    link = format_fpuzzles(CLASSIC, "knight", title="From a link", author="Setter")
    stdin(f"id,puzzle\nx1,{CLASSIC}\n")
    words = ("sheet", link, PUZZLES / "variant.csv", "-", CLASSIC, "-o", out, "--title", "Mine")
    assert run(*words, "--per-page", "2", "--paper", "Letter") == (0, "", "")
    pages = read(out)
    assert pages.metadata["title"] == "Mine"
    text = "".join(page.get_text() for page in pages)
    for wanted in ("1. From a link", "by Setter", "3. x1", "Thermometer", "knight's move"):
        assert wanted in text
    assert tuple(pages[0].rect)[2:] == (612, 792)


def test_a_bad_row_costs_no_other(run, file, tmp_path):
    out = tmp_path / "a.pdf"
    name = file(f"{CLASSIC}\n123\n{CLASSIC}\n")
    code, _, err = run("sheet", name, "-o", out)
    assert code == 2 and "line 2" in err and "expected 81 cells" in err
    assert len(read(out)) == 2
    other = tmp_path / "b.pdf"
    code, _, err = run("sheet", file("12345\n"), "-o", other)
    assert code == 2 and not other.exists()


def test_solutions_and_which_puzzles_have_none_or_several(run, file, tmp_path):
    out = tmp_path / "a.pdf"
    assert run("sheet", CLASSIC, "--solutions", "-o", out) == (0, "", "")
    assert "Solutions" in read(out)[-1].get_text()
    name = file(f"{CLASSIC}\n{'.' * 81}\n")
    code, _, err = run("sheet", name, "--solutions", "-o", out)
    assert (code, err) == (1, "satdoku: 2: several solutions, this is one\n")
    assert run("sheet", name, "-o", out)[0] == 0  # not asked, not said
    assert run("sheet", name, "--solutions", "-o", out, "-q") == (1, "", "")


def test_paths(run, file, tmp_path):
    out = tmp_path / "a.pdf"
    assert run("sheet", CLASSIC, "--key-steps", "2", "-o", out) == (0, "", "")
    text = read(out)[1].get_text()
    assert text.startswith("Solution path") and text.count("Step ") == 2 and "claiming" in text
    rules = ("--clue", "thermo:r1c2,r1c1", "--key-steps", "3", "-o", out)
    code, _, err = run("sheet", "1" + "." * 80, *rules)
    assert (code, err) == (1, "satdoku: the puzzle: no path: no solution\n")
    code, _, err = run("sheet", CLASSIC, "--key-steps", "2", "--timeout", "1e-9", "-o", out)
    assert code == 1 and err.startswith("satdoku: the puzzle: no path: timed out after")
    assert "no path" not in read(out)[0].get_text()  # the sheet is made
    code, _, err = run("sheet", CLASSIC, "--key-steps", "0", "-o", out)
    assert code == 2 and "--key-steps: 0: expected 1 or more" in err


def test_the_setters_words_stand_for_rules_that_are_theirs(run, tmp_path):
    row = "[{},{},{},{}],"
    link = f'{{"size":4,"grid":[{row * 3}{row[:-1]}],"ruleset":"Normal sudoku rules apply."}}'
    out = tmp_path / "a.pdf"
    assert run("sheet", link, "-o", out)[0] == 0
    assert "Normal sudoku rules apply." in read(out)[0].get_text()
    assert run("sheet", link, "--clue", "thermo:r1c1,r1c2", "-o", out)[0] == 0
    text = read(out)[0].get_text()
    assert "Normal sudoku" not in text and "Thermometer" in text


def test_links_and_codes(run, tmp_path):
    out = tmp_path / "a.pdf"
    assert run("sheet", CLASSIC, "--link", "fpuzzles", "--qr", "-o", out) == (0, "", "")
    assert {link["uri"][:25] for link in read(out)[0].get_links()} == {"https://www.f-puzzles.com"}
    code, _, err = run("sheet", CLASSIC, "--rules", "antiqueen", "--qr", "-o", out)
    assert code == 0 and "the puzzle: no link (f-puzzles has no rule 'antiqueen'" in err


def test_no_pdf_on_a_terminal(run, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    code, out, err = run("sheet", CLASSIC, "-o", "-")
    assert (code, out) == (2, "") and "name a file, -o sheet.pdf" in err


def test_wrong_fonts_and_files(run, file, tmp_path):
    out = tmp_path / "a.pdf"
    code, _, err = run("sheet", CLASSIC, "--font", file("x", "a.ttf"), "-o", out)
    assert code == 2 and "expected a TrueType font" in err
    name = file(CLASSIC)
    code, _, err = run("sheet", name, "-o", name)
    assert code == 2


def test_difficulty_and_a_line_for_a_name(run, file, tmp_path):
    out = tmp_path / "a.pdf"
    assert run("sheet", CLASSIC, "--difficulty", "--name-line", "-o", out) == (0, "", "")
    text = read(out)[0].get_text()
    assert "Difficulty: medium (2.8)" in text and "Name ___" in text and "Date ___" in text
    code, _, err = run("sheet", file(f"{CLASSIC}\n{'.' * 81}\n"), "--difficulty", "-o", out)
    assert code == 0 and err.startswith(
        "satdoku: 2: no difficulty: a puzzle with status 'multiple'"
    )
