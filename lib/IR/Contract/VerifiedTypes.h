// SPDX-License-Identifier: Apache-2.0
//
// Remembers which rules of types hold, for each context and thread. Types and
// attributes are unique and never change, so verifiers check operations that
// are alike once, not each of them each time that a pass ends. Like types, what
// is remembered lives as long as the context.

#ifndef MLI_LIB_IR_CONTRACT_VERIFIEDTYPES_H
#define MLI_LIB_IR_CONTRACT_VERIFIEDTYPES_H

#include "KernelContract.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

namespace mli::contract {

/// A rule of types: whether it holds follows from the types and contracts of
/// `operands`, the number of all operands, the attributes that `verifyOnce`
/// gets and the target of the module. Diagnoses on `op`.
using TypeRule = llvm::LogicalResult (*)(mlir::Operation *op,
                                         llvm::ArrayRef<Operand> operands);

/// Checks `rule` for `operands`, unless it is known to hold. `attributes` are
/// those of `op` that it reads; null where one is absent.
llvm::LogicalResult verifyOnce(mlir::Operation *op,
                               llvm::ArrayRef<Operand> operands, TypeRule rule,
                               llvm::ArrayRef<mlir::Attribute> attributes = {});

/// What is known, of each dialect and so of each context. Operations are
/// verified in parallel, hence by thread.
class VerifiedTypes : public mlir::DialectInterface::Base<VerifiedTypes> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifiedTypes)

  explicit VerifiedTypes(mlir::Dialect *dialect) : Base(dialect) {}

  /// The address of a rule and all that its answer follows from: the number of
  /// operands and the addresses of the target, of the attributes and of the
  /// type and contract of each operand.
  using Key = llvm::ArrayRef<uintptr_t>;

  bool contains(Key key) const;
  void insert(Key key);

private:
  struct Keys {
    llvm::DenseSet<Key> set;
    llvm::BumpPtrAllocator elements;
  };

  mutable mlir::ThreadLocalCache<Keys> keys;
};

} // namespace mli::contract

#endif // MLI_LIB_IR_CONTRACT_VERIFIEDTYPES_H
