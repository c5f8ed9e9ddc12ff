/* Painting regions: a map that takes the place of the boxes (jigsaw).
 *
 * Invariant: the puzzle gets a map as soon as each region has as many cells as there are digits,
 * and never before; until then the painting is a draft, which a reload keeps. A cell may be in no
 * region.
 */

import { button, el } from "./dom.js";

const KEPT = "satdoku-regions";
const NAMES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NONE = -1; // of a cell in no region
const NO_REGION = "."; // in a map

/** The part of the panel of the board that paints regions; `reshape(wanted, label)` changes the form
 * of the board. */
export function mountRegions(store, board, tools, reshape) {
  const painter = new Painter(store, board, tools, reshape);
  store.addEventListener("puzzle", () => painter.puzzleChanged());
  if (sessionStorage.getItem(KEPT)) painter.begin(JSON.parse(sessionStorage.getItem(KEPT)));
  return painter.element;
}

class Painter {
  #draft = null; // the region of each cell
  #region = 0;

  constructor(store, board, tools, reshape) {
    Object.assign(this, { store, board, tools, reshape });
    this.opener = button("Paint regions", () => this.begin());
    this.chips = el("div", { class: "chips regions", role: "group", "aria-label": "Regions" });
    this.note = el("p", { class: "note" }, "Choose a region, then drag over its cells.");
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.stop = button("Stop painting", () => this.leave(), { class: "button quiet" });
    this.work = el("div", { hidden: true }, this.note, this.chips, this.problem, this.stop);
    const title = el("h3", {}, "Regions");
    this.element = el("section", { "aria-label": "Regions" }, title, this.opener, this.work);
  }

  /** How many cells a region has. */
  get #full() {
    return this.store.board.digits.length;
  }

  /** Begins with a draft, or with the regions of the board; its rows if it has none. */
  begin(draft = null) {
    const { board } = this.store;
    const rows = board.places.map(([row]) => row);
    this.#draft = draft?.length === board.count ? draft : (board.regions ?? rows);
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
    const { board } = this.store;
    if (this.#draft.length !== board.count) this.leave();
    else if (board.regions && this.#isWhole) this.#draft = board.regions;
    if (this.#draft) this.#show();
  }

  start(cell) {
    this.#paint([cell]);
  }

  over(cell) {
    this.#paint([cell]);
  }

  get #isWhole() {
    const counts = new Map();
    for (const region of this.#draft) counts.set(region, (counts.get(region) ?? 0) + 1);
    counts.delete(NONE);
    return counts.size > 0 && [...counts.values()].every((count) => count === this.#full);
  }

  /** A stroke is over: a map that is whole becomes that of the puzzle. */
  end() {
    const { board } = this.store;
    if (!this.#isWhole || String(this.#draft) === String(board.regions)) return;
    if (Math.max(...this.#draft) >= NAMES.length) {
      this.#tell(`A map has at most ${NAMES.length} regions.`);
      return;
    }
    const map = this.#draft.map((region) => NAMES[region] ?? NO_REGION).join("");
    this.problem.hidden = true;
    this.reshape(() => ({ jigsaw: map, boxes: "" }), "regions").catch((error) => this.#tell(error.message));
  }

  #tell(text) {
    this.problem.textContent = text;
    this.problem.hidden = false;
  }

  /** Keys on the board: the name of a region paints the chosen cells. */
  key({ key }) {
    const region = NAMES.slice(0, this.#most).indexOf(key.length === 1 ? key.toUpperCase() : "-");
    if (key === "Escape") this.leave();
    else if (region >= 0 || key === NO_REGION) {
      this.#region = region;
      this.#paint(this.store.selection);
      this.end();
    } else return false;
    return true;
  }

  /** How many regions there may be. */
  get #most() {
    const found = Math.floor(this.store.board.count / this.#full);
    return Math.min(NAMES.length, Math.max(found, ...this.#draft.map((region) => region + 1)));
  }

  #paint(cells) {
    this.#draft = [...this.#draft];
    for (const cell of cells) this.#draft[cell] = this.#region;
    sessionStorage.setItem(KEPT, JSON.stringify(this.#draft));
    this.#show();
  }

  #show() {
    const painted = [...this.#draft.entries()].filter(([, region]) => region !== NONE);
    this.board.setDraft({ fills: Object.fromEntries(painted) });
    const numbers = Array.from({ length: this.#most }, (_, region) => region);
    const chips = [...numbers, NONE].map((region) => this.#chip(region));
    const had = this.chips.contains(document.activeElement);
    this.chips.replaceChildren(...chips);
    if (had) chips.at(this.#region).focus();
  }

  #chip(region) {
    const count = this.#draft.filter((each) => each === region).length;
    const full = this.#full;
    const isNone = region === NONE;
    const off = count === full || isNone ? "" : ` ${count}/${full}`;
    const choose = () => {
      this.#region = region;
      this.#show();
    };
    const look = isNone ? "chip" : `chip region-${region % 16}`;
    const chip = button(isNone ? "none" : NAMES[region] + off, choose, { class: look });
    chip.setAttribute("aria-pressed", region === this.#region);
    const said = isNone ? `No region: ${count} cells` : `Region ${region + 1}: ${count} of ${full} cells`;
    chip.setAttribute("aria-label", said);
    return chip;
  }
}
