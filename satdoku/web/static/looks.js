/* Drawing what means nothing: colours of cells, lines, arrows, shapes and texts.
 *
 * Invariant: a drawing is part of the puzzle as docs/PUZZLE_JSON.md has it, and of no answer. Each
 * stroke is one change, which an undo takes back; the picture of the server shows what it makes.
 */

import { button, el, field } from "./dom.js";
import { changeChecked } from "./changes.js";

const SHAPES = ["circle", "square"];
const TOOLS = [
  { name: "colour", text: "Colour cells", says: "press or drag over cells; the same colour again takes it away" },
  { name: "line", text: "Line", says: "drag from cell to cell" },
  { name: "arrow", text: "Arrow", says: "drag from cell to cell" },
  { name: "circle", text: "Circle", says: "press a cell, an edge or a corner" },
  { name: "square", text: "Square", says: "press a cell, an edge or a corner" },
  { name: "text", text: "Text", says: "write the text, then press a cell, an edge, a corner or a place beside the grid" },
  { name: "rub", text: "Rub out", says: "press or drag over cells" },
];
const KEYS = "Or choose cells and press Enter.";
const WIDTH = 0.12; // of lines, in cells
const SIZE = 0.5; // of circles and squares
const FONT = 0.5;
const MOST = 1000; // drawings

/** Mounts the part of a panel that draws. */
export function mount(element, store, board, tools) {
  const pencil = new Pencil(store, board, tools);
  element.append(...pencil.elements);
}

class Pencil {
  #tool = null; // of TOOLS
  #cells = []; // of the stroke
  #point = null; // where it began

