// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Slices.h"

#include <cinttypes>

namespace mli::rt {

mli_status checkAxisConfig(Argument in, const mli_prelu_cfg *cfg) {
  MLI_CHECK(checkConfig(cfg));
  if (cfg->axis >= static_cast<int64_t>(in->rank))
    return fail(MLI_STATUS_BAD_FUNC_CFG,
                "expected 'cfg' to have an axis below %" PRIu32
                ", but got %" PRId32,
                in->rank, cfg->axis);
  return MLI_STATUS_OK;
}

} // namespace mli::rt
