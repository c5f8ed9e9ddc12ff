import re
import subprocess
import sys
from html.parser import HTMLParser
from math import prod
from xml.etree import ElementTree

import pytest
from bench_fakes import ladder

from satdoku.bench import plots, report
from satdoku.bench.figures import Contestant
from satdoku.bench.report import verdicts, write_report
from satdoku.bench.results import ResultsError

pytest.importorskip("matplotlib")
EVIL = "<script>alert('|x|')</script> & \"quoted\""


@pytest.fixture
def rows():
    return ladder()


@pytest.fixture
def unpictured(monkeypatch):
    """Reports without pictures, which take most of their time."""
    monkeypatch.setattr(report, "write_plots", lambda rows, duels, folder: [])


@pytest.fixture
def vectors_only(monkeypatch):
    """Pictures as SVG alone, in half the time."""
    monkeypatch.setattr(plots, "FORMATS", ("svg",))


class Page(HTMLParser):
    """What a browser would see: tags, words, and the addresses it would load."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.loads = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href")]

    def handle_data(self, data):
        self.words.append(data)


def test_the_report_is_written_with_tables_and_pictures(rows, tmp_path):
    markdown, page = write_report(rows, tmp_path)
    assert (markdown.name, page.name) == ("report.md", "report.html")
    for stem in ("cactus-oneshot", "boolean-integer"):
        assert (tmp_path / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
        ElementTree.parse(tmp_path / f"{stem}.svg")
    text = markdown.read_text()
    assert "| cadical153 extended | boolean | 12/12 | 0.001 |" in text
    assert "| z3-bool | boolean | 7/12 |" in text
    assert "48 measurements, 43 answered, 0 wrong" in text
    assert "| t | made | 12 |" in text
    line = next(line for line in text.splitlines() if line.startswith("| t | oneshot | cadical"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    by_hand = prod((0.001 + 0.2 * 1.4**i) / (0.001 + 0.01 * 1.4**i) for i in range(12))
    assert cells[3:7] == ["total", "cadical153 extended", "cadical153 log", "booleans"]
    assert cells[7].startswith(f"{by_hand ** (1 / 12):.1f} [")
    assert cells[8:] == ["12", "0", "0", "0"]


def test_a_comparison_in_words_names_the_quicker_or_says_why_not(rows):
    z3, few = (
        verdicts([r for r in some if r.backend.startswith("z3")]) for some in (rows, rows[:36])
    )
    assert z3[0].startswith(
        "t, oneshot, z3, total: integers are quicker: z3-bool takes 9.84 times as long as z3-enum ("
    )
    assert re.search(r"\(95 % interval [0-9.]+ to [0-9.]+\)$", z3[0])
    assert few[0] == "t, oneshot, z3, total: too few instances (9 instances)"


def test_a_quick_look_at_few_instances_says_nothing_that_a_long_one_denies(
    rows, tmp_path, unpictured
):
    write_report(rows[:4], tmp_path)
    text = (tmp_path / "report.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| t | oneshot |")]
    assert len(lines) == 4  # two libraries, two measures
    assert all("| too few instances | too few instances | 1 |" in line for line in lines)


def test_the_page_stands_alone_and_every_word_is_escaped(rows, tmp_path, vectors_only):
    evil = [r._replace(task=EVIL, note=EVIL, cpu=EVIL, status="wrong") for r in rows[:1]]
    evil += [r._replace(backend=EVIL + "$\\frac$") for r in rows[:2]]
    _, path = write_report([*rows, *evil], tmp_path)
    page = Page(path.read_text())
    assert "script" not in page.tags
    assert any(EVIL in words for words in page.words)
    assert page.loads
    assert all(address.startswith("data:image/svg+xml;base64,") for address in page.loads)
    lines = (tmp_path / "report.md").read_text().splitlines()
    assert not any("<script" in line for line in lines if line.startswith(("|", "#")))


def test_wrong_answers_come_first_and_loud(rows, tmp_path, unpictured):
    rows[3] = rows[3]._replace(status="wrong", note="it is no solution")
    write_report(rows, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert text.index("WRONG ANSWERS: 1") < text.index("Boolean against integer")
    assert "11/12, 1 WRONG" in text


def test_a_report_may_be_versus_a_contestant(rows, tmp_path, unpictured):
    write_report(rows, tmp_path, Contestant.of("z3-enum"))
    text = (tmp_path / "report.md").read_text()
    assert "x: times the seconds of z3-enum." in text
    assert "| z3-enum | integer | 12/12 |" in text
    with pytest.raises(
        ResultsError, match=r"no measurement of glucose4: choose from .*z3-bool, z3"
    ):
        write_report(rows, tmp_path, Contestant.of("glucose4"))


def test_a_phase_diagram_has_one_table_with_factors(rows, tmp_path, unpictured):
    some = [r._replace(task="phase-16-60") for r in rows]
    write_report(some, tmp_path, Contestant.of("cadical153/extended"))
    lines = (tmp_path / "report.md").read_text().splitlines()
    assert "## phase-16-60, oneshot" not in lines
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if "16x16" in line]
    factors = {contestant: x for contestant, *_, x in cells}
    assert factors["cadical153 extended"] == "1"
    assert factors["cadical153 log"].startswith("20 [20")


def test_an_incomplete_run_says_so(rows, tmp_path, unpictured):
    write_report(rows, tmp_path)
    assert "NOT COMPLETE" not in (tmp_path / "report.md").read_text()
    write_report(rows[1:], tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "NOT COMPLETE: t, oneshot has 12 measurements of each contestant, but not of" in text
    assert "cadical153 extended (11)" in text


def test_tasks_and_modes_stand_in_the_labs_order_whatever_the_rows(rows, tmp_path, unpictured):
    some = [r._replace(task=t) for r in rows for t in ("mine.txt", "holes-16", "classic")]
    some += [r._replace(mode="uniqueness", status="unique") for r in some if r.answered]
    write_report(some[::-1], tmp_path)
    titles = [
        line.removeprefix("## ")
        for line in (tmp_path / "report.md").read_text().splitlines()
        if line.startswith("## ")
    ]
    assert titles[2:] == [
        f"{task}, {mode}"
        for task in ("classic", "holes-16", "mine.txt")
        for mode in ("oneshot", "uniqueness")
    ]


def test_the_same_rows_give_the_same_bytes(rows, tmp_path, vectors_only):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_report(rows, tmp_path / name)
    for path in (tmp_path / "a").glob("*.[hms]*"):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_nothing_measured_is_nothing_to_report(tmp_path):
    with pytest.raises(ResultsError, match="no measurement"):
        write_report([], tmp_path)


def test_without_matplotlib_the_extra_is_named():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from satdoku.bench.plots import PlotError, load_matplotlib\n"
        "try: load_matplotlib()\n"
        "except PlotError as error: assert \"pip install 'satdoku[bench]'\" in str(error)\n"
        "else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
