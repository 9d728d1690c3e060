// SPDX-License-Identifier: Apache-2.0
//
// Which release of this project a tool is, and of which commit.

#ifndef MLI_TOOLS_VERSION_H
#define MLI_TOOLS_VERSION_H

namespace mli {

/// Makes `--version` print "mli-mlir RELEASE (COMMIT)", and then the version of
/// LLVM. The commit is "unknown" for sources that are no checkout.
void setVersion();

} // namespace mli

#endif // MLI_TOOLS_VERSION_H
