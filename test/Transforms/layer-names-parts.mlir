// Parts and streams number kernels, and say which layer of a network each is.
// RUN: mli-opt %s --mli-local-buffer-pipeline=target=vpx,npu-bytes=4096 --mli-print-memory-map=space=local -o /dev/null | FileCheck %s --check-prefix=PARTS
// RUN: mli-opt %s --mli-buffer-pipeline=arena=min --mli-print-memory-map=space=system -o /dev/null | FileCheck %s --check-prefix=STREAMS

// PARTS:      main:0
// PARTS-NEXT:   main:0: maxpool "net/first/MaxPool" (operator 0){{$}}
// PARTS-NEXT:   main:1: maxpool "net/pool/MaxPool" (operator 1){{$}}
// PARTS-NEXT:   moves

// STREAMS:      stream of 2 kernels, main:0 to main:1
// STREAMS-NEXT:   main:0: maxpool "net/first/MaxPool" (operator 0){{$}}
// STREAMS-NEXT:   main:1: maxpool "net/pool/MaxPool" (operator 1){{$}}
// STREAMS-NEXT:   main:0: {{[0-9]+}} of
!in = tensor<16x8x4x!mli.sa8<1:4:-128>>
func.func @main(%in: !in) -> !in {
  %0 = tensor.empty() : !in
  %1 = mli.maxpool ins(%in : !in) outs(%0 : !in) kernel [3, 3] pad [1, 1, 1, 1] {strides = array<i64: 1, 1>} -> !in
    loc(fused<"operator 0 (MAX_POOL_2D)">["net/first/Relu;net/first/MaxPool"])
  %2 = tensor.empty() : !in
  %3 = mli.maxpool ins(%1 : !in) outs(%2 : !in) kernel [3, 3] pad [1, 1, 1, 1] {strides = array<i64: 1, 1>} -> !in
    loc(fused<"operator 1 (MAX_POOL_2D)">["net/pool/MaxPool"])
  return %3 : !in
}
