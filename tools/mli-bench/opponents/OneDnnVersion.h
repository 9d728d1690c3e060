// SPDX-License-Identifier: Apache-2.0
//
// What modules of oneDNN are alike in: the versions that they are compiled for
// and have found, and their names.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENTS_ONEDNNVERSION_H
#define MLI_TOOLS_MLI_BENCH_OPPONENTS_ONEDNNVERSION_H

#include "Opponent.h"

#include <dnnl.hpp>

#include <string>

namespace mli::opponents {

inline std::string toVersion(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

/// Of the headers.
inline const char *getOneDnnHeaders() {
  static const std::string version =
      toVersion(DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH);
  return version.c_str();
}

/// Of the library.
inline const char *getOneDnnVersion() {
  const dnnl_version_t *found = dnnl_version();
  static const std::string version =
      toVersion(found->major, found->minor, found->patch);
  return version.c_str();
}

/// The opponent that such functions make.
inline mli_bench_opponent
makeOneDnnOpponent(decltype(mli_bench_opponent::start) start,
                   decltype(mli_bench_opponent::create) create) {
  return {MLI_BENCH_INTERFACE,
          "oneDNN",
          getOneDnnHeaders(),
          getOneDnnVersion,
          nullptr,
          start,
          create,
          nullptr};
}

} // namespace mli::opponents

#endif // MLI_TOOLS_MLI_BENCH_OPPONENTS_ONEDNNVERSION_H
