/* The plan that the engine answers by, with the pencil marks of a puzzle.
 *
 * Invariant: it is the plan of the same rules and clues with one more clue for each cell with marks,
 * `digits=1,2:r1c1`. Its numbers are in the order that satdoku/engine/js/exports.c tells.
 */

const HEAD = 6; // numbers before the sizes of the parts
const PARTS = 14;
const [GROUPS, RELATIONS, TABLES] = [0, 3, 4];

/** The bytes of a plan with marks: for each cell a list of the digits that it may hold, empty for
 * all of them. */
export function withMarks(plan, marks) {
  const numbers = new Int32Array(plan.buffer);
  const [, , cells, digits] = numbers;
  const parts = partsOf(numbers);
  for (const [cell, allowed] of marks.entries()) {
    if (!allowed.length) continue;
    const row = Array.from({ length: digits }, (_, d) => (allowed.includes(d + 1) ? 1 << d : 0));
    parts[RELATIONS].push([placeOf([...row, ...row], parts[TABLES]), cell, cell]);
  }
  if (!parts[GROUPS].length) { // those of classic 9x9 go without saying as long as nothing else is said
    for (let cell = 0; cell < cells; cell++) {
      parts[GROUPS].push(Array.from({ length: digits }, (_, d) => d * cells + cell));
    }
  }
  return packed([...numbers.subarray(0, HEAD)], parts);
}

/** The lists of each part. */
function partsOf(numbers) {
  let at = HEAD + 2 * PARTS;
  return Array.from({ length: PARTS }, (_, part) => {
    const [lists, members] = numbers.subarray(HEAD + 2 * part);
    const [starts, from] = [numbers.subarray(at, at + lists + 1), at + lists + 1];
    at = from + members;
    return Array.from({ length: lists }, (_, i) => [...numbers.subarray(from + starts[i], from + starts[i + 1])]);
  });
}

/** The place of a table among others, at their end if it is new. */
function placeOf(table, tables) {
  const text = String(table);
  const place = tables.findIndex((each) => String(each) === text);
  return place < 0 ? tables.push(table) - 1 : place;
}

function packed(head, parts) {
  const numbers = [...head, ...parts.flatMap((lists) => [lists.length, lists.flat().length])];
  for (const lists of parts) {
    let end = 0;
    numbers.push(0, ...lists.map((list) => (end += list.length)));
    for (const list of lists) numbers.push(...list);
  }
  return new Uint8Array(Int32Array.from(numbers).buffer);
}
