// What passes leave without being verified is printed in the generic form: here blocks in
// an operation that may have only one.

// RUN: mli-opt %s --verify-each=false --pass-pipeline='builtin.module(func.func(convert-scf-to-cf))' | FileCheck %s
// RUN: mli-opt %s --run-reproducer | FileCheck %s
// RUN: not mli-opt %s --pass-pipeline='builtin.module(func.func(convert-scf-to-cf))' -o /dev/null

// CHECK: "tensor.generate"(%{{.*}}) ({
// CHECK: "cf.cond_br"
func.func @numbers(%condition: i1, %n: index) -> tensor<?xf32> {
  %numbers = tensor.generate %n {
  ^bb0(%i: index):
    %number = scf.if %condition -> f32 {
      %one = arith.constant 1.0 : f32
      scf.yield %one : f32
    } else {
      %two = arith.constant 2.0 : f32
      scf.yield %two : f32
    }
    tensor.yield %number : f32
  } : tensor<?xf32>
  return %numbers : tensor<?xf32>
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(func.func(convert-scf-to-cf))",
      disable_threading: true,
      verify_each: false
    }
  }
#-}
