#!/usr/bin/env python3
"""What f16 and bf16 do to a network: netcl against onnxruntime with the same roundings.

    short_models.py TOOL [--device builtin]

TOOL is build/release/netcl. The text detector of the package `rapidocr-onnxruntime`
(`pip install --no-deps rapidocr-onnxruntime`) marks the text of drawn pictures: by onnxruntime in
f32, by onnxruntime with weights and the result of every node rounded (two Casts behind each), by
the same with weights rounded alone, and by `netcl run --dtype`. Each line says how far the marked
pixels overlap with those of f32, as intersection over union. The exit status is 0 where netcl is
no farther off than 0.01 more than all roundings. The packages onnx, onnxruntime, ml_dtypes, numpy
and pillow have to be installed.
"""

import argparse
import os
import subprocess
import sys
import tempfile

try:
    import ml_dtypes
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    from PIL import Image, ImageDraw, ImageFont
except ImportError as missing:
    print(f"skipped: {missing}; pip install onnx onnxruntime ml_dtypes numpy pillow")
    sys.exit(77)

import picture_models

SHORT = {"f16": (np.float16, TensorProto.FLOAT16), "bf16": (ml_dtypes.bfloat16,
                                                            TensorProto.BFLOAT16)}


def rounded(model, dtype, results):
    """The model with weights rounded, and with the results of nodes rounded where that is asked.
    What f16 does not hold stays, as it does in netcl."""
    element, number = SHORT[dtype]
    nodes = []
    for node in model.graph.node:
        nodes.append(node)
        if node.op_type == "Constant":
            tensor = node.attribute[0].t
            array = numpy_helper.to_array(tensor)
            if array.dtype != np.float32 or array.size == 1:
                continue
            with np.errstate(over="ignore"):
                made = array.astype(element).astype(np.float32)
            if np.isfinite(made).all():
                tensor.CopyFrom(numpy_helper.from_array(made, tensor.name))
        elif results and node.output[0] != model.graph.output[0].name:
            name = node.output[0]
            node.output[0] = name + " wide"
            nodes += [helper.make_node("Cast", [name + " wide"], [name + " short"], to=number),
                      helper.make_node("Cast", [name + " short"], [name], to=TensorProto.FLOAT)]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import[0].version = 13  # the first Cast that knows bf16
    return model


def run_onnxruntime(model, image):
    options = onnxruntime.SessionOptions()
    # Two Casts are no rounding once they are optimised away.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: image})[0]


def pictures(folder):
    """Names, and images of [1, 3, height, width]."""
    made = []
    for i, lines in enumerate(picture_models.PAGES):
        path = os.path.join(folder, f"page{i}.png")
        picture_models.write_page(lines, path)
        made.append((f"page {i}", Image.open(path), 896, 416))
    made.append(("page 0, half", made[0][1], 448, 224))
    line = Image.new("RGB", (320, 96), (255, 255, 255))
    ImageDraw.Draw(line).text((20, 20), "Hello world", fill=(0, 0, 0),
                              font=ImageFont.load_default(40))
    made.append(("a line", line, 320, 96))
    lines = Image.new("RGB", (640, 480), (255, 255, 255))
    for i in range(6):
        ImageDraw.Draw(lines).text((30, 30 + 70 * i), f"Line {i} of the text 0123456789",
                                   fill=(20 * i, 0, 120), font=ImageFont.load_default(16 + 4 * i))
    made += [("six lines", lines, 640, 480), ("six lines, square", lines, 640, 640)]
    for name, picture, width, height in made:
        pixels = np.asarray(picture.convert("RGB").resize((width, height), Image.BILINEAR))
        image = (pixels[..., ::-1] / 255 - picture_models.MEAN) / picture_models.DEVIATION
        yield name, np.ascontiguousarray(image.transpose(2, 0, 1)[None].astype(np.float32))


def overlap(a, b, least=0.3):
    a, b = a > least, b > least
    return (a & b).sum() / max(1, (a | b).sum())


def run_netcl(options, folder, path, names, image, dtype):
    given, got = os.path.join(folder, "image.npy"), os.path.join(folder, "got.npy")
    np.save(given, image)
    subprocess.run([options.tool, "run", path, "--device", options.device, "--dtype", dtype,
                    "--input", f"{names[0]}={given}", "--output", f"{names[1]}={got}"],
                   check=True, capture_output=True)
    return np.load(got)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--device", default="builtin")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    package = picture_models.needed_package("rapidocr_onnxruntime", "rapidocr-onnxruntime")
    path = os.path.join(package, "models", "ch_PP-OCRv4_det_infer.onnx")
    graph = onnx.load(path).graph
    names = graph.input[0].name, graph.output[0].name
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, image in pictures(folder):
            exact = run_onnxruntime(onnx.load(path), image)
            for dtype in SHORT:
                every, weights = (overlap(run_onnxruntime(rounded(onnx.load(path), dtype, results),
                                                          image), exact)
                                  for results in (True, False))
                own = overlap(run_netcl(options, folder, path, names, image, dtype), exact)
                print(f"{name}, {dtype}: netcl {own:.4f}, all rounded {every:.4f}, "
                      f"weights alone {weights:.4f}", flush=True)
                failed += own < every - 0.01
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
