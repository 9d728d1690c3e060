// SPDX-License-Identifier: Apache-2.0
//
// This header is mli/Contract/Shapes.h now; the old name stays for one release.

#ifndef MLI_QUANT_SHAPES_H
#define MLI_QUANT_SHAPES_H

#include "mli/Contract/Shapes.h"

#endif // MLI_QUANT_SHAPES_H
