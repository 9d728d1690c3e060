// How the status of a kernel leaves its function, and what runs in between.
// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file | FileCheck %s

!map = memref<8x!mli.fx8<5>>

// CHECK-DAG: llvm.mlir.global internal constant @[[TEXTS:.*]]("{{.*}}mli.relu at loc(\22{{.*}}convert-mli-to-llvm-status.mlir\22:{{[0-9]+}}:3)\00
// CHECK-DAG: llvm.func @mli_report_failure(i32, !llvm.ptr)

// CHECK-LABEL: llvm.func @status_of_a_kernel
// CHECK-SAME: -> i32
// CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @[[TEXTS]]
// CHECK: %[[TEXT:.*]] = llvm.getelementptr %[[FIRST]][{{[0-9]+}}] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[STATUS:.*]] = llvm.call @mli_krn_relu_fx8
// CHECK: %[[IS_OK:.*]] = llvm.icmp "eq" %[[STATUS]], %[[OK]]
// CHECK: llvm.cond_br %[[IS_OK]], ^[[REST:.*]], ^[[FAILED:.*]](%[[STATUS]], %[[TEXT]] : i32, !llvm.ptr)
// CHECK: ^[[REST]]:
// CHECK: llvm.return %[[OK]]
// CHECK: ^[[FAILED]](%[[FAILURE:.*]]: i32, %[[PLACE:.*]]: !llvm.ptr):
// CHECK: llvm.call @mli_report_failure(%[[FAILURE]], %[[PLACE]])
// CHECK: llvm.return %[[FAILURE]]
func.func @status_of_a_kernel(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  return
}

// CHECK-LABEL: llvm.func @status_of_a_function
// CHECK-SAME: -> i32
// CHECK: %[[STATUS:.*]] = llvm.call @status_of_a_kernel(
// CHECK: %[[IS_OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[IS_OK]], ^{{.*}}, ^{{.*}}(%[[STATUS]], %{{.*}})
func.func @status_of_a_function(%map: !map) {
  call @status_of_a_kernel(%map) : (!map) -> ()
  return
}

// CHECK-LABEL: llvm.func @status_through_two_functions
// CHECK-SAME: -> i32
// CHECK: llvm.call @status_of_a_function({{.*}} -> i32
func.func @status_through_two_functions(%map: !map) {
  call @status_of_a_function(%map) : (!map) -> ()
  return
}

// CHECK-LABEL: llvm.func @without_kernels
// CHECK-SAME: ) -> i64 {
// CHECK-NOT: mli_report_failure
func.func @without_kernels(%size: index) -> index {
  %c1 = arith.constant 1 : index
  %sum = arith.addi %size, %c1 : index
  return %sum : index
}

// CHECK-LABEL: llvm.func @calls_no_kernels
// CHECK: llvm.call @without_kernels({{.*}} -> i64
// CHECK: llvm.return{{$}}
func.func @calls_no_kernels(%size: index) {
  %sum = call @without_kernels(%size) : (index) -> index
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

// The first that fails decides, all leave by one end, and descriptors of the
// second take the place of those of the first.
// CHECK-LABEL: llvm.func @two_kernels
// CHECK-COUNT-2: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: %[[FIRST:.*]] = llvm.call @mli_krn_relu_fx8
// CHECK: llvm.cond_br %{{.*}}, ^[[SECOND_BLOCK:.*]], ^[[FAILED:.*]](%[[FIRST]], %{{.*}})
// CHECK: ^[[SECOND_BLOCK]]:
// CHECK: %[[SECOND:.*]] = llvm.call @mli_krn_relu_fx8
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED]](%[[SECOND]], %{{.*}})
// CHECK: ^[[FAILED]](%[[STATUS:.*]]: i32, %{{.*}}: !llvm.ptr):
// CHECK-COUNT-1: llvm.call @mli_report_failure
// CHECK: llvm.return %[[STATUS]]
func.func @two_kernels(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<relu6>}
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

