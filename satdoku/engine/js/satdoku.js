// The engine in a browser tab, in a worker or in node: puzzles in, arrays out, nothing to install.
//
// Invariant: names and answers are those of the Python package, but for the random numbers of `generate`.
// Every number that the kernel gets is checked here, and what goes wrong is a SatdokuError.

const MAGIC = 0x4b445453, FORMAT = 2, PARTS = 15, HEAD = 6 + 2 * PARTS;
const BLOCK = 8192; // puzzles of a call: many times the lanes
const [GROUPS, PAIRS, SIDES, RELATIONS, TABLES] = [0, 1, 2, 3, 4]; // parts, in the order of exports.c
const LANES = 128;
const ROOM = 256; // solutions that are listed at once
const MOST_LISTED = 1 << 16; // as in kernel.h
const MOST_PLAN = 1 << 28, MOST_CELLS = 625; // bytes; as in kernel.h
const SLICE = 1 << 24; // of work between two looks at the clock: 2 ms or so natively
const BUDGET = 100000, MOST_NODES = 2 ** 32 - 1;
const NO_CELL = 255, NEWLINE = 10, RETURN = 13, ZERO = 48, NINE = 57, DOT = 46;

export const Status = Object.freeze(
  { NONE: 0, UNIQUE: 1, MULTIPLE: 2, SOLVED: 3, INVALID: 4, UNKNOWN: 5 });
const ALIASES = { classic: [], miracle: ["knight", "king", "nonconsecutive"] };

/** Wrong input, with what was found and what was expected; or a kernel that failed. */
export class SatdokuError extends Error {
  name = "SatdokuError";
}

/** The time or the nodes were used up before the answer was found. */
export class BudgetError extends SatdokuError {
  name = "BudgetError";
}

/** The kernel, ready to answer. kernel: the module, its bytes or where it lies; else the file beside this one. */
export async function load(kernel) {
  try {
    const module = kernel instanceof WebAssembly.Module ? kernel : await compiled(kernel);
    const instance = await WebAssembly.instantiate(module, {});
    return new Satdoku(module, instance.exports);
  } catch (error) {
    if (error instanceof SatdokuError) throw error;
    throw new SatdokuError(`the kernel cannot be loaded: ${error.message}`);
  }
}

