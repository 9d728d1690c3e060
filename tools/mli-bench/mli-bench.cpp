// SPDX-License-Identifier: Apache-2.0
//
// Measures the kernels on the layers of a CSV file against other libraries:
// all run in turn inside one process, so the ratios in a row can be relied on
// where the machine is shared.

#include "Backend.h"
#include "Clock.h"
#include "Options.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/mli_simd.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include <unistd.h>

using namespace mli::bench;

namespace {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Something to measure: seconds of one run.
struct Column {
  const char *name;
  std::function<double()> measure;
  std::vector<double> samples;
  double seconds() const { return median(samples); }
};

double measureKernel(Kernel &kernel, int runs) {
  double start = threadSeconds();
  for (int i = 0; i < runs; ++i)
    kernel.run();
  return (threadSeconds() - start) / runs;
}

/// Appends how long each of so many calls takes.
void measureCalls(Kernel &kernel, int runs, std::vector<double> &samples) {
  for (int i = 0; i < runs; ++i) {
    double start = wallSeconds();
    kernel.run();
    samples.push_back(wallSeconds() - start);
  }
}

/// Runs that take about `seconds`.
int runsFor(Kernel &kernel, double seconds) {
  constexpr double maxRuns = 1e9;
  double once = std::max(measureKernel(kernel, 1), 1e-8);
  int runs = static_cast<int>(std::clamp(seconds / once / 4, 1.0, maxRuns));
  once = std::max(measureKernel(kernel, runs), 1e-9);
  return static_cast<int>(std::clamp(seconds / once, 1.0, maxRuns));
}

/// The largest difference between two results; -1 if they cannot be compared.
int difference(const std::vector<int8_t> &a, const std::vector<int8_t> &b) {
  if (a.empty() || a.size() != b.size())
    return -1;
  int most = 0;
  for (size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

class Bench {
public:
  explicit Bench(const Options &options) : options(options) {
    backends = {&mliPlain, &mliPacked,        &mliFx16Fx8,
                &mliFx16,  &mliPackedFx16Fx8, &mliPackedFx16};
#ifdef MLI_BENCH_XNNPACK
    backends.push_back(&xnnpack);
#endif
#ifdef MLI_BENCH_ONEDNN
    backends.push_back(&oneDnn);
#endif
    if (options.hasScalar)
      backends.push_back(&mliScalar);
  }

  /// Leaves the columns of the options. False, with a message, if one of them
  /// does not exist.
  bool chooseColumns() {
    if (options.columns.empty())
      return true;
    std::vector<const Backend *> chosen;
    std::string names;
    for (const Backend *backend : backends)
      names += (names.empty() ? "" : ", ") + std::string(backend->name);
    for (const std::string &name : options.columns) {
      auto found = std::find_if(backends.begin(), backends.end(),
                                [&](auto *one) { return one->name == name; });
      if (found == backends.end()) {
        std::fprintf(stderr,
                     "mli-bench: error: expected '--columns' to be of %s, but "
                     "got '%s'\n",
                     names.c_str(), name.c_str());
        return false;
      }
      chosen.push_back(*found);
    }
    backends = std::move(chosen);
    return true;
  }

  /// False if a result is not that of the scalar code.
  bool run(const Layer &layer) {
    Operands operands(layer);
    if (options.isOnce)
      return mliPlain.create(layer, operands) != nullptr;
    if (options.threads > 1)
      return !layer.hasWeights() || runThreads(layer, operands);
    std::vector<std::unique_ptr<Kernel>> kernels;
    std::vector<Column> columns;
    for (const Backend *backend : backends) {
      kernels.push_back(backend->create(layer, operands));
      Kernel *kernel = kernels.back().get();
      if (!kernel)
        continue;
      int runs = runsFor(*kernel, options.seconds);
      columns.push_back(
          {backend->name, [=] { return measureKernel(*kernel, runs); }, {}});
    }
    for (bool forPairs : {false, true})
      columns.push_back({forPairs ? "limit16" : "limit8",
                         [=] { return 1e-9 / measureLimit(forPairs); },
                         {}});
    measure(columns);
    bool isExact = compare(layer, operands, kernels);
    print(layer, columns);
    return isExact;
  }

  void printMeans() const {
    for (const auto &[name, mean] : means)
      std::printf("geometric mean of %s / XNNPACK: %.2f (%d layers)\n",
                  name.c_str(), std::exp(mean.first / mean.second),
                  mean.second);
  }

private:
  /// One thread and several of them. Whether they compute the same.
  bool runThreads(const Layer &layer, const Operands &operands) {
    mliThreads = options.threads;
    std::unique_ptr<Kernel> kernels[] = {
        mliOneThread.create(layer, operands),
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

  void measure(std::vector<Column> &columns) {
    std::mt19937 random(1);
    for (int i = 0; i < options.repetitions; ++i) {
      std::vector<Column *> order;
      order.reserve(columns.size());
      for (Column &column : columns)
        order.push_back(&column);
      std::shuffle(order.begin(), order.end(), random);
      for (Column *column : order)
        column->samples.push_back(column->measure());
    }
  }

  bool compare(const Layer &layer, const Operands &operands,
               const std::vector<std::unique_ptr<Kernel>> &kernels) {
    // One scalar result for all that have to be like it.
    std::map<Backend::Create, std::vector<int8_t>> results;
    auto scalarResult = [&](Backend::Create create) {
      auto [result, isNew] = results.try_emplace(create);
      if (isNew)
        if (std::unique_ptr<Kernel> scalar = create(layer, operands))
          result->second = scalar->output();
      return result->second;
    };
    bool isExact = !scalarResult(mliScalar.create).empty();
    remarks.clear();
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (!kernels[i])
        continue;
      Backend::Create create = backends[i]->createScalar;
      int most = difference(kernels[i]->output(),
                            scalarResult(create ? create : mliScalar.create));
      std::string name = std::string(" ") + backends[i]->name;
      if (!create && most >= 0)
        remarks += name + " differs by " + std::to_string(most);
      else if (create)
        remarks += name + (most == 0 ? " exact" : " NOT THE SCALAR RESULT");
      isExact = isExact && (!create || most == 0);
    }
    return isExact;
  }

  void print(const Layer &layer, const std::vector<Column> &columns) {
    auto find = [&](const char *name) {
      for (const Column &column : columns)
        if (!std::strcmp(column.name, name))
          return column.seconds();
      return 0.0;
    };
    std::printf("%-20s", layer.name.c_str());
    for (const Column &column : columns) {
      double seconds = column.seconds();
      bool isLimit = !std::strncmp(column.name, "limit", 5);
      if (layer.hasWeights() || isLimit)
        std::printf(" %s %.4g", column.name,
                    (isLimit ? 1 : layer.macs) / seconds / 1e9);
      else
        std::printf(" %s %.4gus", column.name, seconds * 1e6);
    }
    std::printf(" |");
    double other = find("XNNPACK");
    double second = find("oneDNN");
    for (const char *name : {"plain", "packed"}) {
      double seconds = find(name);
      if (seconds == 0)
        continue;
      if (other != 0) {
        std::printf(" %s/XNNPACK %.2f", name, other / seconds);
        auto &mean = means[std::string(name) + " " + layer.kind];
        mean.first += std::log(other / seconds);
        ++mean.second;
        auto &all = means[std::string(name)];
        all.first += std::log(other / seconds);
        ++all.second;
      }
      if (second != 0)
        std::printf(" %s/oneDNN %.2f", name, second / seconds);
      if (layer.kind == "conv" || layer.kind == "fc")
        std::printf(" %s/limit8 %.2f", name,
                    layer.macs * find("limit8") / seconds);
    }
    for (const char *name :
         {"fx16xfx8", "fx16", "packed_fx16xfx8", "packed_fx16"})
      if (double seconds = find(name))
        std::printf(" %s/limit16 %.2f", name,
                    layer.macs * find("limit16") / seconds);
    std::printf(" |%s\n", remarks.c_str());
    std::fflush(stdout);
  }

  const Options &options;
  std::vector<const Backend *> backends;
  std::string remarks;
  std::map<std::string, std::pair<double, int>> means;
};

} // namespace

int main(int argc, char **argv) {
  // OpenMP reads this when the program is loaded, so that it starts again.
  if (!std::getenv("OMP_NUM_THREADS")) {
    setenv("OMP_NUM_THREADS", "1", /*overwrite=*/0);
    execv("/proc/self/exe", argv);
  }
  Options options;
  if (!parse(argc, argv, options))
    return 2;
  if (!options.hasChecks)
    mli_set_check_mode(MLI_CHECK_OFF);
  Bench bench(options);
  std::vector<Layer> layers = readLayers(options.layers);
  if (layers.empty() || !bench.chooseColumns())
    return 1;
  auto isUnwanted = [&](const Layer &layer) {
    return layer.name.find(options.only) == std::string::npos &&
           layer.kind.find(options.only) == std::string::npos;
  };
  layers.erase(std::remove_if(layers.begin(), layers.end(), isUnwanted),
               layers.end());
  if (layers.empty()) {
    std::fprintf(stderr,
                 "mli-bench: error: expected '--only' to be in the name or "
                 "kind of a layer, but got '%s'\n",
                 options.only.c_str());
    return 1;
  }
  std::printf("target %s; with weights: GMAC/s, else microseconds, on this "
              "host\n",
              mli_simd_target_name(mli_get_simd_target()));
  bool isExact = true;
  for (const Layer &layer : layers)
    isExact &= bench.run(layer);
  bench.printMeans();
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr,
                 "mli-bench: error: expected standard output to be writable, "
                 "but got: %s\n",
                 std::strerror(errno));
    return 1;
  }
  return isExact ? 0 : 1;
}
