// SPDX-License-Identifier: Apache-2.0
//
// Writes small networks of windows, sums and skips for tests of the arena.

#ifndef MLI_TEST_UNIT_ANALYSIS_NETWORKTEXT_H
#define MLI_TEST_UNIT_ANALYSIS_NETWORKTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

namespace mli::test {

/// A window over rows, or over columns.
struct RowTaps {
  int64_t taps = 1, stride = 1, top = 0, bottom = 0, dilation = 1;

  int64_t getResults(int64_t rows) const {
    return (rows + top + bottom - (taps - 1) * dilation - 1) / stride + 1;
  }
};

/// A map whose elements have two bytes.
struct TextMap {
  std::string name;
  int64_t rows, columns, channels;

  int64_t getElements() const { return rows * columns * channels; }
  std::string getType() const {
    return llvm::formatv("tensor<{0}x{1}x{2}x!mli.fx16<10>>", rows, columns,
                         channels);
  }
};

/// One function, whose argument is `input`.
class NetworkText {
public:
  NetworkText(int64_t rows, int64_t channels, int64_t columns = 1)
      : input{"%input", rows, columns, channels} {}

  const TextMap input;

  TextMap conv(const TextMap &map, RowTaps window, int64_t channels,
               RowTaps across = {}) {
    TextMap result = addMap(window.getResults(map.rows),
                            across.getResults(map.columns), channels);
    std::string weights =
        llvm::formatv("tensor<{0}x{1}x{2}x{3}x!mli.fx8<7>>", window.taps,
                      across.taps, map.channels, channels);
    std::string bias = llvm::formatv("tensor<{0}x!mli.fx8<5>>", channels);
    std::string suffix = result.name.substr(1);
    arguments +=
        llvm::formatv(", %w{0}: {1}, %b{0}: {2}", suffix, weights, bias);
    body += llvm::formatv(
        "{0} = mli.conv2d ins({1}, %w{2}, %b{2} : {3}, {4}, {5}) outs({0}i : "
        "{6}) pad [{7}, {8}, {9}, {10}] {{strides = array<i64: {11}, {12}>, "
        "dilations = array<i64: {13}, {14}>} -> {6}\n",
        result.name, map.name, suffix, map.getType(), weights, bias,
        result.getType(), window.top, window.bottom, across.top, across.bottom,
        window.stride, across.stride, window.dilation, across.dilation);
    return result;
  }

  TextMap pool(const TextMap &map, RowTaps window) {
    TextMap result =
        addMap(window.getResults(map.rows), map.columns, map.channels);
    body += llvm::formatv(
        "{0} = mli.maxpool ins({1} : {2}) outs({0}i : {3}) kernel [{4}, 1] pad "
        "[{5}, {6}, 0, 0] {{strides = array<i64: {7}, 1>} -> {3}\n",
        result.name, map.name, map.getType(), result.getType(), window.taps,
        window.top, window.bottom, window.stride);
    return result;
  }

  TextMap add(const TextMap &one, const TextMap &other) {
    TextMap result = addMap(one.rows, one.columns, one.channels);
    body += llvm::formatv("{0} = mli.eltwise_add ins({1}, {2} : {3}, {3}) "
                          "outs({0}i : {3}) -> {3}\n",
                          result.name, one.name, other.name, one.getType());
    return result;
  }

  TextMap relu(const TextMap &map) {
    TextMap result = addMap(map.rows, map.columns, map.channels);
    body += llvm::formatv("{0} = mli.relu ins({1} : {2}) outs({0}i : {2}) "
                          "{{relu = #mli.relu<relu6>} -> {2}\n",
                          result.name, map.name, map.getType());
    return result;
  }

  /// A vector of `outputs` sums over all of `map`.
  TextMap dense(const TextMap &map, int64_t outputs) {
    TextMap result{llvm::formatv("%v{0}", count++), 1, 1, outputs};
    body += llvm::formatv(
        "{0}r = mli.reshape {1} : {2} to tensor<{3}x!mli.fx16<10>>\n"
        "{0}i = tensor.empty() : tensor<{4}x!mli.fx16<10>>\n"
        "{0}f = mli.fully_connected ins({0}r, %w{5}, %b{5} : "
        "tensor<{3}x!mli.fx16<10>>, tensor<{3}x{4}x!mli.fx8<7>>, "
        "tensor<{4}x!mli.fx8<5>>) outs({0}i : tensor<{4}x!mli.fx16<10>>) -> "
        "tensor<{4}x!mli.fx16<10>>\n"
        "{0} = mli.reshape {0}f : tensor<{4}x!mli.fx16<10>> to {6}\n",
        result.name, map.name, map.getType(), map.getElements(), outputs,
        result.name.substr(1), result.getType());
    arguments += llvm::formatv(
        ", %w{0}: tensor<{1}x{2}x!mli.fx8<7>>, %b{0}: tensor<{2}x!mli.fx8<5>>",
        result.name.substr(1), map.getElements(), outputs);
    return result;
  }

  /// The function that returns `results`.
  std::string finish(std::initializer_list<TextMap> results) const {
    std::string names, types;
    for (const TextMap &map : results) {
      names += (names.empty() ? "" : ", ") + map.name;
      types += (types.empty() ? "" : ", ") + map.getType();
    }
    return "func.func @f(%input: " + input.getType() + arguments + ") -> (" +
           types + ") {\n" + body + "return " + names + " : " + types + "\n}\n";
  }

private:
  TextMap addMap(int64_t rows, int64_t columns, int64_t channels) {
    TextMap map{llvm::formatv("%v{0}", count++), rows, columns, channels};
    body +=
        llvm::formatv("{0}i = tensor.empty() : {1}\n", map.name, map.getType());
    return map;
  }

  std::string arguments, body;
  int count = 0;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_ANALYSIS_NETWORKTEXT_H
