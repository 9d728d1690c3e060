// SPDX-License-Identifier: Apache-2.0
//
// How near tensors are, at the limits of that, and what tolerances hold for.

#include "mli/Execution/RunComparison.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::DoubleNear;

namespace {
class RunComparisonTest : public testing::Test {
protected:
  static HostTensor create(const std::vector<float> &values) {
    HostTensor tensor{HostElement::F32, {int64_t(values.size())}, {}};
    tensor.data.resize(values.size() * sizeof(float));
    std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    return tensor;
  }

  Similarity measure(const std::vector<float> &values,
                     const std::vector<float> &reference) {
    auto type = RankedTensorType::get({int64_t(values.size())},
                                      Builder(&context).getF32Type());
    return measureSimilarity(type, create(values), type, create(reference));
  }

  bool holds(const Tolerance &tolerance, const std::vector<float> &values,
             const std::vector<float> &reference) {
    return tolerance.holds(compare(create(values), create(reference)),
                           measure(values, reference));
  }

  MLIRContext context;
};
} // namespace

static constexpr float infinity = std::numeric_limits<float>::infinity();
static constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

TEST_F(RunComparisonTest, MeasuresNoise) {
  // 3^2 + 4^2 = 25 above 0.5^2.
  Similarity similarity = measure({3, 4.5}, {3, 4});
  EXPECT_THAT(similarity.sqnr, DoubleNear(20, 1e-12));
  // (9 + 18) / (5 * sqrt(29.25)).
  EXPECT_THAT(similarity.cosine, DoubleNear(0.998460, 1e-6));
}

TEST_F(RunComparisonTest, MeasuresWhatIsZero) {
  EXPECT_EQ(measure({0, 0}, {0, 0}).sqnr, infinity);
  EXPECT_EQ(measure({0, 0}, {0, 0}).cosine, 1);
  EXPECT_EQ(measure({0, 1}, {0, 0}).sqnr, -infinity);
  EXPECT_EQ(measure({0, 1}, {0, 0}).cosine, 0);
  EXPECT_EQ(measure({0, 0}, {0, 1}).sqnr, 0);
  EXPECT_EQ(measure({0, 0}, {0, 1}).cosine, 0);
}

TEST_F(RunComparisonTest, MeasuresWhatIsNoNumber) {
  EXPECT_EQ(measure({infinity, 1}, {infinity, 1}).sqnr, infinity);
  EXPECT_TRUE(std::isnan(measure({notANumber, 1}, {1, 1}).sqnr));
}

TEST_F(RunComparisonTest, FindsTheFirstElement) {
  Difference difference = compare(create({1, 2, 5, 3}), create({1, 3, 2, 3}));
  EXPECT_EQ(difference.first, 1u);
  EXPECT_EQ(difference.elements, 2u);
  EXPECT_EQ(difference.greatest, 3);
}

TEST_F(RunComparisonTest, HoldsForEqualBytesOrWhatIsSet) {
  EXPECT_TRUE(holds({}, {1, 2}, {1, 2}));
  EXPECT_FALSE(holds({}, {1, 2.5}, {1, 2}));
  // Equal numbers of other bytes.
  EXPECT_FALSE(holds({}, {-0.F, 2}, {0, 2}));
  EXPECT_TRUE(holds({0.0, {}}, {-0.F, 2}, {0, 2}));
  EXPECT_TRUE(holds({0.5, {}}, {1, 2.5}, {1, 2}));
  EXPECT_FALSE(holds({0.4, {}}, {1, 2.5}, {1, 2}));
  EXPECT_TRUE(holds({{}, 20.0}, {3, 4.5}, {3, 4}));
  EXPECT_FALSE(holds({{}, 20.1}, {3, 4.5}, {3, 4}));
  EXPECT_FALSE(holds({0.4, 20.0}, {3, 4.5}, {3, 4}));
}

TEST_F(RunComparisonTest, HoldsForNoNaN) {
  EXPECT_FALSE(holds({1e9, {}}, {notANumber, 1}, {1, 1}));
  EXPECT_FALSE(holds({{}, -1e9}, {notANumber, 1}, {1, 1}));
}
