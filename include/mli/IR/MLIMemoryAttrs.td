// SPDX-License-Identifier: Apache-2.0
//
// Attributes that specify where data lies: the memory, its size and the layout
// in it. Their arithmetic is that of the Layout library.

#ifndef MLI_IR_MLIMEMORYATTRS_TD
#define MLI_IR_MLIMEMORYATTRS_TD

include "mli/IR/MLIDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

def MLI_Space : I32EnumAttr<"Space", "memory that data is in", [
    I32EnumAttrCase<"system", 0>,
    I32EnumAttrCase<"local", 1>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_SpaceAttr : EnumAttr<MLI_Dialect, MLI_Space, "space"> {
  let summary = "memory that data is in";
  let description = [{
    `system`: plain memory, what a memref without a memory space is in; `local`:
    the memory of the NPUs. In the memory-space slot of a memref it is where the
    buffer is, as the encoding of a tensor where its value is wanted.

    Example:
    ```mlir
    func.func private @fetch(memref<4x!mli.fx16<12>, #mli.space<system>>)
        -> tensor<4x!mli.fx16<12>, #mli.space<local>>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

class MLI_MemoryAttr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<MLI_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

def MLI_TargetAttr : MLI_MemoryAttr<"Target", "target"> {
  let summary = "local memory of a target";
  let description = [{
    The NPUs, the bytes of local memory in each and the banks that these consist
    of, the bytes to which the aligned layout rounds a channel, and those that
    divide the local address of a copy. A preset is spelled by its name, and
    keeps it; a name with other numbers after it is a target of its own.

    ```
    target ::= `#mli.target` `<` (preset | `custom`) (`,` field `=` int)* `>`
    preset ::= `bm1684` | `bm1684x` | `bm1688` | `bm1690` | `vpx`
    field  ::= `npus` | `npu_bytes` | `unit` | `banks` | `dma_align`
    ```

    Passes read it as the attribute `mli.target` of the module around them.

    Example:
    ```mlir
    module attributes {mli.target = #mli.target<vpx, npu_bytes = 65536>} {}
    ```
  }];
  let parameters = (ins
    StringRefParameter<"preset that it is, or nothing">:$preset,
    "::mli::layout::Target":$value);
  let extraClassDeclaration = [{
    /// The target that an option spells as `layout::parseTarget` reads it.
    /// Nothing, and the reason in `error`, if it does not.
    static TargetAttr fromText(::mlir::MLIRContext *context,
                               ::llvm::StringRef text, std::string &error);
  }];
}

def MLI_LayoutDim : I32EnumAttr<"LayoutDim", "dimension of local memory", [
    I32EnumAttrCase<"n", 0>, I32EnumAttrCase<"c", 1>,
    I32EnumAttrCase<"h", 2>, I32EnumAttrCase<"w", 3>]> {
  let cppNamespace = "::mli";
  let genSpecializedAttr = 0;
}

def MLI_LayoutAttr : MLI_MemoryAttr<"Layout", "layout", [
    DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
        ["isIdentity", "verifyLayout", "getStridesAndOffset"]>]> {
  let summary = "how a buffer lies in the local memory of NPUs";
  let description = [{
    `dims` names for each dimension of the buffer what it is in local memory:
    its channels are scattered over `npus` NPUs from `start_npu` on. Others than
    those named have one entry. Strides are those of N, C, H and W, in packed
    elements; that of C leads from one channel of an NPU to the next there.

    ```
    layout ::= `#mli.layout` `<` kind (`,` `mode` `=` mode)? `,` `dims` `=` `[` (dim (`,` dim)*)? `]`
               `,` `npus` `=` int `,` `npu_elements` `=` int (`,` `start_npu` `=` int)?
               (`,` `columns` `=` int)? `,` `strides` `=` `[` int `,` int `,` int `,` int `]` `>`
    kind   ::= `continuous` | `aligned` | `compact` | `matrix` | `strided`
    mode   ::= `4N` | `2N` | `2IC`
    dim    ::= `n` | `c` | `h` | `w`
    ```

    The map to addresses has one result, the element of local memory, counted
    from offset 0 of NPU 0 with `npu_elements` = S in each of the X NPUs:

    ```
    channel = start_npu + c
    block = n floordiv G * strides.n + channel floordiv X * strides.c
            + h * strides.h + w * strides.w
    element = channel mod X * S + block * G + n mod G
    ```

    G elements are packed: 4 in mode 4N, 2 in 2N and 2IC, else 1. `columns` = W
    makes a matrix of the buffer, whose column m, dimension `w`, is w = m mod W
    of channel c = m floordiv W. The address of the buffer within each NPU is no
    part of the type. Shapes are static, and strides those of the kind.

    Example: a feature map of 4 x 5 x 3, which starts in the third of four NPUs
    and has two channels there.
    ```mlir
    #aligned = #mli.layout<aligned, dims = [h, w, c], npus = 4,
                           npu_elements = 8192, start_npu = 2,
                           strides = [128, 64, 5, 1]>
    func.func private @map(
        memref<4x5x3x!mli.fx16<12>, #aligned, #mli.space<local>>)
    ```
  }];
  let parameters = (ins
    "::mli::layout::Kind":$kind,
    "::mli::layout::Mode":$mode,
    ArrayRefParameter<"::mli::LayoutDim", "dimensions of the buffer">:$dims,
    "int64_t":$npus,
    "int64_t":$npuElements,
    "int64_t":$startNpu,
    "int64_t":$columns,
    "::mli::layout::Dims":$strides);
  let builders = [
    // The attribute of `layout`, for a buffer with these dimensions.
    AttrBuilder<(ins "const ::mli::layout::TensorLayout &":$layout,
                     "::llvm::ArrayRef<::mli::LayoutDim>":$dims)>];
  let extraClassDeclaration = [{
    /// The layout that the Layout library gives a buffer of `shape`, which has
    /// `verifyLayout`, with elements of `bytes` bytes on `target`, at offset 0
    /// of its start NPU.
    ::mli::layout::TensorLayout
    getTensorLayout(::llvm::ArrayRef<int64_t> shape, int64_t bytes,
                    const ::mli::layout::Target &target) const;
    /// The index in local memory of the element at `index` of the buffer.
    ::mli::layout::Dims getLocalIndex(::llvm::ArrayRef<int64_t> index) const;
  }];
}

#endif // MLI_IR_MLIMEMORYATTRS_TD
