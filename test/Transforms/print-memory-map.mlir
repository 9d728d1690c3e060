// RUN: mli-opt %s --mli-assign-addresses --mli-print-memory-map -o /dev/null | FileCheck %s --strict-whitespace
// RUN: mli-opt %s --mli-assign-addresses --canonicalize --cse --mli-print-memory-map -o /dev/null | FileCheck %s --check-prefix=LATER
// RUN: mli-opt %s --mli-print-memory-map=space=system --mlir-print-debuginfo -o %t.mlir | FileCheck %s --check-prefix=UNPLANNED
// RUN: mli-opt %s --mlir-print-debuginfo -o %t.same && cmp %t.mlir %t.same
// RUN: mli-opt %s --mli-assign-addresses --mli-print-memory-map="format=json space=local function=main output=%t.json" -o /dev/null
// RUN: %python -c "import json; m = json.load(open('%t.json')); print(*sorted(m)); [print(k, json.dumps(v)) for b in m['buffers'] for k, v in b.items()]; print(m['npus'], m['npu_bytes'], m['peak'], m['lower_bound'])" | FileCheck %s --check-prefix=JSON --match-full-lines
// RUN: mli-opt %s --mli-assign-addresses --mli-print-memory-map="format=svg space=local function=main" -o /dev/null | FileCheck %s --check-prefix=SVG
// RUN: mli-opt %s --mli-assign-addresses --mli-print-memory-map="format=svg output=%t.svg" -o /dev/null
// RUN: %python -c "import xml.etree.ElementTree as x; t = x.parse('%t.svg').getroot(); [print(e.text) for e in t if e.get('font-size') == '14']" | FileCheck %s --check-prefix=SVGS --match-full-lines
// RUN: %python %S/../Tools/Inputs/svg_boxes.py %t.svg | FileCheck %s --check-prefix=BOXES
// RUN: mli-opt %s --mli-print-memory-map="as-local function=main" -o /dev/null | FileCheck %s --check-prefix=LOCAL

// CHECK:system memory of 'layer': 1 buffers, peak 32 bytes, lower bound 32 (aligned 32), ratio 1.0000
// CHECK-NEXT:    first     last  NPU     from       to  buffer
// CHECK-NEXT:        0       31    0        2        4  result of permute 0, memref<4x4x2x!mli.sa8<1:4:0>>
// CHECK:system memory of 'main': 2 buffers, peak 64 bytes, lower bound 64 (aligned 64), ratio 1.0000
// CHECK-NEXT:    first
// CHECK-NEXT:        0       31    0 {{.*}}  kept, memref<4x4x2x!mli.sa8<1:4:0>>
// CHECK-NEXT:       32       63    0 {{.*}}  buffer 1, memref<32xi8>
// CHECK:local memory of 'main': 2 buffers, peak 128 bytes, lower bound 128 (aligned 128), ratio 1.0000, of 16384 bytes on 4 NPUs

// What lies in one place at different times stays two buffers, whatever runs in
// between.
// LATER:system memory of 'turns': 3 buffers, peak 32 bytes
// LATER: 0 31 0 {{[0-9]+ [0-9]+}} before, result of permute 0, memref<4x4x2x!mli.sa8<1:4:0>>
// LATER-NEXT: 0 31 0 {{[0-9]+ [0-9]+}} between, result of permute 2, memref<32x!mli.fx8<7>>
// LATER-NEXT: 0 31 0 {{[0-9]+ [0-9]+}} behind, result of permute 4, memref<4x4x2x!mli.sa8<1:4:0>>

// UNPLANNED:system memory of 'layer': 1 buffers, peak 32
// UNPLANNED:system memory of 'main': 2 buffers, peak 64
// UNPLANNED: 32 {{.*}} layer
// UNPLANNED-NOT: local

