// SPDX-License-Identifier: Apache-2.0
//
// Random kernels that no tiles are made of.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMCELLS_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMCELLS_H

#include "RandomFunction.h"

namespace mli::test {

/// An lstm_cell or a gru_cell; `kind` is fx16, sa8, or axis for sa8 with
/// parameters for each gate.
std::string cell(Random &random, const std::string &name, const std::string &op,
                 const std::string &kind);
std::string argmax(Random &random, const std::string &name,
                   const std::string &element);
/// A sigm by a table that is an argument.
std::string tabled(Random &random, const std::string &name);

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMCELLS_H
