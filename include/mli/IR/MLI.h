// SPDX-License-Identifier: Apache-2.0
//
// The `mli` dialect: its dialect class, types, attributes and operations.

#ifndef MLI_IR_MLI_H
#define MLI_IR_MLI_H

#include "mli/Layout/TensorLayout.h"
#include "mli/Quant/QuantParams.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "mli/IR/MLIEnums.h.inc"

namespace mli {

namespace quant {
/// For the uniquing of types and attributes. LLVM finds it by its name.
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const QuantParams &params) {
  return llvm::hash_combine(params.scale, params.fracBits, params.zeroPoint);
}
} // namespace quant

namespace contract {
enum class Family : uint8_t;
} // namespace contract

namespace layout {
enum class OperandUsage;

// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const Target &target) {
  llvm::hash_code hash(0);
  for (const Target::Field &field : Target::fields)
    hash = llvm::hash_combine(hash, target.*field.member);
  return hash;
}
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const Dims &dims) {
  return llvm::hash_combine(dims.n, dims.c, dims.h, dims.w);
}
} // namespace layout

namespace detail {
/// Whether an operation reads `init`, one of its inits: some elements keep
/// their values, or the old contents count.
bool readsInit(mlir::OpOperand &init);
/// The dilations of windows that have none.
inline constexpr int64_t noDilations[] = {1, 1};
/// Reads of memref inputs and the writes of memref inits.
void getKernelEffects(mlir::DestinationStyleOpInterface op,
                      llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                          mlir::MemoryEffects::Effect>> &effects);
/// Speculatable on tensors, where nothing is written.
mlir::Speculation::Speculatability
getKernelSpeculatability(mlir::DestinationStyleOpInterface op);
/// Diagnoses operands and results of the types that are for future use.
mlir::LogicalResult verifyNoFutureTypes(mlir::Operation *op);
/// The result types of an operation on `inits`: none for memrefs.
llvm::SmallVector<mlir::Type, 1> tensorTypes(mlir::ValueRange inits);
/// The shapes of the results are those of the inits.
llvm::LogicalResult reifyInits(mlir::DestinationStyleOpInterface op,
                               mlir::OpBuilder &builder,
                               mlir::ReifiedRankedShapedTypeDims &shapes);
} // namespace detail

/// Which dimension of a feature map is which.
struct FeatureMapDims {
  explicit FeatureMapDims(MapLayout layout);
  int64_t height, width, channels;
};

/// All operations have this trait and take no types for future use.
// `Op` constructs its traits, so the constructors are open.
// NOLINTBEGIN(bugprone-crtp-constructor-accessibility)
template <typename ConcreteOp>
struct RejectsReservedTypes
    : mlir::OpTrait::TraitBase<ConcreteOp, RejectsReservedTypes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyNoFutureTypes(op);
  }
};

namespace verified_once {
/// Upstream's interface, whose rule `verify` of the operation checks, once for
/// operations that are alike: it makes all offsets and sizes attributes.
struct OffsetSizeAndStrideOpInterface {
  template <typename ConcreteOp>
  struct Trait : mlir::OffsetSizeAndStrideOpInterface::Trait<ConcreteOp> {
    static mlir::LogicalResult verifyTrait(mlir::Operation *) {
      return mlir::success();
    }
  };
};
} // namespace verified_once

// MLIOpInterfaces.td describes these.
template <typename ConcreteOp>
struct ElementwiseKernel
    : mlir::OpTrait::TraitBase<ConcreteOp, ElementwiseKernel> {};
template <typename ConcreteOp>
struct BroadcastingKernel
    : mlir::OpTrait::TraitBase<ConcreteOp, BroadcastingKernel> {};
template <typename ConcreteOp>
struct RecurrentCell : mlir::OpTrait::TraitBase<ConcreteOp, RecurrentCell> {};
template <typename ConcreteOp>
struct TypeQuery : mlir::OpTrait::TraitBase<ConcreteOp, TypeQuery> {};
// NOLINTEND(bugprone-crtp-constructor-accessibility)

/// Returns the bits that one element, quantised or not, takes in memory.
unsigned elementWidth(mlir::Type element);

} // namespace mli

#include "mli/IR/MLIDialect.h.inc"
#include "mli/IR/MLITypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mli/IR/MLIAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "mli/IR/MLITypes.h.inc"

namespace mli {

/// The table of a function that a kernel reads.
struct TableUse {
  LutFunction function;
  /// The operand; empty where the lowering makes a table for the call.
  mlir::MutableOperandRange given;
  /// The format of a table that is not as `mli.lut` makes it, or null.
  LutFormatAttr format;
};

} // namespace mli

#include "mli/IR/MLIOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "mli/IR/MLIOps.h.inc"

#endif // MLI_IR_MLI_H
