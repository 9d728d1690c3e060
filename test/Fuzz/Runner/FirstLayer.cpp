// SPDX-License-Identifier: Apache-2.0

#include "FirstLayer.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

/// Keeps what the operations of one block compute.
class LayerInterpreter : public Interpreter {
public:
  LayerInterpreter(Kernels &kernels, Block *block, char poison)
      : Interpreter(kernels, poison), block(block) {}

  std::vector<SmallVector<Datum>> layers;

protected:
  void note(Operation *op, ArrayRef<Datum> results) override {
    if (op->getBlock() == block)
      layers.emplace_back(results.begin(), results.end());
  }

private:
  Block *block;
};

} // namespace

static func::FuncOp getMain(ModuleOp module) {
  return cast<func::FuncOp>(module.lookupSymbol("main"));
}

/// Whether a caller could hold what `op` computes: tensors of known shapes.
static bool mayReturn(Operation *op) {
  return op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.hasStaticShape();
         });
}

/// `program` up to operation `index` of `main`, which computes `results`: it
/// returns them.
static Case cutBehind(const Case &program, size_t index,
                      std::vector<HostTensor> results) {
  Case cut;
  cut.module = program.clone();
  cut.seed = program.seed;
  cut.inputs = program.inputs;
  cut.expected = std::move(results);
  func::FuncOp main = getMain(*cut.module);
  Block &body = main.getBody().front();
  Operation *layer = &*std::next(body.begin(), static_cast<ptrdiff_t>(index));
  while (&body.back() != layer)
    body.back().erase();
  auto builder = OpBuilder::atBlockEnd(&body);
  func::ReturnOp::create(builder, layer->getLoc(), layer->getResults());
  main.setFunctionType(builder.getFunctionType(main.getArgumentTypes(),
                                               layer->getResultTypes()));
  // It hands nothing on to another run.
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    main.setArgAttrs(i, ArrayRef<NamedAttribute>());
  return cut;
}

static std::vector<SmallVector<Datum>> runLayers(const Case &program,
                                                 char poison) {
  func::FuncOp main = getMain(*program.module);
  std::unique_ptr<Kernels> kernels = createReferenceKernels();
  LayerInterpreter interpreter(*kernels, &main.getBody().front(), poison);
  // An access outside ends it: what was before is there.
  llvm::consumeError(
      interpreter.run(main, toData(main, program.inputs)).takeError());
  return std::move(interpreter.layers);
}

static bool areEqual(ArrayRef<HostTensor> one, ArrayRef<HostTensor> other) {
  return llvm::all_of_zip(one, other, [](const auto &a, const auto &b) {
    return a.data == b.data;
  });
}

std::string fuzz::findFirstLayer(const Case &program,
                                 const Configuration &configuration,
                                 uint64_t seed) {
  std::vector<SmallVector<Datum>> layers = runLayers(program, 0x11),
                                  others = runLayers(program, 0x66);
  Block &body = getMain(*program.module).getBody().front();
  for (auto [index, op] : llvm::enumerate(body)) {
    if (index >= layers.size())
      break;
    if (!mayReturn(&op))
      continue;
    std::vector<HostTensor> results = toHostTensors(layers[index]);
    // What nobody has written is anything.
    if (!areEqual(results, toHostTensors(others[index])))
      continue;
    Case cut = cutBehind(program, index, std::move(results));
    Random random(seed);
    if (!configuration.run(cut, random).isFinding())
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    op.print(os, OpPrintingFlags().skipRegions().elideLargeElementsAttrs(8));
    return text;
  }
  return "";
}
