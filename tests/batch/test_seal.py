"""The key of a user: made once, secret, and never taken from what others may have put there."""

import os
import threading

import pytest

from satdoku.batch import seal
from satdoku.batch.seal import KEY_BYTES, key_path, own_key
from satdoku.files.streams import FileError


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "satdoku" / "journal.key"


def test_it_is_made_once_and_nobody_else_may_read_it(path):
    key = own_key()
    assert key_path() == str(path)
    assert own_key() == key == path.read_bytes()
    assert len(set(key)) > KEY_BYTES // 2
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert os.listdir(path.parent) == ["journal.key"]


@pytest.mark.parametrize("state", [None, "", "relative/folder"])
def test_by_default_it_lies_below_home(state, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME")
    if state is not None:
        monkeypatch.setenv("XDG_STATE_HOME", state)
    own_key()
    assert (tmp_path / ".local" / "state" / "satdoku" / "journal.key").exists()


def test_runs_that_start_at_once_have_one_key(path):
    start, keys = threading.Barrier(8), []

    def ask():
        start.wait()
        keys.append(own_key())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(keys), len(set(keys))) == (8, 1)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_damaged_key_is_refused(path, size):
    own_key()
    path.write_bytes(bytes(size))
    with pytest.raises(FileError, match="holds no key of 32 bytes: remove it, for a new one"):
        own_key()


def test_a_key_that_others_may_read_is_none(path):
    own_key()
    path.chmod(0o640)
    with pytest.raises(FileError, match="others may read this key: remove it"):
        own_key()


def test_a_key_of_another_user_is_refused(path, monkeypatch):
    own_key()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(FileError, match="belongs to another user: set XDG_STATE_HOME"):
        own_key()


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_no_key(path, kind, tmp_path):
    path.parent.mkdir(parents=True)
    if kind == "link":
        (tmp_path / "elsewhere").write_bytes(bytes(KEY_BYTES))
        path.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises((FileError, OSError)):
        own_key()


def test_seals_differ_by_key_and_by_text():
    key = bytes(KEY_BYTES)
    found = {
        seal.seal(k, a, b) for k in (key, b"", b"1") for a in (b"a", b"b") for b in (b"", b"c")
    }
    assert len(found) == 12
    assert {len(one) for one in found} == {32}
