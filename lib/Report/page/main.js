// The page: one function, one selected layer, and the views that show both.
"use strict";

/** The numbers of the whole function. */
function showSizes(data) {
  const entries = [];
  const add = (id, name, value) => entries.push([id, name, value]);
  const bytes = (number) => `${formatNumber(number)} bytes`;
  if (data.target) add("target", "target", data.target);
  if (data.sizes) {
    add("weights", "weights", bytes(data.sizes.weights));
    if (data.sizes.packed_weights) add("packed", "packed weights", bytes(data.sizes.packed_weights));
    add("ports", "inputs and results", bytes(data.sizes.inputs_and_results));
    if (data.sizes.states) add("states", "states", bytes(data.sizes.states));
    add("arena", "arena", bytes(data.sizes.arena));
    if (data.sizes.code !== undefined) add("code", "code around kernels, on this host", bytes(data.sizes.code));
    if (data.sizes.local) add("local", "local memory of each NPU", bytes(data.sizes.local));
  }
  if (data.moved) {
    add("moved", "moved in and out", `${bytes(data.moved.in)}, ${bytes(data.moved.out)}`);
    add("least", "moved at least", bytes(data.moved.least) +
      (data.moved.bound === undefined ? "" : `, with this memory ${bytes(data.moved.bound)}`));
  }
  if (data.estimate)
    add("cost", "estimated cost, in bytes moved",
      formatNumber(data.estimate.transfers + data.estimate.kernels - data.estimate.overlapped));
  if (data.measured)
    add("latency", `latency on this host, median of ${data.measured.runs} runs`, `${formatNumber(data.measured.latency_us, 1)} us`);
  (data.results ?? []).forEach((result, number) =>
    add(`result-${number}`, `output ${number} and its reference`, describeDifference(result)));
  byId("sizes").replaceChildren(...entries.map(([id, name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", { id: `size-${id}` }, value))));
}

const page = {
  model: null,
  views: [],
  selected: null,

  showFunction(number) {
    for (const view of this.views) view.destroy();
    const data = report.functions[number];
    this.model = new FunctionModel(data);
    this.selected = null;
    const select = (layer, clicked) => this.select(layer, clicked);
    document.title = byId("title").textContent = `Report of '${data.function}'`;
    showSizes(data);
    showFixed(this.model);
    this.memory = new MemoryView(this.model, select);
    this.views = [new GraphView(this.model, select), this.memory,
      new LanesView(this.model, select), new TableView(this.model, select)];
    showDetails(this.model, -1, select);
  },

  /** Shows a layer in all views, and of the buffer that was `clicked` for it, if any, more. */
  select(number, clicked) {
    this.selected = number;
    for (const view of this.views) view.show(number);
    showDetails(this.model, number, (layer) => this.select(layer), clicked);
  },

  /** The layer that is `by` behind the selected one. */
  step(by) {
    const count = this.model.layers.length;
    if (count === 0) return;
    const next = this.selected === null ? (by > 0 ? 0 : count - 1) : this.selected + by;
    this.select(Math.max(0, Math.min(count - 1, next)));
  },

  start() {
    const choice = byId("function");
    choice.append(...report.functions.map((data, i) => element("option", { value: i }, data.function)));
    byId("functions").hidden = report.functions.length < 2;
    choice.addEventListener("change", () => this.showFunction(Number(choice.value)));
    byId("colours").addEventListener("change", () => this.memory.colour());
    document.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (!by || event.target.closest("select, input")) return;
      event.preventDefault();
      this.step(by);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const view of this.views) view.restyle();
    });
    this.showFunction(0);
    document.body.dataset.state = "ready";
  },
};

page.start();
