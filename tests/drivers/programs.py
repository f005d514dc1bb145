#!/usr/bin/env python3
"""Prints what ctest runs on PoCL as lines of a name, a tab and a command of the shell:
programs.py BUILD. What says which driver it is and where it keeps its files is left to the caller.
"""
import json
import shlex
import subprocess
import sys

# What tests/CMakeLists.txt sets for the PoCL of the gate and for sanitizers.
CALLERS = ("NETCL_CACHE_DIR", "POCL_CACHE_DIR", "OCL_ICD_VENDORS", "PATH", "NETCL_TEST_DEVICE",
           "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


def main():
    listing = subprocess.run(["ctest", "--show-only=json-v1", "-L", "^pocl$"], cwd=sys.argv[1],
                             check=True, capture_output=True, text=True)
    for test in json.loads(listing.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        environment = [entry for entry in properties.get("ENVIRONMENT", [])
                       if entry.partition("=")[0] not in CALLERS]
        name = test["name"].removesuffix(".pocl")
        if "command" in test and name != "device_backend":
            command = shlex.join(["env", *environment, *test["command"]])
            print(f"{name}\tcd {shlex.quote(properties['WORKING_DIRECTORY'])} && {command}")


if __name__ == "__main__":
    main()
