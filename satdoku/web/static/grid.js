/* Boards, cells and digits, as the server tells them with each picture (docs/PAGE.md).
 *
 * Invariant: nothing is known here that the server has not said. Cells count from 0, row by row
 * across all grids, and those of layers come behind them. A digit is its place, from 1, among those
 * that its cell may hold; 0 is none.
 */

/** The characters or words of the text of a puzzle, one for each cell. */
export function wordsOf(text) {
  return text.includes(" ") ? text.split(" ") : [...text];
}

/** The same text without digits. */
export function emptied(text) {
  return wordsOf(text).fill(".").join(text.includes(" ") ? " " : "");
}

/** What the board of a puzzle depends on, as text. */
export function boardKey({ puzzle, boxes, rules }) {
  return JSON.stringify([wordsOf(puzzle).length, boxes, rules]);
}

export class Layout {
  #at = new Map(); // the cell at each place of the grids

  constructor(told) {
    Object.assign(this, told);
    for (const [cell, place] of this.places.entries()) this.#at.set(String(place), cell);
    this.planes = this.layers.filter((layer) => !layer.free); // those with a value in each cell
  }

  /** How many cells the grids have. */
  get count() {
    return this.places.length;
  }

  /** All cells of the grids. */
  get all() {
    return [...this.places.keys()];
  }

  /** The cell of the grids at a row and a column, from 0; null if there is none. */
  at(row, column) {
    return this.#at.get(`${row},${column}`) ?? null;
  }

  /** The layer of a cell; undefined for a cell of the grids. */
  layerOf(cell) {
    return this.layers.findLast(({ first }) => first <= cell);
  }

  /** The cell of the grids in which a cell lies; null for a variable that stands free. */
  seat(cell) {
    const layer = this.layerOf(cell);
    if (!layer) return cell;
    return layer.free ? null : cell - layer.first;
  }

  /** Row and column of a cell, from 0. */
  place(cell) {
    return this.places[this.seat(cell)];
  }

  /** A cell as people write it: r5c3, shade.r5c3. */
  name(cell) {
    return this.names[cell];
  }

  /** A cell as people say it. */
  spoken(cell) {
    const [row, column] = this.place(cell);
    const layer = this.layerOf(cell);
    return `${layer ? `${layer.name} of ` : ""}row ${row + 1} column ${column + 1}`;
  }

  /** The digits of a layer, or of the grids, as one reads them. */
  texts(layer) {
    return layer ? layer.digits.map(String) : this.characters.slice(1);
  }

  /** How many digits a cell may hold at most. */
  most(cell) {
    return (this.layerOf(cell) ?? this).digits.length;
  }

  /** All digits of a cell. */
  every(cell) {
    return Array.from({ length: this.most(cell) }, (_, index) => index + 1);
  }

  /** A digit of a cell as one reads it; empty for none. */
  text(digit, cell = 0) {
    return digit ? this.texts(this.layerOf(cell))[digit - 1] : "";
  }

  /** The digit that a key means in a layer, or in the grids; 0 if it means none. */
  digitOfKey(key, layer) {
    return this.texts(layer).indexOf(key.length === 1 ? key.toUpperCase() : "") + 1;
  }

  /** The digits of the text of a puzzle. */
  read(text) {
    return wordsOf(text).map((word) => Math.max(this.characters.indexOf(word.toUpperCase()), 0));
  }

  /** The text of digits. */
  write(digits) {
    return digits.map((digit) => this.characters[digit]).join(this.separator);
  }

  /** Digits as numbers, and numbers as digits. */
  numbers(digits, cell) {
    const all = (this.layerOf(cell) ?? this).digits;
    return digits.map((digit) => all[digit - 1]);
  }

  digitsOf(numbers, cell) {
    const all = (this.layerOf(cell) ?? this).digits;
    return numbers.map((number) => all.indexOf(number) + 1);
  }

  /** The same puzzle with rules of these names, on this board. */
  withRules(puzzle, names) {
    const words = puzzle.boxes ? [] : this.words;
    return { ...puzzle, rules: [names.join(","), ...words].filter(Boolean).join(";") };
  }
}
