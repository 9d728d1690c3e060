// SPDX-License-Identifier: Apache-2.0
//
// rnn_dense, LSTM and GRU cells, where golden vectors say nothing.

#include "../TestTensor.h"

#include <gtest/gtest.h>

using namespace mli::test;

namespace {

// K44
TEST(RnnDense, EachProductIsRoundedOnItsOwn) {
  // Two products of one half each: 1 + 1, not 1.
  Fx16 in({1}, {1});
  Fx16 weights({1, 1}, {1});
  Fx16 bias({1});
  Fx16 out({1});
  in.fracBits(1);
  const mli_tensor *ins[] = {in, in};
  const mli_tensor *matrices[] = {weights, weights};
  const mli_rnn_dense_cfg cfg = {2};
  ASSERT_EQ(mli_krn_rnn_dense_fx16(ins, matrices, bias, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 2);
}

// K45
TEST(RnnDense, TheBiasWrapsWithTheProducts) {
  // 127 * 2^24 + 5 * 32767 * 127 is beyond 2^31; as a matrix product it would
  // saturate.
  Fx16 in({5}, std::vector<int16_t>(5, 32767));
  Fx8 weights({5, 1}, std::vector<int8_t>(5, 127));
  Fx8 bias({1}, {127});
  Fx16 out({1});
  in.fracBits(15);
  weights.fracBits(7);
  bias.fracBits(-2);
  out.fracBits(-8);
  const mli_tensor *ins[] = {in};
  const mli_tensor *matrices[] = {weights};
  const mli_rnn_dense_cfg cfg = {1};
  ASSERT_EQ(mli_krn_rnn_dense_fx16_fx8_fx8(ins, matrices, bias, &cfg, out),
            MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], -2);
  const mli_fully_connected_cfg connected = {{MLI_RELU_NONE}};
  ASSERT_EQ(
      mli_krn_fully_connected_fx16_fx8_fx8(in, weights, bias, &connected, out),
      MLI_STATUS_OK);
  EXPECT_EQ(out.codes[0], 1); // The half is added with saturation, too.
}

// K46
TEST(RnnDense, Checks) {
  Fx16 in({1});
  Fx16 weights({1, 1});
  Fx16 bias({1});
  Fx16 out({1});
  const mli_tensor *ins[] = {in, nullptr};
  const mli_tensor *matrices[] = {weights, weights};
  auto run = [&](uint8_t count) {
    const mli_rnn_dense_cfg cfg = {count};
    return mli_krn_rnn_dense_fx16(ins, matrices, bias, &cfg, out);
  };
  EXPECT_EQ(run(0), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(run(5), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(run(1), MLI_STATUS_OK);
  Messages messages;
  EXPECT_EQ(run(2), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(messages.last, "mli_krn_rnn_dense_fx16: expected 'in[1]' to be a "
                           "tensor, but got null");
  EXPECT_EQ(mli_krn_rnn_dense_fx16(nullptr, matrices, bias, nullptr, out),
            MLI_STATUS_BAD_FUNC_CFG);
}

/// The tables, and a cell of 2 units over 3 frames of 2 features.
template <uint32_t Gates>
struct Cell {
  Cell()
      : in({3, 2}, {90, -80, 10, 70, -60, 33}), prev({2}, {40, -50}),
        weightsIn({Gates, 2, 2}), weightsOut({Gates, 2, 2}), bias({Gates, 2}),
        cell({2}, {11, -12}), out({6}), tanhValues(344), sigmValues(320),
        scratch(size_t{2} * Gates) {
    for (size_t i = 0; i < weightsIn.codes.size(); ++i) {
      weightsIn.codes[i] = static_cast<int8_t>(37 * i % 101 - 50);
      weightsOut.codes[i] = static_cast<int8_t>(53 * i % 97 - 48);
    }
    in.params(1, 6, 3);
    prev.params(1, 7, 0);
    weightsIn.params(3, 8, 0);
    weightsOut.params(3, 8, 0);
    bias.params(3, 14, 0);
    cell.params(1, 5, 0);
    out.params(1, 7, 0);
    std::memset(&tanh, 0, sizeof(tanh));
    std::memset(&sigm, 0, sizeof(sigm));
    tanh.data = {688, {reinterpret_cast<int32_t *>(tanhValues.data())}};
    sigm.data = {640, {reinterpret_cast<int32_t *>(sigmValues.data())}};
    mli_krn_tanh_create_lut(&tanh);
    mli_krn_sigm_create_lut(&sigm);
    cfg.results = RNN_OUT_ALL;
    cfg.act = RNN_ACT_TANH;
    cfg.scratch_data.capacity = static_cast<uint32_t>(scratch.size());
    cfg.scratch_data.mem.pi8 = scratch.data();
  }
  mli_status lstm() {
    return mli_krn_lstm_cell_sa8_sa8_sa32(in, prev, weightsIn, weightsOut, bias,
                                          &tanh, &sigm, &cfg, cell, out);
  }
  mli_status gru() {
    return mli_krn_gru_cell_sa8_sa8_sa32(in, prev, weightsIn, weightsOut, bias,
                                         &tanh, &sigm, &cfg, out);
  }

  Sa8 in;
  Sa8 prev;
  Sa8 weightsIn;
  Sa8 weightsOut;
  Sa32 bias;
  Sa8 cell;
  Sa8 out;
  std::vector<int16_t> tanhValues;
  std::vector<int16_t> sigmValues;
  std::vector<int8_t> scratch;
  mli_lut tanh;
  mli_lut sigm;
  mli_rnn_cell_cfg cfg = {};
};

// K47
TEST(Lstm, DescribesItsOutput) {
  Cell<4> cell;
  ASSERT_EQ(cell.lstm(), MLI_STATUS_OK);
  EXPECT_EQ(cell.out->rank, 2u);
  EXPECT_EQ(cell.out->shape[0], 3u);
  EXPECT_EQ(cell.out->shape[1], 2u);
  EXPECT_EQ(cell.out->mem_stride[0], 2);
}

/// Expects the results of a cell whose output brings data and parameters only.
template <uint32_t Gates>
void expectAnyDescription(mli_status (Cell<Gates>::*run)()) {
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES}) {
    CheckMode scope(mode);
    Cell<Gates> described;
    Cell<Gates> open;
    open.out->rank = 0;
    open.out->shape[0] = 0;
    open.out->mem_stride[0] = 0;
    ASSERT_EQ((described.*run)(), MLI_STATUS_OK);
    ASSERT_EQ((open.*run)(), MLI_STATUS_OK);
    EXPECT_EQ(open.out.codes, described.out.codes);
    EXPECT_EQ(open.out->data.mem.pi8, open.out.codes.data());
    EXPECT_EQ(open.out->rank, 2u);
    EXPECT_EQ(open.out->shape[0], 3u);
    EXPECT_EQ(open.out->mem_stride[0], 2);
  }
}

// K47
TEST(Lstm, AnOutputNeedsNoShape) { expectAnyDescription(&Cell<4>::lstm); }

// K47
TEST(Gru, AnOutputNeedsNoShape) { expectAnyDescription(&Cell<3>::gru); }

// K47
TEST(Lstm, LastResultIsTheLastOfAll) {
  Cell<4> all;
  Cell<4> last;
  last.cfg.results = RNN_OUT_LAST;
  ASSERT_EQ(all.lstm(), MLI_STATUS_OK);
  ASSERT_EQ(last.lstm(), MLI_STATUS_OK);
  EXPECT_EQ(last.out.codes[0], all.out.codes[4]);
  EXPECT_EQ(last.out.codes[1], all.out.codes[5]);
  EXPECT_EQ(last.out->shape[0], 1u);
  EXPECT_EQ(last.cell.codes, all.cell.codes);
}

// K47
TEST(Lstm, BackwardStoresInTheOrderOfProcessing) {
  Cell<4> backward;
  backward.cfg.direction = RNN_DIR_BACKWARD;
  Cell<4> reversed;
  reversed.in.codes = {-60, 33, 10, 70, 90, -80};
  ASSERT_EQ(backward.lstm(), MLI_STATUS_OK);
  ASSERT_EQ(reversed.lstm(), MLI_STATUS_OK);
  EXPECT_EQ(backward.out.codes, reversed.out.codes);
}

/// Expects the results of a cell whose output replaces the previous one.
template <uint32_t Gates>
void expectAliasing(mli_status (Cell<Gates>::*run)()) {
  Cell<Gates> apart;
  Cell<Gates> aliased;
  aliased.out.codes = {40, -50, 0, 0, 0, 0};
  aliased.prev->data.mem.pi8 = aliased.out.codes.data();
  ASSERT_EQ((apart.*run)(), MLI_STATUS_OK);
  ASSERT_EQ((aliased.*run)(), MLI_STATUS_OK);
  EXPECT_EQ(aliased.out.codes, apart.out.codes);
}

// K49
TEST(Lstm, PreviousOutputMayBeTheOutput) { expectAliasing(&Cell<4>::lstm); }

// K50
TEST(Gru, PreviousOutputMayBeTheOutput) { expectAliasing(&Cell<3>::gru); }

// K50
TEST(Gru, TheActivationIsIgnored) {
  Cell<3> tanh;
  Cell<3> none;
  none.cfg.act = RNN_ACT_NONE;
  ASSERT_EQ(tanh.gru(), MLI_STATUS_OK);
  ASSERT_EQ(none.gru(), MLI_STATUS_OK);
  EXPECT_EQ(none.out.codes, tanh.out.codes);
}

// K51
TEST(Gru, PerTensorWeightsOfTheNewGateAreOthers) {
  Cell<3> perTensor;
  ASSERT_EQ(perTensor.gru(), MLI_STATUS_OK);
  // The checks would reject the bias of the last gate.
  CheckMode off(MLI_CHECK_OFF);
  Cell<3> perGate;
  perGate.weightsIn.axis(0, {3, 3, 3 + 4}, {8, 8, 8 + 2}, {0, 0, 0});
  perGate.weightsOut.axis(0, {3, 3, 3 + 4}, {8, 8, 8 + 2}, {0, 0, 0});
  perGate.bias.axis(0, {3, 3, 3}, {14, 14, 14}, {0, 0, 0});
  ASSERT_EQ(perGate.gru(), MLI_STATUS_OK);
  EXPECT_EQ(perGate.out.codes, perTensor.out.codes);
}

/// Expects that weights whose axis is any negative number are per tensor, in
/// all gates.
template <uint32_t Gates>
void expectNoAxis(mli_status (Cell<Gates>::*run)()) {
  Cell<Gates> usual;
  ASSERT_EQ((usual.*run)(), MLI_STATUS_OK);
  for (mli_check_mode mode : {MLI_CHECK_OFF, MLI_CHECK_RETURN_CODES})
    for (int32_t dim : {-2, INT32_MIN}) {
      CheckMode scope(mode);
      Cell<Gates> below;
      below.weightsIn->el_params.sa.dim = dim;
      below.weightsOut->el_params.sa.dim = dim;
      below.bias->el_params.sa.dim = dim;
      ASSERT_EQ((below.*run)(), MLI_STATUS_OK) << dim;
      EXPECT_EQ(below.out.codes, usual.out.codes) << dim;
      EXPECT_EQ(below.cell.codes, usual.cell.codes) << dim;
    }
}

// K51
TEST(Lstm, AnyNegativeAxisIsNone) { expectNoAxis(&Cell<4>::lstm); }

// K51
TEST(Gru, AnyNegativeAxisIsNone) { expectNoAxis(&Cell<3>::gru); }

// K55
TEST(Lstm, ResultsAreJudgedByTheShapeTheyGet) {
  // The output comes as 2 codes and becomes 6, which reach the previous output.
  Cell<4> cell;
  cell.out->shape[0] = 2;
  cell.prev->data.mem.pi8 = cell.out.codes.data() + 4;
  Messages messages;
  EXPECT_EQ(cell.lstm(), MLI_STATUS_INCOMPATEBLE_TENSORS);
  EXPECT_EQ(messages.last,
            "mli_krn_lstm_cell_sa8_sa8_sa32: expected 'prev_out' to share no "
            "memory with 'out', but got views of 2 and 6 bytes that overlap");
}

// K55
TEST(Lstm, WrittenMemoryIsNobodyElses) {
  auto expectRefused = [](const char *what, auto share) {
    Cell<4> cell;
    share(cell);
    EXPECT_EQ(cell.lstm(), MLI_STATUS_INCOMPATEBLE_TENSORS) << what;
  };
  using C = Cell<4>;
  auto share = [](mli_data_container &a, const mli_data_container &b) {
    a.mem = b.mem;
  };
  expectRefused("tanh_lut, out",
                [&](C &c) { share(c.out->data, c.tanh.data); });
  expectRefused("sigm_lut, scratch_data",
                [&](C &c) { share(c.cfg.scratch_data, c.sigm.data); });
  expectRefused("weights_out, cell",
                [&](C &c) { share(c.cell->data, c.weightsOut->data); });
  expectRefused("scratch_data, out",
                [&](C &c) { share(c.out->data, c.cfg.scratch_data); });
  expectRefused("scratch_data, prev_out",
                [&](C &c) { share(c.prev->data, c.cfg.scratch_data); });
  expectRefused("cell, scratch_data",
                [&](C &c) { share(c.cell->data, c.cfg.scratch_data); });
  expectRefused("cell, prev_out",
                [&](C &c) { share(c.cell->data, c.prev->data); });
}

// K55
TEST(Lstm, ScratchMemoryBeyondTheGatesIsFree) {
  // The capacity is that of all memory from the gates on, output included.
  Cell<4> cell;
  cell.scratch.resize(14);
  cell.cfg.scratch_data = {14, {}};
  cell.cfg.scratch_data.mem.pi8 = cell.scratch.data();
  cell.out->data.mem.pi8 = cell.scratch.data() + 8;
  ASSERT_EQ(cell.lstm(), MLI_STATUS_OK);
  Cell<4> apart;
  ASSERT_EQ(apart.lstm(), MLI_STATUS_OK);
  EXPECT_EQ(std::vector<int8_t>(cell.scratch.begin() + 8, cell.scratch.end()),
            apart.out.codes);
}

// K48
TEST(Lstm, Checks) {
  Cell<4> cell;
  cell.cfg.scratch_data.capacity = 7;
  Messages messages;
  EXPECT_EQ(cell.lstm(), MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(messages.last,
            "mli_krn_lstm_cell_sa8_sa8_sa32: expected 'scratch_data' to have 8 "
            "bytes, but got 7");
  cell.cfg.scratch_data.capacity = 8;
  cell.tanh.data.capacity = 687;
  EXPECT_EQ(cell.lstm(), MLI_STATUS_NOT_ENGH_MEM);
  cell.tanh.data.capacity = 688;
  cell.out->data.capacity = 5;
  EXPECT_EQ(cell.lstm(), MLI_STATUS_NOT_ENGH_MEM);
  cell.out->shape[0] = 5;
  EXPECT_EQ(cell.lstm(), MLI_STATUS_BAD_TENSOR);
  EXPECT_EQ(mli_krn_lstm_cell_sa8_sa8_sa32(
                cell.in, cell.prev, cell.weightsIn, cell.weightsOut, cell.bias,
                nullptr, &cell.sigm, &cell.cfg, cell.cell, cell.out),
            MLI_STATUS_BAD_FUNC_CFG);
  EXPECT_EQ(mli_krn_lstm_cell_sa8_sa8_sa32(
                cell.in, cell.prev, cell.weightsIn, cell.weightsOut, cell.bias,
                &cell.tanh, &cell.sigm, nullptr, cell.cell, cell.out),
            MLI_STATUS_BAD_FUNC_CFG);
}

} // namespace
