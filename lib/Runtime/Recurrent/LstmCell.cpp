// SPDX-License-Identifier: Apache-2.0
//
// Long short-term memory over a sequence.

#include "RecurrentCell.h"
#include "Runtime/Elementwise/Eltwise.h"
#include "mli/Runtime/C/api/mli_kernels_api.h"

namespace mli::rt {
namespace {

enum Gate { InputGate, CellGate, ForgetGate, OutputGate, GateCount };

template <typename Types>
class LstmCell {
public:
  using Type = Computed<typename Types::Input, Types::rounding>;
  using Code = typename Type::Code;
  using Sequence = CellSequence<Types>;
  static constexpr CellKind kind = {GateCount, /*hasState=*/true};
  static_assert(getGates(Family::LstmCell) == GateCount);

  explicit LstmCell(const CellCall &call)
      : call(call), sequence(call), cell(getElements<Code>(*call.cell)),
        cellParams(getParams(*call.cell)) {}

  void run() {
    sequence.run([&](const Code *frame, const typename Sequence::Vector &hidden,
                     Code *out) { step(frame, hidden, out); });
  }

private:
  // K49
  void step(const Code *frame, const typename Sequence::Vector &hidden,
            Code *out) {
    quant::QuantParams format = sequence.gateFormat();
    for (int gate = 0; gate < GateCount; ++gate) {
      quant::QuantParams weights[2] = {getParams(*call.weightsIn, gate),
                                       getParams(*call.weightsOut, gate)};
      Code *codes = sequence.scratch(gate);
      sequence.computeGate(gate, frame, hidden, weights, format, codes);
      sequence.activate(gate == CellGate ? Family::Tanh : Family::Sigm, format,
                        codes);
    }
    updateCell();
    finish(out);
  }

  void updateCell() {
    constexpr auto sigm = activationParams<Type>(Family::Sigm);
    constexpr auto tanh = activationParams<Type>(Family::Tanh);
    EltwiseRows<EltwiseOp::Mul, Type> forget(cellParams, sigm, cellParams);
    EltwiseRows<EltwiseOp::Mul, Type> select(tanh, sigm, tanh);
    EltwiseRows<EltwiseOp::Add, Type> add(cellParams, tanh, cellParams);
    int64_t count = sequence.length();
    Code *selected = sequence.scratch(InputGate);
    select(sequence.scratch(CellGate), 1, selected, 1, selected, count);
    forget(cell, 1, sequence.scratch(ForgetGate), 1, cell, count);
    add(cell, 1, selected, 1, cell, count);
  }

  void finish(Code *out) {
    // The cell gate has been used: its memory takes the activated cell.
    Code *activated = sequence.scratch(CellGate);
    std::copy(cell, cell + sequence.length(), activated);
    quant::QuantParams params = cellParams;
    if (call.cfg->act == RNN_ACT_TANH || call.cfg->act == RNN_ACT_SIGM) {
      auto function =
          call.cfg->act == RNN_ACT_TANH ? Family::Tanh : Family::Sigm;
      sequence.activate(function, cellParams, activated);
      params = activationParams<Type>(function);
    }
    EltwiseRows<EltwiseOp::Mul, Type> multiply(
        params, activationParams<Type>(Family::Sigm), sequence.outFormat());
    multiply(activated, 1, sequence.scratch(OutputGate), 1, out,
             sequence.length());
  }

  const CellCall &call;
  Sequence sequence;
  Code *cell;
  quant::QuantParams cellParams;
};

} // namespace
} // namespace mli::rt

#define MLI_LSTM_CELL(name, types)                                             \
  mli_status name(MLI_LSTM_CELL_SIGNATURE(MLI_PARAMETER)) {                    \
    using namespace mli::rt;                                                   \
    return runCell<LstmCell, weighted::types>(                                 \
        #name, {Family::LstmCell, in, prev_out, weights_in, weights_out, bias, \
                tanh_lut, sigm_lut, cfg, cell, out});                          \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
