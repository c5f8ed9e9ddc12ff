"""Data sets made by recipes: sound, split without leaks, the same whoever works and whatever
interrupts."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from temporaries import files_in

import satdoku
from satdoku.audit.rows import fingerprints
from satdoku.batch.journal import JournalError
from satdoku.datasets.make import make_dataset
from satdoku.datasets.recipe import parse_recipe
from satdoku.files.streams import FileError
from satdoku.generator import GeneratorError
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import forms_of

TEXT = """rows = 34
seed = 5
columns = ["puzzle", "solution", "rules", "clues", "er", "proof", "trace", "question", "part"]
shard = 8
[split]
train = 2
test = 1
[[part]]
name = "plain"
share = 1
size = 6
[[part]]
name = "caged"
share = 1
size = 6
rules = "diagonal"
clues = ["cage", "thermo"]
clue_count = [2, 9]
"""


@pytest.fixture(scope="module")
def recipe():
    return parse_recipe(TEXT)


@pytest.fixture(scope="module")
def made(recipe, tmp_path_factory):
    """The folder of the data set, made by one process without a break."""
    folder = tmp_path_factory.mktemp("made") / "set"
    counts = make_dataset(recipe, str(folder))
    assert counts["rows"] == 34 and counts["resumed"] == 0
    assert not folder.with_suffix(".journal").exists()
    return folder


def rows_in(folder, split):
    for path in sorted((Path(folder) / split).glob("*.jsonl.gz")):
        yield from map(json.loads, gzip.decompress(path.read_bytes()).splitlines())


def test_every_row_is_sound_and_no_grid_is_in_two_splits(recipe, made):
    rows = {split: [*rows_in(made, split)] for split in recipe.split}
    assert sum(map(len, rows.values())) == 34 and all(rows.values())
    six = constraints_for("classic", satdoku.Board.of_size(6))
    keys = {}
    for split, some in rows.items():
        for row in some:
            rules = ";".join(filter(None, [row["rules"], row["clues"]]))
            (found, *more) = satdoku.solutions(row["puzzle"], rules, limit=2)
            assert str(found) == row["solution"] and not more
            assert row["rules"] == ("classic" if row["part"] == "plain" else "diagonal")
            assert bool(row["clues"]) == (row["part"] == "caged")
            assert row["er"] == satdoku.rate(row["puzzle"], rules).er
            assert row["puzzle"][0] in row["question"] and "if the cage" not in row["question"]
            assert json.loads(row["trace"])[0]["technique"] and row["proof"].startswith("u")
            form = forms_of(np.array([[*map(int, row["solution"])]], np.uint8), six)
            keys.setdefault(split, set()).add(fingerprints(form).tobytes())
    assert not keys["train"] & keys["test"]
    assert len({(r["puzzle"], r["clues"]) for some in rows.values() for r in some}) == 34
    paths = [str(path) for path in made.rglob("*.jsonl.gz")]
    report = satdoku.audit_files(paths, checks=satdoku.Checks(allow=("grid leak",), proofs="proof"))
    assert report["sound"]


def test_the_files_are_the_same_with_two_workers_and_after_interruptions(recipe, made, tmp_path):
    two, third = (str(tmp_path / name) for name in ("two", "third"))
    make_dataset(recipe, two, workers=2)
    one = files_in(str(made))
    assert one == files_in(two) and len(one) > 6

    def stop(done, total):
        if done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(recipe, third, progress=stop)
    assert Path(f"{third}.journal").exists()
    with pytest.raises(JournalError, match="same task, with the same options"):
        make_dataset(parse_recipe(TEXT.replace("seed = 5", "seed = 6")), third)
    counts = make_dataset(recipe, third)
    assert 8 <= counts["resumed"] <= 24 and files_in(third) == one


def test_a_shard_that_changed_is_not_taken_over(recipe, tmp_path):
    folder = tmp_path / "set"

    def stop(done, total):
        if done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(recipe, str(folder), progress=stop)
    next(folder.rglob("*.gz")).write_bytes(b"")
    with pytest.raises(JournalError, match="is missing, or has changed since"):
        make_dataset(recipe, str(folder))


def test_what_cannot_be_made_is_told(recipe, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("mine")
    with pytest.raises(FileError, match="holds files, expected a new folder"):
        make_dataset(recipe, str(tmp_path / "full"))
    few = parse_recipe('[[part]]\nrows = 999\nsize = 4\nrules = "diagonal"\ngivens = 16\n')
    with pytest.raises(GeneratorError, match="different puzzles and no more in 100 tries"):
        make_dataset(few, str(tmp_path / "few"))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_other_formats_are_read_back(form, tmp_path):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    text = f'format = "{form}"\n[[part]]\nrows = 9\nsize = 6\nclues = ["odd", "white"]\n'
    make_dataset(parse_recipe(text), str(tmp_path / "set"))
    (path,) = (tmp_path / "set" / "train").iterdir()
    assert satdoku.audit_files([str(path)])["sound"]
    assert len(next(iter(satdoku.iter_batches([str(path)]))).lines) == 9
