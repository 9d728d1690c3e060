// SPDX-License-Identifier: Apache-2.0
//
// The parts that the kernels' contracts are made of. Each check diagnoses on
// the operation and names the operand, what was expected and what was found.
// Dimensions that are dynamic are not checked here: the runtime does.

#ifndef MLI_LIB_IR_CONTRACT_KERNELCONTRACT_H
#define MLI_LIB_IR_CONTRACT_KERNELCONTRACT_H

#include "mli/Contract/Shapes.h"
#include "mli/IR/MLI.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mli::contract {

/// An operand, result or attribute by the name that the documentation gives it;
/// one of a kernel has the contract that the table of kernels states for it.
struct Operand {
  llvm::StringRef name;
  mlir::ShapedType type;
  const Tensor *contract = nullptr;
  /// Whether it is a feature map with the channels first. Contracts have them
  /// last.
  bool isChw = false;

  /// The operand of kernels of `family` that has that role.
  static Operand of(Family family, OperandKind role, mlir::Type type) {
    const Tensor *contract = findTensor(family, role);
    return {contract->name, llvm::cast<mlir::ShapedType>(type), contract};
  }

  mlir::Type element() const { return type.getElementType(); }
  /// Null if the elements are not quantised. Verifiers ask this most, and
  /// looking up an interface takes longer than comparing types.
  QuantizedType quantized() const {
    return llvm::TypeSwitch<mlir::Type, QuantizedType>(element())
        .Case<Fx4Type, Fx8Type, Fx16Type, Sa8Type, Sa32Type>(
            [](auto type) { return QuantizedType(type); })
        .Default(QuantizedType());
  }
  /// The size of `dim`, which on a quantised axis is known by its parameters.
  int64_t knownSize(int64_t dim) const {
    int64_t size = type.getDimSize(dim);
    if (mlir::ShapedType::isStatic(size))
      return size;
    QuantizedType element = quantized();
    return element && element.getAxis() == dim
               ? static_cast<int64_t>(element.getNumParams())
               : size;
  }
  /// The dimension that the contract counts as `dim`.
  int64_t dimension(uint32_t dim) const { return isChw ? (dim + 1) % 3 : dim; }
};

/// `[4, ?, 8]`: the shape as diagnostics spell it.
std::string shapeText(mlir::ShapedType type);

/// A shape for contracts.
Shape<int64_t> getShape(mlir::ShapedType type);

/// `operands` are what an `mli_tensor` can describe: one to four dimensions of
/// one element or more, less than 2 GiB, as many sets of parameters as the
/// quantised axis has indices, and strides that decrease. A rank of 0 is one
/// element.
mlir::LogicalResult verifyTensors(mlir::Operation *op,
                                  llvm::ArrayRef<Operand> operands);

/// The place of a buffer in local memory: its layout is legal there on the
/// target of the module, and not strides alone where there are several NPUs.
mlir::LogicalResult verifyPlacement(mlir::Operation *op, Operand operand);

/// Two buffers of as many elements, of which one with an mli layout has another
/// beside it: the same element of local memory for each in row-major order.
mlir::LogicalResult verifySameAddresses(mlir::Operation *op, Operand source,
                                        Operand result);

/// The address of a buffer with an mli layout: in its start NPU, and such that
/// all of it is there.
mlir::LogicalResult verifyAddress(mlir::Operation *op, Operand operand,
                                  int64_t address);

/// Strides that an mli_tensor can hold: no two indices share an element, and
/// the last dimension is the innermost.
mlir::LogicalResult verifyStrides(mlir::Operation *op, Operand operand);

/// Memrefs whose last dimension has stride 1, which most kernels take for
/// granted.
mlir::LogicalResult verifyUnitStrides(mlir::Operation *op,
                                      llvm::ArrayRef<Operand> operands);

/// Unit strides, no gaps or any strides, as the contracts require.
mlir::LogicalResult verifyMemory(mlir::Operation *op,
                                 llvm::ArrayRef<Operand> operands);

/// Checks the buffers of a kernel in the table: what it writes is no other
/// buffer of it that the contracts require to be distinct. Whether two overlap
/// is only known where the program runs.
mlir::LogicalResult verifySharing(mlir::Operation *op);

/// Parameters for the whole tensor.
mlir::LogicalResult verifyPerTensor(mlir::Operation *op, Operand operand);

/// Parameters for the whole tensor and a zero point that the contract allows.
mlir::LogicalResult verifyActivation(mlir::Operation *op, Operand operand);

/// `left` and `right` have the same element type, parameters included.
mlir::LogicalResult verifySameElement(mlir::Operation *op, Operand left,
                                      Operand right);

/// `left` and `right` are of one kind: fx8, fx16, sa8 or sa32.
mlir::LogicalResult verifySameKind(mlir::Operation *op, Operand left,
                                   Operand right);

/// Checks for the format that the contract of `operand` requires: that of the
/// input, or the one that the kernel writes.
mlir::LogicalResult verifyFormat(mlir::Operation *op, Operand input,
                                 Operand operand);

