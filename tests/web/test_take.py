"""What goes in comes out, and other readers read it."""

import base64
import json

import pytest
from web_client import CLASSIC, SOLVED, state

import satdoku
from satdoku.files.iss import parse_iss
from satdoku.web.catalogue import FORMATS

CLUES = ["cage=10:r1c1,r1c2", "thermo:r5c1,r5c2,r6c2"]


@pytest.mark.parametrize("name", ["fpuzzles", "sudokupad", "iss", "json"])
def test_what_is_taken_away_reads_back(web, name):
    grid = "." * 80 + "3"
    puzzle = state(grid, "knight", CLUES, title="A <b>title</b>", author="me")
    taken = web.ask("export", puzzle=puzzle, format=name)
    text = taken.get("link") or taken["text"]
    if name == "iss":
        assert parse_iss(text).rules == satdoku.constraints_for(";".join(["knight", *CLUES])).name
    back = web.ask("read", text=text)
    assert back["puzzle"]["puzzle"] == grid and back["puzzle"]["rules"] == "knight"
    assert sorted(back["puzzle"]["clues"]) == sorted(CLUES) and back["notes"] == []
    if name != "iss":
        assert (back["puzzle"]["title"], back["puzzle"]["author"]) == ("A <b>title</b>", "me")


@pytest.mark.parametrize("text", [CLASSIC, CLASSIC.replace(".", "0"), f"\n {CLASSIC}\t\n", SOLVED])
def test_grids_are_read(web, text):
    found = web.ask("read", text=text)["puzzle"]
    assert found["puzzle"] == text.strip().replace("0", ".")
    assert (found["boxes"], found["rules"]) == ("3x3", "classic")


def test_a_bad_text_tells_where(web):
    answer = web.post("read", text="12\n34x5")
    assert answer.status == 400
    assert answer.json()["error"] and answer.json()["line"] >= 1
    assert web.post("read", text=5).status == 400
    assert web.post("read", text="").status == 400
    assert web.post("read", text="\0" * 50).status == 400


def test_pictures(web):
    puzzle = state(CLASSIC, None, (), title="<script>alert(1)</script>")
    svg = web.ask("export", puzzle=puzzle, format="svg", solution=True)
    assert svg["media"] == "image/svg+xml" and "<script" not in svg["text"]
    assert svg["name"] == "script-alert-1-script.svg"
    assert svg["text"] == satdoku.render_svg(CLASSIC, solution=SOLVED)
    png = web.ask("export", puzzle=puzzle, format="png")
    assert base64.b64decode(png["base64"]).startswith(b"\x89PNG")
    assert (
        "no solution to draw"
        in web.post("export", puzzle=state("11" + "." * 14), format="svg", solution=True).json()[
            "error"
        ]
    )


def test_a_sheet_to_print(web):
    pytest.importorskip("fpdf")
    puzzle = state(CLASSIC, "knight", ["odd:r1c1"], title="A sheet")
    pdf = web.ask("export", puzzle=puzzle, format="pdf", paper="Letter")
    assert pdf["name"] == "a-sheet.pdf" and pdf["media"] == "application/pdf"
    assert base64.b64decode(pdf["base64"]).startswith(b"%PDF-")
    assert web.post("export", puzzle=puzzle, format="pdf", paper="napkin").status == 400


def test_the_formula_and_the_certificate(web, tmp_path):
    cnf = web.ask("export", puzzle=state(CLASSIC), format="cnf", encoding="minimal")["text"]
    path = tmp_path / "puzzle.cert.jsonl"
    certificate = web.ask("export", puzzle=state(CLASSIC), format="certificate")
    path.write_text(certificate["text"])
    assert "p cnf 729 " in cnf and "encoding minimal" in cnf
    (found,) = satdoku.check_certificates(str(path))
    assert found.reason is None
    assert web.post("export", puzzle=state(CLASSIC), format="cnf", encoding="x").status == 400


def test_what_a_format_cannot_say_is_told(web):
    answer = web.post("export", puzzle=state("." * 81, "antiqueen"), format="fpuzzles")
    assert answer.status == 400 and "antiqueen" in answer.json()["error"]
    marks = state("." * 16, candidates=[[1]] + [[1, 2, 3, 4]] * 15)
    assert "pencil marks" in web.post("export", puzzle=marks, format="cnf").json()["error"]
    assert json.loads(web.ask("export", puzzle=marks, format="json")["text"])["candidates"]
    answer = web.post("export", puzzle=state(CLASSIC), format="doc")
    assert answer.json()["error"] == f"no format 'doc': choose from {', '.join(FORMATS)}"
