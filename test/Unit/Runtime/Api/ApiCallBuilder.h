// SPDX-License-Identifier: Apache-2.0
//
// Builds a call from the arguments of a prototype, in their order.

#ifndef MLI_TEST_UNIT_RUNTIME_API_APICALLBUILDER_H
#define MLI_TEST_UNIT_RUNTIME_API_APICALLBUILDER_H

#include "ApiTable.h"

#include <array>
#include <tuple>

namespace mli::test {

/// Tensors that a function reads or writes.
struct In {
  mli_element_type type;
  std::vector<int64_t> shape;
  ref::Quant params = {1, 0, 0};
};
struct Out {
  mli_element_type type;
  std::vector<int64_t> shape;
};

/// An array of pointers to tensors that a function reads.
struct Ins {
  mli_element_type type;
  std::vector<std::vector<int64_t>> shapes;
};

/// A pointer to a copy of the value, or to the first of four. All other
/// arguments are passed as they are.
template <typename Value>
struct To {
  Value value;
};
template <typename Value>
To(Value) -> To<Value>;

/// A pointer to a table of the library.
struct Lut {
  int32_t (*size)();
  mli_status (*create)(mli_lut *);
};

class ApiCallBuilder {
  auto tensor(mli_element_type type, const std::vector<int64_t> &shape,
              bool isOutput) {
    size_t index = call.tensors.size();
    call.tensors.push_back(
        {std::make_unique<RandomTensor>(random, type, shape, false), isOutput});
    call.tensors.back().tensor->fill(random);
    return [=](const ApiTensors &tensors, const ApiPointers &) {
      return tensors[index];
    };
  }

  template <typename Value>
  auto pointer(Value *value) {
    size_t index = call.pointers.size();
    call.pointers.push_back(value);
    return [=](const ApiTensors &, const ApiPointers &pointers) {
      return static_cast<Value *>(pointers[index]);
    };
  }

  /// Two tensors as an argument.
  struct Pointers {
    std::array<const mli_tensor *, 2> tensors;
    operator const mli_tensor **() { return tensors.data(); }
  };

  auto bind(const In &in) {
    auto slot = tensor(in.type, in.shape, false);
    call.tensors.back().tensor->quantise(in.params);
    return slot;
  }
  auto bind(const Out &out) { return tensor(out.type, out.shape, true); }

  auto bind(const Ins &ins) {
    size_t first = call.tensors.size();
    for (const std::vector<int64_t> &shape : ins.shapes)
      tensor(ins.type, shape, false);
    return [=](const ApiTensors &tensors, const ApiPointers &) {
      return Pointers{{tensors[first], tensors[first + 1]}};
    };
  }

  template <typename Value>
  auto bind(const To<Value> &to) {
    auto copy = std::make_shared<Value>(to.value);
    call.owned.push_back(copy);
    return pointer<Value>(copy.get());
  }

  template <typename Value>
  auto bind(const To<std::array<Value, MLI_MAX_RANK>> &to) {
    auto copy = std::make_shared<std::array<Value, MLI_MAX_RANK>>(to.value);
    call.owned.push_back(copy);
    return pointer<Value>(copy->data());
  }

  auto bind(const Lut &lut) {
    auto values = std::make_shared<std::vector<int16_t>>(lut.size() / 2);
    call.owned.push_back(values);
    mli_lut table;
    std::memset(&table, 0, sizeof(table));
    table.data.mem.pi16 = values->data();
    table.data.capacity = static_cast<uint32_t>(lut.size());
    EXPECT_EQ(lut.create(&table), MLI_STATUS_OK);
    call.tables.push_back(call.pointers.size());
    return bind(To<mli_lut>{table});
  }

  template <typename Value>
  auto bind(const Value &value) {
    return [=](const ApiTensors &, const ApiPointers &) { return value; };
  }

  template <typename Result, typename... Parameters, typename... Values>
  static mli_status getStatus(Result (*function)(Parameters...),
                              Values &&...values) {
    if constexpr (std::is_void_v<Result>) {
      // Without an answer all that a null pointer can show is that it is
      // survived.
      function(values...);
      return (... && values) ? MLI_STATUS_OK : MLI_STATUS_BAD_TENSOR;
    } else if constexpr (std::is_same_v<Result, mli_status>) {
      return function(values...);
    } else {
      return function(values...) ? MLI_STATUS_OK : MLI_STATUS_BAD_TENSOR;
    }
  }

public:
  ApiCallBuilder(const char *name, ApiKind kind) : random(20) {
    call.name = name;
    call.kind = kind;
  }

  template <typename Result, typename... Parameters, typename... Specs>
  ApiCall build(Result (*function)(Parameters...), const Specs &...specs) {
    // Braces: the order of the arguments is that of the tensors.
    std::tuple slots{bind(specs)...};
    call.run = [=](const ApiTensors &tensors, const ApiPointers &pointers) {
      return std::apply(
          [&](const auto &...slot) {
            return getStatus(function, slot(tensors, pointers)...);
          },
          slots);
    };
    return std::move(call);
  }

private:
  ApiCall call;
  Random random;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_RUNTIME_API_APICALLBUILDER_H
