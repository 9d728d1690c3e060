// SPDX-License-Identifier: Apache-2.0
//
// Lists the operations of a network in TOSA, before and after it is raised. An
// index in its location tells which operation a kernel comes from.

#include "Conversion/TosaToMLI/Scales/TosaBoundary.h"
#include "TosaLegalization.h"

#include "mli/Conversion/InspectTosa.h"
#include "mli/IR/LocationNames.h"
#include "mli/IR/MLI.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// The shape of `value`; nothing unless it is static.
static std::optional<ArrayRef<int64_t>> getStaticShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return type.getShape();
}

static int64_t multiply(ArrayRef<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    product = multiplyProducts(product, factor);
  return product;
}

/// The products of one element of `op`'s result, or of its input if that is
/// spread over the result; 0 for operations without weights.
static int64_t countProductsPerElement(Operation *op,
                                       ArrayRef<int64_t> weights) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp>(
          [&](auto) { return multiply(weights.drop_front()); })
      .Case<tosa::DepthwiseConv2DOp>(
          [&](auto) { return multiply(weights.take_front(2)); })
      .Case<tosa::TransposeConv2DOp>(
          [&](auto) { return multiply(weights.drop_back()); })
      .Case<tosa::MatMulOp>([&](auto) { return weights[1]; })
      .Default([](auto) { return 0; });
}

/// The products that `op` accumulates; 0 if shapes are not static.
static int64_t countProducts(Operation *op) {
  if (auto kernel = dyn_cast<KernelOpInterface>(op)) {
    auto init = getStaticShape(
        cast<DestinationStyleOpInterface>(op).getDpsInits().front());
    return init && isa<WeightedOpInterface>(op)
               ? multiplyProducts(multiply(*init),
                                  kernel.getProductsPerElement())
               : 0;
  }
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return 0;
  auto weights = getStaticShape(op->getOperand(1));
  auto spread = getStaticShape(
      isa<tosa::TransposeConv2DOp>(op) ? op->getOperand(0) : op->getResult(0));
  return weights && spread
             ? multiplyProducts(multiply(*spread),
                                countProductsPerElement(op, *weights))
             : 0;
}

static int64_t addProducts(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {

/// Lists the operations of a module, and raises it.
class Inspector {
public:
  explicit Inspector(ModuleOp module) : module(module) {}

  Inspection run();

private:
  void list();
  void listPorts(func::FuncOp function);
  void addConstant(ElementsAttr elements);
  void addOperation(Operation *op);
  std::string describe(size_t index, Location loc) const;
  void findLeft(ArrayRef<LeftOperation> left);
  void findKernels();
  void findCasts();
  void findPart(ArrayRef<Operation *> roots);

  ModuleOp module;
  Inspection inspection;
  /// The operations that are listed, by their index.
  llvm::DenseMap<Operation *, size_t> indices;
  std::optional<DependenceGraph> graph;
  std::vector<bool> isLeft;
};

} // namespace

void Inspector::listPorts(func::FuncOp function) {
  auto add = [&](StringRef what, TypeRange types) {
    for (auto [i, type] : llvm::enumerate(types)) {
      std::string line;
      llvm::raw_string_ostream(line) << what << " " << i << " of '"
                                     << function.getSymName() << "': " << type;
      inspection.ports.push_back(line);
    }
  };
  add("input", function.getArgumentTypes());
  add("output", function.getResultTypes());
}

void Inspector::addOperation(Operation *op) {
  size_t index = inspection.operators.size();
  indices[op] = index;
  InspectedOperator inspected;
  inspected.name = op->getName().getStringRef().str();
  if (op->getNumResults() > 0)
    llvm::raw_string_ostream(inspected.gives) << op->getResult(0).getType();
  inspected.products = countProducts(op);
  inspected.reason = "no kernel of its own";
  inspection.verdict.products =
      addProducts(inspection.verdict.products, inspected.products);
  inspection.operators.push_back(std::move(inspected));
  auto number = IntegerAttr::get(IndexType::get(op->getContext()),
                                 static_cast<int64_t>(index));
  op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc()}, number));
}

void Inspector::addConstant(ElementsAttr elements) {
  Type element = elements.getElementType();
  int64_t bytes =
      element.isIntOrFloat() ? llvm::divideCeil(elementWidth(element), 8) : 0;
  inspection.constantBytes = addProducts(
      inspection.constantBytes,
      multiplyProducts(multiply(elements.getShapedType().getShape()), bytes));
}

