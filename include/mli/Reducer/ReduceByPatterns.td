// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_REDUCER_REDUCEBYPATTERNS_TD
#define MLI_REDUCER_REDUCEBYPATTERNS_TD

include "mlir/Pass/PassBase.td"

def ReduceByPatterns : Pass<"mli-reduce-by-patterns", "::mlir::ModuleOp"> {
  let summary = "find the smallest program that a script finds interesting";
  let description = [{
    Applies reduction patterns, ours and those of other dialects, one at a time, and keeps what
    a script still finds interesting. A pattern is tried on all operations at once,
    then on halves of them, and so on down to single ones, until none makes the
    program smaller. What follows from a pattern goes with it: operations and
    arguments that nobody uses any more.

    The script gets the arguments `test-arg` and then a file. It exits with 0 for
    what is not interesting, as for the other passes of mlir-reduce. A program that
    does not verify is never tested.

    Smaller is, first of all, what has fewer operations, of which `tensor.empty` is
    none; then fewer elements of tensors, bytes of constants, smaller numbers in
    lists, and a shorter text.

    Example: test/Reducer/reduce-by-patterns.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mli::MLIDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"testerName", "test", "std::string", "",
           "The script that tells whether a file is interesting">,
    ListOption<"testerArgs", "test-arg", "std::string",
               "Arguments of the script">,
    ListOption<"enabledPatterns", "enable-patterns", "std::string",
               "Names of the patterns to apply; all if there are none">,
    ListOption<"disabledPatterns", "disable-patterns", "std::string",
               "Names of patterns not to apply">,
  ];
}

#endif // MLI_REDUCER_REDUCEBYPATTERNS_TD
