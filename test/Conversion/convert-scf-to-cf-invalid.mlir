// What has no form with branches is told.
// RUN: mli-opt %s --mli-convert-scf-to-cf --verify-diagnostics

func.func @f(%t: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+1 {{'scf.forall' op expected an operation that branches can replace, but got one with other operands or results}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xi8> {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xi8> to tensor<1xi8>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi8> into tensor<4xi8>
    }
  }
  return %r : tensor<4xi8>
}
