// SPDX-License-Identifier: Apache-2.0
//
// convert-mli-to-llvm collects here the fields of a struct that a call takes.
// Known fields are read-only memory; the others are written when the code runs.

#ifndef MLI_LIB_CONVERSION_MLITOLLVM_CALLFIELDS_H
#define MLI_LIB_CONVERSION_MLITOLLVM_CALLFIELDS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mli {

/// The width of pointers where the compiled program runs.
constexpr int64_t pointerBits = 64;

/// A field of a struct: an integer that is known, a value, or fields of its
/// own.
class Field {
public:
  /// Known where `value` is a constant. (Implicit, as are all values.)
  Field(mlir::Value value); // NOLINT(google-explicit-constructor)
  explicit Field(mlir::IntegerAttr known)
      : Field(known.getType(), known.getInt()) {}
  /// The low bits of `known`, as many as `type` has.
  Field(mlir::Type type, int64_t known);
  /// A struct.
  static Field record(mlir::MLIRContext *context, llvm::ArrayRef<Field> parts);
  /// An array of fields of type `element`.
  static Field array(mlir::Type element, llvm::ArrayRef<Field> parts);
  /// An array of `count` bytes that are 0.
  static Field zeros(mlir::MLIRContext *context, int64_t count);

  mlir::Type getType() const { return type; }
  /// The integer, if it is one that is known.
  std::optional<int64_t> getKnown() const { return known; }
  /// Null unless it is a value.
  mlir::Value getValue() const { return value; }
  /// Whether no part of it is a value, or none is known.
  bool isKnown() const;
  bool isUnknown() const;

  /// Its contents, with zeros where values are.
  mlir::Attribute getContents() const;
  /// Its bytes: there is no padding but what is named as a field.
  int64_t getBytes() const;
  /// Its known contents as characters, equal for equal ones only.
  void appendKey(llvm::SmallVectorImpl<char> &key) const;

  /// Calls `store` with each value in it, and with which part of which part
  /// that is.
  void forEachValue(
      llvm::function_ref<void(mlir::Value, llvm::ArrayRef<mlir::LLVM::GEPArg>)>
          store) const;

private:
  Field() = default;
  mlir::Attribute getArray() const;
  void visitValues(
      llvm::SmallVectorImpl<mlir::LLVM::GEPArg> &path,
      llvm::function_ref<void(mlir::Value, llvm::ArrayRef<mlir::LLVM::GEPArg>)>
          store) const;

  mlir::Type type;
  std::optional<int64_t> known;
  int64_t zeroBytes = 0;
  mlir::Value value;
  std::vector<Field> parts;
};

} // namespace mli

#endif // MLI_LIB_CONVERSION_MLITOLLVM_CALLFIELDS_H
