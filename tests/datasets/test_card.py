"""The data card: its head for hubs, the counts, the columns, and commands that are right."""

import shlex

from satdoku.datasets.card import SAYS, data_card
from satdoku.datasets.make import make_dataset
from satdoku.datasets.recipe import COLUMNS, parse_recipe

TEXT = """name = 'My "small" set'
licence = "CC0-1.0"
columns = ["puzzle", "solution", "rules", "clues", "proof", "part"]
[split]
train = 2
test = 1
[[part]]
name = "caged"
rows = 20
size = 6
clues = ["cage"]
clue_count = [2, 9]
"""


def test_every_column_is_explained():
    assert {*SAYS} == {*COLUMNS}


def test_the_card_states_licence_splits_counts_and_the_recipe():
    recipe = parse_recipe(TEXT)
    card = data_card(recipe, {"train": {"caged": 13}, "test": {"caged": 7}}, ".jsonl.gz")
    head, body = card.split("---\n")[1:]
    assert 'pretty_name: "My \\"small\\" set"\nlicense: "CC0-1.0"\n' in head
    assert '  - split: train\n    path: "train/*"\n' in head
    assert "20 puzzles, each with exactly one solution" in body and "from seed 0" in body
    assert "| caged | 13 | 7 | 6x6, rules classic; clues: cage; clue count: 2, 9; seed" in body
    assert TEXT.strip() in body and "| proof | " in body and "| trace |" not in body


def test_a_split_without_rows_is_no_split_of_the_head():
    card = data_card(parse_recipe(TEXT), {"train": {"caged": 20}, "test": {}}, ".csv.gz")
    assert "split: test" not in card and "test/*" not in card


def test_the_command_that_checks_it_finds_nothing(run, tmp_path, monkeypatch):
    make_dataset(parse_recipe(TEXT), str(tmp_path / "set"))
    monkeypatch.chdir(tmp_path / "set")
    lines = (tmp_path / "set" / "README.md").read_text().splitlines()
    (command,) = (line for line in lines if line.startswith("satdoku "))
    words = []
    for word in shlex.split(command)[1:]:
        words += sorted(map(str, (tmp_path / "set").glob(word))) if "*" in word else [word]
    code, out, _ = run(*words)
    assert code == 0 and out.startswith("Sound")
    assert "Every answer and every uniqueness is proved" in out
