"""Whole sheets, read back: each puzzle on its page, its rules below, its solution at the end."""

import re

import pymupdf
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

import satdoku
from satdoku import Page
from satdoku.files.fpuzzles import format_fpuzzles, parse_fpuzzles
from satdoku.files.one import as_puzzle, parse_puzzle
from satdoku.files.puzzle_json import format_puzzle_json, parse_puzzle_json
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, empty_grid, parse_grid
from satdoku.model.puzzle import Puzzle, Unreadable, on_board, restricted
from satdoku.runtime.errors import Status
from satdoku.sheets import Remark, SheetError, sheet_pdf
from satdoku.sheets.layout import MARGIN, PAPERS
from satdoku.sheets.sheet import as_sheet_puzzle

GRID = parse_grid(CLASSIC)
LONG = "A title without an end, which goes on and on, " * 20


def printed(grid, rules="classic", **told):
    return Puzzle(*on_board(grid, rules), **told)


def opened(puzzles, rules="classic", *, key_steps=0, solutions=False, link=None, qr=False, **page):
    told = []
    data = sheet_pdf(
        puzzles,
        rules,
        key_steps=key_steps,
        solutions=solutions,
        page=Page(**page),
        link=link,
        qr=qr,
        on_remark=told.append,
    )
    return pymupdf.open(stream=data), told


def boards(page):
    """The frames of the grids: around the thick lines of each, which are black and whole."""
    return [
        drawn["rect"]
        for drawn in page.get_drawings()
        if len(drawn["items"]) >= 6
        and drawn["rect"].width > 60
        and drawn["color"] is not None
        and drawn["color"][0] < 0.1
        and drawn["dashes"] == "[] 0"
    ]


def texts(page):
    """Lines of text outside pictures, each with its rectangle."""
    lines = (line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ()))
    found = [
        ("".join(span["text"] for span in line["spans"]), pymupdf.Rect(line["bbox"]))
        for line in lines
    ]
    return [(text, box) for text, box in found if re.search("[a-z]{2}", text)]


def check_page(page, paper="A4"):
    """Everything lies inside the margins, and no text on a grid or on other text."""
    width, height = PAPERS[paper]
    inside = pymupdf.Rect(MARGIN - 8, MARGIN - 8, width - MARGIN + 8, height - MARGIN + 12)
    frames, lines = boards(page), texts(page)
    assert all(drawn["rect"] in inside for drawn in page.get_drawings())
    assert all(box in inside for _, box in lines)
    boxes = [*frames, *(pymupdf.Rect(b.x0, b.y0 + 2, b.x1, b.y1 - 2) for _, b in lines)]
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert not one.intersects(other), (one, other)
    return frames


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("per_page", [1, 2, 4, 6])
def test_puzzles_lie_apart_on_their_pages(per_page, paper):
    words = "\n".join(f"Rule {i}: " + "so it is in this puzzle, " * 9 for i in range(9))
    puzzles = [
        printed(GRID, "knight;thermo:r1c1,r1c2;cage=5:r2c1,r2c2", id="id", title=LONG, author=LONG),
        printed(GRID, words=words, title="Words"),
        *[printed(GRID, f"classic;whisper={v}:r1c1-r1c4") for v in range(3, 9)],
    ]
    read, told = opened(puzzles, per_page=per_page, paper=paper, title=LONG, link="fpuzzles")
    assert not told
    assert sum(len(check_page(page, paper)) for page in read) == len(puzzles)
    assert tuple(read[0].rect)[2:] == pytest.approx(PAPERS[paper], abs=0.1)
    text = " ".join(" ".join(page.get_text() for page in read).split())
    for i in range(9):
        assert f"Rule {i}:" in text
    for number in range(1, 9):
        assert re.search(rf"\b{number}\b", text)
    assert sum(len(page.get_links()) for page in read) >= len(puzzles)


