/* What libnetcl-mpi.so gives libnetcl: of MPI what groups need, as functions that never wait.
 *
 * Which library MPI is, and what its types are, is known to the compiler of src/mpi/plugin.c alone.
 * Functions give 0, or another number with MPI's words in `text`. */
#ifndef NETCL_GROUP_MPI_TABLE_H
#define NETCL_GROUP_MPI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define NETCL_MPI_TABLE_NAME "netcl_mpi"
#define NETCL_MPI_TABLE_VERSION 1
#define NETCL_MPI_TEXT 512

/* A communicator of netcl's own. */
typedef struct netcl_mpi_comm netcl_mpi_comm;
/* What is under way; 0 for nothing. */
typedef uint64_t netcl_mpi_request;

/* The library exports one of these under NETCL_MPI_TABLE_NAME. */
typedef struct netcl_mpi_table {
  uint32_t version;
  /* Why this thread cannot call MPI at this time; NULL where it can. */
  const char* (*unusable)(void);
  /* Begins to copy a communicator, given as MPI_Comm_c2f does or as the world. */
  int (*open)(int world, int32_t communicator, netcl_mpi_comm** comm, netcl_mpi_request* request,
              char* text);
  /* Once that has ended: what the copy is. Tags go from 0 to tag_max. */
  int (*facts)(netcl_mpi_comm* comm, uint32_t* rank, uint32_t* size, int* tag_max, char* text);
  void (*close)(netcl_mpi_comm* comm);
  /* `out` gets `bytes` of each rank. */
  int (*gather)(netcl_mpi_comm* comm, const void* in, void* out, size_t bytes,
                netcl_mpi_request* request, char* text);
  int (*send)(netcl_mpi_comm* comm, const void* from, size_t bytes, uint32_t to, int tag,
              netcl_mpi_request* request, char* text);
  int (*receive)(netcl_mpi_comm* comm, void* to, size_t bytes, uint32_t from, int tag,
                 netcl_mpi_request* request, char* text);
  /* Puts 0 into a request that has ended, even one that failed. */
  int (*test)(netcl_mpi_request* request, char* text);
} netcl_mpi_table;

#endif
