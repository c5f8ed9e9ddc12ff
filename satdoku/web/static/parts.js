/* Parts that several panels are made of.
 *
 * Invariant: they are made by dom.js, so that a text never becomes markup.
 */

import { el } from "./dom.js";

/** A box to tick with its text and a hint; `onchange` hears whether it is ticked. */
export function switchOf(text, hint, checked, onchange) {
  const box = el("input", { type: "checkbox", checked });
  box.addEventListener("change", () => onchange(box.checked));
  return el("label", { class: "switch", title: hint }, box, ` ${text}`);
}

/** A choice among [value, text] pairs. */
export function choiceOf(pairs) {
  return el("select", {}, ...optionsOf(pairs));
}

/** The options of a choice. */
export function optionsOf(pairs) {
  return pairs.map(([value, text]) => el("option", { value }, text));
}

/** An error of the API as a text, with its place if it has one. */
export function errorText(error) {
  const place = error.line ? `line ${error.line}, column ${error.column ?? 1}: ` : "";
  return error.message.includes(place) ? error.message : place + error.message;
}

/** Whether two puzzles are the same; digits that are only tried are no part of them. */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