async function compiled(kernel) {
  if (ArrayBuffer.isView(kernel) || kernel instanceof ArrayBuffer) return WebAssembly.compile(kernel);
  const place = new URL(kernel ?? "./satdoku.wasm", import.meta.url);
  if (place.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(place));
  }
  const answer = await fetch(place);
  if (!answer.ok) throw new SatdokuError(`${place}: ${answer.status}, expected the kernel`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Rules that the kernel knows: cells, digits, and the givens that came with them, if any. */
class Plan {
  #clashes;

  constructor(bytes, cells, digits, givens) {
    Object.assign(this, { bytes, cells, digits, givens: givens ? bytes.slice(bytes.length - givens) : null });
  }

  get variables() {
    return this.cells * this.digits;
  }

  /** The bytes of this plan with one more clue for each cell with marks, `digits=1,2:r1c1`. marks: for
   * each cell a list of the digits that it may hold, empty for all of them. */
  withMarks(marks) {
    const { bytes, cells, digits, givens } = this, n = givens?.length ?? 0;
    if (!Array.isArray(marks) || marks.length !== cells)
      throw new SatdokuError(`marks ${shown(marks)}: expected a list of digits for each of ${cells} cells`);
    const numbers = numbersOf(bytes), parts = partsOf(numbers);
    for (const [cell, allowed] of marks.entries()) {
      if (!Array.isArray(allowed))
        throw new SatdokuError(`marks of cell ${cell} ${shown(allowed)}: expected a list of digits`);
      for (const digit of allowed) whole("mark", digit, 1, digits);
      if (!allowed.length) continue;
      const row = Array.from({ length: digits }, (_, d) => (allowed.includes(d + 1) ? 1 << d : 0));
      parts[RELATIONS].push([placeOf([...row, ...row], parts[TABLES]), cell, cell]);
    }
    // Of classic 9x9 the cells go without saying as long as nothing else is said.
    if (!parts[GROUPS].length)
      for (let cell = 0; cell < cells; cell++)
        parts[GROUPS].push(Array.from({ length: digits }, (_, d) => d * cells + cell));
    const marked = packed([...numbers.subarray(0, 6)], parts), made = new Uint8Array(marked.length + n);
    made.set(marked);
    if (n) made.set(givens, marked.length);
    return made;
  }

  /** Whether two givens of a puzzle (cells,) cannot both hold. */
  hasClash(row) {
    return Array.from({ length: this.cells }, (_, cell) => cell).some((cell) => this.hasClashAt(row, cell));
  }

  /** Whether the digit in a cell of a puzzle (cells,) cannot hold beside its other givens. */
  hasClashAt(row, cell) {
    const { cells } = this;
    whole("cell", cell, 0, cells - 1);
    if (!(row instanceof Uint8Array) || row.length !== cells)
      throw new SatdokuError(`puzzle ${shown(row)}: expected ${cells} digits as a Uint8Array`);
    if (!row[cell]) return false;
    const { starts, members } = (this.#clashes ??= clashesOf(this));
    const candidate = (row[cell] - 1) * cells + cell;
    for (let i = starts[candidate]; i < starts[candidate + 1]; i++)
      if (row[members[i] % cells] === Math.floor(members[i] / cells) + 1) return true;
    return false;
  }
}

class Satdoku {
  #x;
  #plans = new Map(); // of named rules
  #handles = new WeakMap(); // where the kernel has each plan

  constructor(module, exports) {
    this.module = module;
    this.#x = exports;
    const [said] = WebAssembly.Module.customSections(module, "satdoku");
    if (!said) throw new SatdokuError("found no rules in the kernel, expected a module of satdoku");
    const { version, boards } = JSON.parse(new TextDecoder().decode(said));
    this.version = version;
    this.boards = boards;
  }

  /** The plan of rules: names, or bytes as `satdoku export -f plan` writes them. */
  plan(rules = "classic", size = 9) {
    if (rules instanceof Plan) return this.#handle(rules) && rules;
    if (rules instanceof Uint8Array) return this.#loaded(rules);
    const key = `${shown(size)}:${namesOf(rules).sort()}`;
    if (!this.#plans.has(key)) this.#plans.set(key, this.#loaded(namedPlan(this.boards, rules, size)));
    return this.#plans.get(key);
  }

  #loaded(bytes) {
    if (bytes.length > MOST_PLAN) throw new SatdokuError(`a plan of ${bytes.length} bytes: expected less`);
    const at = this.#put(bytes);
    const handle = this.#call("plan", at, bytes.length), x = this.#x;
    if (handle) {
      const plan = new Plan(bytes.slice(), x.cells(handle), x.digits(handle), x.givens(handle));
      this.#handles.set(plan, handle);
      return plan;
    }
    this.#x.give(at);
    const memory = new Uint8Array(this.#x.memory.buffer), start = this.#x.fault();
    throw new SatdokuError(new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start))));
  }

  /** Forget a plan that was made of bytes, with its memory. */
  forget(plan) {
    const handle = this.#handles.get(plan);
    if (!handle) return;
    for (const [key, named] of this.#plans) if (named === plan) this.#plans.delete(key);
    this.#handles.delete(plan);
    this.#x.release(handle);
  }

  #handle(plan) {
    const handle = this.#handles.get(plan);
    if (!handle) throw new SatdokuError("the plan was forgotten or is that of another kernel: make it again");
    return handle;
  }

  #call(name, ...words) {
    try {
      return this.#x[name](...words);
    } catch (error) {
      throw new SatdokuError(`the kernel failed: ${error.message}`);
    }
  }

  #take(bytes) {
    const at = bytes < 2 ** 31 ? this.#x.take(bytes) : 0;
    if (!at) throw new SatdokuError(`no memory is left for ${bytes} bytes`);
    return at;
  }

  #put(bytes) {
    const at = this.#take(bytes.length);
    new Uint8Array(this.#x.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** What `use` returns; the arrays, of so many bytes or with a content, are there meanwhile. */
  #with(arrays, use) {
    const at = [];
    try {
      for (const each of arrays) at.push(typeof each === "number" ? this.#take(each) : this.#put(each));
      return use(at, (i, bytes) => new Uint8Array(this.#x.memory.buffer, at[i], bytes).slice());
    } finally {
      for (const each of at) this.#x.give(each);
    }
  }

  /** What the kernel says of puzzles, as digits, a block in a call. */
  #solved(plan, puzzles, limit, budget) {
    const { cells } = plan, count = puzzles.length / cells, most = Math.min(count, BLOCK);
    const found = {
      statuses: new Uint8Array(count), solutions: new Uint8Array(puzzles.length), nodes: new Uint32Array(count),
    };
    const handle = this.#handle(plan);
    this.#with([most * cells, most, most * cells, 4 * most], ([from, status, to, nodes]) => {
      for (let first = 0; first < count; first += BLOCK) {
        const some = puzzles.subarray(first * cells, (first + BLOCK) * cells), n = some.length / cells;
        new Uint8Array(this.#x.memory.buffer, from).set(some);
        this.#done(this.#call("solve", handle, from, n, 0, limit, budget, status, to, nodes, 0));
        const { buffer } = this.#x.memory; // another one where memory grew
        found.statuses.set(new Uint8Array(buffer, status, n), first);
        found.solutions.set(new Uint8Array(buffer, to, some.length), first * cells);
        found.nodes.set(new Uint32Array(buffer, nodes, n), first);
      }
    });
    return found;
  }

  #done(failed) {
    if (failed) throw new SatdokuError("no memory is left for the search");
  }

  /** Statuses (N,), solutions (N, cells), zeros where none is known, and nodes (N,) of puzzles. */
  solveBatch(puzzles, rules, options) {
    const { limit, budget } = chosen(options, { limit: 2, budget: BUDGET });
    if (limit !== 1 && limit !== 2) throw new SatdokuError(`limit ${shown(limit)}: expected 1 or 2`);
    whole("budget", budget, 1, MOST_NODES);
    const [plan, rows] = this.#asked(puzzles, rules);
    const found = this.#solved(plan, rows, limit, budget), { cells } = plan;
    found.statuses.forEach((status, i) => {
      if (status === Status.NONE && plan.hasClash(rows.subarray(i * cells, (i + 1) * cells)))
        found.statuses[i] = Status.INVALID;
    });
    return found;
  }

  classifyBatch(puzzles, rules, options) {
    return this.solveBatch(puzzles, rules, options).statuses;
  }

  /** Status and solution of one puzzle, however long it takes: a search that pauses. */
  #decided(plan, puzzle, limit, timeout) {
    const quick = this.#solved(plan, puzzle, limit, 1000);
    if (quick.statuses[0] !== Status.UNKNOWN) return [quick.statuses[0], quick.solutions];
    const end = performance.now() + timeout * 1000;
    return this.#with([puzzle, plan.cells], ([from, to], read) => {
      const search = this.#call("begin", this.#handle(plan), from, 0, limit, to);
      this.#done(!search);
      try {
        let left = 1;
        while (left > 0 && performance.now() < end) left = this.#call("advance", search, SLICE);
        this.#done(left < 0);
        const status = left ? Status.UNKNOWN : new Uint8Array(this.#x.memory.buffer)[search];
        return [status, read(1, plan.cells)];
      } finally {
        this.#call("end", search);
      }
    });
  }

  /** One puzzle and its plan, the givens within the digits. */
  #one(puzzle, rules) {
    const [plan, rows] = this.#asked(puzzle, rules);
    if (rows.length !== plan.cells) throw new SatdokuError(`${rows.length / plan.cells} puzzles: expected one`);
    return [plan, rows];
  }

  #asked(puzzles, rules) {
    const plan = this.plan(rules, sizeOf(puzzles));
    const rows = puzzles == null ? plan.givens : digitsOf(puzzles, plan);
    if (!rows) throw new SatdokuError("no puzzle: expected one, or a plan with givens");
    return [plan, rows];
  }

  /** A solution (cells,), or null. timeout: seconds, after which BudgetError is thrown. */
  solve(puzzle, rules, options) {
    const timeout = seconds(options);
    const [plan, row] = this.#one(puzzle, rules);
    const [status, solution] = this.#decided(plan, row, 1, timeout);
    if (status === Status.UNKNOWN) throw new BudgetError(`no answer within ${timeout} s`);
    return status === Status.SOLVED ? solution : null;
  }

  /** Status.UNIQUE, MULTIPLE, NONE, INVALID if two givens clash, UNKNOWN after `timeout` seconds. */
  classify(puzzle, rules, options) {
    const timeout = seconds(options);
    const [plan, row] = this.#one(puzzle, rules);
    const [status] = this.#decided(plan, row, 2, timeout);
    return status === Status.NONE && plan.hasClash(row) ? Status.INVALID : status;
  }

  /** The fixpoint of unit propagation: of each candidate 1 if it may hold (cells * digits), or null. */
  #fixpoints(plan, rows) {
    const count = rows.length / plan.cells, size = count * plan.variables;
    return this.#with([rows, size, count], ([from, to, conflict], read) => {
      this.#done(this.#call("propagate", this.#handle(plan), from, count, 0, to, conflict));
      return [read(1, size), read(2, count)];
    });
  }

  /** The grid with every cell that unit propagation alone fixes, or null if it conflicts. */
  propagate(puzzle, rules) {
    const [plan, row] = this.#one(puzzle, rules);
    const [marks, conflict] = this.#fixpoints(plan, valid(plan, row));
    return conflict[0] ? null : fixed(marks, plan);
  }

  /** For each cell the digits that it has in some solution, ascending. */
  candidates(puzzle, rules, options) {
    const timeout = seconds(options);
    const [plan, row] = this.#one(puzzle, rules);
    const { cells, digits } = plan, end = performance.now() + timeout * 1000;
    const seen = new Uint8Array(plan.variables);
    const [marks, conflict] = this.#fixpoints(plan, valid(plan, row));
    const [first, solution] = conflict[0] ? [Status.NONE] : this.#decided(plan, row, 1, timeout);
    if (first === Status.UNKNOWN) throw new BudgetError(`no answer within ${timeout} s`);
    const see = (grid) => grid.forEach((digit, cell) => (seen[cell * digits + digit - 1] = 1));
    let open = [];
    if (first === Status.SOLVED) {
      see(solution);
      open = [...marks.keys()].filter((i) => marks[i] && !seen[i]);
    }
    while ((open = open.filter((i) => !seen[i])).length) {
      const asked = open.splice(0, LANES), rows = new Uint8Array(asked.length * cells);
      asked.forEach((candidate, k) => {
        rows.set(row, k * cells);
        rows[k * cells + Math.floor(candidate / digits)] = (candidate % digits) + 1;
      });
      const found = this.#solved(plan, rows, 1, BUDGET);
      asked.forEach((candidate, k) => {
        const part = (all) => all.subarray(k * cells, (k + 1) * cells);
        let status = found.statuses[k], grid = part(found.solutions);
        if (status === Status.UNKNOWN)
          [status, grid] = this.#decided(plan, part(rows), 1, (end - performance.now()) / 1000);
        if (status === Status.UNKNOWN) throw new BudgetError(`no answer within ${timeout} s`);
        if (status === Status.SOLVED) see(grid);
      });
    }
    return Array.from({ length: cells }, (_, cell) =>
      Array.from({ length: digits }, (_, d) => d + 1).filter((d) => seen[cell * digits + d - 1]));
  }

  /** The number of solutions, or `limit` if there are at least that many. */
  count(puzzle, rules, options) {
    const { limit, budget } = chosen(options, { limit: Infinity, budget: MOST_NODES });
    const [plan, row] = this.#one(puzzle, rules);
    if (limit !== Infinity) whole("limit", limit, 1, Number.MAX_SAFE_INTEGER);
    whole("budget", budget, 1, MOST_NODES);
    if (limit <= MOST_LISTED) {
      const { status, grids } = this.#listed(plan, row, limit, budget, false);
      if (status === Status.UNKNOWN && grids < limit) throw new BudgetError(`no answer within ${budget} nodes`);
      return grids;
    }
    return this.#with([row, 1, 4, 8], ([from, status, nodes, grids], read) => {
      this.#done(this.#call("solve", this.#handle(plan), from, 1, 0, 0, budget, status, 0, nodes, grids));
      if (read(1, 1)[0] === Status.UNKNOWN) throw new BudgetError(`no answer within ${budget} nodes`);
      return Math.min(limit, Number(new BigUint64Array(read(3, 8).buffer)[0]));
    });
  }

  /** The first solutions found, in ascending order if the status is NONE: then they are all. */
  #listed(plan, row, room, budget, wanted = true) {
    const size = room * plan.cells;
    return this.#with([row, 1, size, 4, 8], ([from, status, to, nodes, grids], read) => {
      this.#done(this.#call("solve", this.#handle(plan), from, 1, 0, room, budget, status, to, nodes, grids));
      const found = Number(new BigUint64Array(read(4, 8).buffer)[0]);
      return { status: read(1, 1)[0], grids: found, solutions: wanted ? read(2, found * plan.cells) : null };
    });
  }

  /** All solutions, each once, in ascending order, at most `limit`: an iterator. */
  *solutions(puzzle, rules, options) {
    const { limit } = chosen(options, { limit: Infinity });
    const [plan, row] = this.#one(puzzle, rules);
    if (limit !== Infinity) whole("limit", limit, 0, Number.MAX_SAFE_INTEGER);
    const stack = [valid(plan, row)];
    for (let given = 0; stack.length && given < limit; ) {
      const cube = stack.pop();
      const { status, grids, solutions } = this.#listed(plan, cube, ROOM, 20000);
      if (status === Status.NONE) {
        for (let i = 0; i < grids && given < limit; i++, given++)
          yield solutions.slice(i * plan.cells, (i + 1) * plan.cells);
      } else {
        stack.push(...this.#split(plan, cube));
      }
    }
  }

  /** The cube with each digit in its first open cell, the lowest digit last. */
  #split(plan, cube) {
    const [marks, conflict] = this.#fixpoints(plan, cube);
    if (conflict[0]) return [];
    const grid = fixed(marks, plan), cell = grid.indexOf(0), cubes = [];
    if (cell < 0) throw new SatdokuError("the kernel gave up on a full grid");
    for (let d = plan.digits; d > 0; d--)
      if (marks[cell * plan.digits + d - 1]) {
        const next = grid.slice();
        next[cell] = d;
        cubes.push(next);
      }
    return cubes;
  }

  /** n minimal puzzles with one solution, flat (n * cells); a seed makes the same ones everywhere. */
  generate(n = 1, rules = "classic", options) {
    const { seed, size } = chosen(options, { seed: Math.floor(Math.random() * 2 ** 32), size: 9 });
    whole("puzzles", n, 0, 1e6);
    whole("seed", seed, 0, 2 ** 32 - 1);
    const plan = this.plan(rules, size), cells = plan.cells;
    const empty = new Uint8Array(cells);
    if (this.#decided(plan, empty, 1, Infinity)[0] !== Status.SOLVED)
      throw new SatdokuError("no grid obeys the rules, so there is no puzzle");
    const puzzles = new Uint8Array(n * cells);
    for (let first = 0; first < n; first += 1024) {
      const dice = Array.from({ length: Math.min(1024, n - first) }, (_, i) => diceOf(seed, first + i));
      const grids = this.#grids(plan, dice);
      this.#dig(plan, grids, dice.map((roll) => shuffled(cells, roll)));
      puzzles.set(grids, first * cells);
    }
    return puzzles;
  }

  /** Full grids, one for each stream of random numbers: a digit at a time that leaves a solution. */
  #grids(plan, dice) {
    const { cells, digits } = plan, rows = new Uint8Array(dice.length * cells);
    let open = [...dice.keys()];
    while (open.length) {
      const asked = joined(open, rows, cells);
      const [marks] = this.#fixpoints(plan, asked);
      const tried = asked.slice();
      open.forEach((number, k) => {
        const may = marks.subarray(k * plan.variables, (k + 1) * plan.variables);
        const grid = fixed(may, plan);
        asked.set(grid, k * cells);
        const left = [...grid.keys()].filter((cell) => !grid[cell]);
        if (left.length) {
          const cell = left[dice[number](left.length)];
          const choice = [...Array(digits).keys()].filter((d) => may[cell * digits + d]);
          grid[cell] = choice[dice[number](choice.length)] + 1;
        }
        tried.set(grid, k * cells);
      });
      const { statuses } = this.#solved(plan, tried, 1, BUDGET);
      open.forEach((number, k) => {
        const kept = statuses[k] === Status.SOLVED ? tried : asked;
        rows.set(kept.subarray(k * cells, (k + 1) * cells), number * cells);
      });
      open = open.filter((number) => rows.subarray(number * cells, (number + 1) * cells).includes(0));
    }
    return rows;
  }

  /** Take away, in the order of each, every given that one solution does not need. */
  #dig(plan, rows, orders) {
    const { cells } = plan;
    for (let step = 0; step < cells; step++) {
      const without = rows.slice();
      orders.forEach((order, k) => (without[k * cells + order[step]] = 0));
      const { statuses } = this.#solved(plan, without, 2, BUDGET);
      orders.forEach((order, k) => {
        if (statuses[k] === Status.UNIQUE) rows[k * cells + order[step]] = 0;
      });
    }
  }
}

