// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/MemorySweep.h"

#include "mli/Transforms/BindingKernel.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mli;

MemorySweep::MemorySweep(ModuleOp module, const CompileOptions &options,
                         const layout::Target &target, Observer observer)
    : module(module.clone()), options(options), target(target),
      observer(std::move(observer)) {
  this->options.placement = Placement::Local;
}

int64_t MemorySweep::getMax() const {
  // Local addresses have 32 bits.
  int64_t bytes = (int64_t(1) << 32) / target.npus;
  return bytes - bytes % getStep();
}

void MemorySweep::compileTo(SweepPoint &point) {
  layout::Target sized = target;
  sized.npuBytes = point.npuBytes;
  options.local.target = layout::toCustomText(sized);
  OwningOpRef<ModuleOp> clone = module->clone();
  ScopedDiagnosticHandler first(
      clone->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            point.reason.empty())
          point.reason = diagnostic.str();
        return success();
      });
  if (failed(raise(*clone, options)))
    return;
  auto binding = findBindingKernel(*clone, options.local.getTileToFit());
  if (failed(binding))
    return;
  if (*binding)
    point.binding = {(*binding)->name, (*binding)->npuBytes};
  auto functions = placeEntries(*clone, options);
  if (succeeded(functions))
    point.memory = functions->front().memory;
}

const SweepPoint &MemorySweep::compile(int64_t npuBytes) {
  auto [entry, isNew] = points.try_emplace(npuBytes);
  SweepPoint &point = entry->second;
  if (!isNew)
    return point;
  if (observer)
    observer(npuBytes);
  point.npuBytes = npuBytes;
  compileTo(point);
  return point;
}

const SweepPoint *MemorySweep::findLeast() {
  const int64_t step = getStep(), max = getMax();
  const SweepPoint *point = &compile(step);
  if (point->fits())
    return point;
  // Between the largest that is known not to fit and one that fits. What the
  // binding kernel needs is exact but for what else takes memory.
  int64_t failing = step;
  for (int64_t next = failing; !point->fits();) {
    if (failing == max)
      return nullptr;
    int64_t need = point->binding ? point->binding->npuBytes : 0;
    next = std::min(need > failing ? need : 2 * failing, max);
    point = &compile(next);
    if (!point->fits())
      failing = next;
  }
  const SweepPoint *least = point;
  // One step less mostly does not fit.
  for (int64_t next = least->npuBytes - step; next > failing;
       next = failing + (least->npuBytes - failing) / step / 2 * step) {
    point = &compile(next);
    if (point->fits())
      least = point;
    else
      failing = next;
  }
  return least;
}
