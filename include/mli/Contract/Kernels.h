// SPDX-License-Identifier: Apache-2.0
//
// The contracts of kernels, as tables: the element types that there are kernels
// for, and shape, memory and quantisation of each of their tensors. Verifiers,
// checks and generators of calls read them. Shapes.h and Memory.h
// say what the entries mean for the tensors of a call.

#ifndef MLI_CONTRACT_KERNELS_H
#define MLI_CONTRACT_KERNELS_H

#include "mli/Contract/Contract.h"

#include <array>
#include <iterator>
#include <optional>
#include <string_view>

namespace mli::contract {

/// The kernels that differ in their element types only.
enum class Family : uint8_t {
#define MLI_FAMILY(family, mnemonic, rules) family,
#include "mli/Contract/Kernels.def"
};

/// The operation of each family, without its dialect.
inline constexpr const char *mnemonics[] = {
#define MLI_FAMILY(family, mnemonic, rules) mnemonic,
#include "mli/Contract/Kernels.def"
};
inline constexpr size_t familyCount = std::size(mnemonics);

namespace detail {
/// Is called, and so does not compile, in a constant that has no value.
Family unknownFamily();
} // namespace detail

/// The family of the operation `mnemonic`, for constants: one that Kernels.def
/// does not have does not compile.
constexpr Family getFamily(std::string_view mnemonic) {
  for (size_t i = 0; i < familyCount; ++i)
    if (mnemonics[i] == mnemonic)
      return static_cast<Family>(i);
  return detail::unknownFamily();
}

/// The purpose of a tensor. `Other` is the second operand of two, or the slope;
/// `Weights` of a cell are those of its input.
enum class OperandKind : uint8_t {
  Input,
  Other,
  Previous,
  Weights,
  WeightsOut,
  Bias,
  Cell,
  Init,
};
inline constexpr size_t operandKindCount =
    size_t{1} + size_t(OperandKind::Init);

/// How elements may lie; what memory the tensor may share with what is written;
/// which parameters it has.
enum class Memory : uint8_t {
  Any,
  UnitInnerStride,
  DialectContiguous,
  Contiguous
};
enum class Sharing : uint8_t {
  Written,
  DistinctBuffers,
  NoAlias,
  InPlace,
  MayBeOverwritten
};
enum class Format : uint8_t {
  Own,
  Input,
  FxInput,
  Positive,
  Signed,
  Positions
};

/// `Tensor::axis` of tensors whose parameters vary along no dimension, or along
/// any.
enum : int8_t { PerTensor = -1, AnyAxis = -2 };

/// The shapes that name no dimensions, by their signs in Kernels.def.
enum class Form : char {
  Dims,
  Elements = '#',
  Any = '*',
  Same = '=',
  SameOrOne = '~',
  One = '.',
  AlongAxis = '|',
};

/// A row of Kernels.def, which describes the fields.
struct Tensor {
  Family family;
  OperandKind role;
  const char *name;
  const char *argument;
  std::string_view shape;
  Memory memory;
  Sharing sharing;
  Format format;
  Range zeroPoints;
  int8_t axis;

  constexpr Form form() const {
    char first = shape[0];
    bool isDims = (first >= '0' && first <= '9') ||
                  (first >= 'A' && first <= 'Z') ||
                  (first >= 'a' && first <= 'z');
    return isDims ? Form::Dims : static_cast<Form>(first);
  }
  /// Whether `shape` names each dimension.
  constexpr bool hasDims() const { return form() == Form::Dims; }
  /// The number of dimensions of a tensor that has them.
  constexpr uint32_t rank() const {
    return static_cast<uint32_t>(shape.size());
  }
  /// The axis of its parameters in a call whose weights have one, or none.
  // C4, C5, W3
  constexpr int32_t axisIn(bool isPerAxis) const {
    return isPerAxis ? axis : int32_t{PerTensor};
  }
  /// Whether it has the parameters of the input.
  // T11
  constexpr bool hasInputFormat(bool isAsymmetric) const {
    return format == Format::Input ||
           (format == Format::FxInput && !isAsymmetric);
  }
};

/// All rows, in their order.
inline constexpr Tensor tensors[] = {
#define MLI_TENSOR(family, role, name, argument, shape, memory, sharing,       \
                   format, zeroPoints, axis)                                   \
  {                                                                            \
      Family::family,                                                          \
      OperandKind::role,                                                       \
      name,                                                                    \
      argument,                                                                \
      shape,                                                                   \
      Memory::memory,                                                          \
      Sharing::sharing,                                                        \
      Format::format,                                                          \
      zeroPoints##Range,                                                       \
      axis},
#include "mli/Contract/Kernels.def"
};

