// SPDX-License-Identifier: Apache-2.0
//
// The OKK copies and fills.

#include "Runtime/Local/OkkOperand.h"

#include <algorithm>
#include <cstring>

namespace mli::rt {
namespace {

using layout::Dims;

/// One instruction: its engine, its operands, and the bytes of an element.
struct Instruction {
  const char *function;
  Engine engine;
  const dim4 *shape;
  int64_t bytes;
};

// L29
constexpr int64_t maxExtent = layout::maxInstructionExtent;
constexpr int64_t maxChannels = layout::maxInstructionChannels;

bool checkShape(OkkCall &call, const Dims &shape) {
  return call.checkRange("shape.n", shape.n, 1, maxExtent) &&
         call.checkRange("shape.c", shape.c, 1, maxChannels) &&
         call.checkRange("shape.h", shape.h, 1, maxExtent) &&
         call.checkRange("shape.w", shape.w, 1, maxExtent);
}

/// Calls `row` with the index of the first element of each row.
template <typename Row>
void forEachRow(const Dims &shape, Row row) {
  Dims at = {0, 0, 0, 0};
  for (at.n = 0; at.n < shape.n; ++at.n)
    for (at.c = 0; at.c < shape.c; ++at.c)
      for (at.h = 0; at.h < shape.h; ++at.h)
        row(at);
}

/// That both operands can be copied in any order.
// L39
bool checkNoAlias(OkkCall &call, const Operand &dst, const Operand &src) {
  std::optional<layout::Violation> problem;
  if (src.mayMeet(dst))
    forEachRow(src.shape(), [&](Dims at) {
      for (at.w = 0; at.w < src.shape().w && !problem; ++at.w)
        problem = src.checkNoAlias(at, dst);
    });
  return call.check(MLI_STATUS_ARGUMENT_ERROR, problem);
}

/// Checks the shape and stores it; the operands come after it.
bool begin(OkkCall &call, const Instruction &instruction, Dims &shape) {
  if (!call.checkNotNull("shape", instruction.shape))
    return false;
  const dim4 &dims = *instruction.shape;
  shape = {dims.n, dims.c, dims.h, dims.w};
  return checkShape(call, shape);
}

void copy(const Instruction &instruction, const OperandSpec &to,
          const OperandSpec &from) {
  OkkCall call(instruction.function);
  Operand dst(Operand::Destination, to);
  Operand src(Operand::Source, from);
  Dims shape;
  int64_t bytes = instruction.bytes;
  if (!begin(call, instruction, shape) ||
      !dst.resolve(call, instruction.engine, shape, bytes) ||
      !src.resolve(call, instruction.engine, shape, bytes))
    return;
  // L31
  if (instruction.engine == Engine::Bdc && dst.startNpu() != src.startNpu()) {
    call.check(MLI_STATUS_ARGUMENT_ERROR,
               layout::Violation{"src", "start at NPU", dst.startNpu(),
                                 src.startNpu(), ", where dst does"});
    return;
  }
  if (!checkNoAlias(call, dst, src) || !src.use(call, instruction.engine) ||
      !dst.use(call, instruction.engine))
    return;
  int64_t toStep = dst.wStrideBytes();
  int64_t fromStep = src.wStrideBytes();
  bool isDense = shape.w == 1 || (toStep == bytes && fromStep == bytes);
  forEachRow(shape, [&](const Dims &at) {
    uint8_t *dstRow = dst.elementAt(at);
    const uint8_t *srcRow = src.elementAt(at);
    if (isDense) {
      std::memcpy(dstRow, srcRow, shape.w * bytes);
      return;
    }
    for (int64_t w = 0; w < shape.w; ++w)
      std::memcpy(dstRow + w * toStep, srcRow + w * fromStep, bytes);
  });
}

template <typename Constant>
void fill(const Instruction &instruction, const OperandSpec &to,
          Constant constant) {
  OkkCall call(instruction.function);
  Operand dst(Operand::Destination, to);
  Dims shape;
  if (!begin(call, instruction, shape) ||
      !dst.resolve(call, instruction.engine, shape, sizeof(constant)) ||
      !dst.use(call, instruction.engine))
    return;
  int64_t step = dst.wStrideBytes();
  forEachRow(shape, [&](const Dims &at) {
    uint8_t *row = dst.elementAt(at);
    for (int64_t w = 0; w < shape.w; ++w)
      std::memcpy(row + w * step, &constant, sizeof(constant));
  });
}

/// A matrix copy as its caller describes it.
struct MatrixCopy {
  const char *function;
  /// Where the matrix is in local memory, and whether it is copied there.
  Operand::Role localRole;
  uint64_t localAddress;
  uint64_t systemAddress;
  int64_t rows, columns, width, rowStride;
};

// L33
void copyMatrix(const MatrixCopy &matrix) {
  OkkCall call(matrix.function);
  bool isToLocal = matrix.localRole == Operand::Destination;
  if (!call.checkRange("rows", matrix.rows, 1, maxExtent) ||
      !call.checkRange("cols", matrix.columns, 1, layout::maxExtent) ||
      !call.checkRange("cols_per_channel", matrix.width, 1,
                       std::min(matrix.columns, maxExtent)) ||
      !call.checkRange("cols", matrix.columns, 1, maxChannels * matrix.width) ||
      !call.checkRange("row_stride", matrix.rowStride,
                       isToLocal || matrix.rows == 1 ? 0 : matrix.columns,
                       layout::maxExtent))
    return;
  Dims shape = *layout::matrixShape(matrix.rows, matrix.columns, matrix.width);
  // The rows in system memory as features of one row each.
  Dims rows = {matrix.rows, 1, 1, matrix.columns};
  dim4 stride = {static_cast<int>(matrix.rowStride), 1, 1, 1};
  Operand local(matrix.localRole, {Space::Local, matrix.localAddress, nullptr});
  Operand system(isToLocal ? Operand::Source : Operand::Destination,
                 {Space::System, matrix.systemAddress, &stride});
  if (!local.resolveMatrix(call, shape, matrix.columns) ||
      !system.resolve(call, Engine::Gdma, rows, 4) ||
      !checkNoAlias(call, isToLocal ? local : system,
                    isToLocal ? system : local) ||
      !local.use(call, Engine::Gdma))
    return;
  forEachRow(shape, [&](const Dims &at) {
    int64_t column = at.c * matrix.width;
    int64_t bytes = std::min(matrix.width, matrix.columns - column) * 4;
    uint8_t *localPart = local.elementAt(at);
    uint8_t *systemPart = system.elementAt({at.n, 0, 0, column});
    std::memcpy(isToLocal ? localPart : systemPart,
                isToLocal ? systemPart : localPart, bytes);
  });
}

} // namespace
} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