// --- puzzles -------------------------------------------------------------------------------------

/** A wrong value in a message. */
function shown(value) {
  const isPlain = ["number", "string", "boolean", "bigint"].includes(typeof value);
  return isPlain ? String(value).slice(0, 40) : value === null ? "null" : `of type ${typeof value}`;
}

function whole(name, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new SatdokuError(`${name} ${shown(value)}: expected a whole number from ${least} to ${most}`);
}

/** The options that were told, and the usual values of the others. */
function chosen(told = {}, usual) {
  if (typeof told !== "object" || !told) throw new SatdokuError(`options ${shown(told)}: expected an object`);
  for (const name of Object.keys(told))
    if (!Object.hasOwn(usual, name))
      throw new SatdokuError(`no option '${shown(name)}': expected ${Object.keys(usual).join(", ")}`);
  return Object.fromEntries(Object.keys(usual).map((name) => [name, told[name] ?? usual[name]]));
}

/** The option `timeout`. */
function seconds(options) {
  const { timeout } = chosen(options, { timeout: Infinity });
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new SatdokuError(`timeout ${shown(timeout)}: expected seconds, 0 or more`);
  return timeout;
}

/** The size of a board by what is asked: 9 unless a puzzle of another length says so. */
function sizeOf(puzzles) {
  const isSeveral = Array.isArray(puzzles) && typeof puzzles[0] !== "number";
  const puzzle = isSeveral ? puzzles[0] : puzzles;
  const isBytes = !isSeveral && puzzle instanceof Uint8Array; // of any number of puzzles
  const size = Math.sqrt(typeof puzzle === "string" ? puzzle.trim().length : isBytes ? 81 : puzzle?.length);
  return Number.isInteger(size) ? size : 9;
}

