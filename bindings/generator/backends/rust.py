"""The Rust back end: bindings/rust/netcl-sys (raw) and bindings/rust/netcl (model)."""

import os

from backends import _rust_calls, _rust_docs, _rust_members, _rust_refusals, _rust_safe, _rust_sys


def write(model, folder):
    files = {}
    _rust_docs.learn(model)
    for name, text in _rust_sys.files(model).items():
        files[os.path.join("netcl-sys", "src", "generated", name)] = text
    files[os.path.join("netcl-sys", "tests", "generated", "counted.rs")] = _rust_sys.counted(model)
    for name, text in (*_rust_members.files(model).items(), *_rust_calls.files(model).items(),
                       *_rust_safe.files(model).items()):
        files[os.path.join("netcl", "src", "generated", name)] = text
    for name, text in _rust_refusals.files(model).items():
        files[os.path.join("netcl", "tests", "generated", name)] = text
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
