// States that are written in place, and states whose halves take turns.
!in = tensor<1x4x!mli.fx16<12>>
!state = tensor<3x!mli.fx16<15>>
!cell = tensor<3x!mli.fx16<12>>
!row = tensor<1x3x!mli.fx16<15>>

// Both in place: the cell is read and written by one kernel, the output is
// copied to the state when nothing reads the old one any more.
func.func @lstm(%in: !in, %old: !state {mli.state}, %cell: !cell {mli.state})
    -> (!row, !state, !cell) {
  %weights = mli.constant dense<[[[900, -300, 500], [-700, 200, 100], [300, 400, -900], [50, 60, 70]], [[-500, 800, 100], [400, -100, 300], [20, 500, 600], [-90, 80, 10]], [[600, 700, -800], [100, 300, -200], [-400, 900, 100], [30, -60, 90]], [[200, -900, 400], [800, 100, -500], [600, -200, 700], [10, 20, -30]]]> : tensor<4x4x3xi16> to tensor<4x4x3x!mli.fx16<10>>
  %recurrent = mli.constant dense<[[[300, -500, 100], [900, 200, -400], [-100, 600, 800]], [[700, 100, -300], [-200, 500, 400], [600, -800, 100]], [[-900, 300, 200], [100, -600, 700], [400, 800, -500]], [[500, 200, -700], [300, 900, -100], [-800, 400, 600]]]> : tensor<4x3x3xi16> to tensor<4x3x3x!mli.fx16<10>>
  %bias = mli.constant dense<[[100, -200, 300], [-50, 400, 10], [70, 80, -90], [500, -600, 20]]> : tensor<4x3xi16> to tensor<4x3x!mli.fx16<12>>
  %init = tensor.empty() : !row
  %next, %result = mli.lstm_cell
    ins(%in, %old, %weights, %recurrent, %bias
        : !in, !state, tensor<4x4x3x!mli.fx16<10>>, tensor<4x3x3x!mli.fx16<10>>, tensor<4x3x!mli.fx16<12>>)
    outs(%cell, %init : !cell, !row) {act = #mli.rnn_act<tanh>} -> !cell, !row
  %new = mli.reshape %result : !row to !state
  return %result, %new, %next : !row, !state, !cell
}

// In turns: the kernel that writes the new state reads all of the old one.
func.func @gru(%in: !in, %old: !state {mli.state}) -> (!row, !state) {
  %weights = mli.constant dense<[[[900, -300, 500], [-700, 200, 100], [300, 400, -900], [50, 60, 70]], [[-500, 800, 100], [400, -100, 300], [20, 500, 600], [-90, 80, 10]], [[600, 700, -800], [100, 300, -200], [-400, 900, 100], [30, -60, 90]]]> : tensor<3x4x3xi16> to tensor<3x4x3x!mli.fx16<10>>
  %recurrent = mli.constant dense<[[[300, -500, 100], [900, 200, -400], [-100, 600, 800]], [[700, 100, -300], [-200, 500, 400], [600, -800, 100]], [[-900, 300, 200], [100, -600, 700], [400, 800, -500]]]> : tensor<3x3x3xi16> to tensor<3x3x3x!mli.fx16<10>>
  %bias = mli.constant dense<[[100, -200, 300], [-50, 400, 10], [70, 80, -90]]> : tensor<3x3xi16> to tensor<3x3x!mli.fx16<12>>
  %init = tensor.empty() : !row
  %result = mli.gru_cell
    ins(%in, %old, %weights, %recurrent, %bias
        : !in, !state, tensor<3x4x3x!mli.fx16<10>>, tensor<3x3x3x!mli.fx16<10>>, tensor<3x3x!mli.fx16<12>>)
    outs(%init : !row) -> !row
  %new = mli.reshape %result : !row to !state
  %other = tensor.empty() : !row
  %out = mli.relu ins(%result : !row) outs(%other : !row)
    {relu = #mli.relu<gen>} -> !row
  return %out, %new : !row, !state
}

// A delay line: one state goes on to the next, which is in place, while the
// first takes turns; and one that is never read.
func.func @delay(%in: !in, %first: !in {mli.state}, %second: !in {mli.state},
                 %none: !in {mli.state}) -> (!in, !in, !in, !in) {
  %init = tensor.empty() : !in
  %sum = mli.eltwise_add ins(%in, %second : !in, !in) outs(%init : !in) -> !in
  return %sum, %in, %first, %in : !in, !in, !in, !in
}

// A shift register: elements move within one state.
func.func @register(%in: !in, %old: tensor<4x4x!mli.fx16<12>> {mli.state})
    -> (tensor<4x4x!mli.fx16<12>>, tensor<4x4x!mli.fx16<12>>) {
  %rest = tensor.extract_slice %old[1, 0] [3, 4] [1, 1]
    : tensor<4x4x!mli.fx16<12>> to tensor<3x4x!mli.fx16<12>>
  %new = tensor.concat dim(0) %rest, %in
    : (tensor<3x4x!mli.fx16<12>>, !in) -> tensor<4x4x!mli.fx16<12>>
  %init = tensor.empty() : tensor<4x4x!mli.fx16<12>>
  %out = mli.relu ins(%new : tensor<4x4x!mli.fx16<12>>)
    outs(%init : tensor<4x4x!mli.fx16<12>>) {relu = #mli.relu<gen>}
    -> tensor<4x4x!mli.fx16<12>>
  return %out, %new : tensor<4x4x!mli.fx16<12>>, tensor<4x4x!mli.fx16<12>>
}
