// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Import.h"

#include "Support.h"

#include "mli/Conversion/InspectTosa.h"
#include "mli/Conversion/TosaBatch.h"
#include "mli/Import/Inspect.h"
#include "mli/Pipelines/InputDepth.h"

#include "mlir/CAPI/Utils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {

struct ImportHandle {
  MLIRContext *context;
  tflite::ImportOptions options;
};

} // namespace

static ImportHandle *unwrap(MliImportOptions options) {
  return static_cast<ImportHandle *>(options.ptr);
}

MliImportOptions mliImportOptionsCreate(MlirContext context) {
  if (!context.ptr)
    return {nullptr};
  return {new ImportHandle{::unwrap(context), {}}};
}

void mliImportOptionsDestroy(MliImportOptions options) {
  delete unwrap(options);
}

/// Sets `member` to `value`, one of 0 to `last`.
template <typename Options, typename Form>
static MlirLogicalResult setForm(MliImportOptions options,
                                 Form Options::*member, uint32_t value,
                                 Form last) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  if (value > static_cast<uint32_t>(last)) {
    emitError(unwrap(options)->context)
        << "expected a form of the option, but got the number " << value;
    return mlirLogicalResultFailure();
  }
  unwrap(options)->options.*member = static_cast<Form>(value);
  return mlirLogicalResultSuccess();
}

static_assert(int(SumForm::Kernel) == MliSumFormKernel &&
              int(SumForm::Exact) == MliSumFormExact);
static_assert(int(AverageForm::Kernel) == MliAverageFormKernel &&
              int(AverageForm::Exact) == MliAverageFormExact);
static_assert(int(tflite::FloatForm::Keep) == MliFloatFormKeep &&
              int(tflite::FloatForm::Refuse) == MliFloatFormRefuse);
static_assert(int(tflite::CutForm::None) == MliCutFormNone);

MlirLogicalResult mliImportOptionsSetSums(MliImportOptions options,
                                          MliSumForm form) {
  return setForm(options, &tflite::ImportOptions::sums,
                 static_cast<uint32_t>(form), SumForm::Exact);
}

MlirLogicalResult mliImportOptionsSetAverages(MliImportOptions options,
                                              MliAverageForm form) {
  return setForm(options, &tflite::ImportOptions::averages,
                 static_cast<uint32_t>(form), AverageForm::Exact);
}

MlirLogicalResult mliImportOptionsSetFloats(MliImportOptions options,
                                            MliFloatForm form) {
  return setForm(options, &tflite::ImportOptions::floats,
                 static_cast<uint32_t>(form), tflite::FloatForm::Refuse);
}

MlirLogicalResult mliImportOptionsSetCut(MliImportOptions options,
                                         MliCutForm form) {
  return setForm(options, &tflite::ImportOptions::cut,
                 static_cast<uint32_t>(form), tflite::CutForm::None);
}

