// SPDX-License-Identifier: Apache-2.0
//
// Time to plan: rectangles cut to pieces, which need the search, and long
// programs, which need the greedy plans to scale.

#include "mli/Allocation/Planner.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>

using namespace mli::allocation;

static Buffer box(int64_t size, int64_t lower, int64_t upper, int64_t tag) {
  Buffer buffer;
  buffer.size = size;
  buffer.live = {lower, upper};
  buffer.tag = tag;
  return buffer;
}

/// `pieces` buffers that fill 2^20 bytes without a gap.
static Problem rectangle(int64_t pieces) {
  struct Piece {
    int64_t lower, upper, begin, end;
  };
  std::mt19937_64 engine(7);
  std::vector<Piece> all = {{0, 4 * pieces, 0, 65536}};
  while (int64_t(all.size()) < pieces) {
    size_t at = engine() % all.size();
    Piece rest = all[at];
    int64_t life = rest.upper - rest.lower, bytes = rest.end - rest.begin;
    if (life < 2 || bytes < 2)
      continue;
    if (engine() % 2)
      all[at].upper = rest.lower += 1 + int64_t(engine() % (life - 1));
    else
      all[at].end = rest.begin += 1 + int64_t(engine() % (bytes - 1));
    all.push_back(rest);
  }
  Problem problem;
  for (const Piece &piece : all)
    problem.buffers.push_back(box((piece.end - piece.begin) * 16, piece.lower,
                                  piece.upper,
                                  int64_t(problem.buffers.size())));
  return problem;
}

/// Short lives with some long ones, as in an unrolled network.
static Problem program(int64_t buffers) {
  std::mt19937_64 engine(11);
  Problem problem;
  for (int64_t i = 0; i < buffers; ++i) {
    auto life =
        int64_t(engine() % 20 == 0 ? 50 + engine() % 150 : 1 + engine() % 6);
    problem.buffers.push_back(
        box(int64_t(1 + engine() % 4096) * 16, i, i + life, i));
  }
  return problem;
}

template <Problem (*Make)(int64_t)>
static void planOf(benchmark::State &state) {
  Problem problem = Make(state.range(0));
  Plan result;
  for (auto _ : state)
    result = plan(problem);
  state.counters["nodes"] = double(result.nodes);
  state.counters["ratio"] = double(result.peak) / double(result.liveBound);
}
BENCHMARK(planOf<rectangle>)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(planOf<program>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);

/// The exit status, if all that is shown is out.
static int finish() {
  if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout))
    return 0;
  std::cerr << "mli-plan-bench: error: expected standard output to be "
               "writable, but got: a failed write\n";
  return 1;
}

static void help() {
  benchmark::PrintDefaultHelp();
  std::exit(finish());
}

/// The library does not see whether a file that it writes itself is whole.
static bool asksForFile(int argc, char **argv) {
  const char *asked = std::getenv("BENCHMARK_OUT");
  if (asked && *asked)
    return true;
  return std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
    return argument.substr(0, 15) == "--benchmark_out";
  });
}

int main(int argc, char **argv) {
  if (asksForFile(argc, argv)) {
    std::cerr << "mli-plan-bench: error: expected '--benchmark_format' and "
                 "standard output, but got '--benchmark_out'\n";
    return 1;
  }
  benchmark::Initialize(&argc, argv, help);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return finish();
}
