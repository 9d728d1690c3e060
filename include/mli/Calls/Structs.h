// SPDX-License-Identifier: Apache-2.0
//
// The layout of the structs of the runtime, from the list in Structs.def.

#ifndef MLI_CALLS_STRUCTS_H
#define MLI_CALLS_STRUCTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mli::calls {

/// A value of an enumeration.
struct Enumerator {
  const char *name;
  int64_t value;
};

/// A member of a struct, or of one inside of it.
struct Member {
  enum class Kind {
    Integer,
    Enumerator, ///< one of `enumerators`
    Container,  ///< an `mli_data_container`
  };

  const char *path; ///< as C has it: "relu.type"
  Kind kind;
  int64_t offset; ///< in bytes, in a struct with pointers of 64 bits
  int64_t bytes;  ///< of one element
  int64_t count;  ///< of an array; 0 if it is none
  llvm::ArrayRef<Enumerator> enumerators;
};

struct Struct {
  const char *name;
  int64_t bytes;
  llvm::ArrayRef<Member> members;

  /// The index of the member `path`, which there is.
  size_t find(llvm::StringRef path) const;
};

/// The struct of type `T`, which is in Structs.def.
template <typename T>
const Struct &getStruct();

} // namespace mli::calls

#endif // MLI_CALLS_STRUCTS_H
