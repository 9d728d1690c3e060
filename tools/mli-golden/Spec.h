// SPDX-License-Identifier: Apache-2.0
//
// The JSON of golden vectors as structures: both schemas, that of helpers and
// that of kernels.

#ifndef MLI_TOOLS_MLIGOLDEN_SPEC_H
#define MLI_TOOLS_MLIGOLDEN_SPEC_H

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mli::golden {

using Integers = std::vector<int64_t>;

/// A tensor before or after a call. What is absent is not set or not compared.
struct TensorSpec {
  std::optional<std::string> elType;
  std::optional<int64_t> rank;
  std::optional<Integers> shape;
  std::optional<Integers> memStride;
  std::optional<int64_t> capacity;
  std::optional<int64_t> fracBits;
  std::optional<Integers> scale;
  std::optional<Integers> scaleFracBits;
  std::optional<Integers> zeroPoint;
  std::optional<int64_t> dim;
  std::optional<std::vector<double>> data;
  bool scalar = false;
  bool nullData = false;
  bool overlap = false;
  std::optional<int64_t> quantCapacity;
  std::optional<int64_t> prefillByte;
  /// `alias`, `own` or `zero`: what the output brings for per-axis parameters.
  std::optional<std::string> quantOut;
  /// What those arrays hold before the call stands in scale, scaleFracBits and
  /// zeroPoint.
  std::optional<int64_t> offsetBytes;
  std::optional<int64_t> quantArrayOffset;
};

/// Tensors by parameter name; nothing stands for a null pointer.
using TensorSpecs = std::map<std::string, std::optional<TensorSpec>>;

struct CaseSpec {
  std::string name;
  std::string call;
  /// An object, or the string "null".
  llvm::json::Value cfg = nullptr;
  TensorSpecs inputs;
  /// The outputs before the call.
  TensorSpecs before;
  /// The tensors after the call; without them only the status is compared.
  std::optional<TensorSpecs> after;
  /// What else is compared: `return`, `mem_stride`, `cfg`.
  llvm::json::Object results;
  int64_t status = 0;
  std::optional<int64_t> statusWithChecks;
  /// A remark: checks may refuse the call, or its result is a quirk.
  std::string note;
};

struct CaseFile {
  std::string function;
  std::vector<CaseSpec> cases;
};

struct MutationSpec {
  std::string mutation;
  int64_t status = 0;
};

/// A call that succeeds, and what one change each makes of it.
struct MutatedFunction {
  std::string function;
  TensorSpecs baseline;
  std::string baselineCfg;
  std::vector<MutationSpec> cases;
};

struct LutSpec {
  std::string name;
  int64_t size = 0;
  int64_t type = 0;
  int64_t length = 0;
  int64_t inFracBits = 0;
  int64_t outFracBits = 0;
  int64_t inputOffset = 0;
  int64_t outputOffset = 0;
  Integers data;
};

struct LutFile {
  std::vector<LutSpec> tables;
};

struct MutationFile {
  std::vector<MutatedFunction> functions;
};

bool fromJSON(const llvm::json::Value &value, CaseFile &file,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, LutFile &file,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, MutationFile &file,
              llvm::json::Path path);

} // namespace mli::golden

#endif // MLI_TOOLS_MLIGOLDEN_SPEC_H
