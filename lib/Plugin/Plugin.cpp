// SPDX-License-Identifier: Apache-2.0
//
// Gives the dialect, the passes and the pipelines to any program that loads
// plugins of MLIR, such as mlir-opt.

#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

static constexpr const char *name = "mli";

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, name, MLI_VERSION,
          [](DialectRegistry *registry) { mli::registerDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, name, MLI_VERSION,
          [] { mli::registerPasses(); }};
}
