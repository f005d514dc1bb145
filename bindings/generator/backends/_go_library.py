"""zz_netcl.h and zz_library.c: the library is opened when it is first called.

So a module that is fetched builds without a header, a library or pkg-config, and a program on a
machine without netcl gets an error that says what to install. Each function of the header is
defined here and calls the one of the library. The tag netcl_link links as usual instead.
"""

from backends._go_calls import spell
from backends._go_names import C_HEAD

VISIBLE = '#if defined(__GNUC__)\n#define NETCL_API __attribute__((visibility("default")))'
HIDDEN = '#if defined(__GNUC__) && !defined(NETCLGO_LINK)\n' \
    '#define NETCL_API __attribute__((visibility("hidden")))'
# What a function gives where it cannot be called; statuses come with a message.
OTHERWISE = {"status": "return netclgo_absent(NAME)", "void": "return", "value": "return 0",
             "text": 'return ""'}


def files(model, header):
    return {"zz_netcl.h": copy_of(header), "zz_library.c": library(model)}


def copy_of(header):
    """The header, whose functions are no symbols of the program to others where they are its own."""
    assert header.count(VISIBLE) == 1
    return C_HEAD + header.replace(VISIBLE, HIDDEN)


SUPPORT = r"""
#define _GNU_SOURCE
#include "zz_netcl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#define LIBRARY "libnetcl.%(abi)s.dylib"
#define SEARCHED "DYLD_LIBRARY_PATH"
#else
#define LIBRARY "libnetcl.so.%(abi)s"
#define SEARCHED "LD_LIBRARY_PATH"
#endif

static void *library;
static char why[512];
/* NETCL_LIBRARY, where that is a library of something else. */
static const char *foreign;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* What the last call of this thread failed for, when the library could not say so itself. */
static _Thread_local const char *absent;

static void open_library(void) {
#ifdef __APPLE__
  const char *given = getenv("NETCL_LIBRARY");
#else
  const char *given = secure_getenv("NETCL_LIBRARY");
#endif
  library = dlopen(given != NULL && *given != 0 ? given : LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  int chosen = given != NULL && *given != 0;
  if (library != NULL && (!chosen || dlsym(library, "netcl_version_number") != NULL)) return;
  const char *said = dlerror();
  snprintf(why, sizeof why, "%%s", said != NULL ? said : LIBRARY);
  /* A file that is there and cannot be opened is no library, or not one for this machine. */
  if (chosen && (library != NULL || access(given, F_OK) == 0)) foreign = given;
  library = NULL; /* What was opened stays in memory: its constructors have run. */
}

static void *symbol(const char *name) {
  pthread_once(&once, open_library);
  return library == NULL ? NULL : dlsym(library, name);
}

static netcl_status netclgo_absent(const char *name) {
  absent = name;
  return library == NULL ? NETCL_ERROR_NOT_FOUND : NETCL_ERROR_UNSUPPORTED;
}

/* The error of a function that is not there; 0 when the library knows what failed. */
static int tell_absent(netcl_error_info *info) {
  const char *name = absent;
  if (name == NULL) return 0;
  absent = NULL;
  info->native_code = 0;
  if (foreign != NULL) {
    info->status = NETCL_ERROR_NOT_FOUND;
    snprintf(info->message, sizeof info->message,
             "NETCL_LIBRARY names a file that cannot be opened as netcl: %%s; unset it, or give it the path of " LIBRARY,
             why);
  } else if (library == NULL) {
    info->status = NETCL_ERROR_NOT_FOUND;
    snprintf(info->message, sizeof info->message,
             "netcl is not installed: %%s. Install the package libnetcl%(abi)s, or build netcl with cmake "
             "and install it; then set " SEARCHED " to its folder, or NETCL_LIBRARY to the file "
             LIBRARY ", if the system does not find it by itself",
             why);
  } else {
    info->status = NETCL_ERROR_UNSUPPORTED;
    snprintf(info->message, sizeof info->message,
             "%%s is not in the netcl that is installed, which is older than this package; install "
             "netcl %(version)s or later",
             name);
  }
  return 1;
}

#define FIND(name, otherwise)                                            \
  static __typeof__(name) *found;                                        \
  __typeof__(name) *real = __atomic_load_n(&found, __ATOMIC_ACQUIRE);    \
  if (__builtin_expect(real == NULL, 0)) {                               \
    real = (__typeof__(name) *)symbol(#name);                            \
    if (real == NULL) otherwise;                                         \
    __atomic_store_n(&found, real, __ATOMIC_RELEASE);                    \
  }
"""


def library(model):
    # CMakeLists.txt takes the soname's number from the version.
    abi = model.constant("NETCL_VERSION_MAJOR").value
    head = C_HEAD.rstrip("\n")
    lines = ["//go:build !netcl_link", "", head]
    lines += (SUPPORT % {"abi": abi, "version": model.version}).rstrip("\n").split("\n")
    for function in model.functions:
        lines += [""] + entry(function)
    return "\n".join(lines) + "\n"


def entry(function):
    params = ", ".join(spell(p.type, p.name) for p in function.params) or "void"
    returned = function.return_type.spelling
    head = f"{returned}{'' if returned.endswith('*') else ' '}{function.name}({params}) {{"
    otherwise = OTHERWISE[function.returns].replace("NAME", f'"{function.name}"')
    lines = [head]
    if function.name == "netcl_last_error_get_info":
        lines.append("  if (tell_absent(info)) return NETCL_OK;")
    call = f"real({', '.join(p.name for p in function.params)})"
    back = "" if function.returns == "void" else "return "
    return lines + [f"  FIND({function.name}, {otherwise})", f"  {back}{call};", "}"]
