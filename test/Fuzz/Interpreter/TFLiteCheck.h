// SPDX-License-Identifier: Apache-2.0
//
// Compares what was imported from a network of TFLite with the network, each
// operator on the inputs that the program gave it.

#ifndef MLI_TEST_FUZZ_INTERPRETER_TFLITECHECK_H
#define MLI_TEST_FUZZ_INTERPRETER_TFLITECHECK_H

#include "mli/Execution/HostTensor.h"
#include "mli/Import/TFLiteModel.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mli::fuzz {

/// The tensors that operators of `graph` compute, in their order.
llvm::SmallVector<int32_t> findComputed(const tflite::Graph &graph);

/// What differs between `graph` and the values of a program that gives all
/// tensors of `findComputed`; nothing if all operators are right. States follow
/// both the inputs and the results.
std::string checkTFLite(const tflite::Graph &graph,
                        llvm::ArrayRef<HostTensor> inputs,
                        llvm::ArrayRef<HostTensor> results);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_TFLITECHECK_H
