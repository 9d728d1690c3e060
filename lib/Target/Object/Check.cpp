// SPDX-License-Identifier: Apache-2.0

#include "Entries.h"

#include "../C/Probes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

/// "1x1x2x" and the type of the elements.
static std::string printShape(const ProbeTensor &tensor,
                              const llvm::Twine &element) {
  std::string text;
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + "x";
  return text + element.str();
}

/// The type of `tensor` in IR, as a buffer.
static std::string getType(const ProbeTensor &tensor) {
  std::string params = std::to_string(tensor.bits);
  if (!tensor.isFixedPoint())
    params = std::to_string(tensor.mantissa) + ":" + params + ":0";
  return "memref<" +
         printShape(tensor,
                    llvm::Twine(tensor.isFixedPoint() ? "!mli.fx" : "!mli.sa") +
                        llvm::Twine(tensor.getWidth()) + "<" + params + ">>");
}

/// A private function that writes what `probe` gives to its argument.
static std::string printProbe(const Probe &probe) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const ProbeTensor &output = probe.operands.back();
  os << "func.func private @" << probe.name << "(%out: " << getType(output)
     << ") attributes {llvm.linkage = #llvm.linkage<internal>} {\n";
  std::string values, types;
  for (const ProbeTensor &input : ArrayRef(probe.operands).drop_back()) {
    os << "  %" << input.tensor << " = mli.constant dense<\"0x";
    for (int32_t number : input.numbers)
      for (unsigned bit = 0; bit < input.getWidth(); bit += 8)
        os << llvm::format_hex_no_prefix((number >> bit) & 0xFF, 2,
                                         /*Upper=*/true);
    os << "\"> : " << "tensor<"
       << printShape(input, "i" + llvm::Twine(input.getWidth()) + ">") << " to "
       << getType(input) << "\n";
    values += (values.empty() ? "%" : ", %") + input.tensor.str();
    types += (types.empty() ? "" : ", ") + getType(input);
  }
  os << "  " << probe.operation << " ins(" << values << " : " << types
     << ") outs(%out : " << getType(output) << ") " << probe.modifiers
     << "\n  return\n}\n";
  return text;
}

/// Adds the function of `probe` to `module`.
static func::FuncOp addProbe(ModuleOp module, const Probe &probe) {
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(printProbe(probe), module.getContext());
  auto function = *parsed->getOps<func::FuncOp>().begin();
  function->remove();
  SymbolTable(module).insert(function);
  return function;
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

namespace {

class CheckBuilder : ImplicitLocOpBuilder {
public:
  CheckBuilder(const Network &network, ModuleOp module)
      : ImplicitLocOpBuilder(module.getLoc(), module.getContext()),
        network(network), module(module) {}

  void add();

private:
  Value toValue(int32_t number) {
    return LLVM::ConstantOp::create(*this, getI32IntegerAttr(number));
  }
  /// `status`, if that is a failure, else `failure`, if not `holds`.
  Value require(Value status, Value holds, mli_status failure) {
    Value ok = toValue(MLI_STATUS_OK);
    Value found = LLVM::SelectOp::create(*this, holds, ok, toValue(failure));
    Value isOk =
        LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::eq, status, ok);
    return LLVM::SelectOp::create(*this, isOk, found, status);
  }
  Value compare(const Probe &probe);
  Value compareTable(StringRef create, int32_t bytes);

  const Network &network;
  ModuleOp module;
};

} // namespace

/// Whether `probe` gives what it is to give.
Value CheckBuilder::compare(const Probe &probe) {
  func::FuncOp function = addProbe(module, probe);
  auto type = cast<MemRefType>(function.getArgumentTypes()[0]);
  Value output = memref::AllocaOp::create(*this, type);
  func::CallOp::create(*this, function, output);
  Value same;
  // The output has one dimension that is not 1, the last one.
  SmallVector<Value> indices(type.getRank(),
                             arith::ConstantIndexOp::create(*this, 0));
  for (auto [i, expected] : llvm::enumerate(probe.expected)) {
    indices.back() =
        arith::ConstantIndexOp::create(*this, static_cast<int64_t>(i));
    Value code = memref::LoadOp::create(*this, output, indices);
    Value number = UnrealizedConversionCastOp::create(*this, getI8Type(), code)
                       .getResult(0);
    Value wanted = LLVM::ConstantOp::create(
        *this, getI8IntegerAttr(static_cast<int8_t>(expected)));
    Value equal =
        LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::eq, number, wanted);
    same = same ? LLVM::AndOp::create(*this, same, equal).getResult() : equal;
  }
  return same;
}

/// Whether the table that `create` makes has room in `bytes` bytes.
Value CheckBuilder::compareTable(StringRef create, int32_t bytes) {
  std::string name = getSizeFunction(create);
  // No other symbol has the name of a function of the library.
  LLVM::LLVMFuncOp function =
      *LLVM::lookupOrCreateFn(*this, module, name, {}, getI32Type());
  Value size = LLVM::CallOp::create(*this, function, ValueRange()).getResult();
  return LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::sle, size,
                              toValue(bytes));
}

void CheckBuilder::add() {
  setInsertionPointToEnd(module.getBody());
  auto check =
      LLVM::LLVMFuncOp::create(*this, network.options.name + "_check",
                               LLVM::LLVMFunctionType::get(getI32Type(), {}));
  setInsertionPointToStart(check.addEntryBlock(*this));
  Value status = toValue(MLI_STATUS_OK);
  for (const Probe &probe : findProbes(network))
    status = require(status, compare(probe), MLI_STATUS_SPEC_PARAM_MISMATCH);
  for (auto [create, bytes] : findTables(network))
    status =
        require(status, compareTable(create, bytes), MLI_STATUS_NOT_ENGH_MEM);
  LLVM::ReturnOp::create(*this, status);
}

void object::addCheck(const Network &network) {
  CheckBuilder(network, network.module).add();
}
