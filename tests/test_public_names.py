"""docs/PYTHON.md has one table of the public names and one of the words for their arguments."""

import inspect
import re
from pathlib import Path

import pytest

import satdoku

PAGE = Path(__file__).parents[1] / "docs" / "PYTHON.md"
FORBIDDEN = {
    "seconds", "executor", "threads", "each", "tell", "told", "refused", "opened", "implementation",
}  # fmt: skip
MOST = 8  # parameters
ASKING = (satdoku.Session, satdoku.SolverCommand)  # classes with questions


def rows_behind(heading):
    """The cells of each row of the table behind a heading."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n{heading}\n")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.split("\n")
        if line.startswith("| `")
    ]


def public(kind):
    return {name: getattr(satdoku, name) for name in satdoku.__all__ if kind(name)}


def is_function(name):
    return inspect.isfunction(getattr(satdoku, name))


def asked():
    """The public functions, and the questions of the classes, by name."""
    yield from public(is_function).items()
    for owner in ASKING:
        yield owner.__name__, owner.__init__
        for name, method in vars(owner).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                yield f"{owner.__name__}.{name}", method


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [parameter for parameter in found if parameter.name != "self"]


def typed(annotation):
    """A type as the tables have it, without the bar that divides their cells."""
    return str(annotation).replace(" | ", " or ").replace("_rating.", "")


def takes(function):
    """`puzzle, rules; solver, timeout`: what stands behind the semicolon goes by name only."""
    places = {False: [], True: []}
    for parameter in parameters(function):
        places[parameter.kind is parameter.KEYWORD_ONLY].append(parameter.name)
    return "; ".join(filter(None, (", ".join(places[False]), ", ".join(places[True]))))


def test_every_public_function_stands_in_the_table_as_it_is():
    found = {cells[0].strip("`"): cells[1:3] for cells in rows_behind("## Every function")}
    wanted = {
        name: [f"`{takes(function)}`".replace("``", ""), f"`{typed(returned(function))}`"]
        for name, function in public(is_function).items()
    }
    assert found == wanted


def returned(function):
    return inspect.signature(function).return_annotation


def test_every_public_class_stands_in_the_table():
    found = {cells[0].strip("`") for cells in rows_behind("## Every class")}
    assert found == public(lambda name: inspect.isclass(getattr(satdoku, name))).keys()


def test_one_word_has_one_meaning_and_the_types_of_its_row():
    words = {cells[0].strip("`"): cells[1].strip("`") for cells in rows_behind("## Every argument")}
    types = {}
    for _, function in asked():
        for parameter in parameters(function):
            types.setdefault(parameter.name, set()).add(typed(parameter.annotation))
    assert words == {name: ", ".join(sorted(found)) for name, found in types.items()}
    assert not FORBIDDEN & words.keys()
    assert words["timeout"] == "float or None"
    assert all(re.fullmatch(r"on_[a-z]+", w) for w, t in words.items() if "Callable" in t)


def test_no_list_of_parameters_is_long():
    long = {name for name, function in asked() if len(parameters(function)) > MOST}
    assert not long


TEXTS = ["odd:r1c1", "thermo:r1c1,r1c2"]
EMPTY = "." * 16


@pytest.mark.parametrize(
    "ask",
    [
        lambda rules: satdoku.count(EMPTY, rules, limit=1000),
        lambda rules: satdoku.classify(EMPTY, rules),
        lambda rules: satdoku.candidates(EMPTY, rules),
        lambda rules: satdoku.count_exact(EMPTY, rules).grids,
        lambda rules: satdoku.classify_batch([EMPTY, "2" + "." * 15], rules).tolist(),
        lambda rules: satdoku.parse_puzzle(EMPTY, rules).constraints,
        lambda rules: satdoku.format_puzzle_json(EMPTY, rules),
        lambda rules: satdoku.parse_fpuzzles(satdoku.format_fpuzzles(EMPTY), rules).constraints,
        lambda rules: satdoku.clue_warnings(rules),
        lambda rules: satdoku.generate(1, rules, size=4, seed=1).tolist(),
        lambda rules: satdoku.render_svg(EMPTY, rules),
        lambda rules: satdoku.Session(rules).constraints,
    ],
)
def test_rules_may_be_several_texts(ask):
    assert ask(TEXTS) == ask(";".join(TEXTS))


def test_files_are_read_under_rules_in_several_texts(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(EMPTY + "\n2" + "." * 15 + "\n")
    read = [puzzle.constraints for puzzle in satdoku.read_puzzles(str(path), TEXTS)]
    assert read == [satdoku.constraints_for(TEXTS, satdoku.Board.of_size(4))] * 2
    counts = [
        satdoku.solve_files(str(path), str(tmp_path / "out.csv"), rules)["statuses"]
        for rules in (TEXTS, ";".join(TEXTS))
    ]
    assert counts[0] == counts[1]
    audits = [satdoku.audit_files(str(path), rules)["rules"] for rules in (TEXTS, ";".join(TEXTS))]
    assert audits[0] == audits[1]
