"""include/netcl/generated/scope.h: for C, what ends each type of handle at the end of a block."""

from backends._cpp_names import HEAD


def files(model):
    lines = [HEAD.replace("// ", "/* ", 1).replace("; do not edit.\n//\n// SPDX",
                                                   "; do not edit.\n *\n * SPDX").rstrip("\n") +
             "\n */", "#ifndef NETCL_GENERATED_SCOPE_H", "#define NETCL_GENERATED_SCOPE_H", "",
             "#include <netcl.h>", ""]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
    for handle in model.handles:
        lines += ["", f"/** What NETCL_SCOPED({handle.short}) does at the end of the block. */",
                  f"static inline void netcl_leave_{handle.short}({handle.name} **handle) {{",
                  f"  {handle.release}(*handle);", "}",
                  "/** Takes the reference out of a scoped handle, which holds none from then on. */",
                  f"static inline {handle.name} *netcl_keep_{handle.short}({handle.name} **handle) {{",
                  f"  {handle.name} *kept = *handle;", "  *handle = NULL;", "  return kept;", "}"]
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif"]
    return {"scope.h": "\n".join(lines) + "\n"}
