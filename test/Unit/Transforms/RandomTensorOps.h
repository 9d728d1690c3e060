// SPDX-License-Identifier: Apache-2.0
//
// Random operations on tensors whose types have one set of parameters.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMTENSOROPS_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMTENSOROPS_H

#include "ProgramWriter.h"

#include "llvm/ADT/SmallVector.h"

namespace mli::test {

/// An element type.
struct TensorElement {
  const char *type;
  const char *storage;
  int64_t bytes;
  bool isMap;    ///< permute takes it
  bool hasZero0; ///< zero point 0: relu is known
};

struct TensorValue {
  std::string name;
  llvm::SmallVector<int64_t, 4> shape;
  const TensorElement *element;

  std::string type() const { return tensorType(shape, element->type); }
};

/// A function under construction, and what adds one random operation to it: on
/// a value that is there, or none where that value does not fit.
class RandomTensorOps : protected ProgramWriter<TensorValue> {
protected:
  using Sizes = llvm::SmallVector<int64_t, 4>;
  using Element = TensorElement;
  using Value = TensorValue;
  using ProgramWriter::concat;
  using ProgramWriter::ProgramWriter;

  static std::string getType(const Sizes &shape, const Element &element) {
    return tensorType(shape, element.type);
  }
  static std::string getType(const Value &value) { return value.type(); }
  static std::string getStorage(const Value &value) {
    return tensorType(value.shape, value.element->storage);
  }
  static std::string list(const Sizes &values);
  static int64_t countOf(const Value &value);

  const Element &anyElement();
  /// The argument of number `i`, and its bytes.
  void argument(int64_t i);
  std::string empty(const Sizes &shape, const Element &element);
  /// A number as a value.
  std::string index(int64_t number);
  void reshapeTo(const Value &source, const Sizes &shape);
  void kernel(const Value &source, const Sizes &shape, const Element &element,
              const std::string &name, const std::string &rest);

  void slice();
  void constant();
  void concat();
  void pad();
  void permute();
  void convert();
  void relu();
  void reshape();
  /// A part of one value, computed or not, into another.
  void insert();
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMTENSOROPS_H
