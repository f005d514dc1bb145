"""Reads include/netcl.h as far as the checks need it: functions, structs and INIT macros."""

import re


class Header:
    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            text = file.read()
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        text = text.replace("\\\n", " ")
        self.init_macros = re.findall(r"^#define (NETCL_\w+_INIT)\b", text, flags=re.MULTILINE)
        code = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
        # Structs by their typedef'd name; opaque ones have no body and are left out.
        self.structs = re.findall(r"typedef struct (netcl_\w+)\s*\{", code)
        self.functions = re.findall(r"NETCL_API\s+[^;(]*?\b(netcl_\w+)\s*\(", code)
        self.enums = re.findall(r"^enum (netcl_\w+)_value\s*\{", code, flags=re.MULTILINE)

    def struct_of_macro(self, macro):
        """NETCL_ERROR_INFO_INIT belongs to netcl_error_info."""
        return macro[: -len("_INIT")].lower()
