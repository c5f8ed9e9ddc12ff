"""The scripts of bench/ start, and the tables in them name what there is."""

import ast
import importlib.util
import runpy
import sys
from pathlib import Path

import pytest

import satdoku  # noqa: F401  before any script can import another one
from satdoku.bench import report
from satdoku.bench.figures import LEAST, MEASURES, comparisons, duels
from satdoku.bench.results import folder_rows
from satdoku.bench.selection import QUICK_MODES, QUICK_TASKS, Selection

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted([*(ROOT / "bench").glob("*.py"), *(ROOT / "bench" / "attacks").glob("*.py")])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_says_how_it_is_used(script, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(script), "--help"])
    monkeypatch.setattr(sys, "path", [str(script.parent), *sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})  # another script may have this name
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.startswith("usage:")


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


@pytest.fixture(scope="module")
def published():
    return folder_rows(ROOT / "bench" / "results")


def test_published_measurements_are_right_and_of_enough_instances(published):
    assert not [row for row in published if row.status in ("wrong", "error")]
    instances = {}
    for row in published:
        instances.setdefault((row.task, row.mode), set()).add(row.instance)
    assert all(len(names) >= 30 for names in instances.values())
    assert all(row.source for row in published)


def test_the_published_report_is_that_of_the_published_measurements(
    published, tmp_path, monkeypatch
):
    folder = ROOT / "bench" / "results"
    written = (folder / "report.md").read_text()
    names = [line for line in written.splitlines() if line.startswith("![")]
    pictures = [folder / line.partition("(")[2].rstrip(")") for line in names]
    assert all(path.exists() for path in pictures)
    monkeypatch.setattr(report, "write_plots", lambda *_: pictures)
    monkeypatch.setattr(report, "_page", lambda *_: "")
    report.write_report(published, tmp_path)
    assert (tmp_path / "report.md").read_text() == written


def test_a_quick_run_denies_nothing_that_the_published_one_shows(published):
    """Its instances are the first of the published ones."""
    chosen = {
        (backend.name, encoding) for backend, encoding in Selection(quick=True).configurations()
    }
    quick = [
        row
        for row in published
        if row.task in QUICK_TASKS
        and row.mode in QUICK_MODES
        and (row.backend, row.encoding) in chosen
        and int(row.instance.rpartition("-")[2]) <= LEAST
    ]
    assert len(quick) == len(chosen) * len(QUICK_TASKS) * LEAST
    some = {(c.task, c.library): c.verdict for c in compared(quick, "total")}
    assert len(some) == 4
    for measure in MEASURES:
        full = {(c.task, c.mode, c.library): c.verdict for c in compared(published, measure)}
        for c in compared(quick, measure):
            assert {c.verdict, full[c.task, c.mode, c.library]} != {"booleans", "integers"}


def compared(rows, measure):
    return comparisons(duels(rows, measure))
