/* The board itself: its size, its boxes or regions, and what the puzzle is called.
 *
 * Invariant: a puzzle has its board; another size begins an empty puzzle, which an undo takes back.
 */

import { button, el, field } from "./dom.js";
import { ruleNames } from "./grid.js";
import { commitChecked } from "./picture.js";
import { mountRegions } from "./regions.js";
import { emptyPuzzle } from "./state.js";

const LATIN = "none"; // rows and columns only

/** Mounts the panel. */
export function mount(element, store, board, api, tools) {
  const size = el("select", { id: "size" });
  const boxes = el("select", { id: "boxes" });
  const problem = el("p", { class: "error", role: "alert", hidden: true });
  const names = ["title", "author"].map((key) => nameField(store, key));
  const clear = [
    button("Clear the digits", () => empty(store, { digits: true })),
    button("Clear the clues and rules", () => empty(store, { rules: true })),
  ];
  element.append(
    el("div", { class: "row" }, field("Size", size), field("Boxes", boxes)),
    problem,
    mountRegions(store, board, tools),
    el("h3", {}, "Begin again"),
    el("div", { class: "row" }, ...clear),
    el("h3", {}, "Name"),
    ...names,
  );
  let sizes = [];

  const show = () => {
    const { size: n, boxes: shape, regionMap } = store.board;
    size.value = String(n);
    const shapes = sizes.find((each) => each.size === n)?.boxes ?? [];
    const options = shapes.map((each) => option(each, each.replace("x", " × ")));
    if (regionMap) options.unshift(option("regions", "regions"));
    boxes.replaceChildren(...options, option(LATIN, "none"));
    boxes.value = regionMap ? "regions" : shape || LATIN;
  };
  const resize = () => {
    const n = Number(size.value);
    store.commit(
      emptyPuzzle(n, sizes.find((each) => each.size === n)?.boxes[0] ?? ""),
      `${n}x${n} board`,
      [],
    );
  };
  const reshape = async () => {
    problem.hidden = true;
    try {
      if (boxes.value !== "regions") await commitChecked(store, withBoxes(boxes.value), "boxes");
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
    show();
  };
  size.addEventListener("change", resize);
  boxes.addEventListener("change", reshape);
  store.addEventListener("puzzle", show);
  api.catalogue().then(
    (catalogue) => {
      sizes = catalogue.sizes;
      size.replaceChildren(...sizes.map(({ size: n }) => option(n, `${n} × ${n}`)));
      show();
    },
    () => null,
  );
}

function option(value, text) {
  return el("option", { value }, text);
}

/** The same puzzle with boxes of another shape, or without boxes. */
function withBoxes(shape) {
  return ({ boxes, ...puzzle }) => {
    const names = ruleNames(puzzle);
    if (shape === LATIN) return { ...puzzle, rules: [...names, "latin"].join(",") };
    return { ...puzzle, boxes: shape, rules: names.join(",") };
  };
}

/** The same puzzle without its digits, or without its clues and rules. */
function empty(store, { digits, rules }) {
  const { candidates, clues, ...rest } = store.puzzle;
  if (digits) {
    const { puzzle } = rest;
    const bare = { ...rest, clues, puzzle: ".".repeat(puzzle.length) };
    store.commit(bare, "clear the digits", []);
  }
  if (rules) {
    const { regionMap, boxes } = store.board;
    const words = regionMap ? `jigsaw=${regionMap}` : boxes ? "" : "latin";
    store.commit({ ...rest, candidates, rules: words }, "clear the clues and rules");
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
