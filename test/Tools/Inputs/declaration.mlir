llvm.func @outside(i64)
