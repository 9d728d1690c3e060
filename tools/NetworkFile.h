// SPDX-License-Identifier: Apache-2.0
//
// Tools read a network here: TFLite, or MLIR as text or bytecode.

#ifndef MLI_TOOLS_NETWORKFILE_H
#define MLI_TOOLS_NETWORKFILE_H

#include "ImportFlags.h"

#include "mli/Import/Inspect.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace mli {

/// A file that holds a network.
class NetworkFile {
public:
  /// Reads `path`; fails if it is none of the three, or nested too deeply to be
  /// parsed with `registry`.
  static llvm::Expected<NetworkFile>
  read(llvm::StringRef path, const mlir::DialectRegistry &registry);

  bool isTFLite() const;
  llvm::MemoryBufferRef getBuffer() const;
  /// The owner of the file, which constants of the network may keep.
  const std::shared_ptr<llvm::SourceMgr> &getSources() const { return sources; }

  /// The network; null, with errors reported, if it can not be read, or if its
  /// batch is open and `tosa` has none.
  mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context,
                                          const tflite::ImportOptions &options,
                                          const TosaOptions &tosa) const;

  /// Says whether the network runs, by its function `entry` if it is MLIR;
  /// fails, with errors reported, if it can not be read.
  llvm::FailureOr<Verdict> judge(mlir::MLIRContext &context,
                                 const tflite::ImportOptions &options,
                                 const TosaOptions &tosa,
                                 llvm::StringRef entry) const;

private:
  /// The network, which is MLIR, as `tosa` says.
  mlir::OwningOpRef<mlir::ModuleOp> parseMLIR(mlir::MLIRContext &context,
                                              const TosaOptions &tosa) const;

  std::shared_ptr<llvm::SourceMgr> sources;
};

/// `options` that give pages of the file of `sources` back once they are read:
/// it and its reordered constants are not in memory at the same time.
tflite::ImportOptions
releasing(const tflite::ImportOptions &options,
          const std::shared_ptr<llvm::SourceMgr> &sources);

} // namespace mli

#endif // MLI_TOOLS_NETWORKFILE_H
