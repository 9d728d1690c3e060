// The report, and what the views look up in it.
"use strict";

const report = JSON.parse(byId("report").textContent);

/** A function of the report, with the numbers of layers in place of their texts. */
class FunctionModel {
  constructor(data) {
    this.data = data;
    this.layers = data.layers;
    this.maps = data.memories;
    this.steps = data.estimate?.steps ?? [];
    this.layerAt = new Map();
    this.layers.forEach((layer, number) => {
      for (const text of layer.texts) this.layerAt.set(text, number);
    });
    this.records = this.maps.flatMap((map) => [...(map.parts ?? []), ...(map.streams?.streams ?? [])]);
    this.kernelLayers = new Map(this.records.flatMap((record) =>
      record.kernels.map((kernel, i) => [kernel, record.layers[i]])));
    for (const map of this.maps) {
      for (const each of [...map.buffers, ...map.fixed])
        each.number = this.layerAt.get(each.layer) ?? null;
      // Of rectangles that overlap the later one is on top.
      map.buffers.sort((a, b) => a.lower - b.lower);
    }
  }

  /** The intervals in which kernels and moves of `layer` are in `map`. */
  getTimes(map, layer) {
    return this.layers[layer].steps.map((step) => map.steps[step]);
  }

  /** The buffers of `map` that are live at some time of `layer`, the largest first. */
  getLive(map, layer) {
    const times = this.getTimes(map, layer);
    return map.buffers
      .filter((buffer) => times.some((time) => buffer.lower < time.upper && time.lower < buffer.upper))
      .sort((a, b) => b.bytes_per_npu - a.bytes_per_npu);
  }

  /** The parts and streams that `layer` is in. */
  getDecisions(layer) {
    return this.records.filter((record) =>
      record.layers.some((text) => this.layerAt.get(text) === layer));
  }

  /** `text` with the layer behind each number of a kernel, `main:4`. */
  nameKernels(text) {
    return text.replace(/\S+:\d+(?=[:,]|$)/g, (kernel) => {
      const layer = this.kernelLayers.get(kernel);
      return layer ? `${kernel} (${layer})` : kernel;
    });
  }
}

/** The sum over the kernels of `layer`; nothing if one of them is not known. */
function sumKernels(layer, key) {
  let sum = 0;
  for (const kernel of layer.kernels) {
    if (kernel[key] === null || kernel[key] === undefined) return null;
    sum += kernel[key];
  }
  return layer.kernels.length ? sum : null;
}
