/* The clues: choose a kind, draw it on the board or type it; all clues in a list.
 *
 * Invariant: a clue is a text. What is drawn becomes the text in the field, and only a text that
 * the server can read is added to the puzzle.
 */

import { button, el, field } from "./dom.js";
import { Draft } from "./draft.js";
import { ClueList } from "./cluelist.js";
import {
  clueText,
  diagonalEdges,
  diagonalThrough,
  edgeText,
  hintOf,
  lineEdges,
  shapeOf,
  SIGNS,
} from "./kinds.js";
import { place } from "./grid.js";
import { KindChooser } from "./kindchooser.js";
import { commitChecked } from "./picture.js";

/** Mounts the panel; returns a function that puts the focus on the choice of kinds. */
export function mount(element, store, board, api, tools) {
  const panel = new Clues(element, store, board, tools);
  api.catalogue().then(
    (catalogue) => panel.fill(catalogue),
    (error) => panel.say(error.message, true),
  );
  return () => panel.findKind();
}

class Clues {
  #kind = null; // as chosen: {...kind of the catalogue, name, value, says}
  #draft = null;
  #pending = ""; // the row or column that was pressed
  #editing = null; // the place of the clue in the list that is being changed
  #queue = Promise.resolve();

  constructor(element, store, board, tools) {
    Object.assign(this, { element, store, board, tools });
    this.chooser = new KindChooser((kind) => this.choose(kind));
    this.value = el("input", { class: "value", autocomplete: "off", spellcheck: false });
    this.value.id = "clue-value";
    this.text = el("input", { class: "code", autocomplete: "off", spellcheck: false });
    this.text.id = "clue-text";
    this.text.placeholder = "cage=15:r1c1,r1c2";
    this.about = el("p", { class: "about" });
    this.hint = el("p", { class: "note" });
    this.valueField = field("Value", this.value, { hidden: true });
    this.ways = el("div", { class: "row ways" });
    this.make = button("Make the clue", () => this.finish(), { class: "button primary" });
    this.whole = button("For the whole board", () => this.add(this.#head()));
    this.stop = button("Stop drawing", () => this.choose(null), { class: "button quiet" });
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.list = new ClueList(store, board, this);
    this.card = el("div", { class: "card", hidden: true }, this.about, this.hint, this.valueField);
    this.card.append(this.ways, el("div", { class: "row" }, this.make, this.whole, this.stop));
    const texts = field("Clue as text", this.text);
    const typed = button("Add", () => this.#addTyped(), { id: "clue-add" });
    const form = el("div", { class: "row grow" }, texts, typed);
    element.append(this.chooser.element, this.card, form, this.problem, this.list.element);
    this.#listen();
  }

  fill(catalogue) {
    this.chooser.fill(catalogue);
  }

  findKind() {
    document.querySelector("[aria-controls=panel-clues]").click();
    this.chooser.focus();
  }

  /** Takes up a kind, null to put it away; one without cells and value is a clue already. */
  choose(kind) {
    if (kind && shapeOf(kind) === "global" && (kind.fixed || !kind.value)) return this.add(kind.name);
    this.#kind = kind;
    this.#editing = null;
    this.#draft = kind && !["global", "clues"].includes(shapeOf(kind)) ? this.#begin(kind) : null;
    this.tools.take(kind && this, this.#draft);
    this.#show();
    if (!kind) this.board.focus();
  }

  /** The board is given to another tool, or to none. */
  release() {
    this.#kind = this.#draft = this.#editing = null;
    this.#show();
  }

  #show() {
    const kind = this.#kind;
    this.chooser.show(kind);
    this.card.hidden = !kind;
    this.say("");
    this.#pending = this.text.value = "";
    this.board.setDraft(null);
    this.#rim();
    this.list.setTicks(kind && shapeOf(kind) === "clues");
    if (kind) this.#describe(kind);
    if (this.#draft) this.board.svg.scrollIntoView({ block: "nearest" }); // on a small screen
  }

  #begin(kind) {
    return new Draft(kind, this.store, {
      onchange: () => this.#drawn(),
      onready: () => this.#ready(),
    });
  }

  #describe(kind) {
    this.about.replaceChildren(el("strong", {}, kind.name), ` ${kind.says}`);
    this.hint.textContent = hintOf(kind);
    this.valueField.hidden = !kind.value || Boolean(kind.fixed);
    this.value.value = "";
    this.value.placeholder = kind.value?.default ?? (kind.value?.required ? "" : "none");
    this.value.title = kind.value?.text ?? "";
    this.whole.hidden = !kind.whole_board;
    this.make.hidden = shapeOf(kind) === "global";
    this.#showWays(kind);
  }

  /** Buttons that do what a press at the edge does, for the row and column of the cursor. */
  #showWays(kind = this.#kind) {
    const shape = kind && shapeOf(kind);
    const [row, column] = place(this.store.cursor, this.store.size);
    const lines = [`row${row + 1}`, `-row${row + 1}`, `col${column + 1}`, `-col${column + 1}`];
    const ways = { edge: lines, diagonal: SIGNS }[shape] ?? [];
    const press = (way) => (shape === "edge" ? this.#edge(way) : this.#diagonal(way));
    this.ways.replaceChildren(...ways.map((way) => this.#way(way, press)));
  }

  #way(way, press) {
    const words = SIGNS.includes(way) ? `diagonal ${way} through the cell` : way;
    return button(way, () => press(way), { "aria-label": words, class: "button way" });
  }

  #edge(line) {
    this.#pending = line;
    this.text.value = edgeText(this.#kind.name, this.#value(), line);
    this.#ready();
  }

  #diagonal(sign) {
    this.#draft.groups = [diagonalThrough(this.store.cursor, sign, this.store.size)];
    this.#drawn();
    this.#ready();
  }

  #rim() {
    const shape = this.#kind && shapeOf(this.#kind);
    const { size } = this.store;
    if (shape === "edge") this.board.setRim(lineEdges(size), ({ label }) => this.#edge(label));
    else if (shape === "diagonal") {
      this.board.setRim(diagonalEdges(size), ({ cells }) => {
        this.#draft.groups = [cells];
        this.#drawn();
        this.#ready();
      });
    } else this.board.setRim(null);
  }

  /** The value in the field; the fixed one of another name of a kind is in that name. */
  #value() {
    return this.#kind.fixed ? "" : this.value.value.trim();
  }

  #head() {
    const value = this.#value();
    return value ? `${this.#kind.name}=${value}` : this.#kind.name;
  }