void Inspector::list() {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      listPorts(function);
  module.walk([&](Operation *op) {
    if (auto constant = dyn_cast<tosa::ConstOp>(op))
      addConstant(constant.getValues());
    else if (auto constant = dyn_cast<ConstantOp>(op))
      addConstant(constant.getValue());
  });
  SmallVector<Operation *> operations = listOperations(module);
  graph.emplace(operations);
  llvm::for_each(operations, [&](Operation *op) { addOperation(op); });
}

/// Describes operation `index`, as `operation 3 (tosa.exp) at net.mlir:12:7`.
std::string Inspector::describe(size_t index, Location loc) const {
  std::string place = describePlace(loc);
  return "operation " + std::to_string(index) + " (" +
         inspection.operators[index].name + ")" +
         (place.empty() ? "" : " at " + place);
}

/// Blockers are operations with reasons of their own, or all if there is none.
void Inspector::findLeft(ArrayRef<LeftOperation> left) {
  bool hasCause = llvm::any_of(
      left, [](const LeftOperation &each) { return each.isCause; });
  Verdict &verdict = inspection.verdict;
  int64_t leftProducts = 0;
  for (const LeftOperation &each : left) {
    auto it = indices.find(each.op);
    // A constant that is a result of its function.
    if (it == indices.end()) {
      verdict.blockers.push_back(
          {"operation (" + each.op->getName().getStringRef().str() + ")",
           each.reason});
      continue;
    }
    isLeft[it->second] = true;
    InspectedOperator &op = inspection.operators[it->second];
    op.reason = "left: " + each.reason;
    leftProducts = addProducts(leftProducts, op.products);
    if (each.isCause || !hasCause)
      verdict.blockers.push_back(
          {describe(it->second, each.op->getLoc()), each.reason});
  }
  verdict.covered = verdict.products - leftProducts;
}

/// Lists the kernels that come from each operation, the first in their
/// location.
void Inspector::findKernels() {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<DestinationStyleOpInterface>(op) ||
        !isa_and_nonnull<MLIDialect>(op->getDialect()))
      return;
    op->getLoc()->walk([&](Location part) {
      auto tagged = dyn_cast<FusedLocWith<IntegerAttr>>(part);
      if (!tagged)
        return WalkResult::advance();
      inspection.operators[tagged.getMetadata().getInt()].kernels.push_back(
          op->getName().getStringRef().str());
      return WalkResult::interrupt();
    });
  });
}

/// Casts to plain tensors that stay are errors of the pass.
void Inspector::findCasts() {
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        inspection.verdict.blockers.push_back(
            {describePlace(diagnostic.getLocation()), diagnostic.str()});
        return success();
      });
  reportBoundaries(module);
}

/// Finds the part in front that runs, and what asks for it.
void Inspector::findPart(ArrayRef<Operation *> roots) {
  std::vector<bool> isRoot(inspection.operators.size());
  for (Operation *root : roots)
    isRoot[indices.lookup(root)] = true;
  SmallVector<size_t> outputs = graph->findOutputs(isLeft, isRoot);
  bool hasProducts = false;
  if (!outputs.empty())
    for (auto [i, op] : llvm::enumerate(inspection.operators))
      hasProducts |= graph->isInPart(i) && op.products > 0;
  if (!hasProducts)
    return;
  inspection.verdict.hasCommand = true;
  for (size_t output : outputs)
    inspection.verdict.options += " --tosa-output=" + std::to_string(output);
}

Inspection Inspector::run() {
  list();
  isLeft.resize(inspection.operators.size());
  Legalization legalization = [&] {
    // Remarks tell how clusters are computed.
    ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &each) {
      return success(each.getSeverity() == DiagnosticSeverity::Remark);
    });
    return legalize(module, {});
  }();
  findLeft(legalization.left);
  findKernels();
  if (legalization.left.empty())
    findCasts();
  Verdict &verdict = inspection.verdict;
  verdict.runs = verdict.hasCommand = verdict.blockers.empty();
  if (!verdict.runs)
    findPart(legalization.roots);
  unsigned left = llvm::count(isLeft, true);
  inspection.states = {{"raised", inspection.operators.size() - left},
                       {"left", left}};
  return std::move(inspection);
}

static void loadDialects(MLIRContext *context) {
  context->loadDialect<MLIDialect, arith::ArithDialect, func::FuncDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
}

Inspection mli::inspectTosa(ModuleOp module) {
  loadDialects(module.getContext());
  return Inspector(module).run();
}
