// SPDX-License-Identifier: Apache-2.0
//
// A line for each layer, and means of all of them.

#ifndef MLI_TOOLS_MLI_BENCH_TABLE_H
#define MLI_TOOLS_MLI_BENCH_TABLE_H

#include "Contest.h"

#include <map>

namespace mli::bench {

/// What was measured of a layer.
struct Row {
  const Layer &layer;
  /// Of this library, and the limits of the machine.
  const std::vector<Column> &own, &limits;
  /// One for each opponent that has the layer.
  const std::vector<Result> &results;
  /// Which columns of this library are exact.
  std::string remarks;
};

class Table {
public:
  /// Whether each line names the best opponent.
  explicit Table(bool hasBest) : hasBest(hasBest) {}

  /// Prints a line, and adds its ratios to the means.
  void print(const Row &row);
  void printMeans() const;

private:
  void printRatios(const Row &row, const std::string &name, double seconds);
  void printRatio(const Layer &layer, const std::string &name,
                  const std::string &other, double ratio);

  bool hasBest;
  /// Sums of logarithms and their numbers, by what is compared.
  std::map<std::string, std::pair<double, int>> means;
};

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_TABLE_H
