/* Puzzles in texts: a grid, or a link of f-puzzles or SudokuPad with its named rules.
 *
 * Invariant: what a text says is read, or told in `left`, or the text is refused with a reason. Names
 * of rules and clues come from `names.json`; nothing in a text is run, and nothing is fetched.
 *
 * The formats are those of satdoku/files/fpuzzles, where they are explained.
 */

const MOST_TEXT = 1 << 20, MOST_JSON = 1 << 22; // characters, as in Python
const SHORTEST = 40; // characters: what is shorter is no payload
const EMPTY = ".0%*_?";

/** A text that cannot be read, with what was found and what was expected. */
export class LinkError extends Error {
  name = "LinkError";
}

/** The puzzle of a text: size, digits (0 where none is given), rules (names), title, author, words
 * (what its setter says), and left: what of it was not read, in words.
 *
 * boards: the rules of each size, as the kernel knows them; names: of the keys in links. */
export function readPuzzle(text, boards, names) {
  if (text.length > MOST_TEXT) throw new LinkError(`${text.length} characters are too many`);
  const plain = text.trim();
  if (/^(\{|https?:|fpuz|scl|scf|ctc|N4Ig)/i.test(plain)) return readObject(...objectOf(plain, names), boards, names);
  return { ...readGrid(plain, Object.keys(boards).map(Number)), rules: [], title: "", author: "", words: "", left: [] };
}

/** The grid of a text: a character a cell; blanks, bars and rulings are passed over. */
function readGrid(text, sizes) {
  const cells = [...text.replace(/^[-+| \t]*$/gm, "").replace(/[\s|]/g, "")];
  const size = Math.sqrt(cells.length);
  if (!sizes.includes(size)) {
    const counts = sizes.map((each) => each * each);
    throw new LinkError(`found ${cells.length} cells, expected ${inWords(counts, "or")}, or a link`);
  }
  const digits = cells.map((character, i) => {
    const digit = EMPTY.includes(character) ? 0 : /[1-9]/.test(character) ? Number(character) : size + 1;
    if (digit > size)
      throw new LinkError(`cell ${i + 1}: found ${character}, expected a digit to ${size}, or . for an empty cell`);
    return digit;
  });
  return { size, digits };
}

/** Words in a row: a, b or c. */
export function inWords(words, last) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

// Links -------------------------------------------------------------------------------------------

/** The JSON object of a link, a payload, or JSON, SudokuPad's own as that of f-puzzles; and what of it
 * that one cannot say. */
function objectOf(text, names) {
  let json = text.startsWith("{") ? text : unpacked(payloadOf(text));
  if (/^\s*\{\s*\w+\s*:/.test(json)) json = unzipped(json, names.short);
  let value;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new LinkError(`what is in the link is no JSON: ${error.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new LinkError("what is in the link is no puzzle");
  return "grid" in value || !Array.isArray(value.cells) ? [value, new Set()] : fromNative(value, names);
}

/** The packed part of a link: behind `load=` or `puzzleid=`, or at the end of its path. */
function payloadOf(text) {
  const url = /^https?:\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/i.exec(text);
  let payload = text;
  if (url) {
    const [, path, query = ""] = url;
    const field = /(?:^|&)(?:load|puzzleid|id)=([^&]*)/i.exec(query), named = /\/((?:fpuz|scl|scf|ctc).*)$/.exec(path);
    payload = field?.[1] ?? named?.[1] ?? path.replace(/\/+$/, "").split("/").pop();
  }
  if (/^scf[A-Za-z0-9]/.test(payload)) throw new LinkError("SudokuPad's format 'scf' is not supported: use 'scl' or 'fpuz'");
  payload = payload.replace(/^(?:fpuz(?:zles)?\/?|scl|ctc)(?=[A-Za-z0-9])/, "");
  if (payload.length < SHORTEST)
    throw new LinkError(`'${payload}' names a puzzle that is kept elsewhere: nothing is fetched, use a link that holds the whole puzzle`);
  return payload.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).replace(/ /g, "+");
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NEW_8 = 0, NEW_16 = 1, END = 2, FIRST = 3;

/** The text of an LZ-string in Base64: a code names a phrase seen before, or announces a character. */
function unpacked(payload) {
  const read = bitsOf(payload.replace(/=+$/, ""));
  const phrases = Array(FIRST).fill(""), parts = [];
  for (let before = "", length = 0; ; ) {
    let code = read(32 - Math.clz32(phrases.length));
    if (code === END) return parts.join("");
    if (code === NEW_8 || code === NEW_16) {
      phrases.push(String.fromCharCode(read(code === NEW_8 ? 8 : 16)));
      code = phrases.length - 1;
    }
    if (code > phrases.length || (code === phrases.length && !before)) throw new LinkError("the link is broken");
    const phrase = phrases[code] ?? before + before[0];
    if ((length += phrase.length) > MOST_JSON) throw new LinkError("the link is too long");
    parts.push(phrase);
    if (before) phrases.push(before + phrase[0]);
    before = phrase;
  }
}

/** A function that takes the next so many bits of a payload as a number, the lowest first. */
function bitsOf(payload) {
  const values = Array.from(payload, (character, i) => {
    const value = BASE64.indexOf(character);
    if (value < 0) throw new LinkError(`character ${i + 1} of the link's payload is '${character}', expected Base64`);
    return value;
  });
  let place = 0;
  return (width) => {
    let number = 0;
    if (place + width > 6 * values.length) throw new LinkError("the link is cut off");
    for (let i = 0; i < width; i++, place++)
      number |= ((values[Math.floor(place / 6)] >> (5 - (place % 6))) & 1) << i;
    return number;
  };
}

/** The JSON that a short text of SudokuPad stands for. */
function unzipped(text, short) {
  const found = text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^[\]{},:'"]+|./gs);
  const tokens = found.map((token) => token.trim()).filter(Boolean);
  return tokens.map((token, i) => {
    const before = tokens[i - 1] ?? "", behind = tokens[i + 1] ?? "";
    const hole = /^[[,]$/.test(token) && /^[,\]]$/.test(behind) ? "{}" : "";
    if (behind === ":" && /^[{,]$/.test(before)) {
      const name = token.replace(/^['"]+|['"]+$/g, "");
      return JSON.stringify(Object.hasOwn(short, name) ? short[name] : name);
    }
    return (before === ":" ? valueOf(token) : quoted(token)) + hole;
  }).join("");
}

function valueOf(token) {
  if (/^#?[0-9a-f]{6}$/i.test(token)) return `"#${token.replace("#", "")}"`;
  return { t: "true", f: "false", "#0": '"#000000"', "#F": '"#FFFFFF"' }[token] ?? quoted(token);
}

function quoted(token) {
  if (!/^'.*'$/s.test(token)) return token;
  return `"${token.slice(1, -1).replaceAll('"', '\\"').replace(/\\(.)/gs, (all, character) => (character === "'" ? "'" : all))}"`;
}

// Objects of f-puzzles ----------------------------------------------------------------------------

/** Whether a value says something: an empty list or object does not. */
const says = (what) => (what !== null && typeof what === "object" ? Object.keys(what).length > 0 : Boolean(what));
const listOf = (what) => (Array.isArray(what) ? what : what ? [what] : []);

function readObject(value, left, boards, names) {
  const { cells, size } = cellsOf(value, boards), board = boards[size];
  checkBoxes(cells, size, board.houses.slice(2 * size));
  const digits = cells.map((cell, i) => {
    if (!says(cell.given)) return 0;
    if (cell.value === undefined || cell.value === null || cell.value === "") return 0;
    if (!Number.isInteger(cell.value) || cell.value < 1 || cell.value > size)
      throw new LinkError(`${nameOf(i, size)}: found ${String(cell.value).slice(0, 20)}, expected a digit to ${size}`);
    return cell.value;
  });
  for (const what of leftInCells(cells, names)) left.add(what);
  const rules = rulesOf(value, size, board, names, left);
  const words = String(value.ruleset ?? ""), [title, author] = [value.title, value.author].map((text) => String(text ?? ""));
  return { size, digits, rules, title, author, words, left: [...left] };
}

function cellsOf(value, boards) {
  const rows = value.grid, sizes = Object.keys(boards).map((n) => `${n}×${n}`);
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw new LinkError("no grid: expected rows of cells");
  const size = rows.length;
  if (!Object.hasOwn(boards, size) || rows.some((row) => row.length !== size) || (value.size ?? size) !== size)
    throw new LinkError(`a board of ${size}×${rows[0]?.length ?? 0}: this page reads ${inWords(sizes, "and")}`);
  const cells = rows.flat();
  if (cells.some((cell) => cell === null || typeof cell !== "object" || Array.isArray(cell))) throw new LinkError("a cell is no object");
  return { cells, size };
}

/** The regions must be the usual boxes; null is none, unless all that is absent is null. */
function checkBoxes(cells, size, boxes) {
  const isStated = (cell) =>
    "region" in cell && (cell.region !== null || !Object.entries(cell).some(([key, what]) => key !== "region" && what === null));
  if (!cells.some(isStated)) return;
  const labels = cells.map((cell, i) =>
    isStated(cell) ? cell.region : boxes.findIndex((box) => box.includes(i)));
  const isBox = (box) => labels[box[0]] !== null && box.every((cell) => labels[cell] === labels[box[0]]);
  if (!boxes.every(isBox) || new Set(labels).size !== size)
    throw new LinkError("its regions are not the usual boxes: satdoku itself reads it, this page does not");
}

/** What cells say beside their givens. */
function* leftInCells(cells, names) {
  const entered = cells.filter((cell) => cell.value && !says(cell.given)).length;
  if (entered) yield `${entered} digits that a player entered`;
  if (cells.some((cell) => says(cell.givenPencilMarks))) yield "given pencil marks";
  if (cells.some((cell) => names.colours.some((key) => says(cell[key])))) yield "colours of cells";
  const known = ["value", "given", "region", "givenPencilMarks", "centerPencilMarks", "cornerPencilMarks", ...names.colours];
  for (const cell of cells)
    for (const key of Object.keys(cell)) if (says(cell[key]) && !known.includes(key)) yield `${key.slice(0, 30)} of cells`;
}

/** The named rules that the object states; the rest is told. */
function rulesOf(value, size, board, names, left) {
  const rules = [], houses = new Map(); // of cells as text: how they are told
  for (const [key, what] of Object.entries(value)) {
    if (!says(what) || names.silent.includes(key.toLowerCase())) continue;
    const isFreed = key === names.denied && names.freed.some((clue) => says(value[clue]));
    if (Object.hasOwn(names.flags, key) && !isFreed) rules.push(names.flags[key]);
    else if (isFreed) left.add("neighbours that no dot joins");
    else if (Object.hasOwn(names.houses[size], key)) houses.set(String(names.houses[size][key]), `${key} alone`);
    else if (key === "extraregion") for (const item of listOf(what)) houses.set(regionOf(item, size), names.titles[key]);
    else if (key.toLowerCase() === "cage") listOf(what).some((cage) => !isMetadata(cage)) && left.add("drawings (cage)");
    else if (names.drawings.includes(key.toLowerCase())) left.add(`drawings (${key})`);
    else left.add(titleOf(key, what, names).slice(0, 40));
  }
  for (const rule of names.gathered) {
    const own = board.rules[rule]?.houses.map((house) => String([...house].sort((a, b) => a - b)));
    if (!own?.every((house) => houses.has(house))) continue;
    rules.push(rule);
    own.forEach((house) => houses.delete(house));
  }
  houses.forEach((told) => left.add(told));
  for (const rule of rules) if (!Object.hasOwn(board.rules, rule)) throw new LinkError(`${size}×${size} has no rule ${rule}`);
  return rules;
}

/** What people call a key of clues. */
function titleOf(key, what, names) {
  if (Object.hasOwn(names.titles, key)) return names.titles[key];
  return key === "negative" ? `not marked: ${listOf(what).map(String).join(", ")}` : key;
}

/** Metadata is a cage without cells, such as "rules: ...". */
function isMetadata(cage) {
  return !says(cage?.cells) && /^\s*[^:\s]+:\s*./.test(String(cage?.value ?? ""));
}

/** The cells of a region as text, sorted. */
function regionOf(item, size) {
  const cells = listOf(item?.cells).map((name) => {
    const [, row, column] = /^R(\d+)C(\d+)$/i.exec(name) ?? [];
    return size * (row - 1) + (column - 1);
  });
  return String([...new Set(cells)].sort((a, b) => a - b));
}

/** A cell as people write it. */
export function nameOf(cell, size) {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

// Objects of SudokuPad ----------------------------------------------------------------------------

/** The object of f-puzzles that says the same, and what has no place there. */
function fromNative(value, names) {
  try {
    return nativeObject(value, names);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(`SudokuPad's JSON is not as expected: ${error.message}`);
  }
}

function nativeObject(value, names) {
  const grid = value.cells.map((row) => row.map((cell) => nativeCell(cell ?? {})));
  (value.regions ?? []).forEach((region, label) => {
    for (const place of Object.values(region)) cellAt(place, grid).region = label;
  });
  for (const cell of grid.flat()) cell.region ??= null;
  const left = new Set(Object.keys(value).filter((key) => says(value[key]) && !names.native.includes(key)));
  const stated = { ...nativeMetadata(value, names), grid, extraregion: [] };
  for (const name of value.global ?? []) {
    if (Object.hasOwn(names.global, name)) stated[names.global[name]] = true;
    else left.add(name);
  }
  for (const cage of value.cages ?? []) nativeCage(cage, value, stated, left, names);
  for (const line of value.lines ?? []) nativeLine(line, grid, stated, left, names);
  if (says(value.arrows)) left.add("drawings (arrows)");
  for (const key of ["underlays", "overlays"])
    if ((value[key] ?? []).some((mark) => mark.text || mark.backgroundColor || mark.borderColor)) left.add(`drawings (${key})`);
  return [stated, left];
}

/** The cell of a place [row, column], from 0. */
function cellAt([row, column], grid) {
  if (![row, column].every((number) => Number.isInteger(number) && number >= 0)) throw new LinkError("a place is no [row, column]");
  return grid[row][column];
}

function nativeCell(cell) {
  if (typeof cell !== "object" || Array.isArray(cell)) throw new LinkError("a cell is no object");
  const { value } = cell;
  if (value === undefined || value === null || value === "" || value === 0) return {};
  return { value: /^\d{1,2}$/.test(value) ? Number(value) : value, given: true };
}

function nativeMetadata(value, names) {
  const told = { ...value.metadata };
  for (const cage of value.cages ?? []) {
    const [, name, text] = (!says(cage.cells) && /^([^:\s]+):\s*(.+)/s.exec(String(cage.value ?? ""))) || [];
    if (name) told[name] ||= text;
  }
  const text = (what) => listOf(what).join("\n"), words = text(told.rules);
  return {
    title: text(told.title || value.title), author: text(told.author || value.author),
    ruleset: words.startsWith(names.noRules) ? "" : words,
    ...Object.fromEntries(names.metadata.map((name) => [names.global[name], [true, "true"].includes(told[name])])),
    norowcol: told.norowcol,
  };
}

function nativeCage(cage, value, stated, left, names) {
  const isOfGrid = cage.type === "rowcol" || (Object.hasOwn(names.global, cage.type) && value.global?.includes(cage.type));
  if (isOfGrid || isMetadata(cage)) return;
  if (names.styles[cage.style] === "extraregion")
    stated.extraregion.push({ cells: cage.cells.map(([row, column]) => `R${row + 1}C${column + 1}`) });
  else if (says(cage.cells) || cage.value) left.add(cage.cells && !cage.style ? "cages" : `cages (${cage.style})`);
}

/** A line from corner to corner may be a house, by its colour; any other is a drawing. */
function nativeLine({ wayPoints, color }, grid, stated, left, names) {
  const n = grid.length, ends = listOf(wayPoints).map(String).sort().join(" ");
  const corner = { [`0,0 ${n},${n}`]: 0, [`0,${n} ${n},0`]: n - 1 }[ends];
  const house = Object.entries(names.houses[n] ?? {}).find(([, cells]) => cells.includes(corner));
  if (house && String(color).toLowerCase() === names.lineColour) stated[house[0]] = true;
  else left.add("drawings (lines)");
}
