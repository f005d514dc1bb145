#!/bin/sh
# Builds the Debian packages, looks for faults with lintian, and installs and uses them in a chroot
# that has nothing else: tests/debian.sh [--no-install] [--built]
#
# It takes root, for the chroot, and a mirror of Debian. NETCL_DEBIAN_STATE names the folder to work
# in; the chroot and what was compiled (ccache) are found there again. The packages are left there.
# They are built as on Debian's own machines, but without debug symbols. --built takes those that
# lie there from an earlier run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
state=${NETCL_DEBIAN_STATE:-$root/build/debian}
. "$root/scripts/packages.sh"

leaves() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || leaves "a chroot takes root"
command -v apt-get >/dev/null 2>&1 || leaves "this is no Debian system"
install=yes
built=no
for argument in "$@"; do
  case $argument in
    --no-install) install=no ;;
    --built) built=yes ;;
    *) echo "usage: tests/debian.sh [--no-install] [--built]"; exit 2 ;;
  esac
done
if [ $install = yes ]; then
  # shellcheck disable=SC2086
  need $BUILD_PACKAGES $DEBIAN_PACKAGES
fi
mirror=$(debian_mirror)
[ -n "$mirror" ] || leaves "the sources of apt name no mirror of Debian"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mkdir -p "$state"

version=$(dpkg-parsechangelog -l "$root/debian/changelog" -S Version)
test "$version" = "$(sed -n 's/^ "version": "\(.*\)",/\1/p' "$root/tests/abi/netcl.json")"
build_packages() {
  tree=$state/netcl-$version
  rm -rf "$tree" "$state"/*.deb "$state"/*.changes "$state"/*.dsc "$state"/*.buildinfo \
    "$state"/*.tar.*
  mkdir "$tree"
  (cd "$root" && tar -cf - CHANGELOG.md CMakeLists.txt LICENSE README.md SECURITY.md cmake debian \
    docs include kernels pkgconfig scripts/debian_symbols.py src tests/abi/netcl.json) |
    tar -xf - -C "$tree"
  DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym"
  export DEB_BUILD_OPTIONS
  export DEB_CFLAGS_STRIP=-g DEB_CXXFLAGS_STRIP=-g
  export CCACHE_DIR="${CCACHE_DIR:-$state/ccache}" CCACHE_SLOPPINESS=pch_defines,time_macros
  if ! (cd "$tree" && dpkg-buildpackage -us -uc -F) >"$state/build.log" 2>&1; then
    grep -E 'error|FAILED' "$state/build.log" | head -n 20
    tail -n 5 "$state/build.log"
    exit 1
  fi
}
if [ $built = no ]; then
  echo "== building the packages"
  build_packages
fi

echo "== lintian"
lintian --allow-root --fail-on error,warning "$state"/*.changes

echo "== a bare chroot"
if [ ! -e "$state/base.done" ]; then
  rm -rf "$state/base"
  debootstrap --variant=minbase --include=gcc,libc6-dev,pkg-config "$suite" "$state/base" \
    "$mirror" >"$state/base.log" 2>&1 || { tail -n 5 "$state/base.log"; exit 1; }
  : >"$state/base.done"
fi
chroot=$state/chroot
rm -rf "$chroot"
cp -a "$state/base" "$chroot"
cp /etc/resolv.conf "$chroot/etc/resolv.conf"
cp /etc/apt/apt.conf.d/*proxy* "$chroot/etc/apt/apt.conf.d/" 2>/dev/null || true
trap 'umount "$chroot/proc" 2>/dev/null || true' EXIT
mount -t proc proc "$chroot/proc"
mkdir "$chroot/packages"
cp "$state"/*.deb "$chroot/packages"
cp -a "$root/debian/tests" "$chroot/tests"
inside() { chroot "$chroot" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root "$@"; }
inside apt-get -qq update
arch=$(dpkg --print-architecture)
install() {
  files=
  for package in "$@"; do files="$files ./packages/${package}_${version}_$arch.deb"; done
  # shellcheck disable=SC2086
  inside apt-get -qq -y --no-install-recommends install $files >"$state/apt.log" 2>&1 ||
    { tail -n 5 "$state/apt.log"; exit 1; }
}
echo "== the command alone, without the files of developers"
install libnetcl0 netcl-tools
test ! -e "$chroot/usr/include/netcl.h"
inside sh /tests/command
echo "== a program in C"
install libnetcl-dev
inside sh /tests/compile
echo "== the worker of this library, and its part for MPI"
inside sh -c '/usr/lib/*/netcl/netcl-worker --version' | grep "^netcl-worker $version, build "
install libnetcl-mpi0
inside sh -c 'ldd /usr/lib/*/libnetcl-mpi.so.0' >"$state/ldd.txt"
grep -q 'libmpi[.]so.* => /' "$state/ldd.txt"
echo "== and all of it goes again"
inside apt-get -qq -y purge netcl-tools libnetcl-dev libnetcl-mpi0 libnetcl0 \
  >"$state/apt.log" 2>&1 ||
  { tail -n 5 "$state/apt.log"; exit 1; }
left=$(inside sh -c 'find /usr /etc -name "*netcl*"')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "the Debian packages work"