// JSON: buffers fixed function lower_bound npu_bytes npus peak space steps
// JSON: name "buffer 0"
// JSON: layer "permute 0"
// JSON: operand "input copy"
// JSON: role "input"
// JSON: loc "{{.*}}print-memory-map.mlir:[[#@LINE+49]]:10"
// JSON: shape [4, 4, 2]
// JSON: element "!mli.sa8<1:4:0>"
// JSON: layout "aligned"
// JSON: mode "none"
// JSON: address 16384
// JSON: start_npu 1
// JSON: npu_count 2
// JSON: offset 0
// JSON: strides [64, 64, 4, 1]
// JSON: bytes_per_npu 64
// JSON: lower {{[0-9]+}}
// JSON: upper {{[0-9]+}}
// JSON: name "buffer 1"
// JSON: layer "permute 0"
// JSON: operand "result"
// JSON: role "result"
// JSON: offset 64
// JSON: 4 16384 128 128

// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG: <title>input copy of permute 0; 64 bytes at [0,64) of each NPU, from NPU 1 on, time [{{[0-9]+}},{{[0-9]+}})</title>
// SVG: </svg>

// Several maps are one picture: first what is planned, then what is not.
// SVGS: system memory of 'layer': 1 buffers, peak 32 bytes
// SVGS-NEXT: system memory of 'main': 2 buffers, peak 64 bytes
// SVGS-NEXT: local memory of 'main': 2 buffers, peak 128 bytes of 16,384 on each of 4 NPUs
// SVGS-NEXT: system memory of 'turns': 3 buffers, peak 32 bytes
// SVGS-NEXT: constants and arguments of 'layer': 64 bytes, not in the arena, drawn where they are used
// SVGS-NEXT: constants and arguments of 'main': 64 bytes, not in the arena, drawn where they are used
// SVGS-NEXT: constants and arguments of 'turns': 96 bytes, not in the arena, drawn where they are used
// BOXES: {{^}}7 panels, 15 buffers, {{[0-9]+}} texts

// LOCAL: local memory of 'main': {{.*}} of 16384 bytes on 4 NPUs
// LOCAL-DAG: argument 0, memref<4x4x2x!mli.sa8<1:4:0>, #mli.layout<compact
// LOCAL-DAG: kept, memref<4x4x2x!mli.sa8<1:4:0>, #mli.layout<compact
#layout = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, start_npu = 1, strides = [64, 64, 4, 1]>
!local = memref<4x4x2x!mli.sa8<1:4:0>, #layout, #mli.space<local>>
!map = memref<4x4x2x!mli.sa8<1:4:0>>
!line = memref<32x!mli.fx8<7>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func private @layer(%in: !map, %out: !map) {
    %a = memref.alloc() : !map
    mli.permute ins(%in : !map) outs(%a : !map) permutation [0, 1, 2]
    mli.permute ins(%a : !map) outs(%out : !map) permutation [0, 1, 2]
    return
  }
  func.func @main(%in: !map, %out: !map) {
    %a = mli.alloc : !local
    %b = mli.alloc : !local
    %kept = memref.alloc() : !map loc("kept")
    mli.mov ins(%in : !map) outs(%a : !local)
    mli.permute ins(%a : !local) outs(%b : !local) permutation [0, 1, 2]
    mli.mov ins(%b : !local) outs(%kept : !map)
    func.call @layer(%kept, %out) : (!map, !map) -> ()
    mli.mov ins(%kept : !map) outs(%out : !map)
    return
  }
  func.func @turns(%in: !map, %out: !map, %line: !line) {
    %a = memref.alloc() : !map loc("before")
    %b = memref.alloc() : !line loc("between")
    %c = memref.alloc() : !map loc("behind")
    mli.permute ins(%in : !map) outs(%a : !map) permutation [0, 1, 2]
    mli.permute ins(%a : !map) outs(%out : !map) permutation [0, 1, 2]
    mli.permute ins(%line : !line) outs(%b : !line) permutation [0]
    mli.permute ins(%b : !line) outs(%line : !line) permutation [0]
    mli.permute ins(%in : !map) outs(%c : !map) permutation [0, 1, 2]
    mli.permute ins(%c : !map) outs(%out : !map) permutation [0, 1, 2]
    return
  }
}
