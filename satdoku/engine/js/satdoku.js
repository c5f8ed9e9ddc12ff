// The engine in a browser tab, in a worker or in node: puzzles in, arrays out, nothing to install.
//
// Invariant: names and answers are those of the Python package, but for the random numbers of `generate`.
// Every number that the kernel gets is checked here, and what goes wrong is a SatdokuError.

const MAGIC = 0x4b445453, FORMAT = 1, PARTS = 14, HEAD = 6 + 2 * PARTS;
const BLOCK = 8192; // puzzles of a call: many times the lanes
const LANES = 128;
const ROOM = 256; // solutions that are listed at once
const MOST_LISTED = 1 << 16; // as in kernel.h
const MOST_PLAN = 1 << 28; // bytes
const SLICE = 1 << 16; // lanes swept between two looks at the clock
const BUDGET = 100000, MOST_NODES = 2 ** 32 - 1;
const NEWLINE = 10, RETURN = 13, ZERO = 48, NINE = 57, DOT = 46;

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
  constructor(handle, bytes, x) {
    Object.assign(this, { handle, bytes, cells: x.cells(handle), digits: x.digits(handle) });
    const givens = x.givens(handle);
    this.givens = givens ? bytes.slice(bytes.length - givens) : null;
  }

  get variables() {
    return this.cells * this.digits;
  }

  /** Of each candidate, digit-major, the others that clash with it. */
  get clashes() {
    return (this._clashes ??= clashesOf(this));
  }
}

class Satdoku {
  #x;
  #plans = new Map();

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
    if (rules instanceof Plan) return rules;
    if (rules instanceof Uint8Array) return this.#loaded(rules);
    const key = `${size}:${namesOf(rules).sort()}`;
    if (!this.#plans.has(key)) this.#plans.set(key, this.#loaded(namedPlan(this.boards, rules, size)));
    return this.#plans.get(key);
  }

