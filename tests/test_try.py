"""The page docs/try in Chromium, as the site has it: Python's answers, and no other host."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from browser import TELEPHONE, Surfing, chromium, needed
from node import kernel_needed
from page import Page, tab
from selenium.webdriver.common.keys import Keys
from test_docs_site import ROOT, module
from tried import FOLDER, handed_out, tab_module

import satdoku
from satdoku.engine import wasm
from satdoku.files.fpuzzles import links, write_object
from satdoku.files.fpuzzles.drawings import as_sudokupad
from satdoku.model.puzzle import whole
from satdoku.model.rules import RULES

MIRACLE = 38 * "." + "1" + 12 * "." + "2" + 29 * "."
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
CASES = [
    ("", HARD),
    ("knight,king,nonconsecutive", MIRACLE),
    ("diagonal,windoku", 5 * "." + "4..9" + 72 * "."),
    ("disjoint", "1" + 80 * "."),
    ("diagonal", "12..43" + 30 * "."),
    ("disjoint", "1..." + 12 * "."),
]  # fmt: skip


@pytest.fixture(scope="module")
def surfing(tmp_path_factory):
    """A browser, and a server that hands out files alone."""
    needed()
    kernel_needed()
    folder = tmp_path_factory.mktemp("try")
    with handed_out() as address, chromium(folder) as driver:
        yield Surfing(driver, folder / "downloads", address)


class Try(Page):
    """The page as a person uses it."""

    def puzzle(self, text, rules=""):
        """Opens a puzzle by the address of the page."""
        self.driver.get(f"{self.driver.current_url.partition('#')[0]}#rules={rules}&puzzle={text}")
        self.wait(lambda: self.grid == text.replace("0", "."))

    @property
    def address(self):
        return dict(
            pair.split("=", 1) for pair in self.driver.current_url.partition("#")[2].split("&")
        )

    @property
    def grid(self):
        return self.address.get("puzzle", "")

    @property
    def names(self):
        """What a screen reader says of each cell."""
        return [cell.get_attribute("aria-label") for cell in self.find("[role=gridcell]")]

    def status(self, text):
        self.wait(lambda: self.text("#status") == text)

    def candidates(self):
        """The candidates of each cell, once they are there."""
        told = self.wait(lambda: all(", empty" not in name or "candidate" in name
                                     for name in self.names) and self.names)  # fmt: skip
        return [sorted(map(int, re.findall(r"\d", name.partition(",")[2]))) for name in told]

    def file(self, path):
        (field,) = self.find("#file")
        field.send_keys(str(path))

    def summary(self):
        return self.wait(lambda: self.text("#summary"))

    def saved(self):
        """The lines of the results that were saved."""
        for file in self.folder.iterdir():
            file.unlink()
        (link,) = self.find("#save")
        self.click(link)
        self.wait(lambda: [f for f in self.folder.iterdir() if f.suffix == ".txt"])
        (file,) = self.folder.iterdir()
        return file.read_text().splitlines()


@pytest.fixture
def page(surfing):
    with tab(surfing, Try) as opened:
        yield opened


def test_the_page_takes_what_it_imports():
    taken = dict(tab_module().taken())
    for script in FOLDER.glob("*.js"):
        for name in re.findall(r' from "\./([\w./]+)"', script.read_text()):
            assert (FOLDER / name).is_file() or f"try/{name}" in taken, (script.name, name)
    for name, source in taken.items():
        assert source.is_file() and not (FOLDER.parent / name).exists()
        for other in re.findall(r' from "\./([\w.]+)"', source.read_text(errors="replace")):
            assert f"{Path(name).parent}/{other}" in taken, (name, other)


def test_names_come_from_the_package_alone():
    names = json.loads(tab_module().names())
    assert [(r["name"], r["text"]) for r in names["rules"]] == [
        (rule.name, rule.summary) for rule in RULES.values()
    ]
    scripts = "".join(path.read_text() for path in FOLDER.glob("*.js"))
    assert [name for name in RULES if re.search(rf"\b{name}\b", scripts)] == []


def test_the_policy_lets_nothing_out():
    (policy,) = re.findall(r'Policy" content="([^"]+)"', (FOLDER / "index.html").read_text())
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts.pop("script-src") == "'self' 'wasm-unsafe-eval'"
    assert {*parts.values()} == {"'self'", "'none'"} and parts["default-src"] == "'none'"
    assert parts["base-uri"] == parts["form-action"] == "'none'"


def test_the_readme_leads_to_the_page_in_the_repository_and_in_the_site(monkeypatch):
    pytest.importorskip("mkdocs")
    monkeypatch.setattr(sys, "path", [*sys.path])
    first = "\n".join((ROOT / "README.md").read_text().splitlines()[:30])
    assert "](docs/try/index.html)" in first and FOLDER.joinpath("index.html").is_file()
    moved = module("hooks").with_links_of_the_site(first, "index.md")
    assert "](try/index.html)" in moved and '<img src="pictures/page-try.png"' in moved
    assert (ROOT / "docs" / "pictures" / "page-try.png").is_file()


def test_a_build_of_the_site_has_the_files_of_the_page(monkeypatch):
    pytest.importorskip("mkdocs")
    monkeypatch.setattr(sys, "path", [*sys.path])
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import PluginCollection
    from mkdocs.structure.files import Files

    config = MkDocsConfig()
    config.plugins = PluginCollection()
    config.plugins._current_plugin = None
    files = module("hooks").on_files(Files([]), config)
    places = {file.src_uri: file for file in files if file.src_uri.startswith("try/")}
    assert {*places} == {*dict(tab_module().taken()), "try/names.json"}
    assert json.loads(places["try/names.json"].content_string) == json.loads(tab_module().names())


def test_a_site_without_the_kernel_is_built_and_says_so(surfing, tmp_path, monkeypatch):
    monkeypatch.setattr(wasm, "KERNEL", tmp_path / "satdoku.wasm")
    kind = partial(Try, ready="[data-ready=failed]")
    with handed_out() as address, tab(surfing._replace(address=address), kind) as page:
        assert "built without the kernel" in page.text("#problem")
        assert "pip install ziglang" in page.text("#problem")


@pytest.mark.parametrize(("rules", "text"), CASES)
def test_answers_are_those_of_python(page, rules, text):
    size = int(len(text) ** 0.5)
    page.puzzle(text, rules)
    status = satdoku.classify(text, rules or None)
    words = {"unique": "One solution", "multiple": "More than one solution", "none": "No solution"}
    page.status(words[status.name.lower()])
    page.press("Candidates")
    given = [[int(c)] if c != "." else None for c in text]
    wanted = [sorted(c) for c in satdoku.candidates(text, rules or None)]
    assert page.candidates() == [one or some for one, some in zip(given, wanted, strict=True)]
    limit = 1000
    page.choose("Count solutions up to", f"{limit:,}")
    page.press("Count")
    count = satdoku.count(text, rules or None, limit=limit)
    told = f"{'at least ' * (count == limit)}{count:,} solution{'s' * (count != 1)}"
    page.wait(lambda: page.text("#counted") == told)
    page.press("Solution")
    page.wait(lambda: "in the solution" in " ".join(page.names))
    solved = "".join(re.findall(r"\d(?= in the solution|$)", "\n".join(page.names), re.MULTILINE))
    assert len(solved) == size * size
    assert satdoku.classify(solved, rules or None).name == "UNIQUE"
    assert all(given in (".", digit) for given, digit in zip(text, solved, strict=True))


@pytest.mark.parametrize(
    ("size", "rules"),
    [("9 × 9", []), ("9 × 9", ["Anti-knight", "Windoku"]), ("6 × 6", ["Non-consecutive"]),
     ("4 × 4", ["Disjoint groups"]), ("9 × 9", ["Windoku", "Anti-king"])],
)  # fmt: skip
def test_a_made_puzzle_has_one_solution_under_its_rules(page, size, rules):
    page.choose("Board", size)
    for title in rules:
        page.tick(title)
    page.press("Make a puzzle")
    grid = page.wait(lambda: page.grid.strip(".") and page.grid)
    page.status("One solution")
    assert satdoku.classify(grid, page.address["rules"] or None).name == "UNIQUE"
    assert len(page.address["rules"].split(",")) == max(1, len(rules))
    page.press("Undo")
    page.wait(lambda: not page.grid.strip("."))


def test_a_count_can_be_stopped(page):
    page.puzzle("." * 81)
    page.choose("Count solutions up to", "all of them")
    page.press("Count")
    page.press("Stop")
    page.wait(lambda: page.text("#counted") == "Stopped")
    page.puzzle("." * 16)
    page.press("Count")
    page.wait(lambda: page.text("#counted") == "288 solutions")


def native(grid, rules=None, **more):
    """A link of SudokuPad's own kind."""
    value = as_sudokupad(stated(grid, rules)) | more
    return links.NATIVE + links.save(value).removeprefix(links.LINK)


