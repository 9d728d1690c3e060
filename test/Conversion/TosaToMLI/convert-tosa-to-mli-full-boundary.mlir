// RUN: mli-opt --convert-tosa-to-mli=full --split-input-file --verify-diagnostics %s -o /dev/null

// All operations are raised, but what meets them is not.

// expected-error @below {{cannot be raised to mli: expected argument 0 to be 'tensor<4x!mli.sa8<1:0:0>>' for raised users, but got 'tensor<4xi8>'}}
func.func @another_user(%input: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %result = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  // expected-note @below {{used as it is by 'func.return'}}
  return %result, %input : tensor<4xi8>, tensor<4xi8>
}

// -----

// expected-error @below {{cannot be raised to mli: expected argument 0 to be 'tensor<4x!mli.sa8<1:0:0>>' for raised users, but got 'tensor<4xi8>'}}
func.func private @callee(%input: tensor<4xi8>) -> tensor<4xi8> {
  %result = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  // expected-error @below {{'func.return' op cannot be raised to mli: expected operand 0 to be 'tensor<4x!mli.sa8<1:0:0>>' as it is raised, but got 'tensor<4xi8>'}}
  return %result : tensor<4xi8>
}

func.func @pointer() -> ((tensor<4xi8>) -> tensor<4xi8>) {
  %pointer = constant @callee : (tensor<4xi8>) -> tensor<4xi8>
  return %pointer : (tensor<4xi8>) -> tensor<4xi8>
}

// -----

func.func @region(%input: tensor<4xi8>, %flag: i1) -> tensor<4xi8> {
  // expected-error @below {{'scf.if' op cannot be raised to mli: expected result 0 to be 'tensor<4x!mli.sa8<1:0:0>>' for raised users, but got 'tensor<4xi8>'}}
  %chosen = scf.if %flag -> tensor<4xi8> {
    %inner = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
    // expected-error @below {{'scf.yield' op cannot be raised to mli: expected operand 0 to be 'tensor<4x!mli.sa8<1:0:0>>' as it is raised, but got 'tensor<4xi8>'}}
    scf.yield %inner : tensor<4xi8>
  } else {
    %inner = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
    // expected-error @below {{'scf.yield' op cannot be raised to mli: expected operand 0 to be 'tensor<4x!mli.sa8<1:0:0>>' as it is raised, but got 'tensor<4xi8>'}}
    scf.yield %inner : tensor<4xi8>
  }
  %result = tosa.clamp %chosen {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %result : tensor<4xi8>
}

// -----

// Blocks in another order than they run in are no boundary.

func.func @blocks(%input: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  cf.br ^first
^second:
  %result = tosa.clamp %between {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  return %result : tensor<1x4x4x2xi8>
^first:
  %between = tosa.clamp %input {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  cf.br ^second
}

// -----

func.func @two_values_as_one(%a: i8, %b: i8) -> i16 {
  // expected-error @below {{cannot be raised to mli}}
  %0 = builtin.unrealized_conversion_cast %a, %b : i8, i8 to i16
  return %0 : i16
}