def test_rules_longer_than_a_page_follow_on_pages_of_their_own():
    words = "\n".join(f"Rule {i}: " + "so it is in this puzzle, " * 30 for i in range(40))
    read, _ = opened([printed(GRID, words=words, title="T"), CLASSIC], per_page=1)
    pages = [page.get_text() for page in read]
    assert "The rules follow on the next pages." in pages[0] and "Rules of 1. T" in pages[1]
    assert all(f"Rule {i}:" in "".join(pages[1:-1]) for i in range(40))
    for number, page in enumerate(read, 1):
        check_page(page)
        assert f"Page {number} of {len(read)}" in " ".join(page.get_text().split())
    assert "Place the digits" in pages[-1]


def test_rules_that_all_share_stand_once_above_them():
    read, _ = opened([CLASSIC] * 5, per_page=4, rules="knight")
    for page in read:
        assert page.get_text().count("Place the digits") == 1
        assert page.get_text().count("Cells a knight's move apart do not hold the same digit.") == 1


def test_solutions_follow_with_what_is_wrong():
    puzzles = [printed(GRID, title="Good"), "." * 81, "5.....5" + "." * 74]
    read, told = opened(puzzles, solutions=True, per_page=4)
    assert told == [
        Remark("2: several solutions, this is one", Status.MULTIPLE),
        Remark("3: no solution: r1c1=5 and r1c7=5 break the row rule", Status.INVALID),
    ]
    assert len(read) == 2 and len(check_page(read[1])) == 3
    text = " ".join(read[1].get_text().split())
    assert "Solutions" in text and "2: several solutions" in text and "1. Good" in text
    digits = [w for w in read[1].get_text("words") if len(w[4]) == 1 and w[4].isdigit()]
    frame = boards(read[1])[0]
    inside = [w for w in digits if pymupdf.Rect(w[:4]).tl in frame]
    inside.sort(key=lambda w: (round(w[1]), w[0]))
    assert "".join(w[4] for w in inside) == CLASSIC_SOLUTION


@pytest.mark.parametrize("puzzle", ["1.....2....3.4..", "." * 256, "." * 625], ids=len)
def test_boards_of_all_sizes(puzzle):
    read, _ = opened([puzzle], solutions=len(puzzle) < 600)
    for page in read:
        check_page(page)
    size = int(len(puzzle) ** 0.5)
    assert f"1 to {size}" in read[0].get_text()
    assert boards(read[0])[0].width <= 58 * (size + 1)


def test_paths_lie_between_puzzles_and_solutions_with_their_chains(monkeypatch):
    kept = {}  # the steps of each puzzle are found once for all sheets

    def once(grid, *rest, **options):
        if grid not in kept:
            kept[grid] = [*satdoku.explain_steps(grid, *rest, **options)]
        return kept[grid]

    monkeypatch.setattr("satdoku.sheets.path.explain_steps", once)
    hard = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    killer = printed(empty_grid(GRID.board), "classic;cage=3:r1c1,r1c2", title="Open")
    book, told = opened([CLASSIC, hard, killer], key_steps=3, solutions=True)
    heads = [page.get_text().split("\n")[0] for page in book]
    names = ["1: solution path", "2: solution path", "3. Open: solution path", "Solutions"]
    assert [*dict.fromkeys(heads[3:])] == names
    for page in (*book.pages(3, len(book)),):
        check_page(page)
    shown = [
        sum(len(boards(page)) for page, head in zip(book, heads, strict=True) if head == name)
        for name in names[:2]
    ]
    assert shown == [3, 3]
    (ends, _) = told
    assert ends == Remark("3. Open: the path ends early: no technique finds a further step")
    text = " ".join(book[4].get_text().split())
    assert "A solid arrow leads to what then holds" in text and "contradiction forcing" in text
    curves = [d for d in book[4].get_drawings() if any(item[0] == "c" for item in d["items"])]
    blue = [d for d in curves if d["color"] and d["color"][2] > 0.5 > d["color"][0]]
    assert len(blue) > 10  # arrows and rings
    words = next(step.words for step in satdoku.explain_steps(hard, named=True)).split(":")[0]
    assert satdoku.sheet_pdf([hard], key_steps=1) == satdoku.sheet_pdf([hard], key_steps=1)
    all_steps, _ = opened([hard], key_steps=200)
    assert words in " ".join("".join(page.get_text() for page in all_steps).split())


