/* Keys: all that the mouse does on the board.
 *
 * Invariant: keys of one letter act only while the board has the focus, and never in a field.
 */

import { button, el } from "./dom.js";
import { MODES } from "./entry.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const HELP = [
  ["Arrows", "go to the next cell"],
  ["Shift + arrows", "choose the cells on the way, in their order"],
  ["Ctrl + arrows, then Space", "go on without choosing, then add the cell to the choice or take it away"],
  ["Home, End, Page Up, Page Down", "go to the end of a row or column"],
  ["Ctrl + A", "choose all cells"],
  ["1–9, A for 10, B for 11 …", "put a digit; the same key again takes it away"],
  ["Shift + digit", "a pencil mark"],
  ["Backspace, Delete, 0", "clear"],
  ["Z, X, V", "givens, solve, marks"],
  ["L", "the next layer, or the digits again"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["K", "choose a kind of clue"],
  ["Enter", "make the clue of the chosen cells, or add them as a group of it"],
  ["Esc", "drop what is drawn; then put the kind away; then choose one cell only"],
  ["?", "this help"],
];

/** Listens. `tool()` is what has the board, or null; `findKind()` puts the focus on the kinds. */
export function bindKeys({ store, board, entry, tool, findKind }) {
  board.svg.addEventListener("keydown", (event) => {
    if (tool()?.key?.(event) || onBoard(event)) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isField(event.target)) return;
    if (everywhere(event)) event.preventDefault();
  });

  function onBoard(event) {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const control = ctrlKey || metaKey;
    if (altKey) return false;
    if (key in STEPS) return move(STEPS[key], { control, shiftKey });
    if (control && key.toLowerCase() === "a") return store.select(store.board.all) ?? true;
    if (control) return false;
    return jump(key) || type(event) || other(key);
  }

  function move([down, right], { control, shiftKey }) {
    const next = neighbour(down, right);
    if (control) store.select(store.selection, next);
    else if (shiftKey) store.select([...new Set([...store.selection, store.cursor]), next], next);
    else store.select([next]);
    board.focus();
    return true;
  }

  /** The next cell on the way, on the other side behind the last one. */
  function neighbour(down, right) {
    const plan = store.board;
    let [row, column] = plan.place(store.cursor);
    do {
      row = (row + down + plan.rows) % plan.rows;
      column = (column + right + plan.columns) % plan.columns;
    } while (plan.at(row, column) === null);
    return plan.at(row, column);
  }

  function jump(key) {
    const axis = { Home: 0, End: 0, PageUp: 1, PageDown: 1 }[key];
    if (axis === undefined) return false;
    const plan = store.board;
    const here = plan.place(store.cursor)[axis];
    const line = plan.all.filter((cell) => plan.place(cell)[axis] === here);
    store.select([key === "Home" || key === "PageUp" ? line[0] : line.at(-1)]);
    return true;
  }

  function type({ key, code, shiftKey }) {
    const shifted = shiftKey && /^(Digit|Numpad)([0-9])$/.exec(code);
    const digit = store.board.digitOfKey(shifted ? shifted[2] : key, store.layer);
    const clears = ["Backspace", "Delete", "0", "."].includes(key);
    if (!digit && !clears) return false;
    if (shiftKey && digit) entry.put(digit, "marks");
    else entry.put(digit);
    return true;
  }

  function other(key) {
    const mode = MODES.find((each) => each.key === key.toLowerCase());
    if (mode) {
      entry.setMode(mode.name);
      board.announce(`${mode.text}: ${mode.says}`);
    } else if (key === " ") toggle();
    else if (key === "Escape") store.select([store.cursor]);
    else if (key.toLowerCase() === "k") findKind();
    else if (key.toLowerCase() === "l") entry.nextPlane();
    else return false;
    return true;
  }

  function toggle() {
    const { selection, cursor } = store;
    const rest = [...selection].filter((cell) => cell !== cursor);
    store.select(selection.has(cursor) ? rest : [...selection, cursor], cursor);
  }

  function everywhere({ key, ctrlKey, metaKey, shiftKey }) {
    const control = ctrlKey || metaKey;
    const letter = key.toLowerCase();
    if (control && letter === "z") shiftKey ? store.redo() : store.undo();
    else if (control && letter === "y") store.redo();
    else if (key === "?") showHelp();
    else return false;
    return true;
  }
}

function isField(target) {
  return (
    target instanceof Element &&
    target.matches("input:not([type=checkbox],[type=radio]),textarea,select")
  );
}

/** Shows all keys. */
export function showHelp() {
  const rows = HELP.map(([keys, what]) => el("tr", {}, el("th", {}, keys), el("td", {}, what)));
  const dialog = el("dialog", { class: "help", "aria-label": "Keys" });
  const close = button("Close", () => dialog.close(), { class: "button primary", autofocus: true });
  dialog.append(
    el("h2", {}, "Keys on the board"),
    el("table", {}, el("tbody", {}, ...rows)),
    close,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
