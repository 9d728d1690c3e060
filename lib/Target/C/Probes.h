// SPDX-License-Identifier: Apache-2.0
//
// What a network asks of a library, once: the modes in which it computes, and
// the bytes of its tables.

#ifndef MLI_LIB_TARGET_C_PROBES_H
#define MLI_LIB_TARGET_C_PROBES_H

#include "Network.h"

#include "mli/Runtime/C/mli_types.h"

namespace mli::c {

/// An operand of a probe. The one without numbers is the output.
struct ProbeTensor {
  llvm::StringRef name;   ///< "input"
  llvm::StringRef tensor; ///< "in"
  llvm::SmallVector<int64_t> shape;
  mli_element_type type;
  /// A real number is `code * mantissa / 2^bits`.
  int32_t mantissa, bits;
  llvm::ArrayRef<int32_t> numbers = {};

  int64_t countElements() const {
    return mlir::ShapedType::getNumElements(shape);
  }
  /// Bits of an element.
  unsigned getWidth() const {
    return type == MLI_EL_SA_32 ? 32 : type == MLI_EL_FX_16 ? 16 : 8;
  }
  bool isFixedPoint() const {
    return type == MLI_EL_FX_8 || type == MLI_EL_FX_16;
  }
};

/// An operation whose results say how a library rounds and accumulates.
struct Probe {
  llvm::StringRef name;      ///< "products"
  std::string function;      ///< of C
  std::string configuration; ///< as C has it, if the function takes one
  llvm::StringRef operation; ///< of the dialect
  llvm::StringRef modifiers; ///< what is behind its operands
  llvm::SmallVector<ProbeTensor, 4> operands;
  llvm::ArrayRef<int32_t> expected; ///< in the modes of the network
};

/// The operations that show the modes of the layers of `network`.
llvm::SmallVector<Probe, 2> findProbes(const Network &network);

/// The functions that make the tables of `network`, and the bytes there are for
/// each.
llvm::SmallMapVector<const char *, int32_t, 4>
findTables(const Network &network);

/// The function that gives the bytes of the table that `create` makes.
std::string getSizeFunction(llvm::StringRef create);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_PROBES_H
