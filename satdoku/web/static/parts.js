/* Parts that several panels are made of.
 *
 * Invariant: they are made by dom.js, so that a text never becomes markup.
 */

import { button, el } from "./dom.js";

/** A box to tick with its text and a hint; `onchange` hears whether it is ticked. */
export function switchOf(text, hint, checked, onchange) {
  const box = el("input", { type: "checkbox", checked });
  box.addEventListener("change", () => onchange(box.checked));
  return el("label", { class: "switch", title: hint }, box, ` ${text}`);
}

/** The small picture of an entry of the catalogue; null if it has none. */
export function iconOf(entry) {
  if (!entry?.icon) return null;
  const src = `data:image/svg+xml,${encodeURIComponent(entry.icon)}`;
  return el("img", { class: "icon", src, alt: "", width: 22, height: 22 });
}

/** A choice among [value, text] pairs. */
export function choiceOf(pairs) {
  return el("select", {}, ...optionsOf(pairs));
}

/** The options of a choice. */
export function optionsOf(pairs) {
  return pairs.map(([value, text]) => el("option", { value }, text));
}

/** Shows a text in a line, or an error of the API with its place if it has one. */
export function tell(line, said) {
  const isError = said instanceof Error;
  line.textContent = isError ? errorText(said) : said;
  line.classList.toggle("error", isError);
}

/** A button that stops a task and says so in a line; one shows it while the task runs. */
export function stopOf(task, line) {
  const halt = () => {
    task.stop();
    tell(line, "Stopped.");
  };
  return button("Stop", halt, { hidden: true });
}

/** An error of the API as a text. */
export function errorText({ message, line, column = 1 }) {
  const place = line ? `line ${line}, column ${column}: ` : "";
  return message.includes(place) ? message : place + message;
}

/** Whether two puzzles have the same answers, whatever they are called and what is drawn in them. */
export function isSame(one, other) {
  const asked = ({ title, author, words, looks, ...rest } = {}) => JSON.stringify(rest);
  return asked(one) === asked(other);
}