/** Digits, a byte each, of a puzzle, of several, or of bytes for any number of them. */
function digitsOf(puzzles, plan) {
  if (puzzles instanceof Uint8Array) {
    if (puzzles.length % plan.cells)
      throw new SatdokuError(`${puzzles.length} digits: expected a multiple of ${plan.cells}`);
    return puzzles;
  }
  if (!Array.isArray(puzzles) || typeof puzzles[0] === "number") return rowOf(puzzles, plan);
  const rows = new Uint8Array(puzzles.length * plan.cells);
  for (let i = 0; i < puzzles.length; i++) {
    try {
      rows.set(rowOf(puzzles[i], plan), i * plan.cells);
    } catch (error) {
      throw error instanceof SatdokuError ? new SatdokuError(`puzzle ${i + 1}: ${error.message}`) : error;
    }
  }
  return rows;
}

/** Digits of one puzzle. */
function rowOf(puzzle, plan) {
  if (typeof puzzle === "string") return textDigits(puzzle, plan);
  if (!Array.isArray(puzzle) && !(puzzle instanceof Uint8Array))
    throw new SatdokuError(`puzzle ${shown(puzzle)}: expected a text, digits or a list of these`);
  if (puzzle.length !== plan.cells)
    throw new SatdokuError(`${puzzle.length} digits: expected ${plan.cells}`);
  for (let i = 0; i < puzzle.length; i++) whole(`cell ${i + 1}`, puzzle[i], 0, 255);
  return Uint8Array.from(puzzle);
}

