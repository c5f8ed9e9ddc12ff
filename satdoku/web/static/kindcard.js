/* What is told of the kind of clue in hand: what it says, how it is drawn, its value, and buttons
 * that do without the mouse what is pressed at the edge.
 *
 * Invariant: it shows and asks; the panel of the clues decides.
 */

import { button, el, field } from "./dom.js";
import { hintOf, shapeOf, SIGNS } from "./kinds.js";

export class KindCard {
  #store;
  #acts;
  #kind = null;

  /** `acts` has `finish()`, `whole()`, `stop()`, `changed()` and `way(name)`. */
  constructor(store, acts) {
    this.#store = store;
    this.#acts = acts;
    this.about = el("p", { class: "about" });
    this.hint = el("p", { class: "note" });
    this.input = el("input", { id: "clue-value", autocomplete: "off", spellcheck: false });
    this.input.addEventListener("input", acts.changed);
    this.valueField = field("Value", this.input);
    this.ways = el("div", { class: "row" });
    this.make = button("Make the clue", acts.finish, { class: "button primary" });
    this.whole = button("", acts.whole);
    const stop = button("Stop drawing", acts.stop, { class: "button quiet" });
    const row = el("div", { class: "row" }, this.make, this.whole, stop);
    const parts = [this.about, this.hint, this.valueField, this.ways, row];
    this.element = el("div", { class: "card", hidden: true }, ...parts);
    store.addEventListener("selection", () => this.#showWays());
    store.addEventListener("plane", () => this.#showWhole());
  }

  /** The value as it is typed; another name of a kind, such as `white`, has its value in it. */
  get value() {
    return this.#kind.fixed ? "" : this.input.value.trim();
  }

  /** Whether a value is still to be typed, though the kind may do without it. */
  get asks() {
    const { value, fixed } = this.#kind;
    return Boolean(value && !fixed && !value.default && !this.value);
  }

  /** Whether the kind cannot do without the value that is still to be typed. */
  get needs() {
    return this.asks && this.#kind.value.required;
  }

  /** Puts the focus on the field of the value. */
  ask() {
    this.input.focus();
    this.input.select();
  }

  /** A clue was made; a value that clues have each for itself is not kept. */
  next() {
    if (this.#kind?.value && !this.#kind.value.default) this.input.value = "";
  }

  /** Shows a kind, null for none. */
  show(kind) {
    this.#kind = kind;
    this.element.hidden = !kind;
    this.#showWays();
    this.#showWhole();
    if (!kind) return;
    this.about.replaceChildren(el("strong", {}, kind.title), `: ${kind.text}`);
    this.hint.replaceChildren(`${hintOf(kind)} As text: `, el("code", {}, kind.example));
    this.valueField.hidden = !kind.value || Boolean(kind.fixed);
    this.input.value = "";
    this.input.placeholder = this.#placeholder(kind);
    this.whole.hidden = !(kind.whole_board || kind.whole_layer);
    this.make.hidden = shapeOf(kind) === "global";
  }

  #placeholder({ value, example }) {
    if (!value) return "";
    if (value.required) {
      const such = /=(.*?)(?:\(|:|$)/.exec(example)?.[1];
      return [value.words.join(" or "), such && `such as ${such}`].filter(Boolean).join(", ");
    }
    if (!value.default) return "none";
    return this.#store.board.digits.length === 9 ? value.default : "the usual one";
  }

  #showWhole() {
    const layer = this.#kind?.whole_layer && this.#store.layer;
    this.whole.textContent = layer ? `For layer ${layer.name}` : "For the whole board";
  }

  #showWays() {
    const shape = this.#kind && shapeOf(this.#kind);
    const [row, column] = this.#store.board.place(this.#store.cursor);
    const lines = [
      [`row${row + 1}`, `→ row ${row + 1}`], [`-row${row + 1}`, `← row ${row + 1}`],
      [`col${column + 1}`, `↓ column ${column + 1}`], [`-col${column + 1}`, `↑ column ${column + 1}`],
    ];
    const diagonals = SIGNS.map((sign) => [sign, `diagonal ${sign} through the cell`]);
    const ways = { edge: lines, diagonal: diagonals }[shape] ?? [];
    this.ways.replaceChildren(...ways.map((way) => this.#way(...way)));
  }

  #way(way, words) {
    const text = SIGNS.includes(way) ? way : words;
    return button(text, () => this.#acts.way(way), { "aria-label": words, class: "button way" });
  }
}
