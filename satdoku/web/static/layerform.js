/* The layers of a board: a list of them, and a form for one more.
 *
 * Invariant: a layer is a text, shade:0-1 or total*2:3-30, as the rules of a puzzle state it.
 */

import { button, el, field } from "./dom.js";

/** The part of the panel of the board that has the layers; `reshape(wanted, label)` changes the form
 * of the board. */
export function mountLayers(store, reshape) {
  const input = (properties) =>
    el("input", { autocomplete: "off", spellcheck: false, ...properties });
  const name = input({ value: "shade" });
  const values = input({ value: "0-1" });
  const free = input({ placeholder: "one a cell", title: "so many variables that stand free" });
  const list = el("ul", { class: "list" });
  const add = () => {
    const count = free.value.trim() ? `*${free.value.trim()}` : "";
    const text = `${name.value.trim()}${count}:${values.value.trim()}`;
    return reshape(({ layer }) => ({ layer: [...layer, text] }), `layer ${text}`).then(() => {
      if (!count) store.setPlane(name.value.trim().toLowerCase());
    });
  };
  const remove = (text) => {
    const without = ({ layer }) => ({ layer: layer.filter((other) => other !== text) });
    return reshape(without, `no layer ${text}`);
  };
  const item = (text) => {
    const cross = button("✕", () => remove(text), { class: "button quiet", title: "Remove" });
    cross.setAttribute("aria-label", `Remove layer ${text}`);
    return el("li", {}, el("code", { class: "words" }, text), cross);
  };
  const show = () => list.replaceChildren(...store.board.form.layer.map(item));
  store.addEventListener("puzzle", show);
  show();
  return el("section", { "aria-label": "Layers" },
    el("h3", {}, "Layers"),
    el("p", { class: "note" }, "A layer holds one more value in each cell, such as 1 for shaded."),
    list,
    el("div", { class: "row short" }, field("Layer", name), field("Values", values),
      field("How many", free), button("Add layer", add)),
  );
}
