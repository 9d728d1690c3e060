/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls each function of the C API with null handles, null pointers and numbers
 * that nothing has. What has no context to report to answers null, 0 or a
 * failure; nothing ends the process.
 */

#include "Common.h"

#include "mli-c/Attributes.h"
#include "mli-c/Dialect.h"
#include "mli-c/Import.h"
#include "mli-c/Invocation.h"
#include "mli-c/MemoryAttributes.h"
#include "mli-c/Passes.h"
#include "mli-c/Target.h"
#include "mli-c/Types.h"

#include "mlir-c/Dialect/Func.h"

#include <stdint.h>
#include <stdio.h>

static const MlirContext noContext = {NULL};
static const MlirType noType = {NULL};
static const MlirAttribute noAttr = {NULL};
static const MlirStringRef noText = {NULL, 0}, wrongText = {NULL, 7};
static int numFailures = 0;

/* Counts what answers as if all were well. */
static void expectFailure(int line, bool hasFailed) {
  if (hasFailed)
    return;
  printf("line %d has not failed\n", line);
  ++numFailures;
}
#define NULL_TYPE(call) expectFailure(__LINE__, mlirTypeIsNull(call))
#define NULL_ATTR(call) expectFailure(__LINE__, mlirAttributeIsNull(call))
#define NULL_HANDLE(call) expectFailure(__LINE__, (call).ptr == NULL)
#define ZERO(call) expectFailure(__LINE__, (call) == 0)
#define FAILS(call) expectFailure(__LINE__, mlirLogicalResultIsFailure(call))

static void misuseTypes(MlirContext context) {
  const MliQuantParams params = {INT32_MIN, INT32_MAX, INT32_MIN};
  NULL_TYPE(mliFx4TypeGet(noContext, 7));
  NULL_TYPE(mliFx4TypeGet(context, INT32_MAX));
  ZERO(mliTypeIsAFx4(noType));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliFx4TypeGetTypeID()));
  NULL_TYPE(mliFx8TypeGet(noContext, 7));
  NULL_TYPE(mliFx8TypeGet(context, INT32_MAX));
  ZERO(mliTypeIsAFx8(noType));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliFx8TypeGetTypeID()));
  NULL_TYPE(mliFx16TypeGet(noContext, 7));
  NULL_TYPE(mliFx16TypeGet(context, INT32_MAX));
  ZERO(mliTypeIsAFx16(noType));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliFx16TypeGetTypeID()));
  NULL_TYPE(mliSa8TypeGet(noContext, params));
  NULL_TYPE(mliSa8TypeGet(context, params));
  NULL_TYPE(mliSa8TypeGetPerAxis(noContext, 0, 1, &params));
  NULL_TYPE(mliSa8TypeGetPerAxis(context, 0, 1, NULL));
  NULL_TYPE(mliSa8TypeGetPerAxis(context, INT32_MIN, 1, &params));
  NULL_TYPE(mliSa8TypeGetPerAxis(context, 0, INTPTR_MIN, &params));
  ZERO(mliTypeIsASa8(noType));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliSa8TypeGetTypeID()));
  NULL_TYPE(mliSa32TypeGet(noContext, params));
  NULL_TYPE(mliSa32TypeGet(context, params));
  NULL_TYPE(mliSa32TypeGetPerAxis(noContext, 0, 1, &params));
  NULL_TYPE(mliSa32TypeGetPerAxis(context, 0, 1, NULL));
  NULL_TYPE(mliSa32TypeGetPerAxis(context, INT32_MIN, 1, &params));
  NULL_TYPE(mliSa32TypeGetPerAxis(context, 0, INTPTR_MIN, &params));
  ZERO(mliTypeIsASa32(noType));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliSa32TypeGetTypeID()));
  ZERO(mliTypeIsAQuantized(noType));
  NULL_TYPE(mliQuantizedTypeGetStorageType(noType));
  ZERO(mliQuantizedTypeGetAxis(noType));
  ZERO(mliQuantizedTypeGetNumParams(noType));
  ZERO(mliQuantizedTypeGetParams(noType, INTPTR_MIN).scale);
  ZERO(mliFxTypeGetFracBits(noType));
}

