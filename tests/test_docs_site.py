"""No link of a page is dead, on the code host and in the site; the site has all pages and names.

The code host makes the name of a heading from its words, and so does the site (mkdocs.yml).
"""

import importlib.util
import json
import re
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest
from browser import chromium, needed

import satdoku
from satdoku.cli.commands import SUMMARIES, load
from satdoku.cli.parsers import command_parser
from satdoku.model.kinds import KINDS
from satdoku.model.other_names import usual_names
from satdoku.model.rules import BOARDS, RULES

ROOT = Path(__file__).parent.parent
SITE = ROOT / "docs" / "site"
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").rglob("*.md")]
)
NAV = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2]


def module(name):
    """A module of docs/site, which is no package."""
    spec = importlib.util.spec_from_file_location(f"site_{name}", SITE / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def prose(page):
    """The text of a page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def names_of(page):
    """What the code host calls the headings of a page."""
    names = []
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page):
    for pair in re.findall(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"', prose(page)):
        path, _, name = "".join(pair).partition("#")
        if "://" not in path:
            target = (page.parent / path).resolve() if path else page
            assert target.is_file(), (path, "a folder has no page in the site")
            assert target.is_relative_to(ROOT), path
            assert not name or name in names_of(target), (path, name)


def test_the_reference_has_every_public_name():
    pages = [page.read_text() for page in (ROOT / "docs" / "api").glob("*.md")]
    named = re.findall(r"^::: satdoku\.([\w.]+)$", "\n".join(pages), re.MULTILINE)
    assert len(named) == len(set(named))
    assert {*satdoku.__all__} - {"__version__"} == {name for name in named if "." not in name}
    assert all(resolve_name(f"satdoku.{name}") for name in named)
    assert all(f"`{name}`" in (ROOT / "docs/api/README.md").read_text() for name in satdoku.__all__)


def test_the_comparison_names_the_number_of_kinds():
    assert f"{len(KINDS)} kinds of clues" in (ROOT / "docs/COMPARISON.md").read_text()


def test_the_page_of_rules_has_them_all():
    page = (ROOT / "docs/RULES.md").read_text()
    assert [r for r in RULES.values() if f"| `{r.name}` | {r.summary} |" not in page] == []
    for definition in (*RULES.values(), *BOARDS.values()):
        names = ", ".join(usual.text for usual in usual_names(definition))
        row = rf"^\|.*`{definition.name}\b.*\|.*\b{re.escape(names)}\b"
        assert re.search(row, page, re.MULTILINE), names


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "Text."]},
        {"cell_type": "code", "source": ["f()"], "outputs": [
            {"text": ["said\n"]}, {"data": {"text/plain": ["5"]}},
            {"data": {"text/html": ["<b>\n\n6</b>"], "text/plain": ["6"]}},
        ]},
    ]
}  # fmt: skip


def test_a_notebook_becomes_a_page(tmp_path):
    (tmp_path / "a.ipynb").write_text(json.dumps(NOTEBOOK))
    assert module("notebook_pages").page_of(tmp_path / "a.ipynb").split("\n\n") == [
        "# Title", "[The notebook](a.ipynb)", "Text.", "```python\nf()\n```",
        "```text\nsaid\n```", "```text\n5\n```",
        '<div class="shown">\n<b>\n6</b>\n</div>\n',
    ]  # fmt: skip


def test_every_page_has_a_place_in_the_site():
    places = set(re.findall(r"[\w/]+\.md", NAV)) | {f"commands/{name}.md" for name in SUMMARIES}
    pages = [*PAGES, *(path.with_suffix(".md") for path in ROOT.glob("docs/notebooks/*.ipynb"))]
    uris = {str(page.relative_to(ROOT)).removeprefix("docs/") for page in pages}
    assert places == uris - {"README.md"} | {"index.md"}


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_options_of_a_command_are_those_of_its_parser(name):
    text = module("options").options_of(name)
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    for action in command_parser(name, load(name))._actions:
        words = action.option_strings or [action.metavar or action.dest.upper()]
        shown = [re.compile(rf"`{re.escape(word)}[ `]") for word in words]
        assert sum(all(word.search(row) for word in shown) for row in rows) == 1, words


LINKED = {
    "index.html": '<a href="b.html#one">b</a> <img src="p.svg"> <a href="https://example.org">',
    "b.html": '<h1 id="one">1</h1> <a href="#one"> <a href="index.html"> <a href="./">',
    "p.svg": "",
}


@pytest.fixture
def site(tmp_path):
    def made(**more):
        for name, text in {**LINKED, **more}.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    return made


def test_a_whole_site_has_no_dead_links(site):
    links = module("links")
    assert [*links.dead_links(site()), *links.foreign_loads(site())] == []


@pytest.mark.parametrize("link", ["gone.html", "b.html#gone", "#gone", "../index.html", "q.svg"])
def test_a_dead_link_is_told(site, link):
    folder = site(**{"c.html": f'<a href="{link}">'})
    assert [*module("links").dead_links(folder)] == [f"c.html: dead link {link}"]


@pytest.mark.parametrize(
    "tag",
    ['<script src="https://cdn.test/a.js">', '<link rel="stylesheet" href="//cdn.test/a.css">',
     '<img src="http://cdn.test/a.png">', '<link rel="preconnect" href="https://cdn.test">'],
)  # fmt: skip
def test_what_comes_from_another_host_is_told(site, tag):
    folder = site(**{"c.html": tag})
    (line,) = module("links").foreign_loads(folder)
    assert line.startswith("c.html: loads ") and "cdn.test" in line


def test_names_in_docstrings_become_links():
    pytest.importorskip("griffe")
    reference = module("reference")
    known = reference.places()
    assert known["GenerateOptions"] == "satdoku.generator.GenerateOptions"
    assert "count" not in known
    text = reference.linked("see `as_cells`, `count` and `unknown_name`", known)
    assert text == "see [`as_cells`][satdoku.as_cells], `count` and `unknown_name`"


def test_links_of_the_repository_become_those_of_the_site(monkeypatch):
    pytest.importorskip("mkdocs")
    monkeypatch.setattr(sys, "path", [*sys.path])  # the hooks put the repository in front
    moved = module("hooks").with_links_of_the_site
    assert moved("[a](docs/CLUES.md#cells)", "index.md") == "[a](CLUES.md#cells)"
    assert moved("[a](../bench/ENGINE.md)", "TRUST.md") == "[a](bench/ENGINE.md)"
    assert moved("[CLUES.md](CLUES.md#cells)", "RULES.md") == "[Clues](CLUES.md#cells)"
    assert moved("[a](../../bench/RATING.md)", "commands/rate.md") == "[a](../bench/RATING.md)"
    assert moved('<img src="../step-025.svg">', "commands/a.md") == '<img src="../step-025.svg">'
    assert moved("[a](../CITATION.cff)", "bench/RESULTS.md") == "[a](../CITATION.cff)"
    assert moved("x[0](1)", "CLUES.md") == "x[0](1)"


BESIDE = """<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{css}">
<style>pre > code {{ display: block; overflow: auto; }} .highlight {{ overflow: hidden; }}</style>
<div class="md-typeset">
<p><img src="{picture}" width="150" align="right"></p>
<p>The digits grow from the bulb.</p>
<div class="highlight">
<pre><code>$ satdoku solve {puzzle} --rules thermo:r4c1,r3c1</code></pre></div>
</div>"""
PLACES = """const [code, image] = ["code", "img"].map((name) => document.querySelector(name));
return [code.scrollWidth, code.clientWidth, code.getBoundingClientRect().top,
  image.getBoundingClientRect().bottom];"""


@pytest.mark.parametrize("width", [390, 1280])
def test_a_command_beside_a_picture_is_not_cut_off(tmp_path, width):
    """As `mkdocs build` lays out a section of docs/CLUES.md."""
    needed()
    picture, page = ROOT / "docs/pictures/thermo.svg", tmp_path / "page.html"
    css = (SITE / "site.css").as_uri()
    page.write_text(BESIDE.format(css=css, picture=picture.as_uri(), puzzle="." * 16))
    with chromium(tmp_path) as driver:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(page.as_uri())
        wide, shown, top, bottom = driver.execute_script(PLACES)
    assert wide <= shown
    assert (top >= bottom) == (width == 390)  # on telephones it stands below the picture
