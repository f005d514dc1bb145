#!/usr/bin/env python3
"""Lays out a PoCL that compiles faster, beside the installed one: short_pocl.py FOLDER

PoCL of Debian 12 parses all 14,000 functions of OpenCL C before each kernel, which takes four
fifths of the time of a short one. It finds its files relative to its own library, so a folder of
links with a header of its own is all that is needed. That header declares what occurs in the
kernels and tests of this project. Prints the folder of ICD files for OCL_ICD_VENDORS, or nothing
where no such PoCL is installed.

Each kernel is linked by a process of its own, which is a tenth of the rest. bin/ld beside that
folder is gold, where there is gold, which takes a fifth of that."""
import ctypes
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENDORS = pathlib.Path("/etc/OpenCL/vendors")


def installed():
    """The library of PoCL and the ICD file that names it."""
    for icd in sorted(VENDORS.glob("*.icd")):
        name = icd.read_text().strip()
        if "pocl" not in name:
            continue
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
            if "/libpocl.so" in line:
                return pathlib.Path(line.split(maxsplit=5)[5]).resolve(), icd
    return None, None


def used_words():
    words = set()
    for folder in ("kernels", "src", "tests", "examples", "bindings"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file():
                words.update(re.findall(r"\w+", file.read_text(errors="ignore")))
    return words


def shorten(header, words):
    """Leaves out functions that nothing names, and those of vectors of 3 and of 16, but for what
    products of matrices take where vectors are that long. The names of conversions, loads and
    stores are put together from types."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", header, flags=re.S)
    statements = re.sub(r"(?m)^([^#\n]*__ovld[^;\n]*)\n", r"\1 ", code)
    endings = "|".join({re.search(r"(_sat)?(_rt[ezpn])?$", word)[0] for word in words})
    made = re.compile(rf"convert_[a-z]+[248]?({endings})|v(load|store)a?_?(half)?\d*({endings})")
    kept = []
    for line in statements.split("\n"):
        function = re.search(r"__ovld.*?\b(\w+)\(", line)
        if function and not line.startswith("#"):
            product = re.fullmatch(r"v(load|store)16|fma", function[1])
            if re.search(r"[a-z](3|16)\b", line) and not product:
                continue
            if function[1] not in words and not made.fullmatch(function[1]):
                continue
        if line.strip():
            kept.append(line)
    return "\n".join(kept)


def link(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    path.symlink_to(target)


def write(path, text):
    """Keeps the time of a file that would not change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    library, icd = installed()
    if library is None:
        return
    data = library.parents[2] / "share" / "pocl"
    header = data / "include" / "opencl-c.h"
    if not header.exists():
        return
    libraries = folder / "lib" / "arch"
    link(libraries / library.name, library)
    link(libraries / "pocl", library.parent / "pocl")
    for file in [*data.glob("*.bc"), *(data / "include").iterdir()]:
        if file != header:
            link(folder / "share" / "pocl" / file.relative_to(data), file)
    write(folder / "share" / "pocl" / "include" / header.name,
          shorten(header.read_text(), used_words()))
    gold = shutil.which("ld.gold")
    if gold:
        link(folder / "bin" / "ld", gold)
    vendors = folder / "vendors"
    for other in VENDORS.glob("*.icd"):
        if other != icd:
            link(vendors / other.name, other)
    write(vendors / icd.name, f"{libraries / library.name}\n")
    print(vendors)


if __name__ == "__main__":
    main()
