// Operations of no dialect that is known are left alone, or named.
// RUN: mli-opt %s --allow-unregistered-dialect --mli-buffer-pipeline | FileCheck %s --check-prefix=BUFFERS
// RUN: mli-opt %s --allow-unregistered-dialect --mli-attach-target=target=vpx --mli-insert-moves --mli-bufferize --mli-assign-layouts --mli-legalize-subtensors | FileCheck %s --check-prefix=LOCAL
// RUN: not mli-opt %s --allow-unregistered-dialect --mli-local-pipeline=target=vpx 2>&1 | FileCheck %s --check-prefix=CALLS

!map = tensor<8x!mli.fx8<5>>

// BUFFERS-LABEL: func.func @between_kernels
// BUFFERS: mli.relu
// BUFFERS: "test.unknown"()
// BUFFERS: mli.relu
// LOCAL-LABEL: func.func @between_kernels
// LOCAL: mli.relu ins(%{{.*}} : memref<8x!mli.fx8<5>, #continuous, #mli.space<local>>)
// LOCAL: "test.unknown"()
// LOCAL: mli.relu ins(%{{.*}} : memref<8x!mli.fx8<5>, #continuous, #mli.space<local>>)
// CALLS: error: failed to legalize operation 'test.unknown'
func.func @between_kernels(%map: !map) -> !map {
  %init = tensor.empty() : !map
  %a = mli.relu ins(%map : !map) outs(%init : !map) {relu = #mli.relu<gen>} -> !map
  "test.unknown"() : () -> ()
  %other = tensor.empty() : !map
  %b = mli.relu ins(%a : !map) outs(%other : !map) {relu = #mli.relu<relu6>} -> !map
  return %b : !map
}
