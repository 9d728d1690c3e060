// RUN: mli-opt %s --mli-attach-target=target=bm1684 | FileCheck %s --check-prefix=PRESET
// RUN: mli-opt %s --mli-attach-target=target=vpx,npu-bytes=65536 | FileCheck %s --check-prefix=OVERRIDE
// RUN: mli-opt %s --pass-pipeline='builtin.module(mli-attach-target{target=custom,npus=4,npu-bytes=16384,unit=64,banks=2,dma-align=8})' | FileCheck %s --check-prefix=CUSTOM
// RUN: mli-opt %s --mli-attach-target=target=bm1684x --mli-attach-target=target=bm1690 | FileCheck %s --check-prefix=REPLACED
// RUN: not mli-opt %s --mli-attach-target 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mli-opt %s --mli-attach-target=target=bm1685 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mli-opt %s --mli-attach-target=target=vpx,words=4 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not mli-opt %s --mli-attach-target=target=vpx,npus=many 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not mli-opt %s --mli-attach-target=target=vpx,unit=48 2>&1 | FileCheck %s --check-prefix=RULE

// PRESET: module @network attributes {mli.target = #mli.target<bm1684>}
// OVERRIDE: module @network attributes {mli.target = #mli.target<custom, npus = 1, npu_bytes = 65536, unit = 16, banks = 1, dma_align = 16>}
// CUSTOM: module @network attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16384, unit = 64, banks = 2, dma_align = 8>}
// REPLACED: module @network attributes {mli.target = #mli.target<bm1690>}
// NONE: error: expected 'target' to be one of bm1684, bm1684x, bm1688, bm1690, vpx, custom, but got ''{{$}}
// UNKNOWN: error: expected 'target' to be one of bm1684, bm1684x, bm1688, bm1690, vpx, custom, but got 'bm1685'{{$}}
// FIELD: error: expected 'target' to override one of npus, npu-bytes, unit, banks, dma-align, but got 'words'{{$}}
// NUMBER: error: expected 'npus' to be a number, but got 'many'{{$}}
// RULE: error: expected 'unit' to be a power of 2, but got 48{{$}}
module @network {}
