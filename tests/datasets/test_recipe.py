"""Recipes: what they say is read, shares add up, an error names line and expectation."""

import json

import pytest

from satdoku.datasets.recipe import RATING, USUAL, RecipeError, parse_recipe, read_recipe
from satdoku.files.streams import FileError
from satdoku.generator import Wish

TEXT = """name = "Mine"
licence = "CC0-1.0"
rows = 10
seed = 3
columns = ["puzzle", "rating", "puzzle"]
shard = 4
format = "csv"

[split]
train = 9
test = 1

[[part]]
name = "a"
share = 1
givens = [24, 28]
er = [2.0, 5.5]

[[part]]
share = 2
size = 6
rules = "knight"
clues = ["cage", "thermo"]
clue_size = 3
clue_count = [2, 9]
symmetry = "rot180"
"""


def test_a_recipe_says_what_its_keys_hold():
    recipe = parse_recipe(TEXT)
    assert (recipe.name, recipe.licence, recipe.seed) == ("Mine", "CC0-1.0", 3)
    assert recipe.columns == ("puzzle", *RATING) and recipe.split == {"train": 9, "test": 1}
    assert (recipe.shard, recipe.form, recipe.rows) == (4, "csv", 10)
    one, other = recipe.parts
    assert (one.name, one.rows, other.name, other.rows) == ("a", 3, "part2", 7)
    assert one.options.wish == Wish(givens=(24, 28), er=(2.0, 5.5))
    clued = {"clue_size": (3, 3), "clue_count": (2, 9), "symmetry": "rot180"}
    assert other.options.wish == Wish(clues=("cage", "thermo"), **clued)
    assert other.options.constraints.name.startswith("knight")
    assert other.options.constraints.board.size == 6
    assert one.options.seed != other.options.seed


def test_json_says_the_same_as_toml_and_a_part_has_a_share():
    data = {"rows": 5, "part": [{"rows": 2}, {"name": "b", "clues": ["odd"]}]}
    recipe = parse_recipe(json.dumps(data), "recipe.json")
    assert [part.rows for part in recipe.parts] == [2, 3] and recipe.columns == USUAL
    text = 'rows = 5\n[[part]]\nrows = 2\n[[part]]\nname = "b"\nshare = 1\nclues = ["odd"]\n'
    assert parse_recipe(text).parts == recipe.parts


def test_shares_are_rounded_so_that_they_add_up():
    parts = "".join(f"[[part]]\nshare = {share}\n" for share in (1, 1, 1))
    assert [part.rows for part in parse_recipe(f"rows = 10\n{parts}").parts] == [3, 4, 3]


PART = "[[part]]\nrows = 1\n"
WRONG = {
    "rows = ": r"recipe.toml: Invalid value \(at end of document\)",
    "rows = 3": r"recipe.toml: expected one \[\[part\]\] or more",
    f"rowz = 3\n{PART}": "line 1: no key 'rowz': did you mean 'rows'",
    f"{PART}rules = 5": "line 3: part 1: rules: expected rules as a text, found 5",
    f'{PART}rules = "nights"': "part 1: .*nights",
    f'{PART}clues = ["cafe"]': "part 1: no kind 'cafe': did you mean 'cage'",
    f'{PART}clue_size = [5, 3]\nclues = ["cage"]': "line 3: part 1: clue_size 5-3: expected LO-HI",
    f'{PART}clues = ["cage"]\ngivens = 20': "part 1: clues settle the givens: they take no givens",
    f"{PART}size = 1000": "part 1: .*1000",
    f"{PART}er = [5, 2]": "part 1: ER 5.0 to 2.0: expected LO-HI",
    f"{PART}share = 2": "line 1: part 1: expected either rows or share",
    f"{PART}{PART}rows = 2": "Cannot overwrite a value",
    "[[part]]\nshare = 1\n": "shares are parts of rows: expected rows = N",
    f"rows = 9\n{PART}": "line 1: the parts have 1 rows, not 9",
    f'{PART}name = "a/b"': "line 3: part 1: a/b: expected letters",
    f'{PART}name = "a"\n{PART}name = "a"': "line 3: part 1: two parts are named a",
    f'columns = ["puzle"]\n{PART}': "line 1: no column 'puzle': did you mean 'puzzle'",
    f'columns = ["rules"]\n{PART}': "line 1: columns without a puzzle",
    f'format = "xlsx"\n{PART}': "line 1: format 'xlsx': expected csv, jsonl, parquet",
    f"[split]\ntrain = -1\n{PART}": "line 2: train: expected a number above 0, found -1",
    f"[split]\n{PART}": "line 1: split: expected a size or more",
    f"shard = 0\n{PART}": "line 1: shard: expected a number from 1 on, found 0",
    "part = [1]": "part 1: expected a table",
}


@pytest.mark.parametrize("text", WRONG)
def test_an_error_names_the_line_and_what_was_expected(text):
    with pytest.raises(RecipeError, match=WRONG[text]):
        parse_recipe(text)


def test_files_that_are_no_recipes(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        read_recipe(str(tmp_path / "none.toml"))
    (tmp_path / "a.toml").write_bytes(b"\xff")
    with pytest.raises(RecipeError, match="line 1, column 1"):
        read_recipe(str(tmp_path / "a.toml"))
    with pytest.raises(RecipeError, match="line 1 column 2"):
        parse_recipe("{", "a.json")
