// SPDX-License-Identifier: Apache-2.0

#include "Call.h"

#include "../../Unit/Runtime/Reference/Arrange.h"
#include "../../Unit/Runtime/Reference/Recurrent.h"

#include "mli/IR/KernelOps.h"

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

static ref::Product getProduct(const Call &call) {
  return {call.in(0), call.in(1), call.in(2), call.out()};
}

static ref::Codes compute(Call &call, ref::Convolution kind) {
  return ref::convolution(kind, getProduct(call), call.config.conv2d);
}

static ref::Codes compute(Call &call, Conv2DOp) {
  return compute(call, ref::Convolution::Conv2d);
}
static ref::Codes compute(Call &call, DepthwiseConv2DOp) {
  return compute(call, ref::Convolution::DepthwiseConv2d);
}
static ref::Codes compute(Call &call, GroupConv2DOp) {
  return compute(call, ref::Convolution::GroupConv2d);
}
static ref::Codes compute(Call &call, TransposeConv2DOp) {
  return compute(call, ref::Convolution::TransposeConv2d);
}
static ref::Codes compute(Call &call, FullyConnectedOp op) {
  return ref::fullyConnected(op.getExtendedBias(), getProduct(call),
                             call.config.connected);
}
static ref::Codes compute(Call &call, AvePoolOp) {
  return ref::pool(true, call.in(0), call.config.pool, call.out());
}
static ref::Codes compute(Call &call, MaxPoolOp) {
  return ref::pool(false, call.in(0), call.config.pool, call.out());
}

static ref::Codes compute(Call &call, ref::Op op) {
  return ref::eltwise(op, call.in(0), call.in(1), call.out());
}
static ref::Codes compute(Call &call, EltwiseAddOp) {
  return compute(call, ref::Op::Add);
}
static ref::Codes compute(Call &call, EltwiseSubOp) {
  return compute(call, ref::Op::Sub);
}
static ref::Codes compute(Call &call, EltwiseMulOp) {
  return compute(call, ref::Op::Mul);
}
static ref::Codes compute(Call &call, EltwiseMinOp) {
  return compute(call, ref::Op::Min);
}
static ref::Codes compute(Call &call, EltwiseMaxOp) {
  return compute(call, ref::Op::Max);
}
static ref::Codes compute(Call &call, ReluOp) {
  return ref::relu(call.in(0), call.config.relu);
}
static ref::Codes compute(Call &call, LeakyReluOp) {
  return ref::prelu(call.in(0), call.in(1), -1, call.out());
}
static ref::Codes compute(Call &call, PreluOp) {
  return ref::prelu(call.in(0), call.in(1), call.config.alongAxis.axis,
                    call.out());
}
static ref::Codes compute(Call &call, ConvertOp) {
  return ref::convert(call.in(0), call.out());
}

static ref::Codes compute(Call &call, SigmOp) {
  return ref::activation(ref::Function::sigm, call.in(0), call.tables[0]);
}
static ref::Codes compute(Call &call, TanhOp) {
  return ref::activation(ref::Function::tanh, call.in(0), call.tables[0]);
}
static ref::Codes compute(Call &call, SoftmaxOp) {
  return ref::alongAxis(call.in(0), call.tables[0], call.config.alongAxis.axis,
                        ref::softmaxSlice);
}
static ref::Codes compute(Call &call, L2NormalizeOp) {
  return ref::alongAxis(call.in(0), call.tables[0], call.config.alongAxis.axis,
                        ref::l2Slice);
}
static ref::Codes compute(Call &, LutOp op) {
  std::vector<int16_t> entries = computeTable(op.getFunction());
  return {entries.begin(), entries.end()};
}

static ref::Codes compute(Call &call, RnnDenseOp op) {
  size_t count = op.getInputs().size();
  std::vector<ref::DenseInput> inputs;
  inputs.reserve(count);
  for (size_t i = 0; i < count; ++i)
    inputs.push_back({ref::getCodes(call.in(i)), ref::quantOf(call.in(i)),
                      ref::getCodes(call.in(count + i)),
                      ref::quantOf(call.in(count + i))});
  const mli_tensor &bias = call.in(2 * count);
  return ref::dense({call.in(0).el_type, call.in(count).el_type}, inputs,
                    ref::getCodes(bias), ref::quantOf(bias),
                    ref::quantOf(call.out()));
}

static void setCodes(Tensor &tensor, const ref::Codes &codes) {
  for (size_t i = 0; i < codes.size(); ++i)
    tensor.set(static_cast<int64_t>(i), codes[i]);
}

static ref::CellArguments getCell(Call &call) {
  return {call.in(0),     call.in(1),       call.in(2),
          call.in(3),     call.in(4),       call.tables[0],
          call.tables[1], call.config.cell, call.out()};
}

static ref::Codes compute(Call &call, LstmCellOp) {
  ref::CellArguments arguments = getCell(call);
  ref::Codes cell = ref::getCodes(*call.outputs[0]);
  ref::Codes codes = ref::lstm(arguments, ref::quantOf(*call.outputs[0]), cell);
  setCodes(call.run.results[0], cell);
  return codes;
}
static ref::Codes compute(Call &call, GruCellOp) {
  return ref::gru(getCell(call));
}

static ref::Codes compute(Call &call, ArgmaxOp) {
  return ref::argmax(call.in(0), call.config.argmax);
}
static ref::Codes compute(Call &call, PermuteOp) {
  return ref::permute(call.in(0), call.config.permute, call.out());
}

/// All of the result: a block of it is what is moved.
static ref::Codes compute(Call &call, MovOp op) {
  std::vector<int64_t> moved = ref::movedShape(call.in(0), call.config.mov);
  TensorBlock block;
  block.sizes.assign(moved.begin(), moved.end());
  block.steps.assign(moved.size(), 1);
  block.offsets.assign(moved.size(), 0);
  llvm::copy(op.getDstOffsets(), block.offsets.begin());
  Tensor &result = call.run.results[0];
  Tensor part(RankedTensorType::get(moved, result.type.getElementType()), 0);
  setCodes(part, ref::moved(call.in(0), call.config.mov));
  insert(part, block, result);
  return ref::getCodes(call.out());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

class ReferenceKernels : public Kernels {
public:
  llvm::Error compute(KernelRun &run) override {
    Call call(run);
    ref::Codes codes = visitKernel<ref::Codes>(
        run.op, [&](auto op) { return ::compute(call, op); });
    Tensor &result = run.results.back();
    if (static_cast<int64_t>(codes.size()) != result.type.getNumElements())
      return llvm::createStringError("the reference gives " +
                                     Twine(codes.size()) + " elements, not " +
                                     Twine(result.type.getNumElements()));
    setCodes(result, codes);
    return llvm::Error::success();
  }
};

} // namespace

std::unique_ptr<Kernels> fuzz::createReferenceKernels() {
  return std::make_unique<ReferenceKernels>();
}
