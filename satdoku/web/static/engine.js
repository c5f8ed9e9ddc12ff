/* The engine in this tab: what it says of a puzzle before the server can.
 *
 * Invariant: it says what the server says, or nothing. Without a kernel, without a plan of the rules
 * and clues, and where it takes too long, the server alone answers.
 *
 * A first look is taken where the key is heard, so that the answer is there when the digit is drawn;
 * it ends within a few milliseconds. All else runs in a worker, so that no key waits for it. The plan
 * comes with the picture, once for each set of rules and clues.
 */

import { pictureOf } from "./picture.js";

const HOME = "../kernel/satdoku.js"; // fetched when the first question comes and the page is idle
const GLANCE = 3000; // nodes of the first look
const BRIEF = { limit: 1, budget: 50 }; // the same for each candidate
const [LANES, BRIEFLY] = [128, 4]; // candidates at once; milliseconds for all of them
const SECONDS = 0.25; // for an answer; the server's is there by then, or soon

class Engine {
  #kernel = null; // a promise of the script and of what it loads
  #pool = null; // a promise of a pool with one worker
  #newest = null; // the puzzle that `live` was asked about last
  #working = 0; // questions that the worker has
  #plans = new WeakMap(); // bytes, by picture
  #seen = null; // the plan of the last first look
  #marked = {}; // the plan with the pencil marks that were there last

