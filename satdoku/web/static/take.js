/* Taking the puzzle away: links and files for other programs, pictures, proofs.
 *
 * Invariant: a file is what the command line writes for the puzzle on the board at that moment; the
 * formats and their names are those of the server's catalogue.
 */

import { button, el } from "./dom.js";
import { stopOf, tell } from "./parts.js";
import { Task } from "./task.js";

export function mount(element, store, board, api) {
  return new Taker(element, store, api);
}

class Taker {
  constructor(element, store, api) {
    Object.assign(this, { store, api });
    this.task = new Task((running) => (this.stop.hidden = !running));
    this.says = el("p", { class: "note", role: "status" });
    this.stop = stopOf(this.task, this.says);
    this.solution = el("input", { type: "checkbox" });
    this.about = el("input", { type: "checkbox" });
    this.text = el("textarea", { rows: 4, readOnly: true, "aria-label": "Link or text" });
    this.copy = button("Copy", () => this.#copy());
    this.open = el("a", { target: "_blank", rel: "noreferrer noopener" }, "Open it");
    this.result = el("div", { hidden: true }, this.text,
      el("div", { class: "row" }, this.copy, this.open));
    this.list = el("ul", { class: "formats" });
    element.append(
      this.list,
      el("label", { class: "switch" }, this.solution, "Show the solution in pictures"),
      el("label", { class: "switch" }, this.about, "Title and rules below pictures"),
      el("div", { class: "row" }, this.stop), this.says, this.result,
    );
    store.addEventListener("puzzle", () => this.#clear());
    const offer = ({ formats }) => this.list.replaceChildren(...formats.map((each) => this.#offer(each)));
    api.catalogue().then(offer, (error) => tell(this.says, error));
  }

  #offer(format) {
    const take = button(format.name, () => this.#take(format), { class: "button format" });
    take.append(el("small", {}, format.text));
    return el("li", {}, take);
  }

  #clear() {
    this.task.stop();
    this.result.hidden = true;
    tell(this.says, "");
  }

  #take({ name, suffix }) {
    this.#clear();
    tell(this.says, `Making ${name} …`);
    this.task.run(async (signal) => {
      const solution = this.solution.checked;
      const body = { puzzle: this.store.puzzle, format: name, solution, about: this.about.checked };
      const made = await this.api.call("export", body, { signal });
      if (made.link || suffix === ".txt") this.#show(made.link ?? made.text, Boolean(made.link));
      else download(made);
      tell(this.says, made.link ? `${name}: ${made.note ?? ""}` : `${name}: ${made.name}`);
      this.says.parentElement.lastElementChild.scrollIntoView({ block: "nearest" });
    }, (error) => tell(this.says, error));
  }

  #show(text, isLink) {
    this.text.value = text;
    this.result.hidden = false;
    this.open.hidden = !isLink;
    if (isLink) this.open.href = text;
    this.open.textContent = isLink ? `Open at ${new URL(text).host} (leaves this machine)` : "";
    this.copy.textContent = "Copy";
    this.text.select();
  }

  async #copy() {
    this.text.select();
    try {
      await navigator.clipboard.writeText(this.text.value);
      this.copy.textContent = "Copied";
    } catch {
      tell(this.says, "The browser does not allow copying: the text is selected, copy it yourself.");
    }
  }
}

/** Saves {name, media, text | base64} as a file of the browser's downloads. */
function download({ name, media, text, base64 }) {
  const bytes = base64 ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : text;
  const url = URL.createObjectURL(new Blob([bytes], { type: media }));
  const anchor = el("a", { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