static void misuseAttributes(MlirContext context) {
  NULL_ATTR(mliReluAttrGet(noContext, (MliReluKind)0));
  NULL_ATTR(mliReluAttrGet(context, (MliReluKind)INT32_MIN));
  ZERO(mliAttributeIsARelu(noAttr));
  ZERO(mliReluAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliReluAttrGetTypeID()));
  NULL_ATTR(mliMapLayoutAttrGet(noContext, (MliMapLayout)0));
  NULL_ATTR(mliMapLayoutAttrGet(context, (MliMapLayout)INT32_MIN));
  ZERO(mliAttributeIsAMapLayout(noAttr));
  ZERO(mliMapLayoutAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliMapLayoutAttrGetTypeID()));
  NULL_ATTR(mliRnnActAttrGet(noContext, (MliRnnAct)0));
  NULL_ATTR(mliRnnActAttrGet(context, (MliRnnAct)INT32_MIN));
  ZERO(mliAttributeIsARnnAct(noAttr));
  ZERO(mliRnnActAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliRnnActAttrGetTypeID()));
  NULL_ATTR(mliLutFunctionAttrGet(noContext, (MliLutFunction)0));
  NULL_ATTR(mliLutFunctionAttrGet(context, (MliLutFunction)INT32_MIN));
  ZERO(mliAttributeIsALutFunction(noAttr));
  ZERO(mliLutFunctionAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliLutFunctionAttrGetTypeID()));
  NULL_ATTR(mliCopyReasonAttrGet(noContext, (MliCopyReason)0));
  NULL_ATTR(mliCopyReasonAttrGet(context, (MliCopyReason)INT32_MIN));
  ZERO(mliAttributeIsACopyReason(noAttr));
  ZERO(mliCopyReasonAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliCopyReasonAttrGetTypeID()));
  NULL_ATTR(mliSpaceAttrGet(noContext, (MliSpace)0));
  NULL_ATTR(mliSpaceAttrGet(context, (MliSpace)INT32_MIN));
  ZERO(mliAttributeIsASpace(noAttr));
  ZERO(mliSpaceAttrGetValue(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliSpaceAttrGetTypeID()));
  NULL_ATTR(mliLutFormatAttrGet(noContext, 0, 0));
  ZERO(mliAttributeIsALutFormat(noAttr));
  ZERO(mliLutFormatAttrGetInFracBits(noAttr));
  ZERO(mliLutFormatAttrGetInputOffset(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliLutFormatAttrGetTypeID()));
  NULL_ATTR(mliDataAttrGet(noContext, noAttr));
  NULL_ATTR(mliDataAttrGet(context, noAttr));
  ZERO(mliAttributeIsAData(noAttr));
  NULL_ATTR(mliDataAttrGetElements(noAttr));
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliDataAttrGetTypeID()));
}

