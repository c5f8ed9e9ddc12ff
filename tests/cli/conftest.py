"""Fixtures of the tests of commands."""

from __future__ import annotations

import io
import sys

import pytest


@pytest.fixture
def file(tmp_path):
    """Write a file and return its name."""

    def write(content, name="puzzles.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


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
