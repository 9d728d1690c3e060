// SPDX-License-Identifier: Apache-2.0
//
// rnn_dense and the recurrent cells, step by step.

#ifndef MLI_TEST_UNIT_RUNTIME_REFERENCE_RECURRENT_H
#define MLI_TEST_UNIT_RUNTIME_REFERENCE_RECURRENT_H

#include "Elementwise.h"
#include "Tables.h"

namespace mli::ref {

/// A vector and the matrix that it is multiplied by, [count][outputs].
struct DenseInput {
  Codes codes;
  Quant q;
  Codes matrix;
  Quant weights;
};

/// What the codes are of.
struct DenseTypes {
  mli_element_type in;
  mli_element_type weights;
};

inline Codes dense(const DenseTypes &types, const std::vector<DenseInput> &ins,
                   const Codes &bias, const Quant &biasQuant,
                   const Quant &out) {
  bool isSa = types.in == MLI_EL_SA_8;
  int bits = types.weights == MLI_EL_FX_16 ? 64 : 32;
  std::vector<std::pair<Wide, int>> multipliers;
  multipliers.reserve(ins.size());
  for (const DenseInput &in : ins)
    multipliers.push_back(
        isSa ? saMultiplier(in.q, in.weights, out, true)
             : std::pair<Wide, int>(1, in.q.f + in.weights.f - out.f));
  Codes codes;
  for (size_t o = 0; o < bias.size(); ++o) {
    Wide total = 0;
    for (size_t i = 0; i < ins.size(); ++i) {
      const DenseInput &in = ins[i];
      auto zero = static_cast<int64_t>(in.q.z);
      int64_t sum = 0;
      for (size_t j = 0; j < in.codes.size(); ++j)
        sum += (in.codes[j] - zero) * in.matrix[j * bias.size() + o];
      Wide acc = sum;
      if (i == 0 && isSa) {
        acc += saBiasTerm(bias[o]);
      } else if (i == 0) {
        acc +=
            wrap(32, rsh(bits, bias[o], biasQuant.f - in.q.f - in.weights.f));
      }
      acc = wrap(bits, acc);
      auto [m, shift] = multipliers[i];
      if (isSa)
        total =
            sat(bits, total + sat(32, rsh(64, acc * m, std::min(shift, 63))));
      else
        total =
            sat(bits, total + rsh(bits, acc,
                                  bits == 64 ? std::min(shift, 39) : shift));
    }
    codes.push_back(static_cast<int64_t>(
        isSa ? sat(8, sat(16, sat(16, total) + out.z)) : sat(16, total)));
  }
  return codes;
}

/// The parts of a tensor whose first dimension counts gates or frames.
inline std::vector<Codes> getParts(const mli_tensor &t) {
  Codes all = getCodes(t);
  auto size = static_cast<int64_t>(all.size()) / t.shape[0];
  std::vector<Codes> parts;
  for (auto from = all.begin(); from != all.end(); from += size)
    parts.emplace_back(from, from + size);
  return parts;
}

/// The arguments of a cell; `cell` is updated.
struct CellArguments {
  const mli_tensor &in;
  const mli_tensor &prevOut;
  const mli_tensor &weightsIn;
  const mli_tensor &weightsOut;
  const mli_tensor &bias;
  const mli_lut &tanh;
  const mli_lut &sigm;
  const mli_rnn_cell_cfg &cfg;
  const mli_tensor &out;
  std::vector<Codes> frames = getParts(in);
  std::vector<Codes> matricesIn = getParts(weightsIn);
  std::vector<Codes> matricesOut = getParts(weightsOut);
  std::vector<Codes> biases = getParts(bias);

  mli_element_type type() const { return in.el_type; }
  bool isSa() const { return type() == MLI_EL_SA_8; }

  Codes gate(int64_t k, const Codes &x, const Codes &h, const Quant &hq,
             const Quant &format, const Quant &wIn, const Quant &wOut) const {
    return dense(
        {type(), weightsIn.el_type},
        {{x, quantOf(in), matricesIn[k], wIn}, {h, hq, matricesOut[k], wOut}},
        biases[k], quantOf(bias, static_cast<uint32_t>(k)), format);
  }

  Codes map(Function function, const Quant &q, Codes codes) const {
    for (int64_t &code : codes)
      code = static_cast<int64_t>(activate(
          function, type(), function == Function::sigm ? sigm : tanh, q, code));
    return codes;
  }

