// What a module says of its machine: pointers of 64 bits are what the structs of
// calls are laid out for.
// RUN: mli-opt %s --convert-mli-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

!row = memref<4x!mli.fx8<3>>

// U7
// CHECK: module attributes {llvm.data_layout = "e-p:64:64"}
// CHECK-DAG: llvm.mlir.global appending constant @llvm.compiler.used() {{{.*}}section = "llvm.metadata"} : !llvm.array<1 x ptr>
// CHECK-DAG: llvm.mlir.global internal constant @mli_calls_need_pointers_of_64_bits() {{.*}} : i64
// CHECK: llvm.mlir.addressof @mli_calls_need_pointers_of_64_bits
// CHECK: llvm.ptrtoint
module {
  func.func @nothing_said(%row: !row) {
    mli.relu ins(%row : !row) outs(%row : !row) {relu = #mli.relu<gen>}
    return
  }
}

// -----

// What calls nothing can be compiled for any machine.
// CHECK: module attributes {llvm.data_layout = "e-p:64:64"}
// CHECK-NOT: mli_calls_need
module {
  func.func @no_calls() {
    return
  }
}

// -----

// CHECK: llvm.data_layout = "e-m:e-p:64:64-i64:64-n8:16:32:64-S128"
module attributes {llvm.data_layout = "e-m:e-p:64:64-i64:64-n8:16:32:64-S128"} {}

// -----

// CHECK: llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {}

// -----

// CHECK: dlti.dl_spec
// CHECK-SAME: llvm.data_layout = "e-p:64:64"
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 64>} {}

// -----

// U7
// expected-error @below {{expected 'llvm.data_layout' to have pointers of 64 bits, as the structs of calls have, but got 32}}
module attributes {llvm.data_layout = "e-p:32:32"} {}

// -----

// expected-error @below {{expected 'llvm.data_layout' to be little-endian, as packed layers are, but got big-endian}}
module attributes {llvm.data_layout = "E-p:64:64"} {}

// -----

// expected-error @below {{expected 'llvm.target_triple' to have pointers of 64 bits, as the structs of calls have, but got 32}}
module attributes {llvm.target_triple = "armv7m-none-eabi"} {}

// -----

// expected-error @below {{expected 'llvm.target_triple' to have pointers of 64 bits, as the structs of calls have, but got 32}}
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnux32"} {}

// -----

// expected-error @below {{expected 'llvm.target_triple' to be little-endian, as packed layers are, but got big-endian}}
module attributes {llvm.target_triple = "powerpc64-unknown-linux-gnu"} {}

// -----

// expected-error @below {{expected 'dlti.dl_spec' to have pointers of 64 bits, as the structs of calls have, but got 32}}
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {}

// -----

// expected-error @below {{expected 'dlti.dl_spec' to be little-endian, as packed layers are, but got big-endian}}
module attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big">} {}

// -----

module {
  // expected-error @below {{expected 'llvm.data_layout' to have pointers of 64 bits, as the structs of calls have, but got 16}}
  module attributes {llvm.data_layout = "e-p:16:16"} {}
}

// -----

// S14
// What this dialect says of a module, a function and what it takes has been
// said: LLVM IR has no place for it.
// CHECK: module @attributes
// CHECK-NOT: {{mli[.](target|layout_policy|scale|state|arena)}}
module @attributes attributes {mli.target = #mli.target<vpx>, mli.layout_policy = {mode = "4N"}} {
  func.func @ports(%state: memref<4x!mli.fx8<3>> {mli.state = "state", mli.scale = 1.0 : f64}) {
    return
  }
}
