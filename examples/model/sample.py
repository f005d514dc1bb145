#!/usr/bin/env python3
"""Makes what lies in sample/: models and pictures that the examples run without arguments.

    sample.py

They stand in for networks that learned something: each is a few operators with weights made by
hand. `classify.onnx` tells which colour a picture has most of. The others read a script of three
letters, blocks that fill the upper half of a line (u), the lower (l) or all of it (f):
`detect.onnx` gives for each pixel how much it belongs to text, `turn.onnx` tells lines that stand
on their heads, which have more ink at their ends, and `read.onnx` gives for each 8 columns the odds
of blank, u, l, f and space. Their inputs and outputs are those of PP-OCR. numpy and onnx have to be
installed.
"""

import os
import struct
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample")
COLORS = {"red": (208, 64, 48), "green": (72, 160, 56), "blue": (48, 88, 200),
          "grey": (128, 128, 128)}
LETTER, GAP, LINE = 16, 16, 20  # widths, and the height of a line
LINES = ("fflul", "ffluu", "fffuu")


def save_png(name, pixels):
    """8 bits, one channel or three; each row as the difference of the one above (filter 2)."""
    height, width = pixels.shape[:2]
    rows = pixels.reshape(height, -1).astype(np.uint8)
    above = np.vstack([np.zeros_like(rows[:1]), rows[:-1]])
    data = np.hstack([np.full((height, 1), 2, np.uint8), rows - above]).tobytes()

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if pixels.ndim == 3 else 0, 0, 0, 0)
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                   chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def save_model(name, nodes, weights, inputs, outputs):
    initializers = [numpy_helper.from_array(np.asarray(value), key)
                    for key, value in weights.items()]
    values = [[helper.make_tensor_value_info(key, TensorProto.FLOAT, shape)
               for key, shape in given.items()] for given in (inputs, outputs)]
    graph = helper.make_graph(nodes, name, values[0], values[1], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8,
                              producer_name="examples/model/sample.py")
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(FOLDER, name + ".onnx"))


def darkness(channels=1):
    """The mean of three channels of -1 to 1, turned round."""
    return np.full((channels, 3, 1, 1), -1 / 3, np.float32)


def make_models():
    # What a colour has more than grey, back from ImageNet's mean and deviation.
    std, mean = np.array([0.229, 0.224, 0.225]), np.array([0.485, 0.456, 0.406])
    matrix = np.vstack([24 * (np.eye(3) - 1 / 3), np.zeros(3)])
    save_model("classify",
               [helper.make_node("GlobalAveragePool", ["data"], ["mean"]),
                helper.make_node("Flatten", ["mean"], ["flat"]),
                helper.make_node("Gemm", ["flat", "w", "b"], ["scores"], transB=1)],
               {"w": (matrix * std).astype(np.float32),
                "b": (matrix @ mean + [0, 0, 0, 1.2]).astype(np.float32)},
               {"data": ["batch", 3, 224, 224]}, {"scores": ["batch", 4]})
    # Ink, spread over the gaps between letters.
    save_model("detect",
               [helper.make_node("Conv", ["x", "w"], ["ink"]),
                helper.make_node("MaxPool", ["ink"], ["wide"], kernel_shape=[1, 21],
                                 pads=[0, 10, 0, 10]),
                helper.make_node("Mul", ["wide", "eight"], ["scaled"]),
                helper.make_node("Sigmoid", ["scaled"], ["odds"])],
               {"w": darkness(), "eight": np.float32(8)},
               {"x": ["n", 3, "h", "w"]}, {"odds": ["n", 1, "h", "w"]})
    # What lines of 160 columns and more have to the left and to the right of the 80th.
    save_model("turn",
               [helper.make_node("Slice", ["x", "begin", "end", "axis"], ["cut"]),
                helper.make_node("AveragePool", ["cut"], ["halves"], kernel_shape=[48, 80],
                                 strides=[48, 80]),
                helper.make_node("Conv", ["halves", "w"], ["pair"]),
                helper.make_node("Flatten", ["pair"], ["scores"]),
                helper.make_node("Softmax", ["scores"], ["odds"], axis=1)],
               {"w": 40 * np.stack([np.tile([-1 / 3, 1 / 3], (3, 1, 1)),
                                    np.tile([1 / 3, -1 / 3], (3, 1, 1))]).astype(np.float32),
                "begin": np.array([0], np.int64), "end": np.array([160], np.int64),
                "axis": np.array([3], np.int64)},
               {"x": ["n", 3, 48, 192]}, {"odds": ["n", 2]})
    # Ink of the rows in which the upper half of a letter lies, and the lower, in each 8 columns.
    upper, lower = np.zeros(24), np.zeros(24)
    upper[8:11], lower[13:16] = 1 / 3, 1 / 3
    classes = [0 * upper, upper - lower, lower - upper, upper + lower, 0 * upper]
    weights = -20 / 3 * np.repeat(np.stack(classes)[:, None, :, None], 3, 1)
    save_model("read",
               [helper.make_node("AveragePool", ["x"], ["pairs"], kernel_shape=[2, 8],
                                 strides=[2, 8]),
                helper.make_node("Conv", ["pairs", "w", "b"], ["scores"]),
                helper.make_node("Squeeze", ["scores", "two"], ["columns"]),
                helper.make_node("Transpose", ["columns"], ["rows"], perm=[0, 2, 1]),
                helper.make_node("Softmax", ["rows"], ["odds"], axis=2)],
               {"w": weights.astype(np.float32),
                "b": 20 * np.array([0, -0.9, -0.9, -0.8, -4], np.float32),
                "two": np.array([2], np.int64)},
               {"x": ["n", 3, 48, "w"]}, {"odds": ["n", "columns", 5]})


