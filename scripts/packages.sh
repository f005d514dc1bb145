# To be sourced: need PACKAGE... installs the Debian packages that are missing.
# shellcheck shell=sh

# What the library and its examples are built with.
BUILD_PACKAGES="build-essential cmake ninja-build opencl-c-headers libxxhash-dev
  nlohmann-json3-dev libhwy-dev libpng-dev zlib1g-dev"
# What the tests need beyond that.
TEST_PACKAGES="clang libclang-rt-dev libcmocka-dev libunwind8 ocl-icd-opencl-dev pkg-config
  pocl-opencl-icd python3"

need() {
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "This is no Debian system; what Debian calls $* has to be there already."
    return 0
  fi
  missing=
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      echo "Missing packages:$missing. Install them, or run this as root."
      return 1
    fi
    as_root=sudo
  fi
  echo "Installing$missing"
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 install $missing >/dev/null
}
