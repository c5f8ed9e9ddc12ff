/* What is drawn over the picture: digits, small digits, highlights, links, the choice of cells.
 *
 * Invariant: pure functions from what is shown to elements of SVG; colours are in style.css.
 *
 * `shown` is what `Board` gathers: plan (the board), first (cell of the layer whose cells are chosen,
 * or 0), digits, notes, solved, marks, isOwn, counts, highlights, crowded, clashing (a set of cells).
 * Its lists are by cells, those of layers among them. Notes are drawn in drawnotes.js.
 */

import { svg } from "./dom.js";
import { hasSmall } from "./notes.js";

export const CELL = 40;
const SPOTS = ["house", "cover", "reason", "eliminated", "conclusion", "conflict"]; // the last one wins
const CROWDED = [0.8, 4.5]; // of small digits under something: their size, and how much lower

const DOTS = /<g (class="clue (?:difference|ratio)".*?<\/g>)/gs;

/** The address of a picture as it goes into the page. In the dark style.css inverts all of it; so
 * the dots, whose colour is what they say, are inverted before, with a rim that is seen. */
export function addressOf({ svg }, isDark) {
  const rimmed = (dots) => dots.replaceAll('stroke="#111111"', 'stroke="#9aa0a8"');
  const kept = svg.replace(DOTS, (_, dots) => `<g filter="invert(1)" ${rimmed(dots)}`);
  return `data:image/svg+xml,${encodeURIComponent(isDark ? kept : svg)}`;
}

/** The middle of a cell. */
function centre(cell, plan) {
  const [row, column] = plan.place(cell);
  return [(column + 0.5) * CELL, (row + 0.5) * CELL];
}

/** All cells as one path: their paper, or thin lines until the picture is there. */
export function squaresOf(plan, kind) {
  const squares = plan.places.map(
    ([row, column]) => `M${column * CELL} ${row * CELL}h${CELL}v${CELL}h-${CELL}z`,
  );
  return svg("path", { class: kind, d: squares.join("") });
}

/** The digit that a cell shows, and whether it is given, entered or of a solution. */
function held({ digits, notes, solved }, cell) {
  if (digits[cell]) return [digits[cell], "given"];
  if (notes.digits[cell]) return [notes.digits[cell], "entry"];
  return [solved[cell] ?? 0, "solved"];
}

/** What a cell shows, in words. */
export function spoken(shown, cell) {
  const [digit, kind] = held(shown, cell);
  const said = { given: "given", entry: "entered", solved: "solution" };
  const colours = shown.notes.colours[cell] ?? [];
  const coloured = colours.length ? [`colour ${colours.join(" ")}`] : [];
  if (digit) {
    const clash = shown.clashing.has(cell) ? [", in conflict"] : [];
    return [`${said[kind]} ${shown.plan.text(digit, cell)}${clash}`, ...coloured].join(", ");
  }
  const texts = (digits) => digits?.map((each) => shown.plan.text(each, cell)).join(" ");
  const small = [
    ["allowed", texts(shown.marks[cell])],
    ["corner", texts(shown.notes.corner[cell])],
    ["centre", texts(shown.notes.centre[cell])],
  ].filter(([, text]) => text);
  return [...small.map(([sort, text]) => `${sort} ${text}`), ...coloured].join(", ") || "empty";
}

/** Givens, digits that were entered, and those of a solution. */
export function drawDigits(shown) {
  const { plan } = shown;
  const longest = Math.max(...plan.characters.map((each) => each.length));
  const font = longest > 1 ? 30 / longest : plan.digits.length <= 9 ? 25 : 21;
  return plan.all.flatMap((cell) => {
    const [digit, kind] = held(shown, cell);
    const at = centre(cell, plan);
    const look = `digit ${kind}${shown.clashing.has(cell) ? " clashing" : ""}`;
    return digit ? [word(at, font, plan.text(digit, cell), look)] : [];
  });
}

/** The values of layers: cells in a colour, and a small number where a layer has more than two. Of
 * two values the second is a shaded cell, and the first a dot unless it is that of a solution. */
