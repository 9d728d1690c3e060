// SPDX-License-Identifier: Apache-2.0

#include "Call.h"
#include "Guarded.h"

#include "mli/Calls/Call.h"
#include "mli/IR/FunctionTable.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Runtime/C/mli_api.h"
#include "mli/Runtime/C/mli_runtime.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringMap.h"

#include <cstring>
#include <tuple>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

using Function = mli_status (*)(Call &);

namespace {

/// Hands out the arguments of a call in the order of the parameters.
class Arguments {
public:
  explicit Arguments(Call &call) : call(call) {}

  const mli_tensor *input() { return call.inputs[numInputs++]; }
  const mli_tensor **inputs() {
    auto **first =
        const_cast<const mli_tensor **>(call.inputs.data()) + numInputs;
    numInputs += call.config.dense.inputs_num;
    return first;
  }
  const mli_tensor *unread() { return nullptr; }
  const mli_lut *table() { return &call.tables[numTables++]; }
  template <typename T>
  const T *config() {
    return reinterpret_cast<const T *>(&call.config);
  }
  mli_tensor *output() { return call.outputs[numOutputs++]; }

private:
  Call &call;
  size_t numInputs = 0, numTables = 0, numOutputs = 0;
};

} // namespace

/// Each kernel as a function of a call.
static const llvm::StringMap<Function> &getFunctions() {
  static const llvm::StringMap<Function> functions = {
#define MLI_NEXT_INPUT(name) next.input()
#define MLI_NEXT_INPUTS(name) next.inputs()
#define MLI_NEXT_UNREAD(name) next.unread()
#define MLI_NEXT_TABLE(name, function) next.table()
#define MLI_NEXT_CONFIG(type) next.config<type>()
#define MLI_NEXT_OUTPUT(name) next.output()
// Elements of a list in braces are evaluated in their order.
#define MLI_KERNEL(name, signature)                                            \
  {#name, [](Call &call) {                                                     \
     Arguments next(call);                                                     \
     return std::apply(name, std::tuple{signature(MLI_NEXT)});                 \
   }},
#include "mli/Runtime/C/api/mli_kernels.def"
  };
  return functions;
}

/// Fills the table of `op`.
static mli_status fillTable(LutOp op, mli_tensor &tensor) {
  mli_lut table = getTable(op.getFunction()).fields;
  table.data = tensor.data;
#define MLI_LUT(name, function)                                                \
  if (op.getFunction() == LutFunction::function)                               \
    return name##_create_lut(&table);
#include "mli/Runtime/C/api/mli_kernels.def"
  llvm_unreachable("all functions are handled");
}

/// Moves into the block of the output that `op` writes.
static mli_status move(MovOp op, Call &call) {
  mli_tensor out = *call.outputs[0];
  int64_t start = 0;
  for (auto [offset, stride] : llvm::zip(op.getDstOffsets(), out.mem_stride))
    start += offset * stride;
  start *= (out.el_type & 0xff) / 8;
  out.data.mem.pi8 += start;
  out.data.capacity -= static_cast<uint32_t>(start);
  for (uint32_t i = 0; i < out.rank; ++i)
    call.config.mov.dst_mem_stride[i] = out.mem_stride[i];
  return mli_mov_tensor_sync(call.inputs[0], &call.config.mov, &out);
}

static mli_status callFunction(Call &call) {
  Operation *op = call.run.op;
  if (auto lut = dyn_cast<LutOp>(op))
    return fillTable(lut, *call.outputs[0]);
  if (isa<ConvertOp>(op))
    return mli_hlp_convert_tensor(call.inputs[0], call.outputs[0]);
  if (auto mov = dyn_cast<MovOp>(op))
    return move(mov, call);
  return getFunctions().at(calls::getCallee(call.run.op))(call);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

class RuntimeKernels : public Kernels {
public:
  explicit RuntimeKernels(uint64_t seed) : random(seed) {}

  llvm::Error compute(KernelRun &run) override {
    Call call(run);
    std::deque<Guarded> inputs, outputs;
    guard(call, inputs, outputs);
    std::vector<char> scratch = addScratch(call);
    // A cell writes shape and strides of its output.
    if (run.op->hasTrait<RecurrentCell>() && random.chance(50))
      call.outputs.back()->rank = 0;
    mli_status status = callFunction(call);
    if (status != MLI_STATUS_OK)
      return llvm::createStringError(mli_status_name(status));
    return finish(run, inputs, outputs);
  }

private:
  void guard(Call &call, std::deque<Guarded> &inputs,
             std::deque<Guarded> &outputs) {
    auto dps = cast<DestinationStyleOpInterface>(call.run.op.getOperation());
    for (OpOperand &operand : call.run.op->getOpOperands()) {
      if (!isa<ShapedType>(operand.get().getType()) || isTable(operand))
        continue;
      bool isOutput = dps.isDpsInit(&operand);
      std::deque<Guarded> &list = isOutput ? outputs : inputs;
      mli_tensor *tensor = (isOutput ? call.outputs : call.inputs)[list.size()];
      list.emplace_back(*tensor, getContract(operand), random);
    }
  }

  /// Gives a cell the scratch memory that is returned; others have none.
  static std::vector<char> addScratch(Call &call) {
    if (!call.run.op->hasTrait<RecurrentCell>())
      return {};
    const mli_tensor &weights = call.in(2);
    uint32_t bytes =
        weights.shape[0] * weights.shape[2] * (call.in(0).el_type & 0xff) / 8;
    std::vector<char> scratch(bytes);
    call.config.cell.scratch_data.capacity = bytes;
    call.config.cell.scratch_data.mem.pi8 =
        reinterpret_cast<int8_t *>(scratch.data());
    return scratch;
  }

  static llvm::Error finish(KernelRun &run, const std::deque<Guarded> &inputs,
                            const std::deque<Guarded> &outputs) {
    for (const Guarded &input : inputs)
      if (!input.isIntact(/*isOutput=*/false))
        return llvm::createStringError("writes to an input, or around it");
    for (auto [result, output] : llvm::zip_equal(run.results, outputs)) {
      if (!output.isIntact(/*isOutput=*/true))
        return llvm::createStringError("writes around an output");
      result.bytes = output.takeElements();
    }
    return llvm::Error::success();
  }

  Random random;
};

} // namespace

std::unique_ptr<Kernels> fuzz::createRuntimeKernels(uint64_t seed) {
  return std::make_unique<RuntimeKernels>(seed);
}
