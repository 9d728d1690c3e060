// SPDX-License-Identifier: Apache-2.0
//
// Imports functions for which kernels have tables, and functions of rows.

#include "Options.h"
#include "Unary.h"

#include "mli/Quant/Formats.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using contract::Family;
using schema::BuiltinOptions;

/// The format of the results of a table kernel, which is fixed.
static Type getTableElement(GraphImporter &importer, Family family) {
  return Sa8Type::get(importer.getContext(),
                      contract::tableFormat(family, 8, /*isAsymmetric=*/true));
}

template <typename TableOp>
static LogicalResult importTable(GraphImporter &importer, Type element) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value init = importer.createEmpty(element, unary->shape);
  Value result = importer.createOp<TableOp>(unary->source, init);
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importLogistic(GraphImporter &importer) {
  return importTable<SigmOp>(importer, getTableElement(importer, Family::Sigm));
}
LogicalResult tflite::importTanh(GraphImporter &importer) {
  return importTable<TanhOp>(importer, getTableElement(importer, Family::Tanh));
}

/// Creates a kernel on the rows of `source`, slices along the last dimension.
template <typename SliceOp>
static Value createRows(GraphImporter &importer, const Unary &unary,
                        Value source, Type element) {
  int64_t size = unary.shape.back();
  int64_t rows = llvm::product_of(unary.shape) / size;
  SmallVector<int64_t, 2> shape = {size};
  if (rows > 1)
    shape.insert(shape.begin(), rows);
  return importer.createOp<SliceOp>(importer.createReshape(source, shape),
                                    importer.createEmpty(element, shape),
                                    rows > 1 ? 1 : -1);
}

LogicalResult tflite::importSoftmax(GraphImporter &importer) {
  auto options = getOptions<schema::SoftmaxOptions>(
      importer, BuiltinOptions::SoftmaxOptions);
  if (failed(options))
    return failure();
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  float beta = (*options)->beta();
  if (!(beta > 0))
    return importer.reject("expected beta to be positive, but got ", beta);
  FailureOr<Value> source = unary->source;
  if (beta != 1)
    source = createScaled(importer, unary->source, beta);
  if (failed(source))
    return failure();
  Value result = createRows<SoftmaxOp>(
      importer, *unary, *source, getTableElement(importer, Family::Softmax));
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importL2Normalization(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value result =
      createRows<L2NormalizeOp>(importer, *unary, unary->source,
                                getTableElement(importer, Family::L2Normalize));
  return defineUnary(importer, *unary, result);
}
