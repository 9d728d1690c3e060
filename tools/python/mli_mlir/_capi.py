# SPDX-License-Identifier: Apache-2.0
"""The functions of ``mli-c`` and ``mlir-c`` that this package calls."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_int8
from ctypes import c_int32, c_int64, c_size_t, c_ssize_t, c_uint, c_void_p
from typing import Any, Callable, List, Tuple

from ._library import check_version, load, tools_folder


class Handle(Structure):
    """A pointer of the C API, null or not."""

    _fields_ = [("ptr", c_void_p)]

    def __bool__(self) -> bool:
        return bool(self.ptr)


class Registry(Handle):
    pass


class Context(Handle):
    pass


class Location(Handle):
    pass


class DiagnosticHandle(Handle):
    pass


class Module(Handle):
    pass


class Operation(Handle):
    pass


class PassManager(Handle):
    pass


class OpPassManager(Handle):
    pass


class ImportOptions(Handle):
    pass


class CompileOptions(Handle):
    pass


class Program(Handle):
    pass


class Function(Handle):
    pass


class Invocation(Handle):
    pass


class COptions(Handle):
    pass


class Text(Structure):
    """A text that need not end in a zero."""

    _fields_ = [("data", c_char_p), ("length", c_size_t)]


class ReceivedText(Structure):
    """The same in callbacks, where it may have zeros inside."""

    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def read(self) -> bytes:
        return ctypes.string_at(self.data, self.length) if self.length else b""


class Result(Structure):
    """Whether a call succeeded."""

    _fields_ = [("value", c_int8)]

    def __bool__(self) -> bool:
        return bool(self.value != 0)


class Buffer(Structure):
    """The bytes of an input or a result."""

    _fields_ = [("data", c_void_p), ("numBytes", c_size_t)]


Receive = CFUNCTYPE(None, ReceivedText, c_void_p)
#: Answers a ``MlirLogicalResult``, which is one byte.
Handler = CFUNCTYPE(c_int8, DiagnosticHandle, c_void_p)


def text(value: str | bytes) -> Text:
    """`value`, such as a path, for C, which copies it before the call ends."""
    if isinstance(value, str):
        value = value.encode(errors="surrogateescape")
    return Text(value, len(value))


def collect(call: Callable[[Any], Any]) -> Tuple[Any, str]:
    """What `call`, with a callback for texts, answers, and the texts together."""
    parts: List[bytes] = []
    receive = Receive(lambda part, _: parts.append(part.read()))
    answer = call(receive)
    return answer, b"".join(parts).decode(errors="replace")


def destroy_with(
    owner: object, destroy: Callable[[Any], Any], handle: Handle, *kept: object
) -> None:
    """Has `destroy` called for `handle` when `owner` is gone; `kept` lives until then.

    Nothing is destroyed when the process ends: its other threads may still run.
    """
    finalizer = weakref.finalize(owner, lambda *held: destroy(held[0]), handle, *kept)
    finalizer.atexit = False


_compiler, _upstream = load()
#: The folder of the tools, if the library is where it was built or installed.
tools = tools_folder(_compiler)


def _bind(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


def _ours(name: str, result: Any, *arguments: Any) -> Any:
    return _bind(_compiler, name, result, *arguments)


def _theirs(name: str, result: Any, *arguments: Any) -> Any:
    return _bind(_upstream, name, result, *arguments)


# First of all: other versions may lack what follows.
get_version = _ours("mliGetVersion", ReceivedText)
VERSION = get_version().read().decode()
check_version(VERSION)

# Contexts and diagnostics.
registry_create = _theirs("mlirDialectRegistryCreate", Registry)
registry_destroy = _theirs("mlirDialectRegistryDestroy", None, Registry)
register_dialects = _ours("mliRegisterAllDialects", Result, Registry)
context_create = _theirs("mlirContextCreateWithRegistry", Context, Registry, c_bool)
context_destroy = _theirs("mlirContextDestroy", None, Context)
context_attach_handler = _theirs(
    "mlirContextAttachDiagnosticHandler", ctypes.c_uint64, Context, Handler, c_void_p,
    c_void_p,
)  # fmt: skip
diagnostic_print = _theirs(
    "mlirDiagnosticPrint", None, DiagnosticHandle, Receive, c_void_p
)
diagnostic_location = _theirs("mlirDiagnosticGetLocation", Location, DiagnosticHandle)
diagnostic_severity = _theirs("mlirDiagnosticGetSeverity", c_int, DiagnosticHandle)
diagnostic_num_notes = _theirs("mlirDiagnosticGetNumNotes", c_ssize_t, DiagnosticHandle)
diagnostic_note = _theirs(
    "mlirDiagnosticGetNote", DiagnosticHandle, DiagnosticHandle, c_ssize_t
)
location_print = _theirs("mlirLocationPrint", None, Location, Receive, c_void_p)

# Modules and passes.
parse_module = _ours("mliParseModule", Module, Context, c_char_p, c_size_t, Text)
module_destroy = _theirs("mlirModuleDestroy", None, Module)
module_operation = _theirs("mlirModuleGetOperation", Operation, Module)
operation_print = _theirs("mlirOperationPrint", None, Operation, Receive, c_void_p)
register_our_passes = _ours("mliRegisterPasses", None)
register_their_passes = _theirs("mlirRegisterAllPasses", None)
manager_create = _theirs("mlirPassManagerCreate", PassManager, Context)
manager_destroy = _theirs("mlirPassManagerDestroy", None, PassManager)
manager_as_op = _theirs("mlirPassManagerGetAsOpPassManager", OpPassManager, PassManager)
manager_run = _theirs("mlirPassManagerRunOnOp", Result, PassManager, Operation)
parse_pipeline = _theirs(
    "mlirParsePassPipeline", Result, OpPassManager, Text, Receive, c_void_p
)
add_pipeline = _theirs(
    "mlirOpPassManagerAddPipeline", Result, OpPassManager, Text, Receive, c_void_p
)

# Networks.
import_options_create = _ours("mliImportOptionsCreate", ImportOptions, Context)
import_options_destroy = _ours("mliImportOptionsDestroy", None, ImportOptions)
import_options_set = {
    name: _ours(f"mliImportOptionsSet{name}", Result, ImportOptions, c_uint)
    for name in ("Sums", "Averages", "Floats", "Cut")
}
import_options_add_output = _ours(
    "mliImportOptionsAddOutput", Result, ImportOptions, Text
)
is_tflite = _ours("mliIsTFLite", c_bool, c_char_p, c_size_t)
import_tflite = _ours(
    "mliImportTFLite", Module, Context, c_char_p, c_size_t, Text, ImportOptions
)
inspect_tflite = _ours(
    "mliInspectTFLite", Result, Context, c_char_p, c_size_t, Text, ImportOptions,
    Receive, c_void_p,
)  # fmt: skip
tosa_set_batch = _ours("mliTosaSetBatch", Result, Module, c_int64)
tosa_keep_outputs = _ours(
    "mliTosaKeepOutputs", Result, Module, c_ssize_t, POINTER(Text)
)

# Programs.
compile_options_create = _ours("mliCompileOptionsCreate", CompileOptions, Context)
compile_options_destroy = _ours("mliCompileOptionsDestroy", None, CompileOptions)
compile_options_set_text = {
    name: _ours(f"mliCompileOptions{name}", Result, CompileOptions, Text)
    for name in ("SetTarget", "SetArena", "SetPipelineOptions", "AddEntry")
}
compile_options_set_number = {
    name: _ours(f"mliCompileOptions{name}", Result, CompileOptions, c_int32)
    for name in ("SetPlacement", "SetThreads", "SetRounding", "SetAccumulation")
}
program_compile = _ours("mliProgramCompile", Program, Module, CompileOptions)
program_destroy = _ours("mliProgramDestroy", None, Program)
program_num_functions = _ours("mliProgramGetNumFunctions", c_ssize_t, Program)
program_function = _ours("mliProgramGetFunction", Function, Program, c_ssize_t)
program_memory_map = _ours(
    "mliProgramPrintMemoryMap", Result, Program, c_uint, Receive, c_void_p
)
function_name = _ours("mliFunctionGetName", ReceivedText, Function)
function_report = _ours("mliFunctionPrintReport", Result, Function, Receive, c_void_p)
function_network_report = _ours(
    "mliFunctionPrintNetworkReport", Result, Function, c_uint, Receive, c_void_p
)
function_layers = _ours("mliFunctionPrintLayers", Result, Function, Receive, c_void_p)

# Runs.
invocation_create = _ours("mliInvocationCreate", Invocation, Function)
invocation_destroy = _ours("mliInvocationDestroy", None, Invocation)
invocation_run = _ours(
    "mliInvocationRun", Result, Invocation, c_ssize_t, POINTER(Buffer), c_ssize_t,
    POINTER(Buffer),
)  # fmt: skip
invocation_trace = _ours(
    "mliInvocationPrintTrace", Result, Invocation, c_ssize_t, POINTER(Buffer), Receive,
    c_void_p,
)  # fmt: skip
invocation_reset = _ours("mliInvocationReset", Result, Invocation)

# C for other machines.
c_options_create = _ours("mliCOptionsCreate", COptions, Context)
c_options_destroy = _ours("mliCOptionsDestroy", None, COptions)
c_options_set_name = _ours("mliCOptionsSetName", Result, COptions, Text)
c_options_set_origin = _ours(
    "mliCOptionsSetOrigin", Result, COptions, Text, c_char_p, c_size_t
)
c_options_set = {
    name: _ours(f"mliCOptionsSet{name}", Result, COptions, c_uint)
    for name in ("Weights", "Moves", "Tables", "Library")
}
c_options_set_overwrite = _ours("mliCOptionsSetOverwrite", Result, COptions, c_bool)
write_c = _ours("mliWriteC", Result, Module, CompileOptions, COptions, Text)
