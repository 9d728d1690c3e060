"""The networks that tables are made of: TOSA for mli-opt, and .tflite files that
mli-translate takes."""

import subprocess


def run(command, data=None):
    """Runs `command` on the text `data`; its output is text."""
    return subprocess.run(command, input=data, capture_output=True, text=True)


def networks(translate, shared):
    """Name and text of each network of the folder `shared` that can be read."""
    for path in sorted((shared / "models" / "tosa").glob("*.mlir")):
        yield path.name.removesuffix(".mlir"), path.read_text()
    for path in sorted((shared / "models").glob("*/*.tflite")):
        imported = run([translate, "--import-tflite", str(path)])
        if imported.returncode == 0:
            yield path.parent.name, imported.stdout
