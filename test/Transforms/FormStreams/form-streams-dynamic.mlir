// An arena needs tensors of known sizes.
// RUN: mli-opt %s --mli-form-streams=arena=min --verify-diagnostics
// RUN: mli-opt %s --mli-form-streams -o /dev/null

!q = !mli.sa8<1:4:-128>

func.func @rows(%a: tensor<?x4x4x!q>, %n: index) -> tensor<?x4x4x!q> {
  %e = tensor.empty(%n) : tensor<?x4x4x!q>
  // expected-error @+1 {{expected tensors of known sizes for an arena, up to 2^40 bytes, but this one has none}}
  %r = mli.relu ins(%a : tensor<?x4x4x!q>) outs(%e : tensor<?x4x4x!q>) {relu = #mli.relu<gen>} -> tensor<?x4x4x!q>
  return %r : tensor<?x4x4x!q>
}
