# SPDX-License-Identifier: Apache-2.0
"""What the interpreter of TFLite offers, for the network of accuracy.py: tensor
`n` is all ones of n, so that tests see which one was written where."""

import numpy as np

SHAPES = {0: [1, 4, 4, 3], 3: [1, 4, 4, 3], 6: [1, 6]}


class OpResolverType:
    BUILTIN_REF = 2


class Interpreter:
    def __init__(
        self, model_path, experimental_preserve_all_tensors, experimental_op_resolver_type
    ):
        assert model_path.endswith("net.tflite")
        assert experimental_preserve_all_tensors
        assert experimental_op_resolver_type == OpResolverType.BUILTIN_REF
        self.input = None

    def allocate_tensors(self):
        pass

    def get_input_details(self):
        return [{"index": 0, "shape": np.array(SHAPES[0]), "dtype": np.int8}]

    def get_output_details(self):
        return [{"index": 6}]

    def _get_ops_details(self):
        return [{"outputs": [3]}, {"outputs": [6]}]

    def set_tensor(self, index, tensor):
        assert index == 0 and list(tensor.shape) == SHAPES[0] and tensor.dtype == np.int8
        self.input = tensor

    def invoke(self):
        assert self.input is not None

    def get_tensor(self, index):
        return np.full(SHAPES[index], index, np.int8)
