"""Build wheels for other machines on this one, with the zig toolchain.

    pip install ziglang 'setuptools>=77' shtab argparse-manpage
    python bench/cross.py                              # all targets, wheels in dist/cross
    python bench/cross.py aarch64-macos -o /tmp/wheels

It shows that the C compiles and links for them. What is released is built by
.github/workflows/wheels.yml, on the machines themselves. The compiler is clang, the headers are
those of this Python with another pyconfig.h, and Windows gets an import library of python3.dll that
is made of the names in them.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ZIG = [sys.executable, "-m", "ziglang"]
# What zig calls a machine, and the tag of its wheels. glibc 2.17 is what many wheels ask for.
TARGETS = {
    "x86_64-linux-gnu.2.17": "manylinux_2_17_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux_2_17_aarch64",
    "x86_64-macos": "macosx_10_15_x86_64",
    "aarch64-macos": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
    "aarch64-windows-gnu": "win_arm64",
}
# The sizes that differ from Linux, and that names come from a library: the stable API asks no more.
WINDOWS = """\
#define MS_WINDOWS 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_PID_T 4
#define HAVE_SSIZE_T 1
#define ALIGNOF_MAX_ALIGN_T 16
"""
SETUP = """\
from importlib.machinery import EXTENSION_SUFFIXES
EXTENSION_SUFFIXES[:] = [{suffix!r}]
import runpy
runpy.run_path("setup.py", run_name="__main__")
"""


def headers(folder: Path, windows: bool) -> Path:
    """A copy of this Python's headers whose pyconfig.h is that of the target."""
    include = folder / "include"
    shutil.copytree(sysconfig.get_path("include"), include)
    own = include / "pyconfig.h"
    own.unlink(missing_ok=True)  # it may be a link, or include another
    own.write_text(WINDOWS if windows else Path(sysconfig.get_config_h_filename()).read_text())
    return include


def import_library(folder: Path, machine: str) -> Path:
    """A library of all names in Python's headers, as macros hide some; what is not used costs
    nothing."""
    code = "".join(path.read_text() for path in (folder / "include").rglob("*.h"))
    names = set(re.findall(r"\b_?Py\w+", code))
    data = re.compile(r"_Py_\w+Struct|PyExc_\w+|Py\w+_Type")
    lines = [f"{name}{' DATA' * bool(data.fullmatch(name))}" for name in sorted(names)]
    (folder / "python3.def").write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines]))
    library = folder / "libpython3.a"
    word = {"x86_64": "i386:x86-64", "aarch64": "arm64"}[machine]
    subprocess.run(
        [*ZIG, "dlltool", "-m", word, "-d", str(folder / "python3.def"), "-l", str(library)],
        check=True,
    )
    return library


def build(target: str, out: Path, folder: Path) -> Path:
    """The wheel for one target; `CalledProcessError` with the compiler's words if it fails."""
    windows, macos = "windows" in target, "macos" in target
    compiler = [*ZIG, "cc", "-target", target, "-I", str(headers(folder, windows))]
    link = [*compiler, "-shared", "-s"]
    if macos:
        link += ["-undefined", "dynamic_lookup"]
    if windows:
        link.append(str(import_library(folder, target.partition("-")[0])))
    shutil.copytree(
        ROOT, folder / "tree", ignore=shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info")
    )
    words = {"CC": shlex.join(compiler), "LDSHARED": shlex.join(link), "CFLAGS": "", "LDFLAGS": ""}
    code = SETUP.format(suffix=".pyd" if windows else ".abi3.so")
    options = ["-q", "bdist_wheel", "--plat-name", TARGETS[target], "-d", str(out.resolve())]
    subprocess.run(
        [sys.executable, "-c", code, *options],
        cwd=folder / "tree", env=os.environ | words, check=True,
    )  # fmt: skip
    return next(out.glob(f"*{TARGETS[target]}.whl"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("-o", "--output", default="dist/cross", metavar="FOLDER")
    arguments = parser.parse_args()
    out = Path(arguments.output)
    out.mkdir(parents=True, exist_ok=True)
    for target in arguments.targets or TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            print(target, build(target, out, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