function textDigits(text, plan) {
  const characters = text.trim();
  if (characters.length !== plan.cells || plan.digits > 9)
    throw new SatdokuError(`${characters.length} characters: expected ${plan.cells}, digits to 9, . or 0 if empty`);
  return Uint8Array.from(characters, (character, i) => {
    const digit = character === "." ? 0 : character >= "0" && character <= "9" ? Number(character) : -1;
    if (digit < 0 || digit > plan.digits)
      throw new SatdokuError(`character ${i + 1} is '${character}': expected . or 0 to ${plan.digits}`);
    return digit;
  });
}

/** The puzzle; SatdokuError if a digit is too large. */
function valid(plan, row) {
  if (row.some((digit) => digit > plan.digits))
    throw new SatdokuError(`a digit is too large: expected 0 to ${plan.digits}`);
  return row;
}

/** The grid of the cells that have one candidate left. */
function fixed(marks, { cells, digits }) {
  const grid = new Uint8Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    const may = marks.subarray(cell * digits, (cell + 1) * digits), first = may.indexOf(1);
    if (first >= 0 && may.indexOf(1, first + 1) < 0) grid[cell] = first + 1;
  }
  return grid;
}

function joined(numbers, rows, cells) {
  const some = new Uint8Array(numbers.length * cells);
  numbers.forEach((number, k) => some.set(rows.subarray(number * cells, (number + 1) * cells), k * cells));
  return some;
}

// --- rules ---------------------------------------------------------------------------------------

/** The names of rules, each once. */
function namesOf(rules) {
  if (typeof rules !== "string")
    throw new SatdokuError(`rules ${shown(rules)}: expected names, a plan or its bytes`);
  const words = rules.split(",").map((word) => word.trim().toLowerCase());
  return [...new Set(words.flatMap((word) => (Object.hasOwn(ALIASES, word) ? ALIASES[word] : [word])))];
}

/** The plan of named rules as bytes, the same that Python makes: their groups and pairs together. */
function namedPlan(boards, rules, size) {
  if (!Number.isInteger(size) || !Object.hasOwn(boards, size))
    throw new SatdokuError(`size ${shown(size)}: expected ${Object.keys(boards).join(", ")}, or a plan of Python`);
  const board = boards[size], names = namesOf(rules);
  for (const name of names)
    if (!Object.hasOwn(board.rules, name))
      throw new SatdokuError(`no rule '${shown(name)}': choose from ${Object.keys(board.rules).join(", ")}`);
  const added = Object.keys(board.rules).filter((name) => names.includes(name)).map((name) => board.rules[name]);
  const isClassic = size === 9;
  const houses = [...board.houses, ...added.flatMap((rule) => rule.houses)];
  const known = isClassic ? board.houses.length : 0;
  const parts = Array.from({ length: PARTS }, () => []);
  const pairs = adjacency(added, houses, size);
  if (!isClassic || houses.length > known || pairs.length) {
    parts[GROUPS] = groupsOf(houses.slice(known), size);
    parts[PAIRS] = pairs;
    parts[SIDES] = sidesOf(houses, known, size);
  }
  return packed([MAGIC, FORMAT, size * size, size, isClassic ? 1 : 0, 0], parts);
}

