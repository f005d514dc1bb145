#include "ops/rows/norm_rows.hpp"

#include <algorithm>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "ops/frame/variant.hpp"

namespace netcl::ops {

Rows split_rows(const Layout& x, const Layout& y, uint32_t first, uint32_t count) {
  const auto part = [&](const Layout& layout, bool inner) {
    Layout out;
    out.offset = inner ? 0 : layout.offset;
    for (uint32_t d = 0; d < layout.rank; ++d) {
      if ((d >= first && d < first + count) != inner) continue;
      out.shape[out.rank] = layout.shape[d];
      out.strides[out.rank++] = layout.strides[d];
    }
    return out;
  };
  Layout outer[2] = {part(x, false), part(y, false)};
  Layout inner[2] = {part(x, true), part(y, true)};
  Rows rows;
  rows.count = outer[0].element_count();
  rows.length = inner[0].element_count();
  coalesce(outer, 2);
  coalesce(inner, 2);
  rows.x = outer[0];
  rows.y = outer[1];
  rows.x_inner = inner[0];
  rows.y_inner = inner[1];
  if (rows.x_inner.rank == 1) {
    rows.x_step = rows.x_inner.strides[0];
    rows.y_step = rows.y_inner.strides[0];
  }
  return rows;
}

// Rows of up to 1024 elements belong to 32 items, a few rows to a group; longer ones to a group of
// 256 or more. An item keeps up to 32 floats, for which no GPU has to leave its registers.
GroupShape group_shape(int64_t length, netcl_dtype dtype, const Device& device, int kept) {
  const auto largest =
      static_cast<int64_t>(std::min<uint64_t>(device.capabilities().max_work_group_size, 1024));
  const int64_t most = (dtype == NETCL_F64 ? 16 : 32) / kept;
  GroupShape shape;
  const auto values_for = [&](int64_t lanes) {
    int64_t values = 4;
    while (values * lanes < length) values *= 2;
    return values;
  };
  if (length <= 32 * most && largest >= 32) {
    shape.lanes = 32;
    shape.rows = largest >= 128 ? 4 : 1;
  } else {
    shape.lanes = static_cast<int>(std::min<int64_t>(largest, 256));
    // A power of two, and at least the 64 that the sums over a group begin with.
    while ((shape.lanes & (shape.lanes - 1)) != 0) shape.lanes &= shape.lanes - 1;
    while (shape.lanes < largest && shape.lanes < 1024 && values_for(shape.lanes) > 16 / kept) {
      shape.lanes *= 2;
    }
    if (shape.lanes > largest) shape.lanes /= 2;
    if (shape.lanes < 64) shape.lanes = static_cast<int>(std::min<int64_t>(shape.lanes, 32));
  }
  const int64_t values = values_for(shape.lanes);
  shape.values = values <= most ? static_cast<int>(values) : 0;
  if (shape.values == 0) shape.lanes = std::min(shape.lanes, 256);
  return shape;
}

void set_groups(const GroupShape& shape, int64_t rows, KernelCall* call) {
  call->local[0] = static_cast<uint64_t>(shape.lanes * shape.rows);
  call->global[0] = static_cast<uint64_t>(ceil_div(rows, shape.rows)) * call->local[0];
}

namespace {

// Whether all rows are read and written 4 aligned floats at a time.
bool is_aligned(const Rows& rows, netcl_dtype dtype) {
  bool aligned = dtype == NETCL_F32 && rows.packed() && rows.length % 4 == 0;
  for (const Layout* layout : {&rows.x, &rows.y}) {
    aligned = aligned && layout->offset % 4 == 0;
    for (uint32_t d = 0; d < layout->rank; ++d) aligned = aligned && layout->strides[d] % 4 == 0;
  }
  return aligned;
}

std::string flags_of(netcl_dtype dtype, int addressing, const GroupShape& shape, bool aligned) {
  return format("-DX=%s -DINNER=%d -DLANES=%d -DROWS=%d -DVALUES=%d -DVECTOR=%d",
                dtype_facts(dtype).name, addressing, shape.lanes, shape.rows, shape.values,
                aligned ? 1 : 0);
}

void add_rows(const Tensor& x, const Access& y, const Rows& rows, int addressing, Arguments* list) {
  list->memory(reading(x));
  list->layout(rows.x);
  list->memory(y);
  list->layout(rows.y);
  list->scalar(rows.count);
  list->scalar(rows.length);
  if (addressing < 3) {
    list->scalar(rows.x_step);
    list->scalar(rows.y_step);
  } else {
    list->layout(rows.x_inner);
    list->layout(rows.y_inner);
  }
}

}  // namespace

std::string group_flags(const Rows& rows, const GroupShape& shape, netcl_dtype dtype) {
  return flags_of(dtype, rows.addressing(), shape, is_aligned(rows, dtype));
}

std::string group_flags(const GradientRows& rows, const GroupShape& shape, netcl_dtype dtype) {
  return flags_of(dtype, rows.addressing(), shape,
                  is_aligned(rows.rows, dtype) && is_aligned(rows.grads, dtype));
}

void add_row_arguments(const Tensor& x, const Access& y, const Rows& rows, Arguments* list) {
  add_rows(x, y, rows, rows.addressing(), list);
}

void add_row_arguments(const Tensor& x, const Access& y, const Tensor& grad,
                       const GradientRows& rows, Arguments* list) {
  add_rows(x, y, rows.rows, rows.addressing(), list);
  list->memory(reading(grad));
  list->layout(rows.grads.x);
  if (rows.addressing() < 3) {
    list->scalar(rows.grads.x_step);
  } else {
    list->layout(rows.grads.x_inner);
  }
}

bool writes_past_caches(const Tensor& y) {
  return y.byte_count() >= static_cast<uint64_t>(netcl::cpu::kStreamBytes);
}

}  // namespace netcl::ops
