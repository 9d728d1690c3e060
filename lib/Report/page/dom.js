// Elements, numbers and colours. Texts of networks only ever become text nodes.
"use strict";

/** An element with attributes and children, which are elements or texts. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

/** `1,505,280`; empty where there is no number. */
function formatNumber(number, digits = 0) {
  if (number === null || number === undefined) return "";
  return number.toLocaleString("en", { maximumFractionDigits: digits });
}

function formatShape(shape) {
  if (!shape) return "";
  return shape.length ? shape.map((size) => (size < 0 ? "?" : size)).join("x") : "scalar";
}

/** `3 of 18 elements differ, max |d| 2, SQNR 31.4 dB`. */
function describeDifference({ elements, differing, max_abs, sqnr_db }) {
  return `${formatNumber(differing)} of ${formatNumber(elements)} elements differ` +
    (differing ? `, max |d| ${max_abs ?? "NaN"}` : "") +
    (sqnr_db === null ? "" : `, SQNR ${formatNumber(sqnr_db, 1)} dB`);
}

/** As many of the last parts of a name as are short: they tell layers apart. */
function shortenName(name) {
  const most = 30;
  if (name.length <= most) return name;
  const start = name.indexOf("/", name.length - most - 1);
  return `…${name.slice(start < 0 ? -most : start)}`;
}

/** The value of a custom property of the style, for what is drawn. */
function getColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const roleColours = {
  weights: "#8ab6e8", input: "#8fd19e", result: "#f2c57c", moved: "#c9a7e0",
  tables: "#f29e97", scratch: "#b9b9b9", callee: "#d8cbb0",
};

/** A colour for each number, far from those of its neighbours. */
function numberColour(number) {
  return `hsl(${Math.round((number * 137.5) % 360)} 60% 68%)`;
}

/** A table: `columns` have a title, whether they are numbers, and a text of each row. */
function makeTable(columns, rows, attributes = {}) {
  const cell = (tag, column, content) =>
    element(tag, { class: column.isNumber ? "number" : column.isLong ? "text" : "" }, content);
  return element("table", attributes,
    element("thead", {}, element("tr", {},
      ...columns.map((column) => cell("th", column, column.title)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {},
      ...columns.map((column) => cell("td", column, column.text(row)))))));
}

/** Shows `text` beside the pointer; nothing if it is empty. */
function showTooltip(text, x, y) {
  const tooltip = byId("tooltip");
  tooltip.hidden = !text;
  if (!text) return;
  tooltip.textContent = text;
  const box = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(0, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  tooltip.style.top = `${Math.max(0, Math.min(y + 14, innerHeight - box.height - 8))}px`;
}
