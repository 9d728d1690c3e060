// SPDX-License-Identifier: Apache-2.0

#include "mli/Allocation/Picture.h"

#include "mli/Support/Svg.h"

#include <algorithm>
#include <limits>

namespace mli::allocation {

namespace {

constexpr int64_t width = 1200, height = 600, margin = 24;
constexpr int64_t panelHeight = height + margin;

/// Maps [low, high) to [0, pixels), in integers so that it is the same
/// everywhere.
struct Scale {
  int64_t low, high;
  int64_t pixels;

  int64_t operator()(int64_t value) const {
    auto span = __int128(std::max<int64_t>(high - low, 1));
    return int64_t((__int128(value) - low) * pixels / span);
  }
};

class Picture {
public:
  Picture(const Problem &theProblem, const Plan &thePlan,
          const std::vector<std::string> &theNames)
      : problem(theProblem), plan(thePlan), names(theNames), x(timeScale()),
        y{0, std::max(problem.memory.capacity.value_or(0), plan.peak), height} {
  }

  PlanPicture draw();

private:
  Scale timeScale() const;
  bool covers(size_t buffer, int32_t npu) const;
  bool differs(int32_t npu) const;
  void drawPanel(int64_t base, int32_t npu);
  void drawBuffer(int64_t base, size_t i);

  const Problem &problem;
  const Plan &plan;
  const std::vector<std::string> &names;
  Scale x, y;
  SvgWriter svg;
};

} // namespace

Scale Picture::timeScale() const {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  for (const Buffer &buffer : problem.buffers) {
    first = std::min(first, buffer.live.lower);
    last = std::max(last, buffer.live.upper);
  }
  return {first, last, width};
}

bool Picture::covers(size_t buffer, int32_t npu) const {
  int32_t npus = problem.memory.npus;
  return (npu - plan.placements[buffer].startNpu + npus) % npus <
         problem.buffers[buffer].npuSpan;
}

/// Whether an NPU holds something else than the one before it.
bool Picture::differs(int32_t npu) const {
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (covers(i, npu) != covers(i, npu - 1))
      return true;
  return false;
}

void Picture::drawBuffer(int64_t base, size_t i) {
  const Buffer &buffer = problem.buffers[i];
  const Placement &place = plan.placements[i];
  int64_t top = y(place.offset + buffer.size);
  int64_t left = x(buffer.live.lower);
  svg.open("rect",
           {{"x", left},
            {"y", base + height - top},
            {"width", std::max<int64_t>(x(buffer.live.upper) - left, 1)},
            {"height", std::max<int64_t>(top - y(place.offset), 1)},
            {"fill", "hsl(" + std::to_string(i * 137 % 360) + ",60%,70%)"},
            {"stroke", "#444"},
            {"stroke-width", "0.5"}});
  auto range = [](int64_t lower, int64_t upper) {
    return "[" + std::to_string(lower) + "," + std::to_string(upper) + ")";
  };
  svg.add("title", {},
          names[i] + ": bytes " +
              range(place.offset, place.offset + buffer.size) + ", time " +
              range(buffer.live.lower, buffer.live.upper));
  svg.close("rect");
  svg.append("\n");
}

void Picture::drawPanel(int64_t base, int32_t npu) {
  svg.add("text", {{"x", 0}, {"y", base - 6}},
          "NPU " + std::to_string(npu) + ", peak " + std::to_string(plan.peak) +
              " bytes, bound " + std::to_string(plan.liveBound));
  svg.append("\n");
  svg.add("rect", {{"x", 0},
                   {"y", base},
                   {"width", width},
                   {"height", height},
                   {"fill", "#f4f4f4"}});
  svg.append("\n");
  for (size_t i = 0; i < problem.buffers.size(); ++i)
    if (problem.buffers[i].size != 0 && covers(i, npu))
      drawBuffer(base, i);
}

PlanPicture Picture::draw() {
  std::vector<int32_t> npus;
  for (int32_t npu = 0; npu < problem.memory.npus; ++npu)
    if (npu == 0 || differs(npu))
      npus.push_back(npu);
  int64_t total = panelHeight * int64_t(npus.size());
  svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                   {"viewBox", "0 0 " + std::to_string(width) + " " +
                                   std::to_string(total)},
                   {"font-family", "sans-serif"},
                   {"font-size", "12"}});
  svg.append("\n");
  for (size_t p = 0; p < npus.size(); ++p)
    drawPanel(panelHeight * int64_t(p) + margin, npus[p]);
  svg.close("svg");
  svg.append("\n");
  return {svg.str(), width, total};
}

PlanPicture drawPlan(const Problem &problem, const Plan &plan,
                     const std::vector<std::string> &names) {
  return Picture(problem, plan, names).draw();
}

} // namespace mli::allocation
