// SPDX-License-Identifier: Apache-2.0

#include "mli/Transforms/BufferizableOps.h"

#include "Bufferize.h"

#include "mli/Analysis/StrideRequirement.h"
#include "mli/IR/KernelOperands.h"
#include "mli/IR/KernelOps.h"
#include "mli/IR/MLI.h"
#include "mli/IR/MLIParallel.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mli;

static MemRefType makeDenseType(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// A dense buffer in place of `buffer`; with its contents if `isCopied`.
static FailureOr<Value> makeDense(Location loc, Value buffer, bool isCopied,
                                  RewriterBase &rewriter,
                                  const BufferizationOptions &options) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(rewriter, loc, buffer, i));
  FailureOr<Value> copy =
      options.createAlloc(rewriter, loc, makeDenseType(type), sizes);
  if (failed(copy) ||
      (isCopied && failed(options.createMemCpy(rewriter, loc, buffer, *copy))))
    return failure();
  return copy;
}

/// `buffer` if the kernel takes it, else a dense one.
static FailureOr<Value> makeTaken(OpOperand &operand, Value buffer,
                                  bool isCopied, RewriterBase &rewriter,
                                  const BufferizationOptions &options) {
  if (meetsRequirement(cast<MemRefType>(buffer.getType()),
                       getStrideRequirement(operand)))
    return buffer;
  return makeDense(operand.getOwner()->getLoc(), buffer, isCopied, rewriter,
                   options);
}

namespace {

/// Every operation in destination style: the same operation on buffers, its
/// result the buffer of its init. The analysis queries this for each pair of
/// uses, so it calls the class of the operation: looking up an interface takes
/// longer than the answer.
template <typename KernelOp>
struct KernelModel
    : BufferizableOpInterface::ExternalModel<KernelModel<KernelOp>, KernelOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !isInit(op, operand) || readsInit(op, operand);
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return isInit(op, operand);
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isInit(op, operand))
      return {};
    return {{cast<KernelOp>(op).getTiedOpResult(&operand),
             BufferRelation::Equivalent}};
  }

  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *> operands) const {
    return llvm::all_of(operands, [&](OpOperand *operand) {
      return isInit(op, *operand) || mayComputeInPlace(*operand);
    });
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> buffers, inits, takenInits;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType())) {
        buffers.push_back(operand.get());
        continue;
      }
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      bool isWritten = isInit(op, operand);
      bool isRead = !isWritten || readsInit(op, operand);
      FailureOr<Value> taken =
          makeTaken(operand, *buffer, /*isCopied=*/isRead, rewriter, options);
      if (failed(taken))
        return failure();
      buffers.push_back(*taken);
      if (isWritten) {
        inits.push_back(*buffer);
        takenInits.push_back(*taken);
      }
    }
    createOnBuffers(rewriter, op, buffers);
    for (auto [init, taken] : llvm::zip_equal(inits, takenInits))
      if (init != taken &&
          failed(options.createMemCpy(rewriter, op->getLoc(), taken, init)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }

private:
  static bool isInit(Operation *op, OpOperand &operand) {
    return cast<KernelOp>(op).isDpsInit(&operand);
  }

  static bool readsInit(Operation *op, OpOperand &init) {
    if constexpr (std::is_same_v<KernelOp, AdvanceOp>)
      return mli::detail::readsInit(init);
    else
      return cast<KernelOp>(op).readsInit(init);
  }
};

/// Keeps constants as they are, in memory that is never written.
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
    return makeBufferType(cast<RankedTensorType>(op->getResult(0).getType()));
  }
};

/// The base of views: they write nothing, and `Model::resultType` derives their
/// type from their source's.
template <typename Model, typename ViewOp>
struct ViewModel : BufferizableOpInterface::ExternalModel<Model, ViewOp> {
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto view = cast<ViewOp>(op);
    FailureOr<BufferLikeType> source = bufferization::getBufferType(
        view.getSource(), options, state, invocationStack);
    if (failed(source))
      return failure();
    return cast<BufferLikeType>(Type(Model::resultType(view, *source)));
  }