namespace detail {
/// One more than the place of each row, and 0 where there is none.
constexpr auto findRows() {
  std::array<std::array<uint8_t, operandKindCount>, familyCount> rows = {};
  uint8_t next = 0;
  for (const Tensor &tensor : tensors)
    rows[size_t(tensor.family)][size_t(tensor.role)] = ++next;
  return rows;
}
inline constexpr auto rows = findRows();
} // namespace detail

/// The tensor of that role; null if kernels of the family have none.
constexpr const Tensor *findTensor(Family family, OperandKind role) {
  uint8_t row = detail::rows[size_t(family)][size_t(role)];
  return row == 0 ? nullptr : &tensors[row - 1];
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The element types that kernels compute on.
enum class Kind : uint8_t { fx8, fx16, sa8, sa32 };

/// The element types of a kernel with weights; without weights, the input's.
/// The result has that of the input, but for argmax.
struct Kinds {
  Kind input;
  Kind weights;
  Kind bias;

  constexpr bool operator==(const Kinds &other) const {
    return input == other.input && weights == other.weights &&
           bias == other.bias;
  }
};

/// Kernels of one family and element types: for all calls, for one size of the
/// window, or for biases that hold the products of the input's zero point.
enum class Variant : uint8_t { Plain, Specialised, ExtendedBias };

/// A kernel that there is, by the name of its function.
struct Kernel {
  const char *name;
  Family family;
  Kinds kinds;
  Variant variant = Variant::Plain;
};

// NOLINTBEGIN(readability-identifier-naming): as mli_kernels.def spells them.
namespace detail {
namespace plain {
inline constexpr Kinds fx8 = {Kind::fx8, Kind::fx8, Kind::fx8};
inline constexpr Kinds fx16 = {Kind::fx16, Kind::fx16, Kind::fx16};
inline constexpr Kinds sa8 = {Kind::sa8, Kind::sa8, Kind::sa8};
inline constexpr Kinds fx16_fx8_fx8 = {Kind::fx16, Kind::fx8, Kind::fx8};
inline constexpr Kinds sa8_sa8_sa32 = {Kind::sa8, Kind::sa8, Kind::sa32};
} // namespace plain
namespace product {
inline constexpr Variant FullyConnected = Variant::Plain;
inline constexpr Variant FullyConnectedExtBias = Variant::ExtendedBias;
} // namespace product
constexpr Variant ofSize(int size) {
  return size == 0 ? Variant::Plain : Variant::Specialised;
}
} // namespace detail
// NOLINTEND(readability-identifier-naming)

/// The kernels of mli_kernels.def.
inline constexpr Kernel kernels[] = {
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  {#name, Family::op, detail::plain::types, detail::ofSize(size)},
#define MLI_POOLING(name, op, type, size)                                      \
  {#name, Family::op, detail::plain::type, detail::ofSize(size)},
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  {#name, Family::FullyConnected, detail::plain::types, detail::product::op},
#define MLI_RNN_DENSE(name, types)                                             \
  {#name, Family::RnnDense, detail::plain::types},
#define MLI_LSTM_CELL(name, types)                                             \
  {#name, Family::LstmCell, detail::plain::types},
#define MLI_GRU_CELL(name, types)                                              \
  {#name, Family::GruCell, detail::plain::types},
#define MLI_ELTWISE(name, op, type)                                            \
  {#name, Family::Eltwise##op, detail::plain::type},
#define MLI_RELU(name, type) {#name, Family::Relu, detail::plain::type},
#define MLI_LEAKY_RELU(name, type)                                             \
  {#name, Family::LeakyRelu, detail::plain::type},
#define MLI_PRELU(name, type) {#name, Family::Prelu, detail::plain::type},
#define MLI_ACTIVATION(name, function, type)                                   \
  {#name, getFamily(#function), detail::plain::type},
#define MLI_SOFTMAX(name, type) {#name, Family::Softmax, detail::plain::type},
#define MLI_L2_NORMALIZE(name, type)                                           \
  {#name, Family::L2Normalize, detail::plain::type},
#define MLI_ARGMAX(name, type) {#name, Family::Argmax, detail::plain::type},
#define MLI_PERMUTE(name, type) {#name, Family::Permute, detail::plain::type},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// The kernel of `family` for elements of `kinds`; null if there is none.
constexpr const Kernel *findKernel(Family family, const Kinds &kinds,
                                   Variant variant = Variant::Plain) {
  for (const Kernel &kernel : kernels)
    if (kernel.family == family && kernel.kinds == kinds &&
        kernel.variant == variant)
      return &kernel;
  return nullptr;
}

} // namespace mli::contract

#endif // MLI_CONTRACT_KERNELS_H
