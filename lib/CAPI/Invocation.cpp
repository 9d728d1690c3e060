// SPDX-License-Identifier: Apache-2.0

#include "mli-c/Invocation.h"

#include "Handles.h"

#include "mli/Execution/Trace.h"

#include "mlir/CAPI/Utils.h"

#include <mutex>
#include <shared_mutex>

using namespace mlir;
using namespace mli;
using namespace mli::capi;

namespace {

/// A function with its inputs, of which the last are its state.
struct InvocationHandle {
  explicit InvocationHandle(const FunctionHandle &function);

  /// Copies `states` to the last inputs, where they stay.
  void setStates(ArrayRef<HostTensor> states);
  /// Whether the buffers have the sizes of the ports; if not, the reason is
  /// reported.
  template <typename Buffer>
  bool check(ArrayRef<PortHandle> ports, intptr_t count, const Buffer *buffers,
             StringRef what) const;
  void readInputs(const MliInputBuffer *given);
  LogicalResult run(const MliInputBuffer *given, const MliResultBuffer *wanted);
  LogicalResult printTrace(llvm::raw_ostream &os, const MliInputBuffer *given);

  const FunctionHandle &function;
  std::vector<HostTensor> inputs;
  Invocation invocation;
};

} // namespace

static InvocationHandle *unwrap(MliInvocation invocation) {
  return static_cast<InvocationHandle *>(invocation.ptr);
}

/// Memory for the inputs of `function`, with its state.
static std::vector<HostTensor> createInputs(const FunctionHandle &function) {
  std::vector<HostTensor> inputs;
  for (const PortHandle &port : function.inputs) {
    HostTensor tensor;
    tensor.element = *getHostElement(port.type.getElementType());
    tensor.shape = port.type.getShape().vec();
    tensor.data.resize(port.getNumBytes());
    inputs.push_back(std::move(tensor));
  }
  llvm::append_range(inputs, createStates(*function.compiled));
  return inputs;
}

InvocationHandle::InvocationHandle(const FunctionHandle &function)
    : function(function), inputs(createInputs(function)),
      invocation(function.program->program, *function.compiled, inputs) {}

void InvocationHandle::setStates(ArrayRef<HostTensor> states) {
  auto own = MutableArrayRef(inputs).take_back(states.size());
  for (auto [state, value] : llvm::zip_equal(own, states))
    llvm::copy(value.data, state.data.begin());
}

template <typename Buffer>
bool InvocationHandle::check(ArrayRef<PortHandle> ports, intptr_t count,
                             const Buffer *buffers, StringRef what) const {
  MLIRContext *context = function.program->context;
  if (count != static_cast<intptr_t>(ports.size()) || (count > 0 && !buffers)) {
    emitError(context) << "expected " << ports.size() << " " << what
                       << " buffers of '" << function.compiled->name
                       << "', but got " << (buffers ? count : 0);
    return false;
  }
  for (auto [i, port] : llvm::enumerate(ports)) {
    size_t found = buffers[i].data ? buffers[i].numBytes : 0;
    if (found == port.getNumBytes())
      continue;
    emitError(context) << "expected " << what << " buffer " << i << " of '"
                       << function.compiled->name << "' to have "
                       << port.getNumBytes() << " bytes, but got " << found;
    return false;
  }
  return true;
}

/// Copies quantised values between a caller and the program, which has as int8
/// what a caller may hold as uint8.
static void copyValues(const PortHandle &port, const char *from, char *to) {
  std::copy_n(from, port.getNumBytes(), to);
  if (port.isUnsigned)
    for (char &value : MutableArrayRef(to, port.getNumBytes()))
      value = static_cast<char>(value ^ 0x80);
}

void InvocationHandle::readInputs(const MliInputBuffer *given) {
  for (auto [i, port] : llvm::enumerate(function.inputs))
    copyValues(port, static_cast<const char *>(given[i].data),
               inputs[i].data.data());
}

/// Runs share it; one that is traced has it alone, as the runtime tells of the
/// calls of all threads.
static std::shared_mutex runs;

