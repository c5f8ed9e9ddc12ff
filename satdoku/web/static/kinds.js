/* How a kind of clue is drawn, and the text of a clue.
 *
 * Invariant: no kind is known by its name; what the server's catalogue says of it decides.
 *
 * Shapes: "set" cells in any order; "line" cells in order; "pair" two neighbours; "corner" the four
 * cells around one; "edge" a row or column from one side; "diagonal" from the edge; "branch" first
 * the circle, then the shafts; "chain" one group or more; "groups" two groups or more; "global" no
 * cells; "clues" other clues.
 */

import { cellName, place } from "./grid.js";

/** How a kind of the catalogue is drawn. */
export function shapeOf(kind) {
  if (kind.joins || kind.shape === "clues") return "clues";
  if (kind.groups[1] === 0) return "global";
  if (kind.shape === "outside") return kind.near ? "diagonal" : "edge";
  if (kind.groups[1] > 1) return kind.near ? "branch" : kind.groups[0] > 1 ? "groups" : "chain";
  if (kind.cells[1] === 2) return "pair";
  if (kind.cells[0] === 4 && kind.cells[1] === 4) return "corner";
  return kind.ordered === "set" ? "set" : "line";
}

const HINTS = {
  set: "Press a cell, or drag over several. Hold Ctrl to add more cells before the clue is made.",
  line: "Drag along the line, from its first cell to its last.",
  pair: "Press the edge between two cells, or drag from one to the other.",
  corner: "Press the corner where the four cells meet.",
  edge: "Press the arrow beside the row or column.",
  diagonal: "Press an arrow at the edge, or drag along the diagonal.",
  branch:
    "Drag from the circle along the shaft. Hold Ctrl to draw the circle alone first.",
  chain: "Drag along the cells. Hold Ctrl to add more groups before the clue is made.",
  groups: "Drag one group after another, then make the clue.",
  global: "This kind needs no cells.",
  clues: "Tick clues in the list below to join them.",
};

/** What to do with the mouse, in words. */
export function hintOf(kind) {
  return HINTS[shapeOf(kind)];
}

/** Whether the order of the cells is drawn. */
export function isLine(kind) {
  return (
    ["line", "branch", "chain", "diagonal", "edge"].includes(shapeOf(kind)) ||
    kind.ordered === "path"
  );
}

/** The text of a clue: its head, kind and value, and groups of cells. */
export function clueText(head, groups, size) {
  const cells = groups.map((group) => group.map((cell) => cellName(cell, size)).join(","));
  return `${head}:${cells.join(">")}`;
}

/** The arrows around the grid for an "edge" kind: where they are and the line that each means. */
export function lineEdges(size) {
  const edges = [];
  for (let i = 0; i < size; i++) {
    edges.push({ x: -1, y: i, sign: "→", label: `row${i + 1}` });
    edges.push({ x: size, y: i, sign: "←", label: `-row${i + 1}` });
    edges.push({ x: i, y: -1, sign: "↓", label: `col${i + 1}` });
    edges.push({ x: i, y: size, sign: "↑", label: `-col${i + 1}` });
  }
  return edges;
}

const DIAGONALS = { "↘": [1, 1], "↙": [1, -1], "↗": [-1, 1], "↖": [-1, -1] };
export const SIGNS = Object.keys(DIAGONALS);

/** The arrows around the grid for a "diagonal" kind, each with its cells: one for each way of each
 * diagonal, beside the place where it enters the grid. */
export function diagonalEdges(size) {
  const edges = [];
  const inside = (at) => at >= 0 && at < size;
  const add = (x, y, sign) => {
    const [down, right] = DIAGONALS[sign];
    const cells = ray(y + down, x + right, sign, size);
    if (cells.length < 2 || (inside(x) && inside(y))) return;
    const aside = (at, step) => (inside(at) ? at + step / 4 : at); // two arrows share a place
    const at = { x: aside(x, right), y: aside(y, down) };
    edges.push({ ...at, sign, cells, label: `${sign}${cellName(cells[0], size)}`, isSmall: true });
  };
  for (const sign of SIGNS) {
    const [down, right] = DIAGONALS[sign];
    for (let i = -1; i <= size; i++) add(right > 0 ? -1 : size, i, sign);
    for (let i = 0; i < size; i++) add(i, down > 0 ? -1 : size, sign);
  }
  return edges;
}

/** The cells from one on to the edge of the board. */
function ray(row, column, sign, size) {
  const [down, right] = DIAGONALS[sign];
  const cells = [];
  while (row >= 0 && column >= 0 && row < size && column < size) {
    cells.push(row * size + column);
    row += down;
    column += right;
  }
  return cells;
}

/** The whole diagonal through a cell. */
export function diagonalThrough(cell, sign, size) {
  const [down, right] = DIAGONALS[sign];
  let [row, column] = place(cell, size);
  while (ray(row - down, column - right, sign, size).length)
    [row, column] = [row - down, column - right];
  return ray(row, column, sign, size);
}

/** The two cells at the edge that is nearest to a point; null in the middle of a cell. */
export function pairAt([x, y], size) {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const ways = [
    [x - column, 0, -1],
    [column + 1 - x, 0, 1],
    [y - row, -1, 0],
    [row + 1 - y, 1, 0],
  ].sort((a, b) => a[0] - b[0]);
  const [distance, down, right] = ways[0];
  const inside = [row + down, column + right].every((at) => at >= 0 && at < size);
  if (distance > 0.3 || !inside) return null;
  return [row * size + column, (row + down) * size + column + right];
}

/** The four cells around the corner that is nearest to a point. */
export function cornerAt([x, y], size) {
  const within = (at) => Math.min(Math.max(Math.round(at), 1), size - 1);
  const [row, column] = [within(y), within(x)];
  const first = (row - 1) * size + column - 1;
  return [first, first + 1, first + size, first + size + 1];
}
