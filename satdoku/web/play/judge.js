/* What the kernel knows of a puzzle and of the digits that somebody has entered.
 *
 * Invariant: an answer is found when it is asked for, from the plan of the puzzle; nothing here has
 * been told it. What is not found within the time is said to be unknown.
 *
 * Digits are lists with a digit or 0 for each cell, entries are pairs of a cell and a digit.
 */

const SECONDS = 5; // for an answer that somebody waits for
const SOON = 2; // for one that comes by itself

export const YES = "yes";
export const NO = "no";
export const UNKNOWN = "unknown";

export class Judge {
  /** `told` is the puzzle as `told.py` tells it, `plan` the bytes of its rules. */
  constructor(kernel, plan, told, givens) {
    Object.assign(this, { kernel, bytes: plan, told, givens });
    this.plan = kernel.here.plan(plan);
  }

  /** How many solutions the puzzle has, as a status of satdoku.js. */
  async status() {
    return this.kernel.ask("classify", [...this.givens], this.bytes, { timeout: SECONDS });
  }

  /** Whether a solution has the digits: YES, NO or UNKNOWN. */
  async possible(digits, isSoon = false) {
    const solution = await this.#solution(digits, isSoon ? SOON : SECONDS);
    return solution === UNKNOWN ? UNKNOWN : solution ? YES : NO;
  }

  async #solution(digits, timeout = SECONDS) {
    return orUnknown(this.kernel.ask("solve", [...digits], this.bytes, { timeout }));
  }

  /** The cells of wrong digits, if the puzzle has one solution; else none. */
  async wrong(digits) {
    const { Status } = this.kernel;
    if ((await this.status()) !== Status.UNIQUE) return [];
    const solution = await this.#solution(this.givens);
    if (solution === UNKNOWN) return [];
    return [...digits.keys()].filter((cell) => digits[cell] && digits[cell] !== solution[cell]);
  }

  /** Which of the entries, in their order, is the first one that leaves no solution: its place in
   * the list, -1 if the puzzle has none by itself; null if it is not known. */
  async breaking(entries) {
    const withFirst = (count) => {
      const digits = [...this.givens];
      for (const [cell, digit] of entries.slice(0, count)) digits[cell] = digit;
      return digits;
    };
    let [low, high] = [0, entries.length]; // the first `high` leave none
    while (low < high) {
      const middle = (low + high) >> 1;
      const answer = await this.possible(withFirst(middle));
      if (answer === UNKNOWN) return null;
      if (answer === YES) low = middle + 1;
      else high = middle;
    }
    return high - 1;
  }

  /** For each cell the digits that clash with no other by themselves; none in cells with a digit. */
  free(digits) {
    const { plan, told } = this;
    const isFree = (cell, digit) =>
      !told.peers[cell].some((peer) => digits[peer] === digit) &&
      !plan.hasClashAt(Uint8Array.from(digits).with(cell, digit), cell);
    return told.open.map((all, cell) => (digits[cell] ? [] : all.filter((digit) => isFree(cell, digit))));
  }

  /** For each cell without a digit the digits that it has in solutions; null if it is not known. */
  async candidates(digits) {
    const asked = this.kernel.ask("candidates", [...digits], this.bytes, { timeout: SECONDS });
    const found = await orUnknown(asked);
    return found === UNKNOWN ? null : found.map((all, cell) => (digits[cell] ? [] : all));
  }

  /** A cell whose digit is certain, the easiest one to see: {cell, digit, house, words}; `house` are
   * cells to look at. Null if there is none, or if it is not known. */
  async hint(digits) {
    const free = this.free(digits);
    return this.#single(free) ?? this.#onlyPlace(free, digits) ?? this.#fixed(free, digits)
      ?? this.#certain(free, digits);
  }

  #single(free) {
    const cell = free.findIndex((all) => all.length === 1);
    if (cell < 0) return null;
    return { cell, digit: free[cell][0], house: [], words: "Every other digit clashes with one there is." };
  }

  #onlyPlace(free, digits) {
    for (const house of this.told.houses) {
      for (const digit of new Set(house.flatMap((cell) => free[cell]))) {
        const places = house.filter((cell) => free[cell].includes(digit));
        if (places.length > 1 || house.some((cell) => digits[cell] === digit)) continue;
        const words = "Of the coloured cells it is the only place for one of the digits.";
        return { cell: places[0], digit, house, words };
      }
    }
    return null;
  }

  /** A cell that rules and clues fix, one after another. */
  #fixed(free, digits) {
    const fixed = this.kernel.here.propagate([...digits], this.plan);
    if (!fixed) return null;
    const found = fewest(free, [...digits.keys()].filter((cell) => !digits[cell] && fixed[cell]));
    if (found === undefined) return null;
    return { cell: found, digit: fixed[found], house: [], words: "Rules and clues, one after another, fix its digit." };
  }

  async #certain(free, digits) {
    const found = await this.candidates(digits);
    if (!found) return null;
    const cell = fewest(free, [...found.keys()].filter((each) => found[each].length === 1));
    if (cell === undefined) return null;
    return { cell, digit: found[cell][0], house: [], words: "It takes more than one step to see why." };
  }
}

/** The cell that has the fewest free digits. */
function fewest(free, cells) {
  return cells.toSorted((one, other) => free[one].length - free[other].length)[0];
}

async function orUnknown(asked) {
  try {
    return await asked;
  } catch (error) {
    if (error.name === "BudgetError") return UNKNOWN;
    throw error;
  }
}

/** The digits that were entered, in the order in which they came: of those that a page has kept
 * from before nobody knows it, and they come first. `states` are the notes of all steps. */
export function inOrder(states) {
  const now = states.at(-1).digits;
  const since = (cell) => 1 + states.findLastIndex(({ digits }) => digits[cell] !== now[cell]);
  const cells = Object.keys(now).map(Number);
  const ranked = cells.map((cell) => [since(cell), cell]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return ranked.map(([, cell]) => [cell, now[cell]]);
}
