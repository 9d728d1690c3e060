// RUN: mli-opt %s --split-input-file --verify-diagnostics

// S15
// expected-error @below {{expected 'mli.rounding' to be up or convergent, but got "down"}}
module attributes {mli.rounding = "down"} {}

// -----

// S15
// expected-error @below {{expected 'mli.accumulation' to be narrow, full-products, full-averages or full, but got 1 : i32}}
module attributes {mli.accumulation = 1 : i32} {}

// -----

// S15
// expected-error @below {{expected 'mli.accumulation' to be on a module, but got func.func}}
func.func private @f() attributes {mli.accumulation = "full"}
