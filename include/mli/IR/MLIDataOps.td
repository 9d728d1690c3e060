// SPDX-License-Identifier: Apache-2.0
//
// Operations that hold or move elements and change none of them.

#ifndef MLI_IR_MLIDATAOPS_TD
#define MLI_IR_MLIDATAOPS_TD

include "mli/IR/MLIKernelOp.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def MLI_ConstantOp : MLI_Op<"constant",
    [ConstantLike, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "weights, biases and other data known at compile time";
  let description = [{
    `result[i] = value[i]`: the codes of `value`, an attribute of the storage
    type (i8, i16 or i32), as elements of the quantised type. A memref result is
    read-only memory.

    Operations on constants are folded by calling the function of the runtime
    that would run, in the modes that are set where the program is compiled (the
    defaults if none are), as long as their result has at most 1 MiB:
    `mli.convert`, `mli.permute`, `mli.mov`, `mli.relu`, `mli.leaky_relu` and
    `mli.eltwise_*`; and `mli.subtensor` and `mli.reshape` where the program gets
    no larger by it.

    Example:
    ```mlir
    func.func @bias() -> tensor<2x!mli.sa32<5:14:0>> {
      %bias = mli.constant dense<[3774, -107]> : tensor<2xi32>
                to tensor<2x!mli.sa32<5:14:0>>
      return %bias : tensor<2x!mli.sa32<5:14:0>>
    }
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs MLI_ShapedOf<MLI_AnyElements>:$result);
  let assemblyFormat = "$value attr-dict `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MLI_ReshapeOp : MLI_Op<"reshape", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewDest"]>]> {
  let summary = "see the same elements in another shape";
  let description = [{
    Keeps the elements in row-major order: `result[t] = source[s]` where `t` and
    `s` are the same position in it. A quantised axis is renumbered and
    never merged with another dimension or split. On memrefs the result is a
    view, so the source has no gaps, and the result starts where it does, or both
    have an `#mli.layout` that keeps each element where it is.

    Example:
    ```mlir
    !batched = tensor<1x8x8x3x!mli.sa8<1:4:-128>>
    !map = tensor<8x8x3x!mli.sa8<1:4:-128>>
    func.func @drop_batch(%source: !batched) -> !map {
      %result = mli.reshape %source : !batched to !map
      return %result : !map
    }
    ```
  }];
  let arguments = (ins MLI_ShapedOf<MLI_AnyElements # [F32]>:$source);
  let results = (outs MLI_ShapedOf<MLI_AnyElements # [F32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let extraClassDeclaration = [{
    /// The view of `shape` of a buffer of type `source`, which has no gaps and no
    /// `#mli.layout`, with elements of `element`.
    static ::mlir::MemRefType inferViewType(::mlir::MemRefType source,
                                            ::llvm::ArrayRef<int64_t> shape,
                                            ::mlir::Type element);
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MLI_MovOp : MLI_PlainKernelOp<"mov", ""> {
  let initRead = "isPartial()";
  let summary = "copy, slice, concatenate, subsample, permute or pad";
  let description = [{
    One `mli_mov_tensor_sync`. Dimension `i` of the written block comes from
    dimension `p = permutation[i]` of the source and is

    ```
    written[i] = ceil(sizes[p] / steps[p])
    init[dst_offsets + t] = source[s]
      where s[p] = t[i] * steps[p] + offsets[p] - pad_low[p]
    ```

    An element from outside the source is the code 0, whatever its zero point.
    Parameters along a quantised axis go where their indices go, and those of
    padding are scale 1, no fraction bits and zero point 0: the type of `init`
    says which it has.
    `sizes` counts padding and defaults to what is left of the source after
    `offsets`. Elements of `init` outside the written block stay as they are;
    without `dst_offsets` the block is all of `init`. Each list is left out
    where it says nothing: no offset, step 1, no padding, no permutation.
    `reason` is why a pass inserted it where others see a view.

    Example:
    ```mlir
    !in = tensor<6x6x4x!mli.fx8<5>>
    !padded = tensor<8x8x4x!mli.fx8<5>>
    func.func @pad(%source: !in, %init: !padded) -> !padded {
      %result = mli.mov ins(%source : !in) outs(%init : !padded)
                  {pad_low = array<i64: 1, 1, 0>, pad_high = array<i64: 1, 1, 0>}
                  -> !padded
      return %result : !padded
    }
    ```
  }];
  defvar map = MLI_ShapedOf<MLI_AnyElements # [F32]>;
  let arguments = (ins map:$input, map:$init,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$offsets,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$sizes,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$steps,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dst_offsets,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$permutation,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$pad_low,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$pad_high,
    OptionalAttr<MLI_CopyReasonAttr>:$reason);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // A copy of all elements.
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
                   CArg<"::mli::CopyReasonAttr", "{}">:$reason), [{
      $_state.addOperands({input, init});
      $_state.addTypes(::mli::detail::tensorTypes(init));
      if (reason)
        $_state.getOrAddProperties<Properties>().setReason(reason);
    }]>];
  let extraKernelClassDeclaration = [{
    /// Whether elements of `init` outside the written block live on.
    bool isPartial() { return !getDstOffsets().empty(); }
    /// Whether every element goes to the index it comes from.
    bool keepsIndices();
  }];
  let hasCanonicalizeMethod = 1;
}

def MLI_AdvanceOp : MLI_DestinationOp<"advance"> {
  let summary = "move the rows of a ring up, in place";
  let description = [{
    `result[i, ...] = init[i + rows, ...]` for `i < size - rows`, where `i` is the
    index of dimension `dim`, of `size` rows. The last `rows` rows are undefined:
    whoever reads them writes them before. A ring is a buffer of the last rows of
    a map that a loop computes row by row; the window of the next kernel is
    contiguous in it, which one at `row mod size` is not.

    Source and destination are one operand, so that it never becomes two buffers:
    slices of one tensor that are inserted into it are copied twice.

    Example:
    ```mlir
    !ring = tensor<3x8x4x!mli.sa8<1:4:-128>>
    !row = tensor<1x8x4x!mli.sa8<1:4:-128>>
    func.func @next_row(%ring: !ring, %row: !row) -> !ring {
      %advanced = mli.advance outs(%ring : !ring) {rows = 1} -> !ring
      %result = tensor.insert_slice %row into %advanced[2, 0, 0] [1, 8, 4]
                  [1, 1, 1] : !row into !ring
      return %result : !ring
    }
    ```
  }];
  let arguments = (ins MLI_ShapedOf<MLI_AnyElements # [F32]>:$init,
    I64Attr:$rows, DefaultValuedAttr<I64Attr, "0">:$dim);
  let assemblyFormat = [{
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

#endif // MLI_IR_MLIDATAOPS_TD
