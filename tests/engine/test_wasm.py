"""The kernel for browsers in node: plans, answers, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from node import in_node

import satdoku
from satdoku import engine
from satdoku.engine import wasm
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RULES, RuleError
from satdoku.runtime.errors import SatdokuError

SETS = ["classic", "knight", "diagonal,windoku", "disjoint,king,antiqueen", "miracle", *RULES]


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
    const digit = () => (below(4) ? 0 : below(i % 5 ? 10 : 256));
    const row = Uint8Array.from({ length: made.cells }, digit);
    satdoku.solveBatch(new Uint8Array(made.cells), made, { budget: 100 });
    satdoku.solveBatch(row, made, { limit: 1 + (i % 2), budget: 100 });
    made.hasClash(row);
    if (i % 3 === 0) satdoku.propagate(row, made);
    else if (i % 3 === 1) satdoku.candidates(row, made, { timeout: 0.02 });
    else satdoku.count(row, made, { limit: 20, budget: 100 });
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


def test_wrong_questions_end_in_an_error(tmp_path):
    """Any values in any places of any question: an answer, or an error that says why not."""
    plan = wasm.plan_bytes(constraints_for("cage=5:r1c1,r1c2", Board.of_size(4)), bytes(16))
    code = """
const { SatdokuError, Pool, readLines, load } = module;
let state = 7;
const below = (n) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % n;
const other = await load(), foreign = other.plan("classic", 4);
const forgotten = satdoku.plan("knight", 4);
satdoku.forget(forgotten);
const bytes = Uint8Array.from(values.plan), own = satdoku.plan(bytes);
const loop = [];
loop.push(loop);
const grid = "1..............2", numbers = [...Array(16).fill(0)];
const VALUES = [
  undefined, null, true, NaN, -1, 0.5, 1, 2, 3, 4, 9, 1e9, 2 ** 53, Infinity, 10n, Symbol("x"),
  "", ".", "knight",
  "classic", "1,2", "\\ud800", "x".repeat(81), ".".repeat(81), grid, [grid, grid], numbers,
  [numbers, grid],
  [numbers.map(() => "1")], [numbers.with(3, 300)], [numbers.with(3, -1)], [numbers.with(3, 5)],
  [null], [[]], [],
  [, 1], loop, {}, Object.create(null), { length: 16 }, new Map(), () => 1, new Uint8Array(0),
  new Uint8Array(15),
  new Uint8Array(16).fill(9), new Uint8Array(32), new Uint16Array(16), new ArrayBuffer(16), bytes,
  own, foreign,
  forgotten, bytes.subarray(0, 100), { limit: 1 }, { limit: 2, budget: 3 }, { limit: "2" },
  { budget: 0 },
  { timeout: 0.01 }, { timeout: -1 }, { timeout: "1" }, { seed: 1, size: 4 }, { size: 5 },
  { seed: -1 },
  { toString: null, timeout: 1 }, new Proxy([], {}), new Date(NaN),
];
const QUESTIONS = [
  "plan", "solveBatch", "classifyBatch", "solve", "classify", "propagate", "candidates", "count",
  "solutions",
  "generate", "forget",
];
const said = new Set(), left = { answered: 0 };
for (let i = 0; i < values.many; i++) {
  const name = QUESTIONS[below(QUESTIONS.length)];
  const words = Array.from({ length: below(4) }, () => VALUES[below(VALUES.length)]);
  if (name === "forget" && words[0] === own) continue;
  if (name === "generate" && typeof words[0] === "number" && words[0] > 9) continue;
  if (name === "count" || name === "solutions") words[2] ??= { limit: 50 };
  try {
    const made = satdoku[name](...words);
    if (typeof made?.next === "function") made.next();
    left.answered++;
  } catch (error) {
    if (!(error instanceof SatdokuError)) {
      console.error(name, words.map((word) => (typeof word === "symbol" ? "symbol" : word)));
      throw error;
    }
    said.add(error.message);
  }
}
const pool = await Pool.open({ size: 1 });
for (const value of VALUES) {
  const questions = [
    () => pool.ask(value), () => pool.ask("solve", value), () => pool.ask("count", grid, value,
    { limit: 9 }),
    () => load(value), () => pool.ask("generate", 1, "classic", value),
    () => Pool.open(value === undefined ? { size: 0 } : value), () => readLines(value).next(),
    () => readLines([value]).next(), () => readLines([bytes], value).next(),
    () => readLines([bytes], 4, value).next(),
    () => pool.solveBlocks(value).next(), () => pool.solveBlocks([value]).next(),
    () => pool.solveBlocks([{ puzzles: value }]).next(), () => own.hasClash(value),
    () => own.hasClashAt(value, 0), () => own.withMarks(value), () => own.withMarks([[value]]),
  ];
  for (const ask of questions) {
    try {
      const made = await ask();
      if (made instanceof Pool) made.stop();
    } catch (error) {
      if (!(error instanceof SatdokuError)) {
        console.error(String(ask), typeof value === "symbol" ? "symbol" : value);
        throw error;
      }
      said.add(error.message);
    }
  }
}
left.afterwards = [satdoku.count(grid, "classic", { limit: 99 }), await pool.ask("count", grid)];
pool.stop();
console.log(JSON.stringify([[...said], left]));
"""
    said, left = in_node(code, tmp_path, plan=list(plan), many=5_000)
    assert left["afterwards"] == [satdoku.count("1..............2")] * 2
    assert left["answered"] > 500 and len(said) > 60
    assert not [text for text in said if "kernel failed" in text or "worker failed" in text]


def test_lines_are_read_the_same_in_pieces_of_any_size(tmp_path):
    dice = random.Random(3)
    lines, puzzles, numbers, faults = [], [], [], []
    for number in range(1, 20_001):
        kind = dice.randrange(40)
        text = "".join(dice.choice("0123456789....") for _ in range(16 if kind == 1 else 81))
        lines.append(
            {2: "# remark", 3: "", 4: text + ",7", 5: text + "\r", 6: text + "9"}.get(kind, text)
        )
        if kind in (1, 6):
            faults.append(number)
        elif kind not in (2, 3):
            puzzles.append(text.replace(".", "0"))
            numbers.append(number)
    code = """
    const text = new TextEncoder().encode(values.lines.join("\\n"));
    const found = [];
    for (const size of [1, 81, 82, 1000, 4099, text.length]) {
      const pieces = [], all = { puzzles: [], lines: [], faults: [] };
      for (let at = 0; at < text.length; at += size) pieces.push(text.subarray(at, at + size));
      const blocks = [];
      for await (const block of module.readLines(size === text.length ? new Blob([text]) : pieces))
        blocks.push(block); // those that came before must stay as they are
      for (const { puzzles, lines, faults } of blocks) {
        all.puzzles.push(Buffer.from(puzzles.map((digit) => digit + 48)).toString());
        all.lines.push(...lines);
        all.faults.push(...faults.map((fault) => fault.line));
      }
      found.push([all.puzzles.join(""), all.lines, all.faults]);
    }
    console.log(JSON.stringify(found));
    """
    for found in in_node(code, tmp_path, lines=lines):
        assert found == ["".join(puzzles), numbers, faults]


@pytest.mark.parametrize("rules", ["classic", "diagonal,knight", "nonconsecutive"])
def test_statuses_are_those_of_python_also_where_givens_clash(rules, tmp_path):
    dice = np.random.default_rng(2)
    grid = list(satdoku.solve("." * 81, rules).cells)
    puzzles = np.tile(np.array(grid, np.uint8), (300, 1))
    puzzles[dice.random(puzzles.shape) > 0.4] = 0
    puzzles[np.arange(200), dice.integers(0, 81, 200)] = dice.integers(1, 10, 200)
    code = "console.log(JSON.stringify([...satdoku.classifyBatch(values.puzzles, values.rules)]))"
    statuses = in_node(code, tmp_path, puzzles=puzzles.tolist(), rules=rules)
    assert statuses == satdoku.classify_batch(puzzles, rules).tolist()
    assert {0, 1, 4} <= set(statuses)
