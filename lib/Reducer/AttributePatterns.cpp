// SPDX-License-Identifier: Apache-2.0

#include "Patterns.h"
#include "Retyping.h"
#include "Signature.h"

#include "mli/IR/ConstantData.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;
using namespace mli::reducer;

/// How many attributes, and lists, of one operation there are patterns for.
static constexpr unsigned maxAttributes = 10, maxLists = 8;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// What `op` has as attribute `name` where nothing is said; null for nothing.
static Attribute getDefault(Operation *op, StringAttr name) {
  Operation *plain = Operation::create(
      op->getLoc(), op->getName(), /*resultTypes=*/{}, /*operands=*/{},
      NamedAttrList(), OpaqueProperties(nullptr), /*successors=*/{},
      /*numRegions=*/0);
  Attribute value = plain->getAttr(name);
  plain->destroy();
  return value;
}

namespace {

/// Removes attribute `number` of an operation, which then has its default.
struct DropAttribute : AnyOpPattern {
  DropAttribute(MLIRContext *context, unsigned number)
      : AnyOpPattern(context), number(number) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<NamedAttribute> attributes = op->getAttrDictionary().getValue();
    if (number >= attributes.size())
      return failure();
    StringAttr name = attributes[number].getName();
    // Names and types of symbols are not theirs alone.
    bool isSymbol = isa<SymbolOpInterface>(op) && op->getInherentAttr(name);
    if (isSymbol && !name.getValue().ends_with("_attrs"))
      return failure();
    return setAttribute(rewriter, op, name, getDefault(op, name));
  }

  unsigned number;
};

/// Sets all numbers of a list, the `number`-th of its operation, to what
/// changes nothing: padding and offsets to 0, sizes and steps to 1.
struct NeutralList : AnyOpPattern {
  NeutralList(MLIRContext *context, unsigned number)
      : AnyOpPattern(context), number(number) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    unsigned left = number;
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
      if (!list || left-- > 0)
        continue;
      StringRef name = attribute.getName();
      int64_t neutral = name.contains("pad") || name.contains("offset") ? 0 : 1;
      SmallVector<int64_t> numbers(list.asArrayRef());
      for (int64_t &value : numbers)
        value = ShapedType::isDynamic(value) ? value : neutral;
      return setAttribute(rewriter, op, attribute.getName(),
                          rewriter.getDenseI64ArrayAttr(numbers));
    }
    return failure();
  }

  unsigned number;
};

//===----------------------------------------------------------------------===//
// Parameters along an axis
//===----------------------------------------------------------------------===//

/// Gives all tensors of an operation the parameters of their first index.
struct QuantizePerTensor : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (isa<ConstantOp>(op))
      return failure();
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(getPerTensor(type));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value retyped = retype(rewriter, op, operand);
      if (!retyped)
        return failure();
      operands.push_back(retyped);
    }
    if (llvm::equal(operands, op->getOperands()))
      return failure();
    return replaceRetyped(rewriter, op, operands, types);
  }

private:
  /// `type` without an axis.
  static Type getPerTensor(Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    auto element = dyn_cast_or_null<QuantizedType>(
        shaped ? shaped.getElementType() : Type());
    if (!element || !element.isPerAxis())
      return type;
    Type first = TypeSwitch<Type, Type>(element)
                     .Case<Sa8Type, Sa32Type>([&](auto axis) {
                       return decltype(axis)::get(type.getContext(),
                                                  element.getParam(0));
                     })
                     .Default([](Type other) { return other; });
    return shaped.clone(first);
  }

  /// `value`, which `op` reads, without an axis: a constant of the same codes,
  /// or an argument. Null if neither can be.
  static Value retype(PatternRewriter &rewriter, Operation *op, Value value) {
    Type type = getPerTensor(value.getType());
    if (type == value.getType())
      return value;
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return ConstantOp::create(rewriter, constant.getLoc(), type,
                                constant.getValue());
    func::FuncOp func = getFreeFunction(op);
    return func ? appendArgument(rewriter, func, type, value.getLoc())
                : Value();
  }
};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Gives all elements of a constant the value of the first.
struct SplatConstant : AnyOpPattern {
  using AnyOpPattern::AnyOpPattern;

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ConstantOp, arith::ConstantOp>(op))
      return failure();
    auto value = dyn_cast<ElementsAttr>(op->getAttr("value"));
    std::optional<ArrayRef<char>> held =
        value ? getHeldBytes(value) : std::nullopt;
    // Bits have no bytes of their own.
    unsigned width = value && value.getElementType().isIntOrFloat()
                         ? value.getElementType().getIntOrFloatBitWidth()
                         : 0;
    if (!held || value.isSplat() || width == 0 || width % 8 != 0 ||
        held->size() < width / 8)
      return failure();
    auto splat = DenseElementsAttr::getFromRawBuffer(
        value.getShapedType(), held->take_front(width / 8));
    return setAttribute(rewriter, op, rewriter.getStringAttr("value"), splat);
  }
};

} // namespace

void mli::reducer::populateConstantPatterns(RewritePatternSet &patterns) {
  patterns.add<SplatConstant>(patterns.getContext());
}

void mli::reducer::populateAttributePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<QuantizePerTensor>(context);
  for (unsigned number = 0; number < maxAttributes; ++number)
    patterns.add<DropAttribute>(context, number);
  for (unsigned number = 0; number < maxLists; ++number)
    patterns.add<NeutralList>(context, number);
}
