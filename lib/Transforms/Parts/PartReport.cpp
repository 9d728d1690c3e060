// SPDX-License-Identifier: Apache-2.0
//
// What mli-tile-to-fit remarks of its parts.

#include "PartPlan.h"

#include "Transforms/TileSelection/TileFailures.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;

namespace {

class PartReporter {
public:
  PartReporter(const PartGraph &all, const PartRules &rules,
               const KernelNames &names)
      : all(all), rules(rules), names(names) {}

  void report(const Part &part, const PartRecord &record) const;

private:
  void explainFront(InFlightDiagnostic &remark, const Part &part) const;
  Operation *getOp(size_t number) const {
    return all.graph.vertices[number].op;
  }
  StringRef getName(size_t number) const {
    return names.find(getOp(number))->second;
  }

  const PartGraph &all;
  const PartRules &rules;
  const KernelNames &names;
};

} // namespace

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
  if (rules.isGiven(front))
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

void PartReporter::report(const Part &part, const PartRecord &record) const {
  Operation *last = getOp(part.range.end - 1);
  InFlightDiagnostic remark = emitRemark(last->getLoc());
  remark << record.getText();
  if (part.tiles && !part.tiles->tiles.order.empty() &&
      !rules.isGiven(part.range.begin))
    explainFront(remark, part);
  for (const std::string &detail : record.getDetails())
    remark.attachNote(last->getLoc()) << detail;
}

void mli::parts::reportParts(const PartGraph &all, ArrayRef<Part> parts,
                             ArrayRef<PartRecord> records,
                             const PartRules &rules, const KernelNames &names) {
  PartReporter reporter(all, rules, names);
  for (const Part &part : parts) {
    if (!part.tiles && !part.stream)
      continue;
    reporter.report(part, records.front());
    records = records.drop_front();
  }
}
