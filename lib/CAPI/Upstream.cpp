// SPDX-License-Identifier: Apache-2.0
//
// CMake wants a source of each library. All of this one is in the archives that
// MLIR is installed with.
