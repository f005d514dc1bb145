"""The Go back end: bindings/go, one package. Generated files begin with zz_."""

import os

from backends import _go_calls, _go_functions, _go_types


def write(model, folder):
    files = {**_go_calls.files(model), **_go_types.files(model), **_go_functions.files(model)}
    for path, text in files.items():
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)
