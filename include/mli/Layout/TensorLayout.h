// SPDX-License-Identifier: Apache-2.0
//
// A tensor as it lies in the local memory of the NPUs: kind of layout, storage
// mode, strides and start, their rules, and the memory it takes.

#ifndef MLI_LAYOUT_TENSORLAYOUT_H
#define MLI_LAYOUT_TENSORLAYOUT_H

#include "mli/Layout/Strides.h"

#include <string_view>

namespace mli::layout {

enum class Kind { Continuous, Aligned, Compact, Matrix, Strided };

/// The packing of elements along N: none, four 8-bit ones, two 16-bit ones, or
/// two fp32 ones of a convolution's weights (along I).
enum class Mode { None, FourN, TwoN, TwoIC };

/// Text of options and attributes: `aligned`, `4N`.
std::string_view toString(Kind kind);
std::string_view toString(Mode mode);
std::optional<Kind> parseKind(std::string_view text);
std::optional<Mode> parseMode(std::string_view text);

/// The elements in one packed element.
int64_t packFactor(Mode mode);

/// The element size that a mode is for; 0 for any.
int64_t getElementBytes(Mode mode);

struct TensorLayout {
  Kind kind = Kind::Aligned;
  Mode mode = Mode::None;
  /// 1, 2, 4 or 8.
  int64_t elementBytes = 4;
  /// The elements as the program sees them, before packing. For a matrix, what
  /// `matrixShape` returns.
  Dims shape;
  /// The columns of a matrix: the last channel may have fewer than `shape.w`.
  /// 0 for what is no matrix.
  int64_t matrixColumns = 0;
  /// System memory is one NPU.
  Target target;
  int64_t startNpu = 0;
  /// Bytes from the start of each NPU.
  int64_t offset = 0;
  /// Strides in packed elements. N and C strides step over whole packed
  /// elements and over all NPUs a whole number of times.
  Dims strides;
};

/// The bytes of a packed element, which strides count.
int64_t packedBytes(const TensorLayout &layout);

/// The shape in packed elements.
Dims packedShape(const TensorLayout &layout);

int64_t channelsPerNpu(const TensorLayout &layout);

/// The shape in packed elements in each NPU: block rows stand for channels.
Dims npuShape(const TensorLayout &layout);

/// The alignment of the address: that of the kind or the size of an element,
/// both powers of two.
int64_t getAlignment(const TensorLayout &layout);

/// `startNpu * npuBytes + offset`.
int64_t getAddress(const TensorLayout &layout);

/// `request` with the strides of its kind, which it need not have (but for
/// Strided, whose strides are taken). Rejects what `verify` rejects.
Result<TensorLayout> makeLayout(TensorLayout request);

/// The strides that the kind prescribes; those of a Strided layout are its own.
Result<Dims> closedFormStrides(const TensorLayout &layout);

/// The first rule that `layout` breaks: of target, shape, mode, address and
/// strides, and that it ends within the memory of an NPU. Every other function
/// takes layouts without a violation.
std::optional<Violation> verify(const TensorLayout &layout);

/// The first stride that `verify` rejects: those that step over anything are
/// what the kind prescribes; explicit ones do not let elements overlap.
std::optional<Violation> verifyStrides(const TensorLayout &layout);

/// Whether the address and those strides that step over anything are what the
/// kind prescribes.
bool isInLayout(const TensorLayout &layout);

/// Bytes from `offset` on that the tensor takes in every NPU: N * N stride of
/// packed elements, empty blocks included; of explicit strides, up to the last
/// byte that an element has.
int64_t bytesPerNpu(const TensorLayout &layout);

/// Elements, without dummies.
int64_t countElements(const TensorLayout &layout);

/// An affine map from an index to a linear local address, in elements.
struct AffineMap {
  int64_t offset;
  Dims strides;
};

/// Returns the map, if there is one: channels do not wrap around the NPUs, a
/// storage mode has one group only, and a matrix has one channel.
std::optional<AffineMap> affineMap(const TensorLayout &layout);

} // namespace mli::layout

#endif // MLI_LAYOUT_TENSORLAYOUT_H
