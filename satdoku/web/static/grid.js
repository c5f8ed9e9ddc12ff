/* Boards, cells and digits as texts and numbers.
 *
 * Invariant: cells count from 0, row by row; a digit beyond 9 is a letter in a text, A for 10.
 */

const LETTERS = ".123456789ABCDEFGHIJKLMNOP";
const LABELS = "0123456789abcdefghijklmnopqrstuvwxyz";
const BOARD_WORDS = ["jigsaw", "latin", "boxes"]; // of a rule set: they say what the board is

/** The digits of a text, 0 for an empty cell. */
export function digitsOf(text) {
  return [...text].map((character) => Math.max(LETTERS.indexOf(character.toUpperCase()), 0));
}

/** The text of digits. */
export function textOf(digits) {
  return digits.map((digit) => LETTERS[digit]).join("");
}

/** A digit as one reads it on the board. */
export function digitText(digit) {
  return digit ? LETTERS[digit] : "";
}

/** The digit that a key means on a board of that size; 0 if it means none. */
export function digitOfKey(key, size) {
  const digit = key.length === 1 ? LETTERS.indexOf(key.toUpperCase()) : 0;
  return digit > 0 && digit <= size ? digit : 0;
}

/** All digits. */
export function fullMarks(size) {
  return Array.from({ length: size }, (_, index) => index + 1);
}

/** Row and column of a cell, from 0. */
export function place(cell, size) {
  return [Math.floor(cell / size), cell % size];
}

/** A cell as people write it: r5c3. */
export function cellName(cell, size) {
  const [row, column] = place(cell, size);
  return `r${row + 1}c${column + 1}`;
}

/** A cell as people say it. */
export function spokenName(cell, size) {
  const [row, column] = place(cell, size);
  return `row ${row + 1} column ${column + 1}`;
}

/** The names of the rules of a puzzle, without what says the board. */
export function ruleNames(puzzle) {
  return words(puzzle).filter((word) => !BOARD_WORDS.includes(word.split("=")[0]));
}

/** What the rules of a puzzle say of the board: "jigsaw=0011..", "latin", or empty. */
export function boardWord(puzzle) {
  return words(puzzle).find((word) => BOARD_WORDS.includes(word.split("=")[0])) ?? "";
}

function words(puzzle) {
  const parts = (puzzle.rules ?? "").split(/[,;]/).map((word) => word.trim());
  return parts.filter((word) => word && word !== "classic");
}

/** {size, boxes: "3x3" or "", regions: box or region of each cell or null, regionMap}. */
export function boardOf(puzzle) {
  const size = Math.round(Math.sqrt(puzzle.puzzle.length));
  const [word, value] = boardWord(puzzle).split("=");
  if (word === "jigsaw") {
    const labels = [...new Set(value)];
    const regions = [...value].map((label) => labels.indexOf(label));
    return { size, boxes: "", regions, regionMap: value };
  }
  const boxes = puzzle.boxes ?? (word === "boxes" ? value : word === "latin" ? "" : usual(size));
  return { size, boxes, regions: boxes ? boxesOf(size, boxes) : null, regionMap: "" };
}

/** The map of regions as a rule set states it. */
export function mapOf(regions) {
  return regions.map((region) => LABELS[region]).join("");
}

function boxesOf(size, boxes) {
  const [rows, columns] = boxes.split("x").map(Number);
  return Array.from({ length: size * size }, (_, cell) => {
    const [row, column] = place(cell, size);
    return Math.floor(row / rows) * (size / columns) + Math.floor(column / columns);
  });
}

/** The boxes as square as possible, never taller than wide; none for a prime size. */
function usual(size) {
  for (let rows = Math.floor(Math.sqrt(size)); rows > 1; rows--) {
    if (size % rows === 0) return `${rows}x${size / rows}`;
  }
  return "";
}
