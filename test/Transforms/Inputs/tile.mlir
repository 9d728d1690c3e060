// Tiles the kernels that ask for it: `tile = d` by 2 along dimension d, `tile =
// [a, b]` by a and b, `fuse = [a, b]` with their producers, `forall = d` by 2 in a
// parallel loop.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_0(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {tile = 0} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_for %kernels
      tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @tile_1(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {tile = 1} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_for %kernels
      tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @tile_2(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {tile = 2} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_for %kernels
      tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @tile_3(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {tile = 3} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_for %kernels
      tile_sizes [0, 0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @tile_2_7(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {tile = [2, 7]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.tile_using_for %kernels
      tile_sizes [2, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @fuse_2_7(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {fuse = [2, 7]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loops:2 = transform.structured.fuse %kernels tile_sizes [2, 7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @forall_0(
      %root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match attributes {forall = 0} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiles, %loop = transform.structured.tile_using_forall %kernels
      tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    transform.include @tile_0 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @tile_1 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @tile_2 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @tile_3 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @tile_2_7 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @fuse_2_7 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.include @forall_0 failures(propagate) (%root)
      : (!transform.any_op) -> ()
    transform.yield
  }
}