/** The groups of cells, then those of each house and digit; candidates are digit-major. */
function groupsOf(houses, n) {
  const digits = [...Array(n).keys()], cells = n * n;
  return [
    ...Array.from({ length: cells }, (_, cell) => digits.map((d) => d * cells + cell)),
    ...houses.flatMap((house) => digits.map((d) => house.map((cell) => d * cells + cell))),
  ];
}

/** Of each candidate those that pairs forbid beside it and no house does; no list if there are none. */
function adjacency(added, houses, n) {
  const cells = n * n, peers = Array.from({ length: cells }, () => new Set());
  for (const house of houses) for (const cell of house) for (const other of house) peers[cell].add(other);
  const seen = new Set(), lists = Array.from({ length: cells * n }, () => []);
  const place = (candidate) => (candidate % n) * cells + Math.floor(candidate / n);
  for (const { pairs } of added)
    for (let i = 0; i < pairs.length; i += 2) {
      const [a, b] = [pairs[i], pairs[i + 1]], key = a * cells * n + b;
      const isGrouped = a % n === b % n && peers[Math.floor(a / n)].has(Math.floor(b / n));
      if (seen.has(key) || isGrouped) continue;
      seen.add(key);
      lists[place(a)].push(place(b));
      lists[place(b)].push(place(a));
    }
  return seen.size ? lists : [];
}

/** A without B and B without A, for houses A, B that share two cells or more, each digit. */
function sidesOf(houses, known, n) {
  const cells = n * n, met = [];
  for (let a = 0; a < houses.length; a++)
    for (let b = Math.max(a + 1, known); b < houses.length; b++) {
      const shared = houses[a].filter((cell) => houses[b].includes(cell));
      if (shared.length > 1 && shared.length < n) met.push([Math.min(...shared), a, b]);
    }
  const all = met.flatMap(([cell, a, b]) => Array.from({ length: n }, (_, d) => [n * cell + d, n * a + d, n * b + d]));
  all.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return all.flatMap(([candidate, a, b]) => {
    const d = candidate % n, [A, B] = [houses[(a - d) / n], houses[(b - d) / n]];
    const less = (some, others) => some.filter((cell) => !others.includes(cell)).map((cell) => d * cells + cell);
    return [less(A, B), less(B, A)];
  });
}

/** The numbers of a plan as bytes. */
function packed(head, parts) {
  const numbers = [...head, ...parts.flatMap((lists) => [lists.length, lists.flat().length])];
  for (const lists of parts) {
    let start = 0;
    numbers.push(0);
    for (const list of lists) numbers.push((start += list.length));
    for (const list of lists) numbers.push(...list);
  }
  const bytes = new Uint8Array(4 * numbers.length), view = new DataView(bytes.buffer);
  numbers.forEach((number, i) => view.setInt32(4 * i, number, true));
  return bytes;
}

/** The numbers of a plan, before its givens. */
function numbersOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
}

/** The lists of each part. */
function partsOf(numbers) {
  let at = HEAD;
  return Array.from({ length: PARTS }, (_, part) => {
    const [lists, members] = numbers.subarray(6 + 2 * part), from = at + lists + 1, starts = numbers.subarray(at, from);
    at = from + members;
    return Array.from({ length: lists }, (_, i) => [...numbers.subarray(from + starts[i], from + starts[i + 1])]);
  });
}

/** The place of a table among others, at their end if it is new. */
function placeOf(table, tables) {
  const place = tables.findIndex((each) => String(each) === String(table));
  return place < 0 ? tables.push(table) - 1 : place;
}

/** Of each candidate, digit-major, the others that share a group or a pair with it: candidate i has
 * members[starts[i]] to members[starts[i + 1] - 1]. */
function clashesOf({ bytes, cells, digits }) {
  const clashes = Array.from({ length: cells * digits }, () => new Set());
  const numbers = numbersOf(bytes), { [GROUPS]: groups, [PAIRS]: pairs } = partsOf(numbers);
  for (const group of numbers[4] ? [...groups, ...nineGroups()] : groups)
    for (const a of group) for (const b of group) if (a !== b) clashes[a].add(b);
  pairs.forEach((list, a) => list.forEach((b) => clashes[a].add(b)));
  const starts = new Int32Array(clashes.length + 1);
  clashes.forEach((others, i) => (starts[i + 1] = starts[i] + others.size));
  return { starts, members: Int32Array.from(clashes.flatMap((others) => [...others])) };
}

/** The groups of rows, columns and boxes of 9x9, digit-major. */
function nineGroups() {
  const nine = [...Array(9).keys()];
  const houses = nine.flatMap((h) => [
    nine.map((i) => 9 * h + i), nine.map((i) => 9 * i + h),
    nine.map((i) => 9 * (3 * Math.floor(h / 3) + Math.floor(i / 3)) + 3 * (h % 3) + (i % 3)),
  ]);
  return houses.flatMap((house) => nine.map((d) => house.map((cell) => 81 * d + cell)));
}

// --- random numbers ------------------------------------------------------------------------------

/** A stream of numbers below a bound, named by two numbers: SplitMix32, whose first step mixes them. */
function diceOf(seed, number) {
  const mixed = (x) => {
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  };
  let state = mixed(mixed(seed) + number);
  return (below) => Math.floor((mixed((state = (state + 0x9e3779b9) >>> 0)) / 2 ** 32) * below);
}

