"""The Go back end: bindings/go, one package. Generated files begin with zz_."""

import os

from backends import _go_calls, _go_functions, _go_library, _go_types, _go_words


def write(model, folder):
    names = _go_functions.Names(model)
    _go_words.learn(names.words(), model)
    files = {**_go_calls.files(model), **_go_types.files(model), **_go_functions.files(model, names),
             **_go_library.files(model, model.text)}
    for path, text in files.items():
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)
