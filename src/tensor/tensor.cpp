#include "tensor/tensor.hpp"

#include <algorithm>

namespace netcl {

Access access_to(const Tensor* tensor, bool write) {
  if (tensor == nullptr || tensor->memory() == nullptr) return {nullptr, write};
  const Span span = touched_span(tensor->layout());
  const size_t size = tensor->element_size();
  return {tensor->memory(), write,
          {static_cast<uint64_t>(span.first) * size, static_cast<uint64_t>(span.last) * size}};
}

TensorRef Tensor::checked(BufferRef buffer, netcl_dtype dtype, const Layout& layout) {
  const int64_t capacity =
      static_cast<int64_t>(std::min<uint64_t>(buffer->bytes(), INT64_MAX) / dtype_size(dtype));
  const auto lead = static_cast<int64_t>(buffer->lead_bytes() / dtype_size(dtype));
  // The offset comes first: added to what the strides reach, one far outside would overflow.
  if (layout.offset < lead || layout.offset > capacity) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "offset is element %lld of a memory of %lld elements",
         static_cast<long long>(layout.offset - lead), static_cast<long long>(capacity - lead));
  }
  const Span span = touched_span(layout);
  if (span.first != span.last && (span.first < lead || span.last > capacity)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "strides %s with shape %s and offset %lld reach elements %lld to %lld; the memory holds "
         "%lld",
         shape_text(layout.rank, layout.strides.data()).c_str(), shape_text(layout).c_str(),
         static_cast<long long>(layout.offset - lead), static_cast<long long>(span.first - lead),
         static_cast<long long>(span.last - 1 - lead), static_cast<long long>(capacity - lead));
  }
  return std::make_shared<Tensor>(std::move(buffer), dtype, layout);
}

TensorRef Tensor::allocate(const Device& device, netcl_dtype dtype, Layout layout,
                           FunctionRef<BufferRef(uint64_t)> make) {
  layout.offset = 0;
  const Span span = touched_span(layout);
  layout.offset = -span.first;
  const uint64_t bytes = static_cast<uint64_t>(span.last - span.first) * dtype_size(dtype);
  if (bytes > device.capabilities().max_allocation_bytes) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
         "shape %s of %s needs %llu bytes; one allocation on %s holds at most %llu",
         shape_text(layout).c_str(), dtype_facts(dtype).name,
         static_cast<unsigned long long>(bytes), device.info().name,
         static_cast<unsigned long long>(device.capabilities().max_allocation_bytes));
  }
  return std::make_shared<Tensor>(make(bytes), dtype, layout);
}

TensorRef Tensor::allocate(const DeviceRef& device, PoolRef pool, netcl_dtype dtype,
                           const Layout& layout) {
  if (pool == nullptr) pool = PoolSet::of(*device).own(NETCL_POOL_PERSISTENT);
  // On one in-order queue the order of commands keeps a block safe that is still in use; memory
  // that the host sees must be idle. Where events are kept, idle blocks avoid a wait between
  // queues.
  const bool ordered = pool->kind() != NETCL_POOL_PINNED;
  return allocate(*device, dtype, layout, [&](uint64_t bytes) {
    return Buffer::lease(std::move(pool), device, bytes, ordered);
  });
}

TensorRef Tensor::allocate(const DeviceRef& device, netcl_dtype dtype, uint32_t rank,
                           const int64_t* shape) {
  // Views may have more elements than memory has bytes, and results take their shapes.
  return allocate(device, nullptr, dtype, make_layout(rank, shape, nullptr, dtype_size(dtype)));
}

