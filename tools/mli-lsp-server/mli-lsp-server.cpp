// SPDX-License-Identifier: Apache-2.0
//
// mlir-lsp-server with the `mli` dialect: editors show its types, and the
// errors of its verifiers, where the text stands.

#include "Help.h"
#include "Input.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Support/OutputFiles.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

static const char purpose[] =
    R"(Serve an editor that shows programs of MLIR, by the Language Server Protocol:
mlir-lsp-server with the dialect of MLI 2.0. Editors start it, none type it.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-lsp-server < session.txt
  mli-lsp-server --lit-test < requests.txt
  mli-lsp-server --log=verbose --pretty < session.txt

For VS Code, Neovim and Emacs: docs/guides/editors.md

EXIT CODES:
  0  the editor has closed the session as it should
  1  it has not, or there were errors

FILES:
  requests as the protocol has them, each after its length; with --lit-test as JSON
  between lines "// -----"
)";

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  mli::setHelp({purpose,
                "mli-lsp-server [options]",
                sections,
                nullptr,
                {"input-style", "lit-test", "log", "pretty"}});
  mlir::DialectRegistry registry;
  mli::registerDialects(registry);
  // Texts come and are parsed inside of the server, which checks nothing.
  return mli::runOnLargeStack([&] {
    bool isOk = mlir::succeeded(mlir::MlirLspServerMain(argc, argv, registry));
    int status = mli::exitStatus(mli::flushStandardOutput());
    return isOk ? status : EXIT_FAILURE;
  });
}
