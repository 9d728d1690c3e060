import glob
import importlib.util
import os
import shutil
import sys
import time

import lit.formats
from lit.llvm import llvm_config

config.name = "MLI"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Unit", "Benchmark", "Inputs", "Models"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.mli_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
config.substitutions += [
    ("%python", sys.executable),
    ("%lit", os.path.join(config.llvm_tools_dir, "lit")),
    ("%ci", os.path.join(config.mli_src_root, ".ci")),
    ("%build", config.mli_obj_root),
    ("%tools", os.path.join(config.mli_src_root, "tools")),
    ("%docs", os.path.join(config.mli_src_root, "docs")),
    ("%models", os.path.join(config.test_source_root, "Models")),
    ("%runtime", os.path.join(config.mli_src_root, "include", "mli", "Runtime", "C")),
]

# Models and vectors from public repositories lie beside the project and are not
# part of it: a test that needs them says `REQUIRES: shared`.
shared = os.path.join(os.path.dirname(config.mli_src_root), "shared")
shared = os.environ.get("MLI_SHARED", shared)
if os.path.isdir(os.path.join(shared, "models")):
    config.available_features.add("shared")
config.substitutions.append(("%shared", shared))

# Counts instructions; knows no program with a sanitizer.
if shutil.which("valgrind"):
    config.available_features.add("valgrind")

# What makes writing fail is not there in builds for sanitizers.
faults = os.path.join(config.mli_obj_root, "lib", "mli-faults.so")
if os.path.exists(faults):
    config.available_features.add("faults")
config.substitutions += [
    ("%faults", faults),
    ("%binaries", os.path.join(config.mli_obj_root, "bin")),
]

# Nor is the plugin: mlir-opt, which loads it, has no sanitizer.
if os.path.exists(os.path.join(config.mli_obj_root, "lib", "libmli-plugin.so")):
    config.available_features.add("plugin")

# What makes packages and looks at them; packages of a build need its man pages, too.
tools = ["cpack", "dpkg-deb", "lintian", "man", "g++"]
manual = os.path.join(config.mli_obj_root, "manual", "man", "mli-run.1.gz")
if "plugin" in config.available_features and os.path.exists(manual) and all(
        map(shutil.which, tools)):
    config.available_features.add("packages")
if shutil.which("mmdebstrap"):
    config.available_features.add("mmdebstrap")

# Nor is the C API.
if os.path.exists(os.path.join(config.mli_obj_root, "lib", "libmli-c.so")):
    config.available_features.add("capi")

# What opens pages. Selenium has to be that of this Python.
has_selenium = importlib.util.find_spec("selenium") is not None
if shutil.which("chromium") and shutil.which("chromedriver") and has_selenium:
    config.available_features.add("chromium")
# The Python that runs lit runs our package, if it has what that and its tests take.
def has_modules(*names):
    return all(importlib.util.find_spec(name) for name in names)


if has_modules("numpy"):
    config.available_features.add("numpy")
if has_modules("numpy", "pytest"):
    config.available_features.add("pytest")
if has_modules("numpy", "pip", "setuptools", "wheel"):
    config.available_features.add("wheel")
if has_modules("numpy", "mypy"):
    config.available_features.add("mypy")
config.substitutions.append(("%dist-packages", config.mli_python_folder))

# What the C of networks is compiled by and runs in, and our runtime for that, which
# `.ci/run c` builds.
for tool in ["arm-none-eabi-gcc", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc",
             "arc-linux-gnu-gcc", "qemu-riscv64", "qemu-system-arm", "cppcheck"]:
    if shutil.which(tool):
        config.available_features.add(tool)
if shutil.which("riscv64-unknown-elf-gcc") and glob.glob("/usr/lib/picolibc/riscv64-*"):
    config.available_features.add("picolibc")
for runtime in ["riscv64-runtime", "riscv64-plain-runtime", "aarch64-plain-runtime",
                "cortex-m7-runtime", "host-plain-runtime"]:
    library = os.environ.get("MLI_" + runtime.upper().replace("-", "_"), "")
    if os.path.exists(library):
        config.available_features.add(runtime)
    config.substitutions.append(("%" + runtime, library))
networks = ["resnet8_cifar10", "person_detect", "kws_dscnn", "hello_world_int8",
            "micro_speech"]
networks = [os.path.join(shared, "models", name, "model.tflite") for name in networks]
config.substitutions += [
    ("%c-networks", " ".join(networks)),
]

# The same programs each time, or many new ones: tests that fail print their seeds.
seeds, tensor_seeds = "--seed 1 --count 300", "--seed 1 --count 150"
if os.environ.get("MLI_TEST_FULL"):
    config.available_features.add("full")
    first = int(time.time()) * 100000
    seeds = "--seed %d --count 20000" % first
    tensor_seeds = "--seed %d --count 1500" % first
config.substitutions += [("%fuzz-seeds", seeds), ("%tensor-seeds", tensor_seeds)]

llvm_config.add_tool_substitutions(
    ["mli-capi-test", "mli-capi-network", "mli-opt", "mli-run", "mli-translate", "mli-golden", "mli-layout", "mli-plan", "mli-plan-bench", "mli-bench",
     "mli-compile", "mli-fuzz", "mli-reduce", "mli-lsp-server", "mlir-opt", "mlir-runner"],
    [os.path.join(config.mli_obj_root, "bin"), config.llvm_tools_dir],
)
