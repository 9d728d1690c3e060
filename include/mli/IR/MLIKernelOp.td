// SPDX-License-Identifier: Apache-2.0
//
// The shape that all kernel operations share: destination style over tensors
// or memrefs of quantised elements.

#ifndef MLI_IR_MLIKERNELOP_TD
#define MLI_IR_MLIKERNELOP_TD

include "mli/IR/MLIAttrs.td"
include "mli/IR/MLIOpInterfaces.td"
include "mli/IR/MLITypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A field of a container, a ranked tensor or memref. Verifiers ask this most,
/// and looking up the interface of both takes longer than comparing types.
class MLI_ContainerField<string getter> {
  string get = "(::llvm::isa<::mlir::MemRefType>($_self) "
      "? ::llvm::cast<::mlir::MemRefType>($_self)." # getter #
      " : ::llvm::cast<::mlir::RankedTensorType>($_self)." # getter # ")";
}

/// A container of any of `elements`. Those for future use pass, and get a
/// message of their own from `RejectsReservedTypes`.
class MLI_ContainerOf<list<Type> elements, Pred container, string what,
                      string cppType>
    : Type<
        And<[container,
             Concat<"[](::mlir::Type element) { return ",
                    SubstLeaves<"$_self", "element",
                        AnyTypeOf<elements # [MLI_Fx4Type, F16]>.predicate>,
                    "; }(" # MLI_ContainerField<"getElementType()">.get # ")">]>,
        ShapedContainerType<elements, container, what>.summary, cppType>;

/// A ranked tensor or memref of any of `elements`.
class MLI_ShapedOf<list<Type> elements>
    : MLI_ContainerOf<elements,
        CPred<"::llvm::isa<::mlir::RankedTensorType, "
              "::mlir::MemRefType>($_self)">,
        "ranked tensor or memref", "::mlir::ShapedType">;

/// A memref of any of `elements`.
class MLI_MemRefOf<list<Type> elements>
    : MLI_ContainerOf<elements, IsMemRefTypePred, "memref",
                      "::mlir::MemRefType">;

/// A ranked tensor or memref with rank `rank`.
class MLI_ShapedOfRank<list<Type> elements, int rank>
    : ConfinedType<MLI_ShapedOf<elements>,
        [CPred<MLI_ContainerField<"getRank()">.get # " == " # rank>],
        rank # "D " # MLI_ShapedOf<elements>.summary, "::mlir::ShapedType">;

/// The table of a function.
def MLI_TableOperand : MLI_ShapedOfRank<[MLI_Fx16Type], 1>;

/// Elements that feature maps have: every kernel computes on these.
defvar MLI_MapElements = [MLI_Fx8Type, MLI_Fx16Type, MLI_Sa8Type];
defvar MLI_AnyElements = [MLI_Fx8Type, MLI_Fx16Type, MLI_Sa8Type, MLI_Sa32Type];

def MLI_RejectsReservedTypes : NativeOpTrait<"RejectsReservedTypes"> {
  let cppNamespace = "::mli";
}

class MLI_Op<string mnemonic, list<Trait> traits = []>
    : Op<MLI_Dialect, mnemonic, [MLI_RejectsReservedTypes] # traits>;

/// An operation that computes its result into `init`. On tensors the result is
/// the new value of `init`, whose type it has; on memrefs there is no result.
class MLI_DestinationOp<string mnemonic, list<Trait> traits = []>
    : MLI_Op<mnemonic, traits # [
        DestinationStyleOpInterface,
        InferTypeOpAdaptor,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
            ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;

  /// The operands that are written, where these are more than `init`.
  string initOperands = "getInitMutable()";
  string initValues = "adaptor.getInit()";
  code destinationDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return }] # initOperands # [{;
    }
  }];
  code destinationDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>>
            &effects) {
      ::mli::detail::getKernelEffects(*this, effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mli::detail::getKernelSpeculatability(*this);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mli::detail::reifyInits(*this, builder, shapes);
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      types.append(::mli::detail::tensorTypes({}] # initValues # [{}));
      return ::llvm::success();
    }
  }];
  let extraClassDeclaration = destinationDeclaration;
  let extraClassDefinition = destinationDefinition;
}

/// A kernel. `family` is its row in Kernels.def, empty without one.
class MLI_KernelOp<string mnemonic, string family, list<Trait> traits = []>
    : MLI_DestinationOp<mnemonic, traits # [
        DeclareOpInterfaceMethods<MLI_KernelOpInterface>]> {
  code extraKernelClassDeclaration = "";

  // Bodies of the methods of the interface, without a default: TableGen fails
  // for a kernel that does not give one. `operand` and `init` are parameters.
  code operandUsage;
  code fixedLayouts;
  code initRead;
  code scratchBytes;
  code productsPerElement;

  /// The body of `verify`; without, it is defined elsewhere.
  code verification = "";
  /// Definitions of other methods.
  code extraKernelClassDefinition = "";

  let extraClassDeclaration = destinationDeclaration #
                              extraKernelClassDeclaration;
  let extraClassDefinition = destinationDefinition # [{
    ::std::optional<::mli::contract::Family> $cppClass::getFamily() {
      return }] # !if(!empty(family), "::std::nullopt",
                      "::mli::contract::Family::" # family) # [{;
    }
    ::mli::layout::OperandUsage $cppClass::getOperandUsage(::mlir::OpOperand &operand) {
      return }] # operandUsage # [{;
    }
    bool $cppClass::hasFixedLayouts() { return }] # fixedLayouts # [{; }
    bool $cppClass::readsInit(::mlir::OpOperand &init) {
      return }] # initRead # [{;
    }
    int64_t $cppClass::getScratchBytes() { return }] # scratchBytes # [{; }
    int64_t $cppClass::getProductsPerElement() {
      return }] # productsPerElement # [{;
    }
  }] # !if(!empty(verification), "", [{
    ::llvm::LogicalResult $cppClass::verify() {
      return }] # verification # [{;
    }
  }]) # extraKernelClassDefinition;
}

/// A kernel of feature maps, which it takes in any layout, that keeps nothing of
/// its destination, needs no memory of its own and sums nothing up.
class MLI_PlainKernelOp<string mnemonic, string family, list<Trait> traits = []>
    : MLI_KernelOp<mnemonic, family, traits> {
  let operandUsage = "OperandUsage::Map";
  let fixedLayouts = "false";
  let initRead = "false";
  let scratchBytes = "0";
  let productsPerElement = "1";
}

/// Constant padding becomes an attribute.
defvar MLI_FoldPadding = [{
    ::llvm::LogicalResult $cppClass::canonicalize(
        $cppClass op, ::mlir::PatternRewriter &rewriter) {
      return ::mli::foldPadding(op, rewriter);
    }
}];

/// Padding of a window, which is attributes and values.
defvar MLI_MixedPadding = [{
    /// Padding [top, bottom, left, right], each an attribute or a value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedPadding() {
      return ::mlir::getMixedValues(getStaticPadding(), getPadding(),
                                    getContext());
    }
  }];

/// A kernel on each element of one input.
class MLI_UnaryOp<string mnemonic, string family, list<Type> elements>
    : MLI_PlainKernelOp<mnemonic, family, [MLI_ElementwiseKernel]> {
  defvar map = MLI_ShapedOf<elements>;
  dag attributes = (ins);
  let arguments = !con((ins map:$input, map:$init), attributes);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    attr-dict (`->` type($results)^)?
  }];
}

#endif // MLI_IR_MLIKERNELOP_TD
