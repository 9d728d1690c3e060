// SPDX-License-Identifier: Apache-2.0
//
// Finds the names of layers in locations, and shortens them.

#include "mli/IR/LayerName.h"
#include "mli/IR/LocationNames.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Short names
//===----------------------------------------------------------------------===//

/// `text` in small letters, without what separates its words.
static std::string normalize(StringRef text) {
  std::string letters = text.lower();
  llvm::erase(letters, '_');
  return letters;
}

/// What front ends call `op`, where its name does not begin so.
static StringRef getOtherWord(StringRef op) {
  return llvm::StringSwitch<StringRef>(op)
      .Cases({"FULLY_CONNECTED", "BATCH_MATMUL"}, "matmul")
      .Case("AVERAGE_POOL_2D", "avgpool")
      .Case("TRANSPOSE_CONV", "conv2dtranspose")
      .Default("");
}

/// Whether the last part of `name` says that it is computed by `op`.
static bool isNamedAfter(StringRef name, StringRef op) {
  std::string last = normalize(name.substr(name.rfind('/') + 1));
  StringRef word(last);
  if (op.empty())
    return llvm::any_of(ArrayRef<StringRef>{"conv2d", "depthwise", "matmul"},
                        [&](StringRef kind) { return word.starts_with(kind); });
  std::string whole = normalize(op);
  StringRef other = getOtherWord(op);
  // `depthwise` of a DEPTHWISE_CONV_2D, but not any letter that it begins with.
  constexpr size_t fewest = 3;
  return word.starts_with(whole) ||
         (word.size() >= fewest && StringRef(whole).starts_with(word)) ||
         (!other.empty() && word.starts_with(other));
}

/// How many of `names` are in the scope of `name`.
static size_t countScope(StringRef name, ArrayRef<StringRef> names) {
  size_t end = name.rfind('/');
  if (end == StringRef::npos)
    return 0;
  StringRef scope = name.take_front(end + 1);
  return llvm::count_if(
      names, [&](StringRef other) { return other.starts_with(scope); });
}

/// Drops the number at the end of `name`, if it is right after a word.
static StringRef dropNumber(StringRef name) {
  StringRef word = name.rtrim("0123456789");
  return !word.empty() && llvm::isAlpha(word.back()) ? word : name;
}

/// The different names of the list `joined`, of its first 64: names are
/// compared with all others. Calls of whole models repeat them.
static SmallVector<StringRef> splitNames(StringRef joined) {
  constexpr size_t maxNames = 64;
  SmallVector<StringRef> all, names;
  while (!joined.empty() && all.size() < maxNames) {
    auto [name, rest] = joined.split(';');
    if (!name.empty())
      all.push_back(name);
    joined = rest;
  }
  for (StringRef name : all) {
    StringRef inner = name;
    bool isRepeated = inner.consume_front("StatefulPartitionedCall/") &&
                      llvm::is_contained(all, inner);
    if (!isRepeated && !llvm::is_contained(names, name))
      names.push_back(name);
  }
  return names;
}

StringRef mli::shortenName(StringRef name, StringRef op) {
  if (!name.contains(';'))
    return name;
  SmallVector<StringRef> names = splitNames(name);
  if (names.empty())
    return name;
  auto rank = [&](StringRef each) {
    return std::make_pair(isNamedAfter(each, op), countScope(each, names));
  };
  StringRef best = names.front();
  auto bestRank = rank(best);
  for (StringRef each : ArrayRef(names).drop_front())
    if (auto other = rank(each); other > bestRank) {
      best = each;
      bestRank = other;
    }
  bool isLast = best.end() == name.end();
  return isLast && isNamedAfter(best, op) ? dropNumber(best) : best;
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// Reads `operator 12 (CONV_2D)`.
static void readLabel(StringRef label, LayerName &layer) {
  uint64_t number;
  if (!label.consume_front("operator ") || label.consumeInteger(10, number) ||
      !label.consume_front(" (") || !label.consume_back(")"))
    return;
  layer.number = number;
  layer.op = label;
}

LayerName mli::getLayerName(Location loc) {
  LayerName layer;
  StringRef name;
  // Passes fuse locations: the first operator, and the first name in it, stand
  // for all.
  loc->walk([&](Location part) {
    if (auto fused = dyn_cast<FusedLocWith<StringAttr>>(part))
      if (!layer.number)
        readLabel(fused.getMetadata().getValue(), layer);
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    name = named.getName();
    return WalkResult::interrupt();
  });
  layer.name = shortenName(name, layer.op);
  return layer;
}

LayerName mli::getUnplacedLayer(Location loc) {
  return loc->findInstanceOf<FileLineColLoc>() ? LayerName()
                                               : getLayerName(loc);
}

std::string mli::describeLayer(StringRef kind, const LayerName &layer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kind;
  auto separate = [&] { os << (text.empty() ? "" : " "); };
  if (!layer.name.empty()) {
    separate();
    os << '"';
    llvm::printEscapedString(layer.name, os);
    os << '"';
  }
  if (layer.number) {
    separate();
    os << "(operator " << *layer.number << ")";
  }
  return text;
}

std::string mli::describeLayer(Operation *op) {
  LayerName layer = getUnplacedLayer(op->getLoc());
  return layer.empty() ? std::string()
                       : describeLayer(op->getName().stripDialect(), layer);
}

std::string mli::describeKernel(Operation *op) {
  LayerName layer = getLayerName(op->getLoc());
  std::string text = describeLayer(op->getName().stripDialect(), layer);
  std::string place = layer.empty() ? describePlace(op->getLoc()) : "";
  return place.empty() ? text : text + " (" + place + ")";
}