  #drawn() {
    this.#pending = "";
    this.board.setDraft(this.#draft.shown);
    const { groups } = this.#draft;
    const { name } = this.#kind;
    this.text.value = groups.length ? clueText(name, this.#value(), groups, this.store.size) : "";
  }

  /** The drawing came to an end: the clue is made, unless its value is still to be typed. */
  #ready() {
    const { value, fixed } = this.#kind;
    const asks = value && !fixed && !value.default && !this.#value();
    if (!asks) return this.finish();
    this.value.focus();
    this.value.select();
    this.say(value.required ? "Type its value, then Enter." : "Type its value if it has one, then Enter.");
  }

  /** Adds what is drawn or chosen. */
  finish() {
    if (this.#draft && !this.#draft.groups.length && !this.#pending) this.#draft.takeSelection();
    const isLeft = this.#draft?.groups.length || this.#pending;
    if (shapeOf(this.#kind) === "clues") return this.#join();
    if (!isLeft) return this.say("Choose cells first.", true);
    this.#refresh();
    return this.add(this.text.value);
  }

  /** The text again, with the value as it is now. */
  #refresh() {
    if (this.#pending) this.text.value = edgeText(this.#kind.name, this.#value(), this.#pending);
    else if (this.#draft?.groups.length) this.#drawn();
  }

  #join() {
    const parts = this.list.ticked.map((place) => this.store.puzzle.clues[place]);
    if (!parts.length) return this.say("Tick the clues to join.", true);
    const text = `${this.#kind.name}:${parts.map((part) => `(${part})`).join(",")}`;
    const gone = new Set(this.list.ticked);
    const rest = (clues) => [...clues.filter((_, place) => !gone.has(place)), text];
    return this.#commit((clues) => rest(clues), text);
  }

  #addTyped() {
    const text = this.text.value.trim();
    if (text) this.add(text);
  }

  /** Adds a clue, or puts it in the place of the one that is being changed. */
  add(text) {
    if (this.store.puzzle.clues?.includes(text)) return this.say("This clue is there already.", true);
    const at = this.#editing;
    this.#editing = null;
    const put = (clues) => (at === null ? [...clues, text] : clues.with(at, text));
    return this.#commit(put, text);
  }

  /** Deletes the clue at a place of the list. */
  remove(at) {
    this.#commit((clues) => clues.filter((_, place) => place !== at), this.store.puzzle.clues[at]);
  }

  /** Puts a clue into the field, to change it. */
  edit(at) {
    this.choose(null);
    this.#editing = at;
    this.text.value = this.store.puzzle.clues[at];
    this.text.focus();
    this.say("Change the text, then Enter.");
  }

  #commit(change, label) {
    const clues = (puzzle) => change(puzzle.clues ?? []);
    const step = async () => {
      try {
        await commitChecked(this.store, (puzzle) => ({ ...puzzle, clues: clues(puzzle) }), label);
        this.say("");
        this.#made();
      } catch (error) {
        this.say(error.message, true);
      }
    };
    this.#queue = this.#queue.then(step);
    return this.#queue;
  }

  #made() {
    this.text.value = "";
    this.#pending = "";
    if (this.#kind?.value && !this.#kind.value.default) this.value.value = "";
    this.#draft?.clear();
    if (this.#kind) this.board.focus();
  }

  /** Tells what to do, or what is wrong. */
  say(text, isWrong = false) {
    this.problem.textContent = text;
    this.problem.hidden = !text;
    this.problem.classList.toggle("told", !isWrong);
  }

  /** Keys on the board while a kind is chosen. */
  key({ key }) {
    if (key === "Escape") this.#escape();
    else if (key === "Enter") this.#enter();
    else return false;
    return true;
  }

  #escape() {
    if (!this.#draft?.groups.length && !this.#pending) return this.choose(null);
    this.#pending = "";
    this.#draft?.clear();
    return this.say("");
  }

  #enter() {
    const shape = shapeOf(this.#kind);
    if (shape === "global") return this.add(this.#head());
    if (shape === "edge") return this.ways.firstChild.focus();
    const many = ["groups", "branch", "chain"].includes(shape);
    if (!this.#draft?.takeSelection()) return this.#ready();
    const count = this.#draft.groups.length;
    if (!many) return this.#ready();
    const more = "choose the next group, or press Enter again";
    this.board.announce(`Group ${count} taken: ${more}`);
    return this.say(`Group ${count} taken: ${more}.`);
  }

  #listen() {
    this.value.addEventListener("input", () => this.#refresh());
    const enter = (act) => (event) => {
      if (event.key === "Enter") act();
      else if (event.key === "Escape") this.board.focus();
      else return;
      event.preventDefault();
    };
    this.value.addEventListener("keydown", enter(() => this.#entered()));
    this.text.addEventListener("keydown", enter(() => this.#addTyped()));
    this.store.addEventListener("selection", () => this.#showWays());
    this.store.addEventListener("puzzle", () => {
      if (this.#kind) this.#rim();
    });
  }

  #entered() {
    if (shapeOf(this.#kind) === "global") this.add(this.#head());
    else this.finish();
  }
}
