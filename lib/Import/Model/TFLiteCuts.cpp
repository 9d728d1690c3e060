// SPDX-License-Identifier: Apache-2.0
//
// Finds the ends of a graph that are cut off.

#include "mli/Import/Cuts.h"

#include "TFLite_generated.h"

#include <algorithm>

namespace mli::tflite {

/// The element of `list` for a tensor or an operator.
template <typename List, typename Index>
static auto &at(List &list, Index index) {
  return list[static_cast<size_t>(index)];
}

static bool contains(const std::vector<int32_t> &list, int32_t tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

std::vector<char> findNeeded(const Graph &graph, const Extent &extent) {
  std::vector<char> isNeeded(graph.operators.size());
  std::vector<char> isRead(graph.tensors.size());
  std::vector<char> isGiven(graph.tensors.size());
  for (int32_t output : extent.outputs)
    at(isRead, output) = 1;
  for (int32_t input : extent.inputs)
    at(isGiven, input) = 1;
  for (size_t i = graph.operators.size(); i-- > 0;) {
    const Operator &op = graph.operators[i];
    isNeeded[i] = op.outputs.empty();
    for (int32_t output : op.outputs)
      if (at(isRead, output) && !at(isGiven, output))
        isNeeded[i] = 1;
    for (int32_t input : op.inputs)
      if (isNeeded[i] && input >= 0)
        at(isRead, input) = 1;
  }
  return isNeeded;
}

/// Whether an operator has state, which what is cut off would no longer set.
static bool hasState(const Graph &graph, const Operator &op) {
  return op.outputs.empty() ||
         std::any_of(op.inputs.begin(), op.inputs.end(), [&](int32_t input) {
           return input >= 0 && (at(graph.tensors, input).isVariable ||
                                 at(graph.tensors, input).type ==
                                     schema::TensorType::RESOURCE);
         });
}

namespace {

/// Cuts one graph.
class Cutter {
public:
  Cutter(const Graph &graph, const Extent &whole, const Roles &roles)
      : graph(graph), whole(whole), roles(roles),
        isNeeded(findNeeded(graph, whole)), stays(graph.operators.size()),
        isBehind(stays), isBefore(stays), reachesLayer(stays),
        dependsOnLayer(stays), isCut(graph.tensors.size()),
        isComputed(graph.tensors.size()) {
    for (size_t i = 0; i < stays.size(); ++i)
      stays[i] = isNeeded[i] &&
                 (roles.isLayer[i] || hasState(graph, graph.operators[i]));
  }

  Extent run();

private:
  void findLayers();
  void growBehind();
  void growBefore();
  bool isKept(size_t index) const {
    return isNeeded[index] && !isBehind[index] && !isBefore[index];
  }
  bool isReal(int32_t tensor) const {
    return at(graph.tensors, tensor).type == schema::TensorType::FLOAT32;
  }
  void addOutputs(Extent &extent);
  void addInputs(Extent &extent);

  const Graph &graph;
  const Extent &whole;
  const Roles &roles;
  std::vector<char> isNeeded;
  /// For each operator: whether it is a layer or has state, is cut off behind
  /// or in front, and is in front of a layer or behind one.
  std::vector<char> stays, isBehind, isBefore, reachesLayer, dependsOnLayer;
  /// For each tensor: whether an operator that is cut off computes it, and
  /// whether any does.
  std::vector<char> isCut, isComputed;
};

} // namespace

void Cutter::findLayers() {
  std::vector<char> isBelow(graph.tensors.size()), isAbove(isBelow);
  for (size_t i = 0; i < stays.size(); ++i) {
    const Operator &op = graph.operators[i];
    for (int32_t input : op.inputs)
      if (input >= 0 && at(isBelow, input))
        dependsOnLayer[i] = 1;
    for (int32_t output : op.outputs)
      at(isBelow, output) = dependsOnLayer[i] || stays[i];
  }
  for (size_t i = stays.size(); i-- > 0;) {
    const Operator &op = graph.operators[i];
    for (int32_t output : op.outputs)
      if (at(isAbove, output))
        reachesLayer[i] = 1;
    for (int32_t input : op.inputs)
      if (input >= 0 && (reachesLayer[i] || stays[i]))
        at(isAbove, input) = 1;
  }
}

/// Finds what is cut off behind: all that depends on the blocked operators, and
/// the conversions to float32 that they read.
void Cutter::growBehind() {
  if (!roles.cutsBehind)
    return;
  for (size_t i = 0; i < stays.size(); ++i)
    isBehind[i] =
        isNeeded[i] && roles.isBlocked[i] && !stays[i] && !reachesLayer[i];
  for (bool grows = true; grows;) {
    grows = false;
    std::vector<char> isAfter(graph.tensors.size()), isRead(isAfter);
    for (size_t i = 0; i < stays.size(); ++i) {
      const Operator &op = graph.operators[i];
      for (int32_t input : op.inputs)
        if (input >= 0 && at(isAfter, input) && isNeeded[i])
          isBehind[i] = 1;
      for (int32_t output : op.outputs)
        at(isAfter, output) = isBehind[i];
    }
    for (size_t i = stays.size(); i-- > 0 && roles.cutsConversions;) {
      const Operator &op = graph.operators[i];
      for (int32_t output : op.outputs)
        if (at(isRead, output) && isReal(output) && isNeeded[i] && !stays[i] &&
            !reachesLayer[i] && !isBehind[i])
          isBehind[i] = grows = true;
      for (int32_t input : op.inputs)
        if (input >= 0 && isBehind[i])
          at(isRead, input) = 1;
    }
  }
}

/// Finds what is cut off in front: all that the blocked operators depend on,
/// and the conversions from float32 that read them.
void Cutter::growBefore() {
  for (size_t i = 0; i < stays.size(); ++i)
    isBefore[i] = isNeeded[i] && roles.isBlocked[i] && !stays[i] &&
                  reachesLayer[i] && !dependsOnLayer[i];
  for (bool grows = true; grows;) {
    grows = false;
    std::vector<char> isRead(graph.tensors.size()), isGiven(isRead);
    for (size_t i = stays.size(); i-- > 0;) {
      const Operator &op = graph.operators[i];
      for (int32_t output : op.outputs)
        if (at(isRead, output) && isNeeded[i])
          isBefore[i] = 1;
      for (int32_t input : op.inputs)
        if (input >= 0 && isBefore[i])
          at(isRead, input) = 1;
    }
    for (size_t i = 0; i < stays.size() && roles.cutsConversions; ++i) {
      const Operator &op = graph.operators[i];
      for (int32_t input : op.inputs)
        if (input >= 0 && at(isGiven, input) && isReal(input) && isNeeded[i] &&
            !stays[i] && reachesLayer[i] && !dependsOnLayer[i] && !isBefore[i])
          isBefore[i] = grows = true;
      for (int32_t output : op.outputs)
        at(isGiven, output) = isBefore[i];
    }
  }
}

/// Gives what the part behind reads instead of what it computes, in the order
/// in which it reads.
void Cutter::addOutputs(Extent &extent) {
  CutPart cut;
  cut.isBehind = true;
  for (int32_t output : whole.outputs)
    if (!at(isCut, output))
      extent.outputs.push_back(output);
  for (size_t i = 0; i < stays.size(); ++i) {
    if (!isBehind[i])
      continue;
    cut.operators.push_back(i);
    for (int32_t input : graph.operators[i].inputs)
      if (input >= 0 && at(isComputed, input) && !at(isCut, input) &&
          !contains(extent.outputs, input)) {
        extent.outputs.push_back(input);
        cut.tensors.push_back(input);
      }
  }
  if (!cut.operators.empty())
    extent.cuts.push_back(std::move(cut));
}

/// Takes what the part in front computes instead of what it reads, in the order
/// in which it is read.
void Cutter::addInputs(Extent &extent) {
  std::vector<char> isKeptInput(graph.tensors.size()), isRead(isKeptInput);
  for (int32_t output : extent.outputs)
    at(isKeptInput, output) = 1;
  for (size_t i = 0; i < stays.size(); ++i)
    for (int32_t input : graph.operators[i].inputs)
      if (input >= 0) {
        at(isRead, input) = 1;
        at(isKeptInput, input) |= isKept(i);
      }
  for (int32_t input : whole.inputs)
    if (at(isKeptInput, input) || !at(isRead, input))
      extent.inputs.push_back(input);
  CutPart cut;
  for (size_t i = 0; i < stays.size(); ++i) {
    if (isBefore[i])
      cut.operators.push_back(i);
    if (!isKept(i))
      continue;
    for (int32_t input : graph.operators[i].inputs)
      if (input >= 0 && at(isCut, input) && !contains(extent.inputs, input)) {
        extent.inputs.push_back(input);
        cut.tensors.push_back(input);
      }
  }
  if (!cut.operators.empty())
    extent.cuts.insert(extent.cuts.begin(), std::move(cut));
}

Extent Cutter::run() {
  if (std::find(stays.begin(), stays.end(), 1) == stays.end())
    return whole;
  findLayers();
  growBehind();
  growBefore();
  for (size_t i = 0; i < stays.size(); ++i)
    for (int32_t output : graph.operators[i].outputs) {
      at(isComputed, output) = isNeeded[i];
      at(isCut, output) = isBehind[i] || isBefore[i];
    }
  Extent extent;
  addOutputs(extent);
  addInputs(extent);
  return extent.outputs.empty() ? whole : extent;
}

Extent cutEnds(const Graph &graph, const Extent &whole, const Roles &roles) {
  return Cutter(graph, whole, roles).run();
}

} // namespace mli::tflite
