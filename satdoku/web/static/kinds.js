/* How a kind of clue is drawn, and the text of a clue.
 *
 * Invariant: no kind is known by its name; what the server's catalogue says of it decides.
 *
 * Shapes: "set" cells in any order; "line" cells in order; "pair" two neighbours; "corner" the four
 * cells around one; "edge" a row or column from one side; "diagonal" from the edge; "branch" first
 * the circle, then the shafts; "chain" one group or more; "groups" two groups or more; "global" no
 * cells; "clues" other clues.
 */

/** How a kind of the catalogue is drawn. */
export function shapeOf(kind) {
  if (kind.joins || kind.shape === "clues") return "clues";
  if (kind.groups[1] === 0 || kind.whole_layer) return "global";
  if (kind.shape === "outside") return kind.near ? "diagonal" : "edge";
  if (kind.groups[1] > 1) return kind.near ? "branch" : kind.groups[0] > 1 ? "groups" : "chain";
  if (kind.cells[1] === 2) return "pair";
  if (kind.cells[0] === 4 && kind.cells[1] === 4) return "corner";
  return kind.ordered === "set" ? "set" : "line";
}

/** All kinds of the catalogue, each followed by its values that have names of their own. */
export function kindsWithValues({ kinds, values }) {
  return kinds.flatMap((kind) =>
    [kind, ...values.filter((value) => value.kind === kind.name).map((value) => ({ ...kind, ...value }))]);
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
  layer: "It speaks of all digits, or of all values of the layer that is chosen under the board.",
  clues: "Tick clues in the list below to join them.",
};

/** What to do with the mouse, in words. */
export function hintOf(kind) {
  return HINTS[kind.whole_layer ? "layer" : shapeOf(kind)];
}

/** Whether the order of the cells is drawn. */
export function isLine(kind) {
  return (
    ["line", "branch", "chain", "diagonal", "edge"].includes(shapeOf(kind)) ||
    kind.ordered === "path"
  );
}

/** The text of a clue: its head, kind and value, and groups of cells. */
export function clueText(head, groups, board) {
  const cells = groups.map((group) => group.map((cell) => board.name(cell)).join(","));
  return `${head}:${cells.join(">")}`;
}

const PLACES = /(?:\w+\.)?r\d+c\d+(?:-r\d+c\d+)?/gi; // r1c2, shade.r1c2, and r1c1-r1c5 in a line

/** The cells that the text of a clue names one by one or as a line; not those of whole rows, columns
 * and boxes. */
export function cellsNamed(text, board) {
  return (text.toLowerCase().match(PLACES) ?? []).flatMap((word) => {
    const [first, last] = word.slice(word.indexOf(".") + 1).split("-");
    const layer = board.layers.find(({ name }) => word.startsWith(`${name}.`));
    return between(placeOf(first), placeOf(last ?? first), board).map((cell) => cell + (layer?.first ?? 0));
  });
}

function placeOf(name) {
  return name.slice(1).split("c").map((number) => number - 1);
}

/** The cells of the grids in a straight line. */
function between([top, left], [bottom, right], board) {
  const [down, across] = [bottom - top, right - left];
  const steps = Math.max(Math.abs(down), Math.abs(across));
  const at = (i) => board.at(top + Math.sign(down) * i, left + Math.sign(across) * i);
  return Array.from({ length: steps + 1 }, (_, i) => at(i)).filter((cell) => cell !== null);
}

/** The arrows around the grid for an "edge" kind: where they are and the line that each means. */
export function lineEdges({ rows, columns }) {
  const edges = [];
  for (let i = 0; i < rows; i++) {
    edges.push({ x: -1, y: i, sign: "→", label: `row${i + 1}` });
    edges.push({ x: columns, y: i, sign: "←", label: `-row${i + 1}` });
  }
  for (let i = 0; i < columns; i++) {
    edges.push({ x: i, y: -1, sign: "↓", label: `col${i + 1}` });
    edges.push({ x: i, y: rows, sign: "↑", label: `-col${i + 1}` });
  }
  return edges;
}

const DIAGONALS = { "↘": [1, 1], "↙": [1, -1], "↗": [-1, 1], "↖": [-1, -1] };
export const SIGNS = Object.keys(DIAGONALS);

/** The arrows around the grid for a "diagonal" kind, each with its cells: one for each way of each
 * diagonal, beside the place where it enters the grid. */
export function diagonalEdges(board) {
  const { rows, columns } = board;
  const edges = [];
  const add = (x, y, sign) => {
    const [down, right] = DIAGONALS[sign];
    const cells = ray(y + down, x + right, sign, board);
    if (cells.length < 2) return;
    const aside = (at, many, step) => (at >= 0 && at < many ? at + step / 4 : at);
    const at = { x: aside(x, columns, right), y: aside(y, rows, down) }; // two share a place
    edges.push({ ...at, sign, cells, label: `${sign}${board.name(cells[0])}`, isSmall: true });
  };
  for (const sign of SIGNS) {
    const [down, right] = DIAGONALS[sign];
    for (let i = -1; i <= rows; i++) add(right > 0 ? -1 : columns, i, sign);
    for (let i = 0; i < columns; i++) add(i, down > 0 ? -1 : rows, sign);
  }
  return edges;
}

/** The cells from one on to the edge of the board. */
function ray(row, column, sign, board) {
  const [down, right] = DIAGONALS[sign];
  const cells = [];
  while (board.at(row, column) !== null) {
    cells.push(board.at(row, column));
    row += down;
    column += right;
  }
  return cells;
}

/** The whole diagonal through a cell. */
export function diagonalThrough(cell, sign, board) {
  const [down, right] = DIAGONALS[sign];
  let [row, column] = board.place(cell);
  while (board.at(row - down, column - right) !== null)
    [row, column] = [row - down, column - right];
  return ray(row, column, sign, board);
}

/** The two cells at the edge that is nearest to a point; null in the middle of a cell. */
export function pairAt([x, y], board) {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const ways = [
    [x - column, 0, -1],
    [column + 1 - x, 0, 1],
    [y - row, -1, 0],
    [row + 1 - y, 1, 0],
  ].sort((a, b) => a[0] - b[0]);
  const [distance, down, right] = ways[0];
  const pair = [board.at(row, column), board.at(row + down, column + right)];
  return distance > 0.3 || pair.includes(null) ? null : pair;
}

/** The cells around the corner that is nearest to a point: four, unless some are missing. */
export function cornerAt([x, y], board) {
  const within = (at, many) => Math.min(Math.max(Math.round(at), 1), many - 1);
  const [row, column] = [within(y, board.rows), within(x, board.columns)];
  const around = [[row - 1, column - 1], [row - 1, column], [row, column - 1], [row, column]];
  return around.map((place) => board.at(...place)).filter((cell) => cell !== null);
}
