# To be sourced: need PACKAGE... installs the Debian packages that are missing.
# shellcheck shell=sh disable=SC2034

# What the library and its examples are built with.
BUILD_PACKAGES="build-essential cmake ninja-build opencl-c-headers libxxhash-dev
  rapidjson-dev libhwy-dev libprotozero-dev libjpeg-dev libpng-dev zlib1g-dev"
# What the tests need beyond that.
TEST_PACKAGES="clang libclang-rt-dev libcmocka-dev libopenmpi-dev libunwind8 lld llvm locales
  mandoc ocl-icd-opencl-dev openmpi-bin pkg-config pocl-opencl-icd python3 shellcheck zsh"
# What the bindings are tested with, but for Julia: see need_julia. Its Pkg does not begin without a
# program that could fetch something, although nothing is fetched: curl.
BINDING_PACKAGES="cargo curl golang-go gcc pkg-config rust-clippy rustc"
# What tests/debian.sh builds packages with, and looks at them.
DEBIAN_PACKAGES="debhelper debootstrap dpkg-dev libopenmpi-dev lintian python3"

# What docs/build.sh makes the site with.
DOCS_PACKAGES="mkdocs mkdocs-material python3"
# What scripts/lint.sh runs.
LINT_PACKAGES="$BUILD_PACKAGES clang clang-tidy cargo go-staticcheck golang-go python3 rust-clippy
  rustfmt shellcheck"
# What tests/run.sh --full reads the site, completions and recipes with, beyond the other tests, and
# its linters.
FULL_PACKAGES="$DOCS_PACKAGES clang-tidy fish go-staticcheck groff-base nix-bin ruby"

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

# The mirror that this machine has the packages of its release from, which has other releases too.
debian_mirror() {
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s/^main \($release\|stable\) //p" | head -n 1
}

# Installs Julia where there is none. Debian 12 has no package of it, so Debian 11's is taken, from
# the mirror that this machine has its own packages from: for this one installation, at a priority
# below that of all others, and without leaving a source behind.
need_julia() {
  command -v julia >/dev/null 2>&1 && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "There is no julia in PATH, and this is no Debian system."
    return 1
  fi
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      echo "julia is missing. Install it, or run this as root."
      return 1
    fi
    as_root=sudo
  fi
  # What apt knows of its sources it reads from their indices.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update || return 1
  if apt-cache policy julia 2>/dev/null | grep -q 'Candidate: [0-9]'; then
    need julia
    return
  fi
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=$(debian_mirror)
  if [ -z "$mirror" ] || [ ! -r $keys ]; then
    echo "Julia 1.5 is in Debian 11, but the sources of apt name no mirror of Debian."
    return 1
  fi
  echo "Installing julia from Debian 11"
  apt_files=$(mktemp -d)
  chmod 755 "$apt_files"
  [ ! -r /etc/apt/sources.list ] || cat /etc/apt/sources.list >"$apt_files/sources.list"
  echo "deb [signed-by=$keys] $mirror bullseye main" >>"$apt_files/sources.list"
  [ ! -r /etc/apt/preferences ] || cat /etc/apt/preferences >"$apt_files/preferences"
  printf '\nPackage: *\nPin: release n=bullseye\nPin-Priority: 100\n' >>"$apt_files/preferences"
  set -- -o Dir::Etc::SourceList="$apt_files/sources.list" \
    -o Dir::Etc::Preferences="$apt_files/preferences"
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" update &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o Dpkg::Use-Pty=0 "$@" install julia >/dev/null
  installed=$?
  rm -rf "$apt_files"
  return $installed
}

# Unpacks Mesa's OpenCL driver into a folder and prints where its library is. Installed it would be
# a driver of every program of this machine.
unpack_mesa() {
  command -v apt-get >/dev/null 2>&1 || return
  mkdir -p "$1/packages/partial"
  # It needs the rights of root for locks alone, and nothing of the system is written.
  apt-get -qq -y -d --no-install-recommends -o Debug::NoLocking=1 \
    -o Dir::Cache::archives="$1/packages" install mesa-opencl-icd >/dev/null 2>&1 || return
  for package in "$1"/packages/*.deb; do
    [ ! -e "$package" ] || dpkg -x "$package" "$1" || return
  done
  find "$1/usr" /usr/lib -name libMesaOpenCL.so.1 -print -quit 2>/dev/null
}
