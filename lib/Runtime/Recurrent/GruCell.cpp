// SPDX-License-Identifier: Apache-2.0
//
// Gated recurrent unit over a sequence.

#include "RecurrentCell.h"
#include "Runtime/Elementwise/Eltwise.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

#include <algorithm>

namespace mli::rt {
namespace {

enum Gate { UpdateGate, ResetGate, NewGate, GateCount };

template <typename Types>
class GruCell {
public:
  using Type = Computed<typename Types::Input, Types::rounding>;
  using Code = typename Type::Code;
  using Sequence = CellSequence<Types>;
  static constexpr CellKind kind = {GateCount, /*hasState=*/false};
  static_assert(getGates(Family::GruCell) == GateCount);
  using Vector = typename Sequence::Vector;

  explicit GruCell(const CellCall &call) : call(call), sequence(call) {}

  void run() {
    sequence.run([&](const Code *frame, const Vector &hidden, Code *out) {
      step(frame, hidden, out);
    });
  }

private:
  static quant::QuantParams weightsParams(const mli_tensor &weights, int gate) {
    quant::QuantParams params = getParams(weights, gate);
    bool isNew = Types::isAsymmetric && gate == NewGate && !isPerAxis(weights);
    return isNew ? contract::newGateParams(params) : params;
  }

  void computeGate(int gate, const Code *frame, const Vector &hidden,
                   Family function) {
    quant::QuantParams weights[2] = {weightsParams(*call.weightsIn, gate),
                                     weightsParams(*call.weightsOut, gate)};
    quant::QuantParams format = sequence.gateFormat();
    Code *codes = sequence.scratch(gate);
    sequence.computeGate(gate, frame, hidden, weights, format, codes);
    sequence.activate(function, format, codes);
  }

  // K50
  void step(const Code *frame, const Vector &hidden, Code *out) {
    constexpr auto sigm = activationParams<Type>(Family::Sigm);
    constexpr auto tanh = activationParams<Type>(Family::Tanh);
    computeGate(UpdateGate, frame, hidden, Family::Sigm);
    computeGate(ResetGate, frame, hidden, Family::Sigm);
    // Reset applies to the state before the product, in the state's format.
    Code *reset = sequence.scratch(ResetGate);
    int64_t count = sequence.length();
    EltwiseRows<EltwiseOp::Mul, Type> applyReset(sigm, hidden.params,
                                                 hidden.params);
    applyReset(reset, 1, hidden.codes, 1, reset, count);
    computeGate(NewGate, frame, {reset, hidden.params}, Family::Tanh);

    const quant::QuantParams &outParams = sequence.outFormat();
    EltwiseRows<EltwiseOp::Mul, Type> keep(hidden.params, sigm, hidden.params);
    EltwiseRows<EltwiseOp::Mul, Type> renew(tanh, sigm, outParams);
    EltwiseRows<EltwiseOp::Add, Type> add(outParams, hidden.params, outParams);
    Code *update = sequence.scratch(UpdateGate);
    Code *renewed = sequence.scratch(NewGate);
    Code *kept = reset;
    keep(hidden.codes, 1, update, 1, kept, count);
    std::transform(update, update + count, update, complement);
    renew(renewed, 1, update, 1, renewed, count);
    add(renewed, 1, kept, 1, out, count);
  }

  /// One less a result of sigm, where one is the largest quantised value.
  static Code complement(Code code) {
    return quant::saturate<Code>(Types::isAsymmetric ? -1 - code
                                                     : INT16_MAX - code);
  }

  const CellCall &call;
  Sequence sequence;
};

} // namespace
} // namespace mli::rt

#define MLI_GRU_CELL(name, types)                                              \
  mli_status name(MLI_GRU_CELL_SIGNATURE(MLI_PARAMETER)) {                     \
    using namespace mli::rt;                                                   \
    return runCell<GruCell, weighted::types>(                                  \
        #name, {Family::GruCell, in, prev_out, weights_in, weights_out, bias,  \
                tanh_lut, sigm_lut, cfg, nullptr, out});                       \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
