// SPDX-License-Identifier: Apache-2.0
//
// Tools that run networks find the runtime here.

#ifndef MLI_TOOLS_RUNTIMEPATH_H
#define MLI_TOOLS_RUNTIMEPATH_H

#include <string>

namespace mli {

/// The path of `libmli.so.N`, N its major version, beside the folder of the
/// program `argv0`.
std::string findRuntime(const char *argv0);

} // namespace mli

#endif // MLI_TOOLS_RUNTIMEPATH_H
