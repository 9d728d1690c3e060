// SPDX-License-Identifier: Apache-2.0
//
// The JSON of golden vectors as structures: both schemas, that of helpers and
// that of kernels. What is read holds: types are known, numbers are in range
// and lists are of the lengths that belong together.

#ifndef MLI_TEST_GOLDEN_TOOL_SPEC_H
#define MLI_TEST_GOLDEN_TOOL_SPEC_H

#include "Fields.h"

#include "mli/Runtime/C/mli_types.h"

#include <map>

namespace mli::golden {

/// Some cases claim capacities that no call may believe.
constexpr int64_t largestBuffer = 1 << 24;

/// A tensor before or after a call. What is absent is not set or not compared.
struct TensorSpec {
  std::optional<mli_element_type> elType;
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

/// What a call gives back besides tensors.
struct ResultSpec {
  std::optional<int64_t> returned;
  std::optional<std::string> text;
  std::optional<Integers> memStride;
  /// The fields of a handle, and of a configuration of moves.
  std::map<std::string, int64_t> handle;
  std::map<std::string, Integers> cfg;
};

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
  ResultSpec results;
  int64_t status = 0;
  std::optional<int64_t> statusWithChecks;
  /// A remark: checks may reject the call, or its result is a quirk.
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
  int64_t capacityAfter = 0;
  Integers data;
};

struct LutFile {
  std::string function;
  std::vector<LutSpec> tables;
};

struct MutationFile {
  std::vector<MutatedFunction> functions;
};

bool read(const llvm::json::Value &value, const Place &place, TensorSpec &spec);
bool read(const llvm::json::Value &value, const Place &place,
          TensorSpecs &specs);
bool read(const llvm::json::Value &value, const Place &place, CaseFile &file);
bool read(const llvm::json::Value &value, const Place &place, LutFile &file);
bool read(const llvm::json::Value &value, const Place &place,
          MutationFile &file);

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_SPEC_H
