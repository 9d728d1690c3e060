// SPDX-License-Identifier: Apache-2.0
//
// What the files of one network have in common.

#ifndef MLI_LIB_TARGET_C_NETWORK_H
#define MLI_LIB_TARGET_C_NETWORK_H

#include "Text.h"

#include "mli/IR/FunctionTable.h"
#include "mli/IR/MLI.h"
#include "mli/Target/C.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mli::c {

/// The blob begins with "MLIW", its length, the CRC-32 of what is behind this
/// header, and a word of zeros. Tables begin at multiples of as many bytes.
inline constexpr int64_t blobHeaderBytes = 16;

/// What tables that are made once begin at a multiple of.
inline constexpr int64_t tableAlignment = 4;

/// The type of elements in C.
struct ElementType {
  const char *type;   ///< "int8_t"
  const char *member; ///< of `mli_data_container::mem` for a pointer: "pi8"
  int64_t bytes;
};

/// Whether C has a type for `element`.
bool hasElementType(mlir::Type element);

/// The type of integers of `width` bits: 8, 16 or 32.
ElementType getIntegerType(unsigned width);

/// The type for `element`, of `mli` or builtin.
ElementType getElementType(mlir::Type element);

/// An argument of a function.
struct Port {
  /// The halves of a state take turns: one is read, and the other written.
  /// `State` is both.
  enum class Kind { Input, Output, Arena, OldState, NewState, State };

  Kind kind;
  mlir::BlockArgument argument;
  std::string name;
  int64_t bytes;
  std::string macro = {}; ///< what its macros begin with
  /// Where in the arena the caller may have it.
  std::optional<int64_t> offset = {};

  bool isState() const {
    return kind == Kind::OldState || kind == Kind::NewState ||
           kind == Kind::State;
  }
  /// Whether the struct of states has a member for it.
  bool isStateMember() const { return isState() && kind != Kind::NewState; }
  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(argument.getType());
  }
};

/// A function of the module.
struct Function {
  mlir::func::FuncOp op;
  bool isEntry = false; ///< for callers from outside
  llvm::SmallVector<Port> ports = {};
  std::string name = {};   ///< in C
  std::string bases = {};  ///< the struct of where its arguments are
  std::string macros = {}; ///< what its macros begin with
  /// Whether a layer of it or of a callee reads tables that are made once.
  bool readsTables = false;
  /// Whether its statements read its bases.
  bool readsBases = false;
  /// Tensors that a layer of it or of a callee has at the same time.
  size_t numTensors = 0;
  /// Bytes of local memory, in each NPU, that it and its callees use.
  int64_t localBytes = 0;
  /// Whether these are scattered over NPUs: calls have addresses there, and no
  /// pointers.
  bool isScattered = false;
  /// Bytes of scratch memory that copies of scattered tensors take.
  int64_t scratchBytes = 0;
  /// The struct of its state, and the function that begins one.
  std::string state = {}, reset = {};

  /// The ports that are arguments in C, in its order.
  llvm::SmallVector<const Port *> getArguments() const;
  /// The port that the member of the struct is of which has `port`, a state.
  const Port *getStateMember(const Port &port) const;
  /// The port of the arena; null if there is none.
  const Port *findArena() const {
    const auto *found = llvm::find_if(
        ports, [](const Port &port) { return port.kind == Port::Kind::Arena; });
    return found == ports.end() ? nullptr : found;
  }
  /// Whether local memory is one of the caller.
  bool takesLocal() const { return localBytes > 0 && !isScattered; }
  bool hasState() const {
    return llvm::any_of(ports, [](const Port &port) { return port.isState(); });
  }
  /// Whether a state has two halves.
  bool takesTurns() const {
    return llvm::any_of(ports, [](const Port &port) {
      return port.kind == Port::Kind::OldState;
    });
  }
};

/// A table of a function that the library makes once.
struct MadeTable {
  FunctionTable table;
  int64_t offset; ///< in the memory of all of them
};

/// A constant that kernels read.
struct Table {
  std::string name;
  mlir::ElementsAttr values;
  ElementType type;
  int64_t bytes;
  int64_t offset; ///< in the blob
};

/// An operation that calls a function of the library.
struct Layer {
  mlir::Operation *op;
  std::string place;
  int64_t products;
};

/// What the source has where a layer or a function needs it.
struct Helpers {
  bool addressing = false;   ///< `at`
  bool copying = false;      ///< `memcpy` or `memmove`
  bool narrowing = false;    ///< `TO_BYTE`
  bool instructions = false; ///< `ADDRESS`
  bool conditions = false;   ///< `bool`
  bool pointers = false;     ///< `NULL`
  /// Handles that moves beside kernels take at the same time.
  size_t handles = 0;
  bool moving = false; ///< calls of `mli_mov_*`
  bool hooked = false; ///< the hook that copies rows
};

/// What the source describes tensors with.
struct DescriptionCounts {
  size_t tensors = 0;
  int64_t parameterBytes = 0; ///< of parameters along an axis
};

struct Network {
  const COptions &options;
  mlir::ModuleOp module;
  Names names = {};       ///< of all files
  std::string upper = {}; ///< the name in macros
  /// Callees before their callers.
  std::vector<Function> functions = {};
  llvm::SmallMapVector<mlir::Attribute, Table, 8> tables = {};
  llvm::SmallVector<MadeTable, 2> madeTables = {};
  llvm::SmallVector<Layer> layers = {};
  Helpers helpers = {};
  DescriptionCounts descriptions = {};

  const Function &getFunction(mlir::func::FuncOp op) const;
  /// The table of `constant`.
  const Table &getTable(mlir::Value constant);
  int64_t getBlobBytes() const;
  /// Whether calls of mli_local.h and okk.h reach scattered local memory.
  bool isScattered() const {
    return llvm::any_of(functions, [](const Function &function) {
      return function.isScattered;
    });
  }
  /// Where `table` is in the memory of those that are made once.
  int64_t getMadeTable(const FunctionTable &table);
  int64_t countMadeBytes() const;
  /// Channels that moves by the library take at the same time.
  size_t countChannels() const {
    return std::max<size_t>(helpers.handles, helpers.moving);
  }
};

/// Reads functions and their ports. Fails, with an error, on what C does not
/// have.
llvm::FailureOr<Network> readNetwork(mlir::ModuleOp module,
                                     const COptions &options);

/// The value of the `mli_lut` of `table`, with its entries at `memory`.
std::string describeTable(const FunctionTable &table, llvm::StringRef memory);

/// What `type` is in the network: "int8 [8, 8, 3], real = code / 2^3".
std::string describePort(const Function &function, const Port &port);

/// The products, or elements of windows, that `op` sums up; 0 for moves. Fails
/// with a diagnostic if its sizes are not known.
mlir::FailureOr<int64_t> countProducts(mlir::Operation *op);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_NETWORK_H