static void misuseMemory(MlirContext context) {
  const MliTargetNumbers target = {INT64_MIN, INT64_MAX, -1, 0, INT64_MAX};
  const MliLayoutNumbers layout = {INT64_MAX, INT64_MAX, INT64_MIN, -1,
                                   INT64_MIN, INT64_MAX, 0,         -1};
  const MliLayoutDim dim = (MliLayoutDim)INT32_MIN;
  NULL_ATTR(mliTargetAttrParse(noContext, text("vpx")));
  NULL_ATTR(mliTargetAttrParse(context, noText));
  NULL_ATTR(mliTargetAttrParse(context, wrongText));
  NULL_ATTR(mliTargetAttrParse(
      context, text("vpx,npu-bytes=99999999999999999999999999")));
  NULL_ATTR(mliTargetAttrGet(noContext, target));
  NULL_ATTR(mliTargetAttrGet(context, target));
  ZERO(mliAttributeIsATarget(noAttr));
  ZERO(mliTargetAttrGetNumbers(noAttr).npus);
  ZERO(mliTargetAttrGetPreset(noAttr).length);
  expectFailure(__LINE__, mliTargetAttrGetName().length > 0);
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliTargetAttrGetTypeID()));
  NULL_ATTR(mliLayoutAttrGet(noContext, MliLayoutKindAligned, MliLayoutMode2N,
                             0, NULL, layout));
  NULL_ATTR(mliLayoutAttrGet(context, MliLayoutKindAligned, MliLayoutMode2N, 0,
                             NULL, layout));
  NULL_ATTR(mliLayoutAttrGet(context, MliLayoutKindAligned, MliLayoutMode2N,
                             INTPTR_MIN, &dim, layout));
  NULL_ATTR(mliLayoutAttrGet(context, MliLayoutKindAligned, MliLayoutMode2N, 1,
                             &dim, layout));
  NULL_ATTR(mliLayoutAttrGet(context, (MliLayoutKind)-1, (MliLayoutMode)-1, 0,
                             NULL, layout));
  ZERO(mliAttributeIsALayout(noAttr));
  ZERO(mliLayoutAttrGetKind(noAttr));
  ZERO(mliLayoutAttrGetMode(noAttr));
  ZERO(mliLayoutAttrGetNumDims(noAttr));
  ZERO(mliLayoutAttrGetDim(noAttr, INTPTR_MAX));
  ZERO(mliLayoutAttrGetNumbers(noAttr).npus);
  expectFailure(__LINE__, !mlirTypeIDIsNull(mliLayoutAttrGetTypeID()));
}

/* Makes and registers each pass, which others have registered. */
static void misusePasses(MlirContext context) {
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, text("any"));
  mliRegisterPasses();
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLIConversionCheckAccesses());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLIConversionConvertMLIToLLVM());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLIConversionConvertQuantToMLI());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLIConversionConvertSCFToCF());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLIConversionConvertTosaToMLI());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLITransformsAssignAddresses());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsAssignLayouts());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsAttachModes());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsAttachTarget());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsBufferize());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsDoubleBuffer());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsExplainFit());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsExplainSlices());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsFormStreams());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsInsertMoves());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLITransformsLegalizeConversions());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLITransformsLegalizeLayouts());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLITransformsLegalizeSubtensors());
  mlirPassManagerAddOwnedPass(manager,
                              mlirCreateMLITransformsLocalToArgument());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsOrder());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsPackWeights());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsPrintMemoryMap());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsShareStates());
  mlirPassManagerAddOwnedPass(manager, mlirCreateMLITransformsTileToFit());
  mlirRegisterMLIConversionCheckAccesses();
  mlirRegisterMLIConversionConvertMLIToLLVM();
  mlirRegisterMLIConversionConvertQuantToMLI();
  mlirRegisterMLIConversionConvertSCFToCF();
  mlirRegisterMLIConversionConvertTosaToMLI();
  mlirRegisterMLIConversionPasses();
  mlirRegisterMLITransformsAssignAddresses();
  mlirRegisterMLITransformsAssignLayouts();
  mlirRegisterMLITransformsAttachModes();
  mlirRegisterMLITransformsAttachTarget();
  mlirRegisterMLITransformsBufferize();
  mlirRegisterMLITransformsDoubleBuffer();
  mlirRegisterMLITransformsExplainFit();
  mlirRegisterMLITransformsExplainSlices();
  mlirRegisterMLITransformsFormStreams();
  mlirRegisterMLITransformsInsertMoves();
  mlirRegisterMLITransformsLegalizeConversions();
  mlirRegisterMLITransformsLegalizeLayouts();
  mlirRegisterMLITransformsLegalizeSubtensors();
  mlirRegisterMLITransformsLocalToArgument();
  mlirRegisterMLITransformsOrder();
  mlirRegisterMLITransformsPackWeights();
  mlirRegisterMLITransformsPasses();
  mlirRegisterMLITransformsPrintMemoryMap();
  mlirRegisterMLITransformsShareStates();
  mlirRegisterMLITransformsTileToFit();
  mlirPassManagerDestroy(manager);
}

