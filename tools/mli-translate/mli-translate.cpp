// SPDX-License-Identifier: Apache-2.0
//
// mlir-translate with what comes into mli and leaves it.

#include "mli/Import/TFLite.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

static cl::list<std::string>
    outputs("tflite-output",
            cl::desc("A tensor that the imported function gives, by name or "
                     "number, instead of the outputs of the network"),
            cl::value_desc("NAME"));

static tflite::ImportOptions importOptions() {
  return {{outputs.begin(), outputs.end()}};
}

static void registerImport() {
  static TranslateToMLIRRegistration registration(
      "import-tflite", "import a quantised network of TFLite",
      [](const std::shared_ptr<llvm::SourceMgr> &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer =
            sources->getMemoryBuffer(sources->getMainFileID());
        return importTFLite(buffer->getBuffer(), buffer->getBufferIdentifier(),
                            sources, context, importOptions());
      },
      [](DialectRegistry &registry) { registerDialects(registry); });
}

int main(int argc, char **argv) {
  registerAllTranslations();
  registerImport();
  return failed(mlirTranslateMain(argc, argv, "MLI translation driver\n"));
}