export function drawShades(shown) {
  const { plan } = shown;
  const fills = [];
  const words = [];
  for (const [number, { first, digits }] of plan.planes.entries()) {
    for (const seat of plan.all) {
      const [digit, kind] = held(shown, first + seat);
      if (!digit) continue;
      const isShade = number === 0 && digits.length === 2;
      const colour = isShade ? `shade-${digit}` : `region-${(digit - 1) % 16}`;
      if (number === 0) fills.push(square(plan, seat, `${kind} value ${colour}`));
      const [x, y] = centre(seat, plan);
      if (isShade && digit === 1 && kind !== "solved") {
        const dot = { cx: x + CELL / 2 - 6, cy: y + CELL / 2 - 6, r: 2.5 };
        words.push(svg("circle", { class: `unshaded ${kind}`, ...dot }));
      }
      if (isShade) continue;
      const at = [x + CELL / 2 - 6 - 9 * number, y + CELL / 2 - 6];
      words.push(word(at, 9, plan.text(digit, first + seat), `value-text ${kind}`));
    }
  }
  return [...fills, ...words];
}

/** Small digits, each at its place, with how many solutions it has. */
export function drawMarks(shown) {
  const { marks, counts, highlights, isOwn } = shown;
  const ends = (highlights.links ?? []).flatMap(([from, to]) => [from, to]);
  const named = [...allItems(highlights), ...ends].filter(Array.isArray);
  const lit = new Set(named.map(([cell, digit]) => `${cell} ${digit}`));
  const lists = marks.map((digits) => new Set(digits));
  for (const [cell, digit] of named) lists[cell]?.add(digit);
  const out = [];
  const cells = shown.plan.all.map((cell) => cell + shown.first);
  for (const cell of cells) {
    const digits = lists[cell] ?? [];
    if (isFull(shown, cell) || (isOwn && hasSmall(shown.notes, cell))) continue;
    for (const digit of digits)
      out.push(...mark({ ...shown, lit }, cell, digit, counts?.[cell]?.[digit]));
  }
  return [svg("g", { class: isOwn ? "own" : "found" }, ...out)];
}

function mark(shown, cell, digit, count) {
  const part = shown.crowded.has(cell) ? CROWDED[0] : 1;
  const slot = slotOf(shown.plan.most(cell)) * part;
  const text = shown.plan.text(digit, cell);
  const wide = slot * (text.length > 1 ? 1.3 / text.length : 1);
  const font = count === undefined ? Math.min(11, wide * 0.86) : wide * 0.66;
  const [x, y] = spot(shown, cell, digit);
  const look = shown.lit.has(`${cell} ${digit}`) ? "mark lit" : "mark";
  if (count === undefined) return [word([x, y], font, text, look)];
  const kind = String(count) === "1" ? "count single" : "count";
  const small = word([x, y + slot * 0.28], slot * 0.34, short(count), kind);
  return [word([x, y - slot * 0.16], font, text, look), small];
}

/** A number of solutions in two or three characters. */
function short(count) {
  return typeof count === "number" && count > 999 ? `${Math.round(count / 1000)}k` : String(count);
}

/** What lies over the board, without variables that stand free, which have no place on it, and
 * without cells and digits that only another board had: a panel may still show something of the
 * puzzle before. */
export function onBoard({ highlights, candidates, answer }, plan) {
  const has = (item) => {
    const [cell, digit = 1] = [item].flat();
    return cell < plan.names.length && plan.seat(cell) !== null && digit <= plan.most(cell);
  };
  const kept = SPOTS.map((kind) => [kind, (highlights?.[kind] ?? []).filter(has)]);
  const links = (highlights?.links ?? []).filter(([from, to]) => has(from) && has(to));
  return {
    highlights: { ...Object.fromEntries(kept), links },
    candidates: candidates?.map((digits, cell) => digits.filter((digit) => has([cell, digit]))),
    solved: (answer ?? []).map((digit, cell) => (has([cell, digit]) ? digit : 0)),
  };
}

/** Highlighted cells and small digits. What has no small digit to mark is marked as a cell: where a
 * cell is full, and where another layer than the chosen one is meant. */
