// The graph of layers. Positions are ours, so that equal reports are equal pages.
"use strict";

/** The column of each layer: that of an input which it alone continues, or a free one. */
function findColumns(layers) {
  const lastReader = layers.map((_, number) => number);
  layers.forEach((layer, number) => layer.inputs.forEach((input) => (lastReader[input] = number)));
  const columns = [];
  const open = new Map();
  layers.forEach((layer, number) => {
    for (const [column, end] of open) if (end < number) open.delete(column);
    const ending = layer.inputs.find((input) => lastReader[input] === number);
    const continued = layer.inputs.find(
      (input) => !columns.some((column, other) => other > input && column === columns[input]));
    let column = columns[continued ?? ending];
    if (column === undefined) for (column = 0; open.has(column); column++);
    columns.push(column);
    open.set(column, Math.max(open.get(column) ?? 0, lastReader[number]));
  });
  return columns;
}

class GraphView {
  constructor(model, select) {
    this.select = select;
    const columns = findColumns(model.layers);
    const nodes = model.layers.map((layer, number) => ({
      group: "nodes",
      data: { id: `${number}`, label: `${layer.kernels.map((k) => k.kernel).join(", ")}\n${shortenName(layer.label || layer.name)}` },
      position: { x: columns[number] * 230, y: number * 58 },
    }));
    const edges = model.layers.flatMap((layer, number) => layer.inputs.map((input) => ({
      group: "edges",
      data: { id: `${input}-${number}`, source: `${input}`, target: `${number}` },
      classes: columns[input] === columns[number] && number > input + 1 ? "skips" : "",
    })));
    this.graph = cytoscape({
      container: byId("graph"), elements: [...nodes, ...edges], layout: { name: "preset" },
      style: this.getStyle(), boxSelectionEnabled: false, autoungrabify: true,
      minZoom: 0.05, maxZoom: 3,
    });
    this.graph.on("tap", "node", (event) => this.select(Number(event.target.id())));
    this.showStart();
  }

  getStyle() {
    const text = getColour("text");
    return [
      { selector: "node", style: {
        shape: "round-rectangle", width: 200, height: 40, "background-color": getColour("node"),
        "border-width": 1, "border-color": getColour("edge"), label: "data(label)", color: text,
        "font-size": 11, "text-wrap": "wrap", "text-valign": "center", "text-halign": "center" } },
      { selector: "edge", style: {
        width: 1.5, "line-color": getColour("edge"), "target-arrow-color": getColour("edge"),
        "target-arrow-shape": "triangle", "curve-style": "straight" } },
      { selector: "edge.skips", style: {
        "curve-style": "unbundled-bezier", "control-point-distances": [250],
        "control-point-weights": [0.5] } },
      { selector: "node.selected", style: {
        "background-color": getColour("accent"), color: getColour("back"), "border-width": 2 } },
    ];
  }

  /** The first layers, as large as they can be read. */
  showStart() {
    const box = this.graph.nodes().boundingBox();
    if (!Number.isFinite(box.w) || box.w <= 0) return;
    const zoom = Math.min(1, this.graph.width() / (box.w + 40));
    this.graph.zoom(zoom);
    this.graph.pan({
      x: this.graph.width() / 2 - zoom * (box.x1 + box.x2) / 2,
      y: 10 - zoom * box.y1,
    });
  }

  show(number) {
    this.graph.nodes(".selected").removeClass("selected");
    const node = this.graph.getElementById(`${number}`);
    node.addClass("selected");
    const at = node.renderedPosition();
    if (node.length && (at.y < 20 || at.y > this.graph.height() - 20))
      this.graph.panBy({ x: 0, y: this.graph.height() / 2 - at.y });
  }

  restyle() {
    this.graph.style(this.getStyle());
  }

  destroy() {
    this.graph.destroy();
  }
}
