# To be sourced by the checks of the bindings: with_mpi says whether programs of mpirun can run here,
# and prints the reason where they cannot; by_mpi RANKS COMMAND ... runs one.
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
by_mpi() {
  echo "== by mpirun: $*"
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    timeout -k 10 300 mpirun -np "$@"
}
