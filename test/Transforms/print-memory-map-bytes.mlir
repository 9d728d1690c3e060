// Names may be any bytes. JSON and pictures are UTF-8 all the same.
// RUN: mli-opt %s --mli-buffer-pipeline=arena=min --mli-print-memory-map="format=json space=system output=%t.json" -o /dev/null
// RUN: %python -c "import json; m = json.load(open('%t.json', encoding='utf-8')); s = m['streams']['streams'][0]; print(*map(ascii, [m['function'], s['kernels'], s['layers'], m['buffers'][0]['name']]), sep='\n')" | FileCheck %s --match-full-lines
// RUN: mli-opt %s --mli-buffer-pipeline=arena=min --mli-print-memory-map="format=svg output=%t.svg" -o /dev/null
// RUN: %python -c "import xml.etree.ElementTree as x; [print(ascii(e.text)) for e in x.parse('%t.svg').getroot() if e.get('font-size') == '14']" | FileCheck %s --check-prefix=SVG

// CHECK:      '\ufffd'
// CHECK-NEXT: ['\ufffd:0', '\ufffd:1']
// CHECK-NEXT: ['maxpool "net/\\FD"', 'maxpool "net/\\FC" (operator 1)']
// CHECK-NEXT: 'net/\ufffd'
// SVG:      system memory of '\ufffd': 1 buffers, peak 96 bytes
// SVG-NEXT: constants and arguments of '\ufffd':
!in = tensor<16x8x4x!mli.sa8<1:4:-128>>
func.func @"\FF"(%in: !in) -> !in {
  %0 = tensor.empty() : !in loc("\FE")
  %1 = mli.maxpool ins(%in : !in) outs(%0 : !in) kernel [3, 3] pad [1, 1, 1, 1] {strides = array<i64: 1, 1>} -> !in
    loc("net/\FD")
  %2 = tensor.empty() : !in
  %3 = mli.maxpool ins(%1 : !in) outs(%2 : !in) kernel [3, 3] pad [1, 1, 1, 1] {strides = array<i64: 1, 1>} -> !in
    loc(fused<"operator 1 (MAX_POOL_2D)">["net/\FC"])
  return %3 : !in
}
