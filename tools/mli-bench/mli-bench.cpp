// SPDX-License-Identifier: Apache-2.0
//
// Measures the kernels on the layers of a CSV file against other libraries:
// all run in turn inside one process, so the ratios in a row can be relied on
// where the machine is shared.

#include "Contest.h"
#include "Options.h"
#include "Table.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/mli_simd.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace mli::bench;

namespace {

/// One thread and several of them. Whether they compute the same.
bool runThreads(const Layer &layer, const Operands &operands,
                const Options &options) {
  mliThreads = options.threads;
  std::unique_ptr<Kernel> kernels[] = {mliOneThread.create(layer, operands),
                                       mliManyThreads.create(layer, operands)};
  if (!kernels[0] || !kernels[1])
    return false;
  int runs = runsFor(*kernels[0], options.seconds);
  std::vector<double> samples[2];
  for (int i = 0; i < 2 * options.repetitions; ++i)
    measureCalls(*kernels[i % 2], runs, samples[i % 2]);
  bool isSame = kernels[0]->output() == kernels[1]->output();
  std::printf("%-20s", layer.name.c_str());
  double medians[2], least[2];
  for (int i = 0; i < 2; ++i) {
    medians[i] = median(samples[i]);
    least[i] = *std::min_element(samples[i].begin(), samples[i].end());
    std::printf(" %d thread%s median %.4gus least %.4gus",
                i ? options.threads : 1, i ? "s" : "", 1e6 * medians[i],
                1e6 * least[i]);
  }
  std::printf(" | gain %.2f least %.2f%s\n", medians[0] / medians[1],
              least[0] / least[1], isSame ? "" : " NOT THE SAME RESULT");
  std::fflush(stdout);
  return isSame;
}

/// The libraries with columns in the table.
struct Columns {
  std::vector<const Backend *> backends;
  std::vector<const Opponent *> opponents;

  std::vector<std::string> getNames() const {
    std::vector<std::string> names;
    names.reserve(backends.size() + opponents.size());
    for (const Backend *backend : backends)
      names.emplace_back(backend->name);
    for (const Opponent *opponent : opponents)
      names.emplace_back(opponent->getName());
    return names;
  }

  /// Leaves those of the options. False, with a message, if one of them does
  /// not exist.
  bool choose(const std::vector<std::string> &wanted) {
    if (wanted.empty())
      return true;
    std::vector<std::string> names = getNames();
    Columns chosen;
    for (const std::string &name : wanted) {
      size_t index =
          std::find(names.begin(), names.end(), name) - names.begin();
      if (index == names.size()) {
        std::fprintf(stderr,
                     "mli-bench: error: expected '--columns' to be of %s, but "
                     "got '%s'\n",
                     llvm::join(names, ", ").c_str(), name.c_str());
        return false;
      }
      if (index < backends.size())
        chosen.backends.push_back(backends[index]);
      else
        chosen.opponents.push_back(opponents[index - backends.size()]);
    }
    *this = std::move(chosen);
    return true;
  }
};

class Bench {
public:
  Bench(const Options &options, Columns columns)
      : options(options), chosen(std::move(columns)),
        table(!chosen.opponents.empty()) {}

  /// False if a result is not that of the scalar code.
  bool run(const Layer &layer) {
    Operands operands(layer);
    if (options.isOnce)
      return mliPlain.create(layer, operands) != nullptr;
    if (options.threads > 1)
      return !layer.hasWeights() || runThreads(layer, operands, options);
    std::vector<std::unique_ptr<Kernel>> kernels;
    std::vector<Column> own, limits;
    for (const Backend *backend : chosen.backends) {
      kernels.push_back(backend->create(layer, operands));
      if (Kernel *kernel = kernels.back().get())
        own.push_back(makeColumn(backend->name, *kernel, options.seconds));
    }
    for (bool forPairs : {false, true})
      limits.push_back({forPairs ? "limit16" : "limit8",
                        [=] { return 1e-9 / measureLimit(forPairs); },
                        {}});
    Contest contest(chosen.opponents, layer, operands, options.seconds);
    std::vector<Column *> columns;
    for (std::vector<Column> *some : {&own, &limits})
      for (Column &column : *some)
        columns.push_back(&column);
    contest.appendTo(columns);
    sample(columns, options.repetitions);
    std::vector<int8_t> expected;
    bool isExact = compare(layer, operands, kernels, expected);
    table.print({layer, own, limits, contest.judge(expected), remarks});
    return isExact;
  }

