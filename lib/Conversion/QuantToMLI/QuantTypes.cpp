// SPDX-License-Identifier: Apache-2.0

#include "QuantTypes.h"

#include "mli/IR/TensorSize.h"
#include "mli/Quant/KernelScales.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;

/// The fraction bits of a scale that is a power of two.
static std::optional<int32_t> getFracBits(double scale) {
  int exponent = 0;
  if (std::frexp(scale, &exponent) != 0.5 || exponent < -126 || exponent > 129)
    return std::nullopt;
  return 1 - exponent;
}

/// The type of `width` bits with one set of parameters for each scale.
static Type getSaType(MLIRContext *context, unsigned width, int32_t axis,
                      ArrayRef<double> scales, ArrayRef<int64_t> zeroPoints) {
  SmallVector<mli::quant::QuantParams> params;
  for (auto [scale, zero] : llvm::zip_equal(scales, zeroPoints)) {
    if (zero < INT16_MIN || zero > INT16_MAX)
      return {};
    auto found = mli::quant::nearestParams(scale, static_cast<int16_t>(zero));
    if (!found)
      return {};
    params.push_back(*found);
  }
  if (width == 8)
    return Sa8Type::get(context, axis, params);
  return Sa32Type::get(context, axis, params);
}

Type mli::convertQuantType(Type type) {
  auto uniform = dyn_cast<mlir::quant::QuantizedType>(type);
  if (!uniform || !uniform.isSigned() || !uniform.getExpressedType().isF32())
    return {};
  unsigned width = uniform.getStorageTypeIntegralWidth();
  if (auto tensor = dyn_cast<mlir::quant::UniformQuantizedType>(type)) {
    if (width == 16 && tensor.getZeroPoint() == 0)
      if (std::optional<int32_t> bits = getFracBits(tensor.getScale()))
        return Fx16Type::get(type.getContext(), *bits);
    if (width == 8 || width == 32)
      return getSaType(type.getContext(), width, -1, tensor.getScale(),
                       tensor.getZeroPoint());
  }
  auto axis = dyn_cast<mlir::quant::UniformQuantizedPerAxisType>(type);
  if (axis && (width == 8 || width == 32) &&
      axis.getQuantizedDimension() < maxRank)
    return getSaType(type.getContext(), width, axis.getQuantizedDimension(),
                     axis.getScales(), axis.getZeroPoints());
  return {};
}

bool mli::hasPartialRange(Operation *op) {
  auto cast = dyn_cast<mlir::quant::QuantizeCastOp>(op);
  if (!cast)
    return false;
  auto type = mlir::cast<mlir::quant::QuantizedType>(
      getElementTypeOrSelf(cast.getType()));
  return type.hasStorageTypeBounds();
}

/// The type that `op`, a quant.qcast or quant.dcast, converts; null for other
/// operations and for other types than tensors.
static RankedTensorType getConvertedType(Operation *op) {
  if (!isa<mlir::quant::QuantizeCastOp, mlir::quant::DequantizeCastOp>(op))
    return {};
  return dyn_cast<RankedTensorType>(op->getResult(0).getType());
}

/// The bytes of the f32 tensor that `type` is converted from or to.
static uint64_t getRealBytes(RankedTensorType type) {
  return tensorBytes(type.getShape(), 32);
}

bool mli::exceedsTensor(Operation *op) {
  RankedTensorType type = getConvertedType(op);
  return type &&
         (type.getRank() > maxRank || !isTensorSize(getRealBytes(type)));
}

std::string mli::getRejectionReason(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    llvm::append_range(types, function.getArgumentTypes());
  bool hasQuant = false;
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    if (!isa<mlir::quant::QuantizedType>(element))
      continue;
    hasQuant = true;
    if (convertQuantType(element) && isa<RankedTensorType>(type))
      continue;
    os << "expected a tensor of a type that mli has, but got " << type;
    return text;
  }
  RankedTensorType type = getConvertedType(op);
  if (type && type.getRank() > maxRank)
    os << "expected at most " << maxRank << " dimensions, but got "
       << type.getRank();
  else if (type && !isTensorSize(getRealBytes(type)))
    os << "expected at most 2147483647 bytes of f32, but got "
       << getRealBytes(type);
  else if (hasPartialRange(op))
    os << "expected all values of the storage type, but got "
       << getElementTypeOrSelf(op->getResult(0).getType());
  else if (hasQuant &&
           !isa<mlir::quant::QuantDialect, tensor::TensorDialect,
                func::FuncDialect, scf::SCFDialect>(op->getDialect()))
    os << "expected an operation of the quant, tensor, func or scf dialect, "
          "but got '"
       << op->getName() << "'";
  return text;
}
