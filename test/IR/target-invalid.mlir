// RUN: mli-opt %s --split-input-file --verify-diagnostics

// S1
// expected-error @below {{expected 'target' to be one of bm1684, bm1684x, bm1688, bm1690, vpx, custom, but got 'bm1685'}}
module attributes {mli.target = #mli.target<bm1685>} {}

// -----

// S1
// expected-error @below {{expected 'target' to override one of npus, npu_bytes, unit, banks, dma_align, but got 'npu_words'}}
module attributes {mli.target = #mli.target<vpx, npu_words = 16384>} {}

// -----

// S2
// expected-error @below {{expected 'npus' to be at least 1, but got -1}}
module attributes {mli.target = #mli.target<vpx, npus = -1>} {}

// -----

// S2
// expected-error @below {{expected 'npu_bytes' to be at least 1, but got 0}}
module attributes {mli.target = #mli.target<custom, npus = 4>} {}

// -----

// S2
// expected-error @below {{expected 'npu_bytes' to be at most 67108864, but got 67108865}}
module attributes {mli.target = #mli.target<bm1684, npu_bytes = 67108865>} {}

// -----

// S2
// expected-error @below {{expected 'npu_bytes' to be divisible by 128, but got 16448}}
module attributes {mli.target = #mli.target<custom, npus = 4, npu_bytes = 16448>} {}

// -----

// S2
// expected-error @below {{expected 'dma_align' to be a power of 2, but got 12}}
module attributes {mli.target = #mli.target<vpx, dma_align = 12>} {}

// -----

// expected-error @below {{expected '='}}
module attributes {mli.target = #mli.target<vpx, npus>} {}

// -----

// S3
// expected-error @below {{expected 'mli.target' to be a target, but got "vpx"}}
module attributes {mli.target = "vpx"} {}

// -----

// S4
// expected-error @below {{expected 'mli.target' to be on a module, but got func.func}}
func.func private @function() attributes {mli.target = #mli.target<vpx>}

// -----

// S13
// expected-error@+1 {{expected 'mli.layout_policy' to have a string 'mode' and a unit 'matrices', but got {column = 3 : i64}}}
module attributes {mli.layout_policy = {column = 3}} {}

// -----

// S13
// expected-error@+1 {{expected 'mode' to be none, 4N or 2N, but got '2IC'}}
module attributes {mli.layout_policy = {mode = "2IC"}} {}

// -----

// S13
// expected-error@+1 {{expected 'mli.layout_policy' to be on a module, but got func.func}}
func.func private @elsewhere() attributes {mli.layout_policy = {matrices}}
