"""What a disk may hold after a power cut, from the recorded calls of a run.

The model is as strict as POSIX: bytes are on the disk for sure once their file was synced, names
once their folder was. Of all other calls any subset may have reached the disk, in any order, and a
write also in part, or as zeros of its length.
"""

from __future__ import annotations

import os
import random
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parent / "recorder.c"
Disk = dict[str, bytes]  # what is in a folder


class Call(NamedTuple):
    """One call: create, write, truncate, rename, link, unlink, sync or syncfolder."""

    kind: str
    inode: int
    offset: int
    name: str
    new_name: str
    data: bytes

    @property
    def on_names(self) -> bool:
        return self.kind in ("create", "rename", "link", "unlink")

    @property
    def on_bytes(self) -> bool:
        return self.kind in ("write", "truncate")


def compile_recorder(folder: Path) -> Path | None:
    """The library to preload; None where there is no compiler, or no way to preload."""
    library = folder / "recorder.so"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    command = [compiler, "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(library), "-ldl"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    assert done.returncode == 0, done.stderr
    return library


def recorded(library: Path, folder: Path, log: Path, command: Sequence[str]) -> list[Call]:
    """Run a command to its good end: its calls on the files of a folder."""
    there = {"LD_PRELOAD": str(library), "RECORD_FOLDER": str(folder), "RECORD_LOG": str(log)}
    subprocess.run(command, env={**os.environ, **there}, check=True)
    return list(_calls(log.read_bytes()))


def _calls(log: bytes) -> Iterator[Call]:
    while log:
        line, _, log = log.partition(b"\n")
        kind, inode, offset, length, name, new_name = line.decode().split()
        data, log = log[: int(length)], log[int(length) :]
        yield Call(kind, int(inode), int(offset), name, new_name, data)


class Start(NamedTuple):
    """What was on the disk before: the names with their inodes, the bytes by inode."""

    names: Mapping[str, int]
    files: Mapping[int, bytes]

    @classmethod
    def of(cls, folder: Path) -> Start:
        names = {path.name: path.stat().st_ino for path in folder.iterdir()}
        return cls(names, {inode: (folder / name).read_bytes() for name, inode in names.items()})


def certain(calls: Sequence[Call]) -> set[int]:
    """The indices of the calls whose effect was synced behind them."""
    found, synced, folder = set(), set(), False
    for index in reversed(range(len(calls))):
        call = calls[index]
        folder |= call.kind == "syncfolder"
        if call.kind == "sync":
            synced.add(call.inode)
        if (call.on_names and folder) or (call.on_bytes and call.inode in synced):
            found.add(index)
        if call.kind == "create":  # an inode's number may have belonged to another file before
            synced.discard(call.inode)
    return found


def applied(start: Start, calls: Sequence[Call], chosen: set[int], torn: int | None = None) -> Disk:
    """The disk if these calls reached it; of the call `torn` half its bytes, the rest as zeros."""
    names, files = dict(start.names), {i: bytearray(data) for i, data in start.files.items()}
    for index, call in enumerate(calls):
        if call.kind == "create":
            files[call.inode] = bytearray()
        if index not in chosen:
            continue
        if call.kind in ("create", "link"):
            names[call.name if call.kind == "create" else call.new_name] = call.inode
        elif call.kind == "rename":
            names.pop(call.name, None)
            names[call.new_name] = call.inode
        elif call.kind == "unlink":
            names.pop(call.name, None)
        elif call.kind == "truncate":
            del files[call.inode][call.offset :]
        elif call.kind == "write":
            half = len(call.data) // 2
            data = call.data[:half] + bytes(len(call.data) - half) if index == torn else call.data
            file = files[call.inode]
            file.extend(bytes(max(0, call.offset - len(file))))
            file[call.offset : call.offset + len(data)] = data
    return {name: bytes(files[inode]) for name, inode in names.items()}


def disks(start: Start, calls: Sequence[Call], rng: random.Random) -> Iterator[Disk]:
    """What the disk may hold if the power goes behind the last of the calls."""
    sure = certain(calls)
    open_ = [
        i for i, call in enumerate(calls) if i not in sure and (call.on_names or call.on_bytes)
    ]
    choices = [open_[:end] for end in range(len(open_) + 1)]
    choices += [[i for i in open_ if i != left_out] for left_out in open_]
    choices += [[one] for one in open_]
    choices += [[i for i in open_ if rng.random() < 0.5] for _ in range(8)]
    for choice in choices:
        yield applied(start, calls, sure | set(choice))
    for torn in (i for i in open_ if calls[i].kind == "write"):
        yield applied(start, calls, sure | set(open_), torn)