function shuffled(length, roll) {
  const order = [...Array(length).keys()];
  for (let i = length - 1; i > 0; i--) {
    const other = roll(i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

// --- collections ---------------------------------------------------------------------------------

/** Blocks of the puzzles of a text, a line each: puzzles (N * cells), lines (N,), and faults of lines
 * that are no puzzles. chunks: a file, a stream or bytes as they come; most: the largest digit. What
 * follows the cells after a separator is left. */
export async function* readLines(chunks, cells = 81, most) {
  whole("cells", cells, 1, MOST_CELLS);
  const highest = most ?? Math.min(9, Math.round(Math.sqrt(cells)));
  whole("most", highest, 1, 9);
  const reader = new LineReader(cells, highest);
  for await (const chunk of chunksOf(chunks)) {
    if (!(chunk instanceof Uint8Array)) throw new SatdokuError(`a piece ${shown(chunk)}: expected bytes`);
    for (let at = 0; at < chunk.length; ) {
      at = reader.read(chunk, at);
      if (reader.isFull) yield reader.block();
    }
  }
  reader.end();
  if (reader.count || reader.faults.length) yield reader.block();
}

function chunksOf(source) {
  if (source instanceof Uint8Array) return [source];
  if (source instanceof Blob) return chunksOf(source.stream());
  if (isIterable(source)) return source;
  if (source?.getReader) return readOf(source.getReader());
  throw new SatdokuError(`chunks ${shown(source)}: expected a file, a stream or pieces of bytes`);
}

const isIterable = (value) => !!(value?.[Symbol.asyncIterator] || value?.[Symbol.iterator]);

/** Pieces of a stream, in browsers where it is no iterator. */
async function* readOf(reader) {
  try {
    for (let piece; !(piece = await reader.read()).done; ) yield piece.value;
  } finally {
    await reader.cancel();
  }
}

class LineReader {
  constructor(cells, most) {
    Object.assign(this, { cells, line: 1, filled: 0, wrong: "", rest: false, used: false });
    this.digitOf = new Uint8Array(256).fill(NO_CELL); // of a byte
    for (let digit = 0; digit <= most; digit++) this.digitOf[ZERO + digit] = digit;
    this.digitOf[DOT] = 0;
    this.clear();
  }

  clear() {
    this.puzzles = new Uint8Array(BLOCK * this.cells);
    this.lines = new Int32Array(BLOCK);
    this.count = 0;
    this.faults = [];
  }

  get isFull() {
    return this.count === BLOCK || this.faults.length === BLOCK;
  }

  /** Read on from a place of the chunk until a block is full; returns where. */
  read(chunk, at) {
    const { cells, digitOf, puzzles } = this;
    if (!this.filled && !this.rest) at = this.readPlain(chunk, at);
    if (this.isFull) return at;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) {
        this.end();
        if (this.isFull) return at + 1;
      } else if (!this.rest) {
        if (this.filled < cells && digitOf[byte] !== NO_CELL) {
          puzzles[this.count * cells + this.filled++] = digitOf[byte];
        } else if (byte !== RETURN) {
          this.stop(byte);
        }
      }
    }
    return at;
  }

  /** Read on as long as lines are nothing but cells, as most are; returns where that ends. */
  readPlain(chunk, at) {
    const { cells, digitOf, puzzles } = this;
    for (; at + cells < chunk.length && chunk[at + cells] === NEWLINE && !this.isFull; at += cells + 1) {
      const to = this.count * cells;
      for (let i = 0; i < cells; i++) {
        const digit = digitOf[chunk[at + i]];
        if (digit === NO_CELL) return at;
        puzzles[to + i] = digit;
      }
      this.lines[this.count++] = this.line++;
    }
    return at;
  }

  /** A character that is no cell: what follows is left, and the line is wrong if it came too early. */
  stop(byte) {
    if (byte === 35 && !this.filled) this.used = true; // a comment
    const isCell = (byte >= ZERO && byte <= NINE) || byte === DOT;
    if (this.filled < this.cells || isCell)
      this.wrong ||= `character ${this.filled + 1}: expected ${this.cells} digits, . or 0 if empty`;
    this.rest = true;
  }

  end() {
    if (this.filled === this.cells && !this.wrong) this.lines[this.count++] = this.line;
    else if ((this.filled || this.wrong) && !this.used)
      this.faults.push({
        line: this.line,
        message: this.wrong || `${this.filled} characters: expected ${this.cells}`,
      });
    this.line++;
    this.filled = 0;
    this.wrong = "";
    this.rest = this.used = false;
  }

  block() {
    const { puzzles, lines, count, faults, cells } = this;
    const isFull = count === BLOCK;
    if (!isFull) Object.assign(this, { count: 0, faults: [] });
    else this.clear();
    const part = (all, length) => (isFull ? all : all.slice(0, length));
    return { puzzles: part(puzzles, count * cells), lines: part(lines, count), faults };
  }
}

// --- workers -------------------------------------------------------------------------------------

/** Workers that answer questions about many puzzles at once; results come in order. */
export class Pool {
  #workers = [];
  #free = [];
  #waiting = [];
  #stopped = null;

  /** size: workers; one for each core unless told. kernel: as for `load`, a module or bytes. start:
   * what starts a worker of this script under a name, where it is no file of its own. */
  static async open(options) {
    const { size, kernel, start } = chosen(options, { size: undefined, kernel: undefined, start: undefined });
    if (start !== undefined && typeof start !== "function")
      throw new SatdokuError(`start ${shown(start)}: expected a function`);
    const pool = new Pool();
    const module = kernel instanceof WebAssembly.Module ? kernel : (await load(kernel)).module;
    const count = size ?? globalThis.navigator?.hardwareConcurrency ?? 4;
    whole("workers", count, 1, 256);
    for (let i = 0; i < count; i++) pool.#add(await started(module, start));
    return pool;
  }

  #add(worker) {
    worker.listen((answer) => {
      const { done, failed } = worker.task;
      worker.task = null;
      this.#free.push(worker);
      this.#next();
      if (answer.error) failed(new (answer.late ? BudgetError : SatdokuError)(answer.error));
      else done(answer.result);
    }, (error) => this.#fail(error));
    this.#workers.push(worker);
    this.#free.push(worker);
  }

  #fail(error) {
    this.stop(new SatdokuError(`a worker failed: ${error?.message ?? error}`));
  }

  #next() {
    while (this.#waiting.length && this.#free.length) {
      const worker = this.#free.pop();
      worker.task = this.#waiting.shift();
      this.#send(worker);
    }
  }

  #send(worker) {
    const { words, failed } = worker.task;
    try {
      worker.send(words);
    } catch (error) { // what was asked holds something that cannot be sent
      worker.task = null;
      this.#free.push(worker);
      failed(new SatdokuError(`the question cannot be sent to a worker: ${error.message}`));
    }
  }

  /** A method of Satdoku in a worker: `ask("count", puzzle, rules, { limit })`. */
  ask(method, ...words) {
    if (this.#stopped) return Promise.reject(this.#stopped);
    if (!QUESTIONS.includes(method)) {
      const error = new SatdokuError(`no question '${shown(method)}': expected ${QUESTIONS.join(", ")}`);
      return Promise.reject(error);
    }
    const sent = words.map((word) => (word instanceof Plan ? word.bytes : word));
    return new Promise((done, failed) => {
      this.#waiting.push({ words: [method, sent], done, failed });
      this.#next();
    });
  }

  /** `solveBatch` of blocks as `readLines` yields them, in order, each with what was found. */
  async *solveBlocks(blocks, rules, options) {
    if (!isIterable(blocks)) throw new SatdokuError(`blocks ${shown(blocks)}: expected those of readLines`);
    const most = 2 * this.#workers.length, under = [];
    try {
      for await (const block of blocks) {
        const answer = this.ask("solveBatch", block?.puzzles, rules, options);
        answer.catch(() => {}); // it is awaited below, or nobody wants it
        under.push([block, answer]);
        if (under.length >= most) yield await first(under);
      }
      while (under.length) yield await first(under);
    } finally {
      under.length = 0;
    }
  }

  /** End all workers; what is asked for fails. */
  stop(error = new SatdokuError("the pool was stopped")) {
    this.#stopped ??= error;
    const tasks = [...this.#workers.map((worker) => worker.task), ...this.#waiting];
    for (const worker of this.#workers) worker.end();
    this.#workers = [];
    this.#waiting = [];
    this.#free = [];
    for (const task of tasks) task?.failed(this.#stopped);
  }
}

async function first(under) {
  const [block, answer] = under.shift();
  return { ...block, ...(await answer) };
}

const QUESTIONS = [
  "solveBatch", "classifyBatch", "solve", "classify", "propagate", "candidates", "count", "solutions", "generate",
];
const WORKER = "satdoku-worker"; // the name by which this module knows that it is one

/** A worker with the kernel, in a browser or in node. */
async function started(module, start) {
  if (globalThis.Worker && !globalThis.process?.versions?.node) {
    const worker = start?.(WORKER) ?? new Worker(import.meta.url, { type: "module", name: WORKER });
    worker.postMessage({ module });
    return {
      task: null, send: (words) => worker.postMessage({ words }), end: () => worker.terminate(),
      listen: (hear, fail) => ((worker.onmessage = ({ data }) => hear(data)), (worker.onerror = fail)),
    };
  }
  const { Worker: Thread } = await import("node:worker_threads");
  const worker = new Thread(new URL(import.meta.url), { name: WORKER, workerData: WORKER });
  worker.postMessage({ module });
  worker.unref();
  return {
    task: null, end: () => worker.terminate(),
    send: (words) => (worker.ref(), worker.postMessage({ words })),
    listen: (hear, fail) => {
      worker.on("message", (data) => (worker.unref(), hear(data)));
      worker.on("error", fail);
    },
  };
}

/** Answer what is asked, in a worker. */
function serve(listen, send) {
  let engine;
  let plan = { bytes: null };
  const withPlan = async (word) => {
    if (!(word instanceof Uint8Array)) return word;
    const kernel = await engine;
    if (!plan.bytes || plan.bytes.length !== word.length || plan.bytes.some((byte, i) => byte !== word[i])) {
      kernel.forget(plan);
      plan = { bytes: null };
      plan = kernel.plan(word);
    }
    return plan;
  };
  let last = Promise.resolve();
  listen(({ module, words }) => {
    if (module) engine = load(module);
    else last = last.then(async () => {
      try {
        const [method, [puzzle, rules, ...more]] = words, kernel = await engine;
        const result = kernel[method](puzzle, await withPlan(rules), ...more);
        send({ result: typeof result?.next === "function" ? [...result] : result });
      } catch (error) {
        send({ error: error.message, late: error instanceof BudgetError });
      }
    });
  });
}

if (globalThis.process?.versions?.node) {
  const { isMainThread, parentPort, workerData } = await import("node:worker_threads");
  if (!isMainThread && workerData === WORKER)
    serve((hear) => parentPort.on("message", hear), (answer) => parentPort.postMessage(answer));
} else if (globalThis.name === WORKER && typeof WorkerGlobalScope !== "undefined") {
  serve((hear) => (globalThis.onmessage = ({ data }) => hear(data)), (answer) => globalThis.postMessage(answer));
}
