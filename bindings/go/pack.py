#!/usr/bin/env python3
"""Packs the module for a GOPROXY: pack.py FOLDER [VERSION], VERSION as v0.1.0.

Then  GOPROXY=file://FOLDER GOSUMDB=off go get PATH@VERSION  fetches it,
and so it does from any web server that FOLDER is copied to. Two runs write the same bytes.
"""

import datetime
import json
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
LEFT_OUT = ("_test.go",)


def module_path():
    with open(os.path.join(HERE, "go.mod"), encoding="utf-8") as file:
        return re.search(r"^module (\S+)", file.read(), re.MULTILINE).group(1)


def files():
    for folder, folders, names in os.walk(HERE):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), HERE)
            if name.endswith((".go", ".c", ".h", ".mod", ".md")) and \
                    not name.endswith(LEFT_OUT) or name == "LICENSE":
                yield path


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    path = module_path()
    version = sys.argv[2] if len(sys.argv) > 2 else "v" + version_of_header()
    target = os.path.join(sys.argv[1], path, "@v")
    os.makedirs(target, exist_ok=True)
    with zipfile.ZipFile(os.path.join(target, version + ".zip"), "w", zipfile.ZIP_DEFLATED) as made:
        for name in files():
            entry = zipfile.ZipInfo(f"{path}@{version}/{name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with open(os.path.join(HERE, name), "rb") as file:
                made.writestr(entry, file.read())
    with open(os.path.join(HERE, "go.mod"), encoding="utf-8") as file:
        write(target, version + ".mod", file.read())
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")),
                                           datetime.timezone.utc)
    write(target, version + ".info",
          json.dumps({"Version": version, "Time": when.strftime("%Y-%m-%dT%H:%M:%SZ")}))
    write(target, "list", version + "\n")
    print(f"{path}@{version} lies in {sys.argv[1]}")


def version_of_header():
    with open(os.path.join(HERE, "zz_netcl.h"), encoding="ascii") as file:
        text = file.read()
    return ".".join(re.search(rf"NETCL_VERSION_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
