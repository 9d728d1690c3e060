# SPDX-License-Identifier: Apache-2.0
#
# What an editor says that opens a text of nested modules: nested-document.py LEVELS.

import json
import sys

levels = int(sys.argv[1])
text = "module {\n" * levels + "}\n" * levels
document = {"uri": "test:///deep.mlir", "languageId": "mlir", "version": 1, "text": text}
client = {"processId": 123, "rootPath": "", "capabilities": {}, "trace": "off"}
messages = [
    {"id": 0, "method": "initialize", "params": client},
    {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    {"id": 3, "method": "shutdown"},
    {"method": "exit"},
]
print("\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **each}) for each in messages))
