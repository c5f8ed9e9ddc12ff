"""The kernel for browsers in node: plans, answers, and what is refused."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import numpy as np
import pytest

from satdoku import engine
from satdoku.engine import wasm
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RULES, RuleError
from satdoku.runtime.errors import SatdokuError

SETS = ["classic", "knight", "diagonal,windoku", "disjoint,king,antiqueen", "miracle", *RULES]


def in_node(code, tmp_path, **values):
    """What a script that has `satdoku` and these values writes, as JSON."""
    if not (node := shutil.which("node")):
        pytest.skip("no node")
    if not wasm.KERNEL.is_file():
        pytest.skip(wasm.MISSING)
    (tmp_path / "values.json").write_text(json.dumps(values))
    (tmp_path / "script.mjs").write_text(
        f"import * as module from {json.dumps((wasm.FOLDER / 'satdoku.js').as_uri())};\n"
        "import fs from 'node:fs';\n"
        f"const file = {json.dumps(str(tmp_path / 'values.json'))};\n"
        "const values = JSON.parse(fs.readFileSync(file));\n"
        f"const satdoku = await module.load();\n{code}"
    )
    done = subprocess.run([node, str(tmp_path / "script.mjs")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("size", wasm.SIZES)
def test_the_union_of_named_rules_is_the_plan_of_python(size, tmp_path):
    plans = {}
    for rules in SETS:
        try:
            plans[rules] = wasm.plan_bytes(constraints_for(rules, Board.of_size(size))).hex()
        except RuleError:
            continue
    made = in_node(
        "console.log(JSON.stringify(Object.fromEntries(values.sets.map((rules) => [rules,"
        " Buffer.from(satdoku.plan(rules, values.size).bytes).toString('hex')]))))",
        tmp_path, sets=[*plans], size=size,
    )  # fmt: skip
    assert made == plans


@pytest.mark.parametrize("rules", SETS[:5])
def test_statuses_and_solutions_are_those_of_the_native_kernel(rules, tmp_path):
    dice = random.Random(rules)
    grid = in_node(
        "console.log(JSON.stringify([...satdoku.generate(1, values.rules, { seed: 7 })]))",
        tmp_path,
        rules=rules,
    )
    puzzles = np.tile(np.array(grid, np.uint8), (200, 1))
    for row in puzzles:
        row[dice.randrange(81)] = dice.randrange(10)
    found = in_node(
        "const f = satdoku.solveBatch(values.puzzles, values.rules);"
        "console.log(JSON.stringify([[...f.statuses], [...f.solutions]]))",
        tmp_path, puzzles=puzzles.tolist(), rules=rules,
    )  # fmt: skip
    native = engine.solve(puzzles, constraints_for(rules))
    statuses = np.where(np.array(found[0]) == 4, 0, found[0])  # INVALID: the givens clash
    assert (statuses == native.status).all()
    assert len(set(statuses)) == 3
    unique = native.status == 1
    assert (np.array(found[1]).reshape(-1, 81)[unique] == native.solutions[unique]).all()


def test_broken_plans_end_in_an_error(tmp_path):
    plan = wasm.plan_bytes(constraints_for("knight;cage=15:r1c1,r1c2;thermo:r2c2-r2c5"))
    code = """
const plan = Uint8Array.from(values.plan), said = new Set();
let state = 1;
const below = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
for (let i = 0; i < 3000; i++) {
  const bytes = i % 3 ? plan.slice() : plan.slice(0, below(plan.length));
  for (let k = below(3); k >= 0 && bytes.length; k--)
    bytes[below(i % 2 ? 200 : bytes.length)] = below(256);
  try {
    const made = satdoku.plan(bytes);
    satdoku.solveBatch(new Uint8Array(made.cells), made, { budget: 100 });
    satdoku.forget(made);
    said.add("sound");
  } catch (error) {
    if (!(error instanceof module.SatdokuError)) throw error;
    said.add(error.message);
  }
}
console.log(JSON.stringify([...said]));
"""
    said = in_node(code, tmp_path, plan=list(plan))
    assert "sound" in said and len(said) > 5
    assert not [text for text in said if "kernel failed" in text]


def test_other_givens_are_refused():
    with pytest.raises(SatdokuError, match="expected none, or 81 digits"):
        wasm.plan_bytes(constraints_for(), b"1")
