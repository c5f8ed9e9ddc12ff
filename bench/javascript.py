"""The engine in node and in Chromium, beside the native one: its time, and whether they agree.

    python bench/javascript.py COLLECTION... [--in node chromium] [--limit 1 2]
                               [--rival NAME=LIBRARY] [--lines 1000000]
    python bench/javascript.py COLLECTION... --agree [--classic 1000000] [--named 100000]
                               [--clued 10000] [--made 300] [--in avx2 baseline numpy ...]

Times are microseconds of processor time a puzzle, one thread, from digits in memory to solutions
in memory; in node and Chromium those of all their processes (so this needs Linux). The runs of all
take turns, and the least is shown. Rivals are called as in `bench/engine.py`; the last columns are
the least time of the best rival divided by that of ours. `--lines` also has each collection,
repeated to so many lines, read and checked as a text: seconds of processor time, and the most
memory of a process.

`--agree` compares statuses, and solutions of unique puzzles: the collections as they are, and with
changed, missing and relabelled digits; random named rules on boards of 4x4, 6x6 and 9x9; and
clues: puzzles/gallery.csv, `--made` puzzles of the generator, and the examples of all kinds, some
at a time, each layout with other givens. What is compared with the native engine may be its other
implementations, too. The exit code is 1 if any answer differs. Which of a few
puzzles with clues is given up after its nodes depends on the width of vectors, natively too: that
is counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from engine import Rival
from numpy.typing import NDArray

from satdoku import engine
from satdoku.engine import wasm
from satdoku.files.collection import read_chunks
from satdoku.generator.clues import puzzles_with_clues
from satdoku.model.board import Board
from satdoku.model.constraints import Constraints, constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.rules import RULES, RuleError
from satdoku.runtime.errors import SatdokuError, Status

ROOT = Path(__file__).parents[1]
Puzzles = NDArray[np.uint8]
CLASSIC = constraints_for("classic")
LEAST_SECONDS = 0.5  # of a run of the native engine: processor time is told in hundredths
PART = 100_000  # puzzles that are compared at a time
LAYOUT = 10  # puzzles with the same clues
BUDGET = 3_000  # nodes of a puzzle that is compared

# What both run: ask for jobs, do them, and send what was found.
SCRIPT = """
export async function work(base, { load, readLines }) {
  const satdoku = await load(`${base}satdoku.wasm`);
  const bytes = async (name) => new Uint8Array(await (await fetch(base + name)).arrayBuffer());
  let puzzles, plan;
  const DO = {
    async take({ rules, size }) {
      if (plan) satdoku.forget(plan);
      plan = satdoku.plan(rules ?? (await bytes("plan")), size);
      puzzles = await bytes("puzzles");
      satdoku.solveBatch(puzzles.subarray(0, 2048 * plan.cells), plan);
      return "";
    },
    async time({ limit, times }) {
      for (let i = 0; i < times; i++) satdoku.solveBatch(puzzles, plan, { limit });
      return "";
    },
    async answer({ budget }) {
      const { statuses, solutions } = satdoku.solveBatch(puzzles, plan, { budget });
      return new Blob([statuses, solutions]);
    },
    async file() {
      const counts = {}, { body } = await fetch(`${base}file`);
      for await (const { puzzles, faults } of readLines(body)) {
        for (const status of satdoku.solveBatch(puzzles).statuses)
          counts[status] = (counts[status] ?? 0) + 1;
        if (faults.length) counts.faults = (counts.faults ?? 0) + faults.length;
      }
      return JSON.stringify(counts);
    },
  };
  for (;;) {
    const job = await (await fetch(`${base}job`)).json();
    if (!job.do) return;
    const found = await DO[job.do](job).catch((error) => `failed: ${error.stack}`);
    await fetch(`${base}found`, { method: "POST", body: found });
  }
}
"""
PAGE = """<!doctype html><script type="module">
import * as module from "/satdoku.js";
import { work } from "/work.mjs";
await work("/", module);
</script>"""


class Host:
    """Node or Chromium, which does jobs of `SCRIPT` one after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pid = 0
        self.held: dict[str, bytes] = {
            name: (wasm.FOLDER / name).read_bytes() for name in ("satdoku.js", "satdoku.wasm")
        } | {"work.mjs": SCRIPT.encode(), "": PAGE.encode(), "favicon.ico": b""}
        self.jobs: queue.Queue[dict[str, Any]] = queue.Queue()
        self.found: queue.Queue[bytes] = queue.Queue()

    def ask(self, **job: Any) -> bytes:
        self.jobs.put(job)
        found = self.found.get(timeout=3600)
        if found.startswith(b"failed: "):
            raise SystemExit(f"{self.name} {found.decode()}")
        return found

    def take(self, puzzles: Puzzles, rules: str | None, plan: bytes, size: int = 9) -> None:
        """The puzzles that `ask` is about, under named rules or a plan."""
        self.held |= {"puzzles": puzzles.tobytes(), "plan": plan}
        self.ask(do="take", rules=rules, size=size)

    def answers(self, case: Case) -> tuple[Puzzles, Puzzles]:
        """Statuses, and solutions of unique puzzles."""
        plan = b"" if case.names else wasm.plan_bytes(case.constraints)
        self.take(case.puzzles, case.names, plan, case.constraints.board.choices)
        found = np.frombuffer(self.ask(do="answer", budget=BUDGET), np.uint8)
        many = len(case.puzzles)
        return found[:many], found[many:].reshape(case.puzzles.shape)

    def spent(self, **job: Any) -> float:
        """Seconds of processor time that a job takes."""
        before = sum(cpu for cpu, _ in _processes(self.pid))
        self.ask(**job)
        return sum(cpu for cpu, _ in _processes(self.pid)) - before


