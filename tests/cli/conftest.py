"""Fixtures of the tests of commands."""

from __future__ import annotations

import io
import sys

import pytest


@pytest.fixture
def file(file):
    """Write a file, `puzzles.txt` unless it is given a name, and return its path."""
    return lambda content, name="puzzles.txt": file(content, name)


@pytest.fixture
def stdin(monkeypatch):
    def feed(text):
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "stdin", stream)

    return feed


@pytest.fixture
def lines_of(run):
    """Run a command in this process: (exit code, stdout lines, stderr)."""

    def call(*arguments):
        code, out, err = run(*arguments)
        return code, out.splitlines(), err

    return call