private:
  ViewModel() = default;
  friend Model;
};

/// A view of its source's buffer, which is copied first if it has gaps.
struct ReshapeModel : ViewModel<ReshapeModel, ReshapeOp> {
  // The copy, if there is one.
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto reshape = cast<ReshapeOp>(op);
    FailureOr<Value> source =
        getBuffer(rewriter, reshape.getSource(), options, state);
    if (failed(source))
      return failure();
    source = makeTaken(reshape.getSourceMutable(), *source, /*isCopied=*/true,
                       rewriter, options);
    if (failed(source))
      return failure();
    replaceOpWithNewBufferizedOp<ReshapeOp>(
        rewriter, op, resultType(reshape, source->getType()), *source);
    return success();
  }

  static MemRefType resultType(ReshapeOp op, Type source) {
    auto buffer = cast<MemRefType>(source);
    if (!meetsRequirement(buffer, StrideRequirement::Contiguous))
      buffer = makeDenseType(buffer);
    return ReshapeOp::inferViewType(buffer, op.getType().getShape(),
                                    op.getType().getElementType());
  }
};

/// A view of its source's buffer, wherever that lies.
struct SubtensorModel : ViewModel<SubtensorModel, SubtensorOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getOpResult(0), BufferRelation::Unknown}};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto subtensor = cast<SubtensorOp>(op);
    FailureOr<Value> source =
        getBuffer(rewriter, subtensor.getSource(), options, state);
    if (failed(source))
      return failure();
    replaceOpWithNewBufferizedOp<SubtensorOp>(
        rewriter, op, resultType(subtensor, source->getType()), *source,
        subtensor.getOffsets(), subtensor.getSizes(),
        subtensor.getStaticOffsets(), subtensor.getStaticSizes());
    return success();
  }

  static MemRefType resultType(SubtensorOp op, Type source) {
    return cast<MemRefType>(Type(op.inferResultType(cast<MemRefType>(source))));
  }
};

/// The model of queries of the type alone: no element is read.
template <typename QueryOp>
struct QueryModel
    : BufferizableOpInterface::ExternalModel<QueryModel<QueryOp>, QueryOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Value> source =
        getBuffer(rewriter, cast<QueryOp>(op).getSource(), options, state);
    if (failed(source))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    operands.front() = *source;
    Operation *onBuffers =
        createOnBuffers(rewriter, op, operands, op->getResultTypes());
    replaceOpWithBufferizedValues(rewriter, op, onBuffers->getResults());
    return success();
  }
};

/// Nothing is allocated between the engines, so nothing is to be freed there,
/// nor may anything but moves and kernels come in.
struct ParallelEndModel
    : BufferDeallocationOpInterface::ExternalModel<ParallelEndModel,
                                                   ParallelEndOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &,
                                 const DeallocationOptions &) const {
    return op;
  }
};

} // namespace

void mli::registerBufferizableOps(DialectRegistry &registry) {
  registerEqualSlices(registry);
  registry.addExtension(+[](MLIRContext *context, MLIDialect *) {
    forEachKernelOp([&](auto op) {
      using KernelOp = typename decltype(op)::Type;
      KernelOp::template attachInterface<KernelModel<KernelOp>>(*context);
    });
    forEachOpWith<TypeQuery>([&](auto op) {
      using QueryOp = typename decltype(op)::Type;
      QueryOp::template attachInterface<QueryModel<QueryOp>>(*context);
    });
    AdvanceOp::attachInterface<KernelModel<AdvanceOp>>(*context);
    SubtensorOp::attachInterface<SubtensorModel>(*context);
    ConstantOp::attachInterface<ConstantModel>(*context);
    ReshapeOp::attachInterface<ReshapeModel>(*context);
    ParallelEndOp::attachInterface<ParallelEndModel>(*context);
  });
}
