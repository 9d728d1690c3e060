// SPDX-License-Identifier: Apache-2.0
//
// Scales of 16-bit tensors, which kernels hold as powers of two only: what all
// tensors around one are multiplied by, so that its scale becomes one.

#ifndef MLI_LIB_IMPORT_SCALELABELS_H
#define MLI_LIB_IMPORT_SCALELABELS_H

#include "mli/Import/TFLiteModel.h"

#include <vector>

namespace mli::tflite {

/// A factor for the scale of each tensor, 1 for most. Tensors that an operator
/// computes from each other, or compares, have the same one; those of a layer
/// with weights need not, since only the product of its scales counts. Codes
/// are the same with any factor.
std::vector<double> findScaleLabels(const Graph &graph);

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_SCALELABELS_H
