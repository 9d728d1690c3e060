// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_DESCRIPTIONS_H
#define MLI_LIB_TARGET_C_DESCRIPTIONS_H

#include "Network.h"
#include "Place.h"

#include "mli/Calls/LocalPlace.h"
#include "mli/IR/RuntimeTensor.h"

#include "llvm/ADT/StringMap.h"

namespace mli::c {

/// The members of an `mli_tensor` behind its data. `params` is the value of
/// `el_params`.
std::string listMembers(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> strides, mli_element_type type,
                        llvm::StringRef params);

/// The constant `mli_tensor` of a part of a buffer.
struct Description {
  std::string name;
  /// Whether it has the address, and no distance from a base.
  bool isPlaced;
};

/// Constant descriptions of tensors and the parameters that they point to, each
/// of them once.
class Descriptions {
public:
  explicit Descriptions(Network &network) : network(network) {}

  /// The description of the elements `element` in `extent` of `function`.
  const Description &get(const Function &function, const Extent &extent,
                         mlir::Type element);
  /// That of a scalar that holds `known`.
  const Description &get(mlir::Type element, mlir::IntegerAttr known);

  /// A constant struct of `type` with the members `text`, called like `name`.
  std::string getRecord(llvm::StringRef type, llvm::StringRef text,
                        llvm::StringRef name);
  /// The constant `mli_local_tensor` of `place` at `address`.
  std::string getLocal(const calls::LocalPlace &place, int64_t address);

  /// The expression of `place`, if that is in a table of the sources and known.
  std::optional<std::string> getAddress(const Place &place);
  /// A pointer to the byte `distance` behind the start of what `place` is in,
  /// and its steps further on. `bases` is how members of the bases of
  /// `function` are reached: "base." or "base->".
  std::string getPointer(const Function &function, const Place &place,
                         int64_t distance, llvm::StringRef bases,
                         llvm::function_ref<std::string(mlir::Value)> getIndex);
  /// The local address that is `distance` behind what `place`, scattered over
  /// NPUs, is in, and its steps further on.
  static std::string
  getLocalAddress(const Place &place, int64_t distance,
                  llvm::function_ref<std::string(mlir::Value)> getIndex);
  /// The bytes from the base of `place` to it, but for its steps.
  int64_t getDistance(const Place &place);

  /// All that were got.
  std::string take() { return writer.take(); }

private:
  const Description &add(const std::string &fields, llvm::StringRef name,
                         llvm::StringRef comment, bool isPlaced);
  std::string getParams(mlir::Type element);
  std::string getAxisParams(QuantizedType type);
  std::string addArray(llvm::StringRef type, int64_t bytes,
                       llvm::StringRef name, llvm::ArrayRef<int64_t> values);

  Network &network;
  Writer writer;
  llvm::StringMap<Description> descriptions;
  llvm::StringMap<std::string> arrays, records;
};

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_DESCRIPTIONS_H
