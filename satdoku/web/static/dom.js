/* Elements of the page, made in code.
 *
 * Invariant: a text becomes a text node and never markup, whatever a puzzle says.
 */

const SVG = "http://www.w3.org/2000/svg";
const ATTRIBUTES = /^(class|for|role|list|form|tabindex|aria-.*|data-.*)$/;

/** An element. Of its properties `on...` listen, `class`, `for`, `role`, `aria-...` and `data-...`
 * are attributes, others are properties. Children are nodes or texts; null ones are left out. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (!ATTRIBUTES.test(name)) element[name] = value;
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An element of a picture; all properties are attributes. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button. */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", class: "button", onclick, ...properties }, text);
}

/** A label with its input beside it. */
export function field(label, input, properties = {}) {
  return el("label", { class: "field", ...properties }, el("span", {}, label), input);
}
