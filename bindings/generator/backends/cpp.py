"""The C++ back end: include/netcl/generated, what include/netcl.hpp is made of, and a test."""

import os

from backends import _cpp_calls, _cpp_refusals, _cpp_scope, _cpp_types

# Where it writes, in place of bindings/cpp: the header is a part of the library's own.
FOLDERS = (os.path.join("include", "netcl"), os.path.join("tests", "cpp"))


def write(model, folder):
    files = {}
    for name, text in (*_cpp_types.files(model).items(), *_cpp_calls.files(model).items(),
                       *_cpp_scope.files(model).items()):
        files[os.path.join(FOLDERS[0], "generated", name)] = text
    for name, text in _cpp_refusals.files(model).items():
        files[os.path.join(FOLDERS[1], "generated", name)] = text
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
