// SPDX-License-Identifier: Apache-2.0
//
// What an interpreter knows of kernels.

#include "Interpreter.h"

#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/mli_api.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;

static int64_t entry(ArrayRef<int64_t> list, int64_t i, int64_t absent) {
  return list.empty() ? absent : list[i];
}

void Interpreter::move(MovOp op, const View &from, const View &to) {
  int64_t rank = from.shape.size();
  SmallVector<int64_t> written(rank), source(rank), target(rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t p = entry(op.getPermutation(), i, i);
    int64_t size = entry(op.getSizes(), p, 0);
    if (size == 0)
      size = from.shape[p] - entry(op.getOffsets(), p, 0) +
             entry(op.getPadLow(), p, 0) + entry(op.getPadHigh(), p, 0);
    written[i] = llvm::divideCeilSigned(size, entry(op.getSteps(), p, 1));
  }
  forEachIndex(written, [&](ArrayRef<int64_t> index) {
    bool isInside = true;
    for (int64_t i = 0; i < rank; ++i) {
      int64_t p = entry(op.getPermutation(), i, i);
      source[p] = index[i] * entry(op.getSteps(), p, 1) +
                  entry(op.getOffsets(), p, 0) - entry(op.getPadLow(), p, 0);
      isInside &= source[p] >= 0 && source[p] < from.shape[p];
      target[i] = index[i] + entry(op.getDstOffsets(), i, 0);
    }
    if (isInside)
      std::memcpy(at(to, target), at(from, source), from.width);
    else
      std::memset(at(to, target), 0, from.width);
  });
}

namespace {

/// Parameters along an axis, as the C API points to them.
struct AxisParams {
  std::vector<int16_t> scales, zeroPoints;
  std::vector<int8_t> fracBits;
};

} // namespace

/// A tensor of the C API over dense elements; `axisParams` lives as long.
static mli_tensor tensorOf(Type element, const View &view,
                           AxisParams &axisParams) {
  mli_tensor tensor;
  std::memset(&tensor, 0, sizeof(tensor));
  auto type = cast<QuantizedType>(element);
  quant::QuantParams params = type.getParam(0);
  tensor.rank = view.shape.size();
  for (auto [i, size] : llvm::enumerate(view.shape)) {
    tensor.shape[i] = size;
    tensor.mem_stride[i] = view.strides[i];
  }
  tensor.data.capacity = view.count() * view.width;
  tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(view.base);
  if (isa<Fx8Type, Fx16Type>(element)) {
    tensor.el_type = isa<Fx8Type>(element) ? MLI_EL_FX_8 : MLI_EL_FX_16;
    tensor.el_params.fx.frac_bits = params.fracBits;
    return tensor;
  }
  tensor.el_type = isa<Sa8Type>(element) ? MLI_EL_SA_8 : MLI_EL_SA_32;
  if (type.isPerAxis()) {
    for (size_t i = 0; i < type.getNumParams(); ++i) {
      quant::QuantParams entry = type.getParam(i);
      axisParams.scales.push_back(entry.scale);
      axisParams.zeroPoints.push_back(entry.zeroPoint);
      axisParams.fracBits.push_back(entry.fracBits);
    }
    auto &sa = tensor.el_params.sa;
    sa.dim = type.getAxis();
    sa.scale.capacity = axisParams.scales.size() * sizeof(int16_t);
    sa.scale.mem.pi16 = axisParams.scales.data();
    sa.zero_point.capacity = axisParams.zeroPoints.size() * sizeof(int16_t);
    sa.zero_point.mem.pi16 = axisParams.zeroPoints.data();
    sa.scale_frac_bits.capacity = axisParams.fracBits.size();
    sa.scale_frac_bits.mem.pi8 = axisParams.fracBits.data();
    return tensor;
  }
  tensor.el_params.sa.dim = -1;
  tensor.el_params.sa.scale.mem.i16 = params.scale;
  tensor.el_params.sa.scale_frac_bits.mem.i8 = params.fracBits;
  tensor.el_params.sa.zero_point.mem.i16 = params.zeroPoint;
  return tensor;
}

/// By the runtime, on dense copies.
void Interpreter::convert(ConvertOp op, const View &from, const View &to) {
  View source = copyOf(from), target = copyOf(to);
  AxisParams inParams, outParams;
  mli_tensor in =
      tensorOf(op.getInput().getType().getElementType(), source, inParams);
  mli_tensor out =
      tensorOf(op.getInit().getType().getElementType(), target, outParams);
  ASSERT_EQ(mli_hlp_convert_tensor_safx(&in, &out), MLI_STATUS_OK);
  copy(target, to);
}

/// Bytes of plain memory from the first element of `view` to the last.
static std::pair<const uint8_t *, const uint8_t *> getRange(const View &view) {
  int64_t last = view.offset;
  for (auto [extent, stride] : llvm::zip_equal(view.shape, view.strides))
    last += (extent - 1) * stride;
  return {view.base + view.offset * view.width,
          view.base + (last + 1) * view.width};
}

/// Whether the runtime takes both for `op`, which reads the one and writes the
/// other.
// T18
static bool mayLie(Operation *op, const View &from, const View &to) {
  if (from.layout || to.layout || from.count() == 0 || to.count() == 0)
    return true;
  auto read = getRange(from), written = getRange(to);
  if (read.second <= written.first || written.second <= read.first)
    return true;
  return isa<ReluOp, ConvertOp>(op) && from.width == to.width &&
         from.shape == to.shape && from.strides == to.strides;
}

bool Interpreter::executeKernel(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !isa<MovOp, PermuteOp, ConvertOp, ReluOp>(op))
    return false;
  View from = views.at(op->getOperand(0).getAsOpaquePointer());
  View to = views.at(op->getOperand(1).getAsOpaquePointer());
  if (op->getNumResults() != 0) {
    // A tensor is a new one; parts of its init live on.
    to = copyOf(to);
    views[op->getResult(0).getAsOpaquePointer()] = to;
  } else if (!mayLie(op, from, to)) {
    ADD_FAILURE() << "lies between what it reads: "
                  << op->getName().getStringRef().str();
  }
  if (auto mov = dyn_cast<MovOp>(op)) {
    move(mov, from, to);
  } else if (auto permute = dyn_cast<PermuteOp>(op)) {
    forEachIndex(to.shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> source(index.size());
      for (auto [i, p] : llvm::enumerate(permute.getPermutation()))
        source[p] = index[i];
      std::memcpy(at(to, index), at(from, source), from.width);
    });
  } else if (auto convertOp = dyn_cast<ConvertOp>(op)) {
    convert(convertOp, from, to);
  } else if (cast<ReluOp>(op).getRelu() == ReluKind::none) {
    copy(from, to);
  } else {
    // Of codes with zero point 0: negative ones are 0.
    forEachIndex(to.shape, [&](ArrayRef<int64_t> index) {
      uint8_t *last = at(from, index) + from.width - 1;
      if ((*last & 0x80) == 0)
        std::memmove(at(to, index), at(from, index), from.width);
      else
        std::memset(at(to, index), 0, from.width);
    });
  }
  return true;
}
