# To be sourced: set_up_NAME makes the driver NAME ready in $state/NAME and writes its environment
# there. Where that cannot be, it says why in `why` and fails.
# The script that does so has $state and $root, and reads DRIVERS, why and SMALL.
# shellcheck shell=sh disable=SC2034,SC2154

# What there is, the quick ones first.
DRIVERS="pocl intel oclgrind pocl6 rusticl"
# The wheels that Intel's runtime consists of, in the versions that docs/drivers.md speaks of.
INTEL_WHEELS="intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0 tcmlib==1.6.0"
# What a chroot of Debian 13 needs to run programs that were built outside.
TRIXIE_PACKAGES="gcc libc6-dev libcmocka0 libunwind8 locales mesa-opencl-icd ocl-icd-libopencl1
  pocl-opencl-icd python3"

about() {
  case $1 in
    pocl) echo "PoCL of this Debian (pocl-opencl-icd)" ;;
    intel) echo "Intel's CPU runtime, from Python wheels" ;;
    oclgrind) echo "oclgrind of this Debian, an interpreter that checks kernels; small shapes" ;;
    pocl6) echo "PoCL of Debian 13, in a chroot" ;;
    rusticl) echo "Mesa's rusticl on llvmpipe of Debian 13, in a chroot" ;;
  esac
}

fails_because() {
  why=$*
  return 1
}

# Writes the ICD file that names the library $2 of driver $1.
write_icd() {
  mkdir -p "$state/$1/vendors"
  echo "$2" >"$state/$1/vendors/$1.icd"
}

set_up_pocl() {
  need pocl-opencl-icd ocl-icd-libopencl1 || fails_because "its packages cannot be installed" ||
    return
  library=$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null)
  [ -n "$library" ] || fails_because "there is no /etc/OpenCL/vendors/pocl.icd" || return
  write_icd pocl "$library"
  cat >"$state/pocl/environment" <<END
export OCL_ICD_VENDORS="$state/pocl/vendors" POCL_CACHE_DIR="$state/pocl/compiled"
export NETCL_TEST_DEVICE=cpu
END
}

