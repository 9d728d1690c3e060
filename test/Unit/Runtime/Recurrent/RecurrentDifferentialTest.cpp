// SPDX-License-Identifier: Apache-2.0
//
// rnn_dense, LSTM and GRU cells against the reference.

#include "../Reference/RandomTable.h"
#include "../Reference/Recurrent.h"

using namespace mli::test;
using mli::ref::Codes;
using mli::ref::Quant;

namespace {

struct DenseKernel {
  const char *name;
  Combination types;
  mli_status (*call)(const mli_tensor **, const mli_tensor **,
                     const mli_tensor *, const mli_rnn_dense_cfg *,
                     mli_tensor *);
};

constexpr DenseKernel denseKernels[] = {
#define MLI_RNN_DENSE(name, types) {#name, combined::types, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

using Owned = std::unique_ptr<RandomTensor>;

void runDense(Random &random, const DenseKernel &kernel) {
  int64_t outputs = random.oneIn(8) ? random.in(10, 70) : random.in(1, 9);
  RandomTensor bias(random, kernel.types.bias, {outputs}, /*hasGaps=*/false);
  RandomTensor out(random, kernel.types.in, {outputs}, /*hasGaps=*/false);
  bias.fill(random);
  bool isBiasAlone = kernel.types.bias == MLI_EL_SA_32 && random.oneIn(4);
  std::vector<Owned> tensors;
  std::vector<const mli_tensor *> ins;
  std::vector<const mli_tensor *> weights;
  std::vector<mli::ref::DenseInput> inputs;
  for (int64_t i = random.in(1, 4); i > 0; --i) {
    int64_t count = random.oneIn(16) ? random.in(10, 70) : random.in(1, 9);
    tensors.push_back(std::make_unique<RandomTensor>(
        random, kernel.types.in, std::vector<int64_t>{1, count}, false));
    RandomTensor &in = *tensors.back();
    tensors.push_back(std::make_unique<RandomTensor>(
        random, kernel.types.weights, std::vector<int64_t>{count, outputs}));
    RandomTensor &matrix = *tensors.back();
    in.fill(random);
    if (isBiasAlone)
      matrix.fillWithZeros();
    else
      matrix.fill(random);
    if (ins.empty()) {
      quantiseProduct(random, in, matrix, bias, out, -1);
    } else if (mli::ref::isFx(kernel.types.in)) {
      // No fewer fraction bits than the output has.
      int bits = static_cast<int>(random.in(0, 15));
      in.quantise({1, bits, 0});
      matrix.quantise({1,
                       mli::ref::quantOf(*out).f - bits +
                           static_cast<int>(random.in(0, 20)),
                       0});
    } else {
      in.quantise(randomQuant(random, MLI_EL_SA_8));
      Quant q = mli::ref::quantOf(*weights[0]);
      q.f += static_cast<int>(random.in(-3, 3));
      matrix.quantise(q);
    }
    ins.push_back(in);
    weights.push_back(matrix);
    inputs.push_back({mli::ref::getCodes(*in), mli::ref::quantOf(*in),
                      mli::ref::getCodes(*matrix), mli::ref::quantOf(*matrix)});
  }
  if (isBiasAlone)
    placeBetweenCodes(random, *tensors[0], *tensors[1], bias,
                      mli::ref::quantOf(*out), 1);
  mli_rnn_dense_cfg cfg = {static_cast<uint8_t>(ins.size())};
  Codes expected =
      mli::ref::dense({kernel.types.in, kernel.types.weights}, inputs,
                      mli::ref::getCodes(*bias), mli::ref::quantOf(*bias),
                      mli::ref::quantOf(*out));
  std::vector<Operand> operands = {{out, expected}, bias};
  for (const Owned &tensor : tensors)
    operands.emplace_back(*tensor);
  expectOnTargets(operands, [&] {
    return kernel.call(ins.data(), weights.data(), bias, &cfg, out);
  });
}

// K44, K45
TEST(RecurrentDifferential, RnnDense) {
  Random random(12);
  forEachCaseInModes(random, denseKernels, 1200,
                     [&](const auto &kernel) { runDense(random, kernel); });
}

/// The tensors of a cell of random size and formats.
struct Cell {
  Cell(Random &random, const Combination &types, int64_t gates)
      : frames(random.in(1, 4)), features(random.in(1, 5)),
        size(random.oneIn(16) ? random.in(10, 70) : random.in(1, 6)),
        isAll(random.oneIn(2)), isOpen(random.oneIn(4)),
        in(random, types.in, {frames, features}, false),
        prevOut(random, types.in, {size}, false),
        weightsIn(random, types.weights, {gates, features, size}),
        weightsOut(random, types.weights, {gates, size, size}),
        bias(random, types.bias, {gates, size}),
        cell(random, types.in, {size}, false),
        out(random, types.in, {isAll ? frames * size : size}, false),
        scratch(random, types.in, {gates * size}, false),
        tanh(random, mli_krn_tanh_create_lut),
        sigm(random, mli_krn_sigm_create_lut) {
    for (RandomTensor *tensor :
         {&in, &prevOut, &weightsIn, &weightsOut, &bias, &cell})
      if (random.oneIn(8))
        tensor->fillWithLimits(random);
      else
        tensor->fill(random);
    quantise(random, gates);
    cfg.direction = static_cast<mli_rnn_direction>(random.in(0, 1));
    cfg.results = isAll ? RNN_OUT_ALL : RNN_OUT_LAST;
    cfg.act = static_cast<mli_rnn_out_activation>(random.in(0, 2));
    cfg.scratch_data = scratch->data;
  }

  mli::ref::CellArguments arguments() const {
    return {*in,      *prevOut, *weightsIn, *weightsOut, *bias,
            tanh.lut, sigm.lut, cfg,        *out};
  }

  int64_t frames;
  int64_t features;
  int64_t size;
  bool isAll;
  /// The output brings no shape.
  bool isOpen;
  RandomTensor in;
  RandomTensor prevOut;
  RandomTensor weightsIn;
  RandomTensor weightsOut;
  RandomTensor bias;
  RandomTensor cell;
  RandomTensor out;
  RandomTensor scratch;
  RandomTable tanh;
  RandomTable sigm;
  mli_rnn_cell_cfg cfg = {};

private:
  void quantise(Random &random, int64_t gates) {
    if (mli::ref::isFx(in->el_type)) {
      int bits = static_cast<int>(random.in(5, 15));
      int weightBits = static_cast<int>(random.in(0, 15));
      in.quantise({1, bits, 0});
      weightsIn.quantise({1, weightBits, 0});
      weightsOut.quantise({1, static_cast<int>(random.in(0, 15)), 0});
      bias.quantise(
          {1, bits + weightBits - static_cast<int>(random.in(0, 15)), 0});
      for (RandomTensor *tensor : {&prevOut, &cell, &out})
        tensor->quantise({1, static_cast<int>(random.in(8, 15)), 0});
      return;
    }
    int32_t axis = random.oneIn(2) ? 0 : -1;
    RandomTensor unused(random, MLI_EL_SA_8, {1}, false);
    quantiseProduct(random, in, weightsIn, bias, unused, axis);
    if (axis < 0) {
      weightsOut.quantise({20000, static_cast<int>(random.in(14, 22)), 0});
    } else {
      std::vector<Quant> entries;
      entries.reserve(gates);
      for (int64_t i = 0; i < gates; ++i)
        entries.push_back(
            {random.in(1000, 32767), static_cast<int>(random.in(14, 22)), 0});
      weightsOut.quantise(0, entries);
    }
    for (RandomTensor *tensor : {&prevOut, &cell, &out})
      tensor->quantise({random.in(100, 32767),
                        static_cast<int>(random.in(12, 20)),
                        random.in(-128, 127)});
    if (!random.oneIn(4))
      return;
    weightsIn.fillWithZeros();
    weightsOut.fillWithZeros();
    Quant gate = gates == 4 ? Quant{1, 4, 0} : Quant{21, 9, 0};
    placeBetweenCodes(random, in, weightsIn, bias, gate, size);
  }
};

/// The previous output may lie where the output goes.
void placePrevious(Random &random, Cell &c) {
  if (!random.oneIn(3))
    return;
  Codes previous = mli::ref::getCodes(*c.prevOut);
  for (size_t i = 0; i < previous.size(); ++i)
    c.out.set(static_cast<int64_t>(i), previous[i]);
  c.prevOut->data = c.out->data;
}

/// Expects of `call()` that it computes `expected`, and no change of what only
/// is read.
template <typename Call>
void expectCell(Cell &c, const Codes &expected, const Operand &state,
                Call call) {
  expectOnTargets({{c.out, expected},
                   state,
                   c.in,
                   c.prevOut,
                   c.weightsIn,
                   c.weightsOut,
                   c.bias,
                   {c.scratch, Anything()}},
                  [&] {
                    if (c.isOpen)
                      c.out->rank = 0;
                    mli_status status = call();
                    EXPECT_EQ(c.out->rank, 2U);
                    EXPECT_EQ(c.out->shape[0], c.isAll ? c.frames : 1);
                    EXPECT_EQ(c.out->shape[1], c.size);
                    return status;
                  });
}

struct LstmKernel {
  const char *name;
  Combination types;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_tensor *, const mli_tensor *, const mli_lut *,
                     const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *,
                     mli_tensor *);
};
constexpr LstmKernel lstmKernels[] = {
#define MLI_LSTM_CELL(name, types) {#name, combined::types, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K47, K49
TEST(RecurrentDifferential, Lstm) {
  Random random(13);
  forEachCaseInModes(random, lstmKernels, 400, [&](const auto &kernel) {
    Cell c(random, kernel.types, 4);
    Codes state = mli::ref::getCodes(*c.cell);
    Codes expected =
        mli::ref::lstm(c.arguments(), mli::ref::quantOf(*c.cell), state);
    placePrevious(random, c);
    expectCell(c, expected, {c.cell, state}, [&] {
      return kernel.call(c.in, c.prevOut, c.weightsIn, c.weightsOut, c.bias,
                         &c.tanh.lut, &c.sigm.lut, &c.cfg, c.cell, c.out);
    });
  });
}

struct GruKernel {
  const char *name;
  Combination types;
  mli_status (*call)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                     const mli_tensor *, const mli_tensor *, const mli_lut *,
                     const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *);
};
constexpr GruKernel gruKernels[] = {
#define MLI_GRU_CELL(name, types) {#name, combined::types, name},
#include "mli/Runtime/C/api/mli_kernels.def"
};

// K47, K50, K51
TEST(RecurrentDifferential, Gru) {
  Random random(14);
  forEachCaseInModes(random, gruKernels, 400, [&](const auto &kernel) {
    Cell c(random, kernel.types, 3);
    Codes expected = mli::ref::gru(c.arguments());
    placePrevious(random, c);
    expectCell(c, expected, c.cell, [&] {
      return kernel.call(c.in, c.prevOut, c.weightsIn, c.weightsOut, c.bias,
                         &c.tanh.lut, &c.sigm.lut, &c.cfg, c.out);
    });
  });
}

} // namespace
