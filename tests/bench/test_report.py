import subprocess
import sys
from html.parser import HTMLParser
from math import prod
from xml.etree import ElementTree

import pytest
from bench_fakes import row

from satdoku.bench import report
from satdoku.bench.figures import Contestant, duels
from satdoku.bench.plots import (
    curves,
    load_matplotlib,
    scatter,
    write_plots,
)
from satdoku.bench.report import write_report
from satdoku.bench.results import ResultsError

pytest.importorskip("matplotlib")
EVIL = "<script>alert('|x|')</script> & \"quoted\""


@pytest.fixture
def rows():
    some = []
    for number in range(6):
        for backend, encoding, kind, pace in (
            ("cadical153", "extended", "boolean", 0.01),
            ("cadical153", "log", "integer", 0.3),
            ("z3-bool", "-", "boolean", 1.0),
            ("z3-enum", "-", "integer", 0.1),
        ):
            seconds = pace * 2**number
            late = seconds > 10
            some.append(
                row(instance=f"i{number}", backend=backend, encoding=encoding, kind=kind,
                    build_s=0.001, solve_s=None if late else seconds,
                    status="timeout" if late else "solved")
            )  # fmt: skip
    return some


@pytest.fixture
def unpictured(monkeypatch):
    """Reports without pictures, which take most of their time."""
    monkeypatch.setattr(report, "write_plots", lambda rows, duels, folder: [])


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
    assert "| cadical153 extended | boolean | 6/6 | 0.001 |" in text
    assert "| z3-bool | boolean | 4/6 |" in text
    assert "24 measurements, 22 answered, 0 wrong" in text
    factor = next(line for line in text.splitlines() if line.startswith("| t | oneshot | cadical"))
    cells = [cell.strip() for cell in factor.strip("|").split("|")]
    by_hand = prod((0.001 + 0.3 * 2**i) / (0.001 + 0.01 * 2**i) for i in range(6)) ** (1 / 6)
    assert cells[3] == f"{by_hand:.1f}"
    assert cells[4:] == ["30", "6", "0", "0", "0"]


def test_the_page_stands_alone_and_every_word_is_escaped(rows, tmp_path):
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
    assert "5/6, 1 WRONG" in text


def test_an_incomplete_run_says_so(rows, tmp_path, unpictured):
    write_report(rows, tmp_path)
    assert "NOT COMPLETE" not in (tmp_path / "report.md").read_text()
    write_report(rows[1:], tmp_path)
    assert "NOT COMPLETE, so do not compare contestants" in (tmp_path / "report.md").read_text()


def test_tasks_and_modes_stand_in_the_labs_order_whatever_the_rows(rows, tmp_path, unpictured):
    some = [r._replace(task=t) for r in rows for t in ("mine.txt", "holes-16", "classic")]
    some += [r._replace(mode="uniqueness", status="unique") for r in some if r.answered]
    write_report(some[::-1], tmp_path)
    titles = [
        line.removeprefix("## ")
        for line in (tmp_path / "report.md").read_text().splitlines()
        if line.startswith("## ")
    ]
    assert titles[1:] == [
        f"{task}, {mode}"
        for task in ("classic", "holes-16", "mine.txt")
        for mode in ("oneshot", "uniqueness")
    ]


def test_the_same_rows_give_the_same_bytes(rows, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_report(rows, tmp_path / name)
    for path in (tmp_path / "a").glob("*.[hms]*"):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_a_curve_is_sorted_and_holds_only_answers(rows):
    lines = dict(curves([*rows, rows[0]._replace(status="wrong", solve_s=0.0001)]))
    assert len(lines[Contestant("cadical153", "extended")]) == 6
    slow = lines[Contestant("z3-bool", "-")]
    assert slow == pytest.approx([1.001, 2.001, 4.001, 8.001])
    assert next(iter(lines)) == Contestant("cadical153", "extended")


def test_axes_are_logarithmic_and_hold_every_point(rows):
    axes = scatter(load_matplotlib(), duels(rows)).axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    points = [tuple(p) for c in axes.collections for p in c.get_offsets()]
    assert len(points) == 12
    low, high = axes.get_xlim()
    assert all(low < value < high for point in points for value in point)
    assert "10" in {t.get_text() for t in axes.get_xticklabels()}


def test_few_answers_are_no_cactus(rows, tmp_path):
    assert write_plots(rows[:8], [], tmp_path) == []
    assert [path.name for path in write_plots(rows[:12], [], tmp_path)] == ["cactus-oneshot.svg"]


def test_without_an_integer_there_is_no_scatter(rows, tmp_path):
    booleans = [r for r in rows if r.kind == "boolean"]
    assert [p.name for p in write_plots(booleans, duels(booleans), tmp_path)] == [
        "cactus-oneshot.svg"
    ]


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
