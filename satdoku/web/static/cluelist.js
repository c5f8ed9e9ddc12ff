/* The clues of the puzzle, a line for each: its picture, its name, its value and its cells, and
 * buttons to change or delete it.
 *
 * Invariant: each clue of the puzzle has one line; those of a kind stand together, in the order in
 * which the puzzle has them.
 */

import { button, el } from "./dom.js";
import { iconOf } from "./parts.js";

export class ClueList {
  #said = new Map(); // what the server says of the text of a clue: {says, cells, warning}
  #kinds = new Map(); // entries of the catalogue by name
  #ticks = false;

  /** `clues` is told to `edit(place)` or `remove(place)`. */
  constructor(store, board, clues) {
    Object.assign(this, { store, board, clues });
    this.title = el("h3", {});
    this.element = el("section", { class: "clue-groups", "aria-label": "Clues of the puzzle" }, this.title);
    store.addEventListener("puzzle", ({ detail }) => {
      if (detail.before.clues !== store.puzzle.clues) this.#show();
    });
    board.addEventListener("picture", ({ detail }) => {
      this.#said = new Map((detail.clues ?? []).map((clue) => [clue.text, clue]));
      this.#show();
    });
    this.#show();
  }

  /** Takes the names and pictures of kinds from the catalogue. */
  fill({ kinds, values }) {
    const byValue = values.map((kind) => [kind.fixed, kind]);
    this.#kinds = new Map([...byValue, ...[...kinds, ...values].map((kind) => [kind.name, kind])]);
    this.#show();
  }

  /** The places of the ticked clues. */
  get ticked() {
    return [...this.element.querySelectorAll("input:checked")].map((box) => Number(box.value));
  }

  /** Shows boxes to tick, or takes them away. */
  setTicks(on) {
    this.#ticks = Boolean(on);
    this.#show();
  }

  #show() {
    const clues = this.store.puzzle.clues ?? [];
    const groups = Map.groupBy(clues.keys(), (place) => this.#told(clues[place]).title);
    const focus = this.#focus();
    this.board.setGlow(null);
    this.title.textContent = clues.length ? `Clues (${clues.length})` : "No clues yet";
    const lists = [...groups].map(([title, places]) =>
      el("ol", { class: "list clues", "aria-label": title }, places.map((place) => this.#item(clues[place], place))),
    );
    this.element.replaceChildren(this.title, ...lists);
    this.#refocus(focus);
  }

  /** Which button of which line has the focus; null if none has. */
  #focus() {
    const item = document.activeElement.closest?.("li");
    if (!this.element.contains(item)) return null;
    const line = [...this.element.querySelectorAll("li")].indexOf(item);
    return { line, part: [...item.children].indexOf(document.activeElement) };
  }

  /** Puts the focus where it was, or on the last line if there are fewer now. */
  #refocus(focus) {
    if (!focus) return;
    const items = [...this.element.querySelectorAll("li")];
    const item = items[Math.min(focus.line, items.length - 1)];
    if (item) item.children[focus.part]?.focus();
    else this.board.focus();
  }

  /** The title of a clue with its kind in the catalogue, and its value and cells in short. */
  #told(text) {
    const [, head, rest = ""] = /^([^:]*):?(.*)$/s.exec(text);
    const [name, ...value] = head.split("=");
    const named = this.#kinds.get(head);
    const kind = named ?? this.#kinds.get(name); // one value of a kind may have a name of its own
    return {
      kind,
      title: kind?.title ?? name,
      value: named ? "" : value.join("="),
      cells: rest.split(">").map(shortCells).join(" > "),
    };
  }

  #item(text, place) {
    const { says, cells, warning } = this.#said.get(text) ?? {};
    const { kind, ...told } = this.#told(text);
    const where = told.cells && ` · ${told.cells}`;
    const line = `${told.title}${told.value && ` ${told.value}`}${where}`;
    const words = el("button", { type: "button", class: "words", title: says ?? "" }, iconOf(kind), line);
    words.addEventListener("click", () => cells && this.#choose(cells));
    const edit = button("✎", () => this.clues.edit(place), { class: "button quiet", title: "Edit" });
    const drop = () => this.clues.remove(place);
    const remove = button("✕", drop, { class: "button quiet", title: "Delete" });
    edit.setAttribute("aria-label", `Edit ${text}`);
    remove.setAttribute("aria-label", `Delete ${text}`);
    const tick = this.#ticks ? el("input", { type: "checkbox", value: place }) : null;
    tick?.setAttribute("aria-label", `Join ${text}`);
    const wrong = warning ? el("small", { class: "warning" }, warning.slice(text.length + 2)) : null;
    const item = el("li", {}, tick, words, edit, remove, wrong);
    item.addEventListener("keydown", (event) => {
      if (event.key === "Delete" && event.target !== tick) drop();
    });
    const glow = (on) => () => this.board.setGlow(on ? cells : null);
    for (const name of ["pointerenter", "focusin"]) item.addEventListener(name, glow(true));
    for (const name of ["pointerleave", "focusout"]) item.addEventListener(name, glow(false));
    return item;
  }

  /** Chooses the cells of a clue, or the places of those of layers. */
  #choose(cells) {
    const seats = cells.map((cell) => this.store.board.seat(cell));
    this.store.select(seats.filter((cell) => cell !== null));
  }
}

/** Cells in short: three or more on a straight way, one beside another, as the first and the last.
 * What is no list of cells stays as it is. */
function shortCells(text) {
  const places = text.split(",").map((name) => /^r(\d+)c(\d+)$/.exec(name)?.slice(1).map(Number));
  if (places.includes(undefined)) return text;
  const parts = [];
  for (let from = 0; from < places.length; ) {
    const to = endOfRun(places, from);
    const ends = to > from + 1 ? [`${nameOf(places[from])}-${nameOf(places[to])}`] : [nameOf(places[from])];
    parts.push(...ends);
    from = to > from + 1 ? to + 1 : from + 1;
  }
  return parts.join(" ");
}

/** The last place of those from one on that go on in steps of the same kind to a neighbour. */
function endOfRun(places, from) {
  const step = (at) => places[at + 1]?.map((line, axis) => line - places[at][axis]);
  const first = step(from);
  if (!first?.some(Boolean) || first.some((by) => Math.abs(by) > 1)) return from;
  let to = from + 1;
  while (String(step(to)) === String(first)) to++;
  return to;
}

const nameOf = ([row, column]) => `r${row}c${column}`;
