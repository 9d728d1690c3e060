// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_LIB_TARGET_C_LAYERPRINTER_H
#define MLI_LIB_TARGET_C_LAYERPRINTER_H

#include "Descriptions.h"

#include "mli/Calls/LocalOperand.h"

namespace mlir::arith {
class ConstantOp;
} // namespace mlir::arith

namespace mli::c {

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The names of indices of a function: variables, or literals; and of pointers
/// to buffers that are carried.
using IndexNames = llvm::DenseMap<mlir::Value, std::string>;

/// Whether `value` is a buffer that C has the local address of, and no pointer
/// to.
bool isAddress(mlir::Value value);

/// The declaration of the variable `name` for `value`: an index, a condition,
/// or a pointer to a buffer.
std::string declareVariable(mlir::Value value, llvm::StringRef name,
                            bool isConst = false);

/// The literal of `op`; none if that is no integer of 32 bits.
std::optional<std::string> getLiteral(mlir::arith::ConstantOp op);

struct Expression {
  std::string text = {};
  bool isUnsigned = false; ///< a `uint32_t`
};

/// What `op` computes, on the indices of `names`; empty for what C does not
/// have.
Expression getExpression(mlir::Operation *op, const IndexNames &names);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Steps from one row, or block of rows, to the next, in bytes.
struct RowSteps {
  int64_t count, to, from;
};

/// The rows of a block in two buffers. `outer` are blocks of rows, the
/// outermost ones first.
struct Rows {
  int64_t bytes;
  RowSteps rows;
  llvm::SmallVector<RowSteps, 2> outer;
};

/// The rows that `shape` elements of `bytes` bytes are in, with `to` and `from`
/// the strides of both buffers in elements: as long and as many as there can
/// be.
Rows findRows(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> to,
              llvm::ArrayRef<int64_t> from, int64_t bytes);

/// Whether `op` moves a block as it is, in the order of its elements.
bool movesRows(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Prints one operation as a function of its own, which calls those of the
/// library.
class LayerPrinter {
public:
  LayerPrinter(Network &network, Function &function, Descriptions &descriptions,
               const IndexNames &indices, mlir::Operation *op)
      : network(network), function(function), descriptions(descriptions),
        indices(indices), op(op) {}

  /// Prints `call` as the function `name` to `os`. Returns the arguments that
  /// it takes besides the bases. Fails, with an error, on what C does not have.
  llvm::FailureOr<std::string> print(const calls::Call &call,
                                     llvm::StringRef name, Writer &os);
  /// The same for `call`, a move of blocks of rows, which a hook copies.
  llvm::FailureOr<std::string> printRows(const calls::Call &call,
                                         llvm::StringRef name, Writer &os);
  /// Prints `advance` as the function `name`, by `memmove` or the hook.
  llvm::FailureOr<std::string> printAdvance(AdvanceOp advance,
                                            llvm::StringRef name, Writer &os);
  /// Prints `op`, which copies all elements in row-major order from one block
  /// in local memory that is scattered over NPUs to another, as the function
  /// `name`.
  llvm::FailureOr<std::string> printElements(mlir::Value from,
                                             calls::Part source, mlir::Value to,
                                             calls::Part target,
                                             llvm::StringRef name, Writer &os);
  /// Prints `move`, which `call` is, with a side that is scattered over NPUs.
  llvm::FailureOr<std::string> printLocalMove(const calls::LocalMove &move,
                                              const calls::Call &call,
                                              llvm::StringRef name, Writer &os);
  /// Makes the layer a move that runs beside kernels: its function only begins
  /// it, and takes a handle behind its other arguments.
  LayerPrinter &begin() {
    isBegun = true;
    return *this;
  }

private:
  std::string getIndex(mlir::Value index);
  std::string getAddress(const Place &place, int64_t distance);

  llvm::FailureOr<std::string> declare(const calls::TensorArgument &tensor,
                                       llvm::StringRef name);
  llvm::FailureOr<std::string> getMemory(const calls::TensorArgument &tensor,
                                         llvm::StringRef name,
                                         llvm::StringRef type);
  std::string declareAt(const Extent &extent, mlir::Type element, bool isRead,
                        llvm::StringRef name);
  llvm::FailureOr<std::string>
  declareScalar(const calls::TensorArgument &tensor, llvm::StringRef name);

  // Local memory that is scattered over NPUs
  Extent takeScratch(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  llvm::FailureOr<std::string> declareCopy(const calls::TensorArgument &tensor,
                                           llvm::StringRef name);
  llvm::FailureOr<std::string> declareLocal(mlir::Value buffer,
                                            const calls::LocalPlace &place,
                                            llvm::StringRef name);
  llvm::FailureOr<bool> printInstruction(const calls::LocalMove &move,
                                         const calls::TensorArgument &local,
                                         const calls::TensorArgument &system);

  std::string getScratch(int64_t bytes, llvm::StringRef name);
  std::string listMembers(const calls::Record &record, bool &isKnown);
  std::string getMember(const calls::Record &record, size_t i);

  llvm::FailureOr<std::string> pass(const calls::TensorArgument &tensor,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::TensorsArgument &list,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::UnreadArgument &,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::TableArgument &argument,
                                    llvm::StringRef name);
  llvm::FailureOr<std::string> pass(const calls::ConfigArgument &config,
                                    llvm::StringRef name);

  llvm::FailureOr<std::string> getEntries(const calls::TableArgument &argument,
                                          llvm::StringRef name);
  llvm::FailureOr<std::string> passAll(const calls::Call &call);
  std::string printHead(llvm::StringRef name, Writer &os);
  std::string printCall(llvm::StringRef call, llvm::StringRef name, Writer &os);
  static void printEnd(Writer &os);

  struct Statement {
    std::string text;
    bool isCall = false; ///< which gives a status
  };

  Network &network;
  Function &function;
  Descriptions &descriptions;
  const IndexNames &indices;
  mlir::Operation *op;
  /// Declarations, and statements around the call of the layer.
  Writer body;
  llvm::SmallVector<Statement, 2> before, after;
  /// Variables of the caller that the layer reads.
  llvm::SetVector<mlir::Value> variables;
  std::string firstTensor;
  bool readsBases = false, isBegun = false;
  size_t numTensors = 0;
  int64_t scratchUsed = 0;
  calls::CopyMemory copies;
};

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_LAYERPRINTER_H
