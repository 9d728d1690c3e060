// SPDX-License-Identifier: Apache-2.0
//
// What mli-tile-to-fit remarks of its parts.

#include "PartPlan.h"

#include "Transforms/TileSelection/TileFailures.h"
#include "Transforms/TileSelection/TileText.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using mli::tiling::bytesText;
using mli::tiling::listText;
using mli::tiling::numberText;
using mli::tiling::TileCounts;
using mli::tiling::TilePlan;

namespace {

class PartReporter {
public:
  PartReporter(const PartGraph &all, const PartRules &rules,
               const llvm::MapVector<Operation *, std::string> &names)
      : all(all), rules(rules), names(names) {}

  void report(const Part &part) const;

private:
  void reportTiles(const Part &part) const;
  void reportStream(const Part &part) const;
  void addStaying(InFlightDiagnostic &remark, const Part &part) const;
  void explainFront(InFlightDiagnostic &remark, const Part &part) const;
  Operation *getOp(size_t number) const {
    return all.graph.vertices[number].op;
  }
  StringRef getName(size_t number) const {
    return names.find(getOp(number))->second;
  }
  bool isGiven(const Part &part, size_t number) const {
    return llvm::any_of(rules.given, [&](const GivenPart &given) {
      return number >= given.begin && number < given.end;
    });
  }

  const PartGraph &all;
  const PartRules &rules;
  const llvm::MapVector<Operation *, std::string> &names;
};

} // namespace

/// Says what is whole in local memory beside `part`.
void PartReporter::addStaying(InFlightDiagnostic &remark,
                              const Part &part) const {
  for (auto [text, values] :
       {std::pair("; finds ", ArrayRef(part.range.inside)),
        {"; leaves ", ArrayRef(part.range.kept)}})
    if (!values.empty())
      remark << text << bytesText(all.getBytes(values)) << " in local memory";
}

/// Says why the kernel in front of `part` is not computed with it.
void PartReporter::explainFront(InFlightDiagnostic &remark,
                                const Part &part) const {
  PartRange larger = part.range;
  if (larger.begin == 0 || !all.kernels[larger.begin - 1].numbers)
    return;
  size_t front = --larger.begin;
  ArrayRef<size_t> results = all.graph.vertices[front].results;
  bool isRead = llvm::any_of(results, [&](size_t result) {
    return llvm::any_of(all.graph.values[result].users, [&](size_t user) {
      return user > front && user < larger.end;
    });
  });
  larger.inside.clear();
  std::unique_ptr<tiling::TileGroup> group = makeGroup(all, larger);
  if (!isRead || !group)
    return;
  std::string reason;
  if (isGiven(part, front))
    reason = "a file says its tiles";
  else if (part.range.end - part.range.begin >= rules.maxGroup)
    reason =
        "groups have at most " + std::to_string(rules.maxGroup) + " kernels";
  else if (searchTiles(*group, rules.capacity, rules.cost))
    reason = "that costs more";
  else
    reason = tiling::explainNoTiles(*group, rules.capacity);
  remark.attachNote(getOp(front)->getLoc())
      << getName(front) << " is not fused: " << reason;
}

void PartReporter::reportTiles(const Part &part) const {
  size_t root = part.range.end - 1;
  const TilePlan &plan = *part.tiles;
  const TileCounts &counts = plan.counts;
  InFlightDiagnostic remark = emitRemark(getOp(root)->getLoc());
  remark << getName(root) << ": tile " << listText(plan.tiles.sizes) << " of "
         << listText(all.kernels[root].numbers->sizes) << ", order "
         << listText(plan.tiles.order) << ", takes " << bytesText(plan.bytes)
         << " of " << bytesText(rules.capacity) << "; moves "
         << bytesText(counts.bytesMoved) << ", "
         << numberText(counts.macsPerNpu) << " MACs per NPU, "
         << bytesText(counts.wastedBytes) << " alignment waste, "
         << numberText(counts.bankConflicts) << " bank conflicts, "
         << numberText(counts.calls) << " calls, "
         << numberText(counts.unrolled) << " unrolled, cost "
         << numberText(static_cast<int64_t>(plan.score));
  addStaying(remark, part);
  SmallVector<StringRef> fused;
  for (size_t number = root; number-- > part.range.begin;)
    fused.push_back(getName(number).rsplit(':').second);
  remark << "; " << fused.size() << " producers fused"
         << (fused.empty() ? "" : ": " + listText(fused)) << "; ";
  bool isSaid = isGiven(part, root);
  if (isSaid)
    remark << "as the file says";
  else if (plan.isDoubled)
    remark << "double buffering";
  else if (rules.cost.overlap == 0.0)
    remark << "no double buffering, as moves are waited for";
  else
    remark << "no double buffering, as tiles of half the size cost more";
  if (!isSaid)
    explainFront(remark, part);
}

void PartReporter::reportStream(const Part &part) const {
  size_t first = part.range.begin, last = part.range.end - 1;
  const StreamChoice &stream = *part.stream;
  InFlightDiagnostic remark = emitRemark(getOp(last)->getLoc());
  remark << getName(first) << " to " << getName(last) << ": stream of "
         << part.range.end - part.range.begin << " kernels, "
         << stream.shape.rows << (stream.shape.rows == 1 ? " row" : " rows")
         << " a step";
  if (stream.shape.stripes > 1)
    remark << " on " << stream.shape.stripes << " column stripes";
  remark << ", takes " << bytesText(stream.bytes) << " of "
         << bytesText(rules.capacity) << "; moves "
         << bytesText(stream.movedBytes) << ", " << numberText(stream.again)
         << " MACs per NPU again, " << numberText(stream.calls) << " calls, "
         << numberText(stream.written) << " unrolled, cost "
         << numberText(static_cast<int64_t>(part.cost))
         << (stream.allStay ? "; all weights stay"
                            : "; some weights move again");
  addStaying(remark, part);
  if (isGiven(part, last))
    remark << "; as the file says";
}

void PartReporter::report(const Part &part) const {
  if (part.stream)
    reportStream(part);
  else if (part.tiles && !part.tiles->tiles.order.empty())
    reportTiles(part);
}

void mli::parts::reportParts(
    const PartGraph &all, ArrayRef<Part> parts, const PartRules &rules,
    const llvm::MapVector<Operation *, std::string> &names) {
  PartReporter reporter(all, rules, names);
  for (const Part &part : parts)
    reporter.report(part);
}
