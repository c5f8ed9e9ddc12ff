/* Painting regions: a map that takes the place of the boxes (jigsaw).
 *
 * Invariant: the puzzle gets a map as soon as each region has as many cells as there are digits,
 * and never before; until then the painting is a draft, which a reload keeps.
 */

import { button, el } from "./dom.js";
import { digitOfKey, digitText, mapOf, ruleNames } from "./grid.js";
import { commitChecked } from "./picture.js";

const KEPT = "satdoku-regions";

/** The part of the panel of the board that paints regions. */
export function mountRegions(store, board, tools) {
  const painter = new Painter(store, board, tools);
  store.addEventListener("puzzle", () => painter.puzzleChanged());
  if (sessionStorage.getItem(KEPT)) painter.begin(JSON.parse(sessionStorage.getItem(KEPT)));
  return painter.element;
}

class Painter {
  #draft = null; // the region of each cell
  #region = 0;

  constructor(store, board, tools) {
    Object.assign(this, { store, board, tools });
    this.opener = button("Paint regions", () => this.begin());
    this.chips = el("div", { class: "chips regions", role: "group", "aria-label": "Regions" });
    this.note = el("p", { class: "note" }, "Choose a region, then drag over its cells.");
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.stop = button("Stop painting", () => this.leave(), { class: "button quiet" });
    this.work = el("div", { hidden: true }, this.note, this.chips, this.problem, this.stop);
    const title = el("h3", {}, "Regions");
    this.element = el("section", { "aria-label": "Regions" }, title, this.opener, this.work);
  }

  /** Begins with a draft, or with the regions of the board; its rows if it has none. */
  begin(draft = null) {
    const { size, board } = this.store;
    const rows = this.store.digits.map((_, cell) => Math.floor(cell / size));
    this.#draft = draft?.length === size * size ? draft : (board.regions ?? rows);
    this.tools.take(this);
    this.opener.hidden = true;
    this.work.hidden = false;
    this.#show();
  }

  leave() {
    this.tools.take(null);
    this.board.focus();
  }

  /** The board is given to another tool, or to none. */
  release() {
    this.#draft = null;
    sessionStorage.removeItem(KEPT);
    this.board.setDraft(null);
    this.opener.hidden = false;
    this.work.hidden = true;
  }

  /** Another board ends the painting. */
  puzzleChanged() {
    if (!this.#draft) return;
    const { size, board } = this.store;
    if (this.#draft.length !== size * size) this.leave();
    else if (board.regions && isWhole(this.#draft, size)) this.#draft = board.regions;
    if (this.#draft) this.#show();
  }

  start(cell) {
    this.#paint([cell]);
  }

  over(cell) {
    this.#paint([cell]);
  }

  /** A stroke is over: a map that is whole becomes that of the puzzle. */
  end() {
    const { size } = this.store;
    const map = mapOf(this.#draft);
    if (!isWhole(this.#draft, size) || map === mapOf(this.store.board.regions ?? [])) return;
    this.problem.hidden = true;
    commitChecked(this.store, (puzzle) => withMap(puzzle, map), "regions").catch((error) => {
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    });
  }

  /** Keys on the board: the digit of a region paints the chosen cells. */
  key({ key }) {
    const region = digitOfKey(key, this.store.size);
    if (key === "Escape") this.leave();
    else if (region) {
      this.#region = region - 1;
      this.#paint(this.store.selection);
      this.end();
    } else return false;
    return true;
  }

  #paint(cells) {
    this.#draft = [...this.#draft];
    for (const cell of cells) this.#draft[cell] = this.#region;
    sessionStorage.setItem(KEPT, JSON.stringify(this.#draft));
    this.#show();
  }

  #show() {
    const { size } = this.store;
    this.board.setDraft({ fills: { ...this.#draft } });
    const chips = Array.from({ length: size }, (_, region) => {
      const count = this.#draft.filter((each) => each === region).length;
      const off = count === size ? "" : ` ${count}/${size}`;
      const choose = () => {
        this.#region = region;
        this.#show();
      };
      const chip = button(digitText(region + 1) + off, choose, {
        class: `chip region-${region % 16}`,
      });
      chip.setAttribute("aria-pressed", region === this.#region);
      chip.setAttribute("aria-label", `Region ${region + 1}: ${count} of ${size} cells`);
      return chip;
    });
    const had = this.chips.contains(document.activeElement);
    this.chips.replaceChildren(...chips);
    if (had) chips[this.#region].focus();
  }
}

function isWhole(regions, size) {
  const counts = new Array(size).fill(0);
  for (const region of regions) counts[region] += 1;
  return counts.every((count) => count === size);
}

function withMap({ boxes, ...puzzle }, map) {
  return { ...puzzle, rules: [...ruleNames(puzzle), `jigsaw=${map}`].join(",") };
}
