// SPDX-License-Identifier: Apache-2.0

#include "TileCost.h"

#include "mli/Support/Nesting.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mli::tiling;
namespace json = llvm::json;

/// With moves that run along, the longer of the two is what counts.
// Z11
double CostModel::score(const TileCounts &counts) const {
  double moves = byte * static_cast<double>(counts.bytesMoved);
  double products = mac * static_cast<double>(counts.macsPerNpu);
  double beside =
      static_cast<double>(counts.tiles - 1) / static_cast<double>(counts.tiles);
  double hidden =
      overlap.value_or(0) * beside *
      std::min(byte * static_cast<double>(counts.bytesStreamed), products);
  return moves + products - hidden +
         waste * static_cast<double>(counts.wastedBytes) +
         bank * static_cast<double>(counts.bankConflicts) +
         call * static_cast<double>(counts.calls) +
         code * static_cast<double>(counts.unrolled);
}

/// Arrays of numbers that are not negative.
template <typename Number>
static bool fromJSON(const json::Value &value,
                     llvm::SmallVector<Number> &numbers, json::Path path) {
  std::vector<int64_t> read;
  if (!json::fromJSON(value, read, path))
    return false;
  for (auto [i, number] : llvm::enumerate(read)) {
    if (number < 0) {
      path.index(i).report("expected a number that is not negative");
      return false;
    }
    if (static_cast<uint64_t>(number) > std::numeric_limits<Number>::max()) {
      path.index(i).report("expected a number below 2^32");
      return false;
    }
    numbers.push_back(static_cast<Number>(number));
  }
  return true;
}

/// Whether `object` has only fields that are among `known`; else reports
/// `expected`.
static bool hasOnly(const json::Object &object,
                    llvm::ArrayRef<llvm::StringRef> known,
                    llvm::StringLiteral expected, json::Path path) {
  for (const auto &entry : object)
    if (llvm::StringRef name = entry.first; !llvm::is_contained(known, name)) {
      path.field(name).report(expected);
      return false;
    }
  return true;
}

namespace mli::tiling {

static bool fromJSON(const json::Value &value, CostModel &cost,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::pair<llvm::StringLiteral, double CostModel::*> fields[] = {
      {"byte", &CostModel::byte},   {"mac", &CostModel::mac},
      {"waste", &CostModel::waste}, {"bank", &CostModel::bank},
      {"call", &CostModel::call},   {"code", &CostModel::code},
      {"rows", &CostModel::rows},   {"shift", &CostModel::shift}};
  if (!map || !map.mapOptional("overlap", cost.overlap))
    return false;
  if (cost.overlap && (*cost.overlap < 0 || *cost.overlap > 1)) {
    path.field("overlap").report("expected a part, a number from 0 to 1");
    return false;
  }
  for (auto [name, field] : fields) {
    if (!map.mapOptional(name, cost.*field))
      return false;
    if (!(cost.*field >= 0)) {
      path.field(name).report("expected a number that is not negative");
      return false;
    }
  }
  SmallVector<StringRef> known = {"overlap"};
  for (const auto &field : fields)
    known.push_back(field.first);
  return hasOnly(*value.getAsObject(), known,
                 "expected byte, mac, waste, bank, call, code, rows, shift or "
                 "overlap",
                 path);
}

static bool fromJSON(const json::Value &value, StreamOverride &stream,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map ||
      !hasOnly(*value.getAsObject(),
               {"kernels", "rows", "room", "stripes", "even", "rings"},
               "expected kernels, rows, room, stripes, even or rings", path) ||
      !map.map("kernels", stream.kernels) ||
      !map.mapOptional("even", stream.isEven))
    return false;
  std::pair<llvm::StringLiteral, int64_t *> counts[] = {
      {"rows", &stream.rows},
      {"room", &stream.room},
      {"stripes", &stream.stripes}};
  for (auto [name, count] : counts) {
    if (!map.mapOptional(name, *count))
      return false;
    if (*count < 1 || *count > std::numeric_limits<int32_t>::max()) {
      path.field(name).report("expected a number from 1 to 2^31 - 1");
      return false;
    }
  }
  const json::Value *rings = value.getAsObject()->get("rings");
  if (!rings)
    return true;
  const json::Object *object = rings->getAsObject();
  if (!object) {
    path.field("rings").report("expected object");
    return false;
  }
  for (const auto &[key, rows] : *object) {
    std::optional<int64_t> count = rows.getAsInteger();
    if (!count || *count < 1 || *count > std::numeric_limits<int32_t>::max()) {
      path.field("rings").field(key).report(
          "expected a number from 1 to 2^31 - 1");
      return false;
    }
    stream.rings[StringRef(key)] = *count;
  }
  return true;
}

static bool fromJSON(const json::Value &value, TileOverride &tile,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  const json::Object *object = value.getAsObject();
  if (!map || !hasOnly(*object, {"sizes", "order", "fused"},
                       "expected sizes, order or fused", path))
    return false;
  if (const json::Value *sizes = object->get("sizes");
      sizes && !::fromJSON(*sizes, tile.sizes, path.field("sizes")))
    return false;
  if (const json::Value *order = object->get("order");
      order && !::fromJSON(*order, tile.order, path.field("order")))
    return false;
  const json::Value *fused = object->get("fused");
  return !fused || ::fromJSON(*fused, tile.fused, path.field("fused"));
}

static bool fromJSON(const json::Value &value, TileOverrides &overrides,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map ||
      !hasOnly(*value.getAsObject(), {"cost", "tiles", "streams"},
               "expected cost, tiles or streams", path) ||
      !map.mapOptional("cost", overrides.cost) ||
      !map.mapOptional("streams", overrides.streams))
    return false;
  const json::Value *tiles = value.getAsObject()->get("tiles");
  if (!tiles)
    return true;
  const json::Object *object = tiles->getAsObject();
  if (!object) {
    path.field("tiles").report("expected object");
    return false;
  }
  for (const auto &[key, tile] : *object)
    if (!fromJSON(tile, overrides.tiles[StringRef(key)],
                  path.field("tiles").field(key)))
      return false;
  return true;
}

} // namespace mli::tiling

llvm::Expected<TileOverrides> mli::tiling::parseOverrides(StringRef text) {
  if (llvm::Error error = checkNesting({text, "overrides"}))
    return error;
  return json::parse<TileOverrides>(text, "overrides");
}

FailureOr<TileOverrides> mli::tiling::readOverrides(Operation *op,
                                                    StringRef path) {
  if (path.empty())
    return TileOverrides();
  std::string error;
  auto file = openInputFile(path, &error);
  if (!file)
    return op->emitError("expected 'overrides' to be a file, but got ")
           << error;
  llvm::Expected<TileOverrides> read = parseOverrides(file->getBuffer());
  // Z8
  if (!read)
    return op->emitError(
               "expected 'overrides' to be costs, tiles and streams, but got ")
           << llvm::toString(read.takeError());
  return std::move(*read);
}

InFlightDiagnostic mli::tiling::rejectName(Operation *module, StringRef name) {
  return module->emitError("expected 'overrides' to name kernels of functions "
                           "of the module, as 'main:0', but got '")
         << name << "'";
}
