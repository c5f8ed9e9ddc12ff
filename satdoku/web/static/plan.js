/* The board itself: its size, digits, boxes or regions, holes and layers.
 *
 * Invariant: a puzzle has its board. Another size begins an empty puzzle; any other change keeps all
 * that the puzzle states, or is refused. An undo takes each of them back.
 */

import { change } from "./changes.js";
import { button, el, field } from "./dom.js";
import { emptied } from "./grid.js";
import { HoleTool } from "./holes.js";
import { mountLayers } from "./layerform.js";
import { switchOf } from "./parts.js";
import { mountRegions } from "./regions.js";
import { Task } from "./task.js";

const LATIN = "none"; // rows and columns only
const REGIONS = "regions";
const OTHER = "other"; // a board that is not listed
const LINES = { "no-rows": "Rows may repeat digits", "no-columns": "Columns may repeat digits" };

/** Mounts the panel. */
export function mount(element, store, board, api, tools) {
  new Plan(element, store, board, api, tools);
}

class Plan {
  #listed = []; // [name, text, form] of the boards to choose from

  constructor(element, store, board, api, tools) {
    Object.assign(this, { store, api });
    this.task = new Task(() => {});
    const reshape = (wanted, label) => this.reshape(wanted, label);
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.#build();
    element.append(
      el("div", { class: "row" }, field("Size", this.size), field("Boxes", this.boxes)),
      el("div", { class: "row short" }, field("Rows", this.rows), field("Columns", this.columns),
        field("Digits", this.digits), field("Grids at", this.grids)),
      el("div", { class: "row" }, ...Object.values(this.lines)),
      this.problem,
      el("div", { class: "row" }, new HoleTool(store, board, tools, (...all) => this.#try(...all)).opener),
      mountRegions(store, board, tools, reshape),
      mountLayers(store, (...all) => this.#try(...all)),
      el("h3", {}, "Begin again"),
      el("div", { class: "row" },
        button("Clear the digits", () => clearDigits(store)),
        button("Clear the clues and rules", () => clearRules(store))),
    );
    store.addEventListener("puzzle", () => this.#show());
    api.catalogue().then((catalogue) => this.#list(catalogue), () => null);
    this.#show();
  }

  #build() {
    const typed = (properties, change) =>
      el("input", { autocomplete: "off", spellcheck: false, ...properties, onchange: change });
    const side = { type: "number", min: 1, max: 16 };
    const resize = () => this.#begin({ shape: `${this.rows.value}x${this.columns.value}` });
    this.size = el("select", { id: "size", onchange: () => this.#choose() });
    this.boxes = el("select", { id: "boxes", onchange: () => this.#rebox() });
    this.rows = typed(side, resize);
    this.columns = typed(side, resize);
    this.digits = typed({}, () => this.#try(() => ({ digits: this.digits.value.trim() }), "digits"));
    this.grids = typed({ placeholder: "r1c1,r7c7", title: "upper left cells of several grids" },
      () => this.#begin({ ...this.store.board.form, grids: listOf(this.grids.value), holes: [], jigsaw: "", layer: [] }));
    this.lines = Object.fromEntries(Object.entries(LINES).map(([name, text]) =>
      [name, switchOf(text, "", false, (on) => this.#try(() => ({ [name]: on }), text))]));
  }

  #list({ sizes, presets }) {
    this.#listed = [
      ...sizes.map(({ size }) => [`${size}x${size}`, `${size} × ${size}`, { shape: `${size}x${size}` }]),
      ...presets.map(({ name, form }) => [name, name, form]),
    ];
    const options = this.#listed.map(([name, text]) => option(name, text));
    this.size.replaceChildren(...options, option(OTHER, OTHER));
    this.#show();
  }

  #show() {
    const { form, boxes, digits } = this.store.board;
    const shapes = boxes.map((each) => option(each, each.replace("x", " × ")));
    if (form.jigsaw) shapes.unshift(option(REGIONS, REGIONS));
    this.boxes.replaceChildren(...shapes, option(LATIN, LATIN));
    this.boxes.value = form.jigsaw ? REGIONS : form.boxes;
    [this.rows.value, this.columns.value] = form.shape.split("x");
    this.digits.value = form.digits;
    this.digits.placeholder = `1-${digits.length}`;
    this.grids.value = form.grids.join(",");
    for (const [name, line] of Object.entries(this.lines)) line.firstChild.checked = form[name];
    const asForm = ({ shape, grids = [] }) => shape === form.shape && String(grids) === String(form.grids);
    const isPlain = !form.holes.length && !form.digits;
    const found = isPlain && this.#listed.find(([, , other]) => asForm(other));
    this.size.value = found ? found[0] : OTHER;
  }

  #choose() {
    const found = this.#listed.find(([name]) => name === this.size.value);
    if (found) this.#begin(found[2], `${found[1].replaceAll(" ", "").replace("×", "x")} board`);
    else this.#show();
  }

  #rebox() {
    if (this.boxes.value === REGIONS) return;
    const { value } = this.boxes;
    this.#try(() => ({ boxes: value, jigsaw: "" }), "boxes");
  }

  /** An empty puzzle on another board. */
  #begin(form, label = "another board") {
    const make = async () => (await this.api.call("board", { form })).puzzle;
    return this.#told(() => change(this.store, make, label, true));
  }

  /** The same puzzle on a board with some changes of its form, which `wanted` makes of the form.
   * Throws `ApiError`. */
  reshape(wanted, label) {
    const make = async (puzzle) => {
      const { form } = this.store.board;
      const asked = { puzzle, form: { ...form, ...wanted(form) } };
      return (await this.api.call("board", asked)).puzzle;
    };
    return change(this.store, make, label);
  }

  #try(wanted, label) {
    return this.#told(() => this.reshape(wanted, label));
  }

  /** Does what may be refused, and says so. */
  async #told(act) {
    this.problem.hidden = true;
    await this.task.run(act, (error) => {
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    });
    this.#show();
  }
}

function option(value, text) {
  return el("option", { value }, text);
}

function listOf(text) {
  return text.split(/[\s,;]+/).filter(Boolean);
}

function clearDigits(store) {
  const { candidates, ...rest } = store.puzzle;
  store.commit({ ...rest, puzzle: emptied(rest.puzzle) }, "clear the digits", true);
}

function clearRules(store) {
  const { clues, ...rest } = store.puzzle;
  store.commit(store.board.withRules(rest, []), "clear the clues and rules");
}
