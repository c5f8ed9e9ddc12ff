"""Files of proof trees that are added to, and those of runs that were interrupted."""

from __future__ import annotations

from pathlib import Path

import pytest

from satdoku import certify_files
from satdoku.batch.journal import JournalError
from satdoku.certificates.check_trees import check_trees
from satdoku.certificates.collection import Run
from satdoku.certificates.make import CertifyError
from satdoku.certificates.tree.files import BLOCK, read_blocks, read_head
from satdoku.cli import main

UNIQUE, OPEN = "1234341221434321", "." * 16
PLAIN = f"{UNIQUE}\n{OPEN}\n"


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "some.txt"
    path.write_text(f"{UNIQUE}\n12\n{OPEN}\n" * BLOCK)
    return path


def claims(path: Path) -> bytes:
    with path.open("rb") as stream:
        cells = read_head(stream.readline()).board.cells
        return b"".join(block.unpack(cells).claims for block in read_blocks(stream))


def stopped(run: Run, blocks: int) -> None:
    """Interrupt a run when so many blocks are written."""
    left = iter(range(blocks - 1))

    def on_rows(rows: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    run.on_rows = on_rows
    with pytest.raises(KeyboardInterrupt):
        run.go()


def test_a_run_that_was_stopped_goes_on(collection: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "out.trees", tmp_path / "whole.trees"
    journal = tmp_path / "out.trees.journal"
    told = certify_files(str(collection), str(whole))
    for blocks in (1, 2):
        stopped(Run([str(collection)], str(out), mode="resume"), blocks)
        assert not out.exists()
    with journal.open("r+b") as file:  # as after a power cut
        file.seek(-7, 2)
        file.truncate()
    again = certify_files(str(collection), str(out), mode="resume")
    assert out.read_bytes() == whole.read_bytes() and not journal.exists()
    assert again["statuses"] == told["statuses"] == {"unique": BLOCK, "multiple": BLOCK}
    assert again["unreadable"] == BLOCK and again["rows_read"] == 3 * BLOCK


def test_blocks_of_a_journal_are_kept(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(Run([str(collection)], str(tmp_path / "out.trees"), mode="resume"), 3)
    made = []
    monkeypatch.setattr(
        "satdoku.certificates.collection.block_of", lambda *job: made.append(job) or None
    )
    certify_files(str(collection), str(tmp_path / "out.trees"), mode="resume", workers=1)
    assert not made and len(claims(tmp_path / "out.trees")) == 3 * BLOCK


def test_a_journal_of_other_puzzles_or_options_is_refused(collection: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.trees")
    stopped(Run([str(collection)], out, mode="resume"), 1)
    with pytest.raises(JournalError, match="not a journal of the same task"):
        certify_files(str(collection), out, "king", mode="resume")
    collection.write_text(PLAIN * BLOCK)
    with pytest.raises(JournalError, match="a journal of other puzzles"):
        certify_files(str(collection), out, mode="resume")


def test_an_interrupt_leaves_what_is_finished(collection: Path, tmp_path: Path) -> None:
    stopped(Run([str(collection)], str(tmp_path / "out.trees"), workers=1), 2)
    (part,) = tmp_path.glob("out.trees.*.part")
    with pytest.raises(Exception, match="without an index"):
        claims(part)


def test_rows_are_added(collection: Path, tmp_path: Path) -> None:
    out, small = tmp_path / "out.trees", tmp_path / "small.txt"
    small.write_text(PLAIN)
    assert main(["certify", str(small), "-o", str(out), "-q"]) == 0
    assert main(["certify", str(collection), "-o", str(out), "-q", "--append"]) == 2
    assert main(["certify", OPEN, "-o", str(out), "--append"]) == 0
    assert claims(out) == b"um" + b"u-m" * BLOCK + b"m"
    assert not any(checked.rejected for _, checked in check_trees(str(out)))


def test_a_mode_is_one_of_three(collection: Path, tmp_path: Path) -> None:
    with pytest.raises(CertifyError, match="no mode 'add': choose from new, append, resume"):
        certify_files(str(collection), str(tmp_path / "out.trees"), mode="add")
    asked = ["certify", str(collection), "-o", str(tmp_path / "out.trees")]
    assert main([*asked, "--append", "--resume"]) == 2


def test_only_rows_under_the_same_rules_are_added(
    collection: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.trees"
    added = ["certify", str(collection), "-o", str(out), "-q", "--append"]
    assert main(added) == 2
    assert f"{out}: No such file" in capsys.readouterr().err
    assert main(["certify", OPEN, "--rules", "king", "-o", str(out)]) == 0
    before = out.read_bytes()
    assert main(added) == 2
    assert "holds proof trees under other rules" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert main(["certify", OPEN, "--append"]) == 2
    assert "--append is for proof trees: expected -o FILE.trees" in capsys.readouterr().err


def test_short_trees_are_asked_for_on_the_command_line(tmp_path: Path) -> None:
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sizes = []
    for asked in ([], ["--short"]):
        out = tmp_path / f"{len(sizes)}.trees"
        assert main(["certify", hard, "-o", str(out), *asked]) == 0
        assert main(["verify", str(out), "-q"]) == 0
        sizes.append(out.stat().st_size)
    assert sizes[1] < sizes[0]
    assert main(["certify", hard, "-o", str(tmp_path / "x.jsonl"), "--short"]) == 2
