# To be sourced: mend_backtraces FOLDER exports LD_PRELOAD where this julia crashes on exceptions.
# shellcheck shell=sh

# Some builds of Julia 1.5 (Debian 12, with libunwind 1.6) crash while they collect the backtrace of
# any exception. A function that ends each backtrace of Julia's at once lets programs run there; what
# else unwinds, such as the C++ exceptions of drivers, goes on as before.
mend_backtraces() {
  if julia --startup-file=no -e 'f() = error("x"); try f() catch end' >/dev/null 2>&1; then
    return 0
  fi
  echo "this julia crashes on exceptions: its backtraces are switched off"
  cat >"$1/step.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
int _ULx86_64_step(void *cursor) {
  Dl_info caller;
  if (dladdr(__builtin_return_address(0), &caller) != 0 && strstr(caller.dli_fname, "libjulia"))
    return 0;
  return ((int (*)(void *))dlsym(RTLD_NEXT, "_ULx86_64_step"))(cursor);
}
C
  ${CC:-cc} -shared -fPIC -o "$1/libstep.so" "$1/step.c" -ldl
  export LD_PRELOAD="$1/libstep.so"
}
