"""The notebooks run from top to bottom, and what they show is what they store."""

import re
from pathlib import Path

import notebooks
import pytest

from satdoku import __version__

PATHS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def texts(outputs):
    """What is printed and shown as text, and the other forms that a display has."""
    return [
        "".join(out.get("text") or out["data"]["text/plain"])
        + " ".join(sorted(out.get("data", ())))
        for out in outputs
    ]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_it_stores(path):
    cells = notebooks.code_cells(notebooks.load(path))
    for cell, outputs in zip(cells, notebooks.run(path), strict=True):
        assert texts(cell["outputs"]) == texts(outputs), notebooks.source(cell)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_it_is_small_and_tells_nothing_of_the_machine(path):
    text = path.read_text()
    assert len(text) < 200_000 and "tmp" not in text and "home" not in text
    notebook = notebooks.load(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert all(cell["outputs"] is not None for cell in notebooks.code_cells(notebook))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_what_it_stores_is_of_this_version(path):
    assert set(re.findall(r"satdoku (\d+\.\d+\.\d+)", path.read_text())) <= {__version__}


def test_there_are_two():
    assert len(PATHS) == 2


def test_cells_share_names_and_show_their_last_expression():
    names = {}
    assert notebooks.outputs_of("a = 1\nprint(a)\na + 1", names) == [
        {"name": "stdout", "output_type": "stream", "text": ["1\n"]},
        {"data": {"text/plain": ["2"]}, "metadata": {}, "output_type": "execute_result"},
    ]
    assert notebooks.outputs_of("b = a", names) == [] == notebooks.outputs_of("None", names)
