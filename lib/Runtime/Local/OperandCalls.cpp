// SPDX-License-Identifier: Apache-2.0
//
// Calls for operands of compiled code, each of which is one or several of
// mli_local.h: profiles and messages name those.

#include "Runtime/Core/Checks.h"
#include "mli/Runtime/C/mli_local_calls.h"

namespace mli::rt {
namespace {

mli_status checkArguments(const char *function, const mli_tensor *type,
                          mli_local_access access) {
  if (type && access >= MLI_LOCAL_UNDECLARED &&
      access <= MLI_LOCAL_WRITTEN_BY_KERNEL)
    return MLI_STATUS_OK;
  Entry entry(function);
  MLI_CHECK(checkNotNull({type, "type"}));
  return checkEnumerator("access", access, MLI_LOCAL_WRITTEN_BY_KERNEL);
}

mli_status declareAccess(const mli_local_tensor *local,
                         const mli_tensor *tensor, mli_local_access access) {
  if (access == MLI_LOCAL_UNDECLARED)
    return MLI_STATUS_OK;
  bool isMove = access <= MLI_LOCAL_WRITTEN_BY_MOVE;
  bool isWritten = access == MLI_LOCAL_WRITTEN_BY_MOVE ||
                   access == MLI_LOCAL_WRITTEN_BY_KERNEL;
  return mli_local_use(local, tensor,
                       isMove ? MLI_LOCAL_MOVES : MLI_LOCAL_KERNELS,
                       static_cast<int>(isWritten));
}

/// Lets the containers of `tensor` point to the parameters at `params`. They
/// are only read.
void setParams(mli_tensor &tensor, const void *params) {
  auto *next = static_cast<int8_t *>(const_cast<void *>(params));
  auto &sa = tensor.el_params.sa;
  for (mli_data_container *container :
       {&sa.zero_point, &sa.scale, &sa.scale_frac_bits}) {
    container->mem.pi8 = next;
    next += container->capacity;
  }
}

mli_status makeOperand(const mli_local_tensor *local, const mli_tensor *type,
                       const void *params, mli_local_access access,
                       mli_tensor *tensor) {
  MLI_CHECK(checkArguments("mli_local_operand", type, access));
  if (!tensor) {
    Entry entry("mli_local_operand");
    return checkNotNull({tensor, "tensor"});
  }
  *tensor = *type;
  if (params)
    setParams(*tensor, params);
  MLI_CHECK(declareAccess(local, tensor, access));
  return mli_local_view(local, tensor);
}

mli_status load(const mli_tensor *type, const void *data,
                const mli_local_tensor *local, mli_local_access access) {
  MLI_CHECK(checkArguments("mli_local_load", type, access));
  mli_tensor tensor = *type;
  // They are only read.
  tensor.data.mem.pi8 = static_cast<int8_t *>(const_cast<void *>(data));
  MLI_CHECK(declareAccess(local, &tensor, access));
  return mli_local_scatter(&tensor, local);
}

mli_status store(const mli_local_tensor *local, const mli_tensor *type,
                 void *data, mli_local_access access) {
  MLI_CHECK(checkArguments("mli_local_store", type, access));
  mli_tensor tensor = *type;
  tensor.data.mem.pi8 = static_cast<int8_t *>(data);
  MLI_CHECK(declareAccess(local, &tensor, access));
  return mli_local_gather(local, &tensor);
}

mli_status declare(const mli_local_tensor *local, const mli_tensor *type,
                   mli_local_access access) {
  MLI_CHECK(checkArguments("mli_local_declare", type, access));
  return declareAccess(local, type, access);
}

/// Returns `status`, and reports it if it is a failure that has a place.
mli_status report(mli_status status, const char *where) {
  if (status != MLI_STATUS_OK && where)
    mli_report_failure(status, where);
  return status;
}

} // namespace
} // namespace mli::rt

using namespace mli::rt;

// NOLINTBEGIN(readability-identifier-naming): the C names.

mli_status mli_local_operand(mli_status status, const char *where,
                             const mli_local_tensor *local,
                             const mli_tensor *type, const void *params,
                             mli_local_access access, mli_tensor *tensor) {
  MLI_CHECK(status);
  return report(makeOperand(local, type, params, access, tensor), where);
}

mli_status mli_local_load(mli_status status, const char *where,
                          const mli_tensor *type, const void *data,
                          const mli_local_tensor *local,
                          mli_local_access access) {
  MLI_CHECK(status);
  return report(load(type, data, local, access), where);
}

mli_status mli_local_store(mli_status status, const char *where,
                           const mli_local_tensor *local,
                           const mli_tensor *type, void *data,
                           mli_local_access access) {
  MLI_CHECK(status);
  return report(store(local, type, data, access), where);
}

mli_status mli_local_declare(mli_status status, const char *where,
                             const mli_local_tensor *local,
                             const mli_tensor *type, mli_local_access access) {
  MLI_CHECK(status);
  return report(declare(local, type, access), where);
}

mli_status mli_local_alloc(mli_status status, const char *where,
                           const mli_local_tensor *local,
                           const mli_tensor *type) {
  MLI_CHECK(status);
  return report(mli_local_poison(local, type), where);
}

// NOLINTEND(readability-identifier-naming)
