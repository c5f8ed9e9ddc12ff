"""`bench/cross.py`: the C compiles for other machines."""

import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXTENSIONS = 8
# The first bytes of a shared library, and its number of the processor with the place where it is.
KINDS = {
    "aarch64-linux-gnu.2.17": (b"\x7fELF", 18, b"\xb7\x00"),
    "aarch64-macos": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
    "x86_64-macos": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "x86_64-windows-gnu": (b"MZ", None, b""),
    "aarch64-windows-gnu": (b"MZ", None, b""),
}


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("ziglang"), reason="needs ziglang")
@pytest.mark.parametrize("target", KINDS)
def test_all_extensions_are_built_for(target, tmp_path):
    command = [sys.executable, ROOT / "bench" / "cross.py", target, "-o", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    suffix = ".pyd" if "windows" in target else ".abi3.so"
    magic, place, machine = KINDS[target]
    with zipfile.ZipFile(wheel) as archive:
        built = [archive.read(name) for name in archive.namelist() if name.endswith(suffix)]
    assert len(built) == EXTENSIONS
    for library in built:
        assert library.startswith(magic)
        assert place is None or library[place:].startswith(machine)
