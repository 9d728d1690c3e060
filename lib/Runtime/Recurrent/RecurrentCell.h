// SPDX-License-Identifier: Apache-2.0
//
// The common part of LSTM and GRU cells: their arguments and rules, and the
// walk over the frames of a sequence.

#ifndef MLI_LIB_RUNTIME_RECURRENT_RECURRENTCELL_H
#define MLI_LIB_RUNTIME_RECURRENT_RECURRENTCELL_H

#include "RecurrentDense.h"
#include "Runtime/Convolution/WeightedChecks.h"
#include "Runtime/Tables/Activation.h"

namespace mli::rt {

/// The differences between cells that the checks depend on.
struct CellKind {
  uint32_t gates;
  /// There is a cell state beside the output.
  bool hasState;
};

/// The gates that the contract of a family of cells has.
constexpr uint32_t getGates(Family family) {
  return static_cast<uint32_t>(
      contract::findTensor(family, OperandKind::Bias)->shape[0] - '0');
}

/// One call, from the pointers of the prototype; `cell` is null for kinds
/// without a state.
struct CellCall {
  CellCall(Family family, const mli_tensor *in, const mli_tensor *prevOut,
           const mli_tensor *weightsIn, const mli_tensor *weightsOut,
           const mli_tensor *bias, const mli_lut *tanhLut,
           const mli_lut *sigmLut, const mli_rnn_cell_cfg *cfg,
           mli_tensor *cell, mli_tensor *out)
      : family(family), in(argument(OperandKind::Input, in)),
        prevOut(argument(OperandKind::Previous, prevOut)),
        weightsIn(argument(OperandKind::Weights, weightsIn)),
        weightsOut(argument(OperandKind::WeightsOut, weightsOut)),
        bias(argument(OperandKind::Bias, bias)), tanhLut(tanhLut),
        sigmLut(sigmLut), cfg(cfg), cell(cell), out(out) {}

  Argument argument(OperandKind role, const mli_tensor *tensor) const {
    return getArgument(family, role, tensor);
  }
  Argument state() const { return argument(OperandKind::Cell, cell); }
  Argument result() const { return argument(OperandKind::Init, out); }

  Family family;
  Argument in;
  Argument prevOut;
  Argument weightsIn;
  Argument weightsOut;
  Argument bias;
  const mli_lut *tanhLut;
  const mli_lut *sigmLut;
  const mli_rnn_cell_cfg *cfg;
  mli_tensor *cell;
  mli_tensor *out;
};

mli_status checkCell(const CellCall &call, CellKind kind,
                     const TypeCombination &types);

/// Gives `out` the shape and strides of the results of the call.
void describeCellOutput(const CellCall &call, mli_tensor &out);

/// The frames of a call in the order in which they are processed, and where
/// their results go.
template <typename Types>
class CellSequence {
public:
  using Code = typename Types::Input::Code;

  /// A vector and its quantisation.
  struct Vector {
    const Code *codes;
    quant::QuantParams params;
  };

  explicit CellSequence(const CellCall &call)
      : call(call), frames(call.in->shape[0]), features(call.in->shape[1]),
        size(call.weightsOut->shape[2]), inParams(getParams(*call.in)),
        outParams(getParams(*call.out)) {}

  /// Calls `step(frame, hidden, out)` for each frame: the hidden state is
  /// prev_out at first, then the result of the step before.
  // K47
  template <typename Step>
  void run(Step step) const {
    bool isForward = call.cfg->direction == RNN_DIR_FORWARD;
    bool keepsAll = call.cfg->results == RNN_OUT_ALL;
    Vector hidden = {getElements<Code>(*call.prevOut),
                     getParams(*call.prevOut)};
    Code *out = getElements<Code>(*call.out);
    for (int64_t i = 0; i < frames; ++i) {
      int64_t frame = isForward ? i : frames - 1 - i;
      step(getElements<Code>(*call.in) + frame * call.in->mem_stride[0], hidden,
           out);
      hidden = {out, outParams};
      if (keepsAll)
        out += size;
    }
  }

  /// The products of one gate, in format `params`.
  void computeGate(int64_t gate, const Code *frame, const Vector &hidden,
                   const quant::QuantParams weightsParams[2],
                   const quant::QuantParams &params, Code *result) const {
    const mli_tensor &toIn = *call.weightsIn;
    const mli_tensor &toOut = *call.weightsOut;
    using WeightCode = typename Types::Weights::Code;
    DenseInput<Types> inputs[2] = {
        {frame, features, inParams,
         getElements<WeightCode>(toIn) + gate * toIn.mem_stride[0],
         toIn.mem_stride[1], weightsParams[0]},
        {hidden.codes, size, hidden.params,
         getElements<WeightCode>(toOut) + gate * toOut.mem_stride[0],
         toOut.mem_stride[1], weightsParams[1]}};
    DenseBias<Types> bias = {
        getElements<typename Types::Bias::Code>(*call.bias) +
            gate * call.bias->mem_stride[0],
        getParams(*call.bias, gate)};
    computeDense(inputs, 2, bias, params, size, result);
  }

  /// Replaces quantised values of format `params` by a function of them.
  void activate(Family family, const quant::QuantParams &params,
                Code *codes) const {
    const mli_lut &lut = family == Family::Sigm ? *call.sigmLut : *call.tanhLut;
    Activation<Computed<typename Types::Input, Types::rounding>> activation(
        family, lut, params);
    activation(codes, size, codes);
  }

  /// The vector for gate `gate` in the memory that the caller brings.
  Code *scratch(int64_t gate) const {
    return reinterpret_cast<Code *>(call.cfg->scratch_data.mem.pi8) +
           gate * size;
  }

  int64_t length() const { return size; }
  const quant::QuantParams &outFormat() const { return outParams; }
  /// The format of the gates before their functions.
  quant::QuantParams gateFormat() const {
    return contract::gateFormat(call.family, Types::isAsymmetric, inParams,
                                getParams(*call.weightsIn));
  }

private:
  const CellCall &call;
  int64_t frames;
  int64_t features;
  int64_t size;
  quant::QuantParams inParams;
  quant::QuantParams outParams;
};

/// A function of its own, so that what a cell keeps takes no stack while checks
/// run.
template <typename Cell>
[[gnu::noinline]] void computeCell(const CellCall &call) {
  Cell(call).run();
}

/// The kernel of the name `function`: checks a call, then runs
/// `Cell<Types>(call)`, whose kind is `Cell<Types>::kind`.
template <template <typename> class Cell, typename Combination>
mli_status runCell(const char *function, const CellCall &call) {
  return runEntry<Combination, MLI_ACCUMULATE_FULL_PRODUCTS>(
      function, [&](auto computed) {
        using Types = decltype(computed);
        if (checksEnabled())
          MLI_CHECK(checkCell(call, Cell<Types>::kind, Types::combination));
        describeCellOutput(call, *call.out);
        computeCell<Cell<Types>>(call);
        return MLI_STATUS_OK;
      });
}

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_RECURRENT_RECURRENTCELL_H
