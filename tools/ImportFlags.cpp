// SPDX-License-Identifier: Apache-2.0

#include "ImportFlags.h"

#include "NetworkFile.h"

#include "mli/Conversion/Passes.h"
#include "mli/Frontend/FormValues.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
namespace cl = llvm::cl;

ImportFlags::ImportFlags(ImportOptions &options, cl::OptionCategory &category)
    : outputs("tflite-output", cl::location(options.outputs),
              cl::desc("A tensor that the network of TFLite gives, by name or "
                       "number, instead of its outputs"),
              cl::value_desc("NAME"), cl::cat(category)),
      floats("float", cl::location(options.floats),
             cl::desc("What becomes of operators of float32 in TFLite"),
             cl::values(clEnumValN(FloatForm::Cut, "cut",
                                   "cut off at both ends of the network, "
                                   "where no kernel computes them"),
                        clEnumValN(FloatForm::Keep, "keep",
                                   "kept, if kernels compute them"),
                        clEnumValN(FloatForm::Refuse, "refuse", "refused")),
             cl::init(FloatForm::Cut), cl::cat(category)),
      cut("cut", cl::location(options.cut),
          cl::desc("Which other operators of TFLite that no kernel computes "
                   "are cut off"),
          cl::values(clEnumValN(CutForm::Ends, "ends",
                                "those before and after all layers"),
                     clEnumValN(CutForm::Ends, "", "the same"),
                     clEnumValN(CutForm::None, "none", "none")),
          cl::ValueOptional, cl::init(CutForm::Ends), cl::cat(category)),
      sums("sums", cl::location(options.sums),
           cl::desc("How sums and differences of TFLite and TOSA are computed"),
           sumForms(), cl::cat(category)),
      tfliteSums("tflite-sums", cl::desc("The same as --sums"),
                 cl::aliasopt(sums), cl::cat(category)),
      averages("average", cl::location(options.averages),
               cl::desc("How averages of TFLite and TOSA are computed"),
               averageForms(), cl::cat(category)) {}

static llvm::Error reject(const cl::Option &option, StringRef network,
                          StringRef path) {
  return llvm::createStringError("expected '--" + option.ArgStr +
                                 "' with a network of " + network +
                                 ", but got '" + path + "'");
}

llvm::Error ImportFlags::check(const NetworkFile &network,
                               StringRef path) const {
  if (network.isTFLite())
    return llvm::Error::success();
  const cl::Option *options[] = {&outputs, &floats, &cut};
  for (const cl::Option *option : options)
    if (option->getNumOccurrences() > 0)
      return reject(*option, "TFLite", path);
  return llvm::Error::success();
}

TosaFlags::TosaFlags(TosaOptions &options, cl::OptionCategory &category)
    : outputs("tosa-output", cl::location(options.outputs),
              cl::desc("An operation whose result the network of TOSA or mli "
                       "gives, by name or number, instead of its results"),
              cl::value_desc("NAME"), cl::cat(category)),
      batch("batch", cl::location(options.batch),
            cl::desc("The first dimension of inputs of a network of TOSA that "
                     "leaves it open"),
            cl::value_desc("N"), cl::cat(category)) {}

llvm::Error TosaFlags::check(const NetworkFile &network,
                             llvm::StringRef path) const {
  for (const cl::Option *option :
       std::initializer_list<const cl::Option *>{&outputs, &batch})
    if (option->getNumOccurrences() > 0 && network.isTFLite())
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' with a network of TOSA, but got '" +
                                     path + "'");
  if (batch.getNumOccurrences() > 0 && (batch < 1 || batch > INT32_MAX))
    return llvm::createStringError("expected '--batch' to be 1 to " +
                                   llvm::Twine(INT32_MAX) + ", but got " +
                                   llvm::Twine(batch));
  return llvm::Error::success();
}

llvm::Error ImportFlags::checkForms(const NetworkFile &network, ModuleOp module,
                                    StringRef path) const {
  WalkResult found = module.walk([](Operation *op) {
    bool isInTosa = isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
    return isInTosa ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (network.isTFLite() || found.wasInterrupted())
    return llvm::Error::success();
  const cl::Option *options[] = {&sums, &averages};
  for (const cl::Option *option : options)
    if (option->getNumOccurrences() > 0)
      return reject(*option, "TFLite or TOSA", path);
  return llvm::Error::success();
}

LogicalResult ImportFlags::raise(ModuleOp module) const {
  // Pipelines raise what is left in the default forms.
  if (sums.getNumOccurrences() == 0 && averages.getNumOccurrences() == 0)
    return success();
  ConvertTosaToMLIOptions raising;
  raising.full = true;
  raising.sums = sums;
  raising.averages = averages;
  PassManager passes(module.getContext());
  passes.addPass(createConvertTosaToMLI(raising));
  return passes.run(module);
}