def stated(grid, rules=None):
    """The object of f-puzzles for a puzzle."""
    return write_object(whole(satdoku.parse_grid(grid), rules), None)


def diagonals(size):
    """The lines by which SudokuPad draws both diagonals."""
    ends = ([0, 0], [size, size]), ([size, 0], [0, size])
    return [{"wayPoints": way, "color": "#34BBE6", "thickness": 5} for way in ends]


CLASSIC, MIRACULOUS = "", "knight,king,nonconsecutive"
LINKS = [
    (satdoku.format_fpuzzles(HARD), CLASSIC),
    (satdoku.format_fpuzzles(MIRACLE, MIRACULOUS), MIRACULOUS),
    (satdoku.format_fpuzzles("." * 81, "diagonal,windoku,disjoint"), "diagonal,windoku,disjoint"),
    (satdoku.format_fpuzzles("1" + "." * 35, "diagonal,knight"), "diagonal,knight"),
    (satdoku.format_sudokupad(HARD, "disjoint"), "disjoint"),
    (native(HARD), CLASSIC),
    (native(MIRACLE, MIRACULOUS), MIRACULOUS),
    (native("." * 81, "windoku", lines=diagonals(9)), "diagonal,windoku"),
    (native("1" + "." * 35, lines=diagonals(6)), "diagonal"),
]


