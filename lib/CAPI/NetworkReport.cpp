// SPDX-License-Identifier: Apache-2.0
//
// All that is known of a compiled network, as mli-run --report writes it.

#include "Handles.h"

#include "mli/Execution/RunReport.h"
#include "mli/Transforms/MemoryMap.h"

#include "mlir/CAPI/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

/// What is known of `function`, with the estimate that programs do not keep.
static CompiledFunction describe(const FunctionHandle &function) {
  CompiledFunction described = *function.compiled;
  if (described.memory.localBytes == 0)
    return described;
  ModuleOp buffers = *function.program->buffers;
  auto placed = buffers.lookupSymbol<func::FuncOp>(described.name);
  RunEstimate estimate =
      estimateRun(placed, *described.costs, /*findsSchedule=*/true);
  described.layers->estimate = describeSchedule(estimate.schedule);
  return described;
}

MlirLogicalResult mliFunctionPrintNetworkReport(MliFunction function,
                                                MliReportFormat format,
                                                MlirStringCallback callback,
                                                void *userData) {
  if (!function.ptr || !callback)
    return mlirLogicalResultFailure();
  const FunctionHandle &handle = *unwrap(function);
  auto value = static_cast<uint32_t>(format);
  if (value > MliReportFormatPage) {
    emitError(handle.program->context)
        << "expected a format of reports, but got the number " << value;
    return mlirLogicalResultFailure();
  }
  FailureOr<report::Report> report = makeReport(*handle.program->buffers);
  if (failed(report))
    return mlirLogicalResultFailure();
  CompiledFunction described = describe(handle);
  completeReport(*report, {described});
  mlir::detail::CallbackOstream stream(callback, userData);
  if (value == MliReportFormatPage)
    writePage(stream, *report);
  else
    writeJson(stream, *report);
  return mlirLogicalResultSuccess();
}
