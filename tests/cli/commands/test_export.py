"""The command `export`: what it writes, other commands and solvers read."""

import json
import random
import re
from contextlib import suppress
from functools import partial

import pytest
import z3
from examples import CLASSIC, CLASSIC_SOLUTION
from large_puzzles import UNIQUE
from node import kernel_needed

from satdoku import format_puzzle_json, parse_fpuzzles, parse_puzzle_json
from satdoku.cli import main
from satdoku.cnf.dimacs import parse_answer
from satdoku.cnf.encodings import ENCODINGS
from satdoku.engine import wasm
from satdoku.files.fpuzzles.links import load
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid
from satdoku.model.kinds import KINDS
from satdoku.model.kinds.drawing import random_clue
from satdoku.model.rules import RULES
from satdoku.witness.verify import violations


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_export_solve_and_decode(run, tmp_path, suffix):
    cnf, answer = tmp_path / f"p.cnf{suffix}", tmp_path / "answer"
    assert run("export", CLASSIC, "-o", cnf) == (0, "", "")
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, _ = run("solve", "--dimacs-output", cnf)
    assert code == 10
    answer.write_text(out)
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC], []):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("name", ENCODINGS)
def test_export_solve_and_decode_in_every_encoding(run, tmp_path, name):
    cnf, answer = tmp_path / "p.cnf", tmp_path / "answer"
    assert run("export", CLASSIC, "--encoding", name, "-o", cnf) == (0, "", "")
    assert f"c satdoku-encoding {name}\n" in cnf.read_text()
    assert run("solve", cnf) == (0, CLASSIC_SOLUTION + "\n", "")
    answer.write_text(run("solve", "--dimacs-output", cnf)[1])
    for question in (["--cnf", cnf], ["--puzzle", CLASSIC, "--encoding", name]):
        assert run("decode", answer, *question) == (0, CLASSIC_SOLUTION + "\n", "")


@pytest.mark.parametrize("clue", ["thermo:r1c1,r2c1", "sum=7:r1c1-r1c3", "between:r2c1-r2c3",
                                  "zipper:r3c4,r3c3,r4c3,r4c2"])  # fmt: skip
def test_a_model_of_a_puzzle_is_one_of_its_cnf(run, tmp_path, clue):
    """Also if clues on more than two cells bring auxiliary variables."""
    cnf, answer = tmp_path / "p.cnf", tmp_path / "answer"
    puzzle = ("." * 16, "--rules", clue)
    assert run("export", *puzzle, "-o", cnf) == (0, "", "")
    variables = int(cnf.read_text().partition("p cnf ")[2].split()[0])
    code, out, err = run("solve", "--dimacs-output", *puzzle)
    assert (code, err) == (10, "")
    assert [abs(literal) for literal in parse_answer(out).literals] == [*range(1, variables + 1)]
    assert (variables > 64) == (not clue.startswith("thermo"))
    answer.write_text(out)
    grid = run("decode", answer, "--cnf", cnf)[1]
    assert run("check", grid.strip(), "--rules", clue) == (0, "unique\n", "")


def test_export_of_bare_rules_to_standard_output(run):
    code, out, _ = run("export", "--rules", "miracle")
    assert code == 0
    assert "\np cnf 729 14706\n" in out
    assert run("export", "--size", 4)[1].count(" 0\n") == 384


def test_smtlib_goes_through_z3_and_back(run, tmp_path):
    script, answer = tmp_path / "p.smt2", tmp_path / "answer"
    assert run("export", "-f", "smtlib2", CLASSIC, "-o", script) == (0, "", "")
    solver = z3.Solver(ctx=z3.Context())  # its time depends on what is in its context
    solver.from_file(str(script))
    assert solver.check() == z3.sat
    model = solver.model()
    values = [f"({name} {model[name]})" for name in model.decls()]
    answer.write_text(f"sat\n({' '.join(values)})\n")
    assert run("decode", answer, "--puzzle", CLASSIC) == (0, CLASSIC_SOLUTION + "\n", "")
    code, out, err = run("decode", answer, "--puzzle", "1" + CLASSIC[1:])
    assert (code, out) == (2, "")
    assert "r1c1=7, but the puzzle has 1 there" in err


