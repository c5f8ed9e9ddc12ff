/* Questions to the server that sent this page.
 *
 * Invariant: an address is relative to the page, so no request goes to another machine.
 */

/** An answer that is an error: the words to show, and where in a text the mistake is. */
export class ApiError extends Error {
  constructor(status, { error = "the server did not answer", line, column } = {}) {
    super(error);
    Object.assign(this, { status, line, column });
  }
}

/** The name of this tab: a new question of a kind takes the place of its last one. */
export const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");

/** The answer to a question, as an object. Throws `ApiError`; `AbortError` if it was aborted. */
export async function call(path, body, { signal } = {}) {
  return (await post(path, body, signal)).json();
}

/** The objects of an answer, each as soon as it is known. Throws as `call` does. */
export async function* stream(path, body, { signal } = {}) {
  const reader = (await post(path, body, signal)).body
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean).map(read);
  }
  if (rest) yield read(rest);
}

let known = null;

/** Rules, kinds of clues, boards, formats: all that the page can offer. Asked for once. */
export function catalogue() {
  known ??= fetch("api/catalogue")
    .then(checked)
    .then((response) => response.json());
  return known;
}

function read(line) {
  const value = JSON.parse(line);
  if (value.error) throw new ApiError(500, value);
  return value;
}

async function post(path, body, signal) {
  const response = await fetch(`api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tab, ...body }),
    signal,
  }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { error: "satdoku does not answer: is `satdoku serve` still running?" });
  });
  return checked(response);
}

async function checked(response) {
  if (response.ok) return response;
  throw new ApiError(response.status, await response.json().catch(() => ({})));
}
