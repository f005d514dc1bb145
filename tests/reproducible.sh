#!/bin/sh
# Builds once more, elsewhere, and compares with a build that there is: the same sources have to
# give the same bytes, wherever and whenever they are compiled: reproducible.sh BUILD WORK_FOLDER
#
# BUILD has a Release build of this tree by the same compiler. The second one has another
# folder, whose name is of another length, another time zone, language and umask, and no ccache.
set -eu
build=$(cd "$1" && pwd)
work=$2
root=$(cd "$(dirname "$0")/.." && pwd)
there=$work/a/folder/with/a/long/name
rm -rf "$work"
mkdir -p "$there/source"
(cd "$root" && tar -cf - CMakeLists.txt LICENSE cmake include kernels pkgconfig src) |
  (cd "$there/source" && umask 077 && tar -xf -)
unity=$(sed -n 's/^NETCL_UNITY:[A-Z]*=//p' "$build/CMakeCache.txt")
type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$build/CMakeCache.txt")
[ "$type" = Release ] || { echo "$build is no Release build but $type"; exit 1; }
targets="netcl netcl_tool netcl_worker"
[ ! -e "$build/libnetcl.a" ] || targets="$targets netcl_archive"
(
  umask 077
  export TZ=Asia/Kathmandu LC_ALL=C.UTF-8 CCACHE_DISABLE=1
  cmake -G Ninja -S "$there/source" -B "$work/b" -DCMAKE_BUILD_TYPE=Release \
    -DNETCL_UNITY="$unity" -DNETCL_BUILD_TESTS=OFF -DNETCL_BUILD_EXAMPLES=OFF
  # shellcheck disable=SC2086
  cmake --build "$work/b" -j "$(nproc)" --target $targets
) >"$work/build.log" 2>&1 || { tail -n 5 "$work/build.log"; exit 1; }
differ=
for file in libnetcl.so libnetcl-mpi.so netcl netcl-worker libnetcl.a netcl.spdx.json; do
  [ -e "$build/$file" ] || continue
  if cmp "$build/$file" "$work/b/$file"; then
    echo "$file: the same $(wc -c <"$build/$file") bytes"
  else
    differ="$differ $file"
  fi
done
[ -z "$differ" ] || { echo "these differ:$differ"; exit 1; }
rm -rf "$work"
echo "the build is reproducible"
