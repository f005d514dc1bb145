"""include/netcl/generated/scope.h: for C, what ends each type of handle at the end of a block."""

from backends._cpp_names import HEAD

# What there is of each type; SHORT is its name without netcl_, HANDLE with it.
OF_EACH = """
/** What NETCL_SCOPED(SHORT) does at the end of the block. */
static inline void netcl_leave_SHORT(HANDLE **handle) {
  RELEASE(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline HANDLE *netcl_keep_SHORT(HANDLE **handle) {
  HANDLE *kept = *handle;
  *handle = NULL;
  return kept;
}
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_SHORT(HANDLE **handle, HANDLE *made) {
  HANDLE *before = *handle;
  *handle = made;
  RELEASE(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_SHORT(HANDLE **handles, size_t count) {
  while (count-- > 0) netcl_replace_SHORT(&handles[count], NULL);
}
typedef struct netcl_SHORT_array {
  HANDLE **handles;
  size_t count;
} netcl_SHORT_array;
/** What NETCL_SCOPED_ARRAY(SHORT, name, count) does at the end of the block. */
static inline void netcl_leave_SHORT_array(netcl_SHORT_array *array) {
  netcl_clear_SHORT(array->handles, array->count);
}"""


def files(model):
    lines = [HEAD.replace("// ", "/* ", 1).replace("; do not edit.\n//\n// SPDX",
                                                   "; do not edit.\n *\n * SPDX").rstrip("\n") +
             "\n */", "#ifndef NETCL_GENERATED_SCOPE_H", "#define NETCL_GENERATED_SCOPE_H", "",
             "#include <netcl.h>", ""]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
    for handle in model.handles:
        lines.append(OF_EACH.replace("SHORT", handle.short).replace("HANDLE", handle.name)
                     .replace("RELEASE", handle.release))
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif"]
    return {"scope.h": "\n".join(lines) + "\n"}
