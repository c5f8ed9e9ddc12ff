"""The command `dataset`: counts, limits and errors; what it writes is that of `make_dataset`."""

import csv
import gzip
import json

from temporaries import files_in

TEXT = """rows = 30
seed = 5
columns = ["puzzle", "solution", "rules", "clues", "part"]
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
clues = ["cage", "thermo"]
"""


def test_the_command_counts_resumes_and_names_what_is_wrong(run, tmp_path):
    path, folder = tmp_path / "recipe.toml", tmp_path / "set"
    path.write_text(TEXT)
    code, out, err = run("dataset", path, "-o", folder, "--timeout", "1e-3")
    assert (code, out) == (1, "") and "the same command goes on" in err
    code, out, err = run("dataset", path, "-o", folder)
    assert (code, out) == (0, "")
    assert err.startswith(f"30 puzzles in {folder}") and "each with one solution\n  train: " in err
    code, out, err = run("dataset", path, "-o", tmp_path / "again", "--json", "-w", "2")
    assert code == 0 and json.loads(out)["rows"] == 30
    assert files_in(folder) == files_in(tmp_path / "again")
    assert (folder / "recipe.toml").read_text() == path.read_text()
    path.write_text("[[part]]\nrows = 1\nclue = 2\n")
    code, out, err = run("dataset", path, "-o", tmp_path / "other")
    assert (code, out) == (2, "") and "recipe.toml: line 3: part 1: no key 'clue'" in err
    assert not (tmp_path / "other").exists()
    assert run("dataset", tmp_path / "none", "-o", tmp_path / "other")[0] == 2


def test_columns_of_csv_are_those_asked_for(run, tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text('columns = ["part", "puzzle"]\nformat = "csv"\n[[part]]\nrows = 3\nsize = 6\n')
    assert run("dataset", path, "-o", tmp_path / "set")[0] == 0
    (made,) = (tmp_path / "set" / "train").iterdir()
    rows = [*csv.DictReader(gzip.decompress(made.read_bytes()).decode().splitlines())]
    assert [[*row] for row in rows] == [["part", "puzzle"]] * 3
