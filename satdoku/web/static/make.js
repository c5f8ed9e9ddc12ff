/* Making puzzles: a full grid, a new puzzle under the rules of the board, givens taken away.
 *
 * Invariant: the seed shown is the one used, and what was made can be undone in one step.
 */

import { button, el, field } from "./dom.js";
import { choiceOf, errorText } from "./parts.js";
import { Task } from "./task.js";

const SYMMETRIES = [
  ["none", "none"], ["rot180", "half turn"], ["rot90", "quarter turn"],
  ["mirror", "left-right"], ["flip", "up-down"], ["diagonal", "diagonal"],
  ["antidiagonal", "other diagonal"], ["mirrors", "both mirrors"],
  ["diagonals", "both diagonals"], ["full", "all of these"],
];

export function mount(element, store, board, api) {
  return new Maker(element, store, board, api);
}

class Maker {
  constructor(element, store, board, api) {
    Object.assign(this, { store, board, api });
    this.task = new Task((running) => {
      this.stop.hidden = !running;
      for (const each of this.makers) each.disabled = running;
    });
    this.#build(element);
    store.addEventListener("puzzle", () => this.task.stop());
  }

  #halt() {
    this.task.stop();
    this.says.textContent = "Stopped.";
  }

  #build(element) {
    this.seed = el("input", { type: "number", min: 0, step: 1, value: drawn(), required: true });
    this.givens = el("input", { type: "text", size: 7, placeholder: "24-28", inputMode: "numeric" });
    this.symmetry = choiceOf(SYMMETRIES);
    this.kinds = el("fieldset", { class: "random-kinds" });
    this.says = el("p", { class: "note", role: "status" });
    this.stop = button("Stop", () => this.#halt(), { hidden: true });
    this.makers = [
      button("New puzzle", () => this.#generate(), { class: "button primary" }),
      button("Fill in", () => this.#make("fill", "fill")),
      button("Minimise", () => this.#make("minimize", "minimise")),
    ];
    element.append(
      el("div", { class: "row" },
        field("Seed", this.seed),
        button("Draw another", () => (this.seed.value = drawn()))),
      el("div", { class: "row" }, ...this.makers, this.stop),
      this.says,
      el("p", { class: "note" }, "“New puzzle” keeps the board and the rules. “Fill in” writes a "
        + "random solution into the empty cells. “Minimise” takes givens away while the solution "
        + "stays the only one. Each can be undone; the same seed makes the same again."),
      el("details", {}, el("summary", {}, "Givens and clues of a new puzzle"),
        el("div", { class: "row" },
          field("Givens, such as 24-28 (empty: as few as it can)", this.givens),
          field("Symmetry of the givens", this.symmetry)),
        this.kinds),
    );
    this.#offerKinds();
  }

  /** Boxes to tick for the kinds of clues that a new puzzle may get. */
  async #offerKinds() {
    const { kinds } = await this.api.catalogue();
    this.kinds.append(el("legend", {}, "Random clues of these kinds"));
    this.kinds.append(...kinds.filter((kind) => kind.random).map((kind) => {
      const box = el("input", { type: "checkbox", name: "kind", value: kind.name });
      return el("label", { class: "switch", title: kind.text }, box, ` ${kind.name}`);
    }));
  }

  #generate() {
    const { rules, clues, boxes } = this.store.puzzle;
    const chosen = [...this.kinds.querySelectorAll("input:checked")].map((box) => box.value);
    const range = this.givens.value.split(/[-–]/).map((part) => parseInt(part, 10));
    this.#make("generate", "new puzzle", {
      rules, clues, boxes, size: this.store.board.size,
      ...(chosen.length ? { kinds: chosen } : {}),
      ...(this.givens.value.trim() ? { givens: [range[0], range.at(-1)] } : {}),
      ...(this.symmetry.value === "none" ? {} : { symmetry: this.symmetry.value }),
    });
  }

  #make(path, label, body = { puzzle: this.store.puzzle }) {
    const seed = Number(this.seed.value);
    this.says.textContent = "Working …";
    this.task.run(async (signal) => {
      const made = await this.api.call(path, { ...body, seed }, { signal });
      const text = `${label}, seed ${made.seed ?? seed}`;
      this.store.commit(made.puzzle, text);
      this.says.textContent = `Done: ${text}.`;
    }, (error) => (this.says.textContent = errorText(error)));
  }
}

/** A seed at random, short enough to copy by hand. */
function drawn() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}
