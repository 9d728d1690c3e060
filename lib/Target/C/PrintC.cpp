// SPDX-License-Identifier: Apache-2.0

#include "Sources.h"

using namespace mlir;
using namespace mli;

FailureOr<std::vector<CFile>> mli::printC(ModuleOp module,
                                          const COptions &options) {
  FailureOr<c::Network> network = c::readNetwork(module, options);
  if (failed(network))
    return failure();
  FailureOr<std::string> source = c::printSource(*network);
  if (failed(source))
    return failure();
  if (options.weights == CWeights::Blob && network->getBlobBytes() > INT32_MAX)
    return emitError(module.getLoc(),
                     "expected constants of at most 2147483647 bytes, but got ")
           << network->getBlobBytes();
  std::vector<CFile> files = {{options.name + ".h", c::printHeader(*network)},
                              {options.name + ".c", std::move(*source)}};
  if (options.weights == CWeights::Source) {
    files.push_back({options.name + "_weights.h", c::declareWeights(*network)});
    for (CFile &file : c::printWeightSources(*network))
      files.push_back(std::move(file));
  }
  if (options.weights == CWeights::Blob)
    files.push_back({options.name + ".bin", c::printBlob(*network)});
  files.push_back({options.name + "_test.c", c::printTestProgram(*network)});
  files.push_back({"CMakeLists.txt", c::printCMake(*network, files)});
  files.push_back({options.name + ".json", c::printReport(*network)});
  return files;
}
