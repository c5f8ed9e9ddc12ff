/* Whether what was tried so far is part of a solution.
 *
 * Invariant: the answer belongs to the digits on the board; a change takes it away.
 */

import { button, el } from "./dom.js";

/** A button and a line for its answer; shown while something is tried. */
export function mountCheck(element, store, api) {
  const says = el("span", { role: "status", class: "note" });
  const ask = async () => {
    const { puzzle, entries } = store;
    says.textContent = "…";
    const text = await verdict(api, { puzzle, tried: entries });
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

async function verdict(api, asked) {
  try {
    const { possible, left } = await api.call("possible", asked);
    if (!possible) return "Something is wrong: no solution has these digits.";
    return left ? `Right so far. Cells left: ${left}.` : "Solved.";
  } catch (error) {
    return error.message;
  }
}
