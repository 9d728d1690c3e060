// SPDX-License-Identifier: Apache-2.0
//
// What random programs are made of.

#ifndef MLI_TEST_FUZZ_GENERATOR_SETTINGS_H
#define MLI_TEST_FUZZ_GENERATOR_SETTINGS_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace mli::fuzz {

/// What a program may have, each with a weight.
enum class Feature : uint8_t {
#define MLI_FEATURE(name, weight, what) name,
#include "Features.def"
};

struct FeatureInfo {
  const char *name;
  int64_t weight;
  const char *what;
};

inline constexpr FeatureInfo features[] = {
#define MLI_FEATURE(name, weight, what) {#name, weight, what},
#include "Features.def"
};
inline constexpr size_t numFeatures = std::size(features);

struct Settings {
  uint64_t seed = 0;
  /// About how many operations a program has.
  int64_t size = 8;
  /// How often each feature is taken, in comparison with the others.
  std::array<int64_t, numFeatures> weights = {
#define MLI_FEATURE(name, weight, what) weight,
#include "Features.def"
  };

  int64_t &weight(Feature feature) {
    return weights[static_cast<size_t>(feature)];
  }
  int64_t weight(Feature feature) const {
    return weights[static_cast<size_t>(feature)];
  }
};

/// A feature, and what adds it to a program of a writer.
template <typename Writer>
struct Step {
  Feature feature;
  bool (*make)(Writer &);
};

/// Adds one of `steps` to the program of `writer`, each as often as its weight
/// says. False if it fits nothing that is there, or all weights are 0.
template <typename Writer, size_t count>
bool addAnyStep(Writer &writer, const Step<Writer> (&steps)[count]) {
  int64_t total = 0;
  for (const Step<Writer> &step : steps)
    total += writer.settings.weight(step.feature);
  if (total == 0)
    return false;
  int64_t chosen = writer.random.pick(0, total - 1);
  const Step<Writer> *step = steps;
  while ((chosen -= writer.settings.weight(step->feature)) >= 0)
    ++step;
  return step->make(writer);
}

/// The feature `name`, or nothing.
std::optional<Feature> findFeature(llvm::StringRef name);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_SETTINGS_H
