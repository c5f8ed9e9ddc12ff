/* What somebody who solves has put on a board: digits, corner and centre notes, colours.
 *
 * Invariant: notes are a value, which is never changed, only followed by another one; and they know
 * nothing of a page or a server, so that any page can use them. A cell without a digit, note or
 * colour has no entry.
 *
 * Notes are {digits, corner, centre, colours}. `digits` has a digit for a cell, the others a sorted
 * list. Cells are numbers from 0, digits and colours numbers from 1.
 */

/** What a key can put, the first of them the plain digit. */
export const SORTS = ["digits", "corner", "centre", "colours"];

export const COLOURS = 9;

/** Notes that say nothing. */
export const BLANK = Object.freeze({ digits: {}, corner: {}, centre: {}, colours: {} });

/** Whether notes say nothing. */
export function isBlank(notes) {
  return SORTS.every((sort) => !Object.keys(notes[sort]).length);
}

/** Notes with a number of a sort in cells, or without it if all of them have it already. Digits
 * and small digits go only into cells that are free: not `given`, and for small digits without a
 * digit. Returns the same notes if no cell takes it. */
export function put(notes, sort, cells, number, given) {
  const free = cells.filter((cell) => takes(notes, sort, cell, given));
  if (!free.length) return notes;
  const holds = (cell) => [notes[sort][cell] ?? []].flat().includes(number);
  const isOff = free.every(holds);
  const changed = { ...notes[sort] };
  for (const cell of free) {
    const rest = sort === "digits" ? [] : (changed[cell] ?? []).filter((each) => each !== number);
    const numbers = isOff ? rest : [...rest, number].sort((a, b) => a - b);
    if (!numbers.length) delete changed[cell];
    else changed[cell] = sort === "digits" ? number : numbers;
  }
  return { ...notes, [sort]: changed };
}

function takes(notes, sort, cell, given) {
  if (sort === "colours") return true;
  return !given(cell) && (sort === "digits" || !notes.digits[cell]);
}

/** Notes with digits in cells: pairs of a cell and a digit. */
export function withDigits(notes, pairs) {
  return { ...notes, digits: { ...notes.digits, ...Object.fromEntries(pairs) } };
}

/** Notes without what cells have of the first sort that any of them has: `sort`, then the digits,
 * the small digits, the colours. Returns the same notes if there is nothing. */
export function erase(notes, sort, cells) {
  const groups = [[sort], ["digits"], ["corner", "centre"], ["colours"]];
  const isThere = (each) => cells.some((cell) => shows(notes, each, cell));
  const group = groups.find((each) => each.some(isThere));
  return group ? without(notes, group, cells) : notes;
}

/** Whether a cell shows what it has of a sort: a digit hides small digits. */
function shows(notes, sort, cell) {
  const isHidden = notes.digits[cell] && (sort === "corner" || sort === "centre");
  return cell in notes[sort] && !isHidden;
}

/** Notes without anything of some sorts in cells. */
export function without(notes, sorts, cells) {
  const left = { ...notes };
  for (const sort of sorts) {
    left[sort] = { ...notes[sort] };
    for (const cell of cells) delete left[sort][cell];
  }
  return left;
}

/** The cells whose digit stands also in a cell that must differ from it, as a list; `digits` has a
 * digit or 0 for each cell, `peers` the list of those cells for each. */
export function conflicts(digits, peers) {
  const clashes = (cell) => digits[cell] && peers[cell].some((peer) => digits[peer] === digits[cell]);
  return peers.map((_, cell) => cell).filter(clashes);
}

/** Whether a cell has small digits, which hide those that the puzzle allows. */
export function hasSmall(notes, cell) {
  return Boolean(notes.corner[cell] || notes.centre[cell]);
}

/** Notes that a text of them states, read with care: what is no list of numbers is left out. */
export function readNotes(value) {
  const isNumber = (each) => Number.isInteger(each) && each > 0 && each < 100;
  const read = (sort) =>
    Object.entries(value?.[sort] ?? {}).filter(
      ([cell, numbers]) =>
        /^\d+$/.test(cell) &&
        (sort === "digits" ? isNumber(numbers) : Array.isArray(numbers) && numbers.every(isNumber)),
    );
  return Object.fromEntries(SORTS.map((sort) => [sort, Object.fromEntries(read(sort))]));
}
