// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm lowers kernels with a packed layer, which holds their
// weights, here.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_PACKEDCALL_H
#define MLI_LIB_CONVERSION_MLITOLLVM_PACKEDCALL_H

#include "CallBuilder.h"
#include "StatusChecks.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/PackedAttr.h"

namespace mli {

/// Goes before the call of the plain kernel.
template <typename KernelOp>
struct PackedCall : CallPattern<KernelOp> {
  PackedCall(const mlir::LLVMTypeConverter &converter,
             mlir::SymbolTableCollection &symbols)
      : CallPattern<KernelOp>(converter, symbols, /*benefit=*/2) {}

  llvm::LogicalResult
  matchAndRewrite(KernelOp op, typename KernelOp::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::ElementsAttr layer = getPackedLayer(op);
    if (!layer)
      return rewriter.notifyMatchFailure(op, "has no packed layer");
    CallBuilder calls = this->callsFor(op, rewriter);
    auto tensor = [&](mlir::Value memref, mlir::Value descriptor) {
      return calls.tensor(mlir::cast<mlir::MemRefType>(memref.getType()),
                          descriptor);
    };
    mlir::Value input = tensor(op.getInput(), adaptor.getInput());
    mlir::Value init = tensor(op.getInit(), adaptor.getInit());
    // K62
    constexpr int64_t alignment = 64;
    mlir::Value packed = calls.readOnly(
        calls.container(calls.word(layer.getShapedType().getNumElements()),
                        calls.global(layer, alignment)));
    auto threads =
        op->template getAttrOfType<mlir::IntegerAttr>(threadsAttrName);
    mlir::Value count = calls.i32(threads ? threads.getInt() : 1);
    calls.checkedCall("mli_krn_packed", {input, packed, count, init},
                      describeCall(op));
    rewriter.eraseOp(op);
    return mlir::success();
  }
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_PACKEDCALL_H
