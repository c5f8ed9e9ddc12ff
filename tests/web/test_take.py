"""Into the page and out of it: texts, links, pictures, formulas; the picture under the digits."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest
from node import kernel_needed
from web_client import CLASSIC, OTHERS, SOLVED, other, other_rules, state

import satdoku
from satdoku.cli import main
from satdoku.engine.wasm import plan_bytes
from satdoku.files.iss import parse_iss
from satdoku.files.one import as_puzzle
from satdoku.render.svg import render_background
from satdoku.runtime.errors import SatdokuError
from satdoku.web import take
from satdoku.web.catalogue import FORMATS
from satdoku.web.take import export, picture

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


def test_words_and_drawings_go_out_and_come_in(web):
    looks = [{"line": [[0.5, 0.5], [0.5, 2.5]], "colour": "#ff0000", "width": 0.2}]
    bad = "<img src=x>\nline 2"
    puzzle = state("." * 81, None, CLUES) | {"words": bad, "looks": looks}
    for name in ("fpuzzles", "sudokupad", "json"):
        taken = web.ask("export", puzzle=puzzle, format=name)
        assert not taken.get("note")
        back = web.ask("read", text=taken.get("link") or taken["text"])["puzzle"]
        assert (back["words"], back["looks"]) == (bad, looks)
    skew = [{"line": [[0, 0], [1.3, 2.5]]}]
    taken = web.ask("export", puzzle=puzzle | {"looks": skew}, format="fpuzzles")
    assert taken["note"] == "fpuzzles states 1 of 1 drawing not, or not as they are"
    shown, plain = (web.ask("picture", puzzle=puzzle | {"looks": some}) for some in (looks, []))
    assert 'stroke="#ff0000"' in shown["svg"] and 'stroke="#ff0000"' not in plain["svg"]
    assert shown["words"] == plain["words"] and "Thermometer" in shown["words"]
    assert web.post("picture", puzzle=puzzle | {"looks": [{"at": 1}]}).status == 400


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


def test_a_page_to_play_is_that_of_the_command_line(web):
    kernel_needed()
    made = web.ask("export", puzzle=state(CLASSIC, None, (), title="Mine"), format="html")
    assert (made["name"], made["media"]) == ("mine.html", "text/html")
    assert made["text"] == satdoku.play_page([replace(as_puzzle(CLASSIC), title="Mine")])
    layered = state("." * 81, "layer=shade:0-1", ())
    answer = web.post("export", puzzle=layered, format="html")
    assert answer.status == 400 and "takes no layers" in answer.json()["error"]


def test_pictures(web):
    puzzle = state(CLASSIC, None, (), title="<script>alert(1)</script>")
    svg = web.ask("export", puzzle=puzzle, format="svg", solution=True)
    assert svg["media"] == "image/svg+xml" and "<script" not in svg["text"]
    assert svg["name"] == "script-alert-1-script.svg"
    assert svg["text"] == satdoku.render_svg(CLASSIC, solution=SOLVED)
    told = web.ask("export", puzzle=puzzle, format="svg", about=True)["text"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</text>" in told and "<script" not in told
    assert "Place the digits 1 to 9" in told
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


EMPTY = {"format": "satdoku-puzzle", "version": 1, "puzzle": "." * 16}


def answer(**stated):
    (said,) = picture({"puzzle": {**EMPTY, **stated}})
    return said


def test_a_clue_is_said_in_words_with_its_value_and_cells():
    (clue,) = answer(clues=["cage=5: r2c2,r1c2"])["clues"]
    assert clue == {
        "text": "cage=5: r2c2,r1c2",
        "says": "the digits do not repeat, and add up to 5",
        "cells": [1, 5],
        "warning": "",
    }


def test_clues_keep_their_order_and_their_words():
    assert [c["text"] for c in answer(clues="v:r1c1,r1c2; odd:r4c4")["clues"]] == [
        "v:r1c1,r1c2",
        "odd:r4c4",
    ]


def test_a_clue_whose_cells_lie_apart_has_a_warning():
    (clue,) = answer(clues=["thermo:r1c1,r4c4"])["clues"]
    assert clue["warning"] == "thermo:r1c1,r4c4: r1c1 and r4c4 do not touch"


def test_a_clue_that_cannot_be_meant_is_refused():
    with pytest.raises(SatdokuError, match="3 different digits add up to 6-9, not 40"):
        answer(clues=["cage=40:r1c1-r1c3"])


def test_the_picture_has_no_digits():
    bare, full = answer(), answer(puzzle="1...............")
    assert bare["svg"].count("<text") == full["svg"].count("<text") == 0
    assert bare["width"] == bare["left"] * 2 + 4 * bare["cell"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_that_of_render(web, theme):
    clues = ["thermo:r1c1,r2c1", "little-killer=20:r1c2-r3c4", "quadruple=1,2:r1c1,r1c2,r2c1,r2c2"]
    found = web.ask("picture", puzzle=state(CLASSIC, "diagonal", clues), theme=theme)
    rules = satdoku.constraints_for(";".join(["diagonal", *clues]))
    assert [clue["text"] for clue in found.pop("clues")] == clues
    assert found.pop("board")["rules"] == ["diagonal"] and found.pop("values") == []
    words, peers = found.pop("words"), found.pop("peers")
    found.pop("plan")
    assert sorted(peers[0]) == sorted(
        {*range(1, 9), *range(9, 81, 9), 10, 11, 19, 20, *range(10, 81, 10)}
    )  # row, column, box, diagonal
    assert found == render_background(rules, theme)._asdict()
    assert words == satdoku.rules_in_words(CLASSIC, rules)


def test_the_picture_brings_the_plan_for_the_engine_in_the_tab(web, monkeypatch, tmp_path):
    kernel = tmp_path / "kernel"
    monkeypatch.setattr(take, "KERNEL", kernel)
    asked = {"puzzle": state(CLASSIC, "knight", CLUES)}
    assert next(picture(asked))["plan"] is None  # a wheel without the kernel
    kernel.touch()
    plan = base64.b64decode(next(picture(asked))["plan"])
    assert plan == plan_bytes(satdoku.constraints_for(";".join(["knight", *CLUES])))
    assert next(picture({"puzzle": other("shaded")}))["plan"] is None  # only a session answers
    monkeypatch.setattr(take, "MOST_PLAN", len(plan) - 1)
    assert next(picture(asked))["plan"] is None


def test_an_unknown_theme(web):
    answer = web.post("picture", puzzle=state(CLASSIC), theme="<b>")
    assert answer.json() == {"error": "theme: found '<b>', expected light or dark"}


@pytest.mark.parametrize("name", OTHERS)
def test_other_boards_are_taken_away(web, name, tmp_path):
    rules = satdoku.constraints_for(other_rules(name))
    puzzle = other(name)
    back = web.ask("read", text=web.ask("export", puzzle=puzzle, format="json")["text"])["puzzle"]
    assert satdoku.constraints_for(";".join([back["rules"], *back.get("clues", [])])) == rules
    assert back["puzzle"] == puzzle["puzzle"]
    proof = web.ask("export", puzzle=puzzle, format="certificate")["text"]
    (tmp_path / "proof").write_text(proof)
    assert main(["verify", str(tmp_path / "proof")]) == 0
    assert "</svg>" in web.ask("export", puzzle=puzzle, format="svg", solution=True)["text"]
    assert web.ask("export", puzzle=puzzle, format="cnf")["text"].startswith("c ")
    shown = web.ask("picture", puzzle=puzzle)
    assert shown["board"]["form"] and shown["svg"].startswith("<svg")
    refused = web.post("export", puzzle=puzzle, format="fpuzzles")
    assert refused.status == 400 and "\n" not in refused.json()["error"]


def test_the_picture_tells_values_that_are_set_in_layers(web):
    shown = web.ask("picture", puzzle=other("shaded"))
    assert shown["values"] == [[16, 2], [17, 1], [18, 2], [19, 2]]


def test_pencil_marks_of_a_rectangle_are_drawn():
    marks = [[1, 2, 3, 4, 5]] + [[1, 2, 3, 4, 5, 6]] * 11
    puzzle = {"puzzle": state("." * 12, "shape=2x6", version=2, candidates=marks), "format": "svg"}
    (drawn,) = export(puzzle)
    assert [drawn["text"].count(f">{digit}</text>") for digit in (1, 5, 6)] == [1, 1, 0]
