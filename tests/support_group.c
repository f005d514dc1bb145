#include "support_group.h"

#include <stdio.h>

void rank_problem(Rank* rank, const char* file, int line, const char* what) {
  if (rank->problem[0] != '\0') return;
  snprintf(rank->problem, sizeof rank->problem, "%s:%d: rank %u of %u: %s [%s]", file, line,
           rank->rank, rank->size, what, netcl_last_error_message());
}

netcl_tensor* rank_tensor(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                          const double* values) {
  const int64_t count = product(dims, shape);
  const size_t bytes = (size_t)count * netcl_dtype_size(dtype);
  netcl_tensor* tensor = NULL;
  void* data = malloc(bytes + 1);
  if (data == NULL) return NULL;
  for (int64_t i = 0; i < count; i++) store_double(dtype, data, i, values[i]);
  if (netcl_tensor_create_from_host(rank->device, dtype, dims, shape, NULL, data, bytes, NULL,
                                    &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create_from_host");
  }
  free(data);
  return tensor;
}

int rank_holds(const netcl_tensor* tensor, const double* values) {
  const netcl_tensor_info info = tensor_info(tensor);
  const int64_t count = product(info.rank, info.shape);
  const size_t bytes = (size_t)count * netcl_dtype_size(info.dtype);
  void* data = malloc(bytes + 1);
  int same = data != NULL && netcl_tensor_read(tensor, data, bytes, NULL, LONG_WAIT) == NETCL_OK;
  for (int64_t i = 0; same && i < count; i++) {
    same = load_double(info.dtype, data, i) == values[i];
    if (!same) {
      fprintf(stderr, "element %lld is %g, not %g\n", (long long)i,
              load_double(info.dtype, data, i), values[i]);
    }
  }
  free(data);
  return same;
}
