// SPDX-License-Identifier: Apache-2.0

#include "CallWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace llvm;

namespace mli::golden {

/// Memory of vectors that claim the largest capacities is filled; programs have
/// so much of the filling.
static constexpr size_t fillingBytes = 64;
static constexpr size_t largestMemory = 1 << 16;

/// How many bytes of memory a program has.
static size_t writtenBytes(ArrayRef<uint8_t> before, ArrayRef<uint8_t> after) {
  size_t size = before.size();
  if (size <= largestMemory)
    return size;
  while (size > 0 && before[size - 1] == before.back() &&
         after[size - 1] == before.back())
    --size;
  return std::min(size + fillingBytes, before.size());
}

void CallWriter::addMemory(const std::string &name, const void *bytes,
                           size_t size, bool isCompared) {
  const auto *first = static_cast<const uint8_t *>(bytes);
  memories.push_back({name, first, {first, first + size}, isCompared});
}

void CallWriter::addTensor(const std::string &name, const mli_tensor &tensor) {
  tensors.push_back({name, &tensor});
}

std::string CallWriter::declare(const std::string &type,
                                const std::string &name,
                                const std::string &value) {
  declarations += "    " + type + " " + name + " = " + value + ";\n";
  return name;
}

std::string CallWriter::write(const mli_tensor *tensor) {
  if (!tensor)
    return "NULL";
  auto it = find_if(tensors, [&](const Written<mli_tensor> &written) {
    return written.value == tensor;
  });
  assert(it != tensors.end() && "a tensor that nobody named");
  if (!it->isUsed)
    declare("mli_tensor", it->name, initializer(*tensor));
  it->isUsed = true;
  return "&" + it->name;
}

std::string CallWriter::writeLut(const std::string &name, const mli_lut &lut) {
  luts.push_back({name, &lut, /*isUsed=*/true});
  return "&" + declare("mli_lut", name, initializer(lut));
}

std::string CallWriter::writeBytes(const void *bytes, size_t size) {
  std::string name = formatv("argument{0}", unnamed++);
  addMemory(name, bytes, size);
  memories.back().isUsed = true;
  return "(void *)" + name;
}

std::string CallWriter::container(const mli_data_container &container) {
  std::string value = "{0}";
  const auto *address = reinterpret_cast<const uint8_t *>(container.mem.pi8);
  auto it = find_if(memories, [&](const Memory &memory) {
    return address >= memory.bytes &&
           address <= memory.bytes + memory.before.size();
  });
  if (it != memories.end()) {
    it->isUsed = true;
    std::ptrdiff_t offset = address - it->bytes;
    value = "{.pi8 = " + it->name +
            (offset == 0 ? "" : " + " + std::to_string(offset)) + "}";
  } else if (address) {
    assert(isUInt<32>(reinterpret_cast<uintptr_t>(address)) &&
           "a pointer to memory that nobody named");
    value = formatv("{{.i32 = {0}}", container.mem.i32);
  }
  return formatv("{{{0}, {1}}", container.capacity, value);
}

std::string CallWriter::initializer(const mli_tensor &tensor) {
  auto list = [](const auto &values) {
    return "{" +
           join(map_range(values, [](auto value) { return itostr(value); }),
                ", ") +
           "}";
  };
  const auto &sa = tensor.el_params.sa;
  // All bytes of the union, whatever it is used as: the type has those of
  // frac_bits.
  std::string params =
      formatv("{{.sa = {{(mli_el_param_type){0}, {1}, {2}, {3}, {4}}}",
              int{sa.type}, container(sa.zero_point), container(sa.scale),
              sa.dim, container(sa.scale_frac_bits));
  return formatv("{{{0}, {1}, {2}, {3}, (mli_element_type){4}, {5}}",
                 container(tensor.data), list(tensor.mem_stride),
                 list(tensor.shape), tensor.rank, int{tensor.el_type}, params);
}

std::string CallWriter::initializer(const mli_lut &lut) {
  return formatv("{{{0}, (mli_element_type){1}, {2}, {3}, {4}, {5}, {6}}",
                 container(lut.data), int{lut.type}, lut.length,
                 lut.in_frac_bits, lut.out_frac_bits, lut.input_offset,
                 lut.output_offset);
}

std::string CallWriter::callText(const char *function,
                                 const std::vector<std::string> &arguments) {
  return function + ("(" + join(arguments, ", ")) + ")";
}

void CallWriter::finish(const std::string &call, bool isSuccess) {
  std::string checks;
  auto check = [&](const auto &all, const char *kind) {
    for (const auto &written : all)
      if (written.isUsed && isSuccess)
        checks += formatv("    golden_{0}(\"{1}\", &(mli_{0}){2}, &{1});\n",
                          kind, written.name, initializer(*written.value));
  };
  check(tensors, "tensor");
  check(luts, "lut");
  std::string memory;
  for (const Memory &used : memories) {
    if (!used.isUsed)
      continue;
    ArrayRef<uint8_t> before = used.before;
    ArrayRef<uint8_t> after(used.bytes, before.size());
    size_t size = writtenBytes(before, after);
    before = before.take_front(size);
    after = after.take_front(size);
    bool isFilled = all_equal(before);
    memory += formatv("    int8_t *{0} = golden_{1}({2}, {3});\n", used.name,
                      isFilled ? "filled" : "copied",
                      isFilled ? itostr(before.empty() ? 0 : before.front())
                               : programs.constant(before),
                      before.size());
    if (isSuccess && used.isCompared)
      checks += formatv("    golden_bytes(\"{0}\", {1}, {0}, {2});\n",
                        used.name, programs.constant(after), after.size());
  }
  body += "  {\n" + memory + declarations + "    " + call + ";\n" + checks +
          "  }\n";
  memories.clear();
  tensors.clear();
  luts.clear();
  declarations.clear();
}

} // namespace mli::golden
