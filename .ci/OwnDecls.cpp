// SPDX-License-Identifier: Apache-2.0
//
// A plugin of clang-tidy: checks walk over what a file declares, not over the
// precompiled header, of which MLI.h is checked where a file is compiled
// without it. To read all of that takes three times as long as all else. What
// is looked up there still is found.

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

class OwnDecls : public clang::ASTConsumer {
public:
  void HandleTranslationUnit(clang::ASTContext &context) override {
    context.getTranslationUnitDecl()->setHasExternalLexicalStorage(false);
  }
};

class OwnDeclsAction : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<OwnDecls>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<OwnDeclsAction>
    registered("mli-own-decls", "checks do not walk the precompiled header");

} // namespace
