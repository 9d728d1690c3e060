// SPDX-License-Identifier: Apache-2.0
//
// What mli-tile-to-fit decides with: its options, and the kernels as it takes
// them, of which one needs most local memory.

#include "PartPlan.h"

#include "Transforms/LocalMemory/LocalTensors.h"
#include "Transforms/TileSelection/TileApply.h"

#include "mli/IR/LayerName.h"
#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/BindingKernel.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::parts;
using namespace mli::tiling;

FailureOr<PartOptions>
mli::parts::readPartOptions(ModuleOp module, const TileToFitOptions &options) {
  FailureOr<TargetAttr> target = getTarget(module);
  if (failed(target))
    return failure();
  int64_t npuBytes = target->getValue().npuBytes;
  // Z7
  if (options.reserve < 0 || options.reserve >= npuBytes)
    return module.emitError("expected 'reserve' to be 0 to ")
           << npuBytes - 1 << ", but got " << options.reserve;
  FailureOr<TileOverrides> read = readOverrides(module, options.overrides);
  if (failed(read))
    return failure();
  PartOptions parts;
  parts.target = *target;
  parts.overrides = std::move(*read);
  parts.reports = options.report;
  PartRules &rules = parts.rules;
  rules.capacity = npuBytes - options.reserve;
  rules.maxGroup = static_cast<size_t>(options.maxGroup);
  rules.maxStream = static_cast<size_t>(options.maxStream);
  rules.unrolled = options.unroll;
  rules.doubling = options.doubleBuffer;
  rules.cost = parts.overrides.cost;
  std::optional<double> &overlap = rules.cost.overlap;
  if (options.doubleBuffer == DoubleBuffering::Off)
    overlap = 0;
  else if (!overlap)
    overlap =
        options.doubleBuffer == DoubleBuffering::Unset ? 0 : expectedOverlap;
  return parts;
}

FailureOr<size_t> mli::parts::prepareKernels(FunctionOpInterface function,
                                             const PartOptions &options) {
  dropUnitBatches(function);
  const layout::Target &target = options.target.getValue();
  FailureOr<LocalTensors> local =
      LocalTensors::of(function, target, findLayoutPolicy(function));
  if (failed(local))
    return failure();
  const PartRules &rules = options.rules;
  auto getRoom = [&](Operation *op) {
    return isDecided(op) ? INT64_MAX : rules.capacity - local->getBytes(op);
  };
  return expandCells(
      function,
      {target, rules.cost, rules.doubling == DoubleBuffering::On, getRoom});
}

/// Makes `op` the `binding` kernel if it needs more.
static void takeLarger(Operation *op, const PartOptions &options,
                       const LocalTensors &local,
                       std::optional<BindingKernel> &binding) {
  if (!isTileable(op) || isDecided(op))
    return;
  std::optional<StaticKernel> kernel = StaticKernel::get(op);
  if (!kernel)
    return;
  int64_t npuBytes =
      getLeastNpuBytes(*kernel, options.target.getValue(),
                       options.rules.capacity - local.getBytes(op));
  if (!binding || npuBytes > binding->npuBytes)
    binding = BindingKernel{describeKernel(op), npuBytes};
}

FailureOr<std::optional<BindingKernel>>
mli::findBindingKernel(ModuleOp module, const TileToFitOptions &options) {
  OwningOpRef<ModuleOp> clone = module.clone();
  FailureOr<PartOptions> read = readPartOptions(*clone, options);
  if (failed(read))
    return failure();
  std::optional<BindingKernel> binding;
  for (auto function : clone->getOps<FunctionOpInterface>()) {
    if (failed(prepareKernels(function, *read)))
      return failure();
    FailureOr<LocalTensors> local = LocalTensors::of(
        function, read->target.getValue(), findLayoutPolicy(function));
    if (failed(local))
      return failure();
    function.walk(
        [&](Operation *op) { takeLarger(op, *read, *local, binding); });
  }
  return binding;
}
