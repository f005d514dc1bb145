#!/usr/bin/env python3
"""Lays out a PoCL that compiles faster, beside the installed one: short_pocl.py FOLDER

PoCL of Debian 12 parses all 14,000 functions of OpenCL C before each kernel, which takes four
fifths of the time of a short one. It finds its files relative to its own library, so a folder of
links with a header of its own is all that is needed. That header declares what occurs in the
kernels and tests of this project. The library of OpenCL C's functions, which a process reads whole
before its first kernel (0.6 s), is cut to the same functions and what they call.
Prints the folder of ICD files for OCL_ICD_VENDORS, or nothing where no such PoCL is installed.

Each kernel is linked by a process of its own, which is a tenth of the rest. bin/ld beside that
folder is gold, where there is gold, which takes a fifth of that."""
import ctypes
import hashlib
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENDORS = pathlib.Path("/etc/OpenCL/vendors")


# The libraries of functions for x86-64, the best first, with the flags of /proc/cpuinfo they take.
FUNCTIONS = (("avx512", "avx512f"), ("avx2", "avx2"), ("avx_fma4", "fma4"), ("avx_f16c", "f16c"),
             ("avx", "avx"), ("sse41", "sse4_1"), ("ssse3", "ssse3"), ("sse2", "sse2"))


def loaded(name):
    """The path of a library of this process."""
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        if f"/{name}" in line:
            return pathlib.Path(line.split(maxsplit=5)[5]).resolve()
    return None


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
        library = loaded("libpocl.so")
        if library:
            return library, icd
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


def functions_file(data):
    """The library of functions that PoCL takes on this processor."""
    flags = set(re.findall(r"\w+", pathlib.Path("/proc/cpuinfo").read_text()))
    for name, flag in FUNCTIONS:
        for file in data.glob(f"kernel-x86_64-*-{name}.bc"):
            if flag in flags:
                return file
    return None


def is_declared(symbol, declared):
    """Whether a kernel can name a function: its mangled name has a declared one in it."""
    mangled = re.match(r"_Z(\d+)", symbol)
    if not mangled:
        return not symbol.startswith("Sleef")
    end = mangled.end() + int(mangled[1])
    name = symbol[mangled.end():end].removeprefix("_cl_")
    long = re.search(r"Dv(3|16)_", symbol[end:]) and not re.fullmatch(r"v(load|store)16|fma", name)
    return name.startswith("__") or (name in declared and not long)


class Llvm:
    """The C interface of the LLVM that PoCL has loaded."""

    POINTERS = {"ContextCreate", "CreatePassBuilderOptions", "GetFirstFunction", "GetNextFunction",
                "GetValueName2", "RunPasses"}

    def __init__(self):
        self.library = ctypes.CDLL(str(loaded("libLLVM")))

    def __getattr__(self, name):
        function = getattr(self.library, "LLVM" + name)
        pointer = name in Llvm.POINTERS
        function.restype = ctypes.c_void_p if pointer else ctypes.c_int
        return lambda *arguments: function(*arguments)

    def functions(self, module):
        """Each function of a module and its name."""
        size = ctypes.c_size_t()
        function = self.GetFirstFunction(module)
        while function:
            place = ctypes.c_void_p(function)
            name = ctypes.string_at(self.GetValueName2(place, ctypes.byref(size)), size.value)
            yield place, name.decode()
            function = self.GetNextFunction(place)


def cut_functions(source, target, declared):
    """Writes a library of functions without those that no kernel can reach, or returns False."""
    llvm = Llvm()
    context = ctypes.c_void_p(llvm.ContextCreate())
    options = ctypes.c_void_p(llvm.CreatePassBuilderOptions())
    data, module = ctypes.c_void_p(), ctypes.c_void_p()
    if llvm.CreateMemoryBufferWithContentsOfFile(str(source).encode(), ctypes.byref(data), None):
        return False
    if llvm.ParseBitcodeInContext2(context, data, ctypes.byref(module)):
        return False
    for function, name in llvm.functions(module):
        if not llvm.IsDeclaration(function) and not is_declared(name, declared):
            llvm.SetLinkage(function, 8)  # LLVMInternalLinkage
    if llvm.RunPasses(module, b"globaldce,strip-dead-prototypes", None, options):
        return False
    return llvm.WriteBitcodeToFile(module, str(target).encode()) == 0


def lay_functions(source, target, declared):
    """Cuts a library unless what is there was cut for the same functions."""
    inputs = [str(source.stat().st_mtime_ns), *sorted(declared)]
    made_for = hashlib.sha256("\n".join(inputs).encode()).hexdigest()
    stamp = target.with_suffix(".made_for")
    if target.is_file() and stamp.is_file() and stamp.read_text() == made_for:
        return
    stamp.unlink(missing_ok=True)
    target.unlink(missing_ok=True)
    cut = target.with_suffix(".cut")
    try:
        done = cut_functions(source, cut, declared)
    except (AttributeError, OSError):  # no LLVM of its own, or one without these functions
        done = False
    if not done:
        link(target, source)
        return
    cut.rename(target)
    stamp.write_text(made_for)


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
    functions = functions_file(data)
    for file in [*data.glob("*.bc"), *(data / "include").iterdir()]:
        if file not in (header, functions):
            link(folder / "share" / "pocl" / file.relative_to(data), file)
    short = shorten(header.read_text(), used_words())
    write(folder / "share" / "pocl" / "include" / header.name, short)
    if functions:
        lay_functions(functions, folder / "share" / "pocl" / functions.name,
                      set(re.findall(r"\b(\w+)\(", short)))
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
