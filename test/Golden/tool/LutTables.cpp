// SPDX-License-Identifier: Apache-2.0
//
// The tables of the create_lut functions.

#include "Runner.h"

#include "mli/Runtime/C/api/mli_kernels_api.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace llvm;

namespace mli::golden {

namespace {
struct LutFunctions {
  const char *name;
  int32_t (*size)();
  mli_status (*create)(mli_lut *);
};
} // namespace

static constexpr LutFunctions lutFunctions[] = {
#define MLI_LUT(name, function) {#name, name##_get_lut_size, name##_create_lut},
#include "mli/Runtime/C/api/mli_kernels.def"
};

static Differences compareLut(const LutSpec &spec,
                              const LutFunctions &functions,
                              CallWriter *writer) {
  Differences differences;
  auto compare = [&](const char *name, int64_t expected, int64_t got) {
    if (got != expected)
      differences.push_back(
          formatv("{0}: expected {1}, but got {2}", name, expected, got));
  };
  std::string name = functions.name;
  compare(
      "get_lut_size", spec.size,
      callWritten(writer, (name + "_get_lut_size").c_str(), functions.size));
  Buffer buffer;
  buffer.allocate(functions.size(), 0);
  mli_lut lut;
  std::memset(&lut, 0, sizeof(lut));
  lut.data.capacity = static_cast<uint32_t>(buffer.size());
  lut.data.mem.pi8 = reinterpret_cast<int8_t *>(buffer.data());
  if (writer)
    writer->addMemory("values", buffer.data(), buffer.size());
  compare("status", MLI_STATUS_OK,
          callWritten(writer, (name + "_create_lut").c_str(), functions.create,
                      &lut));
  compare("type", spec.type, lut.type);
  compare("length", spec.length, lut.length);
  compare("in_frac_bits", spec.inFracBits, lut.in_frac_bits);
  compare("out_frac_bits", spec.outFracBits, lut.out_frac_bits);
  compare("input_offset", spec.inputOffset, lut.input_offset);
  compare("output_offset", spec.outputOffset, lut.output_offset);
  compare("data_capacity_after", spec.capacityAfter, lut.data.capacity);
  compare("entries", static_cast<int64_t>(spec.data.size()), lut.length);
  if (!differences.empty())
    return differences;
  for (size_t i = 0; i < spec.data.size(); ++i)
    compare(formatv("entry {0}", i).str().c_str(), spec.data[i],
            lut.data.mem.pi16[i]);
  if (!buffer.isIntact())
    differences.emplace_back("bytes outside of the table were written");
  return differences;
}

Error runLutTables(StringRef file, const std::vector<LutSpec> &luts,
                   Totals &totals, CPrograms *programs) {
  for (const LutSpec &lut : luts) {
    const auto *functions =
        find_if(lutFunctions, [&](const LutFunctions &candidate) {
          return "mli_krn_" + lut.name == candidate.name;
        });
    if (functions == std::end(lutFunctions)) {
      ++totals.skipped;
      totals.missing.insert("mli_krn_" + lut.name + "_create_lut");
      continue;
    }
    for (const char *suffix : {"_get_lut_size", "_create_lut"})
      totals.called.insert(functions->name + std::string(suffix));
    CaseWriter writer(programs);
    Differences differences = compareLut(lut, *functions, writer);
    writer.add(lut.name, differences);
    totals.count(file, lut.name, differences);
  }
  return Error::success();
}

} // namespace mli::golden
