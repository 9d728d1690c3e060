// SPDX-License-Identifier: Apache-2.0

#include "mli/Calls/Structs.h"

#include "mli/Runtime/C/mli_packed.h"

#include <cstddef>
#include <type_traits>
#include <utility>

using namespace mli;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

template <typename T>
static constexpr llvm::ArrayRef<Enumerator> enumerators = {};
template <typename T>
static constexpr bool isListed = !std::is_enum_v<T>;

#define MLI_ENUM(type) static constexpr Enumerator names_of_##type[] = {
#define MLI_ENUMERATOR(type, name) {#name, name},
#define MLI_ENUM_END(type)                                                     \
  }                                                                            \
  ;                                                                            \
  template <>                                                                  \
  constexpr llvm::ArrayRef<Enumerator> enumerators<type> = names_of_##type;    \
  template <>                                                                  \
  constexpr bool isListed<type> = true;
#include "mli/Calls/Structs.def"

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

template <typename T>
static constexpr Member makeMember(const char *path, int64_t offset) {
  static_assert(isListed<T>, "the enumeration is not in Structs.def");
  using Element = std::remove_extent_t<T>;
  Member::Kind kind = Member::Kind::Integer;
  if (std::is_same_v<T, mli_data_container>)
    kind = Member::Kind::Container;
  else if (std::is_enum_v<T>)
    kind = Member::Kind::Enumerator;
  return {path,
          kind,
          offset,
          static_cast<int64_t>(sizeof(Element)),
          static_cast<int64_t>(std::extent_v<T>),
          enumerators<T>};
}

/// Whether `members` are all of a struct: between them, and behind the last, is
/// nothing but padding.
template <size_t N>
static constexpr bool coverStruct(const Member (&members)[N], size_t bytes) {
  int64_t end = 0;
  for (const Member &member : members) {
    int64_t alignment =
        member.kind == Member::Kind::Container ? 8 : member.bytes;
    if (member.offset != (end + alignment - 1) / alignment * alignment)
      return false;
    end = member.offset + member.bytes * (member.count == 0 ? 1 : member.count);
  }
  return end == static_cast<int64_t>(bytes);
}

// R3, R5, R17
#define MLI_STRUCT(type) static constexpr Member members_of_##type[] = {
#define MLI_MEMBER(type, path)                                                 \
  makeMember<decltype(std::declval<type &>().path)>(#path,                     \
                                                    offsetof(type, path)),
#define MLI_STRUCT_END(type)                                                   \
  }                                                                            \
  ;                                                                            \
  static_assert(coverStruct(members_of_##type, sizeof(type)));                 \
  template <>                                                                  \
  const Struct &calls::getStruct<type>() {                                     \
    static constexpr Struct description = {#type, sizeof(type),                \
                                           members_of_##type};                 \
    return description;                                                        \
  }
#include "mli/Calls/Structs.def"

size_t Struct::find(llvm::StringRef path) const {
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].path == path)
      return i;
  llvm_unreachable("the struct has no such member");
}