def test_a_text_of_interactive_sudoku_solver_goes_in_and_out(run):
    text = ".Shape~4x4.AntiKing.Thermo~R1C1~R2C1.~R1C2_3"
    assert run("export", "-f", "iss", text) == (0, f"{text}\n", "")
    code, out, err = run("export", "-f", "iss", text, "--rules", "antiqueen")
    assert (code, out) == (2, "") and "has the rules king, thermo:r1c1,r2c1, 'antiqueen'" in err
    code, out, err = run("solve", ".Shape~4x4.Unheard~5~R1C1~R1C2")
    assert (code, out) == (2, "") and "column 11: .Unheard is not supported" in err


def test_a_puzzle_goes_out_as_json_and_in_again(run, tmp_path):
    """With the id that its collection gives it; from a file and as text."""
    (tmp_path / "in.csv").write_text(f"id,puzzle,rules\nx7,{CLASSIC},king;odd:r1c1\n")
    out = tmp_path / "out.json"
    assert run("export", "-f", "json", tmp_path / "in.csv", "-o", out) == (0, "", "")
    text = out.read_text()
    assert '"id": "x7"' in text and '"clues": ["odd:r1c1"]' in text
    assert run("export", "-f", "json", out) == (0, text, "")
    plain = text.replace('"id": "x7", ', "")
    assert run("export", "-f", "json", plain.strip()) == (0, plain, "")
    code, found, _ = run("export", "-f", "json", "--rules", "knight", "--size", 4)
    assert code == 0 and run("count", found.strip()) == run(
        "count", "--rules", "knight", "--size", 4
    )


def test_title_author_and_solution_survive(run, tmp_path):
    """From JSON of our own, and from a link that f-puzzles or SudokuPad may have written."""
    words = {"id": "7", "title": "A title", "author": "Somebody", "solution": "1234341221434321"}
    own = tmp_path / "own.json"
    own.write_text(format_puzzle_json("1" + "." * 15, "king", **words) + "\n")
    assert run("export", own, "-f", "json") == (0, own.read_text(), "")
    link = run("export", own, "-f", "fpuzzles")[1].strip()
    found = json.loads(run("export", link, "-f", "json")[1])
    assert (found["title"], found["author"], found["rules"]) == ("A title", "Somebody", "king")
    solved = json.dumps(load(link) | {"solution": [*words["solution"]]})
    assert str(parse_fpuzzles(solved).answer) == words["solution"]
    assert json.loads(run("export", solved, "-f", "json")[1])["solution"] == words["solution"]
    for solution in ([*"12"], "x" * 16, "1" * 15 + "0", 5):
        assert parse_fpuzzles(json.dumps(load(link) | {"solution": solution})).answer is None


