!in = tensor<1x16x!mli.fx16<12>>
!state = tensor<8x!mli.fx16<15>>
!cell = tensor<8x!mli.fx16<12>>
!weights = tensor<4x16x8x!mli.fx16<13>>
!recurrent = tensor<4x8x8x!mli.fx16<13>>
!bias = tensor<4x8x!mli.fx16<13>>
!out = tensor<1x8x!mli.fx16<15>>

func.func @main(%input: !in, %state: !state, %cell: !cell) -> (!cell, !out) {
  %weights = mli.constant dense<1> : tensor<4x16x8xi16> to !weights
  %recurrent = mli.constant dense<2> : tensor<4x8x8xi16> to !recurrent
  %bias = mli.constant dense<3> : tensor<4x8xi16> to !bias
  %init = tensor.empty() : !out
  %next, %result = mli.lstm_cell
    ins(%input, %state, %weights, %recurrent, %bias
        : !in, !state, !weights, !recurrent, !bias)
    outs(%cell, %init : !cell, !out) -> !cell, !out
    loc(fused<"operator 3 (UNIDIRECTIONAL_SEQUENCE_LSTM)">["memory"])
  return %next, %result : !cell, !out
}
