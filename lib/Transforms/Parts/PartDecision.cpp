// SPDX-License-Identifier: Apache-2.0
//
// Decides for the kernels of a function, block by block.

#include "PartChoices.h"

#include "Transforms/LocalMemory/LocalTensors.h"
#include "Transforms/Streams/FormStreams.h"
#include "Transforms/TileSelection/TileFailures.h"

#include "mli/Allocation/Planner.h"
#include "mli/Analysis/RunCounts.h"
#include "mli/IR/LayoutPolicy.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::tiling::TileGroup;

namespace {

class PartDecider {
public:
  PartDecider(FunctionOpInterface function, const PartOptions &options,
              const LocalTensors &local,
              std::shared_ptr<tiling::StaticKernels> kernels,
              std::vector<tiling::LargeKernel> &tooLarge)
      : function(function), options(options), local(local),
        kernels(std::move(kernels)), tooLarge(tooLarge),
        names(streams::nameKernels(function)), runs(function),
        rewriter(function.getContext()) {}

  LogicalResult decide(Block &block);
  PartsRecord take() { return std::move(decided); }

private:
  std::optional<std::vector<Part>> plan(const PartGraph &all, PartRules &rules,
                                        PartChoices &choices) const;
  LogicalResult rejectLarge(const PartGraph &all, const PartRules &rules);

  FunctionOpInterface function;
  const PartOptions &options;
  const LocalTensors &local;
  std::shared_ptr<tiling::StaticKernels> kernels;
  std::vector<tiling::LargeKernel> &tooLarge;
  KernelNames names;
  RunCounts runs;
  IRRewriter rewriter;
  PartsRecord decided;
};

} // namespace

/// Whether `op` is a kernel to decide for.
static bool isOpen(Operation &op) {
  return tiling::isTileable(&op) && !isDecided(&op);
}

/// Lists the kernels of which no tile fits, and fails.
LogicalResult PartDecider::rejectLarge(const PartGraph &all,
                                       const PartRules &rules) {
  [[maybe_unused]] size_t before = tooLarge.size();
  for (auto [number, kernel] : llvm::enumerate(all.kernels)) {
    if (!kernel.numbers)
      continue;
    int64_t capacity = rules.getRoom(number, number + 1);
    TileGroup group({kernel.numbers}, all.target);
    if (!searchTiles(group, capacity, rules.cost))
      tooLarge.push_back({*kernel.numbers, capacity});
  }
  assert(tooLarge.size() > before && "expected parts of kernels that all fit");
  return failure();
}

std::vector<Stay> mli::parts::findStays(ArrayRef<Part> parts) {
  std::vector<Stay> stays;
  llvm::DenseMap<size_t, size_t> last;
  auto begin = [&](size_t value, size_t part) {
    last[value] = stays.size();
    stays.push_back({value, {part, part}});
  };
  for (auto [number, part] : llvm::enumerate(parts)) {
    for (size_t value : part.movedIn)
      begin(value, number);
    for (ArrayRef<size_t> list : {ArrayRef<size_t>(part.range.kept),
                                  ArrayRef<size_t>(part.range.inside)})
      for (size_t value : list) {
        if (!last.contains(value))
          begin(value, number);
        stays[last[value]].time.second = number;
      }
  }
  return stays;
}

/// Whether the planner of addresses finds room for what each of `parts` takes,
/// in one piece, beside what is whole in local memory around it.
static bool isPlaceable(const PartGraph &all, ArrayRef<Part> parts,
                        const PartRules &rules) {
  allocation::Problem problem;
  problem.memory.capacity = rules.capacity;
  auto add = [&](int64_t bytes, size_t begin, size_t end) {
    if (bytes == 0)
      return;
    allocation::Buffer &buffer = problem.buffers.emplace_back();
    buffer.size = bytes;
    buffer.live = {static_cast<int64_t>(begin), static_cast<int64_t>(end)};
  };
  for (auto [number, part] : llvm::enumerate(parts)) {
    add(part.bytes, number, number + 1);
    add(rules.capacity - rules.getRoom(part.range.begin, part.range.end),
        number, number + 1);
  }
  for (const auto &[value, time] : findStays(parts))
    add(all.values[value].localBytes, time.first, time.second + 1);
  allocation::PlannerOptions options;
  options.budget = 4000;
  options.onlyIfItFits = true;
  return allocation::plan(problem, options).status ==
         allocation::PlanStatus::Placed;
}

/// The cheapest parts that can be placed: with less room, there are gaps.
std::optional<std::vector<Part>> PartDecider::plan(const PartGraph &all,
                                                   PartRules &rules,
                                                   PartChoices &choices) const {
  int64_t capacity = rules.capacity;
  std::optional<std::vector<Part>> parts;
  for (int64_t gap = 0; gap < 8; ++gap) {
    rules.capacity = capacity - capacity / 64 * gap;
    std::optional<std::vector<Part>> next = planParts(all, rules, choices);
    rules.capacity = capacity;
    if (!next)
      break;
    parts = std::move(next);
    if (isPlaceable(all, *parts, rules))
      break;
  }
  return parts;
}

LogicalResult PartDecider::decide(Block &block) {
  if (llvm::none_of(block, isOpen))
    return success();
  PartGraph all = PartGraph::get(block, options.target, kernels);
  PartRules rules = options.rules;
  // ST2
  if (&block != &function.getFunctionBody().front())
    rules.maxStream = 1;
  rules.again = 0;
  for (auto [vertex, kernel] :
       llvm::zip_equal(all.graph.vertices, all.kernels)) {
    rules.taken.push_back(local.getBytes(vertex.op));
    rules.again += kernel.macsPerNpu / 20;
  }
  FailureOr<std::vector<GivenPart>> given =
      readGivenParts(function, all, rules, options.overrides);
  if (failed(given))
    return failure();
  rules.given = std::move(*given);
  PartChoices choices(all, rules);
  std::optional<std::vector<Part>> parts = plan(all, rules, choices);
  if (!parts)
    return rejectLarge(all, rules);
  std::vector<PartRecord> records =
      recordParts(all, *parts, rules, choices, names, runs.of(&block.front()));
  if (options.reports)
    reportParts(all, *parts, records, rules, names);
  writeParts(rewriter, all, *parts);
  llvm::append_range(decided.parts, records);
  return success();
}

FailureOr<PartsRecord>
mli::parts::decideParts(FunctionOpInterface function,
                        const PartOptions &options,
                        std::vector<tiling::LargeKernel> &tooLarge) {
  bool hasFailed = false;
  auto kernels = std::make_shared<tiling::StaticKernels>();
  function.walk([&](Operation *op) {
    if (isOpen(*op) && !kernels->get(op))
      hasFailed |= failed(tiling::rejectDynamic(op));
  });
  if (hasFailed)
    return failure();
  FailureOr<LocalTensors> local = LocalTensors::of(
      function, options.target.getValue(), findLayoutPolicy(function));
  if (failed(local))
    return failure();
  SmallVector<Block *> blocks;
  for (Block &block : function.getFunctionBody())
    blocks.push_back(&block);
  function.walk([&](Operation *op) {
    if (op != function.getOperation())
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
  });
  PartDecider decider(function, options, *local, kernels, tooLarge);
  for (Block *block : blocks)
    hasFailed |= failed(decider.decide(*block));
  if (hasFailed)
    return failure();
  return decider.take();
}
