/* Puzzles in: any text, link or file that the command line reads.
 *
 * Invariant: a text that is not read leaves the board as it is, and its error shows the place.
 */

import { button, el } from "./dom.js";
import { tell } from "./parts.js";
import { Task } from "./task.js";

const LARGEST = 200_000; // characters; the server takes requests of 256 KB

export function mount(element, store, board, api) {
  return new Paster(element, store, api);
}

class Paster {
  constructor(element, store, api) {
    Object.assign(this, { store, api });
    this.task = new Task(() => {});
    this.text = el("textarea", {
      rows: 7, spellcheck: false, "aria-label": "Puzzle as text or link",
      placeholder: "A grid as text, a link of f-puzzles or SudokuPad, text of Interactive Sudoku "
        + "Solver, JSON, a file …",
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#read();
      },
    });
    this.says = el("p", { class: "note", role: "status" });
    this.file = el("input", { type: "file", "aria-label": "Open a file", onchange: () => this.#open() });
    element.append(
      this.text,
      el("div", { class: "row" },
        button("Read", () => this.#read(), { class: "button primary" }), this.file),
      this.says,
      el("p", { class: "note" }, "You can also paste anywhere on the page. Nothing leaves this machine."),
    );
    document.addEventListener("paste", (event) => this.#pasted(event));
  }

  /** A paste outside of fields is read at once. */
  #pasted(event) {
    if (event.target.closest?.("input, textarea, [contenteditable]")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (!text?.trim()) return;
    event.preventDefault();
    this.text.value = text;
    this.#read();
  }

  async #open() {
    const [file] = this.file.files;
    if (!file) return;
    this.text.value = await file.slice(0, LARGEST + 1).text();
    this.#read();
  }

  #read() {
    const text = this.text.value;
    if (!text.trim()) return tell(this.says, "Nothing to read yet.");
    if (text.length > LARGEST)
      return tell(this.says, `This is too long: at most ${LARGEST.toLocaleString("en")} characters.`);
    tell(this.says, "Reading …");
    return this.task.run(async (signal) => {
      const { puzzle, notes } = await this.api.call("read", { text }, { signal });
      await this.store.commit(puzzle, "read", true);
      tell(this.says, ["Read.", ...(notes ?? [])].join("\n"));
    }, (error) => this.#fail(error, text));
  }

  #fail(error, text) {
    tell(this.says, error);
    if (!error.line) return;
    const lines = text.split("\n");
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const start = before + (error.column ?? 1) - 1;
    this.text.focus();
    this.text.setSelectionRange(start, start + 1);
  }
}
