/* The board: a picture of the puzzle with digits, marks and highlights over it, and cells to choose.
 *
 * Invariant: what is printed on the puzzle is the server's picture and drawn nowhere else; here
 * are only digits and what comes and goes. Lengths are in the units of that picture.
 *
 * For a screen reader the board is a grid of cells with a sentence each; the cell of the cursor is
 * the one that Tab reaches.
 */

import { el, svg } from "./dom.js";
import { cellName, digitText, place, spokenName } from "./grid.js";
import * as layers from "./layers.js";
import { Gestures } from "./gestures.js";
import { addressOf, pictureOf, relevant } from "./picture.js";
import { isDark } from "./theme.js";

const { CELL } = layers;
const RIM = 26; // room for what is pressed at the edge

export class Board extends EventTarget {
  #store;
  #overlay = { highlights: null, candidates: null, counts: null, answer: null };
  #frame = { left: 4, top: 4, right: 4, bottom: 4 };
  #crowded = new Set();
  #clues = []; // {text, says, cells, warning} of each clue, as the server reads it
  #drawn = ""; // what the picture shows
  #picture = null;
  #rim = null; // {edges, onpress}

  /** Builds the board in an empty element; `live` is where announcements go. Events: "picture"
   * (detail: the server's answer) when it is drawn, "problem" (detail: the error) if it is not. */
  constructor(element, live, store) {
    super();
    this.#store = store;
    this.live = live;
    this.svg = svg("svg", { class: "board", role: "grid", "aria-label": "Sudoku board" });
    this.svg.setAttribute("aria-multiselectable", "true");
    this.layers = Object.fromEntries(
      [
        "paper",
        "spots",
        "draft",
        "picture",
        "chosen",
        "marks",
        "digits",
        "links",
        "cells",
        "rim",
      ].map((name) => [name, svg("g", { class: `layer-${name}` })]),
    );
    for (const name of Object.keys(this.layers)) {
      if (name !== "cells") this.layers[name].setAttribute("aria-hidden", "true");
    }
    this.svg.append(...Object.values(this.layers));
    element.append(this.svg);
    this.gestures = new Gestures(this, store);
    store.addEventListener("puzzle", ({ detail }) => this.#changed(detail));
    store.addEventListener("selection", () => this.#choose());
    document.addEventListener("theme", () => {
      if (this.#picture) this.#show(this.#picture, this.#drawn);
    });
    this.#build();
    this.#draw();
    this.#choose();
    this.#paint();
  }

  get size() {
    return this.#store.size;
  }

  cellName(cell) {
    return cellName(cell, this.size);
  }

  /** Highlights over the board, null for none: {house, reason, eliminated, conclusion, conflict},
   * each a list of cells or [cell, digit] pairs, and links: [[from, to, holds, name], ..]. */
  setHighlights(highlights) {
    this.#overlay.highlights = highlights;
    this.#draw();
  }

  /** Small digits in all empty cells in place of the pencil marks: a list for each cell, with how
   * many solutions each has as {digit: count} for each cell; null for the pencil marks. */
  setCandidates(lists, counts = null) {
    Object.assign(this.#overlay, { candidates: lists, counts });
    this.#draw();
  }

  /** A solution to show in the empty cells, as text or digits; null for none. */
  setAnswer(answer) {
    this.#overlay.answer = answer;
    this.#draw();
  }

  /** Says something to screen readers. */
  announce(text) {
    this.live.textContent = text;
  }

  /** Puts the focus on the cell of the cursor. */
  focus() {
    this.cells[this.#store.cursor]?.focus({ preventScroll: true });
  }

  /** Scrolls to the board where the screen is too small for all of the page. */
  show() {
    this.svg.scrollIntoView({ block: "nearest" });
  }

  /** Whether the keyboard acts on the board. */
  get hasFocus() {
    return this.svg.contains(document.activeElement);
  }

  /** Draws what a tool is about to make: see `layers.drawDraft`; null for nothing. */
  setDraft(draft) {
    this.layers.draft.replaceChildren(...layers.drawDraft(draft, this.size));
  }

  /** Shows buttons around the grid: [{x, y, label, sign}] in cells, -1 and `size` outside; each
   * press calls `onpress(edge)`. Null takes them away. */
  setRim(edges, onpress) {
    this.#rim = edges && { edges, onpress };
    this.#fit();
  }

  /** Lightly marks cells, such as those of a clue in a list; null for none. */
  setGlow(cells) {
    for (const [cell, rect] of this.cells.entries()) {
      rect.classList.toggle("glow", Boolean(cells?.includes(cell)));
    }
  }

  /** The cell under a point of the screen; null outside the grid. */
  cellAt(clientX, clientY) {
    const [x, y] = this.pointAt(clientX, clientY);
    const inside = [x, y].every((at) => at >= 0 && at < this.size);
    return inside ? Math.floor(y) * this.size + Math.floor(x) : null;
  }

  /** A point of the screen in cells, from the upper left corner of the grid. */
  pointAt(clientX, clientY) {
    const inverse = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
    return [x / CELL, y / CELL];
  }

  #changed({ label }) {
    if (this.cells.length !== this.#store.digits.length) this.#build();
    this.#draw();
    this.#choose();
    this.#paint();
    this.announce(label);
  }

  #build() {
    const n = this.size;
    this.layers.picture.replaceChildren(...layers.plainGrid(n));
    this.cells = [];
    const rows = Array.from({ length: n }, (_, row) => {
      const cells = Array.from({ length: n }, (_, column) => this.#cell(row * n + column));
      this.cells.push(...cells);
      return svg("g", { role: "row" }, ...cells);
    });
    this.layers.cells.replaceChildren(...rows);
    this.svg.setAttribute("aria-rowcount", n);
    this.svg.setAttribute("aria-colcount", n);
    this.#drawn = "";
    this.#picture = null;
    this.#clues = [];
    this.#crowded = new Set();
    this.#fit();
  }

  #cell(cell) {
    const [row, column] = place(cell, this.size);
    const at = { x: column * CELL, y: row * CELL, width: CELL, height: CELL };
    return svg("rect", { class: "cell", role: "gridcell", tabindex: -1, "data-cell": cell, ...at });
  }

  /** The picture of the server, unless the one on the board shows the same. */
  async #paint() {
    const { puzzle } = this.#store;
    const wanted = relevant(puzzle);
    if (wanted === this.#drawn) return;
    try {
      const picture = await pictureOf(puzzle);
      if (relevant(this.#store.puzzle) === wanted) this.#show(picture, wanted);
    } catch (error) {
      this.dispatchEvent(new CustomEvent("problem", { detail: error }));
    }
  }

  #show(picture, wanted) {
    this.#drawn = wanted;
    const side = this.size * picture.cell;
    const { left, top, width, height } = picture;
    const scale = CELL / picture.cell;
    this.#frame = { left, top, right: width - left - side, bottom: height - top - side };
    for (const edge of Object.keys(this.#frame)) this.#frame[edge] *= scale;
    const image = svg("image", {
      href: addressOf(picture, isDark()),
      x: -left * scale,
      y: -top * scale,
      width: width * scale,
      height: height * scale,
    });
    this.layers.picture.replaceChildren(image);
    this.#picture = picture;
    this.#crowded = new Set(picture.crowded);
    this.#clues = picture.clues ?? [];
    this.#fit();
    this.#draw();
    this.dispatchEvent(new CustomEvent("picture", { detail: picture }));
  }

  /** Room for the picture and, around what it prints beside the grid, for the rim. */
  #fit() {
    const room = this.#rim ? RIM : 0;
    const { left, top, right, bottom } = this.#frame;
    const side = this.size * CELL;
    const [x, y] = [-left - room, -top - room];
    const [width, height] = [left + side + right + 2 * room, top + side + bottom + 2 * room];
    this.svg.setAttribute("viewBox", [x, y, width, height].join(" "));
    this.layers.paper.replaceChildren(
      svg("rect", { class: "around", x, y, width, height }),
      svg("rect", { class: "paper", width: side, height: side }),
    );
    const { edges, onpress } = this.#rim ?? { edges: [] };
    const middle = { left: x + RIM / 2, top: y + RIM / 2, right: side + right + RIM / 2 };
    middle.bottom = side + bottom + RIM / 2;
    const buttons = edges.map((edge) => layers.rimButton(edge, this.size, middle, onpress));
    this.layers.rim.replaceChildren(...buttons);
  }

  #draw() {
    const shown = this.#shown();
    this.layers.spots.replaceChildren(...layers.drawSpots(shown));
    this.layers.marks.replaceChildren(...layers.drawMarks(shown));
    this.layers.digits.replaceChildren(...layers.drawDigits(shown));
    this.layers.links.replaceChildren(...layers.drawLinks(shown));
    this.#label(shown);
  }

  /** All that the layers need to know. */
  #shown() {
    const { digits, entries, marks, size } = this.#store;
    const { answer, candidates, counts, highlights } = this.#overlay;
    const solved = typeof answer === "string" ? [...answer] : (answer ?? []).map(digitText);
    return {
      size,
      digits,
      entries: digits.map((_, cell) => entries[cell] ?? 0),
      solved,
      marks: candidates ?? marks,
      isOwn: !candidates,
      counts,
      highlights: highlights ?? {},
      crowded: this.#crowded,
    };
  }

  #label(shown) {
    const kinds = this.cells.map(() => []);
    for (const clue of this.#clues) {
      for (const cell of new Set(clue.cells)) kinds[cell]?.push(clue.text.split(/[:=]/)[0]);
    }
    for (const [cell, rect] of this.cells.entries()) {
      const parts = [`${spokenName(cell, this.size)}, ${layers.spoken(shown, cell)}`];
      if (kinds[cell].length) parts.push(`in ${[...new Set(kinds[cell])].join(", ")}`);
      rect.setAttribute("aria-label", parts.join("; "));
    }
  }

  #choose() {
    const { selection, cursor } = this.#store;
    const had = this.hasFocus;
    for (const [cell, rect] of this.cells.entries()) {
      rect.setAttribute("tabindex", cell === cursor ? 0 : -1);
      rect.setAttribute("aria-selected", selection.has(cell));
    }
    this.layers.chosen.replaceChildren(...layers.drawChosen(selection, cursor, this.size));
    if (had) this.focus();
  }
}

/** The line that tells screen readers what happened. */
export function liveRegion() {
  return el("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
}
