"""A text, its packed forms, and files written through satdoku."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os

from satdoku.files.outputs import open_output

TEXT = "r5c3=1 ½\n"
DATA = TEXT.encode()
PACK = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
UNPACK = {"gz": gzip.decompress, "xz": lzma.decompress, "bz2": bz2.decompress}


def write(path, data=DATA):
    with open_output(str(path)) as stream:
        stream.write(data)


def files(folder):
    return sorted(os.listdir(folder))


class Screen(io.TextIOWrapper):
    """Standard output that is a terminal; its buffer keeps what is shown."""

    def __init__(self, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self):
        return True