/// Runs `invocation` as others may run at the same time.
static llvm::Error runShared(Invocation &invocation, bool isLocal) {
  std::shared_lock<std::shared_mutex> shared(runs);
  // There is one local memory.
  static std::mutex local;
  std::unique_lock<std::mutex> lock(local, std::defer_lock);
  if (isLocal)
    lock.lock();
  return invocation.run();
}

LogicalResult InvocationHandle::run(const MliInputBuffer *given,
                                    const MliResultBuffer *wanted) {
  readInputs(given);
  if (llvm::Error error = runShared(invocation, function.program->isLocal))
    return emitError(function.program->context)
           << llvm::toString(std::move(error));
  ArrayRef<HostTensor> results = invocation.getResults();
  for (auto [i, port] : llvm::enumerate(function.results))
    copyValues(port, results[i].data.data(),
               static_cast<char *>(wanted[i].data));
  setStates(results.take_back(function.compiled->numStates));
  return success();
}

/// Traces a run of `function` while no other one runs.
static llvm::Expected<Trace> traceAlone(const FunctionHandle &function,
                                        ArrayRef<HostTensor> inputs) {
  std::unique_lock<std::shared_mutex> alone(runs);
  return trace(function.program->program, *function.compiled, inputs);
}

LogicalResult InvocationHandle::printTrace(llvm::raw_ostream &os,
                                           const MliInputBuffer *given) {
  readInputs(given);
  auto found = traceAlone(function, inputs);
  if (!found)
    return emitError(function.program->context)
           << llvm::toString(found.takeError());
  writeTrace(os, *function.compiled, *found);
  return success();
}

MliInvocation mliInvocationCreate(MliFunction function) {
  if (!function.ptr)
    return {nullptr};
  return {new InvocationHandle(*unwrap(function))};
}

void mliInvocationDestroy(MliInvocation invocation) {
  delete unwrap(invocation);
}

MlirLogicalResult mliInvocationRun(MliInvocation invocation, intptr_t numInputs,
                                   const MliInputBuffer *inputs,
                                   intptr_t numResults,
                                   const MliResultBuffer *results) {
  if (!invocation.ptr)
    return mlirLogicalResultFailure();
  InvocationHandle &handle = *unwrap(invocation);
  if (!handle.check(handle.function.inputs, numInputs, inputs, "input") ||
      !handle.check(handle.function.results, numResults, results, "result"))
    return mlirLogicalResultFailure();
  return ::wrap(handle.run(inputs, results));
}

MlirLogicalResult mliInvocationPrintTrace(MliInvocation invocation,
                                          intptr_t numInputs,
                                          const MliInputBuffer *inputs,
                                          MlirStringCallback callback,
                                          void *userData) {
  if (!invocation.ptr || !callback)
    return mlirLogicalResultFailure();
  InvocationHandle &handle = *unwrap(invocation);
  if (!handle.check(handle.function.inputs, numInputs, inputs, "input"))
    return mlirLogicalResultFailure();
  mlir::detail::CallbackOstream stream(callback, userData);
  return ::wrap(handle.printTrace(stream, inputs));
}

MlirLogicalResult mliInvocationReset(MliInvocation invocation) {
  if (!invocation.ptr)
    return mlirLogicalResultFailure();
  InvocationHandle &handle = *unwrap(invocation);
  handle.setStates(createStates(*handle.function.compiled));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult mliProgramInvoke(MliProgram program, MlirStringRef name,
                                   intptr_t numInputs,
                                   const MliInputBuffer *inputs,
                                   intptr_t numResults,
                                   const MliResultBuffer *results) {
  if (!program.ptr)
    return mlirLogicalResultFailure();
  MliFunction function = mliProgramLookup(program, name);
  if (!function.ptr) {
    emitError(unwrap(program)->context)
        << "expected the name of a function of the program, but got '"
        << (isText(name) ? ::unwrap(name) : StringRef()) << "'";
    return mlirLogicalResultFailure();
  }
  InvocationHandle invocation(*unwrap(function));
  return mliInvocationRun({&invocation}, numInputs, inputs, numResults,
                          results);
}
