/* Whether what was tried so far is part of a solution.
 *
 * Invariant: the answer belongs to the digits on the board; a change takes it away.
 */

import { button, el } from "./dom.js";
import { textOf } from "./grid.js";

/** A button and a line for its answer; shown while something is tried. */
export function mountCheck(element, store, api) {
  const says = el("span", { role: "status", class: "note" });
  const ask = async () => {
    const { digits, entries } = store;
    const tried = textOf(digits.map((digit, cell) => digit || entries[cell]));
    says.textContent = "…";
    const text = await verdict(api, { ...store.puzzle, puzzle: tried });
    if (store.entries === entries) says.textContent = text;
  };
  const row = el("div", { class: "row check" }, button("Check", ask), says);
  const show = () => {
    row.hidden = !store.entries.some(Boolean);
    says.textContent = "";
  };
  store.addEventListener("puzzle", show);
  show();
  element.append(row);
}

async function verdict(api, puzzle) {
  try {
    await api.call("fill", { puzzle, seed: 0 });
    const left = [...puzzle.puzzle].filter((digit) => digit === ".").length;
    return left ? `Right so far. Cells left: ${left}.` : "Solved.";
  } catch (error) {
    const isWrong = error.status === 400 && error.message.includes("no solution");
    return isWrong ? "Something is wrong: no solution has these digits." : error.message;
  }
}
