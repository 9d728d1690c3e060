#!/bin/sh
# encodings.sh OBJDUMP LIBMLI.SO: products of bytes of 256 bits are encoded as
# processors with AVX-VNNI have them, and those of 512 bits as AVX-512 does.
# Tests run the former on such processors only.
set -eu
objdump=$1 library=$2

# count FIRST REGISTERS: instructions of them whose first byte is that.
count() {
  "$objdump" -d "$library" | grep -cE "^ *[0-9a-f]+:[[:space:]]*$1 .*vpdp(bus|wss)d.*%$2" || true
}

status=0
complain() { echo "$1" && status=1; }
[ "$(count c4 ymm)" -gt 0 ] || complain "expected vpdpbusd of ymm as AVX-VNNI has it, but got none"
[ "$(count 62 zmm)" -gt 0 ] || complain "expected vpdpbusd of zmm as AVX-512 has it, but got none"
exit $status
