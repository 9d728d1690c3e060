// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

#include "mli/IR/LocalMemory.h"
#include "mli/Transforms/FitQuery.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Tiles of any size
//===----------------------------------------------------------------------===//

/// Whether tiles of dimension `dim` cut parameters, which takes constant
/// offsets.
static bool cutsAxis(Operation *op, int64_t dim) {
  for (Type type : op->getOperandTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    auto quantized =
        shaped ? dyn_cast<QuantizedType>(shaped.getElementType()) : nullptr;
    if (!quantized || !quantized.isPerAxis())
      continue;
    // Weights have theirs along the last dimension of the result.
    auto init = cast<ShapedType>(op->getResult(0).getType());
    if (!op->hasTrait<ElementwiseKernel>() && !isa<MovOp, PermuteOp>(op) &&
        dim != init.getRank() - 1)
      continue;
    return true;
  }
  return false;
}

/// Filters of a tile of a group convolution: of one, some, or all groups.
static int64_t anyFilters(GroupConv2DOp op, Random &random) {
  ShapedType input = op.getInput().getType();
  ShapedType weights = op.getWeights().getType();
  if (!input.hasStaticShape() || !weights.hasStaticShape())
    return 0;
  int64_t groups = input.getDimSize(2) / weights.getDimSize(2);
  int64_t filters = weights.getDimSize(3) / groups;
  int64_t sizes[] = {0, 1, filters, 2 * filters};
  return sizes[random.pick(0, 3)];
}

/// A size of a tile along loop `i` that a loop may cut; 0 is whole.
static int64_t anySize(TilingInterface op, int64_t i, Random &random) {
  if (op.getLoopIteratorTypes()[i] != utils::IteratorType::parallel ||
      cutsAxis(op, i))
    return 0;
  auto window = dyn_cast<WindowOpInterface>(op.getOperation());
  if (window && window.getLayout() == MapLayout::chw)
    return 0;
  auto group = dyn_cast<GroupConv2DOp>(op.getOperation());
  if (group && i == 2)
    return anyFilters(group, random);
  if (auto mov = dyn_cast<MovOp>(op.getOperation())) {
    int64_t dim = mov.getPermutation().empty() ? i : mov.getPermutation()[i];
    auto isPadded = [&](ArrayRef<int64_t> padding) {
      return !padding.empty() && padding[dim] != 0;
    };
    return isPadded(mov.getPadLow()) || isPadded(mov.getPadHigh())
               ? 0
               : random.pick(0, 1);
  }
  return random.pick(0, 4);
}

static LogicalResult tile(TilingInterface op, Random &random) {
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes;
  for (size_t i = 0; i < op.getLoopIteratorTypes().size(); ++i)
    sizes.push_back(
        rewriter.getIndexAttr(anySize(op, static_cast<int64_t>(i), random)));
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(scf::SCFTilingOptions().setTileSizes(sizes));
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, op, options);
  if (failed(tiled))
    return failure();
  for (auto [whole, replacement] : tiled->replacements)
    rewriter.replaceAllUsesWith(whole, replacement);
  return success();
}

static SmallVector<TilingInterface> getKernels(ModuleOp module) {
  SmallVector<TilingInterface> kernels;
  module.walk([&](TilingInterface op) {
    if (isa<KernelOpInterface>(op.getOperation()))
      kernels.push_back(op);
  });
  return kernels;
}

Outcome fuzz::runTiled(const Case &program, Random &random) {
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  for (int64_t i = random.pick(1, 3); i > 0; --i) {
    SmallVector<TilingInterface> kernels = getKernels(*module);
    if (kernels.empty())
      break;
    TilingInterface op = random.pick(ArrayRef<TilingInterface>(kernels));
    std::string name = op->getName().getStringRef().str();
    if (failed(tile(op, random)))
      return refuse("'" + name + "' cannot be tiled: " + errors.text,
                    /*mayRefuse=*/true);
  }
  if (failed(verify(*module)))
    return refuse(errors.text, /*mayRefuse=*/false);
  std::unique_ptr<Kernels> kernels = createReferenceKernels();
  return interpret(program, *module, *kernels,
                   static_cast<char>(random.next()));
}

//===----------------------------------------------------------------------===//
// Tiles and rows that fit
//===----------------------------------------------------------------------===//

/// The first kernel of `module` that does not fit; empty if all do. Those with
/// tensors in local memory may compute in place, which mli-insert-moves checks.
static std::string findTooLarge(ModuleOp module, int64_t bytes) {
  std::string found;
  for (TilingInterface op : getKernels(module)) {
    if (isa<MovOp>(op.getOperation()) ||
        llvm::any_of(op->getOperandTypes(), isLocal))
      continue;
    FailureOr<TargetAttr> target = getTarget(op);
    FailureOr<FitQuery> query =
        succeeded(target) ? FitQuery::get(op, target->getValue(), bytes)
                          : FailureOr<FitQuery>();
    if (failed(query) || query->getSlack(query->getSizes()) < 0)
      return ("'" + op->getName().getStringRef() + "' does not fit " +
              Twine(bytes) + " bytes after mli-tile-to-fit")
          .str();
  }
  return found;
}

Outcome fuzz::runFits(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  target.setBytes(random.pick(16, 1024));
  TileToFitOptions apply, decide;
  apply.unroll = static_cast<int>(random.pick(0, 8));
  decide.decideOnly = true;
  decide.maxGroup = static_cast<int>(random.pick(2, 8));
  while (true) {
    OwningOpRef<ModuleOp> module = program.clone();
    Errors errors(module->getContext());
    PassManager passes(module->getContext());
    AttachTargetOptions attach;
    attach.target = target.getText();
    passes.addPass(createAttachTarget(attach));
    passes.addPass(createLegalizeLayouts());
    passes.addPass(createTileToFit(decide));
    passes.addPass(createTileToFit(apply));
    passes.addPass(createFormStreams());
    Outcome outcome;
    if (failed(passes.run(*module))) {
      int64_t enough = findEnough(errors.text);
      if (enough > target.bytes) {
        target.bytes = enough;
        continue;
      }
      outcome = refuse(errors.text, /*mayRefuse=*/true);
    } else if (std::string large = findTooLarge(*module, target.bytes);
               !large.empty()) {
      outcome.kind = Outcome::Kind::Differs;
      outcome.text = large;
    } else {
      std::unique_ptr<Kernels> kernels = createReferenceKernels();
      outcome = interpret(program, *module, *kernels,
                          static_cast<char>(random.next()));
    }
    outcome.where = target.getText();
    return outcome;
  }
}
