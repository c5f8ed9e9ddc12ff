"""The scripts of bench/ start, and the tables in them name what there is."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import satdoku  # noqa: F401  before any script can import another one

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "bench").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_says_how_it_is_used(script):
    words = [sys.executable, str(script), "--help"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage:")


@pytest.fixture(scope="module")
def mutants():
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "bench" / "mutants.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module
    spec.loader.exec_module(module)
    return module


def test_mutants_know_their_modules_their_tests_and_their_places(mutants):
    for module in mutants.MODULES:
        assert all((ROOT / test).exists() for test in mutants.tests_of(module)), module
    for places in mutants.PLACES.values():
        for module, names in places.items():
            tree = ast.parse((ROOT / "satdoku" / f"{module}.py").read_text())
            found = {getattr(node, "name", None) for node in ast.walk(tree)}
            found |= {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
            assert names <= found, (module, names - found)


def test_every_mutant_of_a_family_is_one_of_a_module_that_is_there(mutants, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])  # it puts the repository in front
    families = [m for m in mutants.mutants_of("cnf/encodings/formula") if m.kind == "families"]
    assert len(families) > 200
    assert all((ROOT / "satdoku" / f"{m.module}.py").exists() for m in families)
