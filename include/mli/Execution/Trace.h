// SPDX-License-Identifier: Apache-2.0
//
// When each call of the runtime begins and ends in one run.

#ifndef MLI_EXECUTION_TRACE_H
#define MLI_EXECUTION_TRACE_H

#include "mli/Execution/Clocks.h"
#include "mli/Execution/Program.h"

namespace mli {

/// The purpose of a call of the runtime: it computes, as conversions do, moves
/// data, or makes the table of a function.
enum class CallKind { Kernel, Move, Table };

/// Returns the kind of `function`, one that the runtime reports, and its name.
CallKind getCallKind(llvm::StringRef function);
llvm::StringRef getName(CallKind kind);

/// Microseconds by the clock on the wall, from where the run begins.
struct TracedCall {
  std::string function;
  double begin = 0, end = 0;
};

/// A run, and its calls in their order: none lies in another.
struct Trace {
  double end = 0;
  std::vector<TracedCall> calls;
};

/// The functions that `trace` called.
std::vector<std::string> getFunctions(const Trace &trace);

/// Runs `function` of `program` on `inputs` twice, as callers do, and returns
/// the calls of the second run, which finds memory and code touched. An error
/// reports which input does not fit or which kernel failed.
llvm::Expected<Trace> trace(const Program &program,
                            const CompiledFunction &function,
                            llvm::ArrayRef<HostTensor> inputs,
                            Clocks clocks = getSystemClocks());

/// Writes `trace`, a run of `function`, as JSON in the Trace Event Format,
/// which Perfetto and the tracing pages of browsers show. One process is this
/// host: complete events, the run and in it the calls, with the number of each
/// as an argument, and those of its layer, if layers are known. Another one is
/// the estimate for the target, if there is one: transfers and kernels as two
/// threads.
void writeTrace(llvm::raw_ostream &os, const CompiledFunction &function,
                const Trace &trace);

} // namespace mli

#endif // MLI_EXECUTION_TRACE_H