static void misuseImport(MlirContext context, MlirContext empty) {
  const MliImportOptions none = {NULL};
  MliImportOptions options = mliImportOptionsCreate(context);
  const char bytes[12] = {8, 0, 0, 0, 'T', 'F', 'L', '3', -1, -1, -1, 127};
  const MlirModule noModule = {NULL};
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  NULL_HANDLE(mliImportOptionsCreate(noContext));
  FAILS(mliImportOptionsSetSums(none, MliSumFormExact));
  FAILS(mliImportOptionsSetAverages(none, MliAverageFormExact));
  FAILS(mliImportOptionsSetFloats(none, MliFloatFormKeep));
  FAILS(mliImportOptionsSetCut(none, MliCutFormNone));
  FAILS(mliImportOptionsAddOutput(none, text("t")));
  FAILS(mliImportOptionsSetSums(options, (MliSumForm)-1));
  FAILS(mliImportOptionsSetAverages(options, (MliAverageForm)3));
  FAILS(mliImportOptionsSetFloats(options, (MliFloatForm)3));
  FAILS(mliImportOptionsSetCut(options, (MliCutForm)2));
  FAILS(mliImportOptionsAddOutput(options, noText));
  FAILS(mliImportOptionsAddOutput(options, wrongText));
  mliImportOptionsDestroy(none);
  ZERO(mliIsTFLite(NULL, 100));
  ZERO(mliIsTFLite(bytes, 7));
  NULL_HANDLE(mliImportTFLite(noContext, bytes, 12, noText, none));
  NULL_HANDLE(mliImportTFLite(empty, bytes, 12, noText, none));
  NULL_HANDLE(mliImportTFLite(context, NULL, 12, noText, options));
  NULL_HANDLE(mliImportTFLite(context, bytes, SIZE_MAX / 2, noText, options));
  NULL_HANDLE(mliImportTFLite(context, bytes, 0, wrongText, options));
  NULL_HANDLE(mliImportTFLite(context, bytes, 12, wrongText, options));
  FAILS(mliInspectTFLite(noContext, bytes, 12, noText, none, printText, NULL));
  FAILS(mliInspectTFLite(empty, bytes, 12, noText, none, printText, NULL));
  FAILS(mliInspectTFLite(context, bytes, 12, noText, options, NULL, NULL));
  FAILS(mliInspectTFLite(context, NULL, 12, noText, none, printText, NULL));
  FAILS(mliInspectTFLite(context, bytes, 12, noText, none, printText, NULL));
  NULL_HANDLE(mliParseModule(noContext, "", 0, noText));
  NULL_HANDLE(mliParseModule(empty, "", 0, noText));
  NULL_HANDLE(mliParseModule(context, NULL, 9, text("file")));
  NULL_HANDLE(mliParseModule(context, "(", 1, wrongText));
  FAILS(mliTosaSetBatch(noModule, 1));
  FAILS(mliTosaSetBatch(module, 0));
  FAILS(mliTosaSetBatch(module, INT64_MAX));
  FAILS(mliTosaSetBatch(module, 1));
  FAILS(mliTosaKeepOutputs(noModule, 1, &noText));
  FAILS(mliTosaKeepOutputs(module, INTPTR_MIN, &noText));
  FAILS(mliTosaKeepOutputs(module, 1, NULL));
  FAILS(mliTosaKeepOutputs(module, 1, &wrongText));
  mlirModuleDestroy(module);
  mliImportOptionsDestroy(options);
}

