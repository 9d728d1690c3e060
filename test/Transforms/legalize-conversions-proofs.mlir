// Conversions are composed where every code of all parameters was tried: equal
// parameters once, and no more codes than are worth it.
// RUN: mli-opt %s --mli-legalize-conversions --split-input-file --verify-diagnostics | FileCheck %s

!wide = tensor<1x70x!mli.fx16<9>>
!rows = tensor<1x70x!mli.sa32<axis = 1, {1:20:0, 2:20:0, 3:20:0, 4:20:0, 5:20:0, 6:20:0, 7:20:0, 8:20:0, 9:20:0, 10:20:0, 11:20:0, 12:20:0, 13:20:0, 14:20:0, 15:20:0, 16:20:0, 17:20:0, 18:20:0, 19:20:0, 20:20:0, 21:20:0, 22:20:0, 23:20:0, 24:20:0, 25:20:0, 26:20:0, 27:20:0, 28:20:0, 29:20:0, 30:20:0, 31:20:0, 32:20:0, 33:20:0, 34:20:0, 35:20:0, 36:20:0, 37:20:0, 38:20:0, 39:20:0, 40:20:0, 41:20:0, 42:20:0, 43:20:0, 44:20:0, 45:20:0, 46:20:0, 47:20:0, 48:20:0, 49:20:0, 50:20:0, 51:20:0, 52:20:0, 53:20:0, 54:20:0, 55:20:0, 56:20:0, 57:20:0, 58:20:0, 59:20:0, 60:20:0, 61:20:0, 62:20:0, 63:20:0, 64:20:0, 65:20:0, 66:20:0, 67:20:0, 68:20:0, 69:20:0, 70:20:0}>>
!codes = tensor<1x70x!mli.fx16<8>>

// CHECK-LABEL: func.func @too_many
// CHECK-COUNT-2: mli.convert
func.func @too_many(%x: !wide, %middle: !rows, %init: !codes) -> !codes {
  %0 = mli.convert ins(%x : !wide) outs(%middle : !rows) -> !rows
  // expected-remark @below {{two conversions stay: expected at most 4194304 codes of all parameters to try, but got more}}
  %1 = mli.convert ins(%0 : !rows) outs(%init : !codes) -> !codes
  return %1 : !codes
}

// -----

!wide = tensor<1x70x!mli.fx16<9>>
!rows = tensor<1x70x!mli.sa32<axis = 1, {1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0, 1:9:0}>>
!codes = tensor<1x70x!mli.fx16<8>>

// The same parameters at each index.
// CHECK-LABEL: func.func @equal
// CHECK: mli.convert
// CHECK-NOT: mli.convert
// CHECK: return
func.func @equal(%x: !wide, %middle: !rows, %init: !codes) -> !codes {
  %0 = mli.convert ins(%x : !wide) outs(%middle : !rows) -> !rows
  // expected-remark @below {{two conversions are one: all codes from -32768 to 32767 come out the same}}
  %1 = mli.convert ins(%0 : !rows) outs(%init : !codes) -> !codes
  return %1 : !codes
}