  constructor(store, board, tools) {
    Object.assign(this, { store, board, tools });
    this.chips = TOOLS.map((tool) => this.#chip(tool));
    this.colour = el("input", { type: "color", value: "#ffd966" });
    this.text = el("input", { type: "text", maxLength: 200, autocomplete: "off" });
    this.hint = el("p", { class: "note" }, "Drawings mean nothing: no answer depends on them.");
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.clear = button("Rub out all", () => this.#commit(() => [], "rub out all"), { class: "button quiet" });
    store.addEventListener("puzzle", () => this.#show());
    this.#show();
  }

  get elements() {
    const chips = el("div", { class: "chips", role: "group", "aria-label": "Draw" }, ...this.chips);
    const values = el("div", { class: "row" }, field("Colour", this.colour), field("Text", this.text), this.clear);
    return [el("h3", {}, "Drawings"), chips, values, this.hint, this.problem];
  }

  #chip(tool) {
    const press = () => (this.#tool === tool ? this.leave() : this.#take(tool));
    return button(tool.text, press, { class: "chip", title: tool.says, "data-look": tool.name });
  }

  #take(tool) {
    this.tools.take(this);
    this.#tool = tool;
    this.board.setRim(tool.name === "text" ? placesBeside(this.store.board) : null, ({ at }) => this.#write(at));
    this.#show();
  }

  leave() {
    this.tools.take(null);
    this.board.focus();
  }

  /** The board is given to another tool, or to none. */
  release() {
    this.#tool = null;
    this.board.setDraft(null);
    this.board.setRim(null);
    this.#show();
  }

  #show() {
    for (const [place, chip] of this.chips.entries()) {
      chip.setAttribute("aria-pressed", TOOLS[place] === this.#tool);
    }
    if (this.#tool) this.hint.textContent = `${this.#tool.text}: ${this.#tool.says}. ${KEYS}`;
    this.clear.disabled = !this.store.puzzle.looks?.length;
  }

  // Strokes ----------------------------------------------------------------------------------------

  start(cell, { point }) {
    this.#cells = [];
    this.#point = point;
    this.over(cell);
  }

  over(cell) {
    if (cell === null || this.#cells.at(-1) === cell) return;
    this.#cells.push(cell);
    const isLine = ["line", "arrow"].includes(this.#tool.name);
    this.board.setDraft({ groups: [this.#cells], isLine });
  }

  end() {
    this.board.setDraft(null);
    const [column, row] = this.#point;
    this.#apply(this.#cells, [nearHalf(row), nearHalf(column)]);
  }

  /** Enter draws in the chosen cells; Esc puts the pencil away. */
  key({ key }) {
    if (key === "Escape") this.leave();
    else if (key === "Enter") {
      const cells = [...this.store.selection];
      const middles = cells.map((cell) => this.#middle(cell));
      const mean = (axis) => middles.reduce((sum, place) => sum + place[axis], 0) / cells.length;
      this.#apply(cells, [mean(0), mean(1)]);
    } else return false;
    return true;
  }

  #middle(cell) {
    const [row, column] = this.store.board.place(cell);
    return [row + 0.5, column + 0.5];
  }

  /** Does what the tool does with the cells of a stroke, or at the place where it began. */
  #apply(cells, at) {
    const { name } = this.#tool;
    const points = cells.map((cell) => this.#middle(cell));
    const colour = this.colour.value;
    if (name === "colour") this.#paint(points);
    else if (name === "rub") this.#rub(points);
    else if (name === "text") this.#write(at);
    else if (SHAPES.includes(name)) {
      const edge = { fill: colour, edge: "#000000", over: true };
      this.#add({ at, size: [SIZE, SIZE], ...(name === "circle" ? { round: true } : {}), ...edge }, name);
    } else if (points.length > 1) {
      this.#add({ line: points, colour, width: WIDTH, ...(name === "arrow" ? { arrow: true } : {}) }, name);
    }
  }

  #write(at) {
    const text = this.text.value;
    if (text.trim()) this.#add({ at, text, font: FONT, over: true }, "text");
    else this.#tell("Write the text first.");
  }

  #add(look, label) {
    this.#commit((looks) => [...looks, look], label);
  }

  /** Colours cells; takes the colour away where all of them have it. */
  #paint(points) {
    const fill = this.colour.value;
    this.#commit((looks) => {
      const painted = new Map(looks.filter(isPaint).map((look) => [String(look.at), look.fill]));
      const all = points.every((at) => painted.get(String(at)) === fill);
      const places = new Set(points.map(String));
      const rest = looks.filter((look) => !(isPaint(look) && places.has(String(look.at))));
      const fresh = points.map((at) => ({ at, size: [1, 1], fill }));
      return all ? rest : [...fresh, ...rest];
    }, "colour");
  }

  /** Takes away the drawings that lie in cells. */
  #rub(points) {
    const isNear = ([row, column]) =>
      points.some(([down, right]) => Math.max(Math.abs(row - down), Math.abs(column - right)) <= 0.5);
    this.#commit((looks) => looks.filter((look) => !placesOf(look).some(isNear)), "rub out");
  }

  async #commit(change, label) {
    this.problem.hidden = true;
    const looks = change(this.store.puzzle.looks ?? []);
    if (looks.length > MOST) return this.#tell(`At most ${MOST} drawings.`);
    try {
      const drawn = (puzzle) => ({ ...puzzle, looks: change(puzzle.looks ?? []) });
      await changeChecked(this.store, drawn, label);
    } catch (error) {
      this.#tell(error.message);
    }
  }

  #tell(text) {
    this.problem.textContent = text;
    this.problem.hidden = false;
  }
}

/** Whether a drawing colours a whole cell under the grid. */
function isPaint({ at, size, round, edge, text, over }) {
  return at && String(size) === "1,1" && !round && !edge && !text && !over;
}

/** Points of a drawing. */
function placesOf({ line, at, cage }) {
  return line ?? cage?.map(([row, column]) => [row + 0.5, column + 0.5]) ?? [at];
}

/** The middle of a cell, of an edge or of a corner that is nearest. */
function nearHalf(x) {
  return Math.round(x * 2) / 2;
}

/** Buttons beside the grid: a text goes there. */
function placesBeside({ rows, columns }) {
  const edges = [];
  for (let i = 0; i < rows; i += 1) {
    edges.push({ x: -1, y: i, at: [i + 0.5, -0.5] }, { x: columns, y: i, at: [i + 0.5, columns + 0.5] });
  }
  for (let i = 0; i < columns; i += 1) {
    edges.push({ x: i, y: -1, at: [-0.5, i + 0.5] }, { x: i, y: rows, at: [rows + 0.5, i + 0.5] });
  }
  return edges.map((edge) => ({ ...edge, sign: "T", label: `text at ${edge.at}` }));
}
