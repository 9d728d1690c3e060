// SPDX-License-Identifier: Apache-2.0
//
// mli-compile writes the files of a network with these functions.

#ifndef MLI_TOOLS_MLI_COMPILE_PACKAGE_H
#define MLI_TOOLS_MLI_COMPILE_PACKAGE_H

#include "mli/Target/C.h"

#include "llvm/Support/Error.h"

namespace mli {

/// Writes `files` to the folder `path`, which is made if it is not there: all
/// of them or none. Unless `isForced`, files of these names have to be from
/// mli-compile. Then removes code and constants that an earlier call wrote
/// there for a network of this name, where `files` has none of their names.
llvm::Error writePackage(llvm::StringRef path, const std::vector<CFile> &files,
                         bool isForced);

} // namespace mli

#endif // MLI_TOOLS_MLI_COMPILE_PACKAGE_H
