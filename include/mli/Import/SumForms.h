// SPDX-License-Identifier: Apache-2.0
//
// Spells `SumForm` on a command line.

#ifndef MLI_IMPORT_SUMFORMS_H
#define MLI_IMPORT_SUMFORMS_H

#include "mli/Import/TFLite.h"

#include "llvm/Support/CommandLine.h"

namespace mli::tflite {

/// The values of a command line option of type `SumForm`.
inline llvm::cl::ValuesClass sumForms() {
  return llvm::cl::values(
      clEnumValN(SumForm::Near, "near",
                 "by the kernel if at most 15 % are 1 off, else in fx16"),
      clEnumValN(SumForm::Kernel, "kernel", "by the kernel"),
      clEnumValN(SumForm::Exact, "exact", "in fx16: four kernels for one"));
}

} // namespace mli::tflite

#endif // MLI_IMPORT_SUMFORMS_H
