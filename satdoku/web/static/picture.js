/* The server's picture of a puzzle: grid, regions, rules and clues, without digits.
 *
 * Invariant: it depends on the board, the rules, the clues and the drawings alone, so one that was
 * asked for to check a rule is the one that is drawn.
 */

import { call } from "./api.js";
import { boardKey, emptied } from "./grid.js";

const KEPT = 40; // pictures
const pictures = new Map(); // promises, by what the picture shows
let last = Promise.resolve(null);

/** What the picture of a puzzle depends on, as text. */
export function relevant(puzzle) {
  return JSON.stringify([boardKey(puzzle), puzzle.clues, puzzle.looks]);
}

/** The picture, as the server answers. Throws `ApiError` if a rule or clue cannot be read. */
export function pictureOf(puzzle) {
  const key = relevant(puzzle);
  const known = pictures.get(key);
  if (known) return known;
  const { candidates, title, author, words, ...rest } = puzzle;
  const empty = { ...rest, puzzle: emptied(puzzle.puzzle) };
  const asked = last.then(() => call("picture", { puzzle: empty }));
  last = asked.catch(() => null); // one after another: a later question would stop this one
  pictures.set(key, asked);
  asked.catch(() => pictures.delete(key));
  if (pictures.size > KEPT) pictures.delete(pictures.keys().next().value);
  return asked;
}