def line_of(text):
    """Ink of 0 to 1, [LINE, width]."""
    ink = np.zeros((LINE, len(text) * (LETTER + GAP) - GAP))
    for i, letter in enumerate(text):
        rows = {"u": slice(0, LINE // 2), "l": slice(LINE // 2, LINE), "f": slice(0, LINE)}[letter]
        ink[rows, i * (LETTER + GAP):i * (LETTER + GAP) + LETTER] = 1
    return ink


def put(page, ink, top, left, degrees):
    """Draws ink, turned about its middle; each pixel is the mean of 4 x 4 places."""
    height, width = ink.shape
    turn = np.deg2rad(degrees)
    places = (np.arange(4) + 0.5) / 4
    y = (np.arange(page.shape[0])[:, None] + places).reshape(-1, 1) - top - height / 2
    x = (np.arange(page.shape[1])[:, None] + places).reshape(1, -1) - left - width / 2
    from_x = np.floor(x * np.cos(turn) + y * np.sin(turn) + width / 2).astype(int)
    from_y = np.floor(y * np.cos(turn) - x * np.sin(turn) + height / 2).astype(int)
    inside = (from_x >= 0) & (from_x < width) & (from_y >= 0) & (from_y < height)
    drawn = np.where(inside, ink[from_y.clip(0, height - 1), from_x.clip(0, width - 1)], 0)
    drawn = drawn.reshape(page.shape[0], 4, page.shape[1], 4).mean((1, 3))
    page += drawn * (1 - page)


def make_pictures():
    for name, color in COLORS.items():
        y, x = np.mgrid[0:60, 0:80]
        light = 0.7 + 0.3 * np.sin(x / 13) * np.cos(y / 9)
        save_png(name + ".png", (light[..., None] * np.array(color)).round())
    page = np.zeros((192, 256))
    for text, top, degrees in zip(LINES, (24, 84, 148), (0, 9, 180)):
        put(page, line_of(text), top, 40, degrees)
    save_png("page.png", (240 - 220 * page).round())
    line = np.zeros((36, 200))
    put(line, line_of(LINES[1]), 8, 24, 0)
    save_png("line.png", (240 - 220 * line).round())


def save_text(name, lines):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def main():
    os.makedirs(FOLDER, exist_ok=True)
    make_models()
    make_pictures()
    save_text("labels.txt", COLORS)
    save_text("keys.txt", "ulf")
    save_text("page.txt", LINES)
    save_text("line.txt", [LINES[1]])


if __name__ == "__main__":
    main()
