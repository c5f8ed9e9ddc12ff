"""docs/LAYOUT.md names every folder and every layer, and no others; tests mirror modules."""

import re
import tomllib
from pathlib import Path

import satdoku

ROOT = Path(satdoku.__file__).parent
TOP = Path(__file__).parent.parent
UNMIRRORED = TOP / "tests" / "unmirrored.txt"
PAGE = (TOP / "docs" / "LAYOUT.md").read_text()


def contract():
    config = tomllib.loads((TOP / "pyproject.toml").read_text())["tool"]["importlinter"]
    (layers,) = (c["layers"] for c in config["contracts"] if c["type"] == "layers")
    return [tuple(layer.split(" | ")) for layer in layers]


def folders_of_the_table():
    (section,) = re.findall(r"^## Folders$(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
    assert rows[0] == ["folder", "subject", "invariant"]
    assert all(len(row) == 3 and all(row) for row in rows[2:])
    return [row[0] for row in rows[2:]]


def test_the_table_lists_exactly_the_folders():
    folders = {file.parent.name for file in ROOT.glob("*/__init__.py")}
    assert sorted(folders_of_the_table()) == sorted(folders)


def test_every_folder_has_its_tests():
    for folder in folders_of_the_table():
        assert list((TOP / "tests" / folder).rglob("test_*.py")), folder


def modules_without_tests():
    """Modules of which tests/ has no mirror: satdoku/a/b.py has tests/a/test_b.py."""
    modules = (path.relative_to(ROOT) for path in ROOT.rglob("*.py"))
    return {
        str(module.with_suffix(""))
        for module in modules
        if not module.name.startswith("__")
        and not (TOP / "tests" / module.with_name(f"test_{module.name}")).exists()
    }


def listed_without_tests():
    """Folders with the names of their modules, one folder a line."""
    lines = (line for line in UNMIRRORED.read_text().splitlines() if line[:1] not in ("", "#"))
    folders = (line.partition(":")[::2] for line in lines)
    return {f"{folder}/{name}" for folder, names in folders for name in names.split()}


def test_a_new_module_has_its_mirrored_tests():
    assert modules_without_tests() <= listed_without_tests()


def test_the_list_of_modules_without_mirrored_tests_only_shrinks():
    """Who writes the tests of a module, or deletes it, strikes it out."""
    assert listed_without_tests() <= modules_without_tests()


def test_the_table_runs_from_the_lowest_layer_up():
    level = {name: -i for i, layer in enumerate(contract()) for name in layer}
    levels = [level[folder] for folder in folders_of_the_table()]
    assert levels == sorted(levels)


def test_the_layers_shown_are_those_of_the_contract():
    (shown,) = re.findall(r"```\n(cli\n.*?)```", PAGE, re.DOTALL)
    assert [tuple(line.split(" | ")) for line in shown.splitlines()] == contract()
