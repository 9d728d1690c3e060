// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of a JSON object into variables.

#ifndef MLI_TOOLS_MLIGOLDEN_FIELDS_H
#define MLI_TOOLS_MLIGOLDEN_FIELDS_H

#include "llvm/Support/JSON.h"

namespace mli::golden {

/// A field and its variable; an optional one may be absent.
template <typename Value>
struct Field {
  Field(llvm::StringLiteral name, Value &value) : name(name), value(value) {}
  llvm::StringLiteral name;
  Value &value;
};
template <typename Value>
Field(llvm::StringLiteral, Value &) -> Field<Value>;

/// Reads all of them; false, with a report at `path`, if one cannot be read.
template <typename... Values>
bool readFields(const llvm::json::Value &object, llvm::json::Path path,
                const Field<Values> &...fields) {
  llvm::json::ObjectMapper map(object, path);
  return map && (... && map.map(fields.name, fields.value));
}

} // namespace mli::golden

#endif // MLI_TOOLS_MLIGOLDEN_FIELDS_H