void Tensor::info(netcl_tensor_info* info) const {
  info->dtype = dtype_;
  info->rank = layout_.rank;
  std::copy(layout_.shape.begin(), layout_.shape.begin() + layout_.rank, info->shape);
  std::copy(layout_.strides.begin(), layout_.strides.begin() + layout_.rank, info->strides);
  info->offset = layout_.offset;
  info->element_count = element_count();
  info->byte_count = byte_count();
  info->contiguous = layout_.is_c_contiguous() ? 1 : 0;
  info->zero_copy = buffer_->shared_with_host() ? 1 : 0;
  info->borrowed = buffer_->borrowed() ? 1 : 0;
  info->pooled = buffer_->pooled() ? 1 : 0;
  info->mapped = buffer_->mapped() ? 1 : 0;
}

TensorRef slice(const Tensor& tensor, const netcl_range* ranges, uint32_t ranges_count) {
  const Layout& source = tensor.layout();
  if (ranges_count != source.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "ranges_count is %u; the tensor has rank %u", ranges_count,
         source.rank);
  }
  if (ranges == nullptr && ranges_count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "ranges is NULL while ranges_count is %u", ranges_count);
  }
  Layout layout = source;
  for (uint32_t d = 0; d < source.rank; ++d) {
    const netcl_range& range = ranges[d];
    const int64_t extent = source.shape[d];
    if (range.step == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "ranges[%u].step is 0", d);
    }
    if (range.extent < 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "ranges[%u].extent is %lld; it must not be negative", d,
           static_cast<long long>(range.extent));
    }
    layout.shape[d] = range.extent;
    if (range.extent == 0) {
      layout.strides[d] = source.strides[d];
      continue;
    }
    int64_t reach;
    int64_t last;
    if (__builtin_mul_overflow(range.extent - 1, range.step, &reach) ||
        __builtin_add_overflow(range.start, reach, &last) || range.start < 0 || last < 0 ||
        range.start >= extent || last >= extent) {
      fail(
          NETCL_ERROR_INVALID_ARGUMENT,
          "ranges[%u] is start %lld, extent %lld, step %lld; it leaves dimension %u of extent %lld",
          d, static_cast<long long>(range.start), static_cast<long long>(range.extent),
          static_cast<long long>(range.step), d, static_cast<long long>(extent));
    }
    layout.offset += range.start * source.strides[d];
    // A single element may come with any step; its stride is never used.
    layout.strides[d] = range.extent == 1 ? source.strides[d] : source.strides[d] * range.step;
  }
  if (layout.element_count() == 0) layout.offset = source.offset;
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

TensorRef permute(const Tensor& tensor, const uint32_t* axes, uint32_t axes_count) {
  const Layout& source = tensor.layout();
  if (axes_count != source.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axes_count is %u; the tensor has rank %u", axes_count,
         source.rank);
  }
  if (axes == nullptr && axes_count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axes is NULL while axes_count is %u", axes_count);
  }
  Layout layout = source;
  uint32_t seen = 0;
  for (uint32_t d = 0; d < source.rank; ++d) {
    if (axes[d] >= source.rank || (seen >> axes[d] & 1) != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "axes[%u] is %u; axes must name each of the %u dimensions "
           "once",
           d, axes[d], source.rank);
    }
    seen |= 1u << axes[d];
    layout.shape[d] = source.shape[axes[d]];
    layout.strides[d] = source.strides[axes[d]];
  }
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

