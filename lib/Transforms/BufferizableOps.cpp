// SPDX-License-Identifier: Apache-2.0

#include "mli/Transforms/BufferizableOps.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mli;

namespace {

/// Every kernel in destination style: the same operation on buffers, its result
/// the buffer of its init.
template <typename KernelOp>
struct KernelModel
    : DstBufferizableOpInterfaceExternalModel<KernelModel<KernelOp>, KernelOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    if (!cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
      return true;
    // Kernels write all of their result; a partial move keeps the rest.
    auto mov = dyn_cast<MovOp>(op);
    return mov && mov.isPartial();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    OperationState onBuffers(op->getLoc(), op->getName(), buffers, TypeRange(),
                             op->getAttrs());
    Operation *result = rewriter.create(onBuffers);
    Value init = cast<DestinationStyleOpInterface>(result).getDpsInits()[0];
    replaceOpWithBufferizedValues(rewriter, op, init);
    return success();
  }
};

/// A constant stays what it is, in memory that nobody may write.
struct ConstantModel
    : BufferizableOpInterface::ExternalModel<ConstantModel, ConstantOp> {
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return false;
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(resultType(op));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    replaceOpWithNewBufferizedOp<ConstantOp>(rewriter, op, resultType(op),
                                             cast<ConstantOp>(op).getValue());
    return success();
  }

private:
  /// Dense: the data is stored as it stands in the attribute.
  static MemRefType resultType(Operation *op) {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    return MemRefType::get(type.getShape(), type.getElementType());
  }
};

/// A view of its source's buffer, which is copied first if it has gaps.
struct ReshapeModel
    : BufferizableOpInterface::ExternalModel<ReshapeModel, ReshapeOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Equivalent}};
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto reshape = cast<ReshapeOp>(op);
    FailureOr<BufferLikeType> source = bufferization::getBufferType(
        reshape.getSource(), options, state, invocationStack);
    if (failed(source))
      return failure();
    return cast<BufferLikeType>(resultType(reshape, *source));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto reshape = cast<ReshapeOp>(op);
    FailureOr<Value> source =
        getBuffer(rewriter, reshape.getSource(), options, state);
    if (failed(source))
      return failure();
    auto type = cast<MemRefType>(source->getType());
    if (!type.getLayout().isIdentity()) {
      auto dense =
          MemRefType::get(type.getShape(), type.getElementType(),
                          MemRefLayoutAttrInterface(), type.getMemorySpace());
      FailureOr<Value> copy =
          options.createAlloc(rewriter, op->getLoc(), dense, ValueRange());
      if (failed(copy) ||
          failed(options.createMemCpy(rewriter, op->getLoc(), *source, *copy)))
        return failure();
      source = copy;
    }
    replaceOpWithNewBufferizedOp<ReshapeOp>(
        rewriter, op, resultType(reshape, source->getType()), *source);
    return success();
  }

private:
  static MemRefType resultType(ReshapeOp op, Type source) {
    return MemRefType::get(
        op.getType().getShape(), op.getType().getElementType(),
        MemRefLayoutAttrInterface(), cast<MemRefType>(source).getMemorySpace());
  }
};

template <typename... KernelOps>
void attachKernelModels(MLIRContext &context) {
  (KernelOps::template attachInterface<KernelModel<KernelOps>>(context), ...);
}

} // namespace

void mli::registerBufferizableOps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MLIDialect *) {
    attachKernelModels<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp,
                       FullyConnectedOp, AvePoolOp, MaxPoolOp, EltwiseAddOp,
                       ReluOp, SoftmaxOp, ConvertOp, MovOp>(*context);
    ConstantOp::attachInterface<ConstantModel>(*context);
    ReshapeOp::attachInterface<ReshapeModel>(*context);
  });
}
