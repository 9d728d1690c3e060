// SPDX-License-Identifier: Apache-2.0
//
// The rules of recurrent cells.

#include "RecurrentCell.h"

#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <cinttypes>

namespace mli::rt {

void describeCellOutput(const CellCall &call, mli_tensor &out) {
  uint32_t size = call.weightsOut->shape[2];
  out.rank = 2;
  out.shape[0] = call.cfg->results == RNN_OUT_ALL ? call.in->shape[0] : 1;
  out.shape[1] = size;
  out.mem_stride[0] = static_cast<int32_t>(size);
  out.mem_stride[1] = 1;
}

static mli_status checkCellTable(const mli_lut *lut, const char *name,
                                 int32_t bytes) {
  if (!lut)
    return checkLut(lut, name);
  auto needed = static_cast<uint32_t>(bytes);
  if (lut->data.capacity < needed)
    return fail(MLI_STATUS_NOT_ENGH_MEM,
                "expected '%s' to have a capacity of at least %" PRIu32
                " bytes, but got %" PRIu32,
                name, needed, lut->data.capacity);
  return checkLut(lut, name);
}

static mli_status checkShapes(const CellCall &call, CellKind kind) {
  MLI_CHECK(checkTensor(call.in));
  MLI_CHECK(checkTensor(call.prevOut));
  contract::Sizes sizes;
  MLI_CHECK(checkShapes({call.in, call.prevOut}, sizes));
  MLI_CHECK(checkMemory(call.in));
  MLI_CHECK(checkMemory(call.prevOut));
  MLI_CHECK(checkTensor(call.weightsIn));
  MLI_CHECK(checkTensor(call.weightsOut));
  MLI_CHECK(checkShapes({call.weightsIn, call.weightsOut}, sizes));
  MLI_CHECK(checkMemory(call.weightsIn));
  MLI_CHECK(checkMemory(call.weightsOut));
  MLI_CHECK(checkTensor(call.bias));
  MLI_CHECK(checkShapes({call.bias}, sizes));
  if (!kind.hasState)
    return MLI_STATUS_OK;
  MLI_CHECK(checkTensor(call.state()));
  return checkShapes({call.state()}, sizes);
}

static mli_status checkChoices(const mli_rnn_cell_cfg &cfg) {
  MLI_CHECK(checkEnumerator("direction", cfg.direction, RNN_DIR_BACKWARD));
  MLI_CHECK(checkEnumerator("results", cfg.results, RNN_OUT_ALL));
  return checkEnumerator("act", cfg.act, RNN_ACT_SIGM);
}

/// The memory that results and gates take.
static mli_status checkMemory(const CellCall &call, CellKind kind) {
  Argument out = call.result();
  MLI_CHECK(checkTensor(out));
  MLI_CHECK(checkSameType(out, call.in));
  MLI_CHECK(checkConfig(call.cfg));
  MLI_CHECK(checkChoices(*call.cfg));
  uint64_t vector =
      uint64_t{call.prevOut->shape[0]} * elementSize(call.in->el_type);
  uint64_t rows = call.cfg->results == RNN_OUT_ALL ? call.in->shape[0] : 1;
  if (out->data.capacity < rows * vector)
    return fail(MLI_STATUS_BAD_TENSOR,
                "expected 'out' to have a capacity of at least %" PRIu64
                " bytes, but got %" PRIu32,
                rows * vector, out->data.capacity);
  // As the call describes it, whatever rank it comes with.
  mli_tensor result = *call.out;
  describeCellOutput(call, result);
  MLI_CHECK(checkTensor(call.argument(OperandKind::Init, &result)));
  const mli_data_container &scratch = call.cfg->scratch_data;
  if (!scratch.mem.pi8 || scratch.capacity < kind.gates * vector)
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'scratch_data' to have %" PRIu64
                " bytes, but got %" PRIu32 "%s",
                kind.gates * vector, scratch.capacity,
                scratch.mem.pi8 ? "" : " at null");
  if (kind.hasState)
    MLI_CHECK(checkMemory(call.state()));
  MLI_CHECK(checkMemory(call.bias));
  MLI_CHECK(checkMemory(out));
  MLI_CHECK(checkAlignment("scratch_data", scratch.mem.pi8,
                           elementSize(call.in->el_type)));
  return checkNoOverlap(call.in, scratch, "scratch_data");
}

