"""README and docs print what they show; a line that ends in `...` may go on in any way."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from programs import Z3

import satdoku
from satdoku.cli.commands import SUMMARIES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DRAWN = ["README.md", "docs/TOUR.md", "docs/MIRACLE.md", "docs/RATINGS.md"]
PAGES = [*DRAWN, "docs/PUZZLE_JSON.md", "docs/LEARNING.md", "docs/DATASETS.md", "docs/LARGE.md"]
PAGES += ["docs/SOLVERS.md"]


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def session_of(block):
    """Pairs of a command and the lines it must print, stderr before stdout."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return [
        (command, text.splitlines()) for command, text in zip(parts[::2], parts[1::2], strict=True)
    ]


def own_words(command):
    """The words of a command that is satdoku alone; none if the shell has a part in it."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    first, *words = lexer
    by_shell = "$" in command or any(set(word) <= set("();<>|&") for word in words)
    return [] if first != "satdoku" or by_shell else words


def by_shell(command):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    told = {**os.environ, "PATH": path}
    done = subprocess.run(["bash", "-c", command], env=told, capture_output=True, text=True)
    return done.stderr + done.stdout


@pytest.fixture
def printed(run, place, monkeypatch):
    """The lines that a command prints; it starts processes only if it is more than satdoku."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", os.path.dirname(Z3), prepend=os.pathsep)

    def lines(command):
        if words := own_words(command):
            _, out, err = run(*words)
            return (err + out).splitlines()
        return by_shell(command).splitlines()

    return lines


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "puzzles", place / "puzzles")
    return place


# Pages whose blocks go on with files of blocks before them: run as one, on one worker.
WHOLE = ["docs/DATASETS.md", "docs/LARGE.md", "docs/LEARNING.md", "docs/SOLVERS.md"]
CONSOLES = [
    pytest.param(block, id=f"{Path(page).stem}: {block.splitlines()[0][2:60]}")
    for page in PAGES
    for block in (["".join(blocks(page, "console"))] if page in WHOLE else blocks(page, "console"))
]


@pytest.mark.parametrize("block", CONSOLES)
def test_the_pages_print_what_they_show(block, printed):
    for command, expected in session_of(block):
        lines = printed(command)
        assert len(lines) == len(expected), (command, lines)
        for line, wanted in zip(lines, expected, strict=True):
            start = wanted.removesuffix("...")
            assert line == wanted or (start != wanted and line.startswith(start)), command


def test_every_console_block_is_run():
    numbers = {page: len(blocks(page, "console")) for page in PAGES}
    assert numbers["README.md"] == 6
    assert numbers["docs/MIRACLE.md"] == 7
    assert numbers["docs/TOUR.md"] >= 13
    for page in {*(ROOT / "docs").glob("*.md")} - {ROOT / "docs" / "CLUES.md"}:  # its own tests
        assert f"docs/{page.name}" in PAGES or "```console" not in page.read_text()


def test_the_tour_shows_every_command():
    tour = (ROOT / "docs" / "TOUR.md").read_text()
    examples = "".join(re.findall(r"```(?:console|sh)\n(.*?)```", tour, re.DOTALL))
    assert {name for name in SUMMARIES if f"satdoku {name}" not in examples} == set()


def test_the_readme_has_its_two_commands_and_is_short():
    for name in ("main", "tests"):
        assert re.search(rf"<!-- {name} -->\n```sh\n\S.*\n```", README)
    assert len(README.splitlines()) <= 200


@pytest.mark.parametrize("page", DRAWN)
def test_the_pictures_are_those_of_their_commands(page, place, printed):
    """What a page shows is, byte for byte, what the commands draw that it names."""
    text = (ROOT / page).read_text()
    for command in re.findall(r"`(satdoku [^`]* -o \S+\.svg)`", text):
        printed(command)
    shown = re.findall(r'<img src="([^"]+\.svg)"', text)
    assert shown
    for source in shown:
        drawn = place / Path(source).name
        assert drawn.read_bytes() == ((ROOT / page).parent / source).read_bytes()


@pytest.mark.parametrize(
    "page",
    ["README.md", "docs/TOUR.md", "docs/LEARNING.md", "docs/PYTHON.md", "docs/DATASETS.md"],
)
def test_the_python_examples_print_what_they_show(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    assert len(test.examples) >= 5
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))


def test_the_example_with_an_executor_runs(place, monkeypatch):
    (code,) = blocks("docs/CLUSTER.md", "python")
    monkeypatch.chdir(place)
    shutil.copy("puzzles/generated-1000.txt", "big.csv.zst")  # told by its content
    with ThreadPoolExecutor(2) as executor:
        names = {"executor": executor}
        exec(code, names)
    assert names["result"].statuses.tolist() == [1] * 1000


def test_the_lines_for_other_libraries_run(monkeypatch):
    """With stand-ins for the libraries: what counts is how satdoku is called."""
    items = satdoku.tasks(3, seed=1, size=4)
    made = {"satdoku": SimpleNamespace(**{**vars(satdoku), "tasks": lambda *_, **__: items})}
    made["satdoku"].Episodes, made["satdoku"].check_answer = satdoku.Episodes, satdoku.check_answer
    made["ask"] = lambda question: next(i["answer"] for i in items if i["question"] == question)
    made["gymnasium"] = SimpleNamespace(Env=object, spaces=SimpleNamespace(Text=int))
    made["datasets"] = SimpleNamespace(Dataset=SimpleNamespace(from_list=list))
    made["verifiers"] = SimpleNamespace(SingleTurnEnv=SimpleNamespace, Rubric=SimpleNamespace)
    for code in blocks("docs/LEARNING.md", "python"):
        exec(code, made)
    assert made["reward"] == 1 and made["terminated"]
    rows = [{"content": items[0]["answer"]}]
    assert made["score"](rows, items[0]["metadata"]) == 1


def links(page):
    """The targets of a page's links and pictures within the repository, less their anchors."""
    found = re.findall(r'\]\(([^)]+)\)|src="([^"]+)"', page.read_text())
    targets = ("".join(pair).partition("#")[0] for pair in found)
    return {target for target in targets if target and "://" not in target}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "bench"])
def test_no_link_is_broken(page):
    start = ROOT / page
    for page in [start] if start.is_file() else start.glob("*.md"):
        for target in links(page):
            assert (page.parent / target).exists(), (page.name, target)


def test_every_file_that_a_page_names_is_there():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md")]
    named = r"\b(?:satdoku|tests|bench|docs|puzzles)/[\w/.-]*\.(?:py|md|c|h|txt|svg)\b"
    recipes = {"satdoku/cnf/encodings/split.py", "satdoku/crosscheck/backends/dpll.py",
               "satdoku/cli/commands/givens.py"}  # fmt: skip
    for page in pages:
        for file in set(re.findall(named, page.read_text())) - recipes:
            assert (ROOT / file).exists(), (page.name, file)
