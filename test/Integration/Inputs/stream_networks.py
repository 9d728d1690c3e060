# SPDX-License-Identifier: Apache-2.0
"""Small networks of mli whose kernels can be computed row by row."""

import math
import pathlib
import random
import subprocess
import sys

MAP = "!mli.sa8<16384:14:-3>"
WEIGHTS = "!mli.sa8<16384:20:0>"
BIAS = "!mli.sa32<16384:20:0>"


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def array(values):
    return f"array<i64: {', '.join(map(str, values))}>"


class Network:
    """One function `main` of one input. Windows are pairs of rows and columns, `pad` is as
    the kernels have it."""

    def __init__(self, name, *shape):
        self.name, self.lines, self.shapes = name, [], {"%input": shape}
        self.numbers = random.Random(name)
        # A stream may have the first `streamed` of all kernels, if not all of them.
        self.kernels, self.streamed, self.results = 0, None, []

    def constant(self, shape, storage, element, limit):
        name = f"%c{len(self.lines)}"
        codes = [self.numbers.randint(-limit, limit) for _ in range(math.prod(shape))]
        size = int(storage[1:]) // 8
        text = b"".join(code.to_bytes(size, "little", signed=True) for code in codes).hex()
        self.lines.append(
            f'{name} = mli.constant dense<"0x{text}"> : {tensor(shape, storage)}'
            f" to {tensor(shape, element)}"
        )
        return name, tensor(shape, element)

    def kernel(self, kind, inputs, shape, window="", attributes=()):
        """Adds a kernel of `inputs`, pairs of a name and a type."""
        name, result = f"%v{len(self.lines)}", tensor(shape, MAP)
        self.lines.append(f"%e{len(self.lines)} = tensor.empty() : {result}")
        self.kernels += 1
        names, types = zip(*inputs)
        text = f"{name} = mli.{kind} ins({', '.join(names)} : {', '.join(types)})"
        text += f" outs(%e{len(self.lines) - 1} : {result}){window}"
        if attributes:
            text += f" {{{', '.join(attributes)}}}"
        self.lines.append(f"{text} -> {result}")
        self.shapes[name] = shape
        return name

    def map(self, name):
        return name, tensor(self.shapes[name], MAP)

    def extents(self, source, kernel, strides, pad, dilations=(1, 1)):
        """Rows and columns of a result."""
        found = []
        for i, size in enumerate(self.shapes[source][:2]):
            reach = (kernel[i] - 1) * dilations[i] + 1
            found.append((size + pad[2 * i] + pad[2 * i + 1] - reach) // strides[i] + 1)
        return found

    def convolve(self, source, kernel=(3, 3), strides=(1, 1), pad=(1, 1, 1, 1),
                 dilations=(1, 1), filters=None, kind="conv2d"):
        channels = self.shapes[source][2]
        filters = filters or channels
        groups = {"depthwise_conv2d": channels, "group_conv2d": filters}.get(kind, 1)
        weights = self.constant((*kernel, channels // groups, filters), "i8", WEIGHTS, 60)
        bias = self.constant((filters,), "i32", BIAS, 500)
        attributes = [f"strides = {array(strides)}"]
        if kind == "transpose_conv2d":
            rows = [(size - 1) * strides[i] + kernel[i] - pad[2 * i] - pad[2 * i + 1]
                    for i, size in enumerate(self.shapes[source][:2])]
        else:
            rows = self.extents(source, kernel, strides, pad, dilations)
            attributes.append(f"dilations = {array(dilations)}")
        inputs = [self.map(source), weights, bias]
        return self.kernel(kind, inputs, (*rows, filters), f" pad {list(pad)}", attributes)

    def depthwise(self, source, **window):
        return self.convolve(source, kind="depthwise_conv2d", **window)

    def pool(self, kind, source, kernel=(2, 2), strides=(1, 1), pad=(0, 0, 0, 0)):
        shape = (*self.extents(source, kernel, strides, pad), self.shapes[source][2])
        window = f" kernel {list(kernel)} pad {list(pad)}"
        attributes = [f"strides = {array(strides)}"]
        return self.kernel(kind, [self.map(source)], shape, window, attributes)

    def combine(self, kind, one, other):
        return self.kernel(f"eltwise_{kind}", [self.map(one), self.map(other)], self.shapes[one])

    def relu(self, source):
        return self.kernel("relu", [self.map(source)], self.shapes[source],
                           attributes=["relu = #mli.relu<gen>"])

    def convolve_images(self, source):
        """A convolution of each image of a batch, in a loop."""
        count, *shape = self.shapes[source]
        image, batch = tensor(shape, MAP), tensor((count, *shape), MAP)
        weights = self.constant((3, 3, shape[2], shape[2]), "i8", WEIGHTS, 60)
        bias = self.constant((shape[2],), "i32", BIAS, 500)
        at = len(self.lines)
        name, whole = f"%v{at}", f"{', '.join(map(str, (1, *shape)))}] [1, 1, 1, 1] :"
        self.lines.append(f"""%from{at} = arith.constant 0 : index
  %to{at} = arith.constant {count} : index
  %step{at} = arith.constant 1 : index
  %e{at} = tensor.empty() : {batch}
  {name} = scf.for %i = %from{at} to %to{at} step %step{at} iter_args(%b = %e{at}) -> ({batch}) {{
    %in = tensor.extract_slice {source}[%i, 0, 0, 0] [{whole} {batch} to {image}
    %out = tensor.empty() : {image}
    %r = mli.conv2d ins(%in, {weights[0]}, {bias[0]} : {image}, {weights[1]}, {bias[1]})
      outs(%out : {image}) pad [1, 1, 1, 1] -> {image}
    %with = tensor.insert_slice %r into %b[%i, 0, 0, 0] [{whole} {image} into {batch}
    scf.yield %with : {batch}
  }}""")
        self.kernels += 1
        self.shapes[name] = self.shapes[source]
        return name

    def reshape(self, source, shape):
        name = f"%v{len(self.lines)}"
        types = f"{tensor(self.shapes[source], MAP)} to {tensor(shape, MAP)}"
        self.lines.append(f"{name} = mli.reshape {source} : {types}")
        self.shapes[name] = shape
        return name

    def give(self, *names):
        self.results += names
        return self

    def text(self):
        source = tensor(self.shapes["%input"], MAP)
        types = [tensor(self.shapes[name], MAP) for name in self.results]
        body = "".join(f"  {line}\n" for line in self.lines)
        return (
            f"func.func @main(%input: {source}) -> ({', '.join(types)}) {{\n{body}"
            f"  return {', '.join(self.results)} : {', '.join(types)}\n}}\n"
        )


class Run:
    """What one run gave: no results if it was refused."""

    def __init__(self, network, remarks, output="", results=None):
        self.network, self.remarks, self.output = network, remarks, output
        self.results = results

    def differs(self, whole, way):
        """Whether the results are others than those of `whole`; says so."""
        if self.results == whole.results:
            return False
        print(f"{self.network.name}: {way} differs")
        return True


class Runner:
    """Runs networks by mli-run, each on a random input of its own."""

    def __init__(self, tool, folder):
        self.tool, self.folder, self.inputs = tool, folder, {}
        folder.mkdir(parents=True, exist_ok=True)

    def get_input(self, network):
        """The file of the input of `network`."""
        if network.name in self.inputs:
            return self.inputs[network.name]
        shape = network.shapes["%input"]
        numbers = random.Random(f"input of {network.name}")
        values = [str(numbers.randint(-128, 127)) for _ in range(math.prod(shape))]
        path = self.folder / f"{len(self.inputs)}.npy"
        command = [sys.executable, pathlib.Path(__file__).parent / "make-npy.py", path, "i1"]
        subprocess.run([*command, "x".join(map(str, shape)), *values], check=True)
        self.inputs[network.name] = path
        return path

    def run(self, network, *options, text=None, refusal=None):
        """Runs `network`, or another text of it. Errors end the program, but for those
        that `refusal` matches."""
        path, results = self.folder / "network.mlir", self.folder / "results"
        path.write_text(text or network.text())
        for old in results.glob("*"):
            old.unlink()
        command = [self.tool, path, "--input", self.get_input(network)]
        command += ["--output-dir", results, *options]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode == 0:
            found = [file.read_bytes() for file in sorted(results.glob("*"))]
            return Run(network, done.stderr, done.stdout, found)
        if refusal and refusal.search(done.stderr):
            return Run(network, done.stderr)
        sys.exit(f"{network.name}: {' '.join(map(str, command))}\n{done.stderr}")


NETWORKS = []


def network(name, *shape):
    """Adds the network that a function makes."""
    def add(make):
        made = Network(name, *shape)
        results = make(made, "%input")
        made.give(*(results if isinstance(results, tuple) else (results,)))
        NETWORKS.append(made)
        return make
    return add


# What is kept of a value.


@network("rows", 9, 4, 3)
def _(n, x):
    a = n.relu(n.convolve(x, (1, 1), pad=(0, 0, 0, 0)))
    return n.relu(n.convolve(a, (1, 1), pad=(0, 0, 0, 0)))


@network("a window", 9, 4, 3)
def _(n, x):
    return n.depthwise(n.convolve(x))


@network("a skip", 9, 4, 3)
def _(n, x):
    a = n.relu(x)
    return n.combine("add", a, n.convolve(n.convolve(x)))


@network("a window and a skip", 9, 4, 3)
def _(n, x):
    a = n.convolve(x)
    return n.combine("add", n.depthwise(n.convolve(a)), a)


@network("two skips across one another", 11, 4, 2)
def _(n, x):
    a = n.convolve(x)
    b = n.depthwise(a)
    c = n.combine("add", n.convolve(b), a)
    return n.combine("sub", n.depthwise(n.convolve(c)), b)


@network("branches that meet", 10, 5, 2)
def _(n, x):
    a = n.convolve(x, strides=(2, 1))
    one = n.convolve(a, (5, 3), pad=(2, 2, 1, 1))
    other = n.relu(n.convolve(a, (1, 1), pad=(0, 0, 0, 0)))
    return n.combine("max", n.depthwise(one), other)


@network("a value with users inside and after", 9, 4, 3)
def _(n, x):
    a = n.convolve(x)
    b = n.depthwise(n.depthwise(a))
    n.streamed = n.kernels
    return n.combine("add", b, a)


@network("a result of the function inside", 9, 4, 3)
def _(n, x):
    a = n.depthwise(n.convolve(x))
    return a, n.depthwise(n.convolve(a))


@network("a batch of one", 9, 4, 3)
def _(n, x):
    a = n.convolve(x)
    b = n.reshape(n.relu(n.reshape(a, (1, 9, 4, 3))), (9, 4, 3))
    return n.combine("add", n.depthwise(b), a)


@network("rows of other columns", 9, 4, 3)
def _(n, x):
    return n.depthwise(n.reshape(n.depthwise(n.convolve(x)), (9, 6, 2)))


@network("all rows at once", 9, 4, 3)
def _(n, x):
    a = n.depthwise(n.convolve(x))
    n.streamed = n.kernels
    b = n.pool("avepool", a, (9, 4))
    return n.depthwise(n.convolve(a)), b


# Extents.


@network("one row", 1, 6, 2)
def _(n, x):
    return n.combine("add", n.depthwise(n.convolve(x)), n.relu(x))


@network("one column", 12, 1, 2)
def _(n, x):
    return n.combine("add", n.depthwise(n.convolve(x)), n.relu(x))


@network("a kernel higher than the map", 3, 4, 2)
def _(n, x):
    return n.depthwise(n.convolve(x, (7, 3), pad=(3, 3, 1, 1)), kernel=(7, 5), pad=(3, 3, 2, 2))


@network("rows that nobody reads", 11, 7, 2)
def _(n, x):
    a = n.convolve(x)
    return n.depthwise(n.convolve(a, (1, 1), (3, 2), (0, 0, 0, 0)))


@network("rows left over", 10, 5, 2)
def _(n, x):
    a = n.depthwise(n.convolve(x))
    return n.relu(n.pool("maxpool", a, (2, 2), (4, 2)))


@network("rows to one row", 13, 5, 2)
def _(n, x):
    a = n.depthwise(n.convolve(x))
    return n.relu(n.convolve(a, (5, 3), (3, 2), (0, 0, 1, 1)))


# Windows.


def _windows(kernel, stride, pad, dilation=1):
    name = f"kernel {kernel}, stride {stride}, padding {pad[0]} and {pad[1]}"
    if dilation != 1:
        name += f", dilation {dilation}"

    @network(name, 13, 5, 2)
    def _(n, x):
        a = n.relu(n.convolve(x))
        b = n.convolve(a, (kernel, 3), (stride, 1), (*pad, 1, 1), (dilation, 1))
        return n.depthwise(b)


for _stride in (1, 2, 3):
    for _kernel in range(1, 8):
        _windows(_kernel, _stride, ((_kernel - 1) // 2, _kernel // 2))
for _pad in ((0, 0), (2, 0), (0, 2), (1, 2)):
    _windows(3, 1, _pad)
    _windows(4, 2, _pad)
for _dilation in (2, 3):
    for _stride in (1, 2):
        _windows(3, _stride, (_dilation, _dilation - 1), _dilation)


@network("strides three times", 37, 9, 2)
def _(n, x):
    for _ in range(3):
        x = n.depthwise(n.convolve(x, strides=(2, 2)))
    return x


@network("pools", 12, 6, 2)
def _(n, x):
    a = n.pool("maxpool", n.convolve(x), (3, 3), (1, 1), (1, 1, 1, 1))
    b = n.pool("avepool", a, (3, 2), (2, 1), (0, 1, 1, 0))
    return n.pool("avepool", n.depthwise(b), (2, 2), (1, 1), (1, 0, 0, 1))


@network("groups", 8, 4, 4)
def _(n, x):
    return n.depthwise(n.convolve(n.convolve(x), kind="group_conv2d"))


def _transposed(kernel, stride, pad):
    name = f"transposed kernel {kernel}, stride {stride}, padding {pad[0]} and {pad[1]}"

    @network(name, 7, 4, 2)
    def _(n, x):
        a = n.convolve(x)
        b = n.convolve(a, (kernel, 3), (stride, 1), (*pad, 1, 1), kind="transpose_conv2d")
        return n.depthwise(b)


_transposed(2, 2, (0, 0))
_transposed(3, 2, (1, 0))
_transposed(4, 2, (1, 1))
_transposed(5, 3, (0, 2))
_transposed(3, 1, (1, 1))


@network("down and up", 12, 6, 2)
def _(n, x):
    a = n.convolve(x)
    b = n.convolve(n.depthwise(a, strides=(2, 2), kernel=(2, 2), pad=(0, 0, 0, 0)))
    c = n.convolve(b, (2, 2), (2, 2), (0, 0, 0, 0), kind="transpose_conv2d")
    return n.depthwise(n.combine("add", c, a))


@network("a batch of two", 2, 9, 4, 3)
def _(n, x):
    return n.relu(n.relu(x))


@network("a batch of three", 3, 9, 4, 3)
def _(n, x):
    return n.combine("add", n.relu(x), x)


@network("two images in loops", 2, 9, 4, 3)
def _(n, x):
    return n.convolve_images(n.convolve_images(x))


@network("three images in loops", 3, 9, 4, 3)
def _(n, x):
    return n.relu(n.convolve_images(n.relu(x)))


@network("a skip of rows", 12, 5, 3)
def _(n, x):
    a = n.relu(x)
    b = n.convolve(n.convolve(a, (1, 1), pad=(0, 0, 0, 0)), (5, 3), pad=(2, 2, 1, 1))
    return n.combine("add", a, n.depthwise(b))
