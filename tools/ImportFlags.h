// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that read networks of TFLite or TOSA.

#ifndef MLI_TOOLS_IMPORTFLAGS_H
#define MLI_TOOLS_IMPORTFLAGS_H

#include "mli/Import/SumForms.h"
#include "mli/Import/TFLite.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <array>

namespace mli {

class NetworkFile;

/// `--tflite-output`, `--tflite-sums`, `--float` and `--cut`, which set
/// `options`.
struct ImportFlags {
  ImportFlags(
      tflite::ImportOptions &options,
      llvm::cl::OptionCategory &category = llvm::cl::getGeneralCategory());

  /// All of them.
  std::array<const llvm::cl::Option *, 4> list() const {
    return {&outputs, &sums, &floats, &cut};
  }
  /// Checks that none was given unless `network`, of `path`, is one of TFLite.
  llvm::Error check(const NetworkFile &network, llvm::StringRef path) const;

  template <typename T>
  using Flag = llvm::cl::opt<T, /*ExternalStorage=*/true>;
  llvm::cl::list<std::string, std::vector<std::string>> outputs;
  Flag<tflite::SumForm> sums;
  Flag<tflite::FloatForm> floats;
  Flag<tflite::CutForm> cut;
};

/// `--tosa-output`, the operations that a network in TOSA gives.
struct TosaFlags {
  explicit TosaFlags(llvm::cl::OptionCategory &category);

  /// Checks that it was not given if `network`, of `path`, is one of TFLite.
  llvm::Error check(const NetworkFile &network, llvm::StringRef path) const;

  llvm::cl::list<std::string> outputs;
};

} // namespace mli

#endif // MLI_TOOLS_IMPORTFLAGS_H
