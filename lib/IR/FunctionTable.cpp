// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/FunctionTable.h"

#include "mli/Runtime/C/mli_api.h"

#include <cstring>

using namespace mlir;
using namespace mli;

/// Queries the runtime for all that is known of its tables.
static FunctionTable queryRuntime(const char *name, int32_t bytes,
                                  mli_status (*create)(mli_lut *)) {
  SmallVector<int16_t> entries(static_cast<size_t>(bytes) / sizeof(int16_t));
  FunctionTable table;
  std::memset(&table, 0, sizeof(table));
  table.create = name;
  table.bytes = bytes;
  table.fields.data.capacity = static_cast<uint32_t>(bytes);
  table.fields.data.mem.pi16 = entries.data();
  [[maybe_unused]] mli_status status = create(&table.fields);
  assert(status == MLI_STATUS_OK && "the memory is what it asks for");
  table.fields.data.mem.pi16 = nullptr;
  return table;
}

const FunctionTable &mli::getTable(LutFunction function) {
  switch (function) {
#define MLI_LUT(name, function)                                                \
  case LutFunction::function: {                                                \
    static const FunctionTable table = queryRuntime(                           \
        #name "_create_lut", name##_get_lut_size(), name##_create_lut);        \
    return table;                                                              \
  }
#include "mli/Runtime/C/api/mli_kernels.def"
  }
  llvm_unreachable("all functions are handled");
}

FunctionTable mli::getTable(LutFunction function, ShapedType type,
                            LutFormatAttr format) {
  FunctionTable table = getTable(function);
  if (!format)
    return table;
  auto length = static_cast<int32_t>(type.getDimSize(0));
  table.bytes = length * static_cast<int32_t>(sizeof(int16_t));
  table.fields.data.capacity = static_cast<uint32_t>(table.bytes);
  table.fields.length = length;
  table.fields.in_frac_bits = format.getInFracBits();
  table.fields.out_frac_bits =
      cast<Fx16Type>(type.getElementType()).getFracBits();
  table.fields.input_offset = format.getInputOffset();
  return table;
}

RankedTensorType FunctionTable::getType(MLIRContext *context) const {
  return RankedTensorType::get(fields.length,
                               Fx16Type::get(context, fields.out_frac_bits));
}