export function drawSpots(shown) {
  const out = [];
  const isSmall = (item) => Array.isArray(item) && isInView(shown, item[0]) && !isFull(shown, item[0]);
  for (const kind of SPOTS) {
    for (const item of shown.highlights[kind] ?? []) {
      if (!isSmall(item)) out.push(square(shown.plan, item, kind, insetOf(shown, item)));
    }
  }
  for (const kind of SPOTS) {
    for (const item of shown.highlights[kind] ?? []) {
      if (isSmall(item)) out.push(...circle(shown, item, kind));
    }
  }
  return out;
}

/** How far a highlight leaves the edge of its cell free, so that a value of a layer is seen. */
function insetOf(shown, item) {
  const seat = shown.plan.seat([item].flat()[0]);
  return shown.plan.planes.some(({ first }) => isFull(shown, first + seat)) ? 6 : 0;
}

function square(plan, item, kind, inset = 0) {
  const [row, column] = plan.place(Array.isArray(item) ? item[0] : item);
  const side = CELL - 2 * inset;
  const at = { x: column * CELL + inset, y: row * CELL + inset, width: side, height: side };
  return svg("rect", { class: `spot ${kind}`, ...at });
}

function circle(shown, [cell, digit], kind) {
  const [x, y] = spot(shown, cell, digit);
  const r = (slotOf(shown.plan.most(cell)) / 2) * (shown.crowded.has(cell) ? CROWDED[0] : 1);
  const out = [svg("circle", { class: `spot mark-${kind}`, cx: x, cy: y, r })];
  if (kind === "eliminated") {
    const d = `M${x - r * 0.7} ${y + r * 0.7}L${x + r * 0.7} ${y - r * 0.7}`;
    out.push(svg("path", { class: "crossed", d }));
  }
  return out;
}

/** The links of chains, from small digit to small digit; a dashed one does not hold then. Their
 * names lie over all of them. */
export function drawLinks(shown) {
  const names = [];
  const links = (shown.highlights.links ?? []).map(([from, to, holds, name]) => {
    const [a, b] = [from, to].map(([cell, digit]) => spot(shown, cell, digit));
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const way = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const gap = slotOf(shown.plan.most(from[0])) / 2;
    const start = [a[0] + way[0] * gap, a[1] + way[1] * gap];
    const end = [b[0] - way[0] * gap, b[1] - way[1] * gap];
    const bend = Math.min(length * 0.12, 14); // so that links along a line do not hide each other
    const middle = [(a[0] + b[0]) / 2 - way[1] * bend, (a[1] + b[1]) / 2 + way[0] * bend];
    const path = svg("path", { class: "link", d: `M${start}Q${middle} ${end}` });
    const head = arrowHead(end, [end[0] - middle[0], end[1] - middle[1]]);
    names.push(...tag(start.map((at, axis) => (at + 2 * middle[axis] + end[axis]) / 4), name));
    return svg("g", { class: holds ? "strong" : "weak" }, path, head);
  });
  return [...links, ...names];
}

/** The name of a link, as the notes of its step have it. */
function tag([x, y], name) {
  const width = 4 + 4 * name.length;
  const box = { x: x - width / 2, y: y - 4.5, width, height: 9, rx: 4.5 };
  const label = svg("text", { class: "link-name", x, y });
  label.textContent = name;
  return [svg("rect", { class: "link-tag", ...box }), label];
}

function arrowHead([x, y], [dx, dy]) {
  const length = Math.hypot(dx, dy) || 1;
  const [u, v] = [(dx / length) * 5, (dy / length) * 5];
  const points = [x, y, x - u + v * 0.6, y - v - u * 0.6, x - u - v * 0.6, y - v + u * 0.6];
  return svg("path", { class: "head", d: `M${points.join(" ")}Z` });
}

/** The chosen cells with one outline, and the cursor. */
export function drawChosen(selection, cursor, plan) {
  const fills = [...selection].map((cell) => square(plan, cell, "chosen"));
  const outline = svg("path", { class: "outline", d: outlineOf(selection, plan) });
  const [row, column] = plan.place(cursor);
  const at = { x: column * CELL + 3, y: row * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 5 };
  return [...fills, outline, svg("rect", { class: "cursor", ...at })];
}

