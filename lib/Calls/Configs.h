// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_CALLS_CONFIGS_H
#define MLI_LIB_CALLS_CONFIGS_H

#include "mli/Calls/Call.h"

namespace mli::calls {

/// The configuration of `op`, whose function has one.
Record getConfig(KernelOpInterface op);

} // namespace mli::calls

#endif // MLI_LIB_CALLS_CONFIGS_H
