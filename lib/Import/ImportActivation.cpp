// SPDX-License-Identifier: Apache-2.0
//
// Importing functions that kernels have tables for, and of slices.

#include "Options.h"
#include "Unary.h"

#include "mli/Quant/Formats.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using contract::Family;
using schema::BuiltinOptions;

/// The formats that kernels fix.
static Type tableElement(GraphImporter &importer, Family family) {
  return Sa8Type::get(importer.getContext(),
                      contract::tableFormat(family, 8, /*isAsymmetric=*/true));
}

template <typename TableOp>
static LogicalResult importTable(GraphImporter &importer, Type element) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value init = importer.createEmpty(element, unary->shape);
  Value result = TableOp::create(importer.getBuilder(), importer.getLoc(),
                                 unary->source, init)
                     .getResult(0);
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importLogistic(GraphImporter &importer) {
  return importTable<SigmOp>(importer, tableElement(importer, Family::Sigm));
}
LogicalResult tflite::importTanh(GraphImporter &importer) {
  return importTable<TanhOp>(importer, tableElement(importer, Family::Tanh));
}

/// A kernel on the rows of `source`, slices along the last dimension.
template <typename SliceOp>
static Value createRows(GraphImporter &importer, const Unary &unary,
                        Value source, Type element) {
  int64_t size = unary.shape.back();
  int64_t rows = llvm::product_of(unary.shape) / size;
  SmallVector<int64_t, 2> shape = {size};
  if (rows > 1)
    shape.insert(shape.begin(), rows);
  return SliceOp::create(importer.getBuilder(), importer.getLoc(),
                         importer.createReshape(source, shape),
                         importer.createEmpty(element, shape),
                         rows > 1 ? 1 : -1)
      .getResult(0);
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
    return importer.refuse("expected beta to be positive, but got ", beta);
  FailureOr<Value> source = unary->source;
  if (beta != 1)
    source = createScaled(importer, unary->source, beta);
  if (failed(source))
    return failure();
  Value result = createRows<SoftmaxOp>(importer, *unary, *source,
                                       tableElement(importer, Family::Softmax));
  return defineUnary(importer, *unary, result);
}

LogicalResult tflite::importL2Normalization(GraphImporter &importer) {
  FailureOr<Unary> unary = readUnary(importer);
  if (failed(unary))
    return failure();
  Value result =
      createRows<L2NormalizeOp>(importer, *unary, unary->source,
                                tableElement(importer, Family::L2Normalize));
  return defineUnary(importer, *unary, result);
}
