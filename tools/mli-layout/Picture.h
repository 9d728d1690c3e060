// SPDX-License-Identifier: Apache-2.0
//
// Pictures of local memory: what is where, NPU by offset.

#ifndef MLI_TOOLS_MLILAYOUT_PICTURE_H
#define MLI_TOOLS_MLILAYOUT_PICTURE_H

#include "Request.h"
#include "mli/Support/Svg.h"

#include "llvm/Support/raw_ostream.h"

namespace mli::layout {

/// A picture of boxes with text, which grow it.
class Svg {
public:
  /// The class of the style sheet that fills a box.
  static llvm::StringRef getStyle(Content content);

  /// The pixels that a box needs for a label.
  static int getWidth(llvm::StringRef label);

  void box(int x, int y, int width, int height, llvm::StringRef style,
           const llvm::Twine &label = "");
  void text(int x, int y, const llvm::Twine &label);
  /// An explanation of the boxes, below all else.
  void legend(llvm::ArrayRef<Content> contents);
  int bottom() const { return height; }
  void write(llvm::StringRef title, llvm::raw_ostream &os) const;

private:
  void grow(int x, int y);

  SvgWriter body;
  int width = 0;
  int height = 0;
};

/// Every packed element of every NPU with its index.
llvm::Expected<Svg> drawElements(const Request &request);

/// Every block (n, c), a row for each block row.
llvm::Expected<Svg> drawFeatures(const Request &request);

/// All of local memory with the marks, a cell for `target.npuBytes / 256`
/// bytes, at least four.
llvm::Expected<Svg> drawMarks(const Target &target,
                              const std::vector<Mark> &marks);

/// Whether the elements are few enough for a picture.
bool canDrawElements(const TensorLayout &layout);

} // namespace mli::layout

#endif // MLI_TOOLS_MLILAYOUT_PICTURE_H
