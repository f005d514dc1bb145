"""The Julia back end: bindings/julia/src/generated and test/generated."""

import os

from backends import _julia_raw, _julia_refusals, _julia_safe, _julia_structs
from backends._julia_names import check_names, learn


def write(model, folder):
    check_names(model)
    learn(model)
    files = {**_julia_raw.files(model), **_julia_structs.files(model), **_julia_safe.files(model)}
    for place, found in (("src", files), ("test", _julia_refusals.files(model))):
        target = os.path.join(folder, place, "generated")
        os.makedirs(target, exist_ok=True)
        for name, text in found.items():
            with open(os.path.join(target, name), "w", encoding="utf-8") as file:
                file.write(text)
