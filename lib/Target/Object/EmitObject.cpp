// SPDX-License-Identifier: Apache-2.0

#include "mli/Target/Object.h"

#include "../C/Sources.h"
#include "Entries.h"

#include "mli/Pipelines/Pipelines.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

llvm::Error mli::checkObjectOptions(const COptions &options) {
  auto reject = [](StringRef option) {
    return llvm::createStringError("expected '--emit c' with '--" + option +
                                   "', but got an object");
  };
  if (options.weights == CWeights::Blob)
    return reject("weights blob");
  if (options.moves == CMoves::Async)
    return reject("moves async");
  if (options.moves == CMoves::Hook)
    return reject("moves hook");
  if (options.tables == CTables::Once)
    return reject("tables once");
  if (options.library == CLibrary::MliMlir)
    return reject("library mli-mlir");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

static constexpr StringLiteral maker = " made by mli-compile ";

/// Names who made the object, as a comment in it.
static void addIdentity(llvm::Module &module, StringRef name) {
  llvm::LLVMContext &context = module.getContext();
  std::string text = (name + maker + StringRef(MLI_VERSION_TEXT)).str();
  module.getOrInsertNamedMetadata("llvm.ident")
      ->addOperand(
          llvm::MDNode::get(context, llvm::MDString::get(context, text)));
}

bool mli::isEmittedObject(llvm::MemoryBufferRef file) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(file);
  if (!object) {
    llvm::consumeError(object.takeError());
    return false;
  }
  bool isOurs = false;
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    llvm::Expected<StringRef> name = section.getName();
    llvm::Expected<StringRef> contents = section.getContents();
    if (!name || !contents) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      return false;
    }
    if (*name != ".comment")
      continue;
    for (StringRef comment : llvm::split(*contents, '\0')) {
      if (comment.empty() || comment.starts_with("Linker: "))
        continue;
      auto [network, version] = comment.split(maker);
      if (!checkCName(network).empty() || version.empty())
        return false;
      isOurs = true;
    }
  }
  return isOurs;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Lowers `network`, whose source has been printed, to the LLVM dialect.
static LogicalResult lower(const c::Network &network, StringRef triple,
                           StringRef layout) {
  ModuleOp module = network.module;
  PassManager before(module->getName());
  before.addPass(createLocalToArgument());
  if (failed(before.run(module)))
    return failure();
  // Of these are the functions that are added.
  module.getContext()
      ->loadDialect<arith::ArithDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  object::addEntries(network);
  object::addCheck(network);
  Builder builder(module.getContext());
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(triple));
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  builder.getStringAttr(layout));
  PassManager calls(module->getName());
  buildObjectPipeline(calls);
  return calls.run(module);
}

/// Says of integers of functions how registers hold them: ABIs that have
/// registers of 64 bits ask for it, and no number here needs the last bit.
static void extendIntegers(llvm::Module &module) {
  auto isShort = [](llvm::Type *type) {
    return type->isIntegerTy() && type->getIntegerBitWidth() <= 32;
  };
  for (llvm::Function &function : module) {
    if (function.isIntrinsic() || function.hasLocalLinkage())
      continue;
    if (isShort(function.getReturnType()))
      function.addRetAttr(llvm::Attribute::SExt);
    for (llvm::Argument &argument : function.args())
      if (isShort(argument.getType()))
        argument.addAttr(llvm::Attribute::SExt);
  }
}

/// Removes what asserts the pointers of code generators that nobody has looked
/// at: createCodeGenerator has.
static void removeAssertion(llvm::Module &module) {
  if (llvm::GlobalVariable *used = module.getNamedGlobal("llvm.compiler.used"))
    used->eraseFromParent();
}

/// Keeps the first error of a code generator in `problem`, a string.
static void keepError(const llvm::DiagnosticInfo *info, void *problem) {
  auto &text = *static_cast<std::string *>(problem);
  if (info->getSeverity() != llvm::DS_Error || !text.empty())
    return;
  llvm::raw_string_ostream os(text);
  llvm::DiagnosticPrinterRawOStream printer(os);
  info->print(printer);
}

/// The object of `module`, in the LLVM dialect.
static FailureOr<std::string> generate(ModuleOp module, StringRef name,
                                       llvm::TargetMachine &generator) {
  llvm::LLVMContext context;
  std::string problem;
  context.setDiagnosticHandlerCallBack(keepError, &problem);
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, name);
  if (!code)
    return failure();
  code->setTargetTriple(generator.getTargetTriple());
  code->setDataLayout(generator.createDataLayout());
  code->setPICLevel(llvm::PICLevel::BigPIC);
  extendIntegers(*code);
  removeAssertion(*code);
  addIdentity(*code, name);
  constexpr unsigned optLevel = 2;
  if (llvm::Error error = makeOptimizingTransformer(optLevel, /*sizeLevel=*/0,
                                                    &generator)(code.get()))
    return emitError(module.getLoc(), llvm::toString(std::move(error)));
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool hasNone = generator.addPassesToEmitFile(
      passes, os, /*DwoOut=*/nullptr, llvm::CodeGenFileType::ObjectFile);
  assert(!hasNone && "createCodeGenerator has looked");
  passes.run(*code);
  if (!problem.empty())
    return emitError(module.getLoc(), problem);
  return std::string(bytes.begin(), bytes.end());
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

FailureOr<std::vector<CFile>>
mli::emitObject(ModuleOp module, const COptions &options,
                llvm::TargetMachine &codeGenerator, StringRef linker) {
  if (llvm::Error error = checkObjectOptions(options))
    return emitError(module.getLoc(), llvm::toString(std::move(error)));
  FailureOr<c::Network> network = c::readNetwork(module, options);
  // Finds layers, and fails on what has no call.
  if (failed(network) || failed(c::printSource(*network)))
    return failure();
  const std::string &name = options.name;
  bool isShared = !linker.empty();
  std::vector<CFile> files = {
      {name + ".h", c::printHeader(*network)},
      {isShared ? "lib" + name + ".so" : name + ".o", ""},
      {name + "_test.c", c::printTestProgram(*network)}};
  files.push_back({"CMakeLists.txt", c::printCMake(*network, files)});
  const std::string triple = codeGenerator.getTargetTriple().str();
  Machine machine = {triple, codeGenerator.getTargetCPU().str(),
                     codeGenerator.getTargetFeatureString().str()};
  files.push_back({name + ".json", c::printReport(*network, &machine)});
  if (failed(lower(*network, triple,
                   codeGenerator.createDataLayout().getStringRepresentation())))
    return failure();
  FailureOr<std::string> code = generate(module, name, codeGenerator);
  if (failed(code))
    return failure();
  if (isShared) {
    llvm::Expected<std::string> library =
        linkObject(*code, files[1].name, linker);
    if (!library)
      return emitError(module.getLoc(), llvm::toString(library.takeError()));
    code = std::move(*library);
  }
  files[1].contents = std::move(*code);
  return files;
}
