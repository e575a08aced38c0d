/** Elements of the page. All text is inserted as text, never as HTML. */

import { number } from "./text.js";

const LISTENERS = ["onchange", "onclick", "oninput", "onpointerup", "onsubmit"];

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Return an element; attributes that begin with "on" are listeners. */
export const element = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

export const drawing = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

/**
 * Make an element look and act like a newly made one. Unchanged parts stay, so that a slider can be
 * dragged, a list stays open and text can be typed while the page changes.
 */
export function update(node, wanted) {
  if (kindOf(node) !== kindOf(wanted)) {
    node.replaceWith(wanted);
    return;
  }
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== wanted.data) node.data = wanted.data;
    return;
  }
  const gone = [...node.attributes].filter(({ name }) => !wanted.hasAttribute(name) && name !== "open");
  for (const { name } of gone) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes) {
    if (name === "style") node.style.cssText = wanted.style.cssText; // as an attribute it is forbidden
    else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  for (const name of LISTENERS) node[name] = wanted[name];
  updateChildren(node, wanted);
  if ("value" in wanted && node.value !== wanted.value) node.value = wanted.value;
}

function updateChildren(node, wanted) {
  let next = node.firstChild;
  for (const child of [...wanted.childNodes]) {
    let same = next;
    while (same && kindOf(same) !== kindOf(child)) same = same.nextSibling;
    if (!same) {
      node.insertBefore(child, next);
      continue;
    }
    while (next !== same) next = removed(next);
    next = same.nextSibling;
    update(same, child);
  }
  while (next) next = removed(next);
}

function removed(node) {
  const { nextSibling } = node;
  node.remove();
  return nextSibling;
}

/** Return the identity of an element: its name and its first class. */
const kindOf = (node) => `${node.nodeName} ${node.getAttribute?.("class")?.split(" ")[0] ?? ""}`;

/** Return a choice with its label: pairs of a value and a text. */
export function choice(label, pairs, value, onchange) {
  // Not of `select`: `update` gives the shown element the listener of one that is never shown.
  const select = element("select", { onchange: (event) => onchange(event.target.value) });
  for (const [one, text] of pairs) {
    select.append(element("option", { value: one, selected: String(one) === String(value) }, text));
  }
  return element("label", { class: "field" }, element("span", {}, label), select);
}

/** Return figures with their labels. */
export const figures = (pairs) =>
  element(
    "dl",
    { class: "figures" },
    ...pairs
      .map(([name, value]) => [name, typeof value === "number" ? number(value) : value])
      .map(([name, text]) =>
        element("div", {}, element("dt", {}, name), element("dd", { class: text.length > 8 ? "long" : null }, text)),
      ),
  );
