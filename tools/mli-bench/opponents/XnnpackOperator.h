// SPDX-License-Identifier: Apache-2.0
//
// What an operator of XNNPACK has in each version: codes that it reads and
// writes, and how it runs.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENTS_XNNPACKOPERATOR_H
#define MLI_TOOLS_MLI_BENCH_OPPONENTS_XNNPACKOPERATOR_H

#include "Module.h"

#include <xnnpack.h>

namespace mli::opponents {

/// An operator that a subclass creates, and its codes.
class XnnpackOperator : public Variant {
public:
  XnnpackOperator(const LayerView &layer, const mli_bench_operands &operands)
      : layer(layer), operands(operands),
        // Softmax is offered for unsigned codes only.
        in(operands.in, layer.inputCount(), layer.is("softmax")),
        in2(operands.in2, layer.inputCount(), false),
        out(layer.outputCount(), layer.is("softmax")) {}
  ~XnnpackOperator() override { xnn_delete_operator(op); }

  bool run() override {
    return xnn_run_operator(op, nullptr) == xnn_status_success;
  }
  void read(int8_t *codes) override { out.read(codes); }

protected:
  static int8_t toByte(int32_t zero) { return static_cast<int8_t>(zero); }

  LayerView layer;
  const mli_bench_operands &operands;
  Codes in, in2, out;
  xnn_operator_t op = nullptr;
};

} // namespace mli::opponents

#endif // MLI_TOOLS_MLI_BENCH_OPPONENTS_XNNPACKOPERATOR_H
