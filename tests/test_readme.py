"""README and docs print what they show; a line that ends in `...` may go on in any way."""

import doctest
import os
import re
import shlex
import shutil
import string
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
PAGES = [
    page
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if (page := str(path.relative_to(ROOT))) != "docs/CLUES.md"  # it has tests of its own
]
APART = ["README.md", "docs/MIRACLE.md"]  # long ones, whose blocks need nothing of each other


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def session_of(block):
    """Pairs of a command and the lines it must print, stderr before stdout."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:]
    return [
        (command, text.splitlines()) for command, text in zip(parts[::2], parts[1::2], strict=True)
    ]


# A command of satdoku, and what the shell then does with what it prints, if anything.
OWN = re.compile(
    r"""satdoku\ ((?:[^'"$*;&<>|()\\] | '[^']*' | "[^"$]*")*) (?:(?<!\ 2)([|>].*))?""", re.VERBOSE
)


def by_shell(command, text=None):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    told = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", command], env=told, capture_output=True, text=True, input=text
    )
    return done.stderr + done.stdout


@pytest.fixture
def printed(run, place, monkeypatch):
    """The lines that a command prints; the shell only does what is not satdoku's part."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", os.path.dirname(Z3), prepend=os.pathsep)

    def lines(command):
        if not (own := OWN.fullmatch(command)):
            return by_shell(command).splitlines()
        _, out, err = run(*shlex.split(own[1]))
        return (err + (by_shell(f"cat {own[2]}", out) if own[2] else out)).splitlines()

    return lines


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "puzzles", place / "puzzles")
    for page in PAGES:  # a block that begins with the name of a file is that file
        for code in blocks(page, "python"):
            if name := re.match(r"# (\w+\.py)\n", code):
                (place / name[1]).write_text(code)
    return place


# Blocks of a page of docs/ go on with files of blocks before them: they run as one, on one worker.
CONSOLES = [
    pytest.param(block, id=f"{page}: {block.splitlines()[0][2:60]}")
    for page in PAGES
    for block in (
        blocks(page, "console")
        if page in APART
        else filter(None, ["".join(blocks(page, "console"))])
    )
]


@pytest.mark.parametrize("block", CONSOLES)
def test_the_pages_print_what_they_show(block, printed):
    for command, expected in session_of(block):
        lines = printed(command)
        assert len(lines) == len(expected), (command, lines)
        for line, wanted in zip(lines, expected, strict=True):
            start = wanted.removesuffix("...")
            assert line == wanted or (start != wanted and line.startswith(start)), command


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_command_has_a_page_with_an_example(name):
    page = f"docs/commands/{name}.md"
    assert (ROOT / page).exists(), f"{page}: what the command does, and an example with its output"
    examples = "".join([*blocks(page, "console"), *blocks(page, "sh")])
    assert re.search(rf"\bsatdoku {name}\b", examples)
    assert f"({name}.md)" in (ROOT / "docs" / "commands" / "README.md").read_text()


def test_the_readme_has_its_two_commands_and_is_short():
    for name in ("main", "tests"):
        assert re.search(rf"<!-- {name} -->\n```sh\n\S.*\n```", README)
    assert len(README.splitlines()) <= 200


# Pictures that pages show, less those drawn by hand, and the commands that pages name for them.
SHOWN = {
    Path(source).name: (ROOT / page).parent / source
    for page in PAGES
    for source in re.findall(r'<img src="([^"]+\.svg)"', (ROOT / page).read_text())
    if not Path(source).name.startswith("how-")
}
DRAWING = {
    name: command
    for page in PAGES
    for command, name in re.findall(r"`(satdoku [^`]* -o (\S+)\.svg)`", (ROOT / page).read_text())
    if "PUZZLE" not in command
}


@pytest.mark.parametrize("name", DRAWING)
def test_the_pictures_are_those_of_their_commands(name, place, printed):
    """What a page shows is, byte for byte, what the commands draw that a page names."""
    printed(DRAWING[name])
    drawn = {path.name: path for path in place.glob(f"{name.removesuffix('{n}')}*.svg")}
    shown = drawn.keys() & SHOWN.keys()
    assert shown
    for picture in shown:
        assert drawn[picture].read_bytes() == SHOWN[picture].read_bytes(), picture


def test_every_picture_has_its_command():
    starts = tuple(name.removesuffix("{n}") for name in DRAWING)
    assert [name for name in SHOWN if not name.startswith(starts)] == []


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "```pycon" in (ROOT / page).read_text()],
)
def test_the_python_examples_print_what_they_show(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    code = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    assert len(test.examples) >= 4
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))


def test_the_example_with_an_executor_runs(place, monkeypatch):
    code = blocks("docs/CLUSTER.md", "python")[0]
    monkeypatch.chdir(place)
    shutil.copy("puzzles/generated-1000.txt", "big.csv.zst")  # told by its content
    with ThreadPoolExecutor(2) as executor:
        names = {"executor": executor}
        exec(code, names)
    assert names["result"].statuses.tolist() == [1] * 1000


ENGINES = {  # the library of each further block of the page, and how its rows are read
    "polars": lambda made: made["frame"].rows(),
    "duckdb": lambda made: made["rows"],
    "ray": lambda made: [tuple(row.values()) for row in made["by_ray"].take_all()],
    "pyspark": lambda made: [tuple(row) for row in made["by_spark"].collect()],
}


@pytest.mark.parametrize("library", ENGINES)
def test_the_lines_for_other_engines_run_with_them(library, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    made = {library: pytest.importorskip(library), "satdoku": satdoku}
    made["pyarrow"] = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.compute")
    monkeypatch.chdir(tmp_path)
    puzzles = ["".join(map(str, row)) for row in satdoku.generate(20, seed=1).tolist()]
    parquet.write_table(made["pyarrow"].table({"puzzle": puzzles}), "puzzles.parquet")
    _, by_polars, by_arrow, by_many = blocks("docs/CLUSTER.md", "python")
    if library in ("polars", "duckdb"):
        exec(by_polars if library == "polars" else by_arrow, made)
    else:
        _open_engine(library, made, monkeypatch)
        exec(by_arrow[: by_arrow.index("duckdb.")], made)
        code, spark = by_many.split("by_spark = ")
        functions, ray = code.split("by_ray = ")
        chosen = f"by_ray = {ray}" if library == "ray" else f"by_spark = {spark}"
        exec(functions + chosen, made)
    solved = satdoku.solve_batch(puzzles).as_frame("pyarrow")["solution"].to_pylist()
    assert ENGINES[library](made) == list(zip(puzzles, solved, strict=True))
    if library == "duckdb":
        assert made["column"].to_pylist() == solved


def _open_engine(library, made, monkeypatch):
    """Ray or Spark on this machine."""
    if library == "ray":
        pytest.importorskip("ray.data")
        made["ray"].init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
        return
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    session = pytest.importorskip("pyspark.sql").SparkSession
    made["spark"] = session.builder.master("local[2]").getOrCreate()


@pytest.mark.parametrize("library", ["gymnasium", "verifiers", "reasoning_gym", "torch"])
def test_the_lines_for_other_libraries_run_with_them(library, monkeypatch):
    installed = pytest.importorskip(library)
    like_theirs, for_verifiers, for_gymnasium, for_torch = blocks("docs/LEARNING.md", "python")
    made = {"satdoku": satdoku, library: installed, "ask": lambda question: question}
    made["string"] = string
    if library == "gymnasium":
        checker = pytest.importorskip("gymnasium.utils.env_checker")
        exec(for_gymnasium, made)
        checker.check_env(made["environment"], skip_render_check=True)
        assert made["reward"] == 0
    elif library == "verifiers":
        if not hasattr(installed, "SingleTurnEnv"):
            pytest.skip("this version of verifiers has no SingleTurnEnv")
        made["datasets"] = pytest.importorskip("datasets")
        exec(for_verifiers, made)
        answers = [{"content": made["rows"][0]["answer"]}]
        assert made["score"](answers, made["rows"][0]["info"]) == 1
    elif library == "torch":
        monkeypatch.chdir(ROOT)
        exec(for_torch, made)
        batches = list(made["loader"])
        assert sum(len(puzzles) for puzzles, _ in batches) == 1000
        for puzzles, classes in batches:
            assert (classes[puzzles > 0] == puzzles[puzzles > 0] - 1).all()
            assert classes.min() >= 0 and classes.max() == 8
    else:
        exec(like_theirs, made)
        theirs = installed.create_dataset("mini_sudoku", size=2, seed=1)
        assert theirs[0].keys() == made["data"][0].keys()
        assert theirs.score_answer(theirs[0]["answer"], theirs[0]) == 1
        assert made["data"].score_answer(made["data"][0]["answer"], made["data"][0]) == 1


def test_the_lines_for_other_libraries_run(monkeypatch):
    """With stand-ins for the libraries: what counts is how satdoku is called."""
    items = satdoku.tasks(3, seed=1, size=4)
    public = {name: getattr(satdoku, name) for name in satdoku.__all__}
    made = {"satdoku": SimpleNamespace(**{**public, "tasks": lambda *_, **__: items})}
    made["string"] = string
    made["ask"] = lambda question: next(i["answer"] for i in items if i["question"] == question)
    made["gymnasium"] = SimpleNamespace(
        Env=object, spaces=SimpleNamespace(Text=lambda *_, **__: str)
    )
    made["datasets"] = SimpleNamespace(Dataset=SimpleNamespace(from_list=list))
    data = SimpleNamespace(IterableDataset=object, DataLoader=lambda rows, **_: rows)
    made["torch"] = SimpleNamespace(utils=SimpleNamespace(data=data))
    made["verifiers"] = SimpleNamespace(SingleTurnEnv=SimpleNamespace, Rubric=SimpleNamespace)
    for code in blocks("docs/LEARNING.md", "python"):
        exec(code, made)
    assert made["reward"] == 1 and made["terminated"]
    rows = [{"content": items[0]["answer"]}]
    assert made["score"](rows, items[0]["metadata"]) == 1


def test_every_file_that_a_page_names_is_there():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]
    named = r"\b(?:satdoku|tests|bench|docs|puzzles)/[\w/.-]*\.(?:py|md|c|h|txt|svg)\b"
    recipes = {"satdoku/files/sudokuwiki.py", "satdoku/cnf/encodings/split.py",
               "satdoku/crosscheck/backends/dpll.py",
               "satdoku/cli/commands/givens.py"}  # fmt: skip
    for page in pages:
        for file in set(re.findall(named, page.read_text())) - recipes:
            assert (ROOT / file).exists(), (page.name, file)