# Puts the libraries of the wheels of a folder into another one, but for a loader, since all drivers
# have the same one, and what is there for debugging.
unpack_wheels() {
  python3 - "$1" "$2" <<'END'
import pathlib
import sys
import zipfile

wheels, target = map(pathlib.Path, sys.argv[1:])
target.mkdir(parents=True, exist_ok=True)
for wheel in sorted(wheels.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            file = pathlib.PurePath(name)
            if "/data/lib/" in name and not file.name.startswith(("libOpenCL", "libtcm_debug")):
                (target / file.name).write_bytes(archive.read(name))
END
}

set_up_intel() {
  [ "$(uname -m)" = x86_64 ] || fails_because "its runtime is for x86_64 alone" || return
  if [ "$(cat "$state/intel/wheels" 2>/dev/null)" != "$INTEL_WHEELS" ]; then
    python3 -m pip --version >/dev/null 2>&1 || need python3-pip ||
      fails_because "there is no pip" || return
    fetched=$state/intel/fetched
    rm -rf "$fetched" "$state/intel/lib"
    # shellcheck disable=SC2086
    python3 -m pip download -q --only-binary :all: --no-deps -d "$fetched" $INTEL_WHEELS \
      >"$state/intel/setup.log" 2>&1 ||
      fails_because "pip: $(grep -i error "$state/intel/setup.log" | tail -n 1)" || return
    unpack_wheels "$fetched" "$state/intel/lib" || fails_because "the wheels are damaged" || return
    rm -rf "$fetched"
    echo "$INTEL_WHEELS" >"$state/intel/wheels"
  fi
  write_icd intel "$state/intel/lib/libintelocl.so"
  cat >"$state/intel/environment" <<END
export OCL_ICD_VENDORS="$state/intel/vendors" NETCL_TEST_DEVICE=cpu
export LD_LIBRARY_PATH="$state/intel/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
END
}

set_up_oclgrind() {
  need oclgrind ocl-icd-opencl-dev gcc || fails_because "its packages cannot be installed" || return
  library=/usr/lib/oclgrind/liboclgrind-rt-icd.so
  [ -e $library ] || fails_because "there is no $library" || return
  write_icd oclgrind $library
  cc -std=c11 -O1 -shared -fPIC -o "$state/oclgrind/libwrites.so" \
    "$root/tests/drivers/oclgrind_writes.c" -Wl,--no-as-needed -lOpenCL ||
    fails_because "tests/drivers/oclgrind_writes.c does not compile" || return
  # Without optimisation, because it does not know all of what its LLVM makes then (freeze,
  # noalias.scope.decl). Staged uploads it takes for uninitialised.
  cat >"$state/oclgrind/environment" <<END
export OCL_ICD_VENDORS="$state/oclgrind/vendors" NETCL_TEST_DEVICE=gpu NETCL_PINNED_H2D=0
export NETCL_OPENCL_LIBRARY="$state/oclgrind/libwrites.so"
export OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_MAX_ERRORS=1000
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
limit=1800
driver_reports() { awk -f "$root/tests/drivers/reports.awk" "\$1"; }
END
}

# Makes a chroot of Debian 13 with drivers in $state/trixie, from the mirror that this machine has
# its packages from.
set_up_trixie() {
  [ "$(id -u)" = 0 ] || fails_because "a chroot takes root" || return
  unshare --mount true 2>/dev/null || fails_because "nothing can be mounted here" || return
  command -v apt-get >/dev/null 2>&1 || fails_because "this is no Debian system" || return
  [ "$(cat "$state/trixie.ready" 2>/dev/null)" = "$TRIXIE_PACKAGES" ] && return
  need debootstrap || fails_because "debootstrap cannot be installed" || return
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fails_because "the sources of apt name no mirror of Debian" || return
  echo "   making a chroot of Debian 13"
  rm -rf --one-file-system "$state/trixie" "$state/trixie.ready"
  mkdir -p "$state/trixie"
  debootstrap --variant=minbase trixie "$state/trixie" "$mirror" >"$state/trixie.log" 2>&1 ||
    fails_because "debootstrap: $(tail -n 1 "$state/trixie.log")" || return
  cp /etc/resolv.conf "$state/trixie/etc/resolv.conf" 2>/dev/null
  # shellcheck disable=SC2016,SC2086
  (in_trixie env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get -qq update &&
     apt-get -qq -y --no-install-recommends -o Dpkg::Use-Pty=0 install "$@"' _ $TRIXIE_PACKAGES) \
    >>"$state/trixie.log" 2>&1 ||
    fails_because "apt-get there: $(tail -n 1 "$state/trixie.log")" || return
  echo "$TRIXIE_PACKAGES" >"$state/trixie.ready"
}

# Replaces this shell by a command in the chroot, which sees this tree where it is outside. What is
# mounted for it is in a namespace of its own and ends with it, whatever ends it.
in_trixie() {
  # shellcheck disable=SC2016
  exec unshare --mount --propagation private sh -c '
    chroot=$1
    tree=$2
    shift 2
    for folder in /proc /sys /dev; do mount --rbind "$folder" "$chroot$folder" || exit; done
    mkdir -p "$chroot$tree" && mount --bind "$tree" "$chroot$tree" || exit
    exec chroot "$chroot" "$@"' _ "$state/trixie" "$root" "$@"
}
enter_pocl6() { in_trixie "$@"; }
enter_rusticl() { in_trixie "$@"; }

set_up_pocl6() {
  set_up_trixie || return
  write_icd pocl6 "$(cat "$state/trixie/etc/OpenCL/vendors/pocl.icd")"
  cat >"$state/pocl6/environment" <<END
export OCL_ICD_VENDORS="$state/pocl6/vendors" POCL_CACHE_DIR="$state/pocl6/compiled"
export NETCL_TEST_DEVICE=cpu
END
}

set_up_rusticl() {
  set_up_trixie || return
  write_icd rusticl "$(cat "$state/trixie/etc/OpenCL/vendors/rusticl.icd")"
  cat >"$state/rusticl/environment" <<END
export OCL_ICD_VENDORS="$state/rusticl/vendors" RUSTICL_ENABLE=llvmpipe NETCL_TEST_DEVICE=cpu
END
}

# Programs that have ops in shapes which an interpreter gets done with: options_ops has every op.
SMALL="edges|expressions_edges|gather|matmul_kernel|norm|options_ops|primitive|scan|scatter|softmax"
SMALL="$SMALL|topk|work_launches"

# Which of the programs in the input are for the driver $1.
programs_of() {
  case $1 in
    oclgrind)
      # With both families of kernels that GPUs get.
      awk -F '\t' -v names="^($SMALL)$" '$1 ~ names {
        at = index($2, "&& env ") + 7
        for (i = split("optimized portable", family, " "); i > 0; i--) {
          print $1 "." family[i] "\t" substr($2, 1, at - 1) "NETCL_KERNEL_STRATEGY=" family[i] \
            " " substr($2, at)}}'
      ;;
    *) cat ;;
  esac
}
