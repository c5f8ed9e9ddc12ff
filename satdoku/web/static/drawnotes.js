/* Notes as they are drawn on a board: colours under everything, corner and centre notes.
 *
 * Invariant: pure functions from what is shown (see layers.js) to elements of SVG; colours are in
 * solve.css.
 */

import { svg } from "./dom.js";
import { CELL } from "./layers.js";

const IN = 7; // from the edge of a cell to the middle of a corner note
const FONT = 9.5;
/** Where corner notes stand, as parts of a cell from its middle, in the order in which they fill. */
const CORNERS = [
  [-1, -1], [1, -1], [-1, 1], [1, 1], [0, -1], [0, 1], [-1, 0], [1, 0],
];

/** The colours of cells; several in one cell side by side. */
export function drawColours({ plan, notes }) {
  return plan.all.flatMap((cell) => {
    const colours = notes.colours[cell] ?? [];
    const [row, column] = plan.place(cell);
    const width = CELL / colours.length;
    return colours.map((colour, at) =>
      svg("rect", {
        class: `colour-${colour}`, x: column * CELL + at * width, y: row * CELL, width, height: CELL,
      }),
    );
  });
}

/** The small digits of cells without a digit. */
export function drawNotes(shown) {
  const { plan, digits, notes, first } = shown;
  const empty = plan.all.filter((seat) => !digits[first + seat] && !notes.digits[first + seat]);
  return empty.flatMap((seat) => {
    const [row, column] = plan.place(seat);
    const middle = [(column + 0.5) * CELL, (row + 0.5) * CELL];
    const cell = first + seat;
    return [...corners(shown, cell, middle), ...centre(shown, cell, middle)];
  });
}

function corners(shown, cell, [x, y]) {
  const lower = shown.crowded.has(cell) ? 8 : 0; // under the number of a cage
  const far = CELL / 2 - IN;
  return (shown.notes.corner[cell] ?? []).slice(0, CORNERS.length).map((digit, at) => {
    const [across, down] = CORNERS[at];
    const place = [x + across * far, y + down * far + (down < 0 ? lower : 0)];
    return small(place, FONT, shown.plan.text(digit, cell), "note-corner");
  });
}

function centre(shown, cell, at) {
  const digits = shown.notes.centre[cell] ?? [];
  if (!digits.length) return [];
  const texts = digits.map((digit) => shown.plan.text(digit, cell));
  const text = texts.join(texts.some((each) => each.length > 1) ? " " : "");
  return [small(at, Math.min(11, (CELL - 6) / (0.6 * text.length)), text, "note-centre")];
}

function small([x, y], font, text, kind) {
  const element = svg("text", { class: `note ${kind}`, x, y: y + 0.36 * font, "font-size": font });
  element.textContent = text;
  return element;
}
