// SPDX-License-Identifier: Apache-2.0
//
// Interfaces and traits by which analyses, passes and conversions know kernels,
// in place of lists of operations. No method has a default body: the ODS base
// classes of the operations give each one.

#ifndef MLI_IR_MLIOPINTERFACES_TD
#define MLI_IR_MLIOPINTERFACES_TD

include "mlir/IR/OpBase.td"

def MLI_KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::mli";
  let description = [{
    An operation that one function of the runtime computes, in destination style.
  }];
  let methods = [
    StaticInterfaceMethod<
      /*desc=*/[{
        The family whose rows in `Kernels.def` are the contracts of the operands;
        nothing if the list has no rows for the operation.
      }],
      /*retTy=*/"::std::optional<::mli::contract::Family>",
      /*methodName=*/"getFamily">,
    InterfaceMethod<
      /*desc=*/"How the kernel uses an operand, for the choice of its layout.",
      /*retTy=*/"::mli::layout::OperandUsage", /*methodName=*/"getOperandUsage",
      /*args=*/(ins "::mlir::OpOperand &":$operand)>,
    StaticInterfaceMethod<
      /*desc=*/[{
        Whether the kernel takes operands in the layouts of their roles only.
        Others go through their operands element by element and take any layout.
      }],
      /*retTy=*/"bool", /*methodName=*/"hasFixedLayouts">,
    InterfaceMethod<
      /*desc=*/[{
        Whether the kernel reads an init: some elements keep their values, or the
        old contents count.
      }],
      /*retTy=*/"bool", /*methodName=*/"readsInit",
      /*args=*/(ins "::mlir::OpOperand &":$init)>,
    InterfaceMethod<
      /*desc=*/[{
        Bytes of memory that the kernel takes besides its operands: tables that it
        is not given, and gates of cells.
      }],
      /*retTy=*/"int64_t", /*methodName=*/"getScratchBytes">,
    InterfaceMethod<
      /*desc=*/[{
        Products, or elements of a window, that one element of the result sums up.
        Shapes are static.
      }],
      /*retTy=*/"int64_t", /*methodName=*/"getProductsPerElement">,
  ];
}

def MLI_WeightedOpInterface : OpInterface<"WeightedOpInterface"> {
  let cppNamespace = "::mli";
  let description = [{
    A kernel that multiplies its first operand with weights, its second, adds a
    bias, its third, and clips the sum.
  }];
  let methods = [
    InterfaceMethod<"The weights.", "::mlir::Value", "getWeights">,
    InterfaceMethod<"The bias.", "::mlir::Value", "getBias">,
    InterfaceMethod<"The range that results are clipped to.",
                    "::mli::ReluKind", "getRelu">,
    InterfaceMethod<"Sets the range that results are clipped to.",
                    "void", "setRelu", (ins "::mli::ReluKind":$relu)>,
  ];
}

def MLI_WindowOpInterface : OpInterface<"WindowOpInterface"> {
  let cppNamespace = "::mli";
  let description = [{
    A kernel whose window moves over rows and columns of a feature map, or is
    spread over them. Lists have the height first.
  }];
  let methods = [
    InterfaceMethod<"The feature map.", "::mlir::Value", "getInput">,
    InterfaceMethod<"The destination.", "::mlir::Value", "getInit">,
    InterfaceMethod<"The order of dimensions of both.",
                    "::mli::MapLayout", "getLayout">,
    InterfaceMethod<"Sets the order of dimensions of both.",
                    "void", "setLayout", (ins "::mli::MapLayout":$layout)>,
    InterfaceMethod<"Taps in each direction; dynamic where the weights are.",
                    "::llvm::SmallVector<int64_t, 2>", "getWindowSizes">,
    InterfaceMethod<"Steps of the window, in elements.",
                    "::llvm::ArrayRef<int64_t>", "getStrides">,
    InterfaceMethod<"Distances of the taps, in elements.",
                    "::llvm::ArrayRef<int64_t>", "getDilations">,
    InterfaceMethod<[{
        Whether the window is spread over the result for each element of the
        input, instead of moving over the input.
      }],
      "bool", "isTransposed">,
    InterfaceMethod<"Padding [top, bottom, left, right] that is not static.",
                    "::mlir::OperandRange", "getPadding">,
    InterfaceMethod<"The operands of it.",
                    "::mlir::MutableOperandRange", "getPaddingMutable">,
    InterfaceMethod<"Padding; dynamic where it is an operand.",
                    "::llvm::ArrayRef<int64_t>", "getStaticPadding">,
    InterfaceMethod<"Sets the static padding.",
                    "void", "setStaticPadding",
                    (ins "::llvm::ArrayRef<int64_t>":$padding)>,
    InterfaceMethod<"All padding.",
                    "::llvm::SmallVector<::mlir::OpFoldResult>",
                    "getMixedPadding">,
  ];
}

def MLI_TableOpInterface : OpInterface<"TableOpInterface"> {
  let cppNamespace = "::mli";
  let description = [{
    A kernel that looks functions up in tables.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/"The tables, in the order of their operands.",
      /*retTy=*/"::llvm::SmallVector<::mli::TableUse, 2>",
      /*methodName=*/"getTables">,
  ];
}

class MLI_KernelTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::mli";
}

/// Each element of the result follows from those at its index in operands of its
/// shape; other operands are one element, slopes or tables.
def MLI_ElementwiseKernel : MLI_KernelTrait<"ElementwiseKernel">;

/// An elementwise kernel of two maps, of which one may be a scalar.
def MLI_BroadcastingKernel : MLI_KernelTrait<"BroadcastingKernel">;

/// A cell that goes through a sequence, with a state.
def MLI_RecurrentCell : MLI_KernelTrait<"RecurrentCell">;

/// The result follows from the type of the source; no element is read.
def MLI_TypeQuery : MLI_KernelTrait<"TypeQuery">;

#endif // MLI_IR_MLIOPINTERFACES_TD
