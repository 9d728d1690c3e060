// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/RunComparison.h"

#include "LayerTaps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

bool Tolerance::holds(const Difference &difference,
                      const Similarity &similarity) const {
  if (!maxDistance && !minSqnr)
    return difference.elements == 0;
  // So that NaN, the distance of what is no number, does not hold.
  return (!maxDistance || difference.greatest <= *maxDistance) &&
         (!minSqnr || similarity.sqnr >= *minSqnr);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {

/// The other run's side of a layer.
struct Counterpart {
  RankedTensorType type;
  const LayerRecord *record = nullptr;
  std::string name = {}, obstacle = {};
};

} // namespace

static std::string describeLayer(StringRef kernel, StringRef name, Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kernel;
  if (!name.empty())
    os << " '" << name << "'";
  os << " of " << type;
  return text;
}

/// The type of `listed`; an error where it has none.
static llvm::Expected<RankedTensorType> parseType(const ListedLayer &listed,
                                                  MLIRContext *context) {
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  auto type =
      dyn_cast_or_null<RankedTensorType>(mlir::parseType(listed.type, context));
  if (type && type.hasStaticShape() && getHostElement(type.getElementType()))
    return type;
  return llvm::createStringError("expected layer '" + listed.name +
                                 "' of the record to have a type, but got '" +
                                 listed.type + "'");
}

static bool isSameLayer(const RecordedLayer &layer, const ListedLayer &listed,
                        RankedTensorType type) {
  return layer.kernel == listed.kernel &&
         isSameShape(layer.type.getShape(), type.getShape()) &&
         getHostElement(layer.type.getElementType()) ==
             getHostElement(type.getElementType());
}

/// Checks that layer `number` of `run` is that of `other`, which has a list.
static llvm::Error checkLayer(const Recording &run, const RecordedRun &other,
                              size_t number, MLIRContext *context) {
  ArrayRef<ListedLayer> list = other.list->layers;
  RankedTensorType type;
  std::string expected = "none any more", got = expected;
  if (number < list.size()) {
    auto parsed = parseType(list[number], context);
    if (!parsed)
      return parsed.takeError();
    type = *parsed;
    got = describeLayer(list[number].kernel, list[number].name, type);
  }
  if (number < run.layers.size()) {
    const RecordedLayer &layer = run.layers[number].layer;
    if (type && isSameLayer(layer, list[number], type))
      return llvm::Error::success();
    expected = describeLayer(layer.kernel, layer.name, layer.type);
  }
  return llvm::createStringError("expected layer " + Twine(number) +
                                 " of the record to be " + expected +
                                 ", but got " + got);
}

/// The counterparts in `other`, which has a list, of the layers of `run`.
static llvm::Expected<std::vector<Counterpart>>
matchLayers(const Recording &run, const RecordedRun &other,
            MLIRContext *context) {
  std::vector<Counterpart> counterparts;
  llvm::StringMap<const LayerRecord *> records;
  for (const LayerRecord &record : other.records)
    records[record.file] = &record;
  ArrayRef<ListedLayer> list = other.list->layers;
  size_t count = std::max(run.layers.size(), list.size());
  for (size_t i = 0; i < count; ++i) {
    if (llvm::Error error = checkLayer(run, other, i, context))
      return error;
    auto type = cantFail(parseType(list[i], context));
    const LayerRecord *record = records.lookup(list[i].file);
    if (record)
      if (llvm::Error error =
              checkTensor("'" + list[i].file + "'", type, record->value))
        return error;
    counterparts.push_back({type, record, list[i].name, list[i].obstacle});
  }
  return counterparts;
}

/// The same where others recorded.
static llvm::Expected<std::vector<Counterpart>>
matchRecords(func::FuncOp entry, const Recording &run,
             const RecordedRun &other) {
  auto pairs = pairRecords(entry, other.records);
  if (!pairs)
    return pairs.takeError();
  std::vector<Counterpart> counterparts;
  for (const auto &[recorded, record] : llvm::zip_equal(run.layers, *pairs))
    counterparts.push_back({recorded.layer.type, record,
                            llvm::json::fixUTF8(recorded.layer.name),
                            record ? "" : "there is no record of it"});
  return counterparts;
}

/// Checks that `inputs` are those of the run that has `list`.
static llvm::Error checkSameInputs(ArrayRef<HostTensor> inputs,
                                   const LayerList &list) {
  LayerList own = listLayers({}, inputs);
  if (own.inputs.size() != list.inputs.size())
    return llvm::createStringError("expected " + Twine(own.inputs.size()) +
                                   " inputs of the recorded run, but got " +
                                   Twine(list.inputs.size()));
  for (auto [i, mine, theirs] : llvm::enumerate(own.inputs, list.inputs))
    if (mine != theirs)
      return llvm::createStringError(
          "expected input " + Twine(i) +
          " to be that of the recorded run, but got other elements");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

ResultDifference mli::compareResult(RankedTensorType type,
                                    const HostTensor &result,
                                    const HostTensor &reference) {
  return {reference.getNumElements(), compare(result, reference),
          measureSimilarity(type, result, type, reference)};
}

static LayerDifference compareLayer(const LayerValue &mine,
                                    const Counterpart &other) {
  LayerDifference result{&mine};
  const RecordedLayer &layer = mine.layer;
  // As the list has it.
  if (llvm::json::fixUTF8(layer.name) != other.name)
    result.otherName = other.name;
  if (layer.type != other.type)
    llvm::raw_string_ostream(result.otherType) << other.type;
  if (!layer.obstacle.empty())
    result.obstacle = "here " + layer.obstacle;
  else if (!other.record)
    result.obstacle = "in the record " + other.obstacle;
  if (!result.obstacle.empty())
    return result;
  const HostTensor &reference = other.record->value;
  result.difference = compare(mine.value, reference);
  result.similarity =
      measureSimilarity(layer.type, mine.value, other.type, reference);
  if (result.difference.elements > 0) {
    result.expected = reference.get(result.difference.first);
    result.got = mine.value.get(result.difference.first);
  }
  return result;
}

llvm::Expected<std::vector<LayerDifference>>
mli::compareRuns(func::FuncOp entry, const Recording &run,
                 ArrayRef<HostTensor> inputs, const RecordedRun &other) {
  auto counterparts = other.list ? matchLayers(run, other, entry.getContext())
                                 : matchRecords(entry, run, other);
  if (!counterparts)
    return counterparts.takeError();
  if (other.list)
    if (llvm::Error error = checkSameInputs(inputs, *other.list))
      return error;
  std::vector<LayerDifference> differences;
  for (const auto &[mine, theirs] : llvm::zip_equal(run.layers, *counterparts))
    differences.push_back(compareLayer(mine, theirs));
  return differences;
}