/** The edges between cells of a set and others. */
function outlineOf(cells, plan) {
  const has = (row, column) => cells.has(plan.at(row, column));
  let d = "";
  for (const cell of cells) {
    const [row, column] = plan.place(cell);
    const [x, y] = [column * CELL, row * CELL];
    if (!has(row - 1, column)) d += `M${x} ${y}h${CELL}`;
    if (!has(row + 1, column)) d += `M${x} ${y + CELL}h${CELL}`;
    if (!has(row, column - 1)) d += `M${x} ${y}v${CELL}`;
    if (!has(row, column + 1)) d += `M${x + CELL} ${y}v${CELL}`;
  }
  return d;
}

/** What a tool is about to make: {groups: lists of cells, isLine, fills: {cell: region}, holes:
 * places where cells may be added}. */
export function drawDraft(draft, plan) {
  if (!draft) return [];
  const out = Object.entries(draft.fills ?? {}).map(([cell, number]) =>
    square(plan, Number(cell), `region-${number % 16}`),
  );
  for (const [row, column] of draft.holes ?? []) {
    const at = { x: column * CELL + 2, y: row * CELL + 2, width: CELL - 4, height: CELL - 4 };
    out.push(svg("rect", { class: "hole", ...at }), word([at.x + 18, at.y + 18], 20, "+", "hole-sign"));
  }
  for (const [index, group] of (draft.groups ?? []).entries()) {
    out.push(...drawGroup(group, index, draft, plan));
  }
  return out;
}

function drawGroup(group, index, { isLine, groups }, plan) {
  const out = group.map((cell) => square(plan, cell, "drafted"));
  if (isLine && group.length > 1) {
    const d = `M${group.map((cell) => centre(cell, plan)).join("L")}`;
    out.push(svg("path", { class: "draft-line", d }));
  }
  if (isLine && group.length) {
    const [x, y] = centre(group[0], plan);
    out.push(svg("circle", { class: "draft-start", cx: x, cy: y, r: 7 }));
  }
  if (groups.length > 1 && group.length) {
    const [x, y] = centre(group[0], plan);
    out.push(word([x - 12, y - 11], 11, String.fromCharCode(65 + (index % 26)), "draft-name"));
  }
  return out;
}

/** A button beside the grid: edge {x, y, label, sign} in cells; `middle` is where the middles of
 * those outside are: {left, top, right, bottom}. */
export function rimButton(edge, { rows, columns }, middle, onpress) {
  const beyond = (at, many, low, high) => (at < 0 ? low : at >= many ? high : (at + 0.5) * CELL);
  const { left, top, right, bottom } = middle;
  const at = [beyond(edge.x, columns, left, right), beyond(edge.y, rows, top, bottom)];
  const side = edge.isSmall ? 18 : 22;
  const box = { x: at[0] - side / 2, y: at[1] - side / 2, width: side, height: side, rx: 5 };
  const group = svg("g", { class: "rim-button", "data-edge": edge.label }, svg("rect", box));
  group.append(word(at, side * 0.7, edge.sign, "rim-sign"));
  group.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    onpress(edge);
  });
  return group;
}

function* allItems(highlights) {
  for (const kind of SPOTS) yield* highlights[kind] ?? [];
}

/** Whether a cell is one of those whose small digits are shown. */
function isInView({ plan, first }, cell) {
  return (plan.layerOf(cell)?.first ?? 0) === first;
}

function isFull(shown, cell) {
  return held(shown, cell)[0] > 0;
}

function columnsOf(count) {
  return Math.ceil(Math.sqrt(count));
}

/** The side of the place of a small digit, of so many. */
function slotOf(count) {
  return (CELL - 4) / columnsOf(count);
}

/** The middle of a small digit. */
function spot({ plan, crowded }, cell, digit) {
  const [part, lower] = crowded.has(cell) ? CROWDED : [1, 0];
  const [x, y] = centre(cell, plan);
  const count = plan.most(cell);
  const columns = columnsOf(count);
  const rows = Math.ceil(count / columns);
  const slot = slotOf(count) * part;
  const [row, column] = [Math.floor((digit - 1) / columns), (digit - 1) % columns];
  return [x + (column + 0.5 - columns / 2) * slot, y + (row + 0.5 - rows / 2) * slot + lower];
}

function word([x, y], font, text, kind) {
  const element = svg("text", { class: kind, x, y: y + 0.36 * font, "font-size": font });
  element.textContent = text;
  return element;
}
