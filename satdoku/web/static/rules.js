/* The rules beyond the classic ones, by name.
 *
 * Invariant: a rule is on if and only if its name is in the puzzle.
 */

import { changeChecked } from "./changes.js";
import { el } from "./dom.js";

/** Turns a rule on, or off if it is on. */
export function switchRule(store, name) {
  const isOn = store.board.rules.includes(name);
  const switched = (puzzle) => {
    const rest = store.board.rules.filter((other) => other !== name);
    return store.board.withRules(puzzle, isOn ? rest : [...rest, name]);
  };
  return changeChecked(store, switched, isOn ? `no rule ${name}` : `rule ${name}`);
}

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
  const toggle = async (name) => {
    problem.hidden = true;
    try {
      await switchRule(store, name);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    show();
  };
  const fill = ({ rules }) => {
    for (const { name, title, text } of rules) {
      const box = el("input", {
        type: "checkbox",
        name,
        onchange: () => toggle(name),
      });
      const words = el("span", {}, el("strong", {}, title), el("small", {}, text));
      list.append(el("label", { class: "rule" }, box, words));
      boxes.set(name, box);
    }
    show();
  };
  store.addEventListener("puzzle", show);
  api.catalogue().then(fill, (error) => element.append(error.message));
}
