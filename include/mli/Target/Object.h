// SPDX-License-Identifier: Apache-2.0
//
// Object files for planned programs, and shared libraries of them.

#ifndef MLI_TARGET_OBJECT_H
#define MLI_TARGET_OBJECT_H

#include "mli/Target/C.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mli {

/// The machine that code is for, as LLVM names it.
struct Machine {
  std::string triple = {};   ///< this machine's if empty
  std::string cpu = {};      ///< "generic" if empty
  std::string features = {}; ///< "+m,+a", say
};

/// The code generator for `machine`, of position-independent code. Fails with
/// what would do unless this LLVM has one that makes little-endian ELF with
/// pointers of 64 bits, and its processor and features do as well.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createCodeGenerator(const Machine &machine);

/// Fails if `options` ask for what only C has: constants in a blob, tables that
/// are made once, and moves that are not synchronous.
llvm::Error checkObjectOptions(const COptions &options);

/// Links `code`, an object, to a shared library that programs know as `name`,
/// by `linker`, the path of a program that takes the options of GNU ld. What it
/// calls is for the program to have. Fails if the linker does.
llvm::Expected<std::string>
linkObject(llvm::StringRef code, llvm::StringRef name, llvm::StringRef linker);

/// The object of `module`, which is as for `printC`, beside the header, the
/// program for tests, what builds that, and the sizes. Its functions are those
/// of the header, and it calls functions of MLI 2.0 and of C alone. It is a
/// shared library if there is a `linker` for that. Lowers `module` to the LLVM
/// dialect. Fails, with an error, on what C has no call for, on options that
/// only C has, and if the linker fails.
llvm::FailureOr<std::vector<CFile>>
emitObject(mlir::ModuleOp module, const COptions &options,
           llvm::TargetMachine &codeGenerator, llvm::StringRef linker = {});

/// Whether `file` is an object, or a shared library, that `emitObject` made and
/// nothing else is in.
bool isEmittedObject(llvm::MemoryBufferRef file);

} // namespace mli

#endif // MLI_TARGET_OBJECT_H
