// SPDX-License-Identifier: Apache-2.0

#include "StreamReport.h"

#include "RowCalls.h"

#include "Transforms/TileSelection/TileText.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::bytesText;
using mli::tiling::numberText;

int64_t mli::streams::getTotalWork(const StreamGraph &graph) {
  int64_t work = 0;
  for (const StreamVertex &vertex : graph.vertices)
    work += vertex.work;
  return work;
}

/// The part that needs the most bytes.
static const StreamPart &findBinding(const StreamPlan &plan) {
  return *llvm::max_element(plan.parts,
                            [](const StreamPart &a, const StreamPart &b) {
                              return a.bytes < b.bytes;
                            });
}

InFlightDiagnostic mli::streams::rejectArena(Operation *function,
                                             const StreamGraph &graph,
                                             const StreamPlan &smallest,
                                             int64_t bytes,
                                             int64_t recompute) {
  const StreamPart &binding = findBinding(smallest);
  InFlightDiagnostic error = function->emitError("expected 'arena' to be at ")
                             << "least " << bytesText(smallest.bytes)
                             << ", the least with " << recompute
                             << " % of the products computed again, but got "
                             << bytesText(bytes);
  Diagnostic &note = error.attachNote(
      graph.vertices[binding.end - 1].op->getLoc());
  if (binding.shape)
    note << "the stream of " << binding.end - binding.begin
         << " kernels that ends here needs that much";
  else
    note << "this kernel needs that much with all that is live";
  return error;
}

/// The rows and bytes that `schedule` keeps of what `vertex` computes.
static void describeRing(Diagnostic &note, const StreamSchedule &schedule,
                         size_t vertex) {
  const StreamGraph &graph = *schedule.graph;
  const StreamValue &value =
      graph.values[graph.vertices[vertex].results[0]];
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  int64_t width = 0;
  for (const StreamStripe &stripe : schedule.stripes)
    width = std::max(width, stripe[vertex - schedule.begin].size());
  int64_t bytes = buffer.rows * width *
                  (value.map->rowBytes / value.map->columns);
  if (buffer.isResult) {
    note << "all " << value.map->rows << " rows are kept for what is behind "
         << "the stream";
    return;
  }
  note << numberText(buffer.rows) << " of " << numberText(value.map->rows)
       << " rows are kept, " << bytesText(bytes)
       << (buffer.isCarried ? ", all the time" : ", in one step");
  if (buffer.isCarried && buffer.index == StreamBuffer::Index::Base)
    note << "; " << buffer.keep << " move up in " << buffer.room
         << (buffer.room == 1 ? " step" : " steps");
}

/// Why the vertices from `part` on are not joined by `vertex`, a neighbour.
static std::string explainNeighbour(const StreamGraph &graph,
                                    const StreamPart &part, size_t vertex) {
  if (!graph.vertices[vertex].obstacle.empty())
    return graph.vertices[vertex].obstacle;
  std::string why;
  if (!StreamSchedule::make(graph, std::min(vertex, part.begin),
                            std::max(vertex + 1, part.end), StreamShape(),
                            &why))
    return why;
  return "that costs more than it saves";
}

static void reportStream(const StreamGraph &graph, const StreamPlan &plan,
                         size_t number) {
  const StreamPart &part = plan.parts[number];
  std::optional<StreamSchedule> schedule =
      StreamSchedule::make(graph, part.begin, part.end, *part.shape);
  StreamCosts costs = schedule->getCosts();
  Operation *last = graph.vertices[part.end - 1].op;
  InFlightDiagnostic remark = emitRemark(last->getLoc());
  remark << "stream of " << part.end - part.begin << " kernels: "
         << numberText(schedule->steps) << " steps of "
         << numberText(schedule->getCalls(part.end - 1).rows) << " rows, ";
  if (part.shape->stripes > 1)
    remark << part.shape->stripes << " column stripes, ";
  remark << bytesText(part.bytes) << " with all that is live; "
         << numberText(costs.calls) << " calls, "
         << bytesText(costs.shiftedBytes) << " moved up, "
         << numberText(costs.again) << " products again";
  for (size_t vertex = part.begin; vertex < part.end; ++vertex)
    describeRing(remark.attachNote(graph.vertices[vertex].op->getLoc()),
                 *schedule, vertex);
  if (part.begin > 0)
    remark.attachNote(graph.vertices[part.begin - 1].op->getLoc())
        << "not part of it: "
        << explainNeighbour(graph, part, part.begin - 1);
  if (part.end < graph.vertices.size())
    remark.attachNote(graph.vertices[part.end].op->getLoc())
        << "not part of it: " << explainNeighbour(graph, part, part.end);
}

void mli::streams::reportStreams(Operation *function, const StreamGraph &graph,
                                 const StreamPlan &plan, int64_t whole) {
  emitRemark(function->getLoc())
      << "arena: " << bytesText(plan.bytes) << "; whole kernels "
      << bytesText(whole);
  for (auto [number, part] : llvm::enumerate(plan.parts)) {
    if (part.shape)
      reportStream(graph, plan, number);
    else if (StringRef why = graph.vertices[part.begin].obstacle; !why.empty())
      emitRemark(graph.vertices[part.begin].op->getLoc())
          << "not streamed: " << why;
  }
}
