#!/bin/sh
# Builds netcl and runs its first program: examples/run.sh [PICTURE] [OPTION...]
#
# Installs what it needs (Debian; as root or with sudo). PICTURE is a .png, .ppm, .pgm or .npy file;
# without one a photograph that lies beside the project is taken, else a picture is made. The
# options go to the program, for example --device builtin. Without --out FILE it writes
# build/edges.png. No OpenCL is needed: with none the
# program runs on the built-in CPU device.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/packages.sh"
# shellcheck disable=SC2086
need $BUILD_PACKAGES

build=$root/build/examples
log=$root/build/examples.log
mkdir -p "$root/build"
generator=
command -v ninja >/dev/null 2>&1 && generator="-G Ninja"
# shellcheck disable=SC2086
if ! { { [ -e "$build/CMakeCache.txt" ] || cmake -S "$root" -B "$build" $generator \
           -DNETCL_BUILD_TESTS=OFF -DNETCL_BUILD_STATIC=OFF; } &&
       cmake --build "$build" -j "$(nproc)"; } >"$log" 2>&1; then
  tail -n 30 "$log"
  echo "The build failed; all of it is in build/examples.log."
  exit 1
fi

picture=
case ${1-} in
  '' | -*)
    for file in "$root"/../shared/data/photos/*.png; do
      [ -e "$file" ] && picture=$file && break
    done ;;
  *) picture=$1; shift ;;
esac
case $picture in
  '' | /*) ;;
  *) picture=$PWD/$picture ;;
esac
# The picture with the edges does not belong in the checkout.
case " $* " in
  *" --out "*) ;;
  *) cd "$root/build" ;;
esac
if [ -n "$picture" ]; then
  exec "$build/examples/quickstart" "$picture" "$@"
fi
exec "$build/examples/quickstart" "$@"
