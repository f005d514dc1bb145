#!/bin/sh
# Installs to a folder of its own, moves it, and builds a consumer in each way that users have:
# package.sh BUILD_FOLDER WORK_FOLDER
# shellcheck disable=SC2046 # flags are words
set -eu
build=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
# A package has to work wherever it is put.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
library=$(dirname "$(find "$prefix" -name netcl.pc)")
PKG_CONFIG_PATH=$library
export PKG_CONFIG_PATH
library=$(dirname "$library")
LD_LIBRARY_PATH=$library
export LD_LIBRARY_PATH

echo "== pkg-config"
# shellcheck disable=SC2046
cc -std=c99 -Wall -Werror "$here/consumer.c" -o "$work/shared" $(pkg-config --cflags --libs netcl)
"$work/shared"
test "$(pkg-config --modversion netcl)" = "$("$work/shared" | sed 's/netcl \([^:]*\):.*/\1/')"

echo "== the program of the README"
awk '/^<!-- snippet: include\/netcl.h -->$/ {wanted = 1}
     wanted && /^```c$/ {code = 1; next} /^```/ {if (code) exit} code' \
  "$here/../../README.md" >"$work/readme.c"
# shellcheck disable=SC2046
cc -std=c99 -Wall -Werror "$work/readme.c" -o "$work/readme" $(pkg-config --cflags --libs netcl)
"$work/readme" | tee "$work/readme.txt"
grep -q '^3 5 7 1 11 13 $' "$work/readme.txt"

echo "== find_package"
mkdir "$work/cmake"
cp "$here/consumer.c" "$work/cmake"
cat >"$work/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(netcl 0.1 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer netcl::netcl)
if(TARGET netcl::static)
  add_executable(consumer_static consumer.c)
  target_link_libraries(consumer_static netcl::static)
endif()
END
cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
cmake --build "$work/cmake/build" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
"$work/cmake/build/consumer"
if sed 's/0\.1 REQUIRED/99.0 REQUIRED/' "$work/cmake/CMakeLists.txt" >"$work/new.txt" &&
   mkdir "$work/version" && mv "$work/new.txt" "$work/version/CMakeLists.txt" &&
   cp "$here/consumer.c" "$work/version" &&
   cmake -S "$work/version" -B "$work/version/build" -DCMAKE_PREFIX_PATH="$prefix" \
     >/dev/null 2>&1; then
  echo "find_package took version 99"
  exit 1
fi

if [ -e "$library/libnetcl.a" ]; then
  echo "== static, C host by gcc alone"
  "$work/cmake/build/consumer_static"
  private=$(pkg-config --static --libs-only-l netcl | sed 's/-lnetcl//')
  # shellcheck disable=SC2086
  cc -std=c99 -fno-exceptions $(pkg-config --cflags netcl) "$here/consumer.c" \
    "$library/libnetcl.a" $private -o "$work/static"
  "$work/static"
  if ldd "$work/static" | grep -E 'libstdc|libgcc|libnetcl'; then
    echo "the static host needs more than libc and libm"
    exit 1
  fi
  echo "== static, C host without a dynamic linker"
  # shellcheck disable=SC2086
  if cc -std=c99 -static $(pkg-config --cflags netcl) "$here/static_program.c" \
    "$library/libnetcl.a" $private -o "$work/static_program" 2>"$work/static_program.log"; then
    # Here OpenCL is looked for, which crashed such programs.
    env -u NETCL_BACKEND "$work/static_program"
  else
    echo "skipped: there is no static C library"
  fi
  echo "== static, C++ host"
  # shellcheck disable=SC2086
  c++ -std=c++17 -O1 -fno-exceptions -fno-rtti $(pkg-config --cflags netcl) \
    "$here/static_host.cpp" "$library/libnetcl.a" $private -o "$work/static_host"
  "$work/static_host"
fi

