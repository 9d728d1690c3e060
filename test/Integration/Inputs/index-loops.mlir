// Loops and arithmetic on indices, on buffers: each row that is not the last is added
// to the next one, if that is before row 3.
!map = memref<8x4x!mli.fx8<3>>
!row = memref<1x4x!mli.fx8<3>, strided<[4, 1], offset: ?>>

func.func @main(%input: !map, %output: !map {mli.result = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %next = arith.addi %i, %c1 : index
    %is_before = arith.cmpi slt, %next, %c3 : index
    %is_inside = arith.cmpi sge, %i, %c0 : index
    %both = arith.andi %is_before, %is_inside : i1
    %in = mli.subtensor %input[%i, 0] [1, 4] : !map to !row
    scf.if %both {
      %out = mli.subtensor %output[%next, 0] [1, 4] : !map to !row
      mli.eltwise_add ins(%in, %in : !row, !row) outs(%out : !row)
    } else {
      %last = arith.minsi %next, %c3 : index
      %out = mli.subtensor %output[%last, 0] [1, 4] : !map to !row
      mli.mov ins(%in : !row) outs(%out : !row)
    }
  }
  return
}
