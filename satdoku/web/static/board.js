/* The board: a picture of the puzzle with digits, marks and highlights over it, and cells to choose.
 *
 * Invariant: what is printed on the puzzle is the server's picture and drawn nowhere else; here
 * are only digits and what comes and goes. Lengths are in the units of that picture.
 *
 * For a screen reader the board is a grid of cells with a sentence each; the cell of the cursor is
 * the one that Tab reaches.
 */

import { el, svg } from "./dom.js";
import { drawColours, drawNotes } from "./drawnotes.js";
import * as layers from "./layers.js";
import { BLANK, conflicts } from "./notes.js";
import { Gestures } from "./gestures.js";
import { isDark } from "./theme.js";

const { CELL } = layers;
const RIM = 26; // room for what is pressed at the edge

export class Board extends EventTarget {
  #store;
  #progress;
  #modes;
  #peers = []; // of each cell of the grids those that must differ from it
  #overlay = { highlights: null, candidates: null, counts: null, answer: null };
  #frame = { left: 4, top: 4, right: 4, bottom: 4 };
  #crowded = new Set();
  #clues = []; // {text, says, cells, warning} of each clue, as the server reads it
  #values = []; // [cell, digit] of what clues set in layers
  #built = null; // the board that the elements are made for
  #drawn = ""; // what the picture shows
  #picture = null;
  #rim = null; // {edges, onpress}
  #rimDrawn = "";