@pytest.mark.parametrize(("link", "rules"), LINKS)
def test_a_link_is_read_as_python_reads_it(page, link, rules):
    wanted = satdoku.parse_puzzle(link)
    assert {*wanted.constraints.names} == {*filter(None, rules.split(","))}
    page.write("A grid, or a link of f-puzzles or SudokuPad", link)
    page.press("Read it")
    page.wait(lambda: {*page.address["rules"].split(",")} == {*rules.split(",")})
    assert page.grid == str(wanted.grid)
    assert page.text("#left") == page.text("#unread") == ""


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (stated(HARD, "thermo:r1c1,r2c1;cage=15:r5c5,r5c6"), ["Thermometer", "Killer cage"]),
        (stated(HARD, "region:rising"), ["diagonal+ alone"]),
        (
            stated(HARD, "nonconsecutive") | {"difference": [{"cells": ["R1C1", "R1C2"]}]},
            ["Difference", "neighbours that no dot joins"],
        ),
        (stated(HARD) | {"negative": ["xv"], "fancy": [1]}, ["not marked: xv", "fancy"]),
        (
            stated(HARD) | {"ruleset": "Grey lines differ.", "line": [{}]},
            ["drawings (line)", "Grey lines differ."],
        ),
    ],
)
def test_what_a_link_says_beside_is_told(page, value, told):
    page.write("A grid, or a link of f-puzzles or SudokuPad", links.save(value))
    page.press("Read it")
    page.wait(lambda: page.text("#left"))
    assert page.grid == HARD
    text = page.text("#left") + page.text("#said")
    assert [each for each in told if each not in text] == []


ROWS = ",".join(["[{v:1},,,,,,,,]", *["[,,,,,,,,]"] * 8])
SHORT = f"{{ce:[{ROWS}],re:[],metadata:{{title:'It\\'s short',antiknight:t}},a:[{{c:00ff00}}]}}"


