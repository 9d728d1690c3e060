// SPDX-License-Identifier: Apache-2.0
//
// Reads a file and checks it step by step.

#ifndef MLI_LIB_IMPORT_MODEL_TFLITEREADER_H
#define MLI_LIB_IMPORT_MODEL_TFLITEREADER_H

#include "TFLite_generated.h"

#include "mli/Import/TFLiteModel.h"

namespace mli::tflite {

/// The reader of one file. Functions return false after they have set the
/// error.
class Reader {
public:
  Reader(std::string_view bytes, std::string &error)
      : bytes(bytes), error(error), budget(bytes.size() + 65536) {}

  std::optional<Model> read();

private:
  /// Sets the error, `where: expected <what> to <condition>, but got <value>`.
  bool fail(const std::string &where, const std::string &text) {
    error = where + ": expected " + text;
    return false;
  }
  uint64_t getOffset(const void *table) const {
    return static_cast<uint64_t>(static_cast<const char *>(table) -
                                 bytes.data());
  }

  bool readGraph(const schema::SubGraph &table, Graph &graph);
  bool readTensor(const schema::Tensor &table, Graph &graph);
  bool readShape(const schema::Tensor &table, Tensor &tensor,
                 const std::string &where);
  bool readData(const schema::Tensor &table, Tensor &tensor,
                const std::string &where);
  bool readQuantization(const schema::Tensor &table, Tensor &tensor,
                        const std::string &where);
  bool readOperator(const schema::Operator &table, Graph &graph);
  bool readNumbers(const flatbuffers::Vector<int32_t> *list, int32_t minimum,
                   const Graph &graph, const std::string &where,
                   const char *what, std::vector<int32_t> &numbers);
  bool checkOrder(const Graph &graph);
  /// The bytes of buffer `index`; nothing, with an error, if the file does not
  /// have it.
  std::optional<std::string_view> readBuffer(uint32_t index,
                                             const std::string &where);

  /// Counts copied elements. Many tables may share one list, so a small file
  /// could require any amount of memory.
  bool spend(size_t elements, const std::string &where) {
    spent += elements;
    return spent <= budget ||
           fail(where, "lists and names of at most " + std::to_string(budget) +
                           " elements together, but got more");
  }

  std::string_view bytes;
  std::string &error;
  const schema::Model *model = nullptr;
  size_t budget = 0, spent = 0;
};

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_MODEL_TFLITEREADER_H
