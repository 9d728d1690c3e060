// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_IR_MLIBYTECODE_H
#define MLI_LIB_IR_MLIBYTECODE_H

namespace mli {

class MLIDialect;

/// Adds how types and attributes are written as bytecode: as numbers, and under
/// a version, so that what is written today can be read later.
void addBytecodeInterface(MLIDialect *dialect);

} // namespace mli

#endif // MLI_LIB_IR_MLIBYTECODE_H
