// SPDX-License-Identifier: Apache-2.0
//
// A compiler of somebody else: makes a network, lowers it with the pipelines of
// the installed package, and runs it in local memory.

#include "mli/Execution/Program.h"
#include "mli/IR/MLI.h"
#include "mli/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

static const char *const network = R"mlir(
  !codes = tensor<4x!mli.fx8<4>>
  func.func @main(%input: !codes) -> !codes {
    %init = tensor.empty() : !codes
    %output = mli.relu ins(%input : !codes) outs(%init : !codes)
                {relu = #mli.relu<gen>} -> !codes
    return %output : !codes
  }
)mlir";

int main() {
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(network, &context);
  if (!module)
    return 1;
  mli::CompileOptions options;
  options.runtimeLibrary = RUNTIME;
  options.placement = mli::Placement::Local;
  options.local.target = "vpx,npu-bytes=1024";
  auto program = mli::Program::compile(*module, options);
  if (failed(program))
    return 1;
  const mli::HostTensor input = {mli::HostElement::I8, {4}, {-3, -1, 0, 2}};
  auto outputs = program->run(*program->lookup("main"), input);
  if (!outputs) {
    llvm::errs() << toString(outputs.takeError()) << "\n";
    return 1;
  }
  for (size_t i = 0; i < outputs->front().getNumElements(); ++i)
    llvm::outs() << (i ? " " : "") << static_cast<int>(outputs->front().get(i));
  llvm::outs() << "\n";
  return 0;
}