  /** Builds the board in an empty element; `live` is where announcements go. Events: "picture"
   * (detail: the server's answer) when it is drawn, "problem" (detail: an error) if there is none. */
  constructor(element, live, store, progress, modes) {
    super();
    this.#store = store;
    this.#progress = progress;
    this.#modes = modes;
    this.live = live;
    this.svg = svg("svg", { class: "board", role: "grid", "aria-label": "Sudoku board" });
    this.svg.setAttribute("aria-multiselectable", "true");
    this.layers = Object.fromEntries(
      [
        "paper",
        "colours",
        "shades",
        "spots",
        "draft",
        "picture",
        "chosen",
        "marks",
        "notes",
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
    progress.addEventListener("notes", ({ detail }) => {
      this.#draw();
      if (detail) this.announce(detail);
    });
    modes.addEventListener("mode", () => this.#draw());
    store.addEventListener("selection", () => this.#choose());
    store.addEventListener("plane", () => {
      this.#draw();
      this.#choose();
    });
    document.addEventListener("theme", () => {
      if (this.#picture) this.show(this.#picture, this.#drawn);
    });
    this.#build();
    this.#draw();
    this.#choose();
  }

  /** The board of the puzzle. */
  get plan() {
    return this.#store.board;
  }

  /** The digit that the puzzle gives in a cell, or sets there by a clue; 0 if it does neither. */
  given(cell) {
    const set = this.#values.find(([each]) => each === cell);
    return this.#store.digits[cell] || (set ? set[1] : 0);
  }

  /** What lies over the board, each null for none:
   * highlights: {house, cover, reason, eliminated, conclusion, conflict}, each a list of cells or
   * [cell, digit] pairs, and links: [[from, to, holds, name], ..];
   * candidates: small digits in all empty cells in place of the digits allowed, a list for each cell;
   * counts: how many solutions each of them has, as {digit: count} for each cell;
   * answer: a solution to show in the empty cells, a digit for each. */
  setOverlay(overlay) {
    this.#overlay = overlay;
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
  scrollTo() {
    this.svg.scrollIntoView({ block: "nearest" });
  }

  /** Whether the keyboard acts on the board. */
  get hasFocus() {
    return this.svg.contains(document.activeElement);
  }

  /** Draws what tools are about to make: see `layers.drawDraft`; null for nothing. */
  setDraft(...drafts) {
    const drawn = drafts.flatMap((draft) => layers.drawDraft(draft, this.plan));
    this.layers.draft.replaceChildren(...drawn);
  }

  /** Shows buttons around the grid: [{x, y, label, sign}] in cells, those of other lines than the
   * board's outside; each press calls `onpress(edge)`. Null takes them away. */
  setRim(edges, onpress) {
    this.#rim = edges && { edges, onpress };
    this.#fit();
  }

  /** Lightly marks cells, such as those of a clue in a list; null for none. */
  setGlow(cells) {
    const seats = new Set(cells?.map((cell) => this.plan.seat(cell)));
    for (const [cell, rect] of this.cells.entries()) rect.classList.toggle("glow", seats.has(cell));
  }

  /** Row and column of the place under a point of the screen; null outside the board. */
  placeAt(clientX, clientY) {
    const [column, row] = this.pointAt(clientX, clientY).map(Math.floor);
    const { rows, columns } = this.plan;
    return row >= 0 && column >= 0 && row < rows && column < columns ? [row, column] : null;
  }

  /** A point of the screen in cells, from the upper left corner of the grid. */
  pointAt(clientX, clientY) {
    const inverse = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
    return [x / CELL, y / CELL];
  }

  #changed({ label }) {
    this.#draw();
    this.#choose();
    this.announce(label);
  }

  #build() {
    const { plan } = this;
    const isSame = this.#built && String(this.#built.places) === String(plan.places);
    this.#built = plan;
    if (isSame) return;
    this.layers.picture.replaceChildren(layers.squaresOf(plan, "plain-grid"));
    this.cells = plan.all.map((cell) => this.#cell(cell));
    const rows = Array.from({ length: plan.rows }, () => svg("g", { role: "row" }));
    for (const cell of plan.all) rows[plan.place(cell)[0]].append(this.cells[cell]);
    this.layers.cells.replaceChildren(...rows.filter((row) => row.childNodes.length));
    this.svg.setAttribute("aria-rowcount", plan.rows);
    this.svg.setAttribute("aria-colcount", plan.columns);
    this.#drawn = "";
    this.#picture = null;
    this.#clues = this.#values = this.#peers = [];
    this.#crowded = new Set();
    this.#fit();
  }

  #cell(cell) {
    const [row, column] = this.plan.place(cell);
    const at = { x: column * CELL, y: row * CELL, width: CELL, height: CELL };
    const place = { "aria-rowindex": row + 1, "aria-colindex": column + 1 };
    const known = { "data-cell": cell, "data-name": this.plan.name(cell) };
    return svg("rect", { class: "cell", role: "gridcell", tabindex: -1, ...known, ...place, ...at });
  }

  /** What the picture shows, as `relevant` says it; empty if there is none yet. */
  get drawn() {
    return this.#drawn;
  }

  /** Shows a picture of the server. */
  show(picture, wanted) {
    this.#drawn = wanted;
    const { left, top, width, height } = picture;
    const scale = CELL / picture.cell;
    const [right, bottom] = [width - left, height - top];
    const { rows, columns } = this.plan;
    this.#frame = { left, top, right: right - columns * picture.cell, bottom: bottom - rows * picture.cell };
    for (const edge of Object.keys(this.#frame)) this.#frame[edge] *= scale;
    const image = svg("image", {
      href: layers.addressOf(picture, isDark()),
      x: -left * scale,
      y: -top * scale,
      width: width * scale,
      height: height * scale,
    });
    this.layers.picture.replaceChildren(image);
    this.#picture = picture;
    this.#crowded = new Set(picture.crowded);
    this.#clues = picture.clues ?? [];
    this.#values = picture.values;
    this.#peers = picture.peers;
    this.#fit();
    this.#draw();
    this.dispatchEvent(new CustomEvent("picture", { detail: picture }));
  }

  /** Room for the picture and, around what it prints beside the grid, for the rim. */
  #fit() {
    const room = this.#rim ? RIM : 0;
    const { left, top, right, bottom } = this.#frame;
    const [across, down] = [this.plan.columns * CELL, this.plan.rows * CELL];
    const [x, y] = [-left - room, -top - room];
    const [width, height] = [left + across + right + 2 * room, top + down + bottom + 2 * room];
    this.svg.setAttribute("viewBox", [x, y, width, height].join(" "));
    this.layers.paper.replaceChildren(
      svg("rect", { class: "around", x, y, width, height }),
      layers.squaresOf(this.plan, "paper"),
    );
    const middle = { left: x + RIM / 2, top: y + RIM / 2, right: across + right + RIM / 2 };
    middle.bottom = down + bottom + RIM / 2;
    this.#drawRim(middle);
  }

  /** The buttons of the rim, which stay while they are the same: one may be under a pointer. */
  #drawRim(middle) {
    const { edges } = this.#rim ?? { edges: [] };
    const wanted = JSON.stringify([edges, middle]);
    if (wanted === this.#rimDrawn) return;
    this.#rimDrawn = wanted;
    const press = (edge) => this.#rim.onpress(edge);
    const buttons = edges.map((edge) => layers.rimButton(edge, this.plan, middle, press));
    this.layers.rim.replaceChildren(...buttons);
  }

  #draw() {
    if (this.#built !== this.plan) this.#build(); // whoever hears first of another board
    const shown = this.#shown();
    this.layers.shades.replaceChildren(...layers.drawShades(shown));
    this.layers.spots.replaceChildren(...layers.drawSpots(shown));
    this.layers.colours.replaceChildren(...drawColours(shown));
    this.layers.notes.replaceChildren(...drawNotes(shown));
    this.layers.marks.replaceChildren(...layers.drawMarks(shown));
    this.layers.digits.replaceChildren(...layers.drawDigits(shown));
    this.layers.links.replaceChildren(...layers.drawLinks(shown));
    this.#label(shown);
  }

  /** All that the layers need to know. */
  #shown() {
    const { digits, marks } = this.#store;
    const notes = this.#modes.isSet ? BLANK : this.#progress.notes;
    const { plan } = this;
    const { candidates, highlights, solved } = layers.onBoard(this.#overlay, plan);
    const givens = plan.names.map((_, cell) => digits[cell] ?? 0);
    for (const [cell, digit] of this.#values) givens[cell] = digit;
    return {
      plan,
      first: this.#store.layer?.first ?? 0,
      digits: givens,
      notes,
      clashing: new Set(conflicts(givens.map((given, cell) => given || notes.digits[cell]), this.#peers)),
      solved,
      marks: candidates ?? marks,
      isOwn: !candidates,
      counts: this.#overlay.counts,
      highlights,
      crowded: this.#crowded,
    };
  }

  #label(shown) {
    const kinds = this.cells.map(() => []);
    for (const clue of this.#clues) {
      for (const cell of new Set(clue.cells.map((each) => this.plan.seat(each)))) {
        kinds[cell]?.push(clue.text.split(/[:=]/)[0]);
      }
    }
    for (const [cell, rect] of this.cells.entries()) {
      const parts = [`${this.plan.spoken(cell)}, ${layers.spoken(shown, cell)}`];
      for (const { name, first } of this.plan.planes) {
        parts.push(`${name} ${layers.spoken(shown, first + cell)}`);
      }
      if (kinds[cell].length) parts.push(`in ${[...new Set(kinds[cell])].join(", ")}`);
      rect.setAttribute("aria-label", parts.join("; "));
    }
  }

  #choose() {
    this.svg.classList.toggle("in-layer", Boolean(this.#store.layer));
    const { selection, cursor } = this.#store;
    const had = this.hasFocus;
    for (const [cell, rect] of this.cells.entries()) {
      rect.setAttribute("tabindex", cell === cursor ? 0 : -1);
      rect.setAttribute("aria-selected", selection.has(cell));
    }
    this.layers.chosen.replaceChildren(...layers.drawChosen(selection, cursor, this.plan));
    if (had) this.focus();
  }
}

/** The line that tells screen readers what happened. */
export function liveRegion() {
  return el("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
}