def test_a_path_ends_in_time_and_the_sheet_is_made():
    book, told = opened([CLASSIC], key_steps=satdoku.KeySteps(2, timeout=1e-9))
    (late,) = told
    assert late.text.startswith("the puzzle: no path: timed out after")
    assert len(book) == 2 and boards(book[0])


def test_words_of_steps_longer_than_their_place_follow(monkeypatch):
    from satdoku.sheets import path

    long = tuple(path.Words("", "word " * 900) for _ in range(2))
    found = path.path_of(as_puzzle(CLASSIC), 1)
    made = found._replace(steps=[found.steps[0]._replace(words=long)])
    monkeypatch.setattr(path, "path_of", lambda *_: made)
    book, _ = opened([CLASSIC], key_steps=1)
    text = "".join(page.get_text() for page in book)
    assert "The words follow on the next pages." in text and text.count("word") == 1801
    for page in book:
        check_page(page)


def test_a_line_for_a_name_stands_above_each_page_of_puzzles():
    book, _ = opened([CLASSIC] * 3, per_page=2, name_line=True, solutions=True, title="Monday")
    pages = [page.get_text() for page in book]
    assert [("Name ____" in text, "Date ____" in text) for text in pages] == [
        (True, True), (True, True), (False, False),
    ]  # fmt: skip
    assert "Name" not in opened([CLASSIC])[0][0].get_text()
    for page in book:
        check_page(page)


def test_the_difficulty_stands_below_each_name():
    hard = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    book, told = opened([printed(GRID, title="Calm"), hard, "." * 81], per_page=4, difficulty=True)
    text = " ".join(book[0].get_text().split())
    assert "1. Calm Difficulty: medium (2.8)" in text and "2 Difficulty: extreme (" in text
    (open_one,) = told
    assert open_one.text.startswith("3: no difficulty: a puzzle with status 'multiple'")
    assert text.count("Difficulty") == 2
    check_page(book[0])
    assert "Difficulty" not in opened([CLASSIC])[0][0].get_text()


def test_boards_of_all_shapes():
    stated = ["shape=6x8,digits=0-7", "samurai", "digits=-4-4", "shape=3x12", "shape=12x3"]
    constraints = [constraints_for(text) for text in stated]
    puzzles = [Puzzle(empty_grid(each.board), each) for each in constraints]
    read, told = opened(puzzles, per_page=4, solutions=True, link="sudokupad")
    assert sum(len(check_page(page)) for page in read) == 2 * len(puzzles)
    links = [remark.text for remark in told if remark.status is None]
    assert len(links) == 3 and all("no link (" in text for text in links)  # not of rectangles
    wide, words = boards(read[0])[0], "".join(read[0].get_text().split())
    (below,) = [box for text, box in texts(read[0]) if text.startswith("Place the digits 0 to 7")]
    assert 0 < below.y0 - wide.y1 < 12  # right below, as the grid is not as high as it is wide
    assert "Placethenumbers-4to4" in words
    assert {"-4", "0", "3"} <= {word[4] for page in read for word in page.get_text("words")}


def test_words_of_steps_stand_right_below_a_wide_board():
    book, _ = opened([".3.6..1....2.521.3..4.2."], "shape=4x6", key_steps=1)
    (frame,) = boards(book[1])
    words = next(box for line, box in texts(book[1]) if line.startswith("r1c1=2"))
    assert 0 < words.y0 - frame.y1 < 15


def test_a_board_wider_than_all_styles_is_printed():
    rules = "shape=4x4;grids:" + ",".join(f"r1c{column}" for column in range(1, 30, 4))
    puzzle = on_board(empty_grid(constraints_for(rules).board), rules)
    assert puzzle[0].board.extent == (4, 32)
    book, told = opened([Puzzle(*puzzle)], key_steps=1, solutions=True)
    assert len(book) == 3 and len(told) == 2
    for page in book:
        check_page(page)


def test_pencil_marks_are_printed():
    marks = (frozenset({1, 2, 3}), *[frozenset(range(1, 10))] * 80)
    read, _ = opened([printed(parse_grid("." * 81), marks=marks)])
    found = [w[4] for w in read[0].get_text("words") if w[4] in ("1", "2", "3")]
    assert sorted("".join(found)) == ["1", "2", "3"] or "123" in "".join(found)


