// Rectangles on the axes of uPlot, which zooms and draws them again.
"use strict";

class BoxChart {
  /**
   * `boxes` have left, right, bottom, top, colour, label, text and layer; `lines` have at,
   * text, colour and place, the part of the width where the text starts; `extent` is from
   * left to right and up to the top; `axes` are the names of both axes; `select` is called
   * with a box of a layer that was clicked.
   */
  constructor(parent, { boxes, lines, extent, axes, rows, height, select }) {
    Object.assign(this, { parent, boxes, lines, extent, axes, rows, select });
    this.height = height;
    this.all = boxes;
    this.bands = [];
    this.isEmphasized = () => true;
    this.plot = this.makePlot();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parent);
  }

  makePlot() {
    const text = getColour("text");
    const axis = { stroke: text, grid: { stroke: getColour("line"), width: 1 },
      ticks: { stroke: getColour("line"), width: 1 } };
    const keep = (_, min, max) => [min, max];
    const rowAxis = this.rows && {
      splits: () => this.rows.map((_, i) => i + 0.5), values: () => this.rows, grid: { show: false } };
    const plot = new uPlot({
      width: this.getWidth(), height: this.height, legend: { show: false },
      scales: { x: { time: false, range: keep }, y: { range: keep } },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        { ...axis, label: this.axes[0], space: 90, values: (_, at) => at.map((value) => formatNumber(value, 2)) },
        { ...axis, label: this.axes[1], size: 80,
          values: (_, at) => at.map((value) => formatNumber(value)), ...rowAxis },
      ],
      cursor: { drag: { x: true, y: !this.rows, uni: 30 }, points: { show: false } },
      hooks: { draw: [(u) => this.draw(u)], setCursor: [(u) => this.hover(u)] },
    }, [this.extent.slice(0, 2), [0, this.extent[2]]], this.parent);
    let start = null;
    plot.over.addEventListener("mousedown", (event) => (start = [event.clientX, event.clientY]));
    plot.over.addEventListener("mouseup", (event) => {
      const isClick = start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < 4;
      const box = isClick ? this.find(plot, event.offsetX, event.offsetY) : null;
      if (box && box.layer !== null) this.select(box);
    });
    plot.over.addEventListener("mouseleave", () => showTooltip(""));
    return plot;
  }

  getWidth() {
    return Math.max(200, this.parent.clientWidth);
  }

  resize() {
    if (this.getWidth() !== this.plot.width)
      this.plot.setSize({ width: this.getWidth(), height: this.height });
  }

  draw(u) {
    const ctx = u.ctx;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const band of this.bands) {
      ctx.fillStyle = getColour("accent");
      ctx.globalAlpha = 0.15;
      const from = u.valToPos(band.lower, "x", true);
      ctx.fillRect(from, top, Math.max(1, u.valToPos(band.upper, "x", true) - from), height);
    }
    ctx.globalAlpha = 1;
    for (const line of this.lines.filter((each) => each.isBehind)) this.drawLine(u, ctx, line);
    for (const box of this.boxes) this.drawBox(u, ctx, box);
    ctx.globalAlpha = 1;
    for (const line of this.lines.filter((each) => !each.isBehind)) this.drawLine(u, ctx, line);
    ctx.restore();
  }

  drawBox(u, ctx, box) {
    const x = u.valToPos(box.left, "x", true);
    const w = Math.max(2, u.valToPos(box.right, "x", true) - x);
    const y = u.valToPos(box.top, "y", true);
    const h = Math.max(2, u.valToPos(box.bottom, "y", true) - y);
    const area = u.bbox;
    if (x > area.left + area.width || x + w < area.left || y > area.top + area.height || y + h < area.top)
      return;
    ctx.globalAlpha = this.isEmphasized(box) ? 1 : 0.25;
    ctx.fillStyle = box.colour;
    ctx.fillRect(x, y, w, h);
    if (w < 4 * devicePixelRatio || h < 3 * devicePixelRatio) return;
    ctx.strokeStyle = "#00000055";
    ctx.strokeRect(x, y, w, h);
    if (!box.label || h < 13 * devicePixelRatio || w < 30 * devicePixelRatio) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, w, h);
    ctx.clip();
    ctx.fillStyle = "#101418";
    ctx.fillText(box.label, Math.max(x, area.left) + 3 * devicePixelRatio, y + h / 2);
    ctx.restore();
  }

  drawLine(u, ctx, line) {
    const y = u.valToPos(line.at, "y", true);
    const { left, width } = u.bbox;
    ctx.strokeStyle = ctx.fillStyle = getColour(line.colour);
    ctx.setLineDash(line.isBehind ? [1, 3] : [6, 4]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    ctx.setLineDash([]);
    const below = y < u.bbox.top + 14 * devicePixelRatio;
    ctx.fillText(line.text, left + 4 + line.place * width, y + (below ? 8 : -7) * devicePixelRatio);
  }

  /** The box at a place of the plot in pixels; of several the one that is drawn last. */
  find(u, x, y) {
    const time = u.posToVal(x, "x");
    const value = u.posToVal(y, "y");
    // A pixel beside it is near enough to a thin box.
    const width = u.posToVal(x + 1, "x") - time;
    const height = value - u.posToVal(y + 1, "y");
    const isNear = (box, dx, dy) => box.bottom - dy <= value && value < box.top + dy &&
      box.left - dx <= time && time < box.right + dx;
    let found = null, near = null;
    for (const box of this.boxes) {
      if (isNear(box, 0, 0)) found = box;
      else if (isNear(box, width, height)) near = box;
    }
    return found || near;
  }

  hover(u) {
    const { left, top } = u.cursor;
    if (left < 0) return;
    const box = this.find(u, left, top);
    const area = u.over.getBoundingClientRect();
    showTooltip(box ? box.text : "", area.left + left, area.top + top);
  }

  /** Leaves the boxes that `isShown` says. */
  filter(isShown) {
    this.boxes = this.all.filter(isShown);
    this.plot.redraw(false);
  }

  /** Shades the times of `bands`, and what `isEmphasized` leaves out. */
  emphasize(bands, isEmphasized) {
    this.bands = bands;
    this.isEmphasized = isEmphasized;
    this.plot.redraw(false);
  }

  restyle() {
    this.plot.destroy();
    this.plot = this.makePlot();
  }

  destroy() {
    this.observer.disconnect();
    this.plot.destroy();
  }
}