if [ -e "$prefix/bin/netcl" ]; then
  echo "== the command finds its library"
  (unset LD_LIBRARY_PATH && "$prefix/bin/netcl" --version)
  for command in $("$prefix/bin/netcl" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    test -s "$prefix/share/man/man1/netcl-$command.1"
  done
  for file in bash-completion/completions/netcl zsh/site-functions/_netcl \
    fish/vendor_completions.d/netcl.fish man/man1/netcl.1; do
    test -s "$prefix/share/$file"
  done
fi

echo "== the worker"
worker=$prefix/libexec/netcl/netcl-worker
test "$("$worker" --version | sed 's/,.*//')" = "netcl-worker $(pkg-config --modversion netcl)"
if ldd "$worker" | grep -E 'libstdc|libgcc|libnetcl|OpenCL'; then
  echo "the worker needs more than libc and libm"
  exit 1
fi

echo "== components"
for component in runtime devel tools; do
  cmake --install "$build" --prefix "$work/$component" --component $component >/dev/null
done
test -e "$(find "$work/runtime" -name 'libnetcl.so.0')"
test -x "$work/runtime/libexec/netcl/netcl-worker"
test -z "$(find "$work/runtime" -name '*.h' -o -name '*.pc' -o -name '*.cmake')"
test -e "$work/devel/include/netcl.h"
echo '#include <netcl_helpers.h>' |
  cc -std=c99 -Wall -Wextra -Werror "-I$work/devel/include" -fsyntax-only -x c -
echo '#include <netcl.hpp>' |
  c++ -std=c++17 -Wall -Wextra -Werror "-I$work/devel/include" -fsyntax-only -x c++ -
test -z "$(find "$work/runtime" "$work/devel" "$work/tools" -name '*netcl-mpi*')"
if [ -e "$build/libnetcl-mpi.so" ]; then
  cmake --install "$build" --prefix "$work/mpi" --component mpi >/dev/null
  test -e "$(find "$work/mpi" -name 'libnetcl-mpi.so.0')"
  test -z "$(find "$work/mpi" -name '*.h' -o -name 'libnetcl.so*' -o -name 'libnetcl-mpi.so')"
fi

echo "== archives"
cpack --config "$build/CPackConfig.cmake" -B "$work/archives" >"$work/cpack.log" 2>&1 ||
  { cat "$work/cpack.log"; exit 1; }
mkdir "$work/unpacked"
for archive in "$work/archives"/*.tar.gz; do
  tar -xzf "$archive" -C "$work/unpacked"
done
# All archives together hold what is installed, byte for byte: what was used above.
diff -r --no-dereference "$work/prefix" "$work/unpacked"
find "$work/archives" -maxdepth 1 | grep -q '/libnetcl-[0-9.]*-Linux-[^/]*[.]tar[.]gz$'
if [ -e "$work/unpacked/bin/netcl" ]; then
  (unset LD_LIBRARY_PATH && "$work/unpacked/bin/netcl" --version)
fi

echo "== folders that are given as a whole, as Nix does"
# Nothing is installed there. A folder within the source tree is one that CMake refuses.
other=/opt/netcl-outputs
cmake -S "$here/../.." -B "$work/folders" -DNETCL_BUILD_TESTS=OFF -DNETCL_BUILD_EXAMPLES=OFF \
  -DNETCL_BUILD_STATIC=OFF -DNETCL_BUILD_MPI=OFF -DCMAKE_INSTALL_LIBDIR="$other/out/lib" \
  -DCMAKE_INSTALL_INCLUDEDIR="$other/dev/include" >"$work/folders.log" 2>&1 ||
  { tail -n 5 "$work/folders.log"; exit 1; }
test "$(PKG_CONFIG_PATH=$work/folders pkg-config --cflags --libs netcl | sed 's/ *$//')" = \
  "-I$other/dev/include -L$other/out/lib -lnetcl"

echo "== what is inside"
python3 "$here/sbom.py" "$prefix/share/doc/netcl/netcl.spdx.json" "$here/../../cmake"
echo "the package works"
