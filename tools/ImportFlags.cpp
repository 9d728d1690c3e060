// SPDX-License-Identifier: Apache-2.0

#include "ImportFlags.h"

#include "NetworkFile.h"

using namespace mli;
using namespace mli::tflite;
namespace cl = llvm::cl;

ImportFlags::ImportFlags(ImportOptions &options, cl::OptionCategory &category)
    : outputs("tflite-output", cl::location(options.outputs),
              cl::desc("A tensor that the network of TFLite gives, by name or "
                       "number, instead of its outputs"),
              cl::value_desc("NAME"), cl::cat(category)),
      sums("tflite-sums", cl::location(options.sums),
           cl::desc("How sums and differences of TFLite are computed"),
           sumForms(), cl::cat(category)),
      floats("float", cl::location(options.floats),
             cl::desc("What becomes of operators of float32 in TFLite"),
             cl::values(clEnumValN(FloatForm::Cut, "cut",
                                   "cut off in front and behind, where no "
                                   "kernel computes them"),
                        clEnumValN(FloatForm::Keep, "keep",
                                   "kept, if kernels compute them"),
                        clEnumValN(FloatForm::Refuse, "refuse", "refused")),
             cl::init(FloatForm::Cut), cl::cat(category)),
      cut("cut", cl::location(options.cut),
          cl::desc("Which other operators of TFLite that no kernel computes "
                   "are cut off"),
          cl::values(clEnumValN(CutForm::Ends, "ends",
                                "those in front of all layers, and behind"),
                     clEnumValN(CutForm::Ends, "", "the same"),
                     clEnumValN(CutForm::None, "none", "none")),
          cl::ValueOptional, cl::init(CutForm::Ends), cl::cat(category)) {}

llvm::Error ImportFlags::check(const NetworkFile &network,
                               llvm::StringRef path) const {
  if (network.isTFLite())
    return llvm::Error::success();
  for (const cl::Option *option : list())
    if (option->getNumOccurrences() > 0)
      return llvm::createStringError("expected '--" + option->ArgStr +
                                     "' with a network of TFLite, but got '" +
                                     path + "'");
  return llvm::Error::success();
}

TosaFlags::TosaFlags(TosaOptions &options, cl::OptionCategory &category)
    : outputs("tosa-output", cl::location(options.outputs),
              cl::desc("An operation whose result the network of TOSA gives, "
                       "by name or number, instead of its results"),
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
