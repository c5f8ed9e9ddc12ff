/* What the puzzle is called, by whom, and its rules in words.
 *
 * Invariant: a text that nobody has edited is the server's, and follows the rules and clues; one
 * that somebody has edited is part of the puzzle and stays as it is.
 */

import { button, el, field } from "./dom.js";

/** Mounts the panel. */
export function mount(element, store, board) {
  const about = new About(store, board);
  const names = ["title", "author"].map((key) => nameField(store, key));
  element.append(...names, ...about.elements);
}

class About {
  #made = ""; // the text that the server makes

  constructor(store, board) {
    this.store = store;
    this.text = el("textarea", { rows: 9, maxLength: 20_000, "aria-label": "Rules in words" });
    this.says = el("p", { class: "note", role: "status" });
    this.back = button("Use the generated text", () => this.#keep(""), { class: "button quiet" });
    this.text.addEventListener("change", () => this.#keep(this.text.value));
    store.addEventListener("puzzle", () => this.#show());
    board.addEventListener("picture", ({ detail }) => {
      this.#made = detail.words;
      this.#show();
    });
    this.#show();
  }

  get elements() {
    const text = el("div", { class: "rules-text" }, el("h3", {}, "Rules in words"), this.text);
    return [text, el("div", { class: "row" }, this.back, this.says)];
  }

  /** The text is that of the puzzle; nothing, or the server's own, is no text of the puzzle. */
  #keep(text) {
    const { words, ...rest } = this.store.puzzle;
    const isOwn = text.trim() && text.trim() !== this.#made.trim();
    this.store.commit(isOwn ? { ...rest, words: text } : rest, "rules in words");
    this.#show();
  }

  #show() {
    const { words } = this.store.puzzle;
    this.text.value = words ?? this.#made;
    this.back.disabled = !words;
    this.says.textContent = words
      ? "Your own text: it does not follow changes of the rules and clues."
      : "Generated: it follows the rules and clues until you edit it.";
  }
}

function nameField(store, key) {
  const input = el("input", { maxLength: 200, autocomplete: "off" });
  const show = () => (input.value = store.puzzle[key] ?? "");
  input.addEventListener("change", () =>
    store.commit({ ...store.puzzle, [key]: input.value.trim() }, key),
  );
  store.addEventListener("puzzle", show);
  show();
  return field(key[0].toUpperCase() + key.slice(1), input);
}
