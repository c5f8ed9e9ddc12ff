"""Files of outputs: temporary ones, whose names nobody can foresee, and all in a folder."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path


def parts(out: Path) -> list[Path]:
    """The temporary files of an output, by name."""
    pattern = re.compile(re.escape(out.name) + r"\.[0-9a-f]{16}\.part")
    return sorted(path for path in out.parent.iterdir() if pattern.fullmatch(path.name))


def bytes_written(out: Path) -> int:
    """The size of the temporary files of an output, -1 if there is none."""
    sizes = [-1]
    for part in parts(out):
        with suppress(FileNotFoundError):  # by now it has its name
            sizes.append(part.stat().st_size)
    return max(sizes)


def files_in(folder: str | Path) -> dict[str, bytes]:
    """The bytes of all files in a folder, at any depth, by their paths in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }
