// SPDX-License-Identifier: Apache-2.0

#include "mli/Import/TFLiteModel.h"

#include "TFLite_generated.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <functional>

using namespace mli::tflite;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::MatchesRegex;

namespace {

/// A sum of an input and a constant, each part of which a test may change.
struct Network {
  struct TensorParts {
    std::vector<int32_t> shape = {1, 4};
    schema::TensorType type = schema::TensorType::INT8;
    uint32_t buffer = 0;
    const char *name = "t";
    std::vector<float> scales = {0.5F};
    std::vector<int64_t> zeroPoints = {3};
    int32_t axis = 0;
    bool isVariable = false;
  };
  std::vector<TensorParts> tensors = std::vector<TensorParts>(3);
  std::vector<std::vector<uint8_t>> buffers = {{}, {1, 2, 3, 4}};
  std::vector<int32_t> inputs = {0}, outputs = {2};
  std::vector<int32_t> opInputs = {0, 1}, opOutputs = {2};
  uint32_t codeIndex = 0;
  int8_t smallCode = 0;
  int32_t code = 0;
  const char *custom = nullptr;
  uint64_t bufferOffset = 0, bufferSize = 0;
  bool hasGraph = true;
  unsigned operators = 1;

  Network() { tensors[1].buffer = 1; }

  std::string write() const {
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<schema::Tensor>> tensorTables;
    tensorTables.reserve(tensors.size());
    for (const TensorParts &parts : tensors)
      tensorTables.push_back(schema::CreateTensorDirect(
          builder, &parts.shape, parts.type, parts.buffer, parts.name,
          schema::CreateQuantizationParametersDirect(
              builder, nullptr, nullptr, &parts.scales, &parts.zeroPoints, 0, 0,
              parts.axis),
          parts.isVariable));
    std::vector<flatbuffers::Offset<schema::Operator>> ops;
    ops.reserve(operators);
    for (unsigned i = 0; i < operators; ++i)
      ops.push_back(schema::CreateOperatorDirect(builder, codeIndex, &opInputs,
                                                 &opOutputs));
    std::vector<flatbuffers::Offset<schema::SubGraph>> graphs;
    if (hasGraph)
      graphs.push_back(schema::CreateSubGraphDirect(
          builder, &tensorTables, &inputs, &outputs, &ops, "main"));
    std::vector<flatbuffers::Offset<schema::OperatorCode>> codes = {
        schema::CreateOperatorCodeDirect(builder, smallCode, custom, 1, code)};
    std::vector<flatbuffers::Offset<schema::Buffer>> data;
    data.reserve(buffers.size());
    for (const std::vector<uint8_t> &bytes : buffers)
      data.push_back(bytes.empty()
                         ? schema::CreateBuffer(builder)
                         : schema::CreateBufferDirect(builder, &bytes));
    if (bufferOffset != 0)
      data.back() = schema::CreateBufferDirect(builder, nullptr, bufferOffset,
                                               bufferSize);
    builder.Finish(
        schema::CreateModelDirect(builder, 3, &codes, &graphs, "a sum", &data),
        schema::ModelIdentifier());
    return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
            builder.GetSize()};
  }
};

/// Bytes at an address that files are read to.
struct Aligned {
  explicit Aligned(const std::string &bytes)
      : words(bytes.size() / sizeof(Word) + 1), size(bytes.size()) {
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  std::string_view view() const {
    return {reinterpret_cast<const char *>(words.data()), size};
  }

  struct alignas(16) Word {
    char bytes[16];
  };
  std::vector<Word> words;
  size_t size;
};

/// What reading `network` with `change` complains of.
std::string getError(const std::function<void(Network &)> &change) {
  Network network;
  change(network);
  Aligned file(network.write());
  std::string error;
  EXPECT_FALSE(readModel(file.view(), error).has_value());
  return error;
}

} // namespace

TEST(TFLiteModel, ReadsANetwork) {
  Aligned file(Network().write());
  std::string error;
  std::optional<Model> model = readModel(file.view(), error);
  ASSERT_TRUE(model) << error;
  ASSERT_EQ(model->graphs.size(), 1U);
  const Graph &graph = model->graphs.front();
  EXPECT_EQ(model->description, "a sum");
  EXPECT_EQ(graph.name, "main");
  ASSERT_EQ(graph.tensors.size(), 3U);
  EXPECT_THAT(graph.tensors[0].shape, ElementsAre(1, 4));
  EXPECT_THAT(graph.tensors[0].quantization.scales, ElementsAre(0.5F));
  EXPECT_THAT(graph.tensors[0].quantization.zeroPoints, ElementsAre(3));
  EXPECT_FALSE(graph.tensors[0].isConstant);
  EXPECT_TRUE(graph.tensors[1].isConstant);
  EXPECT_EQ(graph.tensors[1].data, std::string_view("\1\2\3\4"));
  ASSERT_EQ(graph.operators.size(), 1U);
  EXPECT_EQ(graph.operators[0].name, "ADD");
  EXPECT_THAT(graph.operators[0].inputs, ElementsAre(0, 1));
  EXPECT_EQ(graph.operators[0].getInput(7), -1);
  EXPECT_THAT(describeOperator(graph, 0),
              MatchesRegex("operator 0 \\(ADD\\) at byte 0x[0-9a-f]+"));
  EXPECT_THAT(describeTensor(graph, 1),
              MatchesRegex("tensor 1 't' at byte 0x[0-9a-f]+"));
}

TEST(TFLiteModel, TakesTheLargerCode) {
  Network network;
  network.smallCode = 127;
  network.code = 143;
  Aligned file(network.write());
  std::string error;
  std::optional<Model> model = readModel(file.view(), error);
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->graphs[0].operators[0].name, "READ_VARIABLE");
}

TEST(TFLiteModel, NamesCustomOperators) {
  Network network;
  network.code = builtinCustom;
  network.custom = "SignalFft";
  Aligned file(network.write());
  std::string error;
  std::optional<Model> model = readModel(file.view(), error);
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->graphs[0].operators[0].name, "SignalFft");
  EXPECT_EQ(getOperatorName(9999), "BUILTIN_9999");
}

// The numbers of the format: a row that is missing would shift those after it.
TEST(TFLiteModel, NamesOperatorsByTheirCodes) {
  EXPECT_EQ(getOperatorName(3), "CONV_2D");
  EXPECT_EQ(getOperatorName(builtinCustom), "CUSTOM");
  EXPECT_EQ(getOperatorName(67), "TRANSPOSE_CONV");
  EXPECT_EQ(getOperatorName(98), "LEAKY_RELU");
  EXPECT_EQ(getOperatorName(144), "ASSIGN_VARIABLE");
  EXPECT_EQ(getOperatorName(161), "RIGHT_SHIFT");
  EXPECT_EQ(getOperatorName(203), "DILATE");
  EXPECT_EQ(getOperatorName(209), "STABLEHLO_CASE");
  EXPECT_EQ(getOperatorName(210), "BUILTIN_210");
}

TEST(TFLiteModel, NamesUnknownTypes) {
  EXPECT_EQ(getTypeName(static_cast<schema::TensorType>(77)), "type 77");
}

TEST(TFLiteModel, ReadsBiasesWithTheAxisOfTheirWeights) {
  Network network;
  network.tensors[0].shape = {4};
  network.tensors[0].scales = {1, 2, 3, 4};
  network.tensors[0].axis = 3;
  Aligned file(network.write());
  std::string error;
  std::optional<Model> model = readModel(file.view(), error);
  ASSERT_TRUE(model) << error;
  const Quantization &quantization = model->graphs[0].tensors[0].quantization;
  EXPECT_EQ(quantization.axis, 0);
  EXPECT_THAT(quantization.zeroPoints, ElementsAre(3, 3, 3, 3));
}

TEST(TFLiteModel, ReadsDataBehindTheTables) {
  Network network;
  network.bufferOffset = 1 << 16;
  network.bufferSize = 4;
  std::string bytes = network.write();
  bytes.resize(1 << 16);
  bytes += "abcd";
  Aligned file(bytes);
  std::string error;
  std::optional<Model> model = readModel(file.view(), error);
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->graphs[0].tensors[1].data, "abcd");
  bytes.resize(bytes.size() - 1);
  Aligned cut(bytes);
  EXPECT_FALSE(readModel(cut.view(), error));
  EXPECT_THAT(error,
              MatchesRegex("tensor 1 't' at byte 0x[0-9a-f]+: expected the 4 "
                           "bytes of its buffer at byte 0x10000 to lie in the "
                           "file, but got 65539 bytes"));
}

TEST(TFLiteModel, RejectsOtherFiles) {
  std::string error;
  EXPECT_FALSE(readModel("", error));
  EXPECT_EQ(error, "file: expected 'TFL3' at byte 0x4, but got 0 bytes");
  Aligned text("not a network at all");
  EXPECT_FALSE(readModel(text.view(), error));
  EXPECT_EQ(error, "file: expected 'TFL3' at byte 0x4, but got other data");
  std::string bytes = Network().write();
  for (size_t size = 8; size < bytes.size(); size += 4) {
    Aligned cut(bytes.substr(0, size));
    ASSERT_FALSE(readModel(cut.view(), error)) << size;
    EXPECT_EQ(error,
              "file: expected tables of TFLite whose offsets lie in its " +
                  std::to_string(size) + " bytes, but got others");
  }
  EXPECT_EQ(getError([](Network &n) { n.hasGraph = false; }),
            "file: expected at least 1 graph, but got 0");
}

TEST(TFLiteModel, RejectsTensors) {
  const std::string where = "tensor 0 't' at byte 0x[0-9a-f]+: expected ";
  auto rejects = [&](const std::function<void(Network::TensorParts &)> &change,
                     const std::string &text) {
    EXPECT_THAT(getError([&](Network &n) { change(n.tensors[0]); }),
                MatchesRegex(where + text));
  };
  using Parts = Network::TensorParts;
  rejects([](Parts &t) { t.shape = {4, -1}; },
          "dimension 1 to be at least 0, but got -1");
  rejects([](Parts &t) { t.shape.assign(9, 1); },
          "at most 8 dimensions, but got 9");
  rejects([](Parts &t) { t.shape = {65536, 32768}; },
          "at most 2147483647 bytes of elements, but got more");
  rejects([](Parts &t) { t.buffer = 2; },
          "its buffer to be one of 2, but got 2");
  rejects([](Parts &t) { t.buffer = 1, t.shape = {5}; },
          "5 bytes of data, but got 4");
  rejects([](Parts &t) { t.scales = {0}; },
          "scales to be positive and finite, but got 0.000000");
  rejects([](Parts &t) { t.scales = {1, 2, 3, 4}, t.zeroPoints = {0, 0}; },
          "4 zero points, one for each scale, but got 2");
  rejects([](Parts &t) { t.scales = {1, 2, 3, 4}, t.axis = 2; },
          "its quantised dimension to be less than its rank 2, but got 2");
  rejects([](Parts &t) { t.scales = {1, 2, 3}, t.axis = 1; },
          "4 scales, one for each index of dimension 1, but got 3");
}

TEST(TFLiteModel, RejectsOperators) {
  const std::string where =
      "operator 0 \\(ADD\\) at byte 0x[0-9a-f]+: expected ";
  auto rejects = [&](const std::function<void(Network &)> &change,
                     const std::string &text) {
    EXPECT_THAT(getError(change), MatchesRegex(where + text));
  };
  rejects([](Network &n) { n.opInputs = {0, 3}; },
          "input 1 to be one of 3 tensors, but got 3");
  rejects([](Network &n) { n.opInputs = {-2, 0}; },
          "input 0 to be one of 3 tensors, but got -2");
  rejects([](Network &n) { n.opOutputs = {-1}; },
          "output 0 to be one of 3 tensors, but got -1");
  rejects([](Network &n) { n.inputs = {}; },
          "input 0 to be known before it runs, but got tensor 0 't' at byte "
          "0x[0-9a-f]+");
  rejects(
      [](Network &n) { n.opOutputs = {1}; },
      "an output that no other operator computes, but got tensor 1 't' at byte "
      "0x[0-9a-f]+");
  EXPECT_THAT(getError([](Network &n) { n.operators = 2; }),
              ContainsRegex("operator 1 .*: expected an output that no other "
                            "operator computes, but got tensor 2"));
  EXPECT_THAT(getError([](Network &n) { n.codeIndex = 1; }),
              MatchesRegex("operator 0 at byte 0x[0-9a-f]+: expected its code "
                           "to be one of 1, but got 1"));
}

TEST(TFLiteModel, RejectsGraphs) {
  EXPECT_THAT(getError([](Network &n) { n.inputs = {7}; }),
              MatchesRegex("graph 'main' at byte 0x[0-9a-f]+: expected input 0 "
                           "to be one of 3 tensors, but got 7"));
  EXPECT_THAT(getError([](Network &n) { n.operators = 0; }),
              MatchesRegex("graph 'main': expected its outputs to be computed, "
                           "but got tensor 2 't' at byte 0x[0-9a-f]+"));
}

TEST(TFLiteModel, BoundsWhatManyTablesShare) {
  // One list for all operators: a small file that asks for much memory.
  flatbuffers::FlatBufferBuilder builder;
  std::vector<int32_t> many(60000, -1);
  auto list = builder.CreateVector(many);
  std::vector<flatbuffers::Offset<schema::Operator>> ops;
  ops.reserve(100);
  for (int i = 0; i < 100; ++i)
    ops.push_back(schema::CreateOperator(builder, 0, list));
  std::vector<flatbuffers::Offset<schema::SubGraph>> graphs = {
      schema::CreateSubGraphDirect(builder, nullptr, nullptr, nullptr, &ops)};
  std::vector<flatbuffers::Offset<schema::OperatorCode>> codes = {
      schema::CreateOperatorCodeDirect(builder)};
  builder.Finish(schema::CreateModelDirect(builder, 3, &codes, &graphs),
                 schema::ModelIdentifier());
  Aligned file({reinterpret_cast<const char *>(builder.GetBufferPointer()),
                builder.GetSize()});
  std::string error;
  EXPECT_FALSE(readModel(file.view(), error));
  EXPECT_THAT(
      error, MatchesRegex("operator [0-9]+ \\(ADD\\) at byte 0x[0-9a-f]+: "
                          "expected lists and names of at most [0-9]+ elements "
                          "together, but got more"));
}