/// Written memory is not shared with memory that is read or written beside it,
/// except that the output may replace the previous one.
static mli_status checkAliasing(const CellCall &call, CellKind kind) {
  // The shape that the call writes, whatever the output has before.
  mli_tensor result = *call.out;
  describeCellOutput(call, result);
  mli_tensor gates = *call.prevOut;
  gates.data = call.cfg->scratch_data;
  gates.shape[0] *= kind.gates;
  mli_tensor tanh = getEntries(*call.tanhLut);
  mli_tensor sigm = getEntries(*call.sigmLut);
  const Argument read[] = {call.in,   call.weightsIn,      call.weightsOut,
                           call.bias, {&tanh, "tanh_lut"}, {&sigm, "sigm_lut"}};
  const Argument written[] = {
      call.argument(OperandKind::Init, &result),
      {&gates, "scratch_data"},
      {call.cell, "cell",
       contract::findTensor(call.family, OperandKind::Cell)}};
  size_t count = kind.hasState ? 3 : 2;
  for (size_t i = 0; i < count; ++i) {
    for (Argument tensor : read)
      MLI_CHECK(checkSharing(tensor, written[i]));
    for (size_t k = 0; k < i; ++k)
      MLI_CHECK(checkSharing(written[i], written[k]));
    MLI_CHECK(checkSharing(call.prevOut, written[i]));
  }
  return MLI_STATUS_OK;
}

/// Weights and bias are quantised alike: per tensor, or per gate.
static mli_status checkGateAxes(const CellCall &call) {
  bool isPerGate = isPerAxis(*call.weightsIn);
  for (Argument tensor : {call.weightsIn, call.weightsOut, call.bias}) {
    int32_t own = tensor->el_params.sa.dim;
    if (getParamsAxis(*tensor) != tensor.contract->axisIn(isPerGate))
      return fail(MLI_STATUS_INCOMPATEBLE_TENSORS,
                  "expected '%s' to be quantised per %s as 'weights_in', but "
                  "got dim %" PRId32,
                  tensor.name, isPerGate ? "gate" : "tensor", own);
  }
  return MLI_STATUS_OK;
}

static mli_status checkFormats(const CellCall &call, CellKind kind,
                               const TypeCombination &types) {
  Argument cell = kind.hasState ? call.state() : call.prevOut;
  Argument out = call.result();
  MLI_CHECK(checkTypes(call.in, call.weightsIn, call.bias, types));
  MLI_CHECK(checkType(call.weightsOut, types.weights));
  MLI_CHECK(checkType(call.prevOut, types.input));
  MLI_CHECK(checkType(cell, types.input));
  if (!types.isAsymmetric())
    return checkFractionBits(call.bias, call.in, call.weightsIn);
  for (Argument tensor : {call.in, call.prevOut, cell, out})
    MLI_CHECK(checkPerTensor(tensor));
  MLI_CHECK(checkGateAxes(call));
  for (Argument tensor : {call.in, call.prevOut, cell, out})
    MLI_CHECK(checkQuantization(tensor));
  for (Argument tensor : {call.weightsIn, call.weightsOut, call.bias})
    MLI_CHECK(checkQuantization(tensor));
  return checkBiasScale(call.in, call.weightsIn, call.bias);
}

// K48
mli_status checkCell(const CellCall &call, CellKind kind,
                     const TypeCombination &types) {
  MLI_CHECK(
      checkCellTable(call.tanhLut, "tanh_lut", mli_krn_tanh_get_lut_size()));
  MLI_CHECK(
      checkCellTable(call.sigmLut, "sigm_lut", mli_krn_sigm_get_lut_size()));
  MLI_CHECK(checkShapes(call, kind));
  MLI_CHECK(checkMemory(call, kind));
  MLI_CHECK(checkFormats(call, kind, types));
  return checkAliasing(call, kind);
}

} // namespace mli::rt
