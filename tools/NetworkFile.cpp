// SPDX-License-Identifier: Apache-2.0

#include "NetworkFile.h"

#include "Input.h"
#include "InspectModule.h"
#include "OperationNames.h"

#include "mli/Conversion/InspectTosa.h"
#include "mli/Conversion/TosaBatch.h"
#include "mli/Execution/Files.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

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

OwningOpRef<ModuleOp> NetworkFile::parseMLIR(MLIRContext &context,
                                             const TosaOptions &tosa) const {
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return {};
  if (tosa.batch > 0 && !findOpenBatch(*module)) {
    emitError(module->getLoc(), "expected '--batch' with an input whose first "
                                "dimension is open, but got none");
    return {};
  }
  if (tosa.batch > 0 && failed(setBatch(*module, tosa.batch)))
    return {};
  if (tosa.outputs.empty())
    return module;
  // What is listed by number keeps the places that it has without names.
  if (!llvm::all_of(tosa.outputs, [](StringRef output) {
        return llvm::all_of(output, llvm::isDigit);
      }))
    nameOperations(*module, getBuffer());
  if (failed(keepOutputs(*module, tosa.outputs)))
    return {};
  return module;
}

tflite::ImportOptions
mli::releasing(const tflite::ImportOptions &options,
               const std::shared_ptr<llvm::SourceMgr> &sources) {
  tflite::ImportOptions result = options;
  result.releaseRead = [sources] {
    releasePages(*sources->getMemoryBuffer(sources->getMainFileID()));
  };
  return result;
}

OwningOpRef<ModuleOp> NetworkFile::parse(MLIRContext &context,
                                         const tflite::ImportOptions &options,
                                         const TosaOptions &tosa) const {
  if (!isTFLite()) {
    OwningOpRef<ModuleOp> module = parseMLIR(context, tosa);
    if (!module)
      return {};
    if (BlockArgument open = findOpenBatch(*module)) {
      emitError(open.getLoc(), describeOpenBatch(open));
      return {};
    }
    return module;
  }
  llvm::MemoryBufferRef buffer = getBuffer();
  return importTFLite(buffer.getBuffer(), buffer.getBufferIdentifier(), sources,
                      &context, releasing(options, sources));
}

FailureOr<Verdict> NetworkFile::judge(MLIRContext &context,
                                      const tflite::ImportOptions &options,
                                      const TosaOptions &tosa,
                                      StringRef entry) const {
  if (!isTFLite()) {
    OwningOpRef<ModuleOp> module = parseMLIR(context, tosa);
    if (!module)
      return failure();
    Verdict verdict = inspectModule(*module, entry).verdict;
    // Numbers of operations are those of the file, of which some are gone.
    verdict.hasCommand &= verdict.runs || tosa.outputs.empty();
    for (const std::string &output : llvm::reverse(tosa.outputs))
      verdict.options = " --tosa-output=" + output + verdict.options;
    if (tosa.batch > 0)
      verdict.options =
          " --batch=" + std::to_string(tosa.batch) + verdict.options;
    return verdict;
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
  FailureOr<tflite::ImportResult> result = tflite::importModel(
      *model, releasing(options, sources), sources, &context);
  if (failed(result))
    return failure();
  return tflite::judge(*model, *result);
}
