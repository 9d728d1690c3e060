// The NPUs of a local memory, and which of them hold a buffer.
"use strict";

function holdsBuffer(map, buffer, npu) {
  return (npu - buffer.start_npu + map.npus) % map.npus < buffer.npu_count;
}

/** `0 to 15 of 32`; `30, 31, 0 to 5 of 32` where it goes on at NPU 0. */
function formatNpus(map, buffer) {
  const range = (first, end) => (end - first > 2 ? [`${first} to ${end - 1}`]
    : Array.from({ length: Math.max(0, end - first) }, (_, i) => `${first + i}`));
  const end = buffer.start_npu + buffer.npu_count;
  return [...range(buffer.start_npu, Math.min(end, map.npus)), ...range(0, end - map.npus)].join(", ") +
    ` of ${map.npus}`;
}

/** The first and last of NPUs that follow each other and hold the same buffers. */
function findNpuGroups(map) {
  const starts = new Set([0]);
  for (const buffer of map.buffers) {
    if (buffer.npu_count >= map.npus) continue;
    starts.add(buffer.start_npu);
    starts.add((buffer.start_npu + buffer.npu_count) % map.npus);
  }
  const firsts = [...starts].sort((a, b) => a - b);
  return firsts.map((first, i) => [first, (firsts[i + 1] ?? map.npus) - 1]);
}

/** A choice of the NPU that a chart shows; nothing where there is one only. */
function makeNpuChoice(map, choose) {
  if (map.npus < 2) return null;
  const options = findNpuGroups(map).map(([first, last]) => element("option", { value: first },
    `${first === last ? `NPU ${first}` : `each of NPUs ${first} to ${last}`}: ` +
    `${formatNumber(map.buffers.filter((buffer) => holdsBuffer(map, buffer, first)).length)} buffers`));
  return element("label", { class: "npus" }, "shows ", element("select",
    { onchange: (event) => choose(event.target.value === "" ? null : Number(event.target.value)) },
    element("option", { value: "" }, `all ${map.npus} NPUs`), ...options));
}