/// `left` and `right` have the same shape.
mlir::LogicalResult verifySameShape(mlir::Operation *op, Operand left,
                                    Operand right);

/// Shapes and memory of two operands, of which one may be a scalar, and of the
/// result.
mlir::LogicalResult verifyBroadcast(mlir::Operation *op, Operand lhs,
                                    Operand rhs, Operand init);

/// Shape and memory of slopes: one element, or those along `axis`.
mlir::LogicalResult verifySlopeShape(mlir::Operation *op, Operand input,
                                     Operand slope, int32_t axis);

/// Dimension `i` of `left` equals dimension `j` of `right`.
mlir::LogicalResult verifySameDim(mlir::Operation *op, Operand left, int64_t i,
                                  Operand right, int64_t j);

/// The meaning of a size by the letter of its dimension, as diagnostics spell
/// it.
using Meaning = llvm::function_ref<std::string(char, int64_t)>;

/// Checks that the sizes of `operands`, of the ranks of their contracts, are
/// those in `sizes` or in the contracts. `meaning` describes a size that no
/// operand has.
mlir::LogicalResult verifyShapes(
    mlir::Operation *op, llvm::ArrayRef<Operand> operands, Sizes &sizes,
    Meaning meaning = [](char, int64_t size) { return std::to_string(size); });

/// The same of operands whose letter `i` is the number of elements of `input`.
mlir::LogicalResult verifyElements(mlir::Operation *op, Operand input,
                                   llvm::ArrayRef<Operand> operands,
                                   Sizes &sizes, Meaning meaning);

/// Input and result of a kernel that takes each element, or slice, by itself.
mlir::LogicalResult verifyMaps(mlir::Operation *op, Operand input,
                               Operand init);

/// `operand` is the table of `function`, in memory without gaps.
mlir::LogicalResult verifyTable(mlir::Operation *op, mlir::OpOperand &operand,
                                LutFunction function);

/// `use` has no table, or that of its function; one of another format has
/// at least `minLength` entries.
mlir::LogicalResult verifyTable(mlir::Operation *op, const TableUse &use,
                                int64_t minLength);

/// A kernel on each element of two maps.
mlir::LogicalResult verifyEltwise(KernelOpInterface op);

/// A kernel on each element, or slice, that works by tables.
mlir::LogicalResult verifyTableKernel(KernelOpInterface op);

/// The same on slices along `axis`.
mlir::LogicalResult verifySliceKernel(KernelOpInterface op, int32_t axis);

/// The attribute `axis` is -1 or a dimension of a tensor of `rank`.
mlir::LogicalResult verifyAxisAttr(mlir::Operation *op, int64_t axis,
                                   int64_t rank);

/// The tensors of a kernel with weights: the element types go together, the
/// weights' parameters vary along the axis of their contract or not at all, and
/// the bias is in the scale of the products.
struct Weighted {
  Operand input, weights, bias, init;
};
mlir::LogicalResult verifyWeighted(mlir::Operation *op,
                                   const Weighted &operands);

/// The parts of it, for kernels that combine them in their own way: element
/// types that some kernel of the family is written for;
mlir::LogicalResult verifyKinds(mlir::Operation *op, const Weighted &operands);
/// fixed-point `sums` that are not shifted to the left of the products;
mlir::LogicalResult verifyFracBits(mlir::Operation *op, Operand input,
                                   Operand weights,
                                   llvm::ArrayRef<Operand> sums);
/// zero points 0;
mlir::LogicalResult verifyZeroPoints(mlir::Operation *op,
                                     llvm::ArrayRef<Operand> operands);
/// and a bias in the scale of the products, for each set of parameters.
mlir::LogicalResult verifyBiasScale(mlir::Operation *op, Operand input,
                                    Operand weights, Operand bias);

/// Each of `values`, the attribute `name`, is in [least, most].
mlir::LogicalResult verifyRange(mlir::Operation *op, llvm::StringRef name,
                                llvm::ArrayRef<int64_t> values, int64_t least,
                                int64_t most);

/// The attribute `name` has `count` entries.
mlir::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef name,
                                llvm::ArrayRef<int64_t> values, size_t count);

/// The attribute `name` is a height and a width of 1 to 255, which uint8 fields
/// hold.
mlir::LogicalResult verifyFactors(mlir::Operation *op, llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values);

/// The window of `op` moves over its input, or is spread over its result.
mlir::LogicalResult verifyWindow(WindowOpInterface op);

/// Dimension `i` of `init` is dimension `permutation[i]` of `input`, where
/// sizes are left open: the ranks, and a list that names each once.
mlir::LogicalResult verifyPermutation(mlir::Operation *op, Operand input,
                                      Operand init,
                                      llvm::ArrayRef<int64_t> permutation);

/// A view: a tensor of a tensor, or a buffer of a buffer.
mlir::LogicalResult verifySameContainer(mlir::Operation *op, Operand source,
                                        Operand result);

} // namespace mli::contract

#endif // MLI_LIB_IR_CONTRACT_KERNELCONTRACT_H