static void misuseOptions(MlirContext context) {
  const MliCompileOptions none = {NULL};
  MliCompileOptions options = mliCompileOptionsCreate(context);
  NULL_HANDLE(mliCompileOptionsCreate(noContext));
  FAILS(mliCompileOptionsSetRuntimeLibrary(none, text("a")));
  FAILS(mliCompileOptionsAddEntry(none, text("a")));
  FAILS(mliCompileOptionsSetPlacement(none, MliPlacementLocal));
  FAILS(mliCompileOptionsSetTarget(none, text("vpx")));
  FAILS(mliCompileOptionsSetThreads(none, 1));
  FAILS(mliCompileOptionsSetArena(none, text("min")));
  FAILS(mliCompileOptionsSetPipelineOptions(none, text("threads=2")));
  FAILS(mliCompileOptionsSetRounding(none, MliRoundingUp));
  FAILS(mliCompileOptionsSetAccumulation(none, MliAccumulationFull));
  FAILS(mliCompileOptionsSetOptLevel(none, 0));
  FAILS(mliCompileOptionsSetRuntimeLibrary(options, noText));
  FAILS(mliCompileOptionsAddEntry(options, wrongText));
  FAILS(mliCompileOptionsSetPlacement(options, (MliPlacement)-1));
  FAILS(mliCompileOptionsSetTarget(options, noText));
  FAILS(mliCompileOptionsSetTarget(options, text("vpx,npus=-1")));
  FAILS(mliCompileOptionsSetThreads(options, 0));
  FAILS(mliCompileOptionsSetArena(options, text("few")));
  FAILS(mliCompileOptionsSetArena(options, wrongText));
  FAILS(mliCompileOptionsSetPipelineOptions(options, noText));
  FAILS(mliCompileOptionsSetRounding(options, (MliRounding)3));
  FAILS(mliCompileOptionsSetAccumulation(options, (MliAccumulation)5));
  FAILS(mliCompileOptionsSetOptLevel(options, 4));
  FAILS(mliCompileOptionsSetOptLevel(options, -1));
  mliCompileOptionsDestroy(options);
  mliCompileOptionsDestroy(none);
}

static void misuseProgram(MlirContext context, MlirContext other) {
  const MlirModule noModule = {NULL};
  const MliCompileOptions none = {NULL};
  const MliProgram noProgram = {NULL};
  const MliFunction noFunction = {NULL};
  const MliPort noPort = {NULL};
  MliCompileOptions foreign = mliCompileOptionsCreate(other);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MliProgram program = mliProgramCompile(module, none);
  NULL_HANDLE(mliProgramCompile(noModule, none));
  NULL_HANDLE(mliProgramCompile(module, foreign));
  mliProgramDestroy(noProgram);
  ZERO(mliProgramGetNumFunctions(noProgram));
  ZERO(mliProgramGetNumFunctions(program));
  NULL_HANDLE(mliProgramGetFunction(noProgram, 0));
  NULL_HANDLE(mliProgramGetFunction(program, 0));
  NULL_HANDLE(mliProgramGetFunction(program, INTPTR_MIN));
  NULL_HANDLE(mliProgramLookup(noProgram, text("main")));
  NULL_HANDLE(mliProgramLookup(program, wrongText));
  NULL_HANDLE(mliProgramLookup(program, text("main")));
  ZERO(mliFunctionGetName(noFunction).length);
  ZERO(mliFunctionGetNumInputs(noFunction));
  NULL_HANDLE(mliFunctionGetInput(noFunction, 0));
  ZERO(mliFunctionGetNumResults(noFunction));
  NULL_HANDLE(mliFunctionGetResult(noFunction, 0));
  ZERO(mliFunctionGetStatistic(noFunction, MliStatisticKernels) + 1);
  FAILS(mliFunctionPrintReport(noFunction, printText, NULL));
  FAILS(mliFunctionPrintLayers(noFunction, printText, NULL));
  FAILS(mliFunctionPrintNetworkReport(noFunction, MliReportFormatPage,
                                      printText, NULL));
  FAILS(mliProgramPrintMemoryMap(noProgram, MliMapFormatText, printText, NULL));
  FAILS(mliProgramPrintMemoryMap(program, MliMapFormatText, NULL, NULL));
  FAILS(
      mliProgramPrintMemoryMap(program, (MliMapFormat)3, printText, NULL));
  FAILS(
      mliProgramPrintMemoryMap(program, MliMapFormatJson, printText, NULL));
  ZERO(mliPortGetName(noPort).length);
  NULL_TYPE(mliPortGetType(noPort));
  ZERO(mliPortGetElement(noPort));
  ZERO(mliPortGetRank(noPort));
  ZERO(mliPortGetDimSize(noPort, 0));
  ZERO(mliPortGetNumBytes(noPort));
  ZERO(mliPortGetNumScales(noPort));
  ZERO(mliPortGetScale(noPort, 0));
  ZERO(mliPortGetZeroPoint(noPort, 0));
  ZERO(mliPortGetAxis(noPort) + 1);
  mliProgramDestroy(program);
  mliCompileOptionsDestroy(foreign);
  mlirModuleDestroy(module);
}

