#!/usr/bin/env python3
"""Checks the list of what is inside: sbom.py NETCL.SPDX.JSON CMAKE_FOLDER

Each party of third_parties.json whose headers the build asks for is there, once, with a licence, a
version where its headers have one, and a relation to what it is in; each header that the build asks
for belongs to a party. The date is that of debian/changelog, or SOURCE_DATE_EPOCH. Where the wheel
spdx-tools is installed, it finds the file valid.
"""

import datetime
import email.utils
import json
import os
import pathlib
import re
import sys


def main():
    path, cmake = sys.argv[1], pathlib.Path(sys.argv[2])
    sbom = json.loads(pathlib.Path(path).read_text())
    parties = json.loads((cmake / "third_parties.json").read_text())["parties"]
    packages = {p["name"]: p for p in sbom["packages"]}
    assert len(packages) == len(sbom["packages"]), "a package is there twice"
    assert sbom["spdxVersion"] == "SPDX-2.3"
    changelog = (cmake.parent / "debian" / "changelog").read_text()
    released = email.utils.parsedate_to_datetime(re.search(r"^ -- .*>  (.*)$", changelog, re.M)[1])
    if os.environ.get("SOURCE_DATE_EPOCH"):
        released = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]),
                                                   datetime.timezone.utc)
    created = sbom["creationInfo"]["created"]
    assert created == f"{released:%Y-%m-%dT%H:%M:%SZ}", f"the date is {created}"
    related = {(r["spdxElementId"], r["relatedSpdxElement"]) for r in sbom["relationships"]}
    assert ("SPDXRef-DOCUMENT", "SPDXRef-library") in related
    for party in parties:
        package = packages.get(party["name"])
        if package is None:
            assert party["in"] == ["tool"], f"{party['name']} is missing"
            continue
        assert package["licenseDeclared"] == party["license"], party["name"]
        version = package["versionInfo"]
        assert re.fullmatch(r"\d+(\.\d+)+", version) or "header" not in party, \
            f"{party['name']} has the version {version}"
        for part in party["in"]:
            known = (f"SPDXRef-{part}", package["SPDXID"]) in related
            assert known or part == "tool", f"{party['name']} is not in {part}"
    asked = re.findall(r"^netcl_require_header\(\w+ (\S+)",
                       (cmake / "NetclDependencies.cmake").read_text(), re.M)
    folders = {p["header"].split("/")[0] for p in parties if "header" in p} | {"CL"}
    for header in asked:
        assert header.split("/")[0] in folders, f"no party has the header {header}"
    try:
        from spdx_tools.spdx.parser.parse_anything import parse_file
        from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
    except ImportError:
        print(f"{len(packages)} packages; spdx-tools is not installed")
        return 0
    problems = validate_full_spdx_document(parse_file(path))
    for problem in problems:
        print(problem.validation_message)
    print(f"{len(packages)} packages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
