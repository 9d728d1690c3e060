// SPDX-License-Identifier: Apache-2.0
//
// Constants are folded by the functions of the runtime that would run.

#include "mli/IR/ConstantFolding.h"
#include "mli/IR/KernelOps.h"

#include "mli/IR/ComputingModes.h"
#include "mli/IR/ConstantData.h"
#include "mli/IR/LocalMemory.h"
#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_api.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Constants as bytes
//===----------------------------------------------------------------------===//

namespace {

/// The elements of a constant: one after the other, or one for all.
struct Data {
  ElementsAttr value;
  ArrayRef<char> bytes;
  bool isSplat = false;
};

} // namespace

static int64_t getBytes(ShapedType type) {
  return type.getNumElements() *
         static_cast<int64_t>(elementWidth(type.getElementType()) / 8);
}

/// The elements that `attr` holds, an operand of `type`.
static std::optional<Data> getData(Attribute attr, ShapedType type) {
  Data data;
  if (auto wrapped = dyn_cast_or_null<DataAttr>(attr))
    data.value = wrapped.getValue();
  else if (type.getElementType().isF32())
    data.value = dyn_cast_or_null<ElementsAttr>(attr);
  std::optional<ArrayRef<char>> held = getHeldBytes(data.value);
  if (!held)
    return std::nullopt;
  data.bytes = *held;
  data.isSplat = data.value.isSplat();
  bool isComplete = static_cast<int64_t>(held->size()) == getBytes(type);
  return isComplete || data.isSplat ? std::optional(data) : std::nullopt;
}

/// All elements of `data` where the runtime can read them: `storage`, if they
/// do not lie so already. Null if that is too much to copy.
static const char *getElements(const Data &data, ShapedType type,
                               std::vector<char> &storage) {
  auto bytes = static_cast<size_t>(getBytes(type));
  size_t width = elementWidth(type.getElementType()) / 8;
  const char *elements = data.bytes.data();
  bool isAligned = reinterpret_cast<uintptr_t>(elements) % width == 0;
  bool isCopied = data.bytes.size() != bytes || !isAligned;
  if (isCopied && bytes > static_cast<size_t>(maxFoldedBytes))
    return nullptr;
  return layOutElements(data.bytes, bytes, width, storage);
}

/// The type of the attribute that holds elements of `type`: its integers are
/// the quantised values.
static RankedTensorType storedAs(ShapedType type) {
  Type element = type.getElementType();
  if (auto quantized = dyn_cast<QuantizedType>(element))
    element = quantized.getStorageType();
  return RankedTensorType::get(type.getShape(), element);
}

/// The constant of `value`, which has elements of type `storedAs(type)`.
static Attribute wrap(ElementsAttr value, ShapedType type) {
  if (isa<QuantizedType>(type.getElementType()))
    return DataAttr::get(type.getContext(), value);
  return value;
}

static Attribute wrap(ArrayRef<char> bytes, ShapedType type) {
  return wrap(DenseElementsAttr::getFromRawBuffer(storedAs(type), bytes), type);
}

