"""Coverage-guided fuzzing of the parsers, by atheris (libFuzzer).

    pip install atheris
    python tests/fuzz_parsers.py                     # the parsers' names
    python tests/fuzz_parsers.py cnf -max_total_time=300
    python tests/fuzz_parsers.py cnf,proof           # each input goes to both of them
    python tests/fuzz_parsers.py all -max_total_time=60

What follows the names goes to libFuzzer. An input that costs more than a `SatdokuError`, or that
our writers turn into another one, ends the run and is written to a file crash-...; `-timeout=5`
(default here) and `-rss_limit_mb=4096` bound time and memory. Exit code 1 if something was found.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
USUAL = [
    "-timeout=5",
    "-rss_limit_mb=4096",  # atheris itself takes up to 3 MiB a second
    "-max_len=4096",
    "-verbosity=0",
    "-print_final_stats=1",
]


def fuzz_all(targets: list[str], options: list[str]) -> int:
    """Each parser in a process of its own, because libFuzzer ends the one it runs in."""
    failed = []
    for target in targets:
        print(f"== {target}", flush=True)
        if subprocess.run([sys.executable, __file__, target, *options], check=False).returncode:
            failed.append(target)
    print(f"{len(targets)} parsers, found something in: {', '.join(failed) or 'none'}")
    return int(bool(failed))


def fuzz_one(targets: list[str], options: list[str]) -> None:
    try:
        import atheris
    except ImportError:
        sys.exit("this needs atheris: pip install atheris")
    with atheris.instrument_imports(include=["satdoku"]):
        import fuzz_targets

    def one_input(data: bytes) -> None:
        for target in targets:
            fuzz_targets.run(target, data)

    seeds = {seed for target in targets for seed in fuzz_targets.seeds()[target]}
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(sorted(seeds)):
            (Path(corpus) / f"seed{number}").write_bytes(seed)
        atheris.Setup([sys.argv[0], *USUAL, *options, corpus], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        from fuzz_targets import TARGETS

        print("\n".join(["all", *TARGETS]))
    elif sys.argv[1] == "all":
        from fuzz_targets import TARGETS

        sys.exit(fuzz_all(list(TARGETS), sys.argv[2:]))
    else:
        fuzz_one(sys.argv[1].split(","), sys.argv[2:])
