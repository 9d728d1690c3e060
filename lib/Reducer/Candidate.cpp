// SPDX-License-Identifier: Apache-2.0

#include "Search.h"
#include "Signature.h"

#include "mli/IR/ConstantData.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Numbers above count alike, so that sums do not overflow.
static constexpr int64_t maxNumber = 1 << 20;

static uint64_t countElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return shaped ? maxNumber : 1;
  uint64_t count = 1;
  for (int64_t size : shaped.getShape())
    count = llvm::SaturatingMultiply(count, static_cast<uint64_t>(size));
  return std::min<uint64_t>(count, uint64_t(1) << 40);
}

static uint64_t countBytes(Attribute attribute) {
  auto elements = dyn_cast<ElementsAttr>(attribute);
  std::optional<ArrayRef<char>> held =
      elements ? getHeldBytes(elements) : std::nullopt;
  return held ? held->size() : 0;
}

static uint64_t sumNumbers(Attribute attribute) {
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  uint64_t sum = 0;
  for (int64_t number : list ? list.asArrayRef() : ArrayRef<int64_t>())
    sum += number < 0 || number > maxNumber ? maxNumber : number;
  return sum;
}

Candidate Candidate::get(OwningOpRef<ModuleOp> module) {
  uint64_t operations = 0, elements = 0, bytes = 0, numbers = 0;
  module->walk([&](Operation *op) {
    // An empty tensor, of which each tile of a kernel has its own, is no part
    // of what happens.
    operations += !isa<tensor::EmptyOp>(op);
    for (Type type : op->getResultTypes())
      elements += countElements(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          elements += countElements(type);
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      bytes += countBytes(attribute.getValue());
      numbers += sumNumbers(attribute.getValue());
    }
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return {std::move(module),
          {operations, elements, bytes, numbers, text.size()},
          llvm::xxh3_64bits(text)};
}

//===----------------------------------------------------------------------===//
// What nobody uses any more
//===----------------------------------------------------------------------===//

namespace {

/// Removes what becomes unused, and leaves what was unused before.
class Cleanup : public RewriterBase::Listener {
public:
  explicit Cleanup(ModuleOp module);

  void notifyOperationErased(Operation *op) override {
    erased.insert(op);
    unusedOps.erase(op);
    usedFunctions.erase(op);
    hasErasedFunction |= isa<func::FuncOp>(op);
  }

  bool isErased(Operation *op) const { return erased.contains(op); }

  void run(RewriterBase &rewriter) {
    bool hasErased = true;
    while (hasErased) {
      hasErased = eraseOps(rewriter);
      hasErased |= eraseArguments();
      // Functions that a function alone called are what is left of it.
      if (!hasErasedFunction)
        hasErased |= eraseFunctions(rewriter);
    }
  }

private:
  bool eraseOps(RewriterBase &rewriter);
  bool eraseArguments();
  bool eraseFunctions(RewriterBase &rewriter);

  ModuleOp module;
  llvm::DenseSet<Operation *> erased, unusedOps, usedFunctions;
  llvm::DenseSet<Value> unusedArguments;
  bool hasErasedFunction = false;
};

} // namespace

Cleanup::Cleanup(ModuleOp module) : module(module) {
  module->walk([&](Operation *op) {
    if (isOpTriviallyDead(op))
      unusedOps.insert(op);
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func)
      return;
    if (!SymbolTable::symbolKnownUseEmpty(op, module))
      usedFunctions.insert(op);
    for (BlockArgument argument : func.getArguments())
      if (argument.use_empty())
        unusedArguments.insert(argument);
  });
}

bool Cleanup::eraseOps(RewriterBase &rewriter) {
  // Users come after what they use, and operations after those around them.
  SmallVector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  bool hasErased = false;
  for (Operation *op : llvm::reverse(ops))
    if (op != module && !unusedOps.contains(op) && isOpTriviallyDead(op)) {
      rewriter.eraseOp(op);
      hasErased = true;
    }
  return hasErased;
}

bool Cleanup::eraseArguments() {
  bool hasErased = false;
  module->walk([&](func::ReturnOp end) {
    func::FuncOp func = getFreeFunction(end);
    if (!func)
      return;
    llvm::BitVector isDropped(func.getNumArguments());
    for (BlockArgument argument : func.getArguments())
      if (argument.use_empty() && !unusedArguments.contains(argument))
        isDropped.set(argument.getArgNumber());
    hasErased |= isDropped.any() && succeeded(func.eraseArguments(isDropped));
  });
  return hasErased;
}

bool Cleanup::eraseFunctions(RewriterBase &rewriter) {
  SmallVector<Operation *> unused;
  for (Operation *func : usedFunctions)
    if (SymbolTable::symbolKnownUseEmpty(func, module))
      unused.push_back(func);
  for (Operation *func : unused)
    rewriter.eraseOp(func);
  return !unused.empty();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static bool mayMatch(const RewritePattern &pattern, Operation *op) {
  OperationName name = op->getName();
  if (std::optional<OperationName> kind = pattern.getRootKind())
    return *kind == name;
  if (std::optional<TypeID> interface = pattern.getRootInterfaceID())
    return name.hasInterface(*interface);
  if (std::optional<TypeID> trait = pattern.getRootTraitID())
    return name.hasTrait(*trait);
  return true;
}

SmallVector<unsigned> reducer::findRoots(ModuleOp module,
                                         const RewritePattern &pattern) {
  SmallVector<unsigned> roots;
  unsigned number = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (mayMatch(pattern, op))
      roots.push_back(number);
    ++number;
  });
  return roots;
}

std::optional<Candidate> reducer::applyPattern(ModuleOp module,
                                               const RewritePattern &pattern,
                                               ArrayRef<unsigned> roots,
                                               SmallVector<unsigned> &matched) {
  OwningOpRef<ModuleOp> copy = module.clone();
  SmallVector<Operation *> ops;
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) {});
  Cleanup cleanup(*copy);
  PatternRewriter rewriter(module.getContext());
  rewriter.setListener(&cleanup);
  matched.clear();
  for (unsigned root : roots) {
    if (cleanup.isErased(ops[root]))
      continue;
    rewriter.setInsertionPoint(ops[root]);
    if (succeeded(pattern.matchAndRewrite(ops[root], rewriter)))
      matched.push_back(root);
  }
  if (matched.empty())
    return std::nullopt;
  cleanup.run(rewriter);
  if (failed(verify(*copy)))
    return std::nullopt;
  return Candidate::get(std::move(copy));
}
