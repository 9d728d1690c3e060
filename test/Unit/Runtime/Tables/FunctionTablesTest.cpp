// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Tables/FunctionTables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

using namespace mli::rt;

/// Each entry is the function at its argument, rounded to the nearest.
// K37
void expectEntries(const FunctionTable &table,
                   long double (*function)(long double)) {
  for (int32_t i = 0; i < table.length; ++i) {
    long double x = std::ldexp(static_cast<long double>(i - table.inputOffset),
                               -table.inFracBits);
    long double y = std::ldexp(function(x), table.outFracBits);
    auto expected = std::clamp<long>(std::lround(y), INT16_MIN, INT16_MAX);
    EXPECT_EQ(table.entries[i], expected) << "entry " << i;
  }
}

TEST(FunctionTables, Sigmoid) {
  expectEntries(functions::sigm,
                [](long double x) { return 1 / (1 + std::exp(-x)); });
}

TEST(FunctionTables, HyperbolicTangent) {
  expectEntries(functions::tanh, [](long double x) { return std::tanh(x); });
}

TEST(FunctionTables, Exponential) {
  expectEntries(functions::softmax,
                [](long double x) { return x > 0 ? 1.0L : std::exp(x); });
}

TEST(FunctionTables, InverseRoot) {
  expectEntries(functions::l2Normalize,
                [](long double x) { return 1 / std::sqrt(x); });
}

} // namespace