/* Modules that are not as they have to be. */
static void misuseModules(MlirContext context, MlirContext other) {
  const MliCompileOptions none = {NULL};
  MlirLocation place = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(place);
  MlirOperationState state = mlirOperationStateGet(text("func.return"), place);
  MlirModule foreign = mlirModuleCreateEmpty(mlirLocationUnknownGet(other));
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__func__(), context);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
  NULL_HANDLE(mliProgramCompile(module, none));
  FAILS(mliTosaSetBatch(module, 2));
  FAILS(mliTosaKeepOutputs(module, 1, &wrongText));
  NULL_HANDLE(mliProgramCompile(foreign, none));
  mlirModuleDestroy(foreign);
  mlirModuleDestroy(module);
}

/* `net` is a network with one input and one result of 4 bytes. */
static void misuseInvocation(MlirContext context, const char *net) {
  const MliCompileOptions none = {NULL};
  const MliProgram noProgram = {NULL};
  const MliFunction noFunction = {NULL};
  const MliInvocation noInvocation = {NULL};
  const MliInputBuffer noInput = {NULL, 4};
  const MliResultBuffer noResult = {NULL, 4};
  char bytes[4] = {0, 0, 0, 0};
  MliInputBuffer input = {bytes, 4};
  MlirModule module = readNetwork(context, net);
  MliProgram program = mliProgramCompile(module, none);
  MliFunction function = mliProgramGetFunction(program, 0);
  MliInvocation invocation = mliInvocationCreate(function);
  MliPort port = mliFunctionGetInput(function, 0);
  NULL_HANDLE(mliFunctionGetInput(function, 1));
  NULL_HANDLE(mliFunctionGetResult(function, -1));
  ZERO(mliFunctionGetStatistic(function, (MliStatistic)-1) + 1);
  FAILS(mliFunctionPrintReport(function, NULL, NULL));
  FAILS(mliFunctionPrintLayers(function, NULL, NULL));
  FAILS(mliFunctionPrintNetworkReport(function, MliReportFormatPage, NULL,
                                      NULL));
  FAILS(mliFunctionPrintNetworkReport(function, (MliReportFormat)2, printText,
                                      NULL));
  ZERO(mliPortGetDimSize(port, 1));
  ZERO(mliPortGetScale(port, 1));
  ZERO(mliPortGetZeroPoint(port, INTPTR_MIN));
  NULL_HANDLE(mliInvocationCreate(noFunction));
  FAILS(mliInvocationRun(noInvocation, 0, NULL, 0, NULL));
  FAILS(mliInvocationRun(invocation, 0, NULL, 0, NULL));
  FAILS(mliInvocationRun(invocation, INTPTR_MIN, &noInput, 1, &noResult));
  FAILS(mliInvocationRun(invocation, 1, NULL, 1, &noResult));
  FAILS(mliInvocationRun(invocation, 1, &noInput, 1, &noResult));
  FAILS(mliInvocationRun(invocation, 1, &input, 1, NULL));
  FAILS(mliInvocationRun(invocation, 1, &input, 1, &noResult));
  FAILS(mliInvocationPrintTrace(noInvocation, 1, &input, printText, NULL));
  FAILS(mliInvocationPrintTrace(invocation, 1, &input, NULL, NULL));
  FAILS(mliInvocationPrintTrace(invocation, 1, &noInput, printText, NULL));
  FAILS(mliInvocationPrintTrace(invocation, -1, NULL, printText, NULL));
  FAILS(mliInvocationReset(noInvocation));
  FAILS(mliProgramInvoke(noProgram, text("main"), 1, &noInput, 1, &noResult));
  FAILS(mliProgramInvoke(program, wrongText, 1, &noInput, 1, &noResult));
  mliInvocationDestroy(noInvocation);
  mliInvocationDestroy(invocation);
  mliProgramDestroy(program);
  mlirModuleDestroy(module);
}