// A loop does not grow the stack: descriptors are in the entry block.
// CHECK-LABEL: llvm.func @kernel_in_a_loop
// CHECK-COUNT-2: llvm.alloca
// CHECK: llvm.br ^[[HEAD:.*]](
// CHECK-NOT: llvm.alloca
// CHECK: ^[[HEAD]](
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY:.*]], ^{{.*}}
// CHECK: ^[[BODY]]:
// CHECK: llvm.call @mli_krn_relu_fx8
// CHECK: llvm.cond_br %{{.*}}, ^[[NEXT:.*]], ^{{.*}}
// CHECK: ^[[NEXT]]:
// CHECK: llvm.br ^[[HEAD]](
// CHECK-NOT: llvm.alloca
func.func @kernel_in_a_loop(%map: !map, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %count : index
  cf.cond_br %more, ^body, ^end
^body:
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

// Calls in nested modules are those of their own functions.
// CHECK-LABEL: module @outer
// CHECK: llvm.func @caller({{.*}} -> i32
// CHECK: llvm.call @kernel({{.*}} -> i32
// CHECK: module @inner
// CHECK: llvm.func @kernel({{[^>]*}}) {
// CHECK: llvm.func @caller({{[^>]*}}) {
// CHECK: llvm.call @kernel({{.*}} -> ()
module @outer {
  func.func @kernel(%map: !map) {
    mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    return
  }
  func.func @caller(%map: !map) {
    call @kernel(%map) : (!map) -> ()
    return
  }
  module @inner {
    func.func @kernel(%map: !map) {
      return
    }
    func.func @caller(%map: !map) {
      call @kernel(%map) : (!map) -> ()
      return
    }
  }
}

// -----

!map = memref<8x!mli.fx8<5>>

// A location of many parts is reported as it stands.
// CHECK: "mli.relu at loc(fused[\22a.tflite\22:1:2, \22second\22])\00"
func.func @fused_location(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    loc(fused["a.tflite":1:2, "second"])
  return
}

// -----

// An assertion is a status as well, and what a private function gives comes
// behind it.

// CHECK: llvm.mlir.global internal constant @mli_texts("{{.*}}expected a number at loc(\22{{.*}}convert-mli-to-llvm-status.mlir\22:{{[0-9]+}}:3)\00

// CHECK-LABEL: llvm.func @number
// CHECK-SAME: -> !llvm.struct<(i32, i64)>
// CHECK: %[[BAD:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[STATUS:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[BAD]] : i1, i32
// CHECK: %[[IS_OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[IS_OK]], ^{{.*}}, ^[[FAILED:.*]](%[[STATUS]], %{{.*}} : i32, !llvm.ptr)
// CHECK: ^[[FAILED]](%[[FAILURE:.*]]: i32, %[[PLACE:.*]]: !llvm.ptr):
// CHECK: llvm.call @mli_report_failure(%[[FAILURE]], %[[PLACE]])
// CHECK: %[[NOTHING:.*]] = llvm.mlir.poison : !llvm.struct<(i32, i64)>
// CHECK: %[[RESULT:.*]] = llvm.insertvalue %[[FAILURE]], %[[NOTHING]][0]
// CHECK: llvm.return %[[RESULT]]
func.func private @number(%is: i1, %number: index) -> index {
  cf.assert %is, "expected a number"
  return %number : index
}

// CHECK-LABEL: llvm.func @takes_number
// CHECK-SAME: -> i32
// CHECK: %[[BOTH:.*]] = llvm.call @number({{.*}}) : (i1, i64) -> !llvm.struct<(i32, i64)>
// CHECK: %[[STATUS:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK: %[[IS_OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[IS_OK]], ^[[REST:.*]], ^{{.*}}(%[[STATUS]], %{{.*}})
// CHECK: ^[[REST]]:
// CHECK: llvm.extractvalue %[[BOTH]][1]
func.func @takes_number(%is: i1, %number: index, %to: memref<index>) {
  %same = call @number(%is, %number) : (i1, index) -> index
  memref.store %same, %to[] : memref<index>
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

// A layer of a network is reported by its name.
// CHECK: "relu \22net/conv/Relu\22 (operator 4)\00"
func.func @layer(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>}
    loc(fused<"operator 4 (RELU)">["net/norm/Add;net/conv/Relu"])
  return
}

// -----

!map = memref<8x!mli.fx8<5>>

// The name of the texts gives way to one of the program. Equal texts are one.
// CHECK: llvm.mlir.global internal constant @[[TEXTS:mli_texts_[0-9]+]]("relu \22same\22\00")
// CHECK-LABEL: llvm.func @mli_texts(
// CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @[[TEXTS]]
// CHECK: %[[TEXT:.*]] = llvm.getelementptr %[[FIRST]][0]
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED:.*]](%{{.*}}, %[[TEXT]] : i32, !llvm.ptr)
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED]](%{{.*}}, %[[TEXT]] : i32, !llvm.ptr)
func.func @mli_texts(%map: !map) {
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>} loc("same")
  mli.relu ins(%map : !map) outs(%map : !map) {relu = #mli.relu<gen>} loc("same")
  return
}
