// What divides offsets in local memory: of the aligned layout the unit, of the compact
// one 4 bytes, of both the DMA alignment of the target. All four buffers are live
// together, two of 64 bytes of each NPU and two of 9: the lowest plan has the latter
// last, so that its peak is as the alignments let it be.
// RUN: mli-opt %s --mli-attach-target=target=custom,npus=4,npu-bytes=16384,unit=64,dma-align=4 --mli-assign-addresses=minimise --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: mli-opt %s --mli-attach-target=target=custom,npus=4,npu-bytes=16384,unit=64,dma-align=1 --mli-assign-addresses=minimise --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: mli-opt %s --mli-attach-target=target=custom,npus=4,npu-bytes=16384,unit=64,dma-align=16 --mli-assign-addresses=minimise --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefixes=CHECK,SIXTEEN
// RUN: mli-opt %s --mli-attach-target=target=custom,npus=4,npu-bytes=16384,unit=64,dma-align=128 --mli-assign-addresses=minimise --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefixes=CHECK,DMA

// 64 + 64 + 12 + 9, 64 + 64 + 16 + 9, and three times 128 + 9.
// L30
// CHECK: local memory of 'kinds': 4 buffers,
// FOUR-SAME: peak 149 bytes
// SIXTEEN-SAME: peak 153 bytes
// DMA-SAME: peak 393 bytes
#aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [64, 64, 3, 1]>
#compact = #mli.layout<compact, dims = [h, w, c], npus = 4, npu_elements = 16384, strides = [9, 9, 3, 1]>
!aligned = memref<3x3x4x!mli.sa8<1:4:0>, #aligned, #mli.space<local>>
!compact = memref<3x3x4x!mli.sa8<1:4:0>, #compact, #mli.space<local>>
!plain = memref<3x3x4x!mli.sa8<1:4:0>>
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64>} {
  func.func @kinds(%in: !plain, %out: !plain) {
    %a = mli.alloc : !compact
    mli.mov ins(%in : !plain) outs(%a : !compact)
    %b = mli.alloc : !aligned
    mli.mov ins(%in : !plain) outs(%b : !aligned)
    %c = mli.alloc : !compact
    mli.mov ins(%in : !plain) outs(%c : !compact)
    %d = mli.alloc : !aligned
    mli.mov ins(%in : !plain) outs(%d : !aligned)
    mli.mov ins(%a : !compact) outs(%out : !plain)
    mli.mov ins(%b : !aligned) outs(%out : !plain)
    mli.mov ins(%c : !compact) outs(%out : !plain)
    mli.mov ins(%d : !aligned) outs(%out : !plain)
    return
  }
}
