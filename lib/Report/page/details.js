// All that is known of one layer.
"use strict";

const maxLiveRows = 200;

/** `main:4 to main:7`, as the compiler numbers kernels. */
function describeRange(kernels) {
  return kernels.length > 1 ? `${kernels[0]} to ${kernels[kernels.length - 1]}` : kernels[0];
}

/** How a part is cut. */
function describeForm({ kind, kernels, tiles, rows, stripes }) {
  if (kind === "whole") return "whole, not cut";
  if (kind === "rows" || kind === undefined)
    return `stream of ${kernels.length} kernels, ${rows} ${rows === 1 ? "row" : "rows"} a step` +
      (stripes > 1 ? ` on ${stripes} column stripes` : "");
  return `tile [${tiles.sizes.join(", ")}] of [${tiles.loops.join(", ")}], order [${tiles.order.join(", ")}]`;
}

/** What is known of a part in local memory, or of a stream in system memory. */
function describeDecision(model, record) {
  const bytes = (number, text) => (number > 0 ? [`${formatNumber(number)} bytes ${text}`] : []);
  const reason = (title, text) => (text ? [`${title} ${model.nameKernels(text)}`] : []);
  const lines = [`${describeRange(record.kernels)}: ${describeForm(record)}`];
  if (record.kind === undefined)
    return [...lines, ...reason("begins after", record.before), ...reason("ends before", record.after)];
  if (record.choice) lines.push(record.choice);
  const moved = Object.entries(record.moved).filter(([, count]) => count > 0);
  return [...lines,
    `takes ${formatNumber(record.bytes_per_npu)} of ${formatNumber(record.capacity)} bytes of each NPU, ` +
      `estimated cost ${formatNumber(record.cost)} in bytes moved`,
    `moves ${moved.map(([cause, count]) => `${formatNumber(count)} bytes of ${cause}`).join(", ") || "nothing"}`,
    ...bytes(record.resident_bytes, "of each NPU hold weights while it runs"),
    ...bytes(record.found_bytes, "of each NPU are in local memory before it"),
    ...bytes(record.kept_bytes, "of each NPU stay in local memory after it"),
    ...reason("ends before", record.next)];
}

function describeCost(layer) {
  const lines = [];
  if (layer.estimate)
    lines.push(`estimated: transfers ${formatNumber(layer.estimate.transfers, 1)}, kernels ` +
      `${formatNumber(layer.estimate.kernels, 1)}, in bytes moved`);
  const time = sumKernels(layer, "us");
  if (time !== null) lines.push(`measured on this host: ${formatNumber(time, 2)} us`);
  lines.push(`moves between memories: ${formatNumber(layer.moved_in)} bytes in, ${formatNumber(layer.moved_out)} out`);
  for (const copies of layer.copies)
    lines.push(`copies ${formatNumber(copies.bytes)} bytes, no view: ${copies.reason}`);
  return lines;
}

function makeList(id, title, lines) {
  if (lines.length === 0) return null;
  return element("div", { id }, element("h3", {}, title),
    element("ul", {}, ...lines.map((line) => element("li", {}, line))));
}

function makeKernels(layer) {
  const kernels = layer.kernels.filter((kernel) => kernel.function);
  if (kernels.length === 0) return null;
  const number = (title, key, digits) =>
    ({ title, isNumber: true, text: (kernel) => formatNumber(kernel[key], digits) });
  const columns = [
    { title: "kernel", text: (kernel) => kernel.kernel },
    { title: "function", text: (kernel) => kernel.function },
    { title: "result", text: (kernel) => formatShape(kernel.shape) },
    number("calls", "calls"), number("products", "products"), number("bytes", "bytes"),
  ];
  if (kernels.some((kernel) => kernel.us !== undefined)) columns.push(number("us on this host", "us", 2));
  return element("div", { id: "detail-kernels" }, element("h3", {}, "Kernels"), makeTable(columns, kernels));
}

function makeDifferences(layer) {
  const lines = (layer.differences ?? []).map((each) => each.obstacle
    ? `${each.kernel}: not compared, ${each.obstacle}`
    : `${each.kernel}: ${describeDifference(each)}`);
  return makeList("detail-differences", "Against the reference", lines);
}

function makeLive(model, map, number) {
  const live = model.getLive(map, number);
  if (live.length === 0) return null;
  const columns = [
    { title: "buffer", isLong: true, text: nameBuffer },
    { title: "role", text: (buffer) => buffer.role },
    { title: "bytes", isNumber: true, text: (buffer) => formatNumber(buffer.bytes_per_npu) },
    { title: "offset", isNumber: true, text: (buffer) => formatNumber(buffer.offset) },
    ...(map.npus > 1 ? [{ title: "NPUs", text: (buffer) => formatNpus(map, buffer) }] : []),
    { title: "time", text: (buffer) => `[${buffer.lower}, ${buffer.upper})` },
  ];
  const rest = live.length - maxLiveRows;
  return element("div", { class: "live", "data-space": map.space },
    element("h3", {}, `Live in ${map.space} memory: ${formatNumber(live.length)} buffers`),
    makeTable(columns, live.slice(0, maxLiveRows)),
    rest > 0 ? element("p", { class: "note" }, `and ${formatNumber(rest)} smaller ones`) : null);
}

/** The buffer that was clicked, if the layer was chosen so. */
function makeClicked(clicked) {
  return clicked ? makeList("detail-buffer", `Buffer in ${clicked.map.space} memory`,
    describeBuffer(clicked.map, clicked.buffer).split("\n")) : null;
}

function makeInputs(model, layer, select) {
  if (layer.inputs.length === 0) return null;
  return element("p", { id: "detail-inputs" }, "reads ", ...layer.inputs.flatMap((input, i) => [
    i ? ", " : "",
    element("a", { href: "#", onclick: (event) => { event.preventDefault(); select(input); } },
      model.layers[input].name)]));
}

function showDetails(model, number, select, clicked) {
  const layer = model.layers[number];
  if (!layer) {
    byId("details").replaceChildren(element("p", { class: "note" }, "Click a layer."));
    return;
  }
  byId("details").replaceChildren(...[
    element("h2", { id: "detail-name" }, layer.name),
    element("p", { class: "note" }, `layer ${number} of ${model.layers.length}, ${layer.place}`),
    makeInputs(model, layer, select),
    makeClicked(clicked),
    makeList("detail-decisions", "Decisions", model.getDecisions(number).flatMap((record) => describeDecision(model, record))),
    makeList("detail-cost", "Cost and moves", describeCost(layer)),
    makeKernels(layer), makeDifferences(layer),
    ...model.maps.map((map) => makeLive(model, map, number)),
  ].filter((child) => child !== null));
  byId("details-section").scrollTop = 0;
}
