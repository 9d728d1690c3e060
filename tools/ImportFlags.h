// SPDX-License-Identifier: Apache-2.0
//
// The flags of tools that read networks of TFLite or TOSA.

#ifndef MLI_TOOLS_IMPORTFLAGS_H
#define MLI_TOOLS_IMPORTFLAGS_H

#include "mli/Import/TFLite.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <array>

namespace mli {

class NetworkFile;

/// `--sums` and `--average`, and for networks of TFLite `--tflite-output`,
/// `--float` and `--cut`, which set `options`.
struct ImportFlags {
  ImportFlags(
      tflite::ImportOptions &options,
      llvm::cl::OptionCategory &category = llvm::cl::getGeneralCategory());

  /// All of them.
  std::array<const llvm::cl::Option *, 5> list() const {
    return {&outputs, &floats, &cut, &sums, &averages};
  }
  /// Checks that none that is for TFLite was given unless `network`, of `path`,
  /// is one.
  llvm::Error check(const NetworkFile &network, llvm::StringRef path) const;
  /// Checks that none that is for TFLite and TOSA was given for `module`, the
  /// network of `path`, in mli.
  llvm::Error checkForms(const NetworkFile &network, mlir::ModuleOp module,
                         llvm::StringRef path) const;
  /// Raises `module` from TOSA if a flag says in which form.
  llvm::LogicalResult raise(mlir::ModuleOp module) const;

  template <typename T>
  using Flag = llvm::cl::opt<T, /*ExternalStorage=*/true>;
  llvm::cl::list<std::string, std::vector<std::string>> outputs;
  Flag<tflite::FloatForm> floats;
  Flag<tflite::CutForm> cut;
  Flag<SumForm> sums;
  /// The name that `--sums` had before.
  llvm::cl::alias tfliteSums;
  Flag<AverageForm> averages;
};

/// How a network in TOSA is read.
struct TosaOptions {
  /// Names or numbers of the operations whose results it gives; its own results
  /// if empty.
  std::vector<std::string> outputs;
  /// The first dimension of inputs that is open; 0 if it is not given.
  unsigned batch = 0;
};

/// `--tosa-output` and `--batch`, which set `options`.
struct TosaFlags {
  TosaFlags(TosaOptions &options, llvm::cl::OptionCategory &category);

  /// Checks their values, and that none was given if `network`, of `path`, is
  /// one of TFLite.
  llvm::Error check(const NetworkFile &network, llvm::StringRef path) const;

  llvm::cl::list<std::string, std::vector<std::string>> outputs;
  llvm::cl::opt<unsigned, /*ExternalStorage=*/true> batch;
};

} // namespace mli

#endif // MLI_TOOLS_IMPORTFLAGS_H
