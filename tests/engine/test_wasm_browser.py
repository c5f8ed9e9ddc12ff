"""The kernel in Chromium, under a strict content policy: answers are those of the native one."""

from __future__ import annotations

import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from browser import chromium, needed
from node import kernel_needed

import satdoku
from satdoku import engine
from satdoku.engine import wasm
from satdoku.model.constraints import constraints_for

PAGE = (Path(__file__).parents[2] / "docs" / "JAVASCRIPT.md").read_text()
POLICY = (
    "default-src 'none'; img-src data:; connect-src 'self'; worker-src 'self'; "
    "script-src 'self' 'wasm-unsafe-eval'"
)
CLUES = "cage=15:r1c1,r1c2;thermo:r2c2-r2c5;arrow:r5c5>r5c6-r5c8;diagonal"


class Strict(SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A browser that shows the page of docs/JAVASCRIPT.md."""
    needed()
    kernel_needed()
    folder = tmp_path_factory.mktemp("page")
    files = folder / "files"
    files.mkdir()
    for name in ("satdoku.js", "satdoku.wasm"):
        shutil.copy(wasm.FOLDER / name, files)
    (html,) = re.findall(r"^```html\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (script,) = re.findall(
        r"^```javascript\n// check.js\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE
    )
    (files / "index.html").write_text(html.replace("<meta", '<link rel="icon" href="data:,"><meta'))
    (files / "check.js").write_text(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Strict, directory=str(files)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with chromium(folder) as driver:
            driver.set_script_timeout(120)
            driver.get(f"http://127.0.0.1:{server.server_port}/")
            yield driver
    finally:
        server.shutdown()
        server.server_close()


def asked(driver, code, *words):
    """What an async function of the module, the kernel and these words returns in the page."""
    done = driver.execute_async_script(
        f"""
        const [words, done] = arguments;
        (async () => {{
          const module = await import("/satdoku.js"), satdoku = await module.load();
          {code}
        }})().then((answer) => done({{ answer }}), (error) => done({{ error: String(error) }}));
        """,
        words,
    )
    assert "error" not in done, done["error"]
    return done["answer"]


def changed(rules, many):
    """Grids under the rules with a few cells taken away or changed: puzzles of all statuses."""
    dice = np.random.default_rng(5)
    grid = np.array([list(satdoku.solve("." * 81, rules).cells)], np.uint8)
    puzzles = np.repeat(grid, many, axis=0)
    puzzles[dice.random(puzzles.shape) < 0.6] = 0
    rows = dice.integers(0, many, many // 3)
    puzzles[rows, dice.integers(0, 81, len(rows))] = dice.integers(1, 10, len(rows))
    return puzzles


def test_the_example_of_the_page_answers_under_a_strict_policy(page):
    from selenium.webdriver.support.wait import WebDriverWait

    def answer(driver):
        return driver.find_element("id", "answer").text.removeprefix("...")

    WebDriverWait(page, 60).until(answer)
    counts = [satdoku.count("." * 16, rules) for rules in ("classic", "diagonal")]
    assert answer(page) == f"{counts[0]} solutions, {counts[1]} under diagonal"
    assert [entry["message"] for entry in page.get_log("browser")] == []
    inline = (
        "document.head.append(Object.assign(document.createElement('script'), {text: 'ran = 1'}))"
    )
    assert page.execute_script(f"{inline}; return window.ran") is None  # the policy holds


@pytest.mark.parametrize("rules", ["classic", "knight,diagonal", CLUES])
def test_statuses_and_solutions_are_those_of_the_native_kernel(rules, page):
    constraints = constraints_for(rules)
    puzzles = changed(rules, 400)
    code = """
      const plan = satdoku.plan(Uint8Array.from(words[0])), puzzles = Uint8Array.from(words[1]);
      const one = satdoku.solveBatch(puzzles, plan), pool = await module.Pool.open({ size: 2 });
      const blocks = [0, 1, 2, 3].map((i) => ({ puzzles: puzzles.slice(8100 * i).slice(0, 8100) }));
      const statuses = [], solutions = [];
      for await (const found of pool.solveBlocks(blocks, plan)) {
        statuses.push(...found.statuses);
        solutions.push(...found.solutions);
      }
      pool.stop();
      return [[[...one.statuses], [...one.solutions]], [statuses, solutions]];
    """
    native = engine.solve(puzzles, constraints)
    plan = wasm.plan_bytes(constraints)
    for statuses, solutions in asked(page, code, list(plan), puzzles.ravel().tolist()):
        found = np.where(np.array(statuses) == 4, 0, statuses)  # INVALID: two givens clash
        assert (found == native.status).all()
        assert len(set(found.tolist())) > 1
        unique = native.status == 1
        assert unique.any()
        solved = np.array(solutions).reshape(-1, 81)
        assert (solved[unique] == native.solutions[unique]).all()


def test_a_file_is_read_and_answered_by_workers(page):
    lines = ["." * 81, "# nothing", "1" * 81, "12", "1." + "." * 79 + ",later"]
    code = """
      const pool = await module.Pool.open({ size: 2 }), found = [];
      const file = new File([words[0].join("\\r\\n")], "puzzles.txt");
      for await (const block of pool.solveBlocks(module.readLines(file)))
        found.push([[...block.lines], [...block.statuses], block.faults]);
      pool.stop();
      const stopped = await pool.ask("count", words[0][0]).catch((error) => error.message);
      return [found, stopped];
    """
    (found,), stopped = asked(page, code, lines)
    assert found[:2] == [[1, 3, 5], [2, 4, 2]]
    assert found[2] == [{"line": 4, "message": "2 characters: expected 81"}]
    assert stopped == "the pool was stopped"


def test_questions_in_workers_answer_as_python_does(page):
    puzzle = "12.............."
    code = """
      const pool = await module.Pool.open({ size: 1 });
      const answers = [];
      for (const name of ["solve", "classify", "candidates", "count", "solutions", "propagate"])
        answers.push(await pool.ask(name, ...words));
      for (const question of [["solve", "1"], ["count", ".".repeat(81), "classic", { budget: 9 }]])
        answers.push(await pool.ask(...question).catch((error) => error.constructor.name));
      pool.stop();
      return JSON.parse(JSON.stringify(answers, (_, value) =>
        value instanceof Uint8Array ? [...value].join("") : value));
    """
    solve, classify, candidates, count, solutions, propagate, wrong, late = asked(
        page, code, puzzle, "diagonal"
    )
    assert solve in solutions
    assert solutions == [str(grid) for grid in satdoku.solutions(puzzle, "diagonal")]
    assert count == len(solutions) == satdoku.count(puzzle, "diagonal")
    assert classify == (1 if count == 1 else 2)
    assert candidates == [sorted(digits) for digits in satdoku.candidates(puzzle, "diagonal")]
    assert propagate == str(satdoku.propagate(puzzle, "diagonal")).replace(".", "0")
    assert (wrong, late) == ("SatdokuError", "BudgetError")
