// SPDX-License-Identifier: Apache-2.0
//
// Reads tensors: shapes, data and quantisation.

#include "TFLiteReader.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace mli::tflite {

std::optional<std::string_view> Reader::readBuffer(uint32_t index,
                                                   const std::string &where) {
  const auto *buffers = model->buffers();
  size_t count = buffers ? buffers->size() : 0;
  // A file without buffers has no constants; buffer 0 is the one of no data.
  if (index == 0 && count == 0)
    return std::string_view();
  if (index >= count) {
    fail(where, "its buffer to be one of " + std::to_string(count) +
                    ", but got " + std::to_string(index));
    return std::nullopt;
  }
  const schema::Buffer &buffer = *buffers->Get(index);
  if (const auto *data = buffer.data(); data && data->size() > 0)
    return std::string_view(reinterpret_cast<const char *>(data->data()),
                            data->size());
  // Offsets 0 and 1 stand for no data after the tables.
  if (buffer.offset() <= 1)
    return std::string_view();
  if (buffer.offset() > bytes.size() ||
      buffer.size() > bytes.size() - buffer.offset()) {
    fail(where, "the " + std::to_string(buffer.size()) +
                    " bytes of its buffer at byte " +
                    formatOffset(buffer.offset()) +
                    " to lie in the file, but got " +
                    std::to_string(bytes.size()) + " bytes");
    return std::nullopt;
  }
  return bytes.substr(buffer.offset(), buffer.size());
}

bool Reader::readShape(const schema::Tensor &table, Tensor &tensor,
                       const std::string &where) {
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  constexpr uint32_t maxRank = 8;
  const auto *shape = table.shape();
  uint32_t rank = shape ? shape->size() : 0;
  if (rank > maxRank)
    return fail(where, "at most " + std::to_string(maxRank) +
                           " dimensions, but got " + std::to_string(rank));
  int64_t size = std::max(getElementBytes(tensor.type), 1U);
  for (uint32_t i = 0; i < rank; ++i) {
    int32_t extent = shape->Get(i);
    if (extent < 0)
      return fail(where, "dimension " + std::to_string(i) +
                             " to be at least 0, but got " +
                             std::to_string(extent));
    tensor.shape.push_back(extent);
    size = extent == 0 ? 0 : size;
    if (size > 0 && size * extent > limit)
      return fail(where, "at most " + std::to_string(limit) +
                             " bytes of elements, but got more");
    size *= extent;
  }
  return true;
}

bool Reader::readData(const schema::Tensor &table, Tensor &tensor,
                      const std::string &where) {
  std::optional<std::string_view> data = readBuffer(table.buffer(), where);
  if (!data)
    return false;
  tensor.data = *data;
  tensor.isConstant = !data->empty();
  unsigned elementBytes = getElementBytes(tensor.type);
  size_t needed = elementBytes * static_cast<size_t>(tensor.getNumElements());
  if (tensor.isConstant && elementBytes != 0 && data->size() != needed)
    return fail(where, std::to_string(needed) + " bytes of data, but got " +
                           std::to_string(data->size()));
  return true;
}

/// Copies a list, since the Verifier aligns it to 4 bytes only.
static std::vector<int64_t> copyWide(const flatbuffers::Vector<int64_t> &list) {
  std::vector<int64_t> numbers(list.size());
  std::memcpy(numbers.data(), list.Data(), 8 * numbers.size());
  for (int64_t &number : numbers)
    number = flatbuffers::EndianScalar(number);
  return numbers;
}

bool Reader::readQuantization(const schema::Tensor &table, Tensor &tensor,
                              const std::string &where) {
  const schema::QuantizationParameters *from = table.quantization();
  if (!from || !from->scale() || from->scale()->size() == 0)
    return true;
  Quantization &quantization = tensor.quantization;
  if (!spend(from->scale()->size(), where) ||
      (from->zero_point() && !spend(from->zero_point()->size(), where)))
    return false;
  quantization.scales.assign(from->scale()->begin(), from->scale()->end());
  size_t count = quantization.scales.size();
  for (float scale : quantization.scales)
    if (!(scale > 0) || !std::isfinite(scale))
      return fail(where, "scales to be positive and finite, but got " +
                             std::to_string(scale));
  const auto *zeroPoints = from->zero_point();
  if (zeroPoints && zeroPoints->size() > 0)
    quantization.zeroPoints = copyWide(*zeroPoints);
  if (quantization.zeroPoints.empty())
    quantization.zeroPoints.assign(count, 0);
  // One zero point may apply to all scales.
  if (quantization.zeroPoints.size() == 1)
    quantization.zeroPoints.resize(count, quantization.zeroPoints.front());
  if (quantization.zeroPoints.size() != count)
    return fail(where, std::to_string(count) +
                           " zero points, one for each scale, but got " +
                           std::to_string(quantization.zeroPoints.size()));
  if (count == 1)
    return true;
  // Biases of rank 1 have the axis of their weights.
  auto rank = static_cast<int32_t>(tensor.shape.size());
  quantization.axis = rank == 1 ? 0 : from->quantized_dimension();
  if (quantization.axis < 0 || quantization.axis >= rank)
    return fail(where, "its quantised dimension to be less than its rank " +
                           std::to_string(rank) + ", but got " +
                           std::to_string(quantization.axis));
  int64_t extent = tensor.shape[static_cast<size_t>(quantization.axis)];
  if (extent != static_cast<int64_t>(count))
    return fail(where, std::to_string(extent) +
                           " scales, one for each index of dimension " +
                           std::to_string(quantization.axis) + ", but got " +
                           std::to_string(count));
  return true;
}

bool Reader::readTensor(const schema::Tensor &table, Graph &graph) {
  auto index = static_cast<int32_t>(graph.tensors.size());
  Tensor &tensor = graph.tensors.emplace_back();
  if (table.name() && !spend(table.name()->size(), "file"))
    return false;
  tensor.name = table.name() ? table.name()->str() : "";
  tensor.type = table.type();
  tensor.isVariable = table.is_variable();
  tensor.offset = getOffset(&table);
  std::string where = describeTensor(graph, index);
  return readShape(table, tensor, where) && readData(table, tensor, where) &&
         readQuantization(table, tensor, where);
}

} // namespace mli::tflite
