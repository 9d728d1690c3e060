// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_IR_MLIBYTECODE_H
#define MLI_LIB_IR_MLIBYTECODE_H

namespace mli {

class MLIDialect;

/// The version of what follows in a file; a larger one is not understood.
struct BytecodeVersion : mlir::DialectVersion {
  static constexpr uint64_t current = 2;
  /// From here on kernels have formats of tables.
  static constexpr uint64_t lutFormats = 2;

  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Adds how types and attributes are written as bytecode: as numbers, and under
/// a version, so that what is written today can be read later.
void addBytecodeInterface(MLIDialect *dialect);

} // namespace mli

#endif // MLI_LIB_IR_MLIBYTECODE_H