  Codes combine(Op op, const Codes &a, const Quant &qa, const Codes &b,
                const Quant &qb, const Quant &qo) const {
    Codes codes;
    for (size_t i = 0; i < a.size(); ++i)
      codes.push_back(
          static_cast<int64_t>(eltwise(op, type(), a[i], qa, b[i], qb, qo)));
    return codes;
  }

  Quant irFormat(int fracBits, const Quant &sa) const {
    if (isSa())
      return sa;
    return {1, std::min(fracBits, quantOf(in).f + quantOf(weightsIn).f), 0};
  }

  /// Calls `step(frame, h, hq)` in the order of processing.
  template <typename Step>
  Codes run(Step step) const {
    Codes results;
    Codes h = getCodes(prevOut);
    Quant hq = quantOf(prevOut);
    for (size_t t = 0; t < frames.size(); ++t) {
      bool isForward = cfg.direction == RNN_DIR_FORWARD;
      h = step(frames[isForward ? t : frames.size() - 1 - t], h, hq);
      hq = quantOf(out);
      if (cfg.results != RNN_OUT_ALL)
        results.clear();
      results.insert(results.end(), h.begin(), h.end());
    }
    return results;
  }
};

inline Codes lstm(const CellArguments &a, const Quant &cq, Codes &c) {
  Quant ir = a.irFormat(10, {1, 4, 0});
  Quant sq = getResult(Function::sigm, a.type());
  Quant tq = getResult(Function::tanh, a.type());
  return a.run([&](const Codes &x, const Codes &h, const Quant &hq) {
    Codes gates[4];
    for (uint32_t k = 0; k < 4; ++k)
      gates[k] = a.map(k == 1 ? Function::tanh : Function::sigm, ir,
                       a.gate(k, x, h, hq, ir, quantOf(a.weightsIn, k),
                              quantOf(a.weightsOut, k)));
    c = a.combine(Op::Mul, c, cq, gates[2], sq, cq);
    Codes gi = a.combine(Op::Mul, gates[1], tq, gates[0], sq, tq);
    c = a.combine(Op::Add, c, cq, gi, tq, cq);
    Codes act = c;
    Quant actQuant = cq;
    if (a.cfg.act != RNN_ACT_NONE) {
      auto function =
          a.cfg.act == RNN_ACT_TANH ? Function::tanh : Function::sigm;
      act = a.map(function, cq, c);
      actQuant = getResult(function, a.type());
    }
    return a.combine(Op::Mul, act, actQuant, gates[3], sq, quantOf(a.out));
  });
}

inline Codes gru(const CellArguments &a) {
  Quant ir = a.irFormat(11, {21, 9, 0});
  Quant sq = getResult(Function::sigm, a.type());
  Quant tq = getResult(Function::tanh, a.type());
  auto getWeights = [&](const mli_tensor &t, uint32_t k) {
    Quant q = quantOf(t, k);
    if (a.isSa() && k == 2 && t.el_params.sa.dim < 0)
      q = {wrap(16, q.s + 4), static_cast<int>(wrap(8, q.f + 2)), q.z};
    return q;
  };
  return a.run([&](const Codes &x, const Codes &h, const Quant &hq) {
    auto gate = [&](uint32_t k, const Codes &state, Function function) {
      return a.map(function, ir,
                   a.gate(k, x, state, hq, ir, getWeights(a.weightsIn, k),
                          getWeights(a.weightsOut, k)));
    };
    Codes z = gate(0, h, Function::sigm);
    Codes r = gate(1, h, Function::sigm);
    Codes rh = a.combine(Op::Mul, r, sq, h, hq, hq);
    Codes hz = a.combine(Op::Mul, h, hq, z, sq, hq);
    Codes u = z;
    for (int64_t &code : u)
      code = static_cast<int64_t>(sat(16, (a.isSa() ? -1 : 32767) - code));
    Codes n = gate(2, rh, Function::tanh);
    Quant oq = quantOf(a.out);
    Codes t = a.combine(Op::Mul, n, tq, u, sq, oq);
    return a.combine(Op::Add, t, oq, hz, hq, oq);
  });
}

} // namespace mli::ref

#endif // MLI_TEST_UNIT_RUNTIME_REFERENCE_RECURRENT_H
