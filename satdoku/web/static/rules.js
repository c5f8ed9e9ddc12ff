/* The rules beyond the classic ones, by name.
 *
 * Invariant: a rule is on if and only if its name is in the puzzle.
 */

import { change } from "./changes.js";
import { el } from "./dom.js";
import { pictureOf } from "./picture.js";

/** Mounts the panel. */
export function mount(element, store, api) {
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  const list = el("div", { class: "rules", role: "group", "aria-label": "Rules" });
  const note = "Each holds on the whole board, in addition to the classic rules.";
  element.append(el("p", { class: "note" }, note), list, problem);
  const boxes = new Map();

  const show = () => {
    const names = store.board.rules;
    for (const [name, box] of boxes) box.checked = names.includes(name);
  };
  const toggle = async (name, on) => {
    const changed = async (puzzle) => {
      const rest = store.board.rules.filter((other) => other !== name);
      const made = store.board.withRules(puzzle, on ? [...rest, name] : rest);
      await pictureOf(made);
      return made;
    };
    problem.hidden = true;
    try {
      await change(store, changed, on ? `rule ${name}` : `no rule ${name}`);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    show();
  };
  const fill = ({ rules }) => {
    for (const { name, text } of rules) {
      const box = el("input", {
        type: "checkbox",
        name,
        onchange: () => toggle(name, box.checked),
      });
      const words = el("span", {}, el("strong", {}, name), el("small", {}, text));
      list.append(el("label", { class: "rule" }, box, words));
      boxes.set(name, box);
    }
    show();
  };
  store.addEventListener("puzzle", show);
  api.catalogue().then(fill, (error) => element.append(error.message));
}
