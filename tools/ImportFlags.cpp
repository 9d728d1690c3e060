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
           sumForms(), cl::cat(category)) {}

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