class Native(NamedTuple):
    """One implementation of the native engine."""

    name: str

    def answers(self, case: Case) -> tuple[Puzzles, Puzzles]:
        found = engine.solve(
            case.puzzles, case.constraints, node_budget=BUDGET, implementation=self.name
        )
        return found.status, found.solutions


def _processes(root: int) -> list[tuple[float, int]]:
    """Processor time and highest memory (MB) of a process and of all below it."""
    parents, seen = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            status = (stat.parent / "status").read_text()
        except OSError:
            continue  # it has ended
        pid = int(stat.parent.name)
        peak = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        parents[pid], seen[pid] = int(fields[1]), (cpu, max(peak, default=0) // 1000)

    def is_below(pid: int) -> bool:
        return pid == root or (pid in parents and is_below(parents[pid]))

    return [seen[pid] for pid in seen if is_below(pid)]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A host that ends lets its connections fall."""


@contextmanager
def opened(name: str, folder: Path) -> Iterator[Host]:
    """A host that waits for jobs."""
    host = Host(name)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.lstrip("/")
            body = json.dumps(host.jobs.get()).encode() if name == "job" else host.held[name]
            kind = {"": "text/html", "satdoku.js": "text/javascript", "work.mjs": "text/javascript"}
            self.send_response(200)
            self.send_header("Content-Type", kind.get(name, "application/octet-stream"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            host.found.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with started(host, f"http://127.0.0.1:{server.server_port}/", folder):
            yield host
            host.jobs.put({})
    finally:
        server.shutdown()


@contextmanager
def started(host: Host, address: str, folder: Path) -> Iterator[None]:
    if host.name == "chromium":
        sys.path.insert(0, str(ROOT / "tests" / "support"))
        from browser import chromium

        (folder / "profile").mkdir(exist_ok=True)
        with chromium(folder) as driver:
            host.pid = driver.service.process.pid
            driver.get(address)
            yield
        return
    (folder / "work.mjs").write_text(SCRIPT)
    module = json.dumps((wasm.FOLDER / "satdoku.js").as_uri())
    code = (
        f"import * as module from {module};\nimport {{ work }} from './work.mjs';\n"
        f"await work({json.dumps(address)}, module);\n"
    )
    (folder / "main.mjs").write_text(code)
    node = shutil.which("node") or sys.exit("no node")
    with subprocess.Popen([node, folder / "main.mjs"]) as process:
        host.pid = process.pid
        try:
            yield
        finally:
            process.terminate()


# --- times ---------------------------------------------------------------------------------------


def measured(
    hosts: list[Host], rivals: dict[str, Rival], puzzles: Puzzles, limit: int, repeat: int
) -> dict[str, float]:
    """The least microseconds a puzzle of each host, of the native engine, and of each rival."""
    start = time.process_time()
    engine.solve(puzzles, CLASSIC, limit=limit)
    times = 1 + int(LEAST_SECONDS / (time.process_time() - start))
    seen: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        seen.setdefault(name, []).append(seconds / times / len(puzzles) * 1e6)

    for host in hosts:
        host.take(puzzles, "classic", b"")
        host.ask(do="time", limit=limit, times=times)  # what is often run is compiled anew
    for _ in range(repeat):
        for host in hosts:
            note(host.name, host.spent(do="time", limit=limit, times=times))
        for name in ("native", "baseline"):
            start = time.process_time()
            for _ in range(times):
                implementation = None if name == "native" else name
                engine.solve(puzzles, CLASSIC, limit=limit, implementation=implementation)
            note(name, time.process_time() - start)
        for name, rival in rivals.items():
            seen.setdefault(name, []).append(rival.measure(puzzles, limit))
    return {name: min(each) for name, each in seen.items()}


def show_times(arguments: argparse.Namespace, hosts: list[Host]) -> None:
    rivals = {name: Rival(path) for name, path in (r.split("=", 1) for r in arguments.rival)}
    header = True
    for path in arguments.collections:
        puzzles = puzzles_of(path)
        for limit in arguments.limit:
            found = measured(hosts, rivals, puzzles, limit, arguments.repeat)
            cells = {"collection": Path(path).stem, "limit": str(limit)}
            cells |= {name: f"{figure:.3g}" for name, figure in found.items()}
            for host in hosts if rivals else ():
                ratio = min(found[rival] for rival in rivals) / found[host.name]
                cells[f"ratio, {host.name}"] = f"{ratio:.1f}"
            if header:
                print(f"| {' | '.join(cells)} |\n{'|---' * len(cells)}|")
            header = False
            print(f"| {' | '.join(cells.values())} |", flush=True)
    for path in arguments.collections if arguments.lines else ():
        for name in arguments.hosts:
            show_reading(path, arguments.lines, name)


def show_reading(path: str, many: int, name: str) -> None:
    """A text of so many lines in a fresh host, whose memory is for this alone."""
    lines = Path(path).read_bytes().splitlines(keepends=True)
    text = b"".join((lines * (-(-many // len(lines))))[:many])
    with tempfile.TemporaryDirectory() as folder, opened(name, Path(folder)) as host:
        host.held["file"] = text
        before, start = sum(cpu for cpu, _ in _processes(host.pid)), time.monotonic()
        counts = host.ask(do="file").decode()
        wall, after = time.monotonic() - start, _processes(host.pid)
    spent, peak = sum(cpu for cpu, _ in after) - before, max(peak for _, peak in after)
    print(
        f"{Path(path).stem}, {many} lines, {name}: {spent:.2f} s of processor time, {wall:.2f} s, "
        f"{peak} MB, statuses {counts}",
        flush=True,
    )


def puzzles_of(path: str) -> Puzzles:
    return np.concatenate([chunk.puzzles for chunk in read_chunks(path)])


# --- agreement -----------------------------------------------------------------------------------


class Case(NamedTuple):
    """Puzzles under the same rules: their names for `satdoku.js`, or None for the plan."""

    names: str | None
    constraints: Constraints
    puzzles: Puzzles


def changed(puzzles: Puzzles, dice: np.random.Generator, digits: int) -> Puzzles:
    """A third of them lack a given, a third have another digit somewhere."""
    made = puzzles.copy()
    rows = np.arange(len(made))
    cells = dice.integers(0, made.shape[1], len(made))
    cells[::3] = np.argmax((made > 0) * dice.random(made.shape), axis=1)[::3]
    made[rows[::3], cells[::3]] = 0
    made[rows[1::3], cells[1::3]] = dice.integers(0, digits + 1, len(rows[1::3]))
    return made


def relabelled(puzzles: Puzzles, dice: np.random.Generator) -> Puzzles:
    order = np.argsort(dice.random((len(puzzles), 9)), axis=1) + 1
    order = np.concatenate([np.zeros((len(puzzles), 1), int), order], axis=1)
    return order[np.arange(len(puzzles))[:, None], puzzles].astype(np.uint8)


def classic(paths: list[str], many: int, dice: np.random.Generator) -> Iterator[Case]:
    """The collections as they are, then changed, until there are so many."""
    lists = [puzzles_of(path) for path in paths]
    left, rounds = many, 0
    while left > 0:
        for puzzles in lists:
            for first in range(0, len(puzzles), PART):
                part = puzzles[first : first + PART][: max(left, 0)]
                left -= len(part)
                if rounds:
                    part = changed(relabelled(part, dice), dice, 9)
                if len(part):
                    yield Case("classic", CLASSIC, part)
        rounds += 1


def grids_under(constraints: Constraints, many: int, dice: np.random.Generator) -> Puzzles:
    """Some full grids that obey, by random first digits; none if there are none."""
    cells, digits = constraints.board.cells, constraints.board.choices
    starts = np.zeros((many, cells), np.uint8)
    rows = np.arange(many)
    for _ in range(3):
        starts[rows, dice.integers(0, cells, many)] = dice.integers(1, digits + 1, many)
    starts[0] = 0
    found = engine.solve(starts, constraints, limit=1, node_budget=BUDGET)
    return found.solutions[found.status == Status.SOLVED]


def puzzles_under(constraints: Constraints, many: int, dice: np.random.Generator) -> Puzzles:
    """Grids with random cells taken away, some changed: puzzles of all statuses."""
    grids = grids_under(constraints, min(many, 60), dice)
    if not len(grids):
        grids = dice.integers(1, constraints.board.choices + 1, (8, constraints.board.cells))
    puzzles = grids[dice.integers(0, len(grids), many)].astype(np.uint8)
    kept = dice.random((many, 1)) * 0.6 + 0.2
    puzzles[dice.random(puzzles.shape) > kept] = 0
    return changed(puzzles, dice, constraints.board.choices)


def named(many: int, dice: np.random.Generator) -> Iterator[Case]:
    """Random named rules, one to three at a time, 1,000 puzzles under each."""
    left = many
    while left > 0:
        size = int(dice.choice([4, 6, 9, 9, 9]))
        rules = ",".join(dice.choice(list(RULES), dice.integers(1, 4), replace=False))
        try:
            constraints = constraints_for(rules, Board.of_size(size))
        except RuleError:
            continue
        puzzles = puzzles_under(constraints, min(left, 1000), dice)
        left -= len(puzzles)
        yield Case(rules, constraints, puzzles)


def layouts(made: int, dice: np.random.Generator) -> Iterator[Constraints]:
    """Clues of the gallery, of the generator, then examples of kinds, some at a time."""
    rows = (ROOT / "puzzles" / "gallery.csv").read_text().splitlines()[1:]
    yield from (constraints_for(row.split(",", 2)[2].strip('"')) for row in rows)
    kinds = ["cage", "thermo", "arrow", "whisper", "white", "black", "renban", "palindrome"]
    for number in range(made):
        chosen = [str(kind) for kind in dice.choice(kinds, 2, replace=False)]
        puzzles = puzzles_with_clues(1, clues=chosen, seed=number, size=9 if number % 4 else 6)
        yield from (puzzle.constraints for puzzle in puzzles)
    examples = [kind.example for kind in KINDS.values()]
    while True:
        some = dice.choice(examples, dice.integers(1, 4), replace=False)
        rules = str(dice.choice(["classic", "classic", "knight", "diagonal"]))
        try:
            yield constraints_for(";".join([rules, *some]))
        except SatdokuError:
            continue  # examples that contradict each other


def clued(many: int, made: int, dice: np.random.Generator) -> Iterator[Case]:
    left = many
    for constraints in layouts(made, dice) if many else ():
        if constraints.needs_session:
            continue  # there is no plan
        puzzles = puzzles_under(constraints, min(left, LAYOUT), dice)
        left -= len(puzzles)
        yield Case(None, constraints, puzzles)
        if left <= 0:
            return


def compare(host: Host | Native, case: Case, native: engine.EngineResult) -> tuple[int, int]:
    """How many puzzles have another status, or are unique and have another solution; and how many
    only one of both gives up."""
    statuses, grids = host.answers(case)
    theirs, ours = _without_clashes(statuses), _without_clashes(native.status)
    given_up = (theirs == Status.UNKNOWN) != (ours == Status.UNKNOWN)
    wrong = (theirs != ours) & ~given_up
    wrong |= (theirs == Status.UNIQUE) & ~given_up & (grids != native.solutions).any(axis=1)
    for row in np.flatnonzero(wrong)[:3]:
        rules = case.names or str(case.constraints.rules)[:200]
        print(f"{host.name}: {''.join(map(str, case.puzzles[row]))} {rules}", file=sys.stderr)
    return int(wrong.sum()), int(given_up.sum())


def _without_clashes(statuses: Puzzles) -> Puzzles:
    """`satdoku.js` tells puzzles with two givens that clash from others without a solution."""
    return np.where(statuses == Status.INVALID, Status.NONE, statuses)


def agree(arguments: argparse.Namespace, hosts: Sequence[Host | Native]) -> int:
    dice = np.random.default_rng(arguments.seed)
    cases = {
        "classic": classic(arguments.collections, arguments.classic, dice),
        "named rules": named(arguments.named, dice),
        "clues": clued(arguments.clued, arguments.made, dice),
    }
    wrong = 0
    for title, kind in cases.items():
        seen: Counter[str] = Counter()
        differing = {host.name: 0 for host in hosts}
        given_up = {**differing}
        sets = set()
        for case in kind:
            native = engine.solve(case.puzzles, case.constraints, node_budget=BUDGET)
            statuses = np.unique(_without_clashes(native.status), return_counts=True)
            for status, count in zip(*statuses, strict=True):
                seen[Status(status).name.lower()] += int(count)
            sets.add(case.names or str(case.constraints.rules))
            for host in hosts:
                differ, alone = compare(host, case, native)
                differing[host.name] += differ
                given_up[host.name] += alone
        told = ", ".join(f"{count} {status}" for status, count in seen.items())
        print(
            f"{title}: {seen.total()} puzzles, {len(sets)} sets of rules ({told}); "
            f"differing: {differing}; given up by one alone: {given_up}",
            flush=True,
        )
        wrong += sum(differing.values())
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collections", nargs="+")
    parser.add_argument(
        "--in",
        dest="hosts",
        nargs="+",
        choices=["node", "chromium", *engine.implementations()],
        default=["node", "chromium"],
    )
    parser.add_argument("--limit", type=int, nargs="+", default=[2])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rival", action="append", default=[], metavar="NAME=LIBRARY")
    parser.add_argument(
        "--lines", type=int, default=0, metavar="N", help="also as texts of N lines"
    )
    parser.add_argument("--agree", action="store_true", help="compare answers instead of times")
    parser.add_argument("--classic", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--named", type=int, default=100_000, metavar="N")
    parser.add_argument("--clued", type=int, default=10_000, metavar="N")
    parser.add_argument(
        "--made", type=int, default=300, metavar="N", help="layouts of the generator"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    native = [Native(name) for name in engine.implementations() if name in arguments.hosts]
    if native and not arguments.agree:
        parser.error("the native engine is timed beside the others anyway")
    with ExitStack() as stack:
        hosts = []
        for name in dict.fromkeys(arguments.hosts):
            if name not in engine.implementations():
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                hosts.append(stack.enter_context(opened(name, folder)))
        if arguments.agree:
            return agree(arguments, [*native, *hosts])
        show_times(arguments, hosts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