/* Nothing of this writes a file. */
static void misuseTarget(MlirContext context, MlirContext other,
                         const char *net) {
  const MliCompileOptions noCompile = {NULL};
  const MliCOptions none = {NULL};
  const MlirModule noModule = {NULL};
  MlirModule module = readNetwork(context, net);
  MlirModule empty = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirModule bare = mlirModuleCreateEmpty(mlirLocationUnknownGet(other));
  MliCOptions options = mliCOptionsCreate(context);
  MliCOptions foreign = mliCOptionsCreate(other);
  MliCompileOptions foreignCompile = mliCompileOptionsCreate(other);
  NULL_HANDLE(mliCOptionsCreate(noContext));
  FAILS(mliCOptionsSetName(none, text("a")));
  FAILS(mliCOptionsSetOrigin(none, text("a"), "b", 1));
  FAILS(mliCOptionsSetWeights(none, MliCWeightsInline));
  FAILS(mliCOptionsSetMoves(none, MliCMovesHook));
  FAILS(mliCOptionsSetTables(none, MliCTablesOnce));
  FAILS(mliCOptionsSetLibrary(none, MliCLibraryMliMlir));
  FAILS(mliCOptionsSetOverwrite(none, true));
  FAILS(mliCOptionsSetName(options, wrongText));
  FAILS(mliCOptionsSetName(options, text("2a")));
  FAILS(mliCOptionsSetOrigin(options, noText, "b", 1));
  FAILS(mliCOptionsSetOrigin(options, text("a"), NULL, 1));
  FAILS(mliCOptionsSetWeights(options, (MliCWeights)3));
  FAILS(mliCOptionsSetMoves(options, (MliCMoves)3));
  FAILS(mliCOptionsSetTables(options, (MliCTables)2));
  FAILS(mliCOptionsSetLibrary(options, (MliCLibrary)-1));
  FAILS(mliWriteC(noModule, noCompile, options, text("a")));
  FAILS(mliWriteC(module, noCompile, foreign, text("a")));
  FAILS(mliWriteC(module, foreignCompile, options, text("a")));
  FAILS(mliWriteC(module, noCompile, options, wrongText));
  FAILS(mliWriteC(bare, noCompile, none, text("a")));
  FAILS(mliWriteC(empty, noCompile, none, text("a")));
  mliCOptionsDestroy(none);
  mliCOptionsDestroy(options);
  mliCOptionsDestroy(foreign);
  mliCompileOptionsDestroy(foreignCompile);
  mlirModuleDestroy(module);
  mlirModuleDestroy(empty);
  mlirModuleDestroy(bare);
}

/* `misuse NET.mlir` */
int testMisuse(int count, char **arguments) {
  const MlirDialectRegistry noRegistry = {NULL};
  MlirContext context = createContext(true), empty = mlirContextCreate();
  (void)count;
  printDiagnostics(empty);
  FAILS(mliRegisterAllDialects(noRegistry));
  expectFailure(__LINE__, mliGetVersion().length > 0);
  expectFailure(__LINE__, mlirGetDialectHandle__mli__().ptr != NULL);
  misuseTypes(context);
  misuseAttributes(context);
  misuseMemory(context);
  misusePasses(context);
  misuseImport(context, empty);
  misuseOptions(context);
  misuseProgram(context, empty);
  misuseModules(context, empty);
  misuseInvocation(context, arguments[0]);
  misuseTarget(context, empty, arguments[0]);
  mlirContextDestroy(context);
  mlirContextDestroy(empty);
  printf("%d calls have not failed\n", numFailures);
  return numFailures != 0;
}
