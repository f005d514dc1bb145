#include "support_sharded.h"

#include <math.h>
#include <stdio.h>

netcl_sharding_options lay_options(const Lay* lay) {
  netcl_sharding_options options = NETCL_SHARDING_OPTIONS_INIT;
  options.mesh = lay->mesh;
  options.axes = lay->axes;
  options.mesh_count = options.axes_count = lay->mesh_rank;
  return options;
}

double counted_value(int64_t place) { return (double)place; }
double small_whole(int64_t place) { return (double)((place * 7 + place / 5) % 13 - 6) / 2; }

/* The place in the whole of element i of a block. */
static int64_t place_in_whole(uint32_t dims, const int64_t* shape, const netcl_block_info* block,
                              int64_t i) {
  int64_t place = 0, step = 1;
  for (uint32_t d = dims; d-- > 0;) {
    place += (block->first[d] + i % block->shape[d]) * step;
    i /= block->shape[d];
    step *= shape[d];
  }
  return place;
}

netcl_tensor* whole_values(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                           WholeValue value) {
  const int64_t count = product(dims, shape);
  double* values = malloc(((size_t)count + 1) * sizeof *values);
  for (int64_t i = 0; i < count; i++) values[i] = value(i);
  netcl_tensor* tensor = rank_tensor(rank, dtype, dims, shape, values);
  free(values);
  return tensor;
}

netcl_sharded* shard_values(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                            const Lay* lay, WholeValue value) {
  const netcl_sharding_options options = lay_options(lay);
  netcl_block_info block = NETCL_BLOCK_INFO_INIT;
  netcl_sharded* sharded = NULL;
  if (netcl_group_describe_block(rank->group, rank->rank, dims, shape, &options, &block) !=
      NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_group_describe_block");
    return NULL;
  }
  const int64_t count = product(dims, block.shape);
  double* values = malloc(((size_t)count + 1) * sizeof *values);
  for (int64_t i = 0; i < count; i++) {
    values[i] = value(place_in_whole(dims, shape, &block, i));
  }
  netcl_tensor* tensor = rank_tensor(rank, dtype, dims, block.shape, values);
  free(values);
  if (tensor != NULL &&
      netcl_sharded_create(rank->group, tensor, dims, shape, &options, &sharded) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_sharded_create");
  }
  netcl_tensor_release(tensor);
  return sharded;
}

double* tensor_doubles(const netcl_tensor* tensor) {
  const netcl_tensor_info info = tensor_info(tensor);
  const size_t bytes = (size_t)info.element_count * netcl_dtype_size(info.dtype);
  void* data = malloc(bytes + 1);
  double* values = malloc(((size_t)info.element_count + 1) * sizeof *values);
  if (netcl_tensor_read(tensor, data, bytes, NULL, LONG_WAIT) != NETCL_OK) {
    free(data);
    free(values);
    return NULL;
  }
  for (int64_t i = 0; i < info.element_count; i++) values[i] = load_double(info.dtype, data, i);
  free(data);
  return values;
}

int shard_holds(Rank* rank, const netcl_sharded* sharded, uint32_t dims, const int64_t* shape,
                const double* whole, double bound) {
  netcl_sharded_info info = NETCL_SHARDED_INFO_INIT;
  netcl_block_info block = NETCL_BLOCK_INFO_INIT;
  netcl_sharding_options options = NETCL_SHARDING_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  if (netcl_sharded_get_info(sharded, &info) != NETCL_OK) return 0;
  options.mesh = info.mesh;
  options.axes = info.axes;
  options.mesh_count = options.axes_count = info.mesh_rank;
  int same = info.rank == dims &&
             (dims == 0 || memcmp(info.shape, shape, dims * sizeof *shape) == 0);
  same = same && netcl_group_describe_block(rank->group, rank->rank, dims, shape, &options,
                                            &block) == NETCL_OK;
  if (!same || netcl_sharded_get_block(sharded, &tensor) != NETCL_OK) return 0;
  const netcl_tensor_info own = tensor_info(tensor);
  double* values = tensor_doubles(tensor);
  same = values != NULL && own.dtype == info.dtype && own.rank == dims &&
         memcmp(own.shape, block.shape, dims * sizeof *shape) == 0;
  for (int64_t i = 0; same && i < own.element_count; i++) {
    const double wanted = whole[place_in_whole(dims, shape, &block, i)];
    same = values[i] == wanted || fabs(values[i] - wanted) <= bound;
    if (!same) {
      fprintf(stderr, "rank %u: element %lld is %.9g, not %.9g\n", rank->rank, (long long)i,
              values[i], wanted);
    }
  }
  free(values);
  netcl_tensor_release(tensor);
  return same;
}

int shard_is(Rank* rank, const netcl_sharded* sharded, const netcl_tensor* whole, double bound) {
  const netcl_tensor_info info = tensor_info(whole);
  netcl_sharded_info own = NETCL_SHARDED_INFO_INIT;
  double* values = tensor_doubles(whole);
  const int same = values != NULL && netcl_sharded_get_info(sharded, &own) == NETCL_OK &&
                   own.dtype == info.dtype &&
                   shard_holds(rank, sharded, info.rank, info.shape, values, bound);
  free(values);
  return same;
}

static const char* explanation(const netcl_sharded* sharded) {
  static _Thread_local char text[2000];
  size_t length = 0;
  if (netcl_sharded_explain(sharded, text, sizeof text, &length) != NETCL_OK ||
      length != strlen(text)) {
    return "";
  }
  return text;
}

long long explained(const netcl_sharded* sharded, const char* text) {
  const char* found = strstr(explanation(sharded), text);
  return found == NULL ? -1 : atoll(found + strlen(text));
}

int explains(const netcl_sharded* sharded, const char* text) {
  const int there = strstr(explanation(sharded), text) != NULL;
  if (!there) fprintf(stderr, "\"%s\" is not in: %s", text, explanation(sharded));
  return there;
}
