/* Keys: all that the mouse does on the board.
 *
 * Invariant: keys of one letter act only while the board has the focus, and never in a field.
 */

import { button, el } from "./dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SET = true; // of a key: where puzzles can be set
const HELP = [
  ["Arrows", "go to the next cell"],
  ["Shift + arrows", "choose the cells on the way, in their order"],
  ["Ctrl + arrows, then Space", "go on without choosing, then add the cell to the choice or take it away"],
  ["Home, End, Page Up, Page Down", "go to the end of a row or column"],
  ["Ctrl + A", "choose all cells"],
  ["1–9, A for 10, B for 11 …", "put a digit; the same key again takes it away"],
  ["M", "the next mode: set, solve, study", SET],
  ["Z, X, C, V", "digits, corner notes, centre notes, colours"],
  ["Z, V in the mode Set", "givens, allowed digits", SET],
  ["Shift + digit", "a corner note"],
  ["Shift + digit in the mode Set", "a digit that the cell may hold", SET],
  ["Ctrl + digit, Ctrl + Shift + digit", "a centre note, a colour"],
  ["Backspace, Delete, 0, .", "clear"],
  ["Backspace … in the mode Set", "clear; then take away a clue of the cell", SET],
  ["L", "the next layer, or the digits again", SET],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["Ctrl + Z, Ctrl + Y in the mode Set", "undo, redo: of the puzzle", SET],
  ["K", "choose a kind of clue", SET],
  ["Enter", "make the clue of the chosen cells, or add them as a group of it", SET],
  ["Esc", "choose one cell only"],
  ["Esc while a clue is drawn", "drop it; then put its kind away", SET],
  ["?", "this help"],
];

/** Listens. `tool()` is what has the board, or null; `findKind()` puts the focus on the kinds;
 * `history` undoes and redoes. */
export function bindKeys({ store, board, entry, modes, history, tool, findKind }) {
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
    if (control) return small(event);
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
    const digit = digitOf({ key, code, shiftKey });
    if (key === "Backspace") entry.back();
    else if (key === "Delete") entry.put(0);
    else if (digit) entry.type(digit, entry.heldSort({ isShift: shiftKey }));
    else if (key === "0" || key === ".") entry.type(0, entry.sort);
    else return false;
    return true;
  }

  /** A digit with Ctrl: a small one, or with Shift a colour. */
  function small({ key, code, shiftKey }) {
    const digit = digitOf({ key, code, shiftKey: true });
    if (!digit) return false;
    entry.put(digit, entry.heldSort({ isShift: shiftKey, isControl: true }));
    return true;
  }

  /** The digit that a key means, 0 if none; Shift and Ctrl may change the character of the key. */
  function digitOf({ key, code, shiftKey }) {
    const held = shiftKey && /^(Digit|Numpad)([0-9])$/.exec(code);
    return store.board.digitOfKey(held ? held[2] : key, store.layer);
  }

  function other(key) {
    const sort = entry.sortOfKey(key.toLowerCase());
    if (sort) board.announce(`${sort.text}: ${sort.says}`);
    else if (key === " ") toggle();
    else if (key === "Escape") store.select([store.cursor]);
    else if (key.toLowerCase() === "m" && modes.canSet) nextMode();
    else if (key.toLowerCase() === "k" && modes.isSet) findKind();
    else if (key.toLowerCase() === "l") entry.nextPlane();
    else return false;
    return true;
  }

  function nextMode() {
    modes.next();
    board.announce(modes.spoken);
  }

  function toggle() {
    const { selection, cursor } = store;
    const rest = [...selection].filter((cell) => cell !== cursor);
    store.select(selection.has(cursor) ? rest : [...selection, cursor], cursor);
  }

  function everywhere({ key, ctrlKey, metaKey, shiftKey }) {
    const control = ctrlKey || metaKey;
    const letter = key.toLowerCase();
    if (control && letter === "z") shiftKey ? history.redo() : history.undo();
    else if (control && letter === "y") history.redo();
    else if (key === "Escape" && !document.querySelector("dialog")) return tool()?.key?.({ key }) ?? false;
    else if (key === "?") showHelp(modes.canSet);
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

/** Shows the keys, those for setting a puzzle only where one can be set. */
export function showHelp(canSet) {
  const rows = HELP.filter(([, , isToSet]) => canSet || !isToSet).map(([keys, what]) => el("tr", {}, el("th", {}, keys), el("td", {}, what)));
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