def full_grids(size, count):
    """Random full grids, all made of one by other orders of its rows and columns and digits."""
    high, wide = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[size]
    rng = random.Random(size)

    def order(width):
        starts = rng.sample(range(0, size, width), size // width)
        return [i for start in starts for i in rng.sample(range(start, start + width), width)]

    for _ in range(count):
        digits = rng.sample(range(1, size + 1), size)
        rows, columns = order(high), order(wide)
        shifts = [r % high * wide + r // high for r in rows]
        yield bytes(digits[(c + shift) % size] for shift in shifts for c in columns)


FULL = {size: tuple(full_grids(size, 25)) for size in (4, 6, 9)}


@pytest.mark.covering
@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", ["iss", "fpuzzles", "sudokupad", "json"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_clue_of_any_kind_is_read_back_or_refused_by_its_name(run, kind, form, rounds):
    """What is read accepts and refuses the same full grids, by the witness; clues that hold on one
    of them, and some with cells that come again or lines that are short."""
    rng, written = random.Random(f"{kind} {form}"), 0
    for size in (4, 6, 9) * rounds:
        board = Board.of_size(size)
        solution, *others = rng.sample(FULL[size], 20)
        true = partial(holds, Grid(solution, board))
        clue = (rng.random() < 0.7 and random_clue(KINDS[kind], solution, board, rng, true)) or (
            random_clue(KINDS[kind], solution, board, rng, lambda clue: True)
        )
        if clue is None:
            continue  # no thirds, for one
        clue = again(clue, board, rng)
        text, empty = clue.text(board), "." * board.cells
        written_as = form.replace("sudokupad", "fpuzzles")
        code, out, err = run("export", empty, "-q", "--clue", text, "-f", written_as)
        if code:
            assert (code, out) == (2, "")
            named = {clue.kind, *(part.kind for part in parts_of(clue))}
            assert any(name in err for name in named), err
            continue
        if form == "sudokupad":
            out = out.replace("https://www.f-puzzles.com/?load=", "https://sudokupad.app/fpuzzles")
        code, again_out, err = run("export", "-q", out.strip(), "-f", "json")
        assert (code, err) == (0, "")
        read = parse_puzzle_json(again_out)
        assert read.grid.board == board
        written += 1
        for cells in (solution, *others):
            kept = not violations(Grid(cells, board), constraints_for(text, board).rules)
            given = all(x in (0, y) for x, y in zip(read.grid.cells, cells, strict=True))
            own = constraints_for(read.rules, board).rules
            assert kept == (given and not violations(Grid(cells, board), own)), (text, out)
    assert written or form != "json"


def holds(grid, clue):
    return not violations(grid, (clue.text(grid.board),))


def again(clue, board, rng):
    """Now and then the clue with a cell that comes again, or cut short."""
    kind = KINDS[clue.kind]
    if rng.random() < 0.5 or len(clue.groups) != 1 or not clue.groups[0]:
        return clue
    cells = list(clue.cells)
    cells.insert(rng.randrange(len(cells) + 1), rng.choice(cells))
    for group in (cells, cells[: rng.randint(1, 2)]):
        with suppress(ClueError):
            return kind.canonical(clue._replace(groups=(tuple(group),)), board)
    return clue


def parts_of(clue):
    for part in clue.parts:
        yield part
        yield from parts_of(part)


@pytest.mark.parametrize("rule", [*RULES, "diagonal,king", "windoku,knight"])
@pytest.mark.parametrize("form", ["iss", "fpuzzles", "json"])
def test_rules_are_read_back_or_refused_by_their_names(run, rule, form):
    for size in (4, 6, 9):
        code, out, err = run("export", "." * size**2, "--rules", rule, "-f", form)
        if code:
            assert (code, out) == (2, "") and any(name in err for name in rule.split(","))
            continue
        code, read, _ = run("export", out.strip(), "-f", "json")
        assert code == 0
        assert set(parse_puzzle_json(read).rules.split(",")) == set(rule.split(","))


def test_a_pill_that_cannot_be_read_in_order_is_not_written(run):
    """Interactive Sudoku Solver reads the number of a pill from left to right, downwards."""
    good, bad = "arrow:r1c1,r1c2>r2c1-r4c1", "arrow:r1c2,r1c1>r2c1-r4c1"
    assert run("export", "." * 81, "-q", "--clue", good, "-f", "iss")[0] == 0
    code, _, err = run("export", "." * 81, "-q", "--clue", bad, "-f", "iss")
    assert code == 2 and f"cannot state the clue {bad[:20]}" in err


@pytest.mark.parametrize("clue", ["entropy", "entropic:r1c1-r1c4", "flat-mates"])
def test_what_interactive_sudoku_solver_defines_on_nine_digits_only(run, clue):
    code, out, err = run("export", "." * 36, "--clue", clue, "-f", "iss")
    assert (code, out) == (2, "")
    assert f"{clue.partition(':')[0]}" in err and "for 9 digits from 1 on only" in err


def test_an_and_that_stands_alone_is_its_parts_for_f_puzzles(run):
    clue = "and:(odd:r1c1),(or:(and:(even:r1c2),(x:r1c1,r2c1)))"
    code, link, _ = run("export", "." * 81, "--clue", clue, "-f", "fpuzzles")
    assert code == 0
    assert parse_fpuzzles(link.strip()).rules == "classic;even:r1c2;odd:r1c1;sum=10:r1c1,r2c1"


def test_a_large_puzzle_is_a_cnf_only(capsys):
    assert main(["export", "-f", "smtlib2", f"{UNIQUE}"]) == 2
    assert "-f smtlib2: boards beyond 25x25 as dimacs" in capsys.readouterr().err


def test_a_collection_is_one_incremental_formula(run, tmp_path):
    """Bad rows, and rows with other rules, are told and cost the others nothing."""
    rows, cnf = tmp_path / "rows.csv", tmp_path / "rows.icnf"
    other = "." * 16 + ",diagonal"
    rows.write_text(f"puzzle,rules\n12{'.' * 14},\n12x{'.' * 13},\n{other}\n{'.' * 15}4,\n")
    code, out, err = run("export", rows, "-f", "icnf", "-o", cnf)
    assert (code, out) == (2, "")
    assert "line 3" in err
    expected = "line 4: found a puzzle under diagonal, expected classic as before"
    assert expected in err
    lines = cnf.read_text().splitlines()
    assert [line for line in lines if line[0] == "a"] == ["a 1 6 0", "a 64 0"]
    assert lines.index("p inccnf") < lines.index("1 2 3 4 0")


def test_incremental_cnf_of_one_puzzle_each_and_of_the_rules(run, tmp_path):
    rows = tmp_path / "rows.txt"
    rows.write_text("1" + "." * 15 + "\n" + "2" + "." * 15 + "\n")
    assert run("export", rows, "-f", "icnf", "-o", tmp_path / "{n}.icnf") == (0, "", "")
    assert [(tmp_path / f"{n}.icnf").read_text().splitlines()[-1] for n in (1, 2)] == [
        "a 1 0",
        "a 2 0",
    ]
    assert run("export", "--size", "4", "-f", "icnf")[1].endswith("\na 0\n")
    code, _, err = run("export", rows, "-f", "icnf", "--encoding", "reduced")
    assert (code, "givens are built into its clauses" in err) == (2, True)


def test_nothing_is_written_where_no_puzzle_can_be_read(run, tmp_path):
    rows, cnf = tmp_path / "rows.txt", tmp_path / "rows.icnf"
    rows.write_text("12x" + "." * 13 + "\n")
    assert run("export", rows, "-f", "icnf", "-o", cnf)[0] == 2
    assert not cnf.exists()


def test_incremental_cnf_is_told_where_a_puzzle_is_expected(run, tmp_path):
    cnf = tmp_path / "p.icnf"
    assert run("export", CLASSIC, "-f", "icnf", "-o", cnf) == (0, "", "")
    code, out, err = run("solve", cnf)
    assert (code, out) == (2, "")
    assert "found 'p inccnf', expected 'p cnf V C'" in err


def test_links_and_json_state_what_is_said_about_a_puzzle(run):
    words = ("--title", 'T "x"', "--author", "<A>", "--words", "made")
    for form, read in (
        ("json", parse_puzzle_json),
        ("fpuzzles", parse_fpuzzles),
        ("sudokupad", parse_fpuzzles),
    ):
        code, out, err = run("export", FOUR, "--rules", "king", "-f", form, *words)
        assert (code, err) == (0, "")
        found = read(out.strip())
        assert (found.title, found.author) == ('T "x"', "<A>")
    stated = json.loads(run("export", FOUR, "--rules", "king", "-f", "json", *words)[1])
    assert stated["words"].count("\n") == 1 and "touch at a corner" in stated["words"]
    link = run("export", FOUR, "--rules", "king", "-f", "fpuzzles", *words)[1].strip()
    assert load(link)["ruleset"] == stated["words"]
    assert run("check", link) == run("check", FOUR, "--rules", "king")  # it is understood
    own = json.dumps(stated | {"words": "My words"})
    assert json.loads(run("export", own, "-f", "json", "--words", "made")[1])["words"] == "My words"
    assert "words" not in json.loads(run("export", own, "-f", "json", "--words", "none")[1])


@pytest.mark.parametrize("asked", [("--title", "T"), ("--author", "A"), ("--words", "made")])
def test_a_format_without_words_refuses_them(run, asked):
    code, out, err = run("export", FOUR, "-f", "opb", *asked)
    assert (code, out) == (2, "")
    expected = "the format opb states none; expected -f fpuzzles, sudokupad, json, html"
    assert f"{asked[0]}: {expected}" in err


def test_drawings_that_a_format_lacks_are_told(run):
    looks = [{"line": [[0, 0], [1.1, 2]]}, {"at": [0.5, 0.5], "text": "x", "over": True}]
    stated = json.dumps(json.loads(format_puzzle_json(FOUR)) | {"looks": looks})
    code, out, err = run("export", stated, "-f", "fpuzzles")
    assert code == 0 and len(parse_fpuzzles(out.strip()).looks) == 1
    assert "fpuzzles states 1 of 2 drawings not, or not as they are" in err
    assert run("export", stated, "-f", "json")[2] == ""


FOUR = "1.....2....3.4.."


# Pages --------------------------------------------------------------------------------------------


@pytest.fixture
def kernel():
    kernel_needed()


def titles(path):
    return re.findall("<h2>(.*?)</h2>", path.read_text())


def test_a_page_tells_title_author_and_words(run, tmp_path, kernel):
    page = tmp_path / "p.html"
    said = ("--title", "A & B", "--author", "C", "--words", "made")
    assert run("export", FOUR, *said, "-o", page) == (0, "", "")
    assert titles(page) == ["A &amp; B"]
    assert '<p class="author">by C</p>' in page.read_text()


def test_a_page_of_a_collection_holds_what_can_be_read(run, tmp_path, kernel):
    """What the engine has no plan for, too, is told with its line, and left out."""
    page, puzzles = tmp_path / "p.html", tmp_path / "p.csv"
    layered = f"L,{'.' * 81},layer=shade:0-1"
    puzzles.write_text(f"id,puzzle,rules\nA,{FOUR},\nB,12,\n{layered}\nD,{FOUR},diagonal\n")
    code, _, err = run("export", puzzles, "-o", page)
    assert (code, titles(page)) == (2, ["A", "D"])
    assert "line 3" in err and "line 4" in err and "the engine takes no layers" in err


def test_a_page_for_each_puzzle(run, tmp_path, kernel):
    puzzles = tmp_path / "p.txt"
    puzzles.write_text(f"{FOUR}\n{FOUR[::-1]}\n")
    assert run("export", puzzles, "-o", tmp_path / "p{n}.html") == (0, "", "")
    assert [len(titles(tmp_path / f"p{n}.html")) for n in (1, 2)] == [1, 1]


def test_no_page_of_what_has_no_plan(run, tmp_path, kernel):
    code, out, err = run(
        "export", "." * 81, "--rules", "layer=shade:0-1", "-o", tmp_path / "p.html"
    )
    assert (code, out) == (2, "") and "the engine takes no layers" in err
    assert not (tmp_path / "p.html").exists()


def test_a_path_is_for_pages_alone(run, tmp_path):
    code, out, err = run("export", FOUR, "--path", "-f", "json")
    assert (code, out) == (2, "") and "--path: expected -f html with it" in err


def test_no_page_without_the_kernel(run, tmp_path, monkeypatch):
    monkeypatch.setattr(wasm, "KERNEL", tmp_path / "none.wasm")
    code, out, err = run("export", FOUR, "-o", tmp_path / "p.html")
    assert (code, out) == (2, "") and "install ziglang" in err


def test_a_path_that_ends_early_is_told(run, tmp_path):
    kernel_needed()
    page = tmp_path / "page.html"
    code, _, err = run("export", "." * 16, "--path", "-o", page)
    assert code == 1 and err.startswith("satdoku: path: ")
    assert "<html" in page.read_text()
