# To be sourced by the checks of the bindings: with_mpi says whether programs of mpirun can run here,
# and prints the reason where they cannot; by_mpi RANKS COMMAND ... runs one. must_fail COMMAND ... is
# for ranks that fail: all of it has to end by itself, and with a status.
# shellcheck shell=sh

with_mpi() {
  if ! command -v mpirun >/dev/null 2>&1; then
    echo "nothing is run by mpirun: there is none in PATH"
    return 1
  fi
  library=${NETCL_LIB_DIR:-$(pkg-config --variable=libdir netcl)}/libnetcl-mpi.so.0
  if [ ! -e "$library" ] && [ ! -e "${NETCL_MPI_LIBRARY:-}" ]; then
    echo "nothing is run by mpirun: there is no $library"
    return 1
  fi
}

# As root and with more processes than processors Open MPI runs when it is told so.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

by_mpi() {
  echo "== by mpirun: $*"
  timeout -k 10 300 mpirun -np "$@"
}

must_fail() {
  status=0
  timeout -k 10 120 "$@" >/dev/null 2>&1 || status=$?
  if [ $status = 0 ] || [ $status = 124 ]; then
    echo "a rank fails, and this ends with $status: $*"
    return 1
  fi
}
