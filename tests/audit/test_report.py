"""The report of an audit: its text, plots to scale, and no text that becomes markup."""

import copy
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.audit.report import ADVICE, ReportError, facts, report_page, report_text
from satdoku.audit.report.page import effort_plots, givens_plots, ratings_plots, require_matplotlib

GROUP = "digits, bands, stacks, rows, columns, transposition"
HOSTILE = "</td><script>alert('x')</script>\"'&amp;\x00\x1b[31m\r\n\u202e\udcff$a$"


def a_file(path, rows, **changed):
    """A file without problems."""
    sound = {
        "path": path,
        "rows": rows,
        "sound": rows,
        "statuses": {"unique": rows},
        "answers": {"stated": rows, "right": rows},
        "duplicates": {},
        "grids": {},
        "givens": {"24": rows - rows // 4, "30": rows // 4},
        "effort": {"1": rows - rows // 10, "4": rows // 10},
        "ratings": {},
        "findings": [],
    }
    return {**sound, **changed}


def a_report(*files, leaks=(), grid_leaks=(), sound=False, symmetry=GROUP):
    return {
        "satdoku": "0.1.0",
        "rules": "classic",
        "seconds": 12.34,
        "sound": sound,
        "symmetry": symmetry,
        "files": list(files),
        "leaks": list(leaks),
        "grid_leaks": list(grid_leaks),
    }


def an_example(line=13, **changed):
    return {"line": line, "id": None, "detail": "found 80 cells, expected 81 cells", **changed}


SOUND = a_report(a_file("train.csv", 1_000_000), a_file("test.csv", 10_000), sound=True)
TRAIN = a_file(
    "data/train.csv",
    1_000_000,
    statuses={"unique": 999_990, "multiple": 5, "none": 2, "invalid": 3},
    answers={"stated": 900_000, "right": 899_989, "wrong": 6, "givens changed": 4, "unreadable": 1},
    duplicates={"exact": 30, "symmetric": 17},
    findings=[
        {"kind": "malformed row", "count": 1_234, "examples": [an_example(id="p-13")]},
        {"kind": "no solution", "count": 2, "examples": [an_example(1_000), an_example(2_000)]},
    ],
)
LEAK = {
    "from": "data/train.csv",
    "into": "data/test.csv",
    "exact": 2,
    "symmetric": 10,
    "examples": [{"line": 7, "id": None, "other_line": 9_913, "detail": "exact"}],
}
PROBLEMS = a_report(TRAIN, a_file("data/test.csv", 10_000), leaks=[LEAK])


class Page(HTMLParser):
    """A parsed page; asserts that every element is closed in the right place."""

    VOID = ("meta", "wbr")

    def __init__(self, source):
        super().__init__()
        self.source, self.open, self.tags, self.attributes = source, [], [], []
        self.texts, self.tables = [], []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        elif tag in ("small", "path", "use", "rect"):
            self.handle_data(" ")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)
        if self.open and {"td", "th"} & {*self.open}:
            self.tables[-1][-1][-1] += data

    @property
    def text(self):
        return "".join(self.texts)

    def of(self, attribute):
        return [value for name, value in self.attributes if name == attribute]


@pytest.fixture(scope="module")
def sound_page():
    return Page(report_page(SOUND))


@pytest.fixture(scope="module")
def problem_page():
    return Page(report_page(PROBLEMS))


# What it says


def test_sound_report_says_what_is_well(sound_page):
    for text in (sound_page.text, report_text(SOUND)):
        assert text.index("Sound") < text.index("Every row holds a well-formed puzzle")
        assert "All 1,010,000 stated answers are right." in text
        assert "No row repeats another of its file, exactly or up to symmetry." in text
        assert "No file holds a row of another, exactly or up to symmetry." in text
        assert "1,010,000 rows in 2 files: 1,010,000 read, 0 unreadable; " in text
        assert "; 1,010,000 sound, 0 with faults; rules: classic; 12.3 s; satdoku 0.1.0; " in text
        assert GROUP in text
    assert "What to do" not in sound_page.text and "Leakage" not in sound_page.text


SAID = [
    "In another file too: 12 of 10,000 rows in test.csv, shared with train.csv "
    "(0.12 %, 2 exact, 10 up to symmetry)",
    "More than one solution: 5 of 1,000,000 rows in train.csv (0.0005 %)",
    "No solution: 2 of 1,000,000 rows in train.csv (0.0002 %)",
    "Malformed, or givens clash: 3 of 1,000,000 rows in train.csv (0.0003 %)",
    "Stated answer is wrong: 6 of 900,000 answers in train.csv (0.00067 %)",
    "Answer changes givens: 4 of 900,000 answers in train.csv (0.00044 %)",
    "Stated answer is unreadable: 1 of 900,000 answers in train.csv (0.00011 %)",
    "Repeats an earlier row exactly: 30 of 1,000,000 rows in train.csv (0.003 %)",
    "Repeats an earlier row up to symmetry: 17 of 1,000,000 rows in train.csv (0.0017 %)",
]


def test_every_problem_is_named_with_its_count_and_file_before_the_tables(problem_page):
    page = problem_page.text.replace("\xa0", " ")
    for text in (page, report_text(PROBLEMS)):
        places = [text.index(said) for said in SAID]
        assert places == sorted(places) and places[0] > text.index("Not sound: 9 kinds of problem")
    assert page.index(SAID[-1]) < page.index("Files")
    for bold in ("12", "5", "2", "3", "6", "4", "1", "30", "17"):
        assert f"<b>{bold}</b> of " in problem_page.source
    assert not any(praise in page for praise in ("Every row", "No row", "No file", "All "))


def test_table_of_files(problem_page):
    heads, columns, train, test = problem_page.tables[0]
    assert heads[3:] == ["solutions", "answers", "duplicates"]
    named = dict(zip(columns, train, strict=True))
    assert named == {
        "file": "train.csv data/train.csv",
        "rows": "1,000,000", "sound": "1,000,000", "unique": "999,990",
        "multiple": "5 0.0005 %", "none": "2 0.0002 %", "invalid": "3 0.0003 %",
        "stated": "900,000", "right": "899,989", "wrong": "6 0.00067 %",
        "givens changed": "4 0.00044 %", "unreadable": "1 0.00011 %",
        "exact": "30 0.003 %", "symmetric": "17 0.0017 %",
    }  # fmt: skip
    assert test[:7] == ["test.csv data/test.csv", "10,000", "10,000", "10,000", "0", "0", "0"]


def test_leaks_and_examples(problem_page):
    _, leaks, leak_examples, malformed, unsolvable = problem_page.tables
    assert leaks[1] == ["test.csv", "train.csv", "2", "10", "0.12 %"]
    assert leak_examples == [["line", "same as line", "detail"], ["7", "9,913", "exact"]]
    assert malformed == [
        ["line", "id", "detail"],
        ["13", "p-13", "found 80 cells, expected 81 cells"],
    ]
    assert [row[0] for row in unsolvable[1:]] == ["1,000", "2,000"]
    assert "train.csv: 1,234 rows, 1 of them here; --rows OUT.csv lists all" in problem_page.text
    assert re.search(r"train\.csv: 2 rows(?!,)", problem_page.text)
    for kind in (facts.LEAKED, "malformed row", "no solution"):
        assert problem_page.text.count(ADVICE[kind]) == 1


def test_what_was_not_checked_is_not_praised():
    file = a_file("a.txt", 9, statuses={"unique": 5, "solved": 4}, answers={"stated": 0})
    report = a_report(file, sound=True, symmetry=None)
    text = report_text(report)
    assert "Every row holds a puzzle with a solution; not all were searched for" in text
    assert "No answers are stated." in text
    assert "No row repeats another of its file." in text and "No file" not in text
    assert "duplicates up to symmetry: not looked for" in text
    page = Page(report_page(report))
    named = dict(zip(page.tables[0][1], page.tables[0][2], strict=True))
    assert (named["right"], named["wrong"], named["symmetric"]) == ("–", "–", "–")
    assert (named["solved"], named["stated"], named["exact"]) == ("4", "0", "0")


GRIDS = {"known": 12, "distinct": 9, "classes": 8, "largest": 3, "line": 4}
GRID_LEAK = {**LEAK, "exact": 1, "symmetric": 0}


def test_solution_grids_that_are_shared_are_told():
    finding = {"kind": "repeated grid", "count": 4, "examples": [an_example()]}
    files = [a_file("a.csv", 12, grids=GRIDS, findings=[finding]), a_file("b.csv", 10, sound=9)]
    report = a_report(*files, grid_leaks=[{**GRID_LEAK, "from": "a.csv", "into": "b.csv"}])
    page = Page(report_page(report))
    for text in (report_text(report), page.text.replace("\xa0", " ")):
        told = "1 of 10 rows in b.csv, shared with a.csv (10 %)"
        assert f"Another puzzle of the same solution in another file: {told}" in text
        assert "Repeated grid: 4 of 12 rows in a.csv" in text
        assert "Solution grids of a.csv: 12 puzzles with 9 grids, 8 up to symmetry; " in text
        assert "the most frequent has 3 puzzles, the first in line 4." in text
        assert "22 rows in 2 files: 22 read, 0 unreadable; 21 sound, 1 with faults" in text
    assert "Leakage of solution grids" in page.text
    assert page.text.count(ADVICE[facts.GRID_LEAKED].replace("`", "")) == 1
    assert page.text.count("Another puzzle of the same solution in another file") == 2  # a heading


def test_solution_grids_that_differ_are_praised():
    grids = {**GRIDS, "distinct": 12, "classes": 12, "largest": 1}
    text = report_text(a_report(*(a_file(name, 12, grids=grids) for name in "ab"), sound=True))
    assert "No row repeats another of its file, or its solution grid, exactly or up to" in text
    assert "No file holds a row of another, or its solution grid, exactly or up to" in text
    assert "Solution grids of" not in text


def test_distributions_in_text_and_page():
    ratings = {"1.2": 5, "1.5": 5, "7.1": 1}
    rated = a_file("a.csv", 12, ratings=ratings, givens={"22": 1, "24": 8}, effort={"1": 9})
    lines = report_text(a_report(rated, a_file("b.csv", 4), sound=True)).splitlines()
    (at,) = (i for i, line in enumerate(lines) if line.startswith("file   givens"))
    assert lines[at].split() == ["file", "givens", "nodes", "ER"]
    assert " ".join(lines[at + 1].split()) == "a.csv 22 ▁ █ 24 1 █ 1 1.2 █ ▁ 7.1"
    assert lines[at + 2].endswith("-")
    page = report_page(a_report(rated, sound=True))
    assert "Givens, search effort and ratings" in page and "rating of the hardest step" in page
    shares = [height for *_, height in bars(ratings_plots([{12: 5, 15: 5, 71: 1}])[0])]
    assert [height / shares[0] for height in shares] == pytest.approx([1, 1, 0.2], abs=1e-3)


def test_bars_hide_nothing():
    assert facts.bars([0, 1, 1000, 2000]) == " ▁▄█"
    assert facts.bars([]) == ""


def test_findings_of_an_unknown_kind_are_problems_too():
    finding = {"kind": "moon in the wrong phase", "count": 7, "examples": [an_example()]}
    report = a_report(a_file("a.csv", 100, findings=[finding]))
    assert "Moon in the wrong phase: 7 of 100 rows in a.csv (7 %)" in report_text(report)
    assert facts.OTHER_ADVICE in Page(report_page(report)).text


def test_many_files_are_counted_not_listed():
    files = [a_file(f"{i}.csv", 10, statuses={"unique": 9, "none": 1}) for i in range(9)]
    lines = report_text(a_report(*files)).splitlines()
    assert "2.csv (10 %); and in 6 more" in lines[1]
    assert sum(line.split()[0] == f"{i}.csv" for i, line in enumerate(lines[-11:-2])) == 9


def test_text_fits_a_screen():
    everything = a_report(TRAIN, {**TRAIN, "path": "data/test.csv"}, leaks=[LEAK])
    for file in everything["files"]:
        file["statuses"] = {**file["statuses"], "unknown": 1, "solved": 1}
    assert len(report_text(everything).splitlines()) <= 25


def test_empty_reports():
    assert report_text(a_report(sound=True)).startswith("Sound\n")
    nothing = a_file("empty.csv", 0, statuses={}, answers={"stated": 0}, givens={}, effort={})
    page = Page(report_page(a_report(nothing)))
    assert "svg" not in page.tags and "Every row" not in page.text
    assert page.tables[0][2][:2] == ["empty.csv", "0"]


# Numbers and names


@given(st.integers(1, 10**12), st.data())
def test_percentages_do_not_round_to_none_or_all(whole, data):
    part = data.draw(st.integers(0, whole))
    text = facts.percent(part, whole)
    assert re.fullmatch(r"\d+(\.\d+)? %", text)
    assert (text == "0 %") == (part == 0) and (text == "100 %") == (part == whole)
    exact, shown = 100 * part / whole, float(text.removesuffix(" %"))
    assert abs(shown - exact) <= 0.0501 * min(exact, 100 - exact) + 1e-12


def test_percentages():
    cases = {(30, 10**6): "0.003 %", (1, 10**9): "0.0000001 %", (999_990, 10**6): "99.999 %"}
    cases |= {(1, 2): "50 %", (1, 3): "33 %", (1, 80): "1.2 %", (3, 0): "", (1, 1): "100 %"}
    assert {case: facts.percent(*case) for case in cases} == cases


@given(st.dictionaries(st.integers(0, 81), st.integers(1, 9), min_size=1))
def test_median(histogram):
    rows = [entry for entry, count in histogram.items() for _ in range(count)]
    assert facts.median(histogram) == statistics.median_low(rows)


def test_durations_and_ticks():
    seconds = {0.04: "0.0 s", 99.96: "100.0 s", 600: "10.0 min", 100_000: "27.8 h"}
    assert {s: facts.duration(s) for s in seconds} == seconds
    counts = {1: "1", 8192: "8,192", 65_536: "65 k", 10**6: "1 M", 10**9: "1 G"}
    assert {n: facts.compact(n) for n in counts} == counts


@given(st.lists(st.text(max_size=120), max_size=6))
def test_file_names_are_short_visible_and_different(paths):
    names = facts.file_names(a_report(*(a_file(path, 1) for path in paths)))
    assert len(set(names)) == len(names) == len(paths)
    assert all(len(name) <= facts.NAME_WIDTH + 3 and name.isprintable() for name in names)


def test_file_names_tell_equal_files_apart():
    def names(*paths):
        return facts.file_names(a_report(*(a_file(path, 1) for path in paths)))

    assert names("a/x.csv", "b/y.csv") == ["x.csv", "y.csv"]
    assert names("a/x.csv", "b/x.csv") == ["a/x.csv", "b/x.csv"]
    assert names("x.csv", "x.csv") == ["1: x.csv", "2: x.csv"]
    assert names("/x.csv", "/a/x.csv") == ["/x.csv", "a/x.csv"]
    assert names("-") == ["-"]


def test_a_file_given_twice_is_not_shared_with_itself():
    report = a_report(a_file("x.csv", 1), a_file("x.csv", 1))
    leak = {"from": "x.csv", "into": "x.csv"}
    assert facts.leak_names(leak, report, facts.file_names(report)) == ("1: x.csv", "2: x.csv")


# Text from the files is not trusted


def hostile(text):
    finding = {
        "kind": text,
        "count": 1,
        "examples": [an_example(id=text, detail=text), an_example(id="", detail="")],
    }
    leak = {**LEAK, "from": text, "into": "b" + text}
    leak["examples"] = [{**LEAK["examples"][0], "id": text, "detail": text}]
    quiet = {"givens": {}, "effort": {}}
    files = [a_file(text, 5, findings=[finding], **quiet), a_file("b" + text, 5, **quiet)]
    return a_report(*files, leaks=[leak])


@settings(max_examples=share(60), deadline=None)
@given(st.text(st.characters(), min_size=1, max_size=300))
def test_no_text_becomes_markup(text):
    assume(text not in ADVICE)  # a known kind of finding is reported elsewhere
    page = report_page(hostile(text))
    page.encode("utf-8")
    taken = Page(page)
    benign = Page(report_page(hostile("x/y")))
    allowed = [tag for tag in benign.tags if tag not in ("wbr", "small")]
    assert [tag for tag in taken.tags if tag not in ("wbr", "small")] == allowed
    assert all(c.isprintable() or c == "\n" for c in page.replace("\xa0", " "))
    assert all(line.isprintable() for line in report_text(hostile(text)).split("\n"))


def test_hostile_text_is_shown_as_it_is():
    page = Page(report_page(hostile(HOSTILE)))
    assert "script" not in page.tags
    shown = "</td><script>alert('x')</script>\"'&amp;\\x00\\x1b[31m\\r\\n\\u202e\\udcff$a$"
    assert any(shown in cell for table in page.tables for row in table for cell in row)
    assert "\x1b" not in report_text(hostile(HOSTILE))


def test_long_text_is_cut():
    page = report_page(hostile("ab/" * 4_000))
    assert len(page) < len(report_page(hostile("ab"))) + 10_000
    assert max(map(len, report_text(hostile("z" * 10_000)).splitlines())) < 200


def test_page_needs_nothing_from_elsewhere(problem_page):
    text = "html head meta title style body main section h1 h2 h3 p b ul li bdi div small wbr"
    tables, drawings = "table thead tbody tr th td details summary", "svg g defs path use text"
    allowed = f"{text} {tables} {drawings} clippath rect".split()
    assert {*problem_page.tags} <= {*allowed}
    names = {name for name, _ in problem_page.attributes}
    assert "src" not in names and not any(name.startswith("on") for name in names)
    assert all(target.startswith("#") for target in problem_page.of("xlink:href"))
    urls = re.findall(r"url\(([^)]*)\)", problem_page.source)
    assert urls and all(url.startswith("#") for url in urls)
    assert "@import" not in problem_page.source
    assert "prefers-color-scheme: dark" in problem_page.source


# The plots


def test_ids_are_unique_and_found(problem_page):
    ids = problem_page.of("id")
    assert len(set(ids)) == len(ids) > 20
    used = re.findall(r'(?:url\(|href=")#([^)"]*)', problem_page.source)
    assert len(used) > 20 and set(used) <= set(ids)


def bars(svg):
    """(left, width, height) of the bars in a plot, in drawing units."""
    number = r"(-?[\d.]+)"
    corners = rf'd="M {number} {number} \nL {number} {number} \nL {number} {number} '
    found = re.findall(rf'{corners}[^"]*"[^>]*fill: var\(--bar\)', svg)
    boxes = [[float(n) for n in box] for box in found]
    return [(x0, x1 - x0, y0 - y1) for x0, y0, x1, _, _, y1 in boxes]


def test_givens_are_drawn_to_scale_on_shared_axes():
    first, second = {17: 10, 20: 30, 23: 60}, {20: 1}
    one, other = (bars(svg) for svg in givens_plots([first, second]))
    assert [height / one[2][2] for _, _, height in one] == pytest.approx(
        [1 / 6, 1 / 2, 1], abs=1e-4
    )
    assert other[0][2] / one[2][2] == pytest.approx(100 / 60, abs=1e-4)
    assert other[0][0] == pytest.approx(one[1][0])
    assert one[1][0] - one[0][0] == pytest.approx(one[2][0] - one[1][0])


def test_effort_is_logarithmic_in_both_directions():
    first, second = {1: 10_000, 2: 100, 16: 1}, {16: 100}
    one, other = (bars(svg) for svg in effort_plots([first, second]))
    heights = [height for _, _, height in one]
    decade = math.log(10)
    rise = (heights[0] - heights[2]) / (4 * decade)
    assert heights[1] - heights[2] == pytest.approx(2 * decade * rise, abs=1e-3)
    assert heights[2] == pytest.approx(math.log(2) * rise, abs=1e-3)  # the axis starts at a half
    assert other[0][2] == pytest.approx(heights[1]) and other[0][0] == pytest.approx(one[2][0])
    steps = [right[0] - left[0] for left, right in itertools.pairwise(one)]
    assert steps[1] == pytest.approx(3 * steps[0], abs=1e-3)


@pytest.mark.parametrize("top", [0, 1, 7, 12, 20, 31])
def test_labels_of_the_effort_axis_do_not_overlap(top):
    svg = effort_plots([{(1 << k): 3 for k in range(top + 1)}])[0]
    found = re.findall(r'text-anchor: middle[^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)<', svg)
    bottom = [
        (float(x), len(text)) for x, y, text in found if text != "puzzles" and "(" not in text
    ]
    width = 5.8  # generous width of a character at this size
    for (left, m), (right, n) in itertools.pairwise(bottom):
        assert right - left > width * (m + n) / 2


def test_same_report_same_bytes_whatever_the_style_and_the_hash_seed():
    page = report_page(PROBLEMS)
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.linewidth": 5}):
        assert report_page(copy.deepcopy(PROBLEMS)) == page
        assert matplotlib.rcParams["font.size"] == 30
    code = "import json, sys, satdoku; print(satdoku.report_page(json.load(sys.stdin)), end='')"
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(PROBLEMS),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"},
    )
    assert run.stdout == page, run.stderr


def test_missing_matplotlib_is_named_and_the_text_needs_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (require_matplotlib, lambda: report_page(SOUND)):
        with pytest.raises(ReportError, match=r"pip install 'satdoku\[report\]'"):
            draw()
    assert report_text(SOUND).startswith("Sound")


def test_importing_the_report_costs_no_library():
    code = "import satdoku.audit.report, sys; print({'matplotlib', 'numpy'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