#define MLI_COPY(width, name, to, to_addr, from, from_addr)                    \
  void okk_gdma_##width##bit_cpy_##name(                                       \
      to_addr dst, from_addr src, const dim4 *shape, const dim4 *dst_stride,   \
      const dim4 *src_stride) {                                                \
    copy({"okk_gdma_" #width "bit_cpy_" #name, Engine::Gdma, shape,            \
          (width) / 8},                                                        \
         {Space::to, dst, dst_stride}, {Space::from, src, src_stride});        \
  }

#define MLI_FILL(width, name, to, to_addr)                                     \
  void okk_gdma_##width##bit_set_C_##name(                                     \
      to_addr dst, x##width C, const dim4 *shape, const dim4 *dst_stride) {    \
    fill({"okk_gdma_" #width "bit_set_C_" #name, Engine::Gdma, shape,          \
          (width) / 8},                                                        \
         {Space::to, dst, dst_stride}, C);                                     \
  }

#define MLI_GDMA(width)                                                        \
  MLI_COPY(width, S2L, Local, local_addr_t, System, system_addr_t)             \
  MLI_COPY(width, L2S, System, system_addr_t, Local, local_addr_t)             \
  MLI_COPY(width, L2L, Local, local_addr_t, Local, local_addr_t)               \
  MLI_COPY(width, S2S, System, system_addr_t, System, system_addr_t)           \
  MLI_FILL(width, system, System, system_addr_t)                               \
  MLI_FILL(width, local, Local, local_addr_t)

MLI_GDMA(32)
MLI_GDMA(16)
MLI_GDMA(8)

#undef MLI_GDMA
#undef MLI_FILL
#undef MLI_COPY

void okk_gdma_32bit_matrix_S2L(local_addr_t dst, system_addr_t src, int rows,
                               int cols, int cols_per_channel, int row_stride) {
  copyMatrix({"okk_gdma_32bit_matrix_S2L", Operand::Destination, dst, src, rows,
              cols, cols_per_channel, row_stride});
}

void okk_gdma_32bit_matrix_L2S(system_addr_t dst, local_addr_t src, int rows,
                               int cols, int cols_per_channel, int row_stride) {
  copyMatrix({"okk_gdma_32bit_matrix_L2S", Operand::Source, src, dst, rows,
              cols, cols_per_channel, row_stride});
}

void okk_bdc_32bit_cpy(local_addr_t dst, local_addr_t src, const dim4 *shape,
                       const dim4 *dst_stride, const dim4 *src_stride) {
  copy({"okk_bdc_32bit_cpy", Engine::Bdc, shape, 4},
       {Space::Local, dst, dst_stride}, {Space::Local, src, src_stride});
}

void okk_bdc_32bit_set_C(local_addr_t dst, x32 C, const dim4 *shape,
                         const dim4 *dst_stride) {
  fill({"okk_bdc_32bit_set_C", Engine::Bdc, shape, 4},
       {Space::Local, dst, dst_stride}, C);
}

// NOLINTEND(readability-identifier-naming)
