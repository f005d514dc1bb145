/* A library that NETCL_MPI_LIBRARY may name, of a version that this netcl does not know. */
#include "group/mpi_table.h"

__attribute__((visibility("default"))) const netcl_mpi_table netcl_mpi = {.version = 77};