  #loaded(bytes) {
    if (bytes.length > MOST_PLAN) throw new SatdokuError(`a plan of ${bytes.length} bytes: expected less`);
    const at = this.#put(bytes);
    const handle = this.#call("plan", at, bytes.length);
    if (handle) return new Plan(handle, bytes.slice(), this.#x);
    this.#x.give(at);
    const memory = new Uint8Array(this.#x.memory.buffer), start = this.#x.fault();
    throw new SatdokuError(new TextDecoder().decode(memory.subarray(start, memory.indexOf(0, start))));
  }

  /** Forget a plan that was made of bytes, with its memory. */
  forget(plan) {
    if (!plan.handle) return;
    this.#x.release(plan.handle);
    plan.handle = 0;
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

  /** One call of the kernel: a block of puzzles, as digits. */
  #solved(plan, puzzles, limit, budget) {
    const count = puzzles.length / plan.cells;
    this.#live(plan);
    return this.#with([puzzles, count, puzzles.length, 4 * count], (at, read) => {
      const [from, status, solutions, nodes] = at;
      const failed = this.#call("solve", plan.handle, from, count, 0, limit, budget, status, solutions, nodes, 0);
      if (failed) throw new SatdokuError("no memory is left for the search");
      return {
        statuses: read(1, count), solutions: read(2, puzzles.length),
        nodes: new Uint32Array(read(3, 4 * count).buffer),
      };
    });
  }

  #live(plan) {
    if (!plan.handle) throw new SatdokuError("the plan was forgotten: make it again");
  }

  /** Statuses (N,), solutions (N, cells), zeros where none is known, and nodes (N,) of puzzles. */
  solveBatch(puzzles, rules, { limit = 2, budget = BUDGET } = {}) {
    if (limit !== 1 && limit !== 2) throw new SatdokuError(`limit ${limit}: expected 1 or 2`);
    whole("budget", budget, 1, MOST_NODES);
    const [plan, rows] = this.#asked(puzzles, rules);
    const count = rows.length / plan.cells;
    const found = {
      statuses: new Uint8Array(count), solutions: new Uint8Array(rows.length), nodes: new Uint32Array(count),
    };
    for (let first = 0; first < count; first += BLOCK) {
      const part = rows.subarray(first * plan.cells, (first + BLOCK) * plan.cells);
      const answer = this.#solved(plan, part, limit, budget);
      found.statuses.set(answer.statuses, first);
      found.solutions.set(answer.solutions, first * plan.cells);
      found.nodes.set(answer.nodes, first);
    }
    for (let i = 0; i < count; i++)
      if (found.statuses[i] === Status.NONE && isClash(plan, rows.subarray(i * plan.cells, (i + 1) * plan.cells)))
        found.statuses[i] = Status.INVALID;
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
      const search = this.#call("begin", plan.handle, from, 0, limit, to);
      if (!search) throw new SatdokuError("no memory is left for the search");
      try {
        let left = 1;
        while (left > 0 && performance.now() < end) left = this.#call("advance", search, SLICE);
        if (left < 0) throw new SatdokuError("no memory is left for the search");
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
    this.#live(plan);
    return [plan, rows];
  }

  #asked(puzzles, rules) {
    const size = typeof puzzles === "string" ? Math.round(Math.sqrt([...puzzles].length)) : sizeOf(puzzles);
    const plan = this.plan(rules, size);
    const rows = puzzles == null ? plan.givens : digitsOf(puzzles, plan);
    if (!rows) throw new SatdokuError("no puzzle: expected one, or a plan with givens");
    return [plan, rows];
  }

  /** A solution (cells,), or null. timeout: seconds, after which BudgetError is thrown. */
  solve(puzzle, rules, { timeout = Infinity } = {}) {
    const [plan, row] = this.#one(puzzle, rules);
    const [status, solution] = this.#decided(plan, row, 1, timeout);
    if (status === Status.UNKNOWN) throw new BudgetError(`no answer within ${timeout} s`);
    return status === Status.SOLVED ? solution : null;
  }

  /** Status.UNIQUE, MULTIPLE, NONE, INVALID if two givens clash, UNKNOWN after `timeout` seconds. */
  classify(puzzle, rules, { timeout = Infinity } = {}) {
    const [plan, row] = this.#one(puzzle, rules);
    const [status] = this.#decided(plan, row, 2, timeout);
    return status === Status.NONE && isClash(plan, row) ? Status.INVALID : status;
  }

  /** The fixpoint of unit propagation: of each candidate 1 if it may hold (cells * digits), or null. */
  #fixpoints(plan, rows) {
    const count = rows.length / plan.cells, size = count * plan.variables;
    return this.#with([rows, size, count], ([from, to, conflict], read) => {
      if (this.#call("propagate", plan.handle, from, count, 0, to, conflict))
        throw new SatdokuError("no memory is left for the search");
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
  candidates(puzzle, rules, { timeout = Infinity } = {}) {
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
  count(puzzle, rules, { limit = Infinity, budget = MOST_NODES } = {}) {
    const [plan, row] = this.#one(puzzle, rules);
    if (limit !== Infinity) whole("limit", limit, 1, Number.MAX_SAFE_INTEGER);
    whole("budget", budget, 1, MOST_NODES);
    if (limit <= MOST_LISTED) {
      const { status, grids } = this.#listed(plan, row, limit, budget, false);
      if (status === Status.UNKNOWN && grids < limit) throw new BudgetError(`no answer within ${budget} nodes`);
      return grids;
    }
    return this.#with([row, 1, 4, 8], ([from, status, nodes, grids], read) => {
      if (this.#call("solve", plan.handle, from, 1, 0, 0, budget, status, 0, nodes, grids))
        throw new SatdokuError("no memory is left for the search");
      if (read(1, 1)[0] === Status.UNKNOWN) throw new BudgetError(`no answer within ${budget} nodes`);
      return Math.min(limit, Number(new BigUint64Array(read(3, 8).buffer)[0]));
    });
  }

  /** The first solutions found, in ascending order if the status is NONE: then they are all. */
  #listed(plan, row, room, budget, wanted = true) {
    const size = room * plan.cells;
    return this.#with([row, 1, size, 4, 8], ([from, status, to, nodes, grids], read) => {
      if (this.#call("solve", plan.handle, from, 1, 0, room, budget, status, to, nodes, grids))
        throw new SatdokuError("no memory is left for the search");
      const found = Number(new BigUint64Array(read(4, 8).buffer)[0]);
      return { status: read(1, 1)[0], grids: found, solutions: wanted ? read(2, found * plan.cells) : null };
    });
  }

  /** All solutions, each once, in ascending order, at most `limit`: an iterator. */
  *solutions(puzzle, rules, { limit = Infinity } = {}) {
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
  generate(n = 1, rules = "classic", { seed = Math.floor(Math.random() * 2 ** 32), size = 9 } = {}) {
    whole("puzzles", n, 0, 1e6);
    whole("seed", seed, 0, 2 ** 32 - 1);
    const plan = this.plan(rules, size), cells = plan.cells;
    this.#live(plan);
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

function whole(name, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new SatdokuError(`${name} ${value}: expected a whole number from ${least} to ${most}`);
}

/** The size of a board by what is asked: 9 unless a text of another length says so. */
function sizeOf(puzzles) {
  if (!Array.isArray(puzzles) || !puzzles.length) return 9;
  if (typeof puzzles[0] === "string") return Math.round(Math.sqrt([...puzzles[0]].length));
  if (typeof puzzles[0] === "number") return Math.round(Math.sqrt(puzzles.length));
  return Math.round(Math.sqrt(puzzles[0].length));
}

/** Digits, a byte each, of a text, numbers, or several of these. */
function digitsOf(puzzles, plan) {
  if (typeof puzzles === "string") return textDigits(puzzles, plan);
  if (puzzles instanceof Uint8Array) {
    if (puzzles.length % plan.cells)
      throw new SatdokuError(`${puzzles.length} digits: expected a multiple of ${plan.cells}`);
    return puzzles;
  }
  if (!Array.isArray(puzzles)) throw new SatdokuError("puzzles: expected a text, digits or a list of these");
  if (!puzzles.length) return new Uint8Array(0);
  if (typeof puzzles[0] === "number") return numberDigits(puzzles, plan);
  const rows = new Uint8Array(puzzles.length * plan.cells);
  puzzles.forEach((puzzle, i) => {
    const row = digitsOf(puzzle, plan);
    if (row.length !== plan.cells) throw new SatdokuError(`puzzle ${i + 1}: expected ${plan.cells} digits`);
    rows.set(row, i * plan.cells);
  });
  return rows;
}

function numberDigits(numbers, plan) {
  if (numbers.length !== plan.cells)
    throw new SatdokuError(`${numbers.length} digits: expected ${plan.cells}`);
  numbers.forEach((digit, i) => whole(`cell ${i + 1}`, digit, 0, 255));
  return Uint8Array.from(numbers);
}

function textDigits(text, plan) {
  const characters = [...text.trim()];
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
  if (typeof rules !== "string") throw new SatdokuError("rules: expected names, a plan or its bytes");
  const words = rules.split(",").map((word) => word.trim().toLowerCase());
  return [...new Set(words.flatMap((word) => (Object.hasOwn(ALIASES, word) ? ALIASES[word] : [word])))];
}

/** The plan of named rules as bytes, the same that Python makes: their groups and pairs together. */
function namedPlan(boards, rules, size) {
  if (!Object.hasOwn(boards, size))
    throw new SatdokuError(`${size}x${size}: expected ${Object.keys(boards)} or a plan of Python`);
  const board = boards[size], names = namesOf(rules);
  for (const name of names)
    if (!Object.hasOwn(board.rules, name))
      throw new SatdokuError(`no rule '${name.slice(0, 40)}': choose from ${Object.keys(board.rules).join(", ")}`);
  const added = Object.keys(board.rules).filter((name) => names.includes(name)).map((name) => board.rules[name]);
  const isClassic = size === 9;
  const houses = [...board.houses, ...added.flatMap((rule) => rule.houses)];
  const known = isClassic ? board.houses.length : 0;
  const parts = Array.from({ length: PARTS }, () => []);
  const pairs = adjacency(added, houses, size);
  if (!isClassic || houses.length > known || pairs.length) {
    parts[0] = groupsOf(houses.slice(known), size);
    parts[1] = pairs;
    parts[2] = sidesOf(houses, known, size);
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

/** Of each candidate, digit-major, the others that share a group or a pair with it. */
function clashesOf({ bytes, cells, digits }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset), number = (i) => view.getInt32(4 * i, true);
  const clashes = Array.from({ length: cells * digits }, () => new Set());
  const part = (first, lists) =>
    Array.from({ length: lists }, (_, i) => {
      const [from, to] = [number(first + i), number(first + i + 1)];
      return Array.from({ length: to - from }, (_, k) => number(first + lists + 1 + from + k));
    });
  const groups = part(HEAD, number(6)), pairs = part(HEAD + number(6) + 1 + number(7), number(8));
  for (const group of number(4) ? [...groups, ...nineGroups()] : groups)
    for (const a of group) for (const b of group) if (a !== b) clashes[a].add(b);
  pairs.forEach((list, a) => list.forEach((b) => clashes[a].add(b)));
  return clashes;
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

/** Whether two givens of the puzzle cannot both hold. */
function isClash(plan, row) {
  const given = [];
  row.forEach((digit, cell) => digit && given.push((digit - 1) * plan.cells + cell));
  return given.some((a) => given.some((b) => plan.clashes[a].has(b)));
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
 * that are no puzzles. chunks: bytes as they come. What follows the cells after a separator is left. */
export async function* readLines(chunks, cells = 81, most = Math.sqrt(cells)) {
  const reader = new LineReader(cells, most);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      at = reader.read(chunk, at);
      if (reader.isFull) yield reader.block();
    }
  }
  reader.end();
  if (reader.count || reader.faults.length) yield reader.block();
}

class LineReader {
  constructor(cells, most) {
    Object.assign(this, { cells, line: 1, filled: 0, wrong: "", rest: false, used: false, highest: ZERO + most });
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
    const { cells, puzzles, highest } = this;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) {
        this.end();
        if (this.isFull) return at + 1;
      } else if (!this.rest) {
        if (this.filled < cells && ((byte >= ZERO && byte <= highest) || byte === DOT)) {
          puzzles[this.count * cells + this.filled++] = byte === DOT ? 0 : byte - ZERO;
        } else if (byte !== RETURN) {
          this.stop(byte);
        }
      }
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
    this.clear();
    return { puzzles: puzzles.subarray(0, count * cells), lines: lines.subarray(0, count), faults };
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
  static async open({ size, kernel, start } = {}) {
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
      worker.send(worker.task.words);
    }
  }

  /** A method of Satdoku in a worker: `ask("count", puzzle, rules, { limit })`. */
  ask(method, ...words) {
    if (this.#stopped) return Promise.reject(this.#stopped);
    const sent = words.map((word) => (word instanceof Plan ? word.bytes : word));
    return new Promise((done, failed) => {
      this.#waiting.push({ words: [method, sent], done, failed });
      this.#next();
    });
  }

  /** `solveBatch` of blocks as `readLines` yields them, in order, each with what was found. */
  async *solveBlocks(blocks, rules, options) {
    const most = 2 * this.#workers.length, under = [];
    try {
      for await (const block of blocks) {
        const answer = this.ask("solveBatch", block.puzzles, rules, options);
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