/// The elements of `data` as a constant of another shape.
static Attribute reshaped(const Data &data, ShapedType type) {
  RankedTensorType stored = storedAs(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(data.value))
    return wrap(DenseResourceElementsAttr::get(stored, resource.getRawHandle()),
                type);
  return wrap(cast<DenseElementsAttr>(data.value).reshape(stored), type);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

namespace {

/// The attributes of a move; lists are empty where they have no effect.
struct Move {
  ArrayRef<int64_t> offsets, sizes, steps, dstOffsets, permutation, padLow,
      padHigh;

  /// Whether all that is written comes from the source.
  bool isUnpadded() const {
    auto isZero = [](int64_t value) { return value == 0; };
    return llvm::all_of(padLow, isZero) && llvm::all_of(padHigh, isZero);
  }
};

} // namespace

/// Elements of the same size as those of `type`: a move looks at no parameters.
static RankedTensorType withoutParams(ShapedType type) {
  MLIRContext *context = type.getContext();
  unsigned width = elementWidth(type.getElementType());
  Type element = width == 8    ? Type(Fx8Type::get(context, 0))
                 : width == 16 ? Type(Fx16Type::get(context, 0))
                               : Type(Float32Type::get(context));
  return RankedTensorType::get(type.getShape(), element);
}

static mli_mov_cfg_t getConfig(const Move &move) {
  mli_mov_cfg_t config;
  mli_mov_cfg_for_copy(&config);
  llvm::copy(move.offsets, config.offset);
  llvm::copy(move.sizes, config.size);
  llvm::copy(move.steps, config.sub_sample_step);
  llvm::copy(move.permutation, config.perm_dim);
  llvm::copy(move.padLow, config.padding_pre);
  llvm::copy(move.padHigh, config.padding_post);
  return config;
}

/// Moves from `source` into `init`, dense elements of `initType`. The block
/// starts in the buffer and not at offsets of the configuration: where shapes
/// happen to be equal the function ignores those.
static bool runMove(const Data &source, ShapedType sourceType, const Move &move,
                    std::vector<char> &init, ShapedType initType) {
  std::vector<char> storage;
  const char *elements = getElements(source, sourceType, storage);
  if (!elements)
    return false;
  mli_mov_cfg_t config = getConfig(move);
  RuntimeTensor from(withoutParams(sourceType), elements);
  RuntimeTensor to(withoutParams(initType), init.data());
  mli_data_container &block = to.get()->data;
  uint32_t start = 0;
  for (auto [offset, stride] : llvm::zip(move.dstOffsets, to.get()->mem_stride))
    start += static_cast<uint32_t>(offset * stride) *
             (elementWidth(initType.getElementType()) / 8);
  block.mem.pi8 += start;
  block.capacity -= start;
  return mli_mov_tensor_sync(from.get(), &config, to.get()) == MLI_STATUS_OK;
}

/// Moves `source` into the shape of `initType`, as elements of type `result`.
static Attribute foldMove(const Data &source, ShapedType sourceType,
                          const Move &move, ShapedType initType,
                          ShapedType result) {
  if (source.isSplat && move.isUnpadded())
    return wrap(
        DenseElementsAttr::getFromRawBuffer(storedAs(result), source.bytes),
        result);
  if (getBytes(result) > maxFoldedBytes)
    return {};
  std::vector<char> elements(getBytes(initType));
  if (!runMove(source, sourceType, move, elements, initType))
    return {};
  return wrap(elements, result);
}

/// But for what was decided to be a copy.
// F1
static Attribute fold(MovOp op, ArrayRef<Attribute> operands) {
  if (op.getReason())
    return {};
  ShapedType type = op.getInput().getType(), initType = op.getInit().getType();
  std::optional<Data> source = getData(operands[0], type);
  if (!source)
    return {};
  Move move = {op.getOffsets(),    op.getSizes(),       op.getSteps(),
               op.getDstOffsets(), op.getPermutation(), op.getPadLow(),
               op.getPadHigh()};
  if (!op.isPartial())
    return foldMove(*source, type, move, initType, initType);
  std::optional<Data> init = getData(operands[1], initType);
  if (!init || getBytes(initType) > maxFoldedBytes)
    return {};
  std::vector<char> storage;
  const char *old = getElements(*init, initType, storage);
  std::vector<char> elements(old, old + getBytes(initType));
  if (!runMove(*source, type, move, elements, initType))
    return {};
  return wrap(elements, initType);
}

static Attribute fold(PermuteOp op, ArrayRef<Attribute> operands) {
  ShapedType type = op.getInput().getType(), initType = op.getInit().getType();
  std::optional<Data> source = getData(operands[0], type);
  if (!source)
    return {};
  Move move;
  move.permutation = op.getPermutation();
  return foldMove(*source, type, move, initType, initType);
}

/// Whether the program gets no larger by blocks of `source` as constants of
/// their own: nothing else uses it, and they are no more than it.
// F2
static bool isCutUp(Value source) {
  int64_t rest = cast<ShapedType>(source.getType()).getNumElements();
  return llvm::all_of(source.getUsers(), [&](Operation *user) {
    auto block = dyn_cast<SubtensorOp>(user);
    if (!block || !block.getType().hasStaticShape())
      return false;
    rest -= block.getType().getNumElements();
    return rest >= 0;
  });
}

static Attribute fold(SubtensorOp op, ArrayRef<Attribute> operands) {
  ShapedType type = op.getSource().getType();
  std::optional<Data> source = getData(operands[0], type);
  if (!source || !op.getOffsets().empty() || !op.getSizes().empty() ||
      !isCutUp(op.getSource()))
    return {};
  Move move;
  move.offsets = op.getStaticOffsets();
  move.sizes = op.getStaticSizes();
  auto block =
      RankedTensorType::get(op.getStaticSizes(), type.getElementType());
  return foldMove(*source, type, move, block, op.getType());
}

/// The same elements, which the program has once.
static Attribute fold(ReshapeOp op, ArrayRef<Attribute> operands) {
  std::optional<Data> source = getData(operands[0], op.getSource().getType());
  return source && op.getSource().hasOneUse() ? reshaped(*source, op.getType())
                                              : Attribute();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// The types as the list of kernels spells them.
namespace kinds {
// NOLINTBEGIN(readability-identifier-naming)
using fx8 = Fx8Type;
using fx16 = Fx16Type;
using sa8 = Sa8Type;
// NOLINTEND(readability-identifier-naming)
} // namespace kinds
} // namespace

using Inputs = ArrayRef<const mli_tensor *>;

static mli_status run(ConvertOp, Type, Inputs inputs, mli_tensor *result) {
  return mli_hlp_convert_tensor(inputs[0], result);
}

static mli_status run(ReluOp op, Type element, Inputs inputs,
                      mli_tensor *result) {
  mli_relu_cfg config = {static_cast<mli_relu_type>(op.getRelu())};
#define MLI_RELU(name, type)                                                   \
  if (isa<kinds::type>(element))                                               \
    return name(inputs[0], &config, result);
#include "mli/Runtime/C/api/mli_kernels.def"
  return MLI_STATUS_NOT_SUPPORTED;
}

static mli_status run(LeakyReluOp, Type element, Inputs inputs,
                      mli_tensor *result) {
#define MLI_LEAKY_RELU(name, type)                                             \
  if (isa<kinds::type>(element))                                               \
    return name(inputs[0], inputs[1], result);
#include "mli/Runtime/C/api/mli_kernels.def"
  return MLI_STATUS_NOT_SUPPORTED;
}

template <typename EltwiseOp>
static std::enable_if_t<EltwiseOp::template hasTrait<BroadcastingKernel>(),
                        mli_status>
run(EltwiseOp eltwise, Type element, Inputs inputs, mli_tensor *result) {
  Operation *op = eltwise;
#define MLI_ELTWISE(name, what, type)                                          \
  if (isa<Eltwise##what##Op>(op) && isa<kinds::type>(element))                 \
    return name(inputs[0], inputs[1], result);
#include "mli/Runtime/C/api/mli_kernels.def"
  return MLI_STATUS_NOT_SUPPORTED;
}

/// A kernel that `run` computes: one of no more than some steps for each
/// element.
template <typename KernelOp>
static auto fold(KernelOp op, ArrayRef<Attribute> operands)
    -> decltype(run(op, Type(), Inputs(), nullptr), Attribute()) {
  ShapedType type = op.getInit().getType();
  if (getBytes(type) > maxFoldedBytes)
    return {};
  SmallVector<std::unique_ptr<RuntimeTensor>> tensors;
  SmallVector<const mli_tensor *> inputs;
  SmallVector<std::vector<char>> storage(operands.size());
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned i = input->getOperandNumber();
    auto inputType = cast<ShapedType>(input->get().getType());
    std::optional<Data> data = getData(operands[i], inputType);
    const char *elements =
        data ? getElements(*data, inputType, storage[i]) : nullptr;
    if (!elements)
      return {};
    tensors.push_back(std::make_unique<RuntimeTensor>(inputType, elements));
    inputs.push_back(tensors.back()->get());
  }
  std::vector<char> elements(getBytes(type));
  RuntimeTensor result(type, elements.data());
  ComputingScope scope(op);
  if (run(op, type.getElementType(), inputs, result.get()) != MLI_STATUS_OK)
    return {};
  return wrap(elements, type);
}

/// Whether there is a `fold` for operations of the class.
template <typename Op, typename = void>
static constexpr bool isFolded = false;
template <typename Op>
constexpr bool
    isFolded<Op, std::void_t<decltype(fold(Op(), ArrayRef<Attribute>()))>> =
        true;

// F1
Attribute mli::foldConstants(Operation *op, ArrayRef<Attribute> operands) {
  if (op->getNumResults() != 1 || operands.empty())
    return {};
  // A constant is in system memory.
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || isLocal(type))
    return {};
  Attribute folded;
  anyOp([&](auto opClass) {
    using Op = typename decltype(opClass)::Type;
    if constexpr (isFolded<Op>)
      if (auto concrete = dyn_cast<Op>(op)) {
        folded = fold(concrete, operands);
        return true;
      }
    return false;
  });
  return folded;
}
