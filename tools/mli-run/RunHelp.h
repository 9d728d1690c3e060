// SPDX-License-Identifier: Apache-2.0
//
// The texts of `mli-run --help`.

#ifndef MLI_TOOLS_MLI_RUN_RUNHELP_H
#define MLI_TOOLS_MLI_RUN_RUNHELP_H

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace mli {

/// Makes `--help` print them and all options of `category`.
void setRunHelp(llvm::cl::OptionCategory &category);

} // namespace mli

#endif // MLI_TOOLS_MLI_RUN_RUNHELP_H
