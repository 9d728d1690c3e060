// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Inspection.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mli;

llvm::MapVector<llvm::StringRef, unsigned> Inspection::countKernels() const {
  llvm::MapVector<llvm::StringRef, unsigned> counts;
  for (const InspectedOperator &op : operators)
    for (const std::string &kernel : op.kernels)
      ++counts[kernel];
  return counts;
}

int64_t mli::multiplyProducts(int64_t a, int64_t b) {
  return static_cast<int64_t>(
      std::min<uint64_t>(llvm::SaturatingMultiply<uint64_t>(a, b), INT64_MAX));
}

void mli::printInspection(llvm::raw_ostream &os, const Inspection &inspection,
                          llvm::StringRef file) {
  constexpr char format[] = "{0,4}  {1,-28}  {2,-44}  {3,12}  {4}\n";
  for (const std::string &port : inspection.ports)
    os << escapeLine(port) << "\n";
  os << llvm::formatv(format, "op", "operator", "gives", "MACs", "kernels");
  for (auto [i, op] : llvm::enumerate(inspection.operators))
    os << llvm::formatv(format, i, escapeLine(op.name), op.gives, op.products,
                        escapeLine(op.kernels.empty()
                                       ? op.reason
                                       : llvm::join(op.kernels, " ")));
  os << inspection.operators.size() << " operators, "
     << inspection.verdict.products << " MACs, " << inspection.constantBytes
     << " bytes of constants\nkernels:";
  for (const auto &[kernel, count] : inspection.countKernels())
    os << " " << kernel << " " << count;
  os << "\n";
  llvm::interleaveComma(inspection.states, os, [&](const auto &state) {
    os << state.second << " " << state.first;
  });
  os << "\n";
  printVerdict(os, inspection.verdict, file);
}

void mli::writeTotals(llvm::json::OStream &json, const Inspection &inspection) {
  json.attribute("macs", inspection.verdict.products);
  json.attribute("weights", inspection.constantBytes);
  json.attributeObject("kernels", [&] {
    for (const auto &[kernel, count] : inspection.countKernels())
      json.attribute(kernel, count);
  });
  json.attribute("runs", inspection.verdict.runs);
  json.attribute("covered", inspection.verdict.covered);
}

static void writeOperator(llvm::json::OStream &json,
                          const InspectedOperator &op) {
  json.object([&] {
    json.attribute("operator", llvm::json::fixUTF8(op.name));
    json.attribute("gives", llvm::json::fixUTF8(op.gives));
    json.attribute("macs", op.products);
    json.attributeArray("kernels", [&] {
      for (const std::string &kernel : op.kernels)
        json.value(kernel);
    });
    if (op.kernels.empty())
      json.attribute("reason", llvm::json::fixUTF8(op.reason));
  });
}

void mli::printInspectionJson(llvm::raw_ostream &os,
                              const Inspection &inspection) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attributeArray("operators", [&] {
      for (const InspectedOperator &op : inspection.operators)
        writeOperator(json, op);
    });
    writeTotals(json, inspection);
    json.attributeArray("blockers", [&] {
      for (const Verdict::Blocker &blocker : inspection.verdict.blockers)
        json.object([&] {
          json.attribute("what", llvm::json::fixUTF8(blocker.what));
          json.attribute("reason", llvm::json::fixUTF8(blocker.reason));
        });
    });
  });
  os << "\n";
}
