// Charts of memories: time to the right, addresses upwards.
"use strict";

function nameBuffer(buffer) {
  return buffer.operand ? `${buffer.operand} of ${buffer.layer}` : buffer.name;
}

function describeBuffer(map, buffer) {
  const each = buffer.npu_count > 1 ? "each of NPUs" : "NPU";
  const places = map.npus > 1 ? ` of ${each} ${formatNpus(map, buffer)}` : "";
  return `${nameBuffer(buffer)}\n${buffer.role}, ${formatShape(buffer.shape)} ${buffer.element}\n` +
    `${formatNumber(buffer.bytes_per_npu)} bytes at [${buffer.offset}, ` +
    `${buffer.offset + buffer.bytes_per_npu})${places}\ntime [${buffer.lower}, ${buffer.upper})` +
    (buffer.layout === "continuous" ? "" : `\nlayout ${buffer.layout}, mode ${buffer.mode}`);
}

function getMapTitle(map) {
  const each = map.npus > 1 ? ` on each of ${map.npus} NPUs` : "";
  const capacity = map.space === "local" ? ` of ${formatNumber(map.npu_bytes)}` : "";
  const conflicts = map.bank_conflicts === undefined ? "" : `, bank conflicts ${formatNumber(map.bank_conflicts)}`;
  return `${map.space} memory: ${formatNumber(map.buffers.length)} buffers, peak ` +
    `${formatNumber(map.peak)} bytes${capacity}${each}, lower bound ${formatNumber(map.lower_bound)}${conflicts}`;
}

function getMapLines(map) {
  const lines = [];
  for (let bank = 1; bank * map.bank_bytes < map.npu_bytes; bank++)
    lines.push({ at: bank * map.bank_bytes, text: `bank ${bank}`, colour: "edge", place: 0, isBehind: true });
  if (map.space === "local")
    lines.push({ at: map.npu_bytes, text: `capacity ${formatNumber(map.npu_bytes)}`, colour: "strong", place: 0.85 });
  if (map.lower_bound !== map.peak)
    lines.push({ at: map.lower_bound, text: `lower bound ${formatNumber(map.lower_bound)}`, colour: "soft", place: 0.4 });
  lines.push({ at: map.peak, text: map.lower_bound === map.peak
    ? `peak and lower bound ${formatNumber(map.peak)}` : `peak ${formatNumber(map.peak)}`, colour: "accent", place: 0.6 });
  return lines;
}

class MemoryView {
  constructor(model, select) {
    this.model = model;
    this.charts = model.maps.filter((map) => map.buffers.length).map((map) => this.add(map, select));
    this.colour();
    byId("memory-section").hidden = this.charts.length === 0;
  }

  add(map, select) {
    const parent = element("div", { class: "chart", "data-space": map.space });
    const choice = makeNpuChoice(map, (npu) =>
      chart.filter((box) => npu === null || holdsBuffer(map, box.buffer, npu)));
    byId("memories").append(...[element("h3", {}, getMapTitle(map)), choice, parent].filter(Boolean));
    const top = Math.max(map.peak, map.space === "local" ? map.npu_bytes : 0);
    const times = [...map.buffers, ...map.steps];
    const left = times.reduce((least, each) => Math.min(least, each.lower), Infinity);
    const right = times.reduce((most, each) => Math.max(most, each.upper), 0);
    const boxes = map.buffers.map((buffer) => ({
      left: buffer.lower, right: buffer.upper, bottom: buffer.offset,
      top: buffer.offset + buffer.bytes_per_npu, label: shortenName(buffer.name), layer: buffer.number,
      text: describeBuffer(map, buffer), buffer,
    }));
    const chart = new BoxChart(parent, {
      boxes, lines: getMapLines(map), extent: [left, right, top * 1.04], height: 340,
      select: (box) => select(box.layer, { map, buffer: box.buffer }),
      axes: ["position in the program", map.npus > 1 ? "bytes of each NPU" : "bytes"] });
    return { map, chart };
  }

  /** Colours buffers by what the user chose. */
  colour() {
    const by = byId("colours").value;
    const pick = {
      role: (buffer) => roleColours[buffer.role] ?? "#cccccc",
      layer: (buffer) => (buffer.number === null ? "#cccccc" : numberColour(buffer.number)),
      npu: (buffer) => numberColour(buffer.start_npu),
    }[by];
    for (const { chart } of this.charts) {
      for (const box of chart.all) box.colour = pick(box.buffer);
      chart.plot.redraw(false);
    }
    const roles = new Set(this.charts.flatMap(({ map }) => map.buffers.map((buffer) => buffer.role)));
    byId("legend").replaceChildren(...(by !== "role" ? [] : [...roles].sort().flatMap((role) => [
      element("span", { class: "swatch", style: `background:${roleColours[role] ?? "#cccccc"}` }), role])));
  }

  show(number) {
    for (const { map, chart } of this.charts) {
      const live = new Set(this.model.getLive(map, number));
      chart.emphasize(this.model.getTimes(map, number), (box) => live.has(box.buffer));
    }
  }

  restyle() {
    for (const { chart } of this.charts) chart.restyle();
  }

  destroy() {
    for (const { chart } of this.charts) chart.destroy();
    byId("memories").replaceChildren();
  }
}
