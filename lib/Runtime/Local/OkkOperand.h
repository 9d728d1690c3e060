// SPDX-License-Identifier: Apache-2.0
//
// An operand of an OKK instruction, checked: local and system memory alike, the
// latter as that of one NPU.

#ifndef MLI_LIB_RUNTIME_LOCAL_OKKOPERAND_H
#define MLI_LIB_RUNTIME_LOCAL_OKKOPERAND_H

#include "Runtime/Local/OkkCall.h"
#include "Runtime/Local/Parallel.h"
#include "mli/Layout/ElementMap.h"

namespace mli::rt {

/// Memory that an instruction reaches.
enum class Space { System, Local };

/// The description of an operand in an instruction.
struct OperandSpec {
  Space space;
  uint64_t address;
  /// Null for the layout that the space has by default.
  const dim4 *stride;
};

class Operand {
public:
  enum Role { Destination, Source };

  Operand(Role role, const OperandSpec &spec) : role(role), spec(spec) {}

  /// Finds the elements of `shape`, which is within the limits. Reports the
  /// first rule that is broken.
  bool resolve(OkkCall &call, Engine engine, const layout::Dims &shape,
               int64_t bytes);

  /// The same of a matrix in its layout, of 32-bit elements.
  bool resolveMatrix(OkkCall &call, const layout::Dims &shape, int64_t columns);

  /// All below is of resolved operands.

  /// Notes that `engine` uses it. Reports what the other engine must not use
  /// meanwhile.
  bool use(OkkCall &call, Engine engine) const;
  const layout::Dims &shape() const { return layout.shape; }
  uint8_t *elementAt(const layout::Dims &index) const;
  int64_t startNpu() const { return layout.startNpu; }
  int64_t wStrideBytes() const {
    return layout.strides.w * layout.elementBytes;
  }
  /// False if no element of either can overlap one of the other.
  bool mayMeet(const Operand &other) const;
  /// Nothing if the element at `index`, if there is one, overlaps none of
  /// `dst`.
  std::optional<layout::Violation> checkNoAlias(const layout::Dims &index,
                                                const Operand &dst) const;
  const char *name() const { return role == Destination ? "dst" : "src"; }

private:
  bool place(OkkCall &call, Engine engine);
  bool checkPlace(OkkCall &call);
  bool setStrides(OkkCall &call, Engine engine);
  const char *strideName(char dim) const;
  int64_t addressAt(const layout::Dims &index) const;
  layout::ByteContent getContent(const uint8_t *byte) const;

  Role role;
  OperandSpec spec;
  layout::TensorLayout layout;
  uint8_t *base = nullptr;
};

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_LOCAL_OKKOPERAND_H
