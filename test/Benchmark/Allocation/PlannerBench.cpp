// SPDX-License-Identifier: Apache-2.0
//
// Time to plan: rectangles cut to pieces, which need the search, and long
// programs, which need the greedy plans to scale.

#include "mli/Allocation/Planner.h"

#include <benchmark/benchmark.h>

#include <iostream>
#include <random>

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

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (std::cout.flush())
    return 0;
  std::cerr << "mli-plan-bench: error: expected standard output to be "
               "writable, but got: a failed write\n";
  return 1;
}
