// SPDX-License-Identifier: Apache-2.0
//
// Spells `SumForm` and `AverageForm` on a command line.

#ifndef MLI_FRONTEND_FORMVALUES_H
#define MLI_FRONTEND_FORMVALUES_H

#include "mli/Frontend/Forms.h"

#include "llvm/Support/CommandLine.h"

namespace mli {

/// The values of a command line option of type `SumForm`.
inline llvm::cl::ValuesClass sumForms() {
  return llvm::cl::values(
      clEnumValN(SumForm::Near, "near",
                 "by the kernel if at most 15 % are 1 off, else in fx16"),
      clEnumValN(SumForm::Kernel, "kernel", "by the kernel"),
      clEnumValN(SumForm::Exact, "exact", "in fx16: four kernels for one"));
}

/// The values of a command line option of type `AverageForm`.
inline llvm::cl::ValuesClass averageForms() {
  return llvm::cl::values(
      clEnumValN(AverageForm::Near, "near",
                 "by the kernel if at most 1 % are off, else by products "
                 "with ones"),
      clEnumValN(AverageForm::Kernel, "kernel", "by the kernel"),
      clEnumValN(AverageForm::Exact, "exact",
                 "by products with ones wherever fewer are off"));
}

} // namespace mli

#endif // MLI_FRONTEND_FORMVALUES_H
