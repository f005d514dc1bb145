/* libnetcl-mpi.so: groups of MPI programs reach MPI by this library, so that libnetcl links none.
 *
 * It makes no threads, keeps nothing, and calls MPI on behalf of whoever calls it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group/mpi_table.h"

struct netcl_mpi_comm {
  MPI_Comm comm;
};

_Static_assert(sizeof(MPI_Request) <= sizeof(netcl_mpi_request), "requests are kept as numbers");

static MPI_Request request_of(netcl_mpi_request value) {
  MPI_Request request;
  memcpy(&request, &value, sizeof request);
  return request;
}
static netcl_mpi_request value_of(MPI_Request request) {
  netcl_mpi_request value = 0;
  if (request != MPI_REQUEST_NULL) memcpy(&value, &request, sizeof request);
  return value;
}

static int explain(int code, char* text) {
  int length = 0;
  if (code == MPI_SUCCESS) return 0;
  char words[MPI_MAX_ERROR_STRING + 1] = "";
  MPI_Error_string(code, words, &length);
  snprintf(text, NETCL_MPI_TEXT, "%s", words);
  return 1;
}
static int refuse(const char* why, char* text) {
  snprintf(text, NETCL_MPI_TEXT, "%s", why);
  return 1;
}

static const char* unusable(void) {
  int initialized = 0, finalized = 0, level = 0, main_thread = 0;
  MPI_Initialized(&initialized);
  if (!initialized) return "MPI is not initialised; the program calls MPI_Init_thread before";
  MPI_Finalized(&finalized);
  if (finalized) return "MPI has been finalised";
  MPI_Query_thread(&level);
  if (level >= MPI_THREAD_SERIALIZED) return NULL;
  MPI_Is_thread_main(&main_thread);
  return main_thread ? NULL
                     : "this is not the thread that initialised MPI, which allows calls of others "
                       "from MPI_THREAD_SERIALIZED on";
}

static int begin_copy(int world, int32_t communicator, netcl_mpi_comm** comm,
                      netcl_mpi_request* request, char* text) {
  const MPI_Comm given = world ? MPI_COMM_WORLD : MPI_Comm_f2c((MPI_Fint)communicator);
  MPI_Request pending = MPI_REQUEST_NULL;
  int between = 0;
  if (given == MPI_COMM_NULL || given == (MPI_Comm)0) return refuse("it is none", text);
  if (explain(MPI_Comm_test_inter(given, &between), text)) return 1;
  if (between) return refuse("it is one between two groups", text);
  netcl_mpi_comm* made = malloc(sizeof *made);
  if (made == NULL) return refuse("there is no memory", text);
  if (explain(MPI_Comm_idup(given, &made->comm, &pending), text)) {
    free(made);
    return 1;
  }
  *comm = made;
  *request = value_of(pending);
  return 0;
}

static int facts(netcl_mpi_comm* comm, uint32_t* rank, uint32_t* size, int* tag_max, char* text) {
  int own = 0, all = 0, found = 0;
  void* most = NULL;
  /* The caller's may end the program. */
  if (explain(MPI_Comm_set_errhandler(comm->comm, MPI_ERRORS_RETURN), text) ||
      explain(MPI_Comm_rank(comm->comm, &own), text) ||
      explain(MPI_Comm_size(comm->comm, &all), text) ||
      explain(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found), text)) {
    return 1;
  }
  *rank = (uint32_t)own;
  *size = (uint32_t)all;
  *tag_max = found ? *(const int*)most : 32767;
  return 0;
}

static void close_copy(netcl_mpi_comm* comm) {
  MPI_Comm_free(&comm->comm);
  free(comm);
}

static int gather(netcl_mpi_comm* comm, const void* in, void* out, size_t bytes,
                  netcl_mpi_request* request, char* text) {
  MPI_Request pending = MPI_REQUEST_NULL;
  const int failed = explain(
      MPI_Iallgather(in, (int)bytes, MPI_BYTE, out, (int)bytes, MPI_BYTE, comm->comm, &pending),
      text);
  *request = value_of(pending);
  return failed;
}

static int send_bytes(netcl_mpi_comm* comm, const void* from, size_t bytes, uint32_t to, int tag,
                      netcl_mpi_request* request, char* text) {
  MPI_Request pending = MPI_REQUEST_NULL;
  const int failed =
      explain(MPI_Isend(from, (int)bytes, MPI_BYTE, (int)to, tag, comm->comm, &pending), text);
  *request = value_of(pending);
  return failed;
}

static int receive_bytes(netcl_mpi_comm* comm, void* to, size_t bytes, uint32_t from, int tag,
                         netcl_mpi_request* request, char* text) {
  MPI_Request pending = MPI_REQUEST_NULL;
  const int failed =
      explain(MPI_Irecv(to, (int)bytes, MPI_BYTE, (int)from, tag, comm->comm, &pending), text);
  *request = value_of(pending);
  return failed;
}

static int test_request(netcl_mpi_request* request, char* text) {
  MPI_Request pending = request_of(*request);
  int done = 0;
  const int failed = explain(MPI_Test(&pending, &done, MPI_STATUS_IGNORE), text);
  *request = failed || done ? 0 : value_of(pending);
  return failed;
}

__attribute__((visibility("default"))) const netcl_mpi_table netcl_mpi = {
    NETCL_MPI_TABLE_VERSION, unusable,    begin_copy, facts, close_copy, gather, send_bytes,
    receive_bytes,           test_request};
