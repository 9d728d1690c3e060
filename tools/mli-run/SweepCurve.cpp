// SPDX-License-Identifier: Apache-2.0
//
// The curve of a sweep as a picture.

#include "SweepReport.h"

#include "mli/Support/Svg.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mli;

namespace {

constexpr int width = 760, height = 440;
constexpr int left = 60, right = 730, top = 50, bottom = 380;

/// Maps numbers to pixels by their logarithms.
struct LogScale {
  int operator()(double value) const {
    return begin + static_cast<int>(std::lround((std::log2(value) - low) *
                                                (end - begin) / (high - low)));
  }

  double low, high;
  int begin, end;
};

/// A size that fits, and moved bytes over the least there are.
struct CurvePoint {
  int64_t npuBytes;
  double moved;
  /// What moves at least with so much memory.
  std::optional<double> bound;
};

class Curve {
public:
  explicit Curve(const SweepReport &report);

  void write(llvm::raw_ostream &os);

private:
  void add(const SweepPoint &point);
  void addText(int x, int y, std::string_view anchor, std::string_view text);
  void addLine(int x, int y, int toX, int toY, std::string_view color,
               std::string_view dashes = "");
  void addPolyline(std::string_view points, std::string_view color,
                   std::string_view dashes);
  void drawAxes();
  void drawCurves();

  const SweepReport &report;
  /// By size, ascending.
  std::vector<CurvePoint> points;
  LogScale x{}, y{};
  SvgWriter svg;
};

} // namespace

void Curve::add(const SweepPoint &point) {
  int64_t least = point.fits() ? point.memory->moveLimits.least : 0;
  if (least == 0)
    return;
  auto getRatio = [&](int64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(least);
  };
  CurvePoint added{point.npuBytes, getRatio(point.memory->getMovedBytes()), {}};
  if (std::optional<int64_t> bound = point.memory->moveLimits.bound)
    added.bound = getRatio(*bound);
  points.push_back(added);
}

Curve::Curve(const SweepReport &report) : report(report) {
  add(report.least);
  for (const SweepPoint &point : report.points)
    if (point.npuBytes != report.least.npuBytes)
      add(point);
  llvm::sort(points, [](const CurvePoint &one, const CurvePoint &other) {
    return one.npuBytes < other.npuBytes;
  });
  double lowest = 1, highest = 2;
  for (const CurvePoint &point : points) {
    lowest = std::min({lowest, point.moved, point.bound.value_or(1)});
    highest = std::max(highest, point.moved);
  }
  int64_t first = report.least.npuBytes, last = first;
  for (const SweepPoint &point : report.points) {
    first = std::min(first, point.npuBytes);
    last = std::max(last, point.npuBytes);
  }
  // Whole powers of two, so that both ends have a line.
  auto floor = [](double number) { return std::floor(std::log2(number)); };
  auto ceil = [](double number) { return std::ceil(std::log2(number)); };
  x = {floor(static_cast<double>(first)),
       std::max(ceil(static_cast<double>(last)),
                floor(static_cast<double>(first)) + 1),
       left, right};
  y = {floor(lowest), ceil(highest), bottom, top};
}

void Curve::addText(int x, int y, std::string_view anchor,
                    std::string_view text) {
  svg.add("text", {{"x", x}, {"y", y}, {"text-anchor", anchor}}, text);
  svg.append("\n");
}

void Curve::addLine(int x, int y, int toX, int toY, std::string_view color,
                    std::string_view dashes) {
  svg.add("line", {{"x1", x},
                   {"y1", y},
                   {"x2", toX},
                   {"y2", toY},
                   {"stroke", color},
                   {"stroke-dasharray", dashes}});
  svg.append("\n");
}

void Curve::addPolyline(std::string_view points, std::string_view color,
                        std::string_view dashes) {
  svg.add("polyline", {{"points", points},
                       {"fill", "none"},
                       {"stroke", color},
                       {"stroke-width", 2},
                       {"stroke-dasharray", dashes}});
  svg.append("\n");
}

/// `bytes`, a power of two, in few letters.
static std::string getShort(int64_t bytes) {
  constexpr int64_t kilo = 1024, mega = kilo * kilo;
  if (bytes % mega == 0)
    return std::to_string(bytes / mega) + "M";
  if (bytes % kilo == 0)
    return std::to_string(bytes / kilo) + "K";
  return std::to_string(bytes);
}

/// `number`, a power of two, in as many digits as it has.
static std::string getNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

/// A line at each power of two.
void Curve::drawAxes() {
  for (int power = static_cast<int>(x.low); power <= static_cast<int>(x.high);
       ++power) {
    int at = x(std::exp2(power));
    addLine(at, top, at, bottom, "#ddd");
    addText(at, bottom + 18, "middle", getShort(int64_t(1) << power));
  }
  for (int power = static_cast<int>(y.low); power <= static_cast<int>(y.high);
       ++power) {
    int at = y(std::exp2(power));
    addLine(left, at, right, at, "#ddd");
    addText(left - 8, at + 4, "end", getNumber(std::exp2(power)));
  }
  addText((left + right) / 2, bottom + 40, "middle",
          "bytes of local memory of each NPU");
}

void Curve::drawCurves() {
  std::string moved, bound;
  for (const CurvePoint &point : points) {
    std::string at = std::to_string(x(static_cast<double>(point.npuBytes)));
    moved += at + "," + std::to_string(y(point.moved)) + " ";
    if (point.bound)
      bound += at + "," + std::to_string(y(*point.bound)) + " ";
  }
  addPolyline(bound, "#999", "4 3");
  addPolyline(moved, "#1f6fb2", "");
  for (const CurvePoint &point : points) {
    svg.open("circle", {{"cx", x(static_cast<double>(point.npuBytes))},
                        {"cy", y(point.moved)},
                        {"r", 4},
                        {"fill", "#1f6fb2"}});
    svg.add("title", {},
            llvm::formatv("{0:N} bytes: {1:F3} times the least", point.npuBytes,
                          point.moved)
                .str());
    svg.close("circle");
    svg.append("\n");
  }
  int least = x(static_cast<double>(report.least.npuBytes));
  addLine(least, top, least, bottom, "#c33", "2 3");
  addText(
      least + 6, top + 12, "start",
      llvm::formatv("fits from {0:N} bytes on", report.least.npuBytes).str());
}

void Curve::write(llvm::raw_ostream &os) {
  svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                   {"width", width},
                   {"height", height},
                   {"font-family", "sans-serif"},
                   {"font-size", "12"}});
  svg.append("\n");
  svg.add("rect", {{"width", width}, {"height", height}, {"fill", "#fff"}});
  svg.append("\n");
  addText(left, 20, "start", report.model + " for " + report.target);
  addText(left, 38, "start",
          "moved bytes over the least there are; dashed: the bound");
  drawAxes();
  drawCurves();
  svg.close("svg");
  os << svg.str() << "\n";
}

void mli::writeSweepSvg(llvm::raw_ostream &os, const SweepReport &report) {
  Curve(report).write(os);
}