MlirLogicalResult mliImportOptionsAddOutput(MliImportOptions options,
                                            MlirStringRef tensor) {
  if (!options.ptr)
    return mlirLogicalResultFailure();
  if (!isText(tensor) || tensor.length == 0) {
    emitError(unwrap(options)->context)
        << "expected the name of a tensor, but got an empty text";
    return mlirLogicalResultFailure();
  }
  unwrap(options)->options.outputs.push_back(::unwrap(tensor).str());
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// TFLite
//===----------------------------------------------------------------------===//

/// A copy of the bytes of a file, `what`, at an address as those of mapped
/// files have, for constants that are used where they are; null, which is
/// reported, if there are none.
static std::unique_ptr<llvm::MemoryBuffer>
copyBytes(MLIRContext *context, const void *bytes, size_t numBytes,
          StringRef what, StringRef name = "") {
  if (!bytes) {
    emitError(context) << "expected the bytes of " << what << ", but got none";
    return nullptr;
  }
  const llvm::Align page(4096);
  auto copy =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(numBytes, name, page);
  if (!copy) {
    emitError(context) << "expected memory for the " << numBytes << " bytes of "
                       << what << ", but got none";
    return nullptr;
  }
  std::copy_n(static_cast<const char *>(bytes), numBytes,
              copy->getBufferStart());
  return copy;
}

/// The text for a location: none for a null pointer.
static StringRef getText(MlirStringRef text) {
  return isText(text) ? ::unwrap(text) : StringRef();
}

static const tflite::ImportOptions &getOptions(MliImportOptions options) {
  static const tflite::ImportOptions defaults;
  return options.ptr ? unwrap(options)->options : defaults;
}

bool mliIsTFLite(const void *bytes, size_t numBytes) {
  return bytes &&
         isTFLite(StringRef(static_cast<const char *>(bytes), numBytes));
}

MlirModule mliImportTFLite(MlirContext context, const void *bytes,
                           size_t numBytes, MlirStringRef name,
                           MliImportOptions options) {
  MLIRContext *found = ::unwrap(context);
  if (!found || !hasDialects(found))
    return {nullptr};
  std::shared_ptr<llvm::MemoryBuffer> copy =
      copyBytes(found, bytes, numBytes, "a TFLite file");
  if (!copy)
    return {nullptr};
  OwningOpRef<ModuleOp> module = importTFLite(copy->getBuffer(), getText(name),
                                              copy, found, getOptions(options));
  return module ? wrap(module.release()) : MlirModule{nullptr};
}

MlirLogicalResult mliInspectTFLite(MlirContext context, const void *bytes,
                                   size_t numBytes, MlirStringRef name,
                                   MliImportOptions options,
                                   MlirStringCallback callback,
                                   void *userData) {
  MLIRContext *found = ::unwrap(context);
  if (!found || !callback || !hasDialects(found))
    return mlirLogicalResultFailure();
  std::shared_ptr<llvm::MemoryBuffer> copy =
      copyBytes(found, bytes, numBytes, "a TFLite file");
  if (!copy)
    return mlirLogicalResultFailure();
  std::string error;
  auto model = tflite::readModel(copy->getBuffer(), error);
  if (!model) {
    mlir::emitError(FileLineColLoc::get(found, getText(name), 0, 0), error);
    return mlirLogicalResultFailure();
  }
  FailureOr<tflite::ImportResult> result =
      tflite::importModel(*model, getOptions(options), copy, found);
  if (failed(result))
    return mlirLogicalResultFailure();
  mlir::detail::CallbackOstream stream(callback, userData);
  tflite::printInspectionJson(stream, *model, *result);
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

MlirModule mliParseModule(MlirContext context, const void *bytes,
                          size_t numBytes, MlirStringRef name) {
  MLIRContext *found = ::unwrap(context);
  if (!found || !hasDialects(found))
    return {nullptr};
  auto copy =
      copyBytes(found, bytes, numBytes, "a module of MLIR", getText(name));
  if (!copy)
    return {nullptr};
  if (llvm::Error error = checkInput(*copy, found->getDialectRegistry())) {
    emitError(found) << llvm::toString(std::move(error));
    return {nullptr};
  }
  // Constants may refer to bytecode as long as they live.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(copy), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, found);
  return module ? wrap(module.release()) : MlirModule{nullptr};
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

MlirLogicalResult mliTosaSetBatch(MlirModule module, int64_t batch) {
  if (!module.ptr)
    return mlirLogicalResultFailure();
  ModuleOp network = ::unwrap(module);
  if (batch < 1 || batch > INT32_MAX) {
    emitError(network.getContext())
        << "expected a batch of 1 to " << INT32_MAX << ", but got " << batch;
    return mlirLogicalResultFailure();
  }
  if (failed(verify(network)))
    return mlirLogicalResultFailure();
  if (!findOpenBatch(network)) {
    mlir::emitError(network.getLoc(),
                    "expected an input whose first dimension is open, but got "
                    "none");
    return mlirLogicalResultFailure();
  }
  return ::wrap(setBatch(network, batch));
}

MlirLogicalResult mliTosaKeepOutputs(MlirModule module, intptr_t numOutputs,
                                     const MlirStringRef *outputs) {
  if (!module.ptr)
    return mlirLogicalResultFailure();
  ModuleOp network = ::unwrap(module);
  std::vector<std::string> names;
  if (outputs)
    for (intptr_t i = 0; i < numOutputs; ++i)
      names.push_back(getText(outputs[i]).str());
  if (names.empty()) {
    emitError(network.getContext())
        << "expected at least one output, but got none";
    return mlirLogicalResultFailure();
  }
  if (failed(verify(network)))
    return mlirLogicalResultFailure();
  return ::wrap(keepOutputs(network, names));
}
