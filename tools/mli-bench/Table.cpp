// SPDX-License-Identifier: Apache-2.0

#include "Table.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstdio>

namespace mli::bench {

/// GMAC/s of layers with weights, else microseconds.
static void printValue(const Layer &layer, const std::string &name,
                       double seconds) {
  if (layer.hasWeights())
    std::printf(" %s %.4g", name.c_str(), layer.macs / seconds / 1e9);
  else
    std::printf(" %s %.4gus", name.c_str(), seconds * 1e6);
}

static double find(const std::vector<Column> &columns,
                   const std::string &name) {
  for (const Column &column : columns)
    if (column.name == name)
      return column.seconds();
  return 0;
}

/// Which variant of an opponent counts, and how far it is from our results.
static void printRemark(const Result &result) {
  std::printf(" %s %s", result.opponent.c_str(), result.variant.c_str());
  if (result.hasFailed())
    std::printf(" fails");
  else
    std::printf(" differs by %d", result.difference);
  if (!result.hasFailed() && !result.isTimed())
    std::printf(" takes no longer than nothing");
  if (result.nothing != 0)
    std::printf(" (%.2gus a call taken off)", result.nothing * 1e6);
}

void Table::printRatio(const Layer &layer, const std::string &name,
                       const std::string &other, double ratio) {
  std::printf(" %s/%s %.2f", name.c_str(), other.c_str(), ratio);
  for (const char *kind : {"", layer.kind.c_str()}) {
    std::string compared =
        llvm::formatv("{0}{1}{2} / {3}", name, *kind ? " " : "", kind, other);
    auto &[sum, count] = means[compared];
    sum += std::log(ratio);
    ++count;
  }
}

/// How a column of ours stands beside the others.
void Table::printRatios(const Row &row, const std::string &name,
                        double seconds) {
  for (const Result &result : row.results)
    if (result.isTimed())
      printRatio(row.layer, name, result.opponent, result.seconds / seconds);
  if (const Result *best = findBest(row.results))
    printRatio(row.layer, name, "best", best->seconds / seconds);
  if (row.layer.kind == "conv" || row.layer.kind == "fc")
    std::printf(" %s/limit8 %.2f", name.c_str(),
                row.layer.macs * find(row.limits, "limit8") / seconds);
}

void Table::print(const Row &row) {
  const Layer &layer = row.layer;
  std::printf("%-20s", layer.name.c_str());
  for (const Column &column : row.own)
    printValue(layer, column.name, column.seconds());
  for (const Result &result : row.results)
    if (result.isTimed())
      printValue(layer, result.opponent, result.seconds);
  const Result *best = findBest(row.results);
  if (hasBest)
    std::printf(" best %s", best ? best->opponent.c_str() : "-");
  for (const Column &limit : row.limits)
    std::printf(" %s %.4g", limit.name.c_str(), 1e-9 / limit.seconds());
  std::printf(" |");
  for (const char *name : {"plain", "packed"})
    if (double seconds = find(row.own, name))
      printRatios(row, name, seconds);
  for (const char *name :
       {"fx16xfx8", "fx16", "packed_fx16xfx8", "packed_fx16"})
    if (double seconds = find(row.own, name))
      std::printf(" %s/limit16 %.2f", name,
                  layer.macs * find(row.limits, "limit16") / seconds);
  std::printf(" |%s", row.remarks.c_str());
  for (const Result &result : row.results)
    printRemark(result);
  std::printf("\n");
  std::fflush(stdout);
}

void Table::printMeans() const {
  for (const auto &[name, mean] : means)
    std::printf("geometric mean of %s: %.2f (%d layers)\n", name.c_str(),
                std::exp(mean.first / mean.second), mean.second);
}

} // namespace mli::bench
