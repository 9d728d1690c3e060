// The table of layers, which any column orders.
"use strict";

/** Of the kernels of a layer that were compared, the sum or the worst. */
function getDifferenceColumns(number) {
  const merge = (title, get, combine, digits) => number(title, (layer) => {
    const values = (layer.differences ?? []).filter((each) => !each.obstacle).map(get)
      .filter((value) => value !== null);
    return values.length ? values.reduce((a, b) => combine(a, b)) : null;
  }, digits);
  // Where only NaNs differ there is no distance, which is worse than any.
  const distance = merge("max |d|", (each) => each.max_abs ?? Infinity, Math.max);
  const text = (layer) => {
    const value = distance.value(layer);
    return value === null ? "" : value === Infinity ? "NaN" : `${value}`;
  };
  return [
    merge("elements that differ", (each) => each.differing, (a, b) => a + b),
    { ...distance, text, total: undefined },
    { ...merge("SQNR in dB", (each) => each.sqnr_db, Math.min, 1), total: undefined },
  ];
}

/** Columns: a title, the value that orders rows, and its text where that differs. */
function getTableColumns(model) {
  const { layers } = model;
  const sum = (values) => values.reduce((total, value) => (value === null ? total : total + value), 0);
  const number = (title, value, digits = 0) => ({
    title, value, isNumber: true, text: (layer) => formatNumber(value(layer), digits),
    total: () => formatNumber(sum(layers.map(value)), digits) });
  const columns = [
    { title: "#", isNumber: true, value: (layer) => layer.number, text: (layer) => `${layer.number}` },
    { title: "layer", isLong: true, value: (layer) => layer.name, text: (layer) => layer.name, total: () => "total" },
    { title: "kernels", value: (layer) => layer.kernels.map((kernel) => kernel.kernel).join(", ") },
    { title: "result", value: (layer) => formatShape(layer.kernels[layer.kernels.length - 1]?.shape) },
  ];
  for (const column of columns) column.text = column.text ?? column.value;
  if (model.data.sizes) columns.push(
    number("calls", (layer) => sumKernels(layer, "calls")),
    number("products (MACs)", (layer) => sumKernels(layer, "products")),
    number("operand bytes", (layer) => sumKernels(layer, "bytes")));
  columns.push(number("bytes moved", (layer) => layer.moved_in + layer.moved_out));
  if (layers.some((layer) => layer.estimate)) columns.push(
    number("estimated transfers", (layer) => layer.estimate?.transfers ?? null, 1),
    number("estimated kernels", (layer) => layer.estimate?.kernels ?? null, 1));
  if (model.data.measured) columns.push(number("us on this host", (layer) => sumKernels(layer, "us"), 2));
  if (layers.some((layer) => layer.differences)) columns.push(...getDifferenceColumns(number));
  return columns;
}

class TableView {
  constructor(model, select) {
    this.rows = model.layers.map((layer, number) => ({ ...layer, number }));
    this.columns = getTableColumns(model);
    this.select = select;
    this.lines = new Map();
    const note = [];
    if (model.steps.length) note.push("Estimates are costs for the target in bytes moved.");
    if (model.data.measured) note.push(`Times are of this host, medians of ${model.data.measured.runs} runs.`);
    byId("table-note").textContent = note.join(" ");
    this.draw();
  }

  getClass(column) {
    return column.isNumber ? "number" : column.isLong ? "text" : "";
  }

  draw() {
    const head = this.columns.map((column) => element("th", { class: this.getClass(column) },
      element("button", { onclick: () => this.order(column) }, column.title)));
    this.body = element("tbody");
    for (const row of this.rows) {
      const line = element("tr", { "data-layer": row.number, onclick: () => this.select(row.number) },
        ...this.columns.map((column) => element("td", { class: this.getClass(column) }, column.text(row))));
      this.lines.set(row.number, line);
      this.body.append(line);
    }
    const total = this.columns.map((column) => element("td", { class: this.getClass(column) }, column.total?.() ?? ""));
    byId("table").replaceChildren(element("thead", {}, element("tr", {}, ...head)), this.body,
      element("tfoot", {}, element("tr", {}, ...total)));
  }

  /** Orders rows by `column`, the greatest number first; again for the other way round. */
  order(column) {
    const first = column.isNumber && column.title !== "#" ? -1 : 1;
    this.direction = this.ordered === column ? -this.direction : first;
    this.ordered = column;
    this.rows.sort((a, b) => {
      const x = column.value(a), y = column.value(b);
      return this.direction * (x < y ? -1 : x > y ? 1 : 0) || a.number - b.number;
    });
    this.body.append(...this.rows.map((row) => this.lines.get(row.number)));
  }

  show(number) {
    for (const [each, line] of this.lines) line.classList.toggle("selected", each === number);
  }

  restyle() {}

  destroy() {
    byId("table").replaceChildren();
  }
}

/** Constants and arguments, which no chart shows. */
function showFixed(model) {
  const fixed = model.maps.flatMap((map) => map.fixed);
  byId("fixed-section").hidden = fixed.length === 0;
  byId("fixed").replaceWith(makeTable([
    { title: "name", isLong: true, text: (each) => each.name },
    { title: "role", text: (each) => each.role },
    { title: "layer", isLong: true, text: (each) => each.layer },
    { title: "bytes", isNumber: true, text: (each) => formatNumber(each.bytes) },
    { title: "time", text: (each) => `[${each.lower}, ${each.upper})` },
  ], fixed, { id: "fixed" }));
}
