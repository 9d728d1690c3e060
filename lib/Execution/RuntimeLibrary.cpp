// SPDX-License-Identifier: Apache-2.0

#include "RuntimeLibrary.h"

#include "mli/Runtime/C/mli_local.h"
#include "mli/Runtime/C/mli_runtime.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace mli;

/// The innermost log of this thread.
static thread_local FailureLog *current = nullptr;

FailureLog::FailureLog() {
  assert(!current && "a run inside of a run");
  current = this;
}

FailureLog::~FailureLog() { current = nullptr; }

std::string FailureLog::getText() const {
  return reason.empty() || failure.empty() ? failure : failure + ": " + reason;
}

/// Finds `name` in `library`, typed as its declaration `Function`.
template <typename Function>
static llvm::Error resolve(llvm::sys::DynamicLibrary &library,
                           const std::string &path, const char *name,
                           Function *&function) {
  function = reinterpret_cast<Function *>(library.getAddressOfSymbol(name));
  if (function)
    return llvm::Error::success();
  return llvm::createStringError("expected '" + path + "' to define '" + name +
                                 "', but got no such symbol");
}

/// Of the library that is loaded, null before. It is set last.
static decltype(mli_status_name) *statusName = nullptr;
static std::string loadedPath;
static decltype(mli_set_check_mode) *setCheckMode = nullptr;
static decltype(mli_set_profile_callback) *setProfileCallback = nullptr;
static decltype(mli_set_rounding_mode) *setRounding = nullptr;
static decltype(mli_set_accumulation_mode) *setAccumulation = nullptr;
static decltype(mli_local_set_poison) *setPoison = nullptr;

void mli::setRuntimePoison(uint32_t seed) { setPoison(/*enabled=*/1, seed); }

void mli::setRuntimeChecks(bool areOn) {
  setCheckMode(areOn ? MLI_CHECK_MESSAGES : MLI_CHECK_OFF);
}

void mli::setRuntimeModes(const ComputingModes &modes) {
  setRounding(modes.getRuntimeRounding());
  setAccumulation(modes.getRuntimeAccumulation());
}

CallListener::CallListener(Callback callback, void *cookie) {
  setProfileCallback(callback, cookie);
}
CallListener::~CallListener() { setProfileCallback(nullptr, nullptr); }

static void recordFailure(mli_status status, const char *where, void *) {
  // Callers of the function that failed report it once more.
  if (current && current->failure.empty())
    current->failure = std::string(where) + ": " + statusName(status);
}

static void recordMessage(const char *message, void *) {
  if (current && current->reason.empty())
    current->reason = message;
}

llvm::Error mli::loadRuntimeLibrary(const std::string &path) {
  std::string reason;
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &reason);
  if (!library.isValid())
    return llvm::createStringError("expected the runtime library '" + path +
                                   "' to load, but got: " + reason);
  decltype(mli_status_name) *foundName = nullptr;
  if (llvm::Error error = resolve(library, path, "mli_status_name", foundName))
    return error;
  // Code takes the symbols of the library that was loaded first.
  if (statusName)
    return foundName == statusName
               ? llvm::Error::success()
               : llvm::createStringError(
                     "expected the runtime library '" + loadedPath +
                     "', which the process has loaded, but got '" + path + "'");
  decltype(mli_set_failure_handler) *setHandler = nullptr;
  decltype(mli_set_message_callback) *setCallback = nullptr;
  if (llvm::Error error =
          resolve(library, path, "mli_set_check_mode", setCheckMode))
    return error;
  if (llvm::Error error = resolve(library, path, "mli_set_profile_callback",
                                  setProfileCallback))
    return error;
  if (llvm::Error error =
          resolve(library, path, "mli_set_rounding_mode", setRounding))
    return error;
  if (llvm::Error error =
          resolve(library, path, "mli_set_accumulation_mode", setAccumulation))
    return error;
  if (llvm::Error error =
          resolve(library, path, "mli_set_failure_handler", setHandler))
    return error;
  if (llvm::Error error =
          resolve(library, path, "mli_set_message_callback", setCallback))
    return error;
  if (llvm::Error error =
          resolve(library, path, "mli_local_set_poison", setPoison))
    return error;
  // Reads of local memory that was never written get nonsense, not zeros.
  setRuntimePoison();
  setRuntimeChecks(true);
  setHandler(recordFailure, nullptr);
  setCallback(recordMessage, nullptr);
  loadedPath = path;
  statusName = foundName;
  return llvm::Error::success();
}
