// SPDX-License-Identifier: Apache-2.0

#include "Case.h"

#include "../Random.h"

#include "mli/Execution/Program.h"

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

SmallVector<Datum> fuzz::toData(func::FuncOp function,
                                ArrayRef<HostTensor> inputs) {
  SmallVector<Datum> data;
  for (auto [type, input] :
       llvm::zip_equal(function.getArgumentTypes(), inputs)) {
    Tensor tensor(cast<RankedTensorType>(type), 0);
    tensor.bytes = input.data;
    data.emplace_back(std::move(tensor));
  }
  return data;
}

std::vector<HostTensor> fuzz::toHostTensors(ArrayRef<Datum> data) {
  std::vector<HostTensor> tensors;
  for (const Datum &datum : data) {
    const auto &tensor = std::get<Tensor>(datum);
    HostTensor host;
    host.element = *getHostElement(tensor.type.getElementType());
    host.shape = tensor.getShape().vec();
    host.data = tensor.bytes;
    tensors.push_back(std::move(host));
  }
  return tensors;
}

/// Elements of any value, at the limits of their type, or all alike.
static HostTensor makeInput(RankedTensorType type, Random &random) {
  HostTensor tensor;
  tensor.element = *getHostElement(type.getElementType());
  tensor.shape = type.getShape().vec();
  size_t width = mli::getElementBytes(tensor.element);
  int64_t kind = random.pick(0, 9);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    uint64_t any = random.next();
    int64_t least = int64_t{-1} * (int64_t{1} << (8 * width - 1));
    int64_t value = kind == 0   ? (any % 2 == 0 ? least : -(least + 1))
                    : kind == 1 ? static_cast<int64_t>(any % 7) - 3
                                : static_cast<int64_t>(any >> 8);
    if (tensor.element == HostElement::F32) {
      // Numbers about as large as those of quantised tensors.
      auto number = static_cast<float>(static_cast<int16_t>(value)) / 256;
      std::memcpy(&value, &number, sizeof(number));
    }
    const char *bytes = reinterpret_cast<const char *>(&value);
    tensor.data.insert(tensor.data.end(), bytes, bytes + width);
  }
  return tensor;
}

llvm::Expected<Case> fuzz::makeCase(OwningOpRef<ModuleOp> module,
                                    uint64_t seed) {
  auto entry = dyn_cast_or_null<func::FuncOp>(module->lookupSymbol("main"));
  if (!entry || entry.isExternal())
    return llvm::createStringError("there is no function 'main'");
  Case result;
  result.seed = seed;
  Random random(~seed);
  for (Type type : entry.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !getHostElement(tensor.getElementType()))
      return llvm::createStringError("an argument is no tensor that a caller "
                                     "could hold");
    result.inputs.push_back(makeInput(tensor, random));
  }
  SmallVector<Datum> inputs = toData(entry, result.inputs);
  std::unique_ptr<Kernels> ranged = createRangeKernels(result.ranges);
  result.module = std::move(module);
  auto results = Interpreter(*ranged, 0x5a).run(entry, inputs);
  if (!results) {
    result.failure = llvm::toString(results.takeError());
    if (!StringRef(result.failure).contains("outside"))
      return llvm::createStringError(result.failure);
    return result;
  }
  result.expected = toHostTensors(*results);
  std::unique_ptr<Kernels> plain = createReferenceKernels();
  auto others = Interpreter(*plain, static_cast<char>(0xc3)).run(entry, inputs);
  if (!others)
    return others.takeError();
  for (auto [one, other] :
       llvm::zip_equal(*result.expected, toHostTensors(*others)))
    if (one.data != other.data)
      return llvm::createStringError(
          "a result depends on what nobody has written");
  return result;
}