def test_short_json_of_sudokupad_is_read(page):
    link = links.NATIVE + links.compress(SHORT)
    wanted = json.loads(links.unzipped(SHORT))
    assert wanted["metadata"] == {"title": "It's short", "antiknight": True}
    page.write("A grid, or a link of f-puzzles or SudokuPad", link)
    page.press("Read it")
    page.wait(lambda: page.text("#unread"))
    assert "regions are not the usual boxes" in page.text("#unread")  # it has no boxes at all
    boxes = [[[r // 3 * 3 + i // 3, r % 3 * 3 + i % 3] for i in range(9)] for r in range(9)]
    page.write(
        "A grid, or a link of f-puzzles or SudokuPad",
        links.NATIVE + links.compress(SHORT.replace("re:[]", f"re:{boxes}".replace(" ", ""))),
    )
    page.press("Read it")
    page.wait(lambda: page.address["rules"] == "knight")
    assert page.grid == "1" + "." * 80
    assert page.text("#said") == "It's short"
    assert "drawings (arrows)" in page.text("#left")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1234", "found 4 cells, expected 16, 36 or 81"),
        ("5" + "." * 15, "found 5, expected a digit to 4"),
        ("x" + "." * 80, "found x"),
        ("https://sudokupad.app/abcdef", "nothing is fetched"),
        ("https://www.f-puzzles.com/?load=" + "A" * 60, "the link is"),
        (links.save({"size": 5, "grid": [[{}] * 5] * 5}), "this page reads 4×4, 6×6 and 9×9"),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_with_the_reason(page, text, told):
    page.puzzle(HARD)
    page.write("A grid, or a link of f-puzzles or SudokuPad", text)
    page.press("Read it")
    page.wait(lambda: told in page.text("#unread"))
    assert page.grid == HARD


ODD = [None, 0, 1, -1, "x", "", [], {}, [None], [[]], True, "R99C99", [{}], "__proto__"]
KEYS = ["lines", "cages", "global", "thermometer", "extraregion", "__proto__", "toString"]
READ = """
import fs from "node:fs";
import { readPuzzle } from LINKS;
import { load } from KERNEL;
const { boards } = await load(), { texts, names } = JSON.parse(fs.readFileSync(0));
console.log(JSON.stringify(texts.map((text) => {
  try {
    const { digits, rules, left } = readPuzzle(text, boards, names);
    return { grid: digits.map((digit) => digit || ".").join(""), rules, left };
  } catch (error) {
    return error.name === "LinkError" ? null : { grid: error.stack };
  }
})));
"""


def places(value, place=()):
    """The places of all values within a value."""
    yield place
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*place, key))


def spoiled(value, dice):
    """The value with a few wrong ones within."""
    value = json.loads(json.dumps(value))
    for _ in range(dice.randrange(1, 4)):
        *path, last = dice.choice([*places(value)][1:])
        within = value
        for key in path:
            within = within[key]
        if dice.random() < 0.3 and isinstance(within, dict):
            last = dice.choice(KEYS)
        within[last] = dice.choice(ODD)
    return value


def python_reads(text):
    """The grid, the rules, and whether clues or marks are stated; None for what is refused."""
    try:
        puzzle = satdoku.parse_puzzle(text)
    except satdoku.SatdokuError:
        return None
    stated = bool(puzzle.constraints.clues) or puzzle.marks is not None
    return str(puzzle.grid), {*puzzle.constraints.names}, stated


def test_a_spoiled_link_is_read_as_python_reads_it_or_refused():
    if not (node := shutil.which("node")) or not wasm.KERNEL.is_file():
        pytest.skip("no node, or no kernel")
    dice = random.Random(5)
    own = [
        stated(HARD, "diagonal,windoku,knight"),
        stated(HARD, "thermo:r1c1,r2c1;cage=9:r5c5,r5c6"),
    ]
    own += [as_sudokupad(stated(HARD, rules)) for rules in ("windoku,knight", "thermo:r1c1,r2c1")]
    texts = [json.dumps(spoiled(dice.choice(own), dice)) for _ in range(1200)]
    packed = [links.save(each) for each in own]
    for _ in range(300):
        text, place = dice.choice(packed), dice.randrange(len(packed[0]))
        texts.append(text[:place] + dice.choice(["", "A", "%", "%41", "/"]) + text[place + 1 :])
    script = READ.replace("LINKS", f'"{(FOLDER / "links.js").as_uri()}"')
    script = script.replace("KERNEL", f'"{(wasm.FOLDER / "satdoku.js").as_uri()}"')
    told = {"texts": texts, "names": json.loads(tab_module().names())["links"]}
    done = subprocess.run(
        [node, "--input-type=module", "-e", script],
        input=json.dumps(told), capture_output=True, text=True, check=True,
    )  # fmt: skip
    both = 0
    for text, ours in zip(texts, json.loads(done.stdout), strict=True):
        if ours is None:
            continue
        assert re.fullmatch(r"[1-9.]{81}", ours["grid"]), (text, ours)
        if wanted := python_reads(text):
            both += 1
            assert (ours["grid"], {*ours["rules"]}) == wanted[:2], text
            assert ours["left"] or not wanted[2], text
    assert both > 50


def wrong(text):
    """The puzzle with a digit that breaks no house but leaves no solution."""
    solution = str(satdoku.solve(text))
    candidates = satdoku.pencil_marks(text)
    cell = next(i for i, c in enumerate(text) if c == "." and len(candidates[i]) > 1)
    digit = next(d for d in candidates[cell] if d != int(solution[cell]))
    return f"{text[:cell]}{digit}{text[cell + 1 :]}"


def planted(count):
    """Lines of puzzles, and the status of each line that is planted among them."""
    dice = random.Random(1)
    unique = (ROOT / "puzzles" / "generated-1000.txt").read_text().splitlines()
    unique = [line for line in unique if not line.startswith("#")]
    lines, told = ["# a comment"], {}
    spoiled = {
        "multiple": lambda text: text.translate({49: 46, 50: 46, 51: 46}),
        "clash": lambda text: f"77{text[2:]}",
        "short": lambda text: text[1:],
        "letter": lambda text: f"{text[:30]}x{text[31:]}",
        "none": wrong,
    }
    places = {line: [*spoiled][line % 5] for line in dice.sample(range(2, count), 100)}
    for line in range(2, count + 2):
        text = dice.choice(unique)
        if kind := places.get(line):
            text = spoiled[kind](text)
            told[line] = kind if kind in ("multiple", "none") else "invalid"
        lines.append(text)
    return lines, told


def words_of(file, *options):
    """What `satdoku batch` writes for a file."""
    out = file.with_name("python.txt")
    command = [sys.executable, "-m", "satdoku", "batch", str(file), "-q", "-o", str(out), *options]
    subprocess.run(command, capture_output=True, check=False)
    return out.read_text().splitlines()


def alike(ours, others, text, rules=None):
    """Whether results say the same of a line: of what is invalid each tells why in its own words,
    and of several solutions each finds one."""
    if ours == others or (ours.startswith("invalid ") and others.startswith("invalid ")):
        return True
    (word, solution), (other, _) = ours.split(), others.split()
    holds = all(given in (".", "0", digit) for given, digit in zip(text, solution, strict=True))
    return word == other == "multiple" and holds and satdoku.solve(solution, rules) is not None


LISTED = """
  const [list] = [...document.querySelectorAll("#lists details")].filter((each) =>
    each.querySelector("summary").textContent.startsWith(arguments[0]));
  return [...list.querySelectorAll("li")].map((each) => each.textContent);
"""
PASTE = """
  const told = new DataTransfer();
  told.setData("text", arguments[0]);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: told, bubbles: true }));
"""
DROP = """
  const told = new DataTransfer();
  told.items.add(new File([arguments[0]], "dropped.txt"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: told, bubbles: true }));
"""


def test_a_dropped_collection_has_its_statuses_its_lines_and_its_results(page, tmp_path):
    lines, told = planted(20_000)
    file = tmp_path / "dropped.txt"
    file.write_text("\n".join(lines) + "\n")
    page.driver.execute_script(DROP, file.read_text())
    summary = page.summary()
    found = {word: n for n, word in re.findall(r"([\d,]+) (\w+)[,;]", summary)}
    assert "20,000 puzzles" in summary
    assert found == {"unique": f"{20_000 - len(told):,}"} | {
        word: f"{count}" for word, count in Counter(told.values()).items()
    }
    for word in {*told.values()}:
        shown = page.driver.execute_script(LISTED, word)
        places = [*map(int, re.findall(r"^line (\d+)", "\n".join(shown), re.MULTILINE))]
        assert places == sorted(line for line, each in told.items() if each == word)
    ours, wanted = page.saved(), words_of(file)
    assert [line.split()[0] for line in ours] == [
        told.get(line, "unique") for line in range(2, 20_002)
    ]
    triples = zip(ours, wanted, lines[1:], strict=True)
    assert [triple for triple in triples if not alike(*triple)] == []


def test_a_collection_under_rules_packed_and_of_another_size(page, tmp_path):
    puzzles = satdoku.generate(40, "diagonal", size=6, seed=3)
    text = "".join("".join(map(str, p)) + "\n" for p in puzzles.tolist()) + "." * 36 + "\n"
    plain, packed = tmp_path / "six.txt", tmp_path / "six.txt.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    page.choose("Board", "6 × 6")
    page.tick("Diagonals")
    page.file(packed)
    assert page.summary().startswith("six.txt.gz: 41 puzzles: 40 unique, 1 multiple;")
    wanted = words_of(plain, "--rules", "diagonal")
    triples = zip(page.saved(), wanted, text.splitlines(), strict=True)
    assert all(alike(*triple, "diagonal") for triple in triples)


def test_a_file_that_is_no_gzip_is_told(page, tmp_path):
    broken = tmp_path / "broken.gz"
    broken.write_bytes(b"\x1f\x8b" + 100 * b"x")
    page.file(broken)
    page.wait(lambda: "broken.gz cannot be read" in page.text("#failed"))
    assert not page.text("#summary") and not page.find("#progress")[0].is_displayed()


def test_two_files_are_refused(page):
    two = DROP.replace("document.body", 'told.items.add(new File([], "b")); document.body')
    page.driver.execute_script(two, "")
    page.wait(lambda: "2 files: choose one" in page.text("#failed"))


def test_a_pasted_text_becomes_the_puzzle(page):
    """As `satdoku solve -f pretty` draws a grid."""
    rows = [" | ".join(HARD[i : i + 9][k : k + 3] for k in (0, 3, 6)) for i in range(0, 81, 9)]
    rows[3:3] = rows[7:7] = ["----+-----+----"]
    page.driver.execute_script(PASTE, "\n".join(rows))
    page.wait(lambda: page.grid == HARD)


def test_the_page_is_used_by_keys_alone(page):
    page.tab_to("row 1 column 1, empty")
    page.keys("5", Keys.RIGHT, "5")
    page.status("r1c1=5 and r1c2=5 clash")
    assert page.names[1] == "row 1 column 2, 5"
    page.keys(Keys.BACKSPACE, Keys.END, "4", Keys.PAGE_DOWN, "3")
    assert page.grid == "5" + 7 * "." + "4" + 71 * "." + "3"
    page.hold(Keys.CONTROL, "z")
    page.wait(lambda: page.grid == "5" + 7 * "." + "4" + 72 * ".")
    page.hold(Keys.CONTROL, "y")
    page.wait(lambda: page.grid[-1] == "3")
    page.status("More than one solution")
    page.tab_to("Candidates")
    page.keys(Keys.SPACE)
    page.wait(lambda: page.names[1].startswith("row 1 column 2, empty, candidates 1 2"))
    page.tab_to("Anti-knight cells a knight's move apart do not hold the same digit")
    page.keys(Keys.SPACE)
    page.wait(lambda: page.address["rules"] == "knight")
    page.tab_to("Drop a file here, or choose one")


def test_everything_has_a_name_for_screen_readers(page):
    assert page.nameless() == []
    assert len(page.names) == 81
    assert [each.get_attribute("role") for each in page.find("#status, #unread")] == [
        "status",
        "alert",
    ]
    rows = page.find("[role=grid] > [role=row]")
    assert len(rows) == 9


def test_a_finger_enters_digits_on_a_telephone(page):
    size = {"width": TELEPHONE[0], "height": TELEPHONE[1], "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.click(page.find("[role=gridcell]")[40])
        page.press("7")
        page.wait(lambda: page.grid == 40 * "." + "7" + 40 * ".")
        wide = page.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide == TELEPHONE[0]
        pad = [each.size for each in page.find(".digit-button")]
        assert min(min(each["width"], each["height"]) for each in pad) >= 40
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_puzzle_outlives_a_reload(page):
    page.puzzle(HARD, "diagonal")
    page.driver.refresh()
    page.wait(lambda: page.find("[data-ready=true]"))
    assert (page.grid, page.address["rules"]) == (HARD, "diagonal")
