// SPDX-License-Identifier: Apache-2.0
//
// Writes the files of a network in C, or as an object, to a folder.

#ifndef MLI_TARGET_PACKAGE_H
#define MLI_TARGET_PACKAGE_H

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

#endif // MLI_TARGET_PACKAGE_H
