// SPDX-License-Identifier: Apache-2.0

#include "SweepReport.h"

#include "Csv.h"

#include "mli/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mli;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

/// `moved` over `bytes`; no number if there are none.
static std::string getRatio(int64_t moved, std::optional<int64_t> bytes) {
  if (!bytes || *bytes == 0)
    return "-";
  return formatv("{0:F3}",
                 static_cast<double>(moved) / static_cast<double>(*bytes));
}

/// Why there is no smaller size, or why the network does not fit this one.
static std::string explain(const SweepPoint &point) {
  const std::optional<SweepPoint::Need> &binding = point.binding;
  bool isTooLarge = binding && binding->npuBytes > point.npuBytes;
  if (!point.fits() && !isTooLarge)
    return point.reason;
  if (!binding)
    return "-";
  return formatv("{0:N} for {1}", binding->npuBytes, binding->kernel);
}

void mli::printSweep(llvm::raw_ostream &os, const SweepReport &report) {
  TextTable table({{"bytes"},
                   {"fits"},
                   {"moved"},
                   {"of least"},
                   {"of bound"},
                   {"cost"},
                   {"arena"},
                   {"binding", TextTable::Kind::Text}});
  for (const SweepPoint &point : report.points) {
    std::string size = formatv("{0:N}", point.npuBytes);
    if (!point.fits()) {
      table.add({size, "no", "-", "-", "-", "-", "-", explain(point)});
      continue;
    }
    const MemoryStatistics &memory = *point.memory;
    int64_t moved = memory.getMovedBytes();
    table.add({size, "yes", formatv("{0:N}", moved),
               getRatio(moved, memory.moveLimits.least),
               getRatio(moved, memory.moveLimits.bound),
               formatv("{0:N}", std::llround(memory.getCost())),
               formatv("{0:N}", memory.arenaBytes), explain(point)});
  }
  table.print(os);
  os << formatv("fits from {0:N} bytes of each NPU on", report.least.npuBytes);
  if (report.binding)
    os << "; binding: " << report.binding->kernel;
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void mli::writeSweepCsv(llvm::raw_ostream &os, const SweepReport &report) {
  os << "npu_bytes,fits,moved_bytes,least_bytes,bound_bytes,cost,arena_bytes,"
        "local_bytes,binding_bytes,binding,reason\n";
  for (const SweepPoint &point : report.points) {
    os << point.npuBytes << "," << (point.fits() ? "yes" : "no") << ",";
    if (point.fits()) {
      const MemoryStatistics &memory = *point.memory;
      os << memory.getMovedBytes() << "," << memory.moveLimits.least << ",";
      if (memory.moveLimits.bound)
        os << *memory.moveLimits.bound;
      os << "," << std::llround(memory.getCost()) << "," << memory.arenaBytes
         << "," << memory.localBytes << ",";
    } else {
      os << ",,,,,,";
    }
    if (point.binding)
      os << point.binding->npuBytes << "," << quoteCsv(point.binding->kernel);
    else
      os << ",";
    os << "," << quoteCsv(point.reason) << "\n";
  }
}

static void writeBinding(llvm::json::OStream &json,
                         const std::optional<SweepPoint::Need> &binding) {
  if (!binding)
    return;
  json.attributeObject("binding", [&] {
    json.attribute("kernel", binding->kernel);
    json.attribute("npu_bytes", binding->npuBytes);
  });
}

static void writePoint(llvm::json::OStream &json, const SweepPoint &point) {
  json.attribute("npu_bytes", point.npuBytes);
  json.attribute("fits", point.fits());
  writeBinding(json, point.binding);
  if (!point.fits()) {
    json.attribute("reason", point.reason);
    return;
  }
  const MemoryStatistics &memory = *point.memory;
  json.attribute("moved_bytes", memory.getMovedBytes());
  json.attribute("least_bytes", memory.moveLimits.least);
  if (memory.moveLimits.bound)
    json.attribute("bound_bytes", *memory.moveLimits.bound);
  json.attribute("cost", std::llround(memory.getCost()));
  json.attribute("arena_bytes", memory.arenaBytes);
  json.attribute("local_bytes", memory.localBytes);
}

void mli::writeSweepJson(llvm::raw_ostream &os, const SweepReport &report) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("model", llvm::json::fixUTF8(report.model));
    json.attribute("target", report.target);
    json.attributeObject("least", [&] {
      json.attribute("npu_bytes", report.least.npuBytes);
      writeBinding(json, report.binding);
    });
    json.attributeArray("sizes", [&] {
      for (const SweepPoint &point : report.points)
        json.object([&] { writePoint(json, point); });
    });
  });
  os << "\n";
}
