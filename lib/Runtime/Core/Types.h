// SPDX-License-Identifier: Apache-2.0
//
// The element types of the C API as C++ types, alone and in the combinations
// that kernels take. The lower-case names are those in kernel names.

#ifndef MLI_LIB_RUNTIME_CORE_TYPES_H
#define MLI_LIB_RUNTIME_CORE_TYPES_H

#include "mli/Quant/Arithmetic.h"
#include "mli/Runtime/C/mli_types.h"

#include <type_traits>

namespace mli::rt {

template <mli_element_type Type, typename CodeType>
struct ElementType {
  using Code = CodeType;
  static constexpr mli_element_type type = Type;
  static constexpr bool isAsymmetric =
      Type == MLI_EL_SA_8 || Type == MLI_EL_SA_32;
};

namespace types {
using fx8 = ElementType<MLI_EL_FX_8, int8_t>;
using fx16 = ElementType<MLI_EL_FX_16, int16_t>;
using sa8 = ElementType<MLI_EL_SA_8, int8_t>;
using sa32 = ElementType<MLI_EL_SA_32, int32_t>;
} // namespace types

/// The same combination where templates are of no use.
struct TypeCombination {
  mli_element_type input;
  mli_element_type weights;
  mli_element_type bias;

  bool isAsymmetric() const { return input == MLI_EL_SA_8; }
};

/// Input, weights and bias; the output has the type of the input.
template <typename InputType, typename WeightsType, typename BiasType>
struct WeightedTypes {
  using Input = InputType;
  using Weights = WeightsType;
  using Bias = BiasType;
  /// Products of 16-bit values are summed in 64 bits, all others in 32, where
  /// they wrap.
  using Accumulator =
      std::conditional_t<sizeof(typename Weights::Code) == 2, int64_t, int32_t>;
  static constexpr bool isAsymmetric = Input::isAsymmetric;
  static constexpr TypeCombination combination = {Input::type, Weights::type,
                                                  Bias::type};
};

namespace weighted {
using fx8 = WeightedTypes<types::fx8, types::fx8, types::fx8>;
using fx16 = WeightedTypes<types::fx16, types::fx16, types::fx16>;
using fx16_fx8_fx8 = WeightedTypes<types::fx16, types::fx8, types::fx8>;
using sa8_sa8_sa32 = WeightedTypes<types::sa8, types::sa8, types::sa32>;
} // namespace weighted

/// An element type or combination together with the arithmetic of a call.
template <typename Type, quant::Rounding Round, bool Full = false>
struct Computed : Type {
  static constexpr quant::Rounding rounding = Round;
  /// Accumulators are used whole.
  static constexpr bool isFull = Full;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_TYPES_H
