// SPDX-License-Identifier: Apache-2.0

#include "Mode.h"

#include "Report.h"

namespace mli::rt {

std::atomic<mli_check_mode> checkMode{MLI_CHECK_RETURN_CODES};
std::atomic<mli_rounding_mode> roundingMode{MLI_ROUND_UP};
std::atomic<mli_accumulation_mode> accumulationMode{MLI_ACCUMULATE_NARROW};
std::atomic<ProfileCallback> profileCallback{nullptr};

// In the memory that a thread starts with: a program that loads this library
// later would look them up in each call.
#ifdef MLI_RUNTIME_PLAIN
#define MLI_PER_THREAD
#else
#define MLI_PER_THREAD [[gnu::tls_model("initial-exec")]] thread_local
#endif

namespace {

using MessageCallback = void (*)(const char *, void *);
using FailureHandler = void (*)(mli_status, const char *, void *);

std::atomic<MessageCallback> messageCallback{report::print};
std::atomic<void *> messageCookie{nullptr};
std::atomic<FailureHandler> failureHandler{report::printFailure};
std::atomic<void *> failureCookie{nullptr};

std::atomic<void *> profileCookie{nullptr};

MLI_PER_THREAD const char *currentFunction = "mli";
MLI_PER_THREAD bool isMeasured = false;

} // namespace

void Entry::setCurrent(const char *function) { currentFunction = function; }

void Entry::reportBegin() {
  ProfileCallback callback = profileCallback.load();
  if (isMeasured || !callback)
    return;
  isReported = isMeasured = true;
  callback(function, 0, profileCookie.load());
}

void Entry::reportEnd() const {
  if (ProfileCallback callback = profileCallback.load())
    callback(function, 1, profileCookie.load());
  isMeasured = false;
}

bool wantsMessages() {
  return checkMode.load(std::memory_order_relaxed) == MLI_CHECK_MESSAGES;
}
const char *getCurrentFunction() { return currentFunction; }
void sendMessage(const char *message) {
  if (MessageCallback callback = messageCallback.load())
    callback(message, messageCookie.load());
}

} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

void mli_set_check_mode(mli_check_mode mode) {
  if (mode == MLI_CHECK_OFF || mode == MLI_CHECK_RETURN_CODES ||
      mode == MLI_CHECK_MESSAGES)
    checkMode = mode;
}

mli_check_mode mli_get_check_mode(void) { return checkMode; }

void mli_set_rounding_mode(mli_rounding_mode mode) {
  if (mode == MLI_ROUND_UP || mode == MLI_ROUND_CONVERGENT)
    roundingMode = mode;
}

mli_rounding_mode mli_get_rounding_mode(void) { return roundingMode; }

void mli_set_accumulation_mode(mli_accumulation_mode mode) {
  if (mode >= MLI_ACCUMULATE_NARROW && mode <= MLI_ACCUMULATE_FULL)
    accumulationMode = mode;
}

mli_accumulation_mode mli_get_accumulation_mode(void) {
  return accumulationMode;
}

void mli_set_message_callback(void (*callback)(const char *, void *),
                              void *cookie) {
  messageCookie = cookie;
  messageCallback = callback ? callback : report::print;
}

void mli_set_failure_handler(void (*handler)(mli_status, const char *, void *),
                             void *cookie) {
  failureCookie = cookie;
  failureHandler = handler ? handler : report::printFailure;
}

void mli_set_profile_callback(void (*callback)(const char *, int, void *),
                              void *cookie) {
  profileCookie = cookie;
  profileCallback = callback;
}

void mli_report_failure(mli_status status, const char *where) {
  if (FailureHandler handler = failureHandler.load())
    handler(status, where ? where : "call", failureCookie.load());
}

const char *mli_status_name(mli_status status) {
  switch (status) {
#define MLI_STATUS_CASE(name)                                                  \
  case name:                                                                   \
    return #name
    MLI_STATUS_CASE(MLI_STATUS_OK);
    MLI_STATUS_CASE(MLI_STATUS_BAD_TENSOR);
    MLI_STATUS_CASE(MLI_STATUS_SHAPE_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_INCOMPATEBLE_TENSORS);
    MLI_STATUS_CASE(MLI_STATUS_BAD_FUNC_CFG);
    MLI_STATUS_CASE(MLI_STATUS_NOT_ENGH_MEM);
    MLI_STATUS_CASE(MLI_STATUS_NOT_SUPPORTED);
    MLI_STATUS_CASE(MLI_STATUS_SPEC_PARAM_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_ARGUMENT_ERROR);
    MLI_STATUS_CASE(MLI_STATUS_LENGTH_ERROR);
    MLI_STATUS_CASE(MLI_STATUS_SIZE_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_RANK_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_TYPE_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_MEM_BANK_MISMATCH);
    MLI_STATUS_CASE(MLI_STATUS_MISALIGNMENT_ERROR);
#undef MLI_STATUS_CASE
  case MLI_STATUS_LARGE_ENUM:
    break;
  }
  return "unknown status";
}

// NOLINTEND(readability-identifier-naming)
