// SPDX-License-Identifier: Apache-2.0

#include "mli/IR/LocationNames.h"
#include "mli/IR/LayerName.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mli;

StringAttr mli::findName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringAttr name = findName(part))
        return name;
  return {};
}

std::string mli::describePlace(Location loc) {
  return llvm::TypeSwitch<Location, std::string>(loc)
      .Case([](FileLineColLoc loc) {
        return (llvm::sys::path::filename(loc.getFilename().getValue()) + ":" +
                Twine(loc.getLine()) + ":" + Twine(loc.getColumn()))
            .str();
      })
      .Case([](NameLoc loc) { return shortenName(loc.getName()).str(); })
      .Case([](CallSiteLoc loc) { return describePlace(loc.getCallee()); })
      .Case([](FusedLoc loc) {
        LayerName layer = getLayerName(loc);
        std::string text;
        if (layer.number)
          text = layer.name;
        for (Location part : loc.getLocations())
          if (text.empty())
            text = describePlace(part);
        auto label = dyn_cast_or_null<StringAttr>(loc.getMetadata());
        if (!label)
          return text;
        return text.empty() ? label.str() : text + ", " + label.str();
      })
      .Default([](Location) { return std::string(); });
}
