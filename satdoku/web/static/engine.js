/* The engine in this tab: what it says of a puzzle before the server can.
 *
 * Invariant: it says what the server says, or nothing. Without a kernel, without a plan of the rules
 * and clues, and where it takes too long, the server alone answers.
 *
 * The kernel runs in a worker, so that no key waits for it. The plan comes with the picture, once for
 * each set of rules and clues.
 */

import { pictureOf } from "./picture.js";

const HOME = "../kernel/satdoku.js"; // fetched when the first question comes and the page is idle
const SECONDS = 0.25; // for an answer; the server's is there by then, or soon

class Engine {
  #module = null; // a promise of what the script exports, with the compiled `kernel`
  #pool = null; // a promise of a pool with one worker
  #newest = null; // the puzzle that `live` was asked about last, while it looks for an answer
  #plans = new WeakMap(); // bytes, by picture

  /** Yields {status}, then {candidates} of a puzzle, as the server words them, but `none` also where
   * givens clash. `digits` has a given or 0 for each cell. A newer question ends the one before. */
  async *live(puzzle, digits) {
    if (this.#newest) this.#stop();
    this.#newest = puzzle;
    try {
      yield* this.#found(puzzle, digits);
    } finally {
      if (this.#newest === puzzle) this.#newest = null;
    }
  }

  /** Whether a solution of the puzzle has the digits `tried`: as `api/possible` answers; null if the
   * engine cannot say. */
  async possible(puzzle, digits, tried) {
    const plan = await this.#planOf(puzzle);
    const row = digits.map((given, cell) => given || tried[cell]);
    const found = plan && (await this.#statusOf(plan, row));
    if (!found) return null;
    const answer = { possible: found !== "none", left: row.filter((digit) => !digit).length, wrong: [] };
    if (answer.possible) return answer;
    const status = await this.#statusOf(plan, digits);
    const only = status === "unique" && (await this.#ask("candidates", digits, plan));
    if (!status || only === null) return null;
    if (only) answer.wrong = [...only.keys()].filter((cell) => tried[cell] && !only[cell].includes(tried[cell]));
    return answer;
  }

  async *#found(puzzle, digits) {
    const plan = await this.#planOf(puzzle);
    if (!plan || this.#newest !== puzzle) return;
    const status = await this.#statusOf(plan, digits);
    if (!status) return;
    yield { status };
    const candidates = status === "none" ? null : await this.#ask("candidates", digits, plan);
    if (candidates) yield { candidates };
  }

  /** unique, multiple or none; null if the engine cannot say. */
  async #statusOf(plan, digits) {
    const found = await this.#ask("classify", digits, plan);
    const { Status } = await this.#module;
    const names = { [Status.UNIQUE]: "unique", [Status.MULTIPLE]: "multiple" };
    return found === null || found === Status.UNKNOWN ? null : (names[found] ?? "none");
  }

  /** The plan of the rules and clues of a puzzle; null if there is none. */
  async #planOf(puzzle) {
    if (puzzle.candidates) return null;
    const picture = await pictureOf(puzzle).catch(() => null); // the page tells what is wrong
    if (!picture?.plan) return null;
    if (!this.#plans.has(picture)) this.#plans.set(picture, bytesOf(picture.plan));
    return this.#plans.get(picture);
  }

  /** The answer to a question about a row of digits; null if it takes too long or is given up. */
  async #ask(method, digits, plan) {
    const pool = await (this.#pool ??= this.#open());
    const end = setTimeout(() => this.#stop(), 2000 * SECONDS); // it did not look at the clock
    try {
      return await pool.ask(method, Uint8Array.from(digits), plan, { timeout: SECONDS });
    } catch {
      return null;
    } finally {
      clearTimeout(end);
    }
  }

  async #open() {
    const { Pool, kernel } = await (this.#module ??= loaded());
    return Pool.open({ size: 1, kernel });
  }

  /** Ends the worker, and what is asked of it; the next question begins another. */
  #stop() {
    this.#pool?.then((pool) => pool.stop());
    this.#pool = null;
  }
}

async function loaded() {
  await new Promise((done) => requestIdleCallback(done));
  const script = await import(HOME);
  return { ...script, kernel: (await script.load()).module };
}

function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The one engine of the tab. */
export const engine = new Engine();
