// SPDX-License-Identifier: Apache-2.0
//
// C99 for planned programs: header, source and constants.

#ifndef MLI_TARGET_C_H
#define MLI_TARGET_C_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mli {

struct LocalOptions;

/// Where the constants of kernels are.
enum class CWeights {
  Inline, ///< in the source
  Source, ///< in a source of their own
  Blob,   ///< in a file that the caller loads
};

/// How data moves to and from local memory, and in it.
enum class CMoves {
  Sync,  ///< by `mli_mov_tensor_sync`
  Async, ///< by handles, beside kernels, where `mli.parallel` is; else as Sync
  Hook,  ///< by a macro, what is rows of bytes; else as Sync
};

/// What the first function is given and has to give: for each input and output
/// the codes of all steps, the low byte first.
struct CVectors {
  std::vector<std::string> inputs = {}, outputs = {};
};

/// When the library makes the tables of functions that kernels are not given.
enum class CTables {
  Call, ///< in each call of the kernel
  Once, ///< in a function that the caller calls once, in memory of its own
};

/// The library that C calls.
enum class CLibrary {
  Mli,    ///< any of MLI 2.0
  MliMlir ///< that of this project, which has NPUs and copies of its own
};

struct COptions {
  /// The name of the network, a C identifier: that of files and what all
  /// symbols begin with.
  std::string name = "net";
  /// The public functions to print; all of them if there are none.
  std::vector<std::string> entries = {};
  CWeights weights = CWeights::Source;
  CMoves moves = CMoves::Sync;
  CTables tables = CTables::Call;
  CLibrary library = CLibrary::Mli;
  /// The file that the network came from, for a comment.
  std::string origin = {};
  /// What the program for tests has inside; without them it reads files.
  std::optional<CVectors> vectors = {};
};

/// A file of the output.
struct CFile {
  std::string name;
  std::string contents;
};

/// The C of `module`: `mli` on buffers with addresses in system memory and in
/// the local memory of one NPU, or of several with the library that has them,
/// loops and arithmetic on indices of 32 bits. The
/// modes of the module are those that the function to check tells from others.
/// Fails, with an error, on what C has no call for.
llvm::FailureOr<std::vector<CFile>> printC(mlir::ModuleOp module,
                                           const COptions &options);

/// Turns double buffering off in `options` that leave it unset, where the
/// kernels of `module` wait for what is moved by `moves`: on one NPU, unless
/// moves are told to run beside them.
void chooseDoubleBuffering(LocalOptions &options, mlir::ModuleOp module,
                           CMoves moves);

/// What a network came from, for `COptions::origin`: the name of the file
/// `path`, and what tells its `contents` from others.
std::string describeCOrigin(llvm::StringRef path, llvm::StringRef contents);

/// The name of a network like `wanted`.
std::string makeCName(llvm::StringRef wanted);

/// So that the names of functions have no more characters than compilers of C99
/// tell apart.
inline constexpr size_t maxCNameLength = 24;

/// Why `name` can not be the name of a network; empty if it can.
std::string checkCName(llvm::StringRef name);

} // namespace mli

#endif // MLI_TARGET_C_H
