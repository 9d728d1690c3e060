// SPDX-License-Identifier: Apache-2.0

#include "NetworkFile.h"

#include "Input.h"
#include "InspectModule.h"

#include "mli/Execution/Files.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mli;

llvm::Expected<NetworkFile> NetworkFile::read(StringRef path,
                                              const DialectRegistry &registry) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  if (!isBytecode(**buffer) && !mli::isTFLite(bytes) && bytes.contains('\0'))
    return llvm::createStringError("expected '" + path +
                                   "' to be MLIR text or bytecode or TFLite, "
                                   "but got other binary data");
  if (!mli::isTFLite(bytes))
    if (llvm::Error error = checkInput(**buffer, registry))
      return std::move(error);
  NetworkFile file;
  file.sources = std::make_shared<llvm::SourceMgr>();
  file.sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return file;
}

llvm::MemoryBufferRef NetworkFile::getBuffer() const {
  return *sources->getMemoryBuffer(sources->getMainFileID());
}

bool NetworkFile::isTFLite() const {
  return mli::isTFLite(getBuffer().getBuffer());
}

OwningOpRef<ModuleOp>
NetworkFile::parse(MLIRContext &context,
                   const tflite::ImportOptions &options) const {
  if (!isTFLite())
    return parseSourceFile<ModuleOp>(sources, &context);
  llvm::MemoryBufferRef buffer = getBuffer();
  return importTFLite(buffer.getBuffer(), buffer.getBufferIdentifier(), sources,
                      &context, options);
}

FailureOr<Verdict> NetworkFile::judge(MLIRContext &context,
                                      const tflite::ImportOptions &options,
                                      StringRef entry) const {
  if (!isTFLite()) {
    OwningOpRef<ModuleOp> module = parse(context, options);
    if (!module)
      return failure();
    return inspectModule(*module, entry).verdict;
  }
  llvm::MemoryBufferRef buffer = getBuffer();
  std::string error;
  auto model = tflite::readModel(buffer.getBuffer(), error);
  if (!model)
    return emitError(
        FileLineColLoc::get(&context, buffer.getBufferIdentifier(), 0, 0),
        error);
  // Remarks tell how layers are computed.
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  FailureOr<tflite::ImportResult> result =
      tflite::importModel(*model, options, sources, &context);
  if (failed(result))
    return failure();
  return tflite::judge(*model, *result);
}
