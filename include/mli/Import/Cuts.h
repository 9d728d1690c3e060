// SPDX-License-Identifier: Apache-2.0
//
// Parts of a network that are cut off since no kernel computes them. Depends on
// no MLIR.

#ifndef MLI_IMPORT_CUTS_H
#define MLI_IMPORT_CUTS_H

#include "mli/Import/TFLiteModel.h"

namespace mli::tflite {

/// What becomes of operators with operands of float32.
enum class FloatForm {
  /// Those in front of the layers and behind them are cut off where a kernel
  /// computes not all of them.
  Cut,
  /// All are imported, or refused where no kernel computes them.
  Keep,
  /// All are refused.
  Refuse,
};

/// What becomes of other operators that no kernel computes.
enum class CutForm {
  /// Those in front of the layers and behind them are cut off.
  Ends,
  /// All are refused.
  None,
};

/// Operators at one end of a network that are left out.
struct CutPart {
  /// Behind all layers, or in front of them.
  bool isBehind = false;
  /// The operators, in their order.
  std::vector<size_t> operators;
  /// Tensors that flow over the cut: new outputs of the function, or inputs.
  std::vector<int32_t> tensors;
};

/// Describes a cut in one line: operators and tensors.
std::string describeCut(const Graph &graph, const CutPart &cut);

/// The part of a graph that becomes a function.
struct Extent {
  std::vector<int32_t> inputs, outputs;
  std::vector<CutPart> cuts;
};

/// For each operator, whether the outputs of `extent` depend on it without
/// regard to what computes its inputs. One that has no outputs is needed.
std::vector<char> findNeeded(const Graph &graph, const Extent &extent);

/// What the operators of a graph are for a cut, one element for each.
struct Roles {
  /// It stays, and is never cut off: a layer with weights.
  std::vector<char> isLayer;
  /// No kernel computes it.
  std::vector<char> isBlocked;
  /// Blocked operators that no layer depends on are cut off.
  bool cutsBehind = true;
  /// Conversions between what stays and float32 are cut off with their end.
  bool cutsConversions = true;
};

/// Cuts blocked operators off `whole`, with all that depends on those that no
/// layer depends on, and with all that others depend on, which depend on no
/// layer. Blocked operators between layers stay, and so do those with state.
/// Returns `whole` if there is no layer.
Extent cutEnds(const Graph &graph, const Extent &whole, const Roles &roles);

/// Whether operator `index` is one of TFLite, not a custom one, that reads or
/// computes float32.
bool isFloatOperator(const Graph &graph, size_t index);

/// Whether operator `index` reads and computes quantised tensors.
bool isQuantizedOperator(const Graph &graph, size_t index);

/// Formats a tensor as `int8 [1, 49, 10, 8] 0.02:-128`, with `x8` for 8 scales
/// along an axis.
std::string formatTensor(const Tensor &tensor);

/// The reason why no part of a network can be imported: another compiler has
/// made it, or it is not quantised. Empty for other networks.
std::string findCompiler(const Graph &graph);
std::string findMissingQuantization(const Graph &graph);

} // namespace mli::tflite

#endif // MLI_IMPORT_CUTS_H
