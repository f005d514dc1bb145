#!/usr/bin/env python3
"""Checks packaging/netcl.rb and packaging/netcl.nix against the build: recipes.py SOURCE

The version is the header's, and CMakeLists.txt knows the options. Where ruby and nix-instantiate
are installed, they read the recipe of theirs too: the formula is parsed, and all that the Nix
expression gives is evaluated with stand-ins for nixpkgs.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
problems = []

# What netcl.nix takes of nixpkgs, as text.
NIX = """
(import %s) ({
  lib = {
    cleanSource = path: toString path;
    optional = wanted: x: if wanted then [ x ] else [];
    licenses.asl20 = "Apache-2.0";
    platforms.linux = [ "x86_64-linux" ];
  };
  stdenv.mkDerivation = attributes: attributes;
  %s
} // { %s })
"""


def installed(program):
    if shutil.which(program):
        return True
    print(f"skipped: the recipe that {program} reads: it is not installed")
    return False


def check_options(recipe, text, known):
    given = dict(re.findall(r"-D(NETCL_\w+)=(\S+?)[\"\s]", text))
    for option in sorted(set(given) - known):
        problems.append(f"{recipe}: CMake does not know {option}")
    if "NETCL_BUILD_TESTS" not in given:
        problems.append(f"{recipe}: no options are found")


def check_ruby(path):
    if not installed("ruby"):
        return
    done = subprocess.run(["ruby", "-wc", path], capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        problems.append(done.stdout + done.stderr)


def evaluate(path, mpi):
    arguments = re.search(r"^\{(.*?)^\}:", path.read_text(), re.M | re.S).group(1)
    names = set(re.findall(r"^[{,]? *,? *([\w-]+)", arguments, re.M)) - {"lib", "stdenv", "mpi"}
    stand_ins = " ".join(f'{name} = "{name}";' for name in sorted(names))
    text = NIX % (path, stand_ins, 'mpi = "mpi";' if mpi else "")
    done = subprocess.run(
        ["nix-instantiate", "--store", "dummy://", "--eval", "--strict", "--json", "-E", text],
        capture_output=True, text=True, check=False)
    if done.returncode:
        problems.append(done.stderr)
        return None
    return json.loads(done.stdout)


def check_nix(path, version):
    if not installed("nix-instantiate"):
        return
    for mpi in (False, True):
        made = evaluate(path, mpi)
        if made is None:
            return
        wanted = f"-DNETCL_BUILD_MPI={'ON' if mpi else 'OFF'}"
        if made["version"] != version or wanted not in made["cmakeFlags"] or \
                ("mpi" in made["buildInputs"]) != mpi:
            problems.append(f"{path.name}: {made}")


def main():
    build = (source / "CMakeLists.txt").read_text()
    header = (source / "include/netcl.h").read_text()
    version = ".".join(re.findall(r"^#define NETCL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header,
                                  re.M))
    for path in sorted((source / "cmake").glob("*.cmake")):
        build += path.read_text()
    known = set(re.findall(r"(?:option|set)\((NETCL_\w+)", build))
    formula, nix = source / "packaging/netcl.rb", source / "packaging/netcl.nix"
    for path, pattern in ((formula, r"netcl-([0-9.]+)[.]tar"), (nix, r'version = "([0-9.]+)"')):
        check_options(path.name, path.read_text(), known)
        if re.findall(pattern, path.read_text()) != [version]:
            problems.append(f"{path.name} is not of version {version}")
    check_ruby(formula)
    check_nix(nix.resolve(), version)
    for problem in problems:
        print(problem)
    print(f"2 recipes: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
