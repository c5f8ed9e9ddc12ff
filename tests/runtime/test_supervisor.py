"""The supervisor's own parts: what it removes, and whom it may signal."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.runtime import supervisor
from satdoku.runtime.supervisor import remove

# A folder: what it holds, each a folder again, or a sort of file; and whether it forbids all.
FOLDERS = st.recursive(
    st.sampled_from(["file", "link", "loop", "pipe", "empty"]),
    lambda inner: st.tuples(st.lists(inner, max_size=4), st.booleans()),
    max_leaves=20,
)


def make(path, what):
    if what == "file":
        path.write_text("x")
    elif what in ("link", "loop"):
        path.symlink_to("/etc" if what == "link" else path)
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
        inner, forbids = ([], False) if what == "empty" else what
        for index, one in enumerate(inner):
            make(path / f".{index}", one)  # the names that `remove` would give
        if forbids:
            path.chmod(0)


@settings(max_examples=share(60), deadline=None)
@given(what=FOLDERS)
def test_every_folder_is_removed(what, tmp_path_factory):
    folder = tmp_path_factory.mktemp("f")
    beside = folder / "beside"
    beside.write_text("x")
    make(folder / "it", what if isinstance(what, tuple) else ([what], False))
    remove(str(folder / "it"))
    assert list(folder.iterdir()) == [beside]


def test_a_link_in_place_of_the_folder_is_removed_and_not_followed(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("x")
    (tmp_path / "it").symlink_to(tmp_path / "other")
    remove(str(tmp_path / "it"))
    assert [path.name for path in tmp_path.rglob("*")] == ["other", "file"]
    remove(str(tmp_path / "it"))  # it is gone, and nobody complains


def test_a_folder_too_deep_for_its_path(tmp_path):
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(300):
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
    finally:
        os.chdir(here)
    remove(str(tmp_path / ("d" * 100)))
    assert list(tmp_path.iterdir()) == []


def test_as_a_script_it_needs_nothing_of_satdoku():
    code = f"import runpy, sys; runpy.run_path({supervisor.__file__!r}); print(*sys.modules)"
    asked = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert "satdoku" not in asked.stdout
    assert {"subprocess", "socket", "tempfile", "shutil"}.isdisjoint(asked.stdout.split())


def test_what_cannot_be_removed_costs_nothing_else(tmp_path, monkeypatch):
    """As where another user wrote it: the rest goes, and the loop ends."""
    make(tmp_path / "it", ([(["file"], False), "file", "link"], True))
    unlink = os.unlink
    monkeypatch.setattr(os, "unlink", lambda path: unlink("/no" if path.endswith("1") else path))
    remove(str(tmp_path / "it"))
    assert [path.name for path in tmp_path.rglob("*")] == ["it", ".1"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_processes_are_those_of_the_system():
    child = subprocess.Popen(["sleep", "60"])
    try:
        table = dict(supervisor._processes())
        assert table[child.pid][0] == os.getpid()
        assert 1 << 20 < table[os.getpid()][1] < 1 << 34
    finally:
        child.kill()
        child.wait()
