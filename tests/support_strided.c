#include "support_strided.h"

void fill_bits(netcl_dtype dtype, void* data, int64_t count) {
  unsigned char* bytes = data;
  const size_t size = (size_t)count * netcl_dtype_size(dtype);
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)random_bits();
  for (size_t i = 0; dtype == NETCL_BOOL && i < size; ++i) bytes[i] &= 1;
}

void unravel(uint32_t rank, const int64_t* shape, int64_t flat, int64_t* at) {
  for (uint32_t d = rank; d-- > 0;) {
    at[d] = shape[d] > 0 ? flat % shape[d] : 0;
    if (shape[d] > 0) flat /= shape[d];
  }
}

int64_t ravel(uint32_t rank, const int64_t* shape, const int64_t* at) {
  int64_t flat = 0;
  for (uint32_t d = 0; d < rank; ++d) flat = flat * shape[d] + at[d];
  return flat;
}

Strided make_strided(netcl_device* device, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                     const void* data) {
  Strided made = {NULL, NULL};
  const int plain = random_in(0, 3) == 0;
  uint32_t order[NETCL_RANK_MAX] = {0}, back[NETCL_RANK_MAX] = {0};
  int64_t extents[NETCL_RANK_MAX] = {0};
  netcl_range ranges[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < rank; ++d) order[d] = d;
  for (uint32_t d = rank; !plain && d > 1; --d) {
    const uint32_t other = (uint32_t)random_in(0, d - 1), kept = order[d - 1];
    order[d - 1] = order[other];
    order[other] = kept;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t extent = shape[order[d]];
    const int64_t step = plain ? 1 : random_in(1, 2), lead = plain ? 0 : random_in(0, 2);
    extents[d] = lead + extent * step;
    ranges[d].extent = extent;
    ranges[d].start = lead;
    ranges[d].step = step;
    if (!plain && random_in(0, 2) == 0 && extent > 0) {
      ranges[d].start = lead + (extent - 1) * step;
      ranges[d].step = -step;
    }
    back[order[d]] = d;
  }
  const int64_t count = product(rank, extents);
  void* poison = malloc((size_t)count * 8 + 1);
  netcl_tensor* part = NULL;
  memset(poison, POISON, (size_t)count * 8 + 1);
  made.base = make_tensor(device, dtype, rank, extents, poison);
  free(poison);
  OK(netcl_tensor_slice(made.base, ranges, rank, &part));
  OK(netcl_tensor_permute(part, back, rank, &made.view));
  netcl_tensor_release(part);
  if (data != NULL && product(rank, shape) > 0) {
    OK(netcl_tensor_write(made.view, data, (size_t)tensor_info(made.view).byte_count, NULL,
                          LONG_WAIT));
  }
  return made;
}

void release_strided(Strided* strided) {
  netcl_tensor_release(strided->view);
  netcl_tensor_release(strided->base);
  strided->view = strided->base = NULL;
}

void check_strided(const Strided* strided, const void* data, const char* file, int line) {
  const netcl_tensor_info info = tensor_info(strided->view), base = tensor_info(strided->base);
  const size_t size = netcl_dtype_size(info.dtype);
  unsigned char* all = read_tensor(strided->base);
  unsigned char* own = calloc((size_t)base.element_count + 1, 1);
  check_tensor(strided->view, data, file, line);
  for (int64_t i = 0; i < info.element_count; ++i) {
    int64_t at[NETCL_RANK_MAX] = {0}, place = info.offset - base.offset;
    unravel(info.rank, info.shape, i, at);
    for (uint32_t d = 0; d < info.rank; ++d) place += at[d] * info.strides[d];
    own[place] = 1;
  }
  for (int64_t i = 0; i < base.element_count; ++i) {
    for (size_t b = 0; !own[i] && b < size; ++b) {
      if (all[(size_t)i * size + b] != POISON) {
        fail_at(file, line, "element %lld beside the result was written", (long long)i);
      }
    }
  }
  free(own);
  free(all);
}
