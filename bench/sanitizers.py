"""Run tests with all C code built under the sanitizers of gcc: memory and undefined behaviour.

    python bench/sanitizers.py                      # all tests of the extensions
    python bench/sanitizers.py tests/counting -m ''   # any other tests, any options of pytest

The tree is copied, and its extensions are built there with -fsanitize=address,undefined. A finding
ends its process with a report, at once or, for faults of memory in any process, at the end, and the
exit code is 1. Leaks are not looked for: the interpreter itself leaks at its end.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
BUILD = "from setuptools import setup; setup()"
EXTENSIONS = ("engine/_kernel", "symmetry/_canonical", "ratings/_ratings", "fewest/_others",
              "certificates/hitting/_hitting", "certificates/proof/_checker",
              "certificates/trim/_trim", "certificates/tree/_tree", "witness/_houses",
              "files/_lines", "answers/_flooding", "model/_automata", "model/_clues",
              "model/_sums")  # fmt: skip
TESTS = ["tests/runtime/test_buffers.py", "tests/engine", "tests/symmetry", "tests/counting",
         "tests/ratings", "tests/certificates/hitting", "tests/certificates/trim",
         "tests/certificates/tree", "tests/fewest",
         "tests/certificates/proof/test_rup.py", "tests/certificates/test_check.py",
         "tests/witness/test_verify.py", "tests/files/collection/test_plain.py",
         "tests/answers/test_flooding.py", "tests/model/test_clue.py",
         "tests/model/test_automata.py", "tests/model/test_implied.py",
         "tests/model/kinds/test_regular.py", "tests/cnf/test_clues.py",
         "tests/cnf/encodings/test_shapes.py"]  # fmt: skip


def build(tree: Path) -> None:
    """Copy the repository to `tree` and build every extension there; exits if one is missing."""
    left_out = shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=left_out)
    environment = os.environ | {"CC": "gcc", "CFLAGS": f"-O1 -g1 {FLAGS}", "LDFLAGS": FLAGS}
    command = [sys.executable, "-c", BUILD, "-q", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=tree, env=environment, stderr=subprocess.PIPE, text=True)
    if missing := [name for name in EXTENSIONS if not [*tree.glob(f"satdoku/{name}.*.so")]]:
        sys.exit(f"not built: {', '.join(missing)}\n{done.stderr}")


def library(name: str) -> str:
    """Where gcc has one of its libraries."""
    command = ["gcc", f"-print-file-name={name}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test(tree: Path, words: list[str]) -> int:
    """Run pytest in the copy, with the sanitizers' libraries loaded first; 0 if all is well."""
    reports = tree.parent / "report"
    environment = os.environ | {
        "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')}",
        "ASAN_OPTIONS": f"detect_leaks=0,log_path={reports}",
        "PYTHONMALLOC": "malloc",  # so that each object has its own memory, and none is near
        "PYTHONPATH": str(tree),
    }
    # What pytest captured of a process that ends at once would be lost: undefined behaviour.
    options = ["-rs", "--capture=sys", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *words]
    code = subprocess.run(command, cwd=tree, env=environment).returncode
    found = sorted(reports.parent.glob("report.*"))
    print(*(path.read_text(errors="replace") for path in found), sep="\n", end="")
    return 1 if found else code


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="TEST", help="tests and options of pytest")
    parser.parse_known_args()  # for --help
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        build(tree)
        return test(tree, sys.argv[1:] or TESTS)


if __name__ == "__main__":
    sys.exit(main())
