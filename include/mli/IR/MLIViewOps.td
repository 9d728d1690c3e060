// SPDX-License-Identifier: Apache-2.0
//
// Memory, and slices of it.

#ifndef MLI_IR_MLIVIEWOPS_TD
#define MLI_IR_MLIVIEWOPS_TD

include "mli/IR/MLIKernelOp.td"
include "mlir/Interfaces/SubsetOpInterface.td"
include "mlir/Interfaces/ViewLikeInterface.td"

/// OffsetSizeAndStrideOpInterface for operations that check its rule with their
/// own.
def MLI_OffsetSizeAndStrideOpInterface
    : OpInterfaceTrait<"OffsetSizeAndStrideOpInterface"> {
  let cppNamespace = "::mli::verified_once";
}

def MLI_SubtensorOp : MLI_Op<"subtensor", [
    Pure, AttrSizedOperandSegments, MLI_OffsetSizeAndStrideOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<SubsetOpInterface,
        ["getAccessedHyperrectangularSlice"]>,
    DeclareOpInterfaceMethods<SubsetExtractionOpInterface>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewDest"]>]> {
  let summary = "see a block of a tensor";
  let description = [{
    `result[t] = source[offsets + t]`, `sizes` elements in each dimension; on
    memrefs a view of the same memory. Where the result has a lower rank, the
    first dimensions of size 1 are dropped, as many as it takes. Each offset and
    each size is an attribute or a value.

    A quantised axis keeps the parameters of its indices, so its offset and size
    are attributes, and it is never dropped. In local memory the result is in the
    layout that the source has there, with other strides if it must be, and
    starts at the NPU of its first channel; a block that cuts a group of a
    storage mode or a channel of a matrix has none, nor one whose first channel
    is a value.

    Example:
    ```mlir
    !weights = memref<3x3x8x4x!mli.sa8<axis = 3, {5:3:0, 7:3:0, 9:3:0, 2:3:0}>>
    !half = memref<3x3x8x2x!mli.sa8<axis = 3, {9:3:0, 2:3:0}>,
                   strided<[96, 32, 4, 1], offset: 2>>
    func.func @last_filters(%weights: !weights) -> !half {
      %result = mli.subtensor %weights[0, 0, 0, 2] [3, 3, 8, 2]
                  : !weights to !half
      return %result : !half
    }
    ```
  }];
  let arguments = (ins
    MLI_ShapedOf<MLI_AnyElements # [F32]>:$source,
    Variadic<Index>:$offsets, Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs MLI_ShapedOf<MLI_AnyElements # [F32]>:$result);
  let assemblyFormat = [{
    $source `` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($sizes, $static_sizes)
    attr-dict `:` type($source) `to` type($result)
  }];
  let extraClassDeclaration = [{
    /// For OffsetSizeAndStrideOpInterface: one step in each dimension.
    ::mlir::OperandRange getStrides();
    ::llvm::ArrayRef<int64_t> getStaticStrides();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
    static unsigned getOffsetSizeAndStrideStartOperandIndex() { return 1; }
    ::std::array<unsigned, 3> getArrayAttrMaxRanks();
    /// The dimensions of the source that the result keeps.
    ::llvm::SmallVector<int64_t> getKeptDims();
    /// The type of the result for a source of type `source`, which has the
    /// shape and elements of this one's; null if its layout has no such view.
    ::mlir::ShapedType inferResultType(::mlir::ShapedType source);
    /// The type of a block of `source` that keeps all dimensions; null where
    /// `source` has no strides. Offset and size of a quantised axis are static.
    static ::mlir::ShapedType
    inferBlockType(::mlir::ShapedType source, ::llvm::ArrayRef<int64_t> offsets,
                   ::llvm::ArrayRef<int64_t> sizes);
    /// The same of the block of `sizes` elements from `offsets` on, values as
    /// ShapedType::kDynamic, that has rank `rank`. `target` is for a source in
    /// an mli layout, and may be null for others.
    static ::mlir::ShapedType
    inferResultType(::mlir::ShapedType source, ::llvm::ArrayRef<int64_t> offsets,
                    ::llvm::ArrayRef<int64_t> sizes, int64_t rank,
                    ::mli::TargetAttr target);
    /// The dimensions of a block of `sizes` that rank `rank` keeps.
    static ::llvm::SmallVector<int64_t>
    getKeptDims(::llvm::ArrayRef<int64_t> sizes, int64_t rank);
  }];
  let builders = [
    /// A block that keeps all dimensions, of the type of `inferBlockType`.
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>,
    /// A block of rank `rank`, of the type of `inferResultType`.
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "int64_t":$rank, CArg<"::mli::TargetAttr", "{}">:$target)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def MLI_AllocOp : MLI_Op<"alloc",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "memory for a tensor";
  let description = [{
    A new buffer, of undefined contents. `address` is its place in memory that
    is planned at compile time, in bytes (in the local memory of NPUs `address =
    start NPU * bytes of each + offset there`): with it the operation names
    memory that is there all the time. Without it `mli-assign-addresses` finds a place,
    or the buffer comes from the heap and `memref.dealloc` frees it.

    What the planner may do with a buffer in local memory: `start_npus` are the
    NPUs that it may start on, of which every view of it is legal (default: that
    of its layout, which is one of them); buffers of one function with the same
    `start_group` start on the same NPU; no byte of it lies in one of
    `avoid_banks`.

    Example:
    ```mlir
    func.func @buffer() -> memref<4x4x8x!mli.sa8<1:4:-128>> {
      %buffer = mli.alloc {address = 4096 : i64}
                  : memref<4x4x8x!mli.sa8<1:4:-128>>
      return %buffer : memref<4x4x8x!mli.sa8<1:4:-128>>
    }
    ```

    One of several NPUs to start on, the same for both operands of a copy:
    ```mlir
    #aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4,
                           npu_elements = 8192, strides = [64, 64, 4, 1]>
    !map = memref<4x4x3x!mli.fx16<12>, #aligned, #mli.space<local>>
    module attributes {mli.target =
        #mli.target<custom, npus = 4, npu_bytes = 16384>} {
      func.func @copy() {
        %a = mli.alloc {start_npus = array<i64: 0, 1>, start_group = 7 : i64}
               : !map
        %b = mli.alloc {start_npus = array<i64: 0, 1>, start_group = 7 : i64,
                        avoid_banks = array<i64: 0>} : !map
        mli.mov ins(%a : !map) outs(%b : !map)
        return
      }
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$address,
    OptionalAttr<DenseI64ArrayAttr>:$start_npus,
    OptionalAttr<I64Attr>:$start_group,
    OptionalAttr<DenseI64ArrayAttr>:$avoid_banks);
  let results = (outs MLI_MemRefOf<MLI_AnyElements # [F32]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let builders = [
    // A buffer at `address`.
    OpBuilder<(ins "::mlir::MemRefType":$type, "int64_t":$address), [{
      build($_builder, $_state, type, $_builder.getI64IntegerAttr(address),
            /*start_npus=*/nullptr, /*start_group=*/nullptr,
            /*avoid_banks=*/nullptr);
    }]>];
  let hasVerifier = 1;
}

#endif // MLI_IR_MLIVIEWOPS_TD