  /** Yields {status} and {candidates}, together or in turn, of a store or what else has {puzzle,
   * digits, marks}, as the server words them, but `none` also where givens clash. A newer question
   * ends the one before; `isOver` tells, before long work, that nobody needs the answer. */
  async *live(store, isOver = () => false) {
    const { puzzle, digits } = store;
    if (this.#working) this.#stop();
    this.#newest = puzzle;
    const plan = await this.#planOf(store);
    if (!plan || this.#newest !== puzzle || isOver()) return;
    const found = await this.#decided(plan, digits);
    if (!found.status) return;
    yield found.candidates ? found : { status: found.status };
    if (found.candidates || found.status === "none" || isOver()) return;
    const candidates = await this.#ask("candidates", digits, plan);
    if (candidates) yield { candidates };
  }

  /** Whether a solution has the digits `tried`, as `api/possible` answers; null if the engine cannot
   * say. */
  async possible(store, tried) {
    const { digits } = store;
    const plan = await this.#planOf(store);
    const row = digits.map((given, cell) => given || tried[cell]);
    const { status } = plan ? await this.#decided(plan, row) : {};
    if (!status) return null;
    const left = row.filter((digit) => !digit).length;
    if (status !== "none") return { possible: true, left, wrong: [] };
    const alone = await this.#decided(plan, digits);
    if (!alone.status) return null;
    if (alone.status !== "unique") return { possible: false, left, wrong: [] };
    const only = alone.candidates ?? (await this.#ask("candidates", digits, plan));
    if (!only) return null;
    const isWrong = (cell) => tried[cell] && tried[cell] !== only[cell][0];
    return { possible: false, left, wrong: [...only.keys()].filter(isWrong) };
  }

  /** {status}: unique, multiple or none, with {candidates} if the first look has found them; {} if the
   * engine cannot say. */
  async #decided(plan, digits) {
    const kernel = await (this.#kernel ??= loaded());
    if (!kernel) return {};
    const { UNIQUE, MULTIPLE, UNKNOWN } = kernel.script.Status;
    const names = { [UNIQUE]: "unique", [MULTIPLE]: "multiple" };
    const { statuses, solutions } = this.#glance(kernel.satdoku, plan, digits);
    let [found] = statuses;
    const isDone = found !== UNKNOWN;
    if (!isDone) found = (await this.#ask("classify", digits, plan)) ?? UNKNOWN;
    if (found === UNKNOWN) return {};
    const status = names[found] ?? "none";
    if (!isDone || status === "none") return { status };
    const only = status === "unique" && [...solutions].map((digit) => [digit]);
    return { status, candidates: only || this.#briefly(kernel, digits) };
  }

  /** What a short search finds. */
  #glance(satdoku, plan, digits) {
    if (this.#seen?.bytes !== plan) {
      const made = satdoku.plan(plan);
      if (this.#seen) satdoku.forget(this.#seen.made);
      this.#seen = { bytes: plan, made };
    }
    return satdoku.solveBatch(Uint8Array.from(digits), this.#seen.made, { budget: GLANCE });
  }

  /** The true candidates of a puzzle with solutions, if short searches tell all of them; else null. */
  #briefly({ script, satdoku }, digits) {
    const { made } = this.#seen, { cells } = made;
    const grid = satdoku.propagate(Uint8Array.from(digits), made);
    const found = Array.from(grid, (digit) => new Set(digit ? [digit] : []));
    const every = Array.from({ length: made.digits }, (_, d) => d + 1);
    let open = [...grid.keys()].flatMap((cell) => (grid[cell] ? [] : every.map((digit) => [cell, digit])));
    for (const end = performance.now() + BRIEFLY; open.length; ) {
      const asked = open.splice(0, LANES), rows = new Uint8Array(asked.length * cells);
      for (const [i, [cell, digit]] of asked.entries()) {
        rows.set(grid, i * cells);
        rows[i * cells + cell] = digit;
      }
      const { statuses, solutions } = satdoku.solveBatch(rows, made, BRIEF);
      if (performance.now() > end || statuses.includes(script.Status.UNKNOWN)) return null;
      for (const [i, status] of statuses.entries()) {
        if (status !== script.Status.SOLVED) continue;
        for (let cell = 0; cell < cells; cell++) found[cell].add(solutions[i * cells + cell]);
      }
      open = open.filter(([cell, digit]) => !found[cell].has(digit));
    }
    return found.map((some) => [...some].sort((a, b) => a - b));
  }

  /** The plan of the rules, clues and pencil marks; null if there is none. */
  async #planOf({ puzzle, marks }) {
    const picture = await pictureOf(puzzle).catch(() => null); // the page tells what is wrong
    if (!picture?.plan) return null;
    if (!this.#plans.has(picture)) this.#plans.set(picture, bytesOf(picture.plan));
    const plan = this.#plans.get(picture);
    const kernel = puzzle.candidates && (await (this.#kernel ??= loaded()));
    if (!kernel) return plan;
    const text = marks.map(String).join(";");
    if (this.#marked.of !== plan || this.#marked.text !== text) {
      const bare = kernel.satdoku.plan(plan);
      this.#marked = { of: plan, text, bytes: bare.withMarks(marks) };
      kernel.satdoku.forget(bare);
    }
    return this.#marked.bytes;
  }

  /** The answer to a question about a row of digits; null if it takes too long or is given up. */
  async #ask(method, digits, plan) {
    const pool = await (this.#pool ??= this.#open());
    const end = setTimeout(() => this.#stop(), 2000 * SECONDS); // it did not look at the clock
    this.#working++;
    try {
      return await pool.ask(method, Uint8Array.from(digits), plan, { timeout: SECONDS });
    } catch {
      return null;
    } finally {
      clearTimeout(end);
      this.#working--;
    }
  }

  async #open() {
    const { script, satdoku } = await this.#kernel;
    return script.Pool.open({ size: 1, kernel: satdoku.module });
  }

  /** Ends the worker, and what is asked of it; the next question begins another. */
  #stop() {
    this.#pool?.then((pool) => pool.stop());
    this.#pool = null;
  }
}

/** The script and what it loads; null where this browser cannot run it. */
async function loaded() {
  await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }));
  try {
    const script = await import(HOME);
    return { script, satdoku: await script.load() };
  } catch (error) {
    console.error(error);
    return null;
  }
}

function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The one engine of the tab. */
export const engine = new Engine();