  void printMeans() const { table.printMeans(); }

private:
  /// Compares what this library computes, and sets the scalar result of sa8.
  bool compare(const Layer &layer, const Operands &operands,
               const std::vector<std::unique_ptr<Kernel>> &kernels,
               std::vector<int8_t> &expected) {
    // One scalar result for all that have to be like it.
    std::map<Backend::Create, std::vector<int8_t>> results;
    auto scalarResult = [&](Backend::Create create) {
      auto [result, isNew] = results.try_emplace(create);
      if (isNew)
        if (std::unique_ptr<Kernel> scalar = create(layer, operands))
          result->second = scalar->output();
      return result->second;
    };
    expected = scalarResult(mliScalar.create);
    bool isExact = !expected.empty();
    remarks.clear();
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (!kernels[i])
        continue;
      bool isSame =
          difference(kernels[i]->output(),
                     scalarResult(chosen.backends[i]->createScalar)) == 0;
      remarks += std::string(" ") + chosen.backends[i]->name +
                 (isSame ? " exact" : " NOT THE SCALAR RESULT");
      isExact &= isSame;
    }
    return isExact;
  }

  const Options &options;
  Columns chosen;
  std::string remarks;
  Table table;
};

/// The layers of the options; none, with a message, if there are none.
std::vector<Layer> chooseLayers(const Options &options) {
  std::vector<Layer> layers = readLayers(options.layers);
  if (layers.empty())
    return {};
  auto isUnwanted = [&](const Layer &layer) {
    return layer.name.find(options.only) == std::string::npos &&
           layer.kind.find(options.only) == std::string::npos;
  };
  layers.erase(std::remove_if(layers.begin(), layers.end(), isUnwanted),
               layers.end());
  if (layers.empty())
    std::fprintf(stderr,
                 "mli-bench: error: expected '--only' to be in the name or "
                 "kind of a layer, but got '%s'\n",
                 options.only.c_str());
  return layers;
}

bool runAll(const std::vector<Layer> &layers, Bench &bench) {
  bool isExact = true;
  for (const Layer &layer : layers)
    isExact &= bench.run(layer);
  bench.printMeans();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return isExact;
  std::fprintf(stderr,
               "mli-bench: error: expected standard output to be writable, "
               "but got: %s\n",
               std::strerror(errno));
  return false;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return 2;
  // OpenMP reads this when a module loads it.
  setenv("OMP_NUM_THREADS", "1", /*overwrite=*/0);
  if (!options.hasChecks)
    mli_set_check_mode(MLI_CHECK_OFF);
  std::vector<Layer> layers = chooseLayers(options);
  if (layers.empty())
    return 1;
  Columns columns = {{&mliPlain, &mliPacked, &mliFx16Fx8, &mliFx16,
                      &mliPackedFx16Fx8, &mliPackedFx16},
                     {}};
  if (options.hasScalar)
    columns.backends.push_back(&mliScalar);
  std::vector<std::string> taken = columns.getNames();
  taken.insert(taken.end(), {"best", "limit8", "limit16"});
  std::optional<std::vector<Opponent>> opponents =
      loadOpponents(options.opponents, std::move(taken));
  if (!opponents)
    return 1;
  for (const Opponent &opponent : *opponents)
    columns.opponents.push_back(&opponent);
  if (!columns.choose(options.columns))
    return 1;
  std::printf("target %s; with weights: GMAC/s, else microseconds, on this "
              "host\n",
              mli_simd_target_name(mli_get_simd_target()));
  for (const Opponent *opponent : columns.opponents)
    std::printf("opponent %s\n", opponent->describe().c_str());
  Bench bench(options, std::move(columns));
  return runAll(layers, bench) ? 0 : 1;
}
