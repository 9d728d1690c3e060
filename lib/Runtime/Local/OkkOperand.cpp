// SPDX-License-Identifier: Apache-2.0

#include "Runtime/Local/OkkOperand.h"

#include "Layout/Saturating.h"
#include "Runtime/Local/LocalMemory.h"

#include <algorithm>
#include <cstdio>

namespace mli::rt {

using layout::Dims;
using layout::Kind;
using layout::Location;
using layout::Result;
using layout::Violation;

const char *Operand::strideName(char dim) const {
  static constexpr const char *names[2][4] = {
      {"dst_stride.n", "dst_stride.c", "dst_stride.h", "dst_stride.w"},
      {"src_stride.n", "src_stride.c", "src_stride.h", "src_stride.w"}};
  const char *const *mine = names[role == Source];
  return mine[dim == 'n' ? 0 : dim == 'c' ? 1 : dim == 'h' ? 2 : 3];
}

/// Space and address.
// L30
bool Operand::place(OkkCall &call, Engine engine) {
  if (spec.space == Space::System) {
    base = okk_global_mem_addr(spec.address);
    // No limit but that of addresses.
    layout.target = {1, INT64_MAX, 1, 1, 1};
    if (!call.checkNotNull(name(), base))
      return false;
    return call.check(MLI_STATUS_MISALIGNMENT_ERROR,
                      layout::checkDivisible(name(),
                                             static_cast<int64_t>(spec.address),
                                             layout.elementBytes));
  }
  if (!call.checkMemory())
    return false;
  base = localMemory();
  layout.target = localTarget();
  auto address = static_cast<int64_t>(spec.address);
  Result<Location> first = layout::splitAddress(address, layout.target);
  if (!first) {
    Violation problem = first.violation();
    problem.parameter = name();
    return call.check(MLI_STATUS_NOT_ENGH_MEM, problem);
  }
  layout.startNpu = first->npu;
  layout.offset = first->offset;
  int64_t alignment = 4;
  if (engine == Engine::Gdma)
    alignment = std::max(alignment, layout.target.dmaAlignment);
  if (layout.kind == Kind::Aligned || layout.kind == Kind::Matrix)
    alignment = std::max(alignment, layout.target.unit);
  return call.check(MLI_STATUS_MISALIGNMENT_ERROR,
                    layout::checkDivisible(name(), address, alignment));
}

// L27, L28
bool Operand::setStrides(OkkCall &call, Engine engine) {
  if (!spec.stride) {
    Result<layout::Dims> strides = layout::closedFormStrides(layout);
    if (strides)
      layout.strides = *strides;
    else
      return call.check(MLI_STATUS_NOT_ENGH_MEM, strides.violation());
    return true;
  }
  const dim4 &stride = *spec.stride;
  layout.strides = {stride.n, stride.c, stride.h, stride.w};
  for (auto [dim, value] : {std::pair('n', stride.n), std::pair('c', stride.c),
                            std::pair('h', stride.h), std::pair('w', stride.w)})
    if (!call.checkRange(strideName(dim), value, 0, INT32_MAX))
      return false;
  if (engine == Engine::Gdma && stride.w != 1)
    return call.check(MLI_STATUS_ARGUMENT_ERROR,
                      Violation{strideName('w'), "be", 1, stride.w});
  return true;
}

/// Checks that elements end in memory and do not overlap in a destination.
// L22, L25
bool Operand::checkPlace(OkkCall &call) {
  std::optional<Violation> apart;
  if (role == Destination)
    apart = layout::verifyStrides(layout);
  if (apart)
    apart->parameter = strideName(*apart->parameter);
  if (!call.check(MLI_STATUS_ARGUMENT_ERROR, apart))
    return false;
  int64_t bytes = layout::bytesPerNpu(layout);
  int64_t most = layout.target.npuBytes - layout.offset;
  if (bytes <= most)
    return true;
  return call.check(MLI_STATUS_NOT_ENGH_MEM,
                    Violation{name(), "end after at most", most, bytes,
                              " bytes of local memory from its offset on"});
}

bool Operand::resolve(OkkCall &call, Engine engine, const layout::Dims &shape,
                      int64_t bytes) {
  layout.shape = shape;
  layout.elementBytes = bytes;
  layout.kind = spec.stride                   ? Kind::Strided
                : spec.space == Space::System ? Kind::Continuous
                                              : Kind::Aligned;
  return place(call, engine) && setStrides(call, engine) && checkPlace(call);
}

// L33
bool Operand::resolveMatrix(OkkCall &call, const layout::Dims &shape,
                            int64_t columns) {
  layout.shape = shape;
  layout.elementBytes = 4;
  layout.kind = Kind::Matrix;
  layout.matrixColumns = columns;
  return place(call, Engine::Gdma) && setStrides(call, Engine::Gdma) &&
         checkPlace(call);
}

// L41
bool Operand::use(OkkCall &call, Engine engine) const {
  if (spec.space != Space::Local)
    return true;
  std::optional<int64_t> common =
      useInParallel(layout, engine, role == Destination);
  if (!common)
    return true;
  char text[256];
  std::snprintf(text, sizeof(text),
                "expected '%s' to share no byte with what the other engine "
                "uses, where one of both writes, but got address %lld",
                name(), static_cast<long long>(*common));
  return call.reject(MLI_STATUS_ARGUMENT_ERROR, text);
}

uint8_t *Operand::elementAt(const layout::Dims &index) const {
  return base +
         layout::getAddress(layout::locate(layout, index), layout.target);
}

/// Formats an operand as the caller would spell it: a local address or a
/// pointer.
int64_t Operand::addressAt(const Dims &index) const {
  int64_t address =
      layout::getAddress(layout::locate(layout, index), layout.target);
  if (spec.space == Space::Local)
    return address;
  return static_cast<int64_t>(spec.address) + address;
}

/// The element of the operand at a byte of the host.
layout::ByteContent Operand::getContent(const uint8_t *byte) const {
  int64_t distance =
      reinterpret_cast<intptr_t>(byte) - reinterpret_cast<intptr_t>(base);
  Location location = {0, distance};
  if (spec.space == Space::Local) {
    Result<Location> place = layout::splitAddress(distance, layout.target);
    location = place ? *place : Location{-1, 0};
  }
  return layout::contentAt(layout, location);
}

bool Operand::mayMeet(const Operand &other) const {
  bool areLocal =
      spec.space == Space::Local && other.spec.space == Space::Local;
  // Offsets if both are in local memory; else bytes of the host, where a local
  // operand may be anywhere in local memory.
  auto getRange = [areLocal](const Operand &operand) {
    const layout::TensorLayout &layout = operand.layout;
    int64_t begin =
        areLocal ? layout.offset : reinterpret_cast<intptr_t>(operand.base);
    bool isAnywhere = operand.spec.space == Space::Local && !areLocal;
    int64_t bytes =
        isAnywhere ? layout.target.totalBytes() : layout::bytesPerNpu(layout);
    return std::pair(begin, layout::add(begin, bytes));
  };
  auto [begin, end] = getRange(*this);
  auto [otherBegin, otherEnd] = getRange(other);
  return begin < otherEnd && otherBegin < end;
}

// L39
std::optional<Violation> Operand::checkNoAlias(const Dims &index,
                                               const Operand &dst) const {
  if (!layout::hasElement(layout, index))
    return std::nullopt;
  // As elements have one size, the first or the last byte is in both.
  const uint8_t *first = elementAt(index);
  for (const uint8_t *byte : {first, first + layout.elementBytes - 1}) {
    layout::ByteContent content = dst.getContent(byte);
    if (content.content == layout::Content::Element)
      return Violation{name(), "be apart from the element of dst at",
                       dst.addressAt(content.index), addressAt(index)};
  }
  return std::nullopt;
}

} // namespace mli::rt
