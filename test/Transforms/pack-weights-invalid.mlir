// RUN: mli-opt %s --mli-pack-weights=threads=0 --verify-diagnostics

// expected-error @below {{expected 'threads' to be in [1, 2147483647], but got 0}}
module {
}
