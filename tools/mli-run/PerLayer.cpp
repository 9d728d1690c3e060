// SPDX-License-Identifier: Apache-2.0

#include "PerLayer.h"

#include "Csv.h"

#include "mli/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

PerLayerFlag::PerLayerFlag(cl::OptionCategory &category)
    : cl::opt<std::string>(
          "per-layer", cl::ValueOptional,
          cl::desc("With --benchmark, what each layer takes on this host: as a "
                   "table or, by the file's name, as JSON or CSV"),
          cl::value_desc("FILE.json|FILE.csv"), cl::cat(category)) {}

static bool isJson(StringRef path) { return path.ends_with(".json"); }

llvm::Error PerLayerFlag::check(unsigned runs) const {
  if (getNumOccurrences() == 0)
    return llvm::Error::success();
  if (runs == 0)
    return llvm::createStringError("expected '--per-layer' with '--benchmark', "
                                   "but got no runs to measure");
  StringRef path = getValue();
  if (!path.empty() && !isJson(path) && !path.ends_with(".csv"))
    return llvm::createStringError("expected '--per-layer' to be a file that "
                                   "ends in .json or .csv, but got '" +
                                   path + "'");
  return llvm::Error::success();
}

std::optional<std::string> PerLayerFlag::getFile() const {
  return getNumOccurrences() > 0 ? std::optional(getValue()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {

struct Row {
  std::string name, shape, kernel, function;
  std::optional<int64_t> calls, products, bytes;
  double microseconds = 0;
};

/// The layers, what else a run takes, and the sum of both.
struct Report {
  std::vector<Row> layers, rest;
  Row total;

  double getShare(const Row &row) const {
    return total.microseconds > 0 ? 100 * row.microseconds / total.microseconds
                                  : 0;
  }
};

} // namespace

static std::optional<double> getRate(const Row &row) {
  if (row.products.value_or(0) == 0 || row.microseconds == 0)
    return std::nullopt;
  return static_cast<double>(*row.products) / row.microseconds * 1e6;
}

static std::string describeShape(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "scalar"
             : llvm::join(llvm::map_range(shape,
                                          [](int64_t size) {
                                            return size < 0
                                                       ? std::string("?")
                                                       : std::to_string(size);
                                          }),
                          "x");
}

static Row makeRow(const RunLayer &layer, const LayerTimes &times) {
  Row row;
  row.name = layer.name;
  row.shape = describeShape(layer.shape);
  row.kernel = layer.kernel;
  row.function = times.function;
  row.calls = layer.calls;
  row.products = layer.work.products;
  row.bytes = layer.work.bytes;
  row.microseconds = times.microseconds;
  return row;
}

/// The calls that no layer makes, as of transfers.
static std::vector<Row> makeOtherCalls(const Report &report,
                                       const BenchmarkResult &result) {
  std::vector<Row> rows;
  for (const CallTimes &call : result.calls) {
    bool isLayer = llvm::any_of(report.layers, [&](const Row &row) {
      return row.function == call.function;
    });
    if (isLayer)
      continue;
    Row row;
    row.name = row.function = call.function;
    row.calls = call.calls;
    row.microseconds = call.microseconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

static Report makeReport(const MeasuredRun &run) {
  const BenchmarkResult &result = run.result;
  Report report;
  LayerWork work;
  for (auto [layer, times] :
       llvm::zip_equal(run.function.layers->layers, result.layers)) {
    report.layers.push_back(makeRow(layer, times));
    work += layer.work;
  }
  report.rest = makeOtherCalls(report, result);
  double calls = 0;
  for (const Row &row : llvm::concat<const Row>(report.layers, report.rest))
    calls += row.microseconds;
  Row checks, between, &total = report.total;
  checks.name = "checks of parameters";
  checks.microseconds = result.checks;
  between.name = "between calls";
  between.microseconds =
      std::max(result.processor - result.checks - calls, 0.0);
  report.rest.insert(report.rest.end(), {checks, between});
  total.name = "total";
  total.calls = 0;
  total.products = work.products;
  total.bytes = work.bytes;
  for (const Row &row : llvm::concat<const Row>(report.layers, report.rest)) {
    total.microseconds += row.microseconds;
    // Checks, and what is between calls, have none.
    *total.calls += row.calls.value_or(0);
  }
  return report;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string print(std::optional<int64_t> number) {
  return number ? llvm::formatv("{0:N}", *number).str() : "";
}

static std::vector<std::string> makeCells(const Report &report,
                                          const Row &row) {
  std::optional<double> rate = getRate(row);
  return {row.name,
          row.shape,
          row.kernel,
          row.function,
          print(row.calls),
          print(row.products),
          print(row.bytes),
          llvm::formatv("{0:F2}", row.microseconds),
          rate ? llvm::formatv("{0:F3}", *rate * 1e-9).str() : "",
          llvm::formatv("{0:F1}%", report.getShare(row))};
}

void mli::printLayerTable(llvm::raw_ostream &os, const MeasuredRun &run) {
  Report report = makeReport(run);
  constexpr auto text = TextTable::Kind::Text;
  TextTable table({{"layer", text},
                   {"result", text},
                   {"kernel", text},
                   {"function", text},
                   {"calls"},
                   {"products"},
                   {"bytes"},
                   {"us"},
                   {"10^9/s"},
                   {"share"}});
  for (const Row &row : llvm::concat<const Row>(report.layers, report.rest))
    table.add(makeCells(report, row));
  table.add(makeCells(report, report.total));
  os << "layers, times of this host: medians of " << run.runs << " runs\n";
  table.print(os);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeRow(llvm::json::OStream &json, const Report &report,
                     const Row &row, const RunLayer *layer) {
  json.attribute("name", llvm::json::fixUTF8(row.name));
  if (layer) {
    json.attributeArray("shape", [&] {
      for (int64_t size : layer->shape)
        json.value(size);
    });
    json.attribute("kernel", row.kernel);
  }
  if (!row.function.empty())
    json.attribute("function", row.function);
  if (row.calls)
    json.attribute("calls", *row.calls);
  if (layer || &row == &report.total) {
    json.attribute("products", row.products);
    json.attribute("bytes", row.bytes);
    json.attribute("products_per_second", getRate(row));
  }
  json.attribute("us", row.microseconds);
  json.attribute("share", report.getShare(row));
}

static void writeJson(llvm::raw_ostream &os, const Report &report,
                      const MeasuredRun &run) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("function", llvm::json::fixUTF8(run.function.name));
    json.attribute("time", "this host");
    json.attribute("runs", run.runs);
    json.attribute("latency_us", run.result.median);
    json.attributeArray("layers", [&] {
      for (auto [row, layer] :
           llvm::zip_equal(report.layers, run.function.layers->layers))
        json.object([&, &row = row, &layer = layer] {
          writeRow(json, report, row, &layer);
        });
    });
    json.attributeArray("rest", [&] {
      for (const Row &row : report.rest)
        json.object([&] { writeRow(json, report, row, nullptr); });
    });
    json.attributeObject(
        "total", [&] { writeRow(json, report, report.total, nullptr); });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

static void writeLine(llvm::raw_ostream &os, StringRef kind,
                      const Report &report, const Row &row) {
  auto number = [](std::optional<int64_t> value) {
    return value ? std::to_string(*value) : "";
  };
  std::optional<double> rate = getRate(row);
  os << kind << "," << quoteCsv(row.name) << "," << row.shape << ","
     << row.kernel << "," << row.function << "," << number(row.calls) << ","
     << number(row.products) << "," << number(row.bytes) << ","
     << llvm::formatv("{0:F3},", row.microseconds)
     << (rate ? llvm::formatv("{0:F0}", *rate).str() : "")
     << llvm::formatv(",{0:F4}\n", report.getShare(row));
}

static void writeCsv(llvm::raw_ostream &os, const Report &report) {
  os << "kind,name,shape,kernel,function,calls,products,bytes,us,"
        "products_per_second,share\n";
  for (const Row &row : report.layers)
    writeLine(os, "layer", report, row);
  for (const Row &row : report.rest)
    writeLine(os, "rest", report, row);
  writeLine(os, "total", report, report.total);
}

void mli::writeLayerFile(llvm::raw_ostream &os, StringRef path,
                         const MeasuredRun &run) {
  Report report = makeReport(run);
  if (isJson(path))
    writeJson(os, report, run);
  else
    writeCsv(os, report);
}