def test_the_same_arguments_give_the_same_bytes():
    puzzles = [printed(GRID, "knight", title="Σουδόκου"), CLASSIC]
    options = {"solutions": True, "page": Page(title="T", per_page=2), "qr": True}
    assert sheet_pdf(puzzles, **options) == satdoku.sheet_pdf(puzzles, **options)


def test_links_and_codes_open_the_puzzle():
    read, told = opened([CLASSIC, printed(GRID, "antiqueen")], qr=True, per_page=2)
    (remark,) = told
    assert remark.text.startswith("2: no link (f-puzzles has no rule 'antiqueen'")
    uris = {link["uri"] for page in read for link in page.get_links()}
    (uri,) = uris
    assert uri.startswith("https://sudokupad.app/fpuzzles")
    assert satdoku.parse_fpuzzles(uri).grid == GRID


def test_characters_without_a_font_are_told():
    read, told = opened([printed(GRID, title="שלום")])
    assert "????" in read[0].get_text()
    assert "ש (U+05E9)" in told[0].text and told[0].status is None


@pytest.mark.parametrize("text", ["\ud800\x00<b>&amp;</para>", "a" * 3000, "(\\ )\n\n", " "])
def test_any_text_can_be_printed(text):
    puzzle = printed(GRID, id=text, title=text, author=text, words=text)
    for per_page in (1, 6):
        read, _ = opened([puzzle] * 2, title=text, per_page=per_page, qr=True)
        assert sum(len(check_page(page)) for page in read) == 2


def test_wrong_arguments_are_refused():
    with pytest.raises(SheetError, match="-1 key steps: expected 1 or more"):
        sheet_pdf([CLASSIC], key_steps=-1)
    for wrong, message in (
        ({"page": Page(per_page=3)}, "expected 1, 2, 4 or 6"),
        ({"page": Page(paper="A3")}, "no paper 'A3'"),
        ({"link": "sudokupat"}, "did you mean 'sudokupad'"),
    ):
        with pytest.raises(SheetError, match=message):
            sheet_pdf([CLASSIC], **wrong)
    with pytest.raises(SheetError, match="no puzzles"):
        sheet_pdf([])


def test_texts_grids_and_puzzles():
    assert as_sheet_puzzle(GRID) == Puzzle(*on_board(GRID))
    assert as_sheet_puzzle(CLASSIC).grid == GRID
    assert as_sheet_puzzle(CLASSIC, "knight").rules == "knight"
    assert as_sheet_puzzle(as_puzzle(CLASSIC, "king"), "knight").rules == "king"
    assert as_sheet_puzzle(Puzzle(*on_board(GRID, "king")), "knight").rules == "king"
    assert as_sheet_puzzle([0] * 16).constraints.board.size == 4


def test_what_files_and_links_say_is_kept():
    link = format_fpuzzles(CLASSIC, "knight", title="T", author="A")
    for stated in (parse_fpuzzles(link), parse_puzzle(link)):
        sheet = as_sheet_puzzle(stated)
        assert (sheet.grid, sheet.rules, sheet.title, sheet.author) == (GRID, "knight", "T", "A")
    marks = [range(1, 4) if cell == 0 else range(1, 10) for cell in range(81)]
    text = format_puzzle_json("." * 81, candidates=marks, id="i", title="T", author="A")
    for stated in (parse_puzzle_json(text), parse_puzzle(text)):
        sheet = as_sheet_puzzle(stated)
        assert (sheet.id, sheet.title, sheet.author) == ("i", "T", "A")
        assert sheet.marks == stated.marks
        assert restricted(stated) == ({1, 2, 3}, *[frozenset()] * 80)


def test_the_setters_words_are_kept():
    text = '{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],'
    stated = text + '"ruleset":"Normal sudoku rules apply."}'
    for puzzle in (parse_fpuzzles(stated), parse_puzzle(stated)):
        assert as_sheet_puzzle(puzzle).words == "Normal sudoku rules apply."


def test_an_unreadable_puzzle_is_its_error():
    wrong = GridError("12 cells", "81 cells")
    with pytest.raises(GridError, match="expected 81 cells"):
        as_sheet_puzzle(Unreadable(wrong, {}))
