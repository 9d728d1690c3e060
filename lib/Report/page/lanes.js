// When transfers and kernels run by the cost model: a lane for each engine.
"use strict";

class LanesView {
  constructor(model, select) {
    byId("lanes-section").hidden = model.steps.length === 0;
    if (model.steps.length === 0) return;
    const boxes = model.steps.map(([layer, isTransfer, begin, end, bytes]) => ({
      left: begin, right: end, bottom: (isTransfer ? 1 : 0) + 0.1, top: (isTransfer ? 1 : 0) + 0.9,
      label: layer === null ? "" : shortenName(model.layers[layer].label || model.layers[layer].name), layer,
      colour: layer === null ? "#cccccc" : numberColour(layer),
      text: `${isTransfer ? "transfer for " : ""}${layer === null ? "no layer" : model.layers[layer].name}\n` +
        `estimated cost ${formatNumber(end - begin, 2)}, from ${formatNumber(begin, 2)} on` +
        (bytes === null ? "" : `\n${formatNumber(bytes)} bytes ${isTransfer ? "moved" : "of operands"}`),
    }));
    this.chart = new BoxChart(byId("lanes"), {
      boxes, lines: [], rows: ["kernels", "transfers"], height: 190,
      select: (box) => select(box.layer),
      extent: [0, boxes.reduce((most, box) => Math.max(most, box.right), 0), 2],
      axes: ["estimated cost, in bytes moved", ""] });
  }

  show(number) {
    this.chart?.emphasize([], (box) => box.layer === number);
  }

  restyle() {
    this.chart?.restyle();
  }

  destroy() {
    this.chart?.destroy();
    byId("lanes").replaceChildren();
  }
}