TensorRef broadcast(const Tensor& tensor, uint32_t rank, const int64_t* shape) {
  make_layout(rank, shape, nullptr, tensor.element_size());  // Checks rank and extents.
  const Layout layout = broadcast_layout(tensor.layout(), rank, shape, "tensor");
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

std::vector<TensorRef> split(const Tensor& tensor, uint32_t axis, const int64_t* sizes,
                             uint32_t sizes_count) {
  if (sizes == nullptr && sizes_count > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "sizes is NULL while sizes_count is %u", sizes_count);
  }
  const int64_t extent = tensor.layout().shape[axis];
  int64_t sum = 0;
  bool fits = true;
  for (uint32_t i = 0; fits && i < sizes_count; ++i) {
    if (sizes[i] < 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "sizes[%u] is %lld; it must not be negative", i,
           static_cast<long long>(sizes[i]));
    }
    fits = !__builtin_add_overflow(sum, sizes[i], &sum);
  }
  if (!fits || sum != extent) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "sizes add up to %lld; axis %u has extent %lld",
         static_cast<long long>(fits ? sum : INT64_MAX), axis, static_cast<long long>(extent));
  }
  std::vector<TensorRef> parts;
  Layout layout = tensor.layout();
  for (uint32_t i = 0; i < sizes_count; ++i) {
    layout.shape[axis] = sizes[i];
    Layout part = layout;
    // Behind the last element there is no offset that an empty part could have.
    if (part.element_count() == 0) part.offset = tensor.layout().offset;
    parts.push_back(std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), part));
    layout.offset += sizes[i] * layout.strides[axis];
  }
  return parts;
}

TensorRef view(const Tensor& tensor, uint32_t rank, const int64_t* shape, const int64_t* strides,
               int64_t offset) {
  Layout layout = make_layout(rank, shape, strides, tensor.element_size());
  if (__builtin_add_overflow(tensor.layout().offset, offset, &layout.offset) || layout.offset < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "offset is %lld; the tensor's first element is element %lld "
         "of its memory",
         static_cast<long long>(offset), static_cast<long long>(tensor.layout().offset));
  }
  return Tensor::checked(tensor.buffer(), tensor.dtype(), layout);
}

Layout reshaped_layout(const Tensor& tensor, uint32_t rank, const int64_t* shape) {
  if (rank > kRankMax || (rank > 0 && shape == nullptr)) {
    make_layout(rank, shape, nullptr, 1);  // Names what is wrong.
  }
  std::array<int64_t, kRankMax> extents{};
  int unknown = -1;
  int64_t known = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    extents[d] = shape[d];
    if (shape[d] != -1) {
      if (shape[d] < 0) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "shape[%u] is %lld; an extent is not negative, but for one -1", d,
             static_cast<long long>(shape[d]));
      }
      if (__builtin_mul_overflow(known, shape[d], &known)) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "shape %s has more than 2^63 - 1 elements",
             shape_text(rank, shape).c_str());
      }
    } else if (unknown >= 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape[%d] and shape[%u] are both -1", unknown, d);
    } else {
      unknown = static_cast<int>(d);
    }
  }
  const int64_t count = tensor.element_count();
  if (unknown >= 0) {
    if (known == 0 || count % known != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape %s: no extent in place of -1 gives %lld elements",
           shape_text(rank, shape).c_str(), static_cast<long long>(count));
    }
    extents[static_cast<size_t>(unknown)] = count / known;
  } else if (known != count) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "shape %s has %lld elements; the tensor %s has %lld",
         shape_text(rank, shape).c_str(), static_cast<long long>(known), shape_text(tensor).c_str(),
         static_cast<long long>(count));
  }
  return make_layout(rank, extents.data(), nullptr, tensor.element_size());
}

// A dimension of the joined source can be cut into target dimensions; a target dimension that spans
// two source dimensions which are not contiguous with each other needs a copy.
TensorRef reshape_view(const Tensor& tensor, const Layout& target) {
  Layout joined = tensor.layout();
  Layout out = target;
  out.offset = tensor.layout().offset;
  if (tensor.empty()) return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), out);
  coalesce(&joined, 1);
  uint32_t t = target.rank;
  for (uint32_t s = joined.rank; s-- > 0;) {
    int64_t left = joined.shape[s];
    int64_t stride = joined.strides[s];
    while (left > 1) {
      if (t == 0) return nullptr;
      --t;
      if (target.shape[t] == 1) continue;
      if (left % target.shape[t] != 0) return nullptr;
      out.strides[t] = stride;
      stride *= target.shape[t];
      left /= target.shape[t];
    }
  }
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), out);
}

}  // namespace netcl
