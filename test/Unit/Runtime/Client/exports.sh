#!/bin/sh
# exports.sh HEADERS LIBMLI.SO LIBMLI.A: the libraries define C names of the
# APIs only, none that belongs to client code, and each that a header declares.
set -eu
headers=$1 shared=$2 static=$3

names() { nm --defined-only --extern-only "$@" | awk 'NF == 3 { print $3 }'; }

status=0
complain() { echo "$1" && status=1; }

others=$(names -D "$shared" | grep -vE '^(mli|okk)_' || true)
[ -z "$others" ] || complain "libmli.so exports other names: $others"
others=$(names "$static" | grep -vE '^(mli_|okk_|_Z|DW\.ref\.)' || true)
[ -z "$others" ] || complain "libmli.a defines other C names: $others"
clients=$(names "$static" | grep -E '^mli_hlp_(float_to_fx_tensor|fx_tensor_to_float)$' || true)
[ -z "$clients" ] || complain "libmli.a defines names of clients: $clients"

declared=$(echo '#include "mli_api.h"' | cc -E -P -I "$headers" -x c - |
  tr '\n' ' ' | grep -oE '\bmli_(krn|hlp|mov)_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u)
count=$(echo "$declared" | wc -l)
# The 156 of the reference, and mli_hlp_subtensor.
[ "$count" -eq 157 ] || complain "the headers declare $count functions, not 157"
exported=$(names -D "$shared")
for name in $declared; do
  echo "$exported" | grep -qx "$name" || complain "libmli.so lacks $name"
done
exit $status
