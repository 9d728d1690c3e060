// SPDX-License-Identifier: Apache-2.0

#include "RuntimeLibrary.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mli;

/// The code generator of this machine. The engine's own one always optimises,
/// which takes minutes for thousands of calls.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(unsigned optLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(static_cast<llvm::CodeGenOptLevel>(optLevel));
  return builder->createTargetMachine();
}

llvm::Expected<std::unique_ptr<ExecutionEngine>>
mli::createEngine(ModuleOp module, const ComputingModes &modes,
                  const CompileOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (llvm::Error error = loadRuntimeLibrary(options.runtimeLibrary))
    return error;
  setRuntimeModes(modes);
  auto machine = createMachine(options.optLevel);
  if (!machine)
    return machine.takeError();
  auto transformer = makeOptimizingTransformer(
      options.optLevel, /*sizeLevel=*/0, /*targetMachine=*/nullptr);
  StringRef libraries[] = {options.runtimeLibrary};
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transformer;
  engineOptions.sharedLibPaths = libraries;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  engineOptions.enableObjectDump = options.measuresCode;
  return ExecutionEngine::create(module, engineOptions, std::move(*machine));
}

/// The bytes of code in the object file at `path`.
static llvm::Expected<int64_t> countFileCodeBytes(StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  int64_t bytes = 0;
  for (const llvm::object::SectionRef &section : file->getBinary()->sections())
    if (section.isText())
      bytes += static_cast<int64_t>(section.getSize());
  return bytes;
}

llvm::Expected<int64_t> mli::countCodeBytes(ExecutionEngine &engine) {
  // The engine gives its object to files only.
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("mli-code", "o", path))
    return llvm::errorCodeToError(error);
  llvm::FileRemover remover(path);
  engine.dumpToObjectFile(path);
  return countFileCodeBytes(path);
}
