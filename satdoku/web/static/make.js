/* Making puzzles: a full grid, a new puzzle under the rules of the board, givens taken away.
 *
 * Invariant: the seed shown is the one used, and what was made can be undone in one step.
 */

import { button, el, field } from "./dom.js";
import { choiceOf, stopOf, tell } from "./parts.js";
import { Task } from "./task.js";

const SYMMETRIES = [
  ["none", "none"], ["rot180", "half turn"], ["rot90", "quarter turn"],
  ["mirror", "left-right"], ["flip", "up-down"], ["diagonal", "diagonal"],
  ["antidiagonal", "other diagonal"], ["mirrors", "both mirrors"],
  ["diagonals", "both diagonals"], ["full", "all of these"],
];

export function mount(element, store, board, api) {
  return new Maker(element, store, api);
}

class Maker {
  constructor(element, store, api) {
    Object.assign(this, { store, api });
    this.task = new Task((running) => {
      this.stop.hidden = !running;
      for (const each of this.makers) each.disabled = running;
    });
    this.#build(element);
    store.addEventListener("puzzle", () => this.task.stop());
  }

  #build(element) {
    this.seed = el("input", { type: "number", min: 0, step: 1, value: drawn(), required: true });
    this.givens = el("input", { type: "text", size: 7, placeholder: "24-28", inputMode: "numeric" });
    this.difficulty = el("input", { type: "text", size: 7, placeholder: "2-5" });
    this.symmetry = choiceOf(SYMMETRIES);
    this.minimal = el("input", { type: "checkbox" });
    this.clues = el("input", { type: "checkbox" });
    this.kinds = el("fieldset", { class: "random-kinds" });
    this.says = el("p", { class: "note", role: "status" });
    this.stop = stopOf(this.task, this.says);
    this.makers = [
      button("New puzzle", () => this.#generate(), { class: "button primary" }),
      button("Fill in", () => this.#make("fill", "fill")),
      button("Minimise", () => this.#minimize()),
    ];
    element.append(
      el("div", { class: "row" },
        field("Seed", this.seed, { class: "field seed" }),
        button("Draw another", () => (this.seed.value = drawn()))),
      el("div", { class: "row" }, ...this.makers, this.stop),
      this.says,
      el("p", { class: "note" }, "“New puzzle” keeps the board and the rules. “Fill in” writes a "
        + "random solution into the empty cells. “Minimise” takes givens away while the solution "
        + "stays the only one. You can undo each of them; the same seed makes the same again."),
      el("details", {}, el("summary", {}, "More about the puzzle"),
        el("div", { class: "row" },
          field("Givens", this.givens, { title: "how many; empty: as few as possible" }),
          field("Difficulty", this.difficulty, { title: "rating ER, for classic 9x9 puzzles only" }),
          field("Symmetry of the givens", this.symmetry)),
        el("label", { class: "switch" }, this.minimal, "Every given is needed"),
        el("label", { class: "switch" }, this.clues, "Minimise also takes clues away"),
        this.kinds),
    );
    this.#offerKinds();
  }

  /** Boxes to tick for the kinds of clues that a new puzzle may get. */
  async #offerKinds() {
    const { kinds, values } = await this.api.catalogue();
    const others = values.filter(({ name }) => !name.includes("="));
    this.kinds.append(el("legend", {}, "Random clues of these kinds"));
    this.kinds.append(...[...kinds, ...others].map(({ name, title, text }) => {
      const box = el("input", { type: "checkbox", value: name });
      return el("label", { class: "switch", title: `${name}: ${text}` }, box, title);
    }));
  }

  #generate() {
    const kinds = [...this.kinds.querySelectorAll("input:checked")].map((box) => box.value);
    this.#make("generate", "new puzzle", {
      puzzle: this.store.puzzle,
      kinds: kinds.length ? kinds : undefined,
      givens: rangeOf(this.givens),
      er: rangeOf(this.difficulty),
      symmetry: this.symmetry.value,
      minimal: this.minimal.checked,
    });
  }

  #minimize() {
    const { puzzle } = this.store;
    this.#make("minimize", "minimise", { puzzle, clues: this.clues.checked });
  }

  #make(path, label, body = { puzzle: this.store.puzzle }) {
    const seed = Number(this.seed.value);
    tell(this.says, "Working …");
    this.task.run(async (signal) => {
      const made = await this.api.call(path, { ...body, seed }, { signal });
      const text = `${label}, seed ${made.seed}`;
      await this.store.commit(made.puzzle, text);
      const gone = made.gone === undefined ? "" : `; ${made.gone || "nothing"} taken away`;
      tell(this.says, `Done: ${text}${gone}.`);
    }, (error) => tell(this.says, error));
  }
}

/** The numbers of a field such as 24-28 or 7.1; undefined if it is empty. */
function rangeOf(field) {
  if (!field.value.trim()) return undefined;
  const numbers = field.value.split(/[-–]/).map(Number);
  return [numbers[0], numbers.at(-1)];
}

/** A seed at random, short enough to copy by hand. */
function drawn() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}
