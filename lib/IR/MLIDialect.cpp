// SPDX-License-Identifier: Apache-2.0
//
// Registers the types, attributes and operations of the dialect, and its
// aliases for long types.

#include "Contract/VerifiedTypes.h"
#include "MLIBytecode.h"

#include "mli/IR/ConstantFolding.h"
#include "mli/IR/MLIParallel.h"

#include "mlir/Interfaces/FoldInterfaces.h"

#include "mli/IR/MLIDialect.cpp.inc"

using namespace mlir;
using namespace mli;

namespace {

/// One set of parameters an output channel makes types of thousands of
/// characters, and a layout has nine numbers; an alias prints them once.
struct MLIAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    auto layout = dyn_cast<LayoutAttr>(attr);
    if (!layout)
      return AliasResult::NoAlias;
    os << layout::toString(layout.getKind());
    return AliasResult::OverridableAlias;
  }

  AliasResult getAlias(Type type, raw_ostream &os) const final {
    auto quantized = dyn_cast<QuantizedType>(type);
    if (!quantized || !quantized.isPerAxis())
      return AliasResult::NoAlias;
    os << (isa<Sa8Type>(type) ? "sa8" : "sa32") << "_axis"
       << quantized.getAxis();
    return AliasResult::OverridableAlias;
  }
};

/// Operations on constants are folded alike: each by its function.
struct MLIFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  LogicalResult fold(Operation *op, ArrayRef<Attribute> operands,
                     SmallVectorImpl<OpFoldResult> &results) const final {
    Attribute value = foldConstants(op, operands);
    if (!value)
      return failure();
    results.push_back(value);
    return success();
  }
};

} // namespace

void MLIDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "mli/IR/MLIOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mli/IR/MLIParallelOps.cpp.inc"
      >();
  addInterfaces<MLIAsmInterface, MLIFoldInterface, contract::VerifiedTypes>();
  addBytecodeInterface(this);
}

/// Elements are a constant of ours; the answers of queries are integers.
Operation *MLIDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  if (auto data = dyn_cast<DataAttr>(value))
    return ConstantOp::create(builder, loc, type, data.getValue());
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
