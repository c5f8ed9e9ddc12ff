"""The journal of tasks: what is torn, forged or of another search counts for nothing."""

from __future__ import annotations

import pytest

from satdoku.batch.journal import JournalError
from satdoku.batch.task_journal import TaskJournal
from satdoku.files.streams import FileError

RECORDS = [{"task": n, "sets": "ab" * n, "puzzles": [n, 1 << 80]} for n in range(4)]


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = str(tmp_path / "journal")
    journal = TaskJournal(path, "settings")
    assert list(journal.replay()) == []
    for record in RECORDS[:3]:
        journal.append(record)
    journal.close()
    return path


def replayed(path, settings="settings"):
    journal = TaskJournal(path, settings)
    try:
        return list(journal.replay())
    finally:
        journal.close()


def test_records_come_back_and_more_can_follow(path):
    journal = TaskJournal(path, "settings")
    assert list(journal.replay()) == RECORDS[:3]
    journal.append(RECORDS[3])
    journal.close()
    assert replayed(path) == RECORDS


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_torn_record_is_cut_off(path, cut):
    with open(path, "r+b") as file:
        file.truncate(file.seek(0, 2) - cut)
    assert replayed(path) == RECORDS[:2]
    assert replayed(path) == RECORDS[:2]


def test_a_forged_record_counts_for_nothing(path):
    with open(path, "rb") as file:
        lines = file.readlines()
    with open(path, "wb") as file:
        file.writelines([*lines[:2], lines[2].replace(b'"task": 1', b'"task": 7'), lines[3]])
    assert replayed(path) == RECORDS[:1]
    with open(path, "wb") as file:
        file.writelines([lines[0], lines[2], lines[1], lines[3]])
    assert replayed(path) == []


def test_another_search_or_another_file_is_refused(path, tmp_path):
    with pytest.raises(JournalError, match="not a journal of the same task"):
        replayed(path, "other settings")
    other = tmp_path / "text"
    other.write_text("something else\n")
    with pytest.raises(JournalError, match="not a journal"):
        replayed(str(other))
    assert other.read_text() == "something else\n"
    with pytest.raises(FileError):
        TaskJournal(str(tmp_path / "no" / "folder"), "settings")


def test_two_runs_do_not_share_a_journal(path):
    first = TaskJournal(path, "settings")
    with pytest.raises(JournalError, match="another run"):
        TaskJournal(path, "settings")
    first.close()
