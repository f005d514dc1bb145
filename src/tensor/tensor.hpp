// The tensor: a layout and a dtype over a piece of memory. Nothing in this folder launches a
// kernel; what needs one (strided copies, casts, fills) is in ops/.
#pragma once

#include <memory>
#include <vector>

#include "core/dtype.hpp"
#include "core/function_ref.hpp"
#include "core/layout.hpp"
#include "memory/buffer.hpp"

namespace netcl {

class Tensor {
 public:
  // `layout` must lie inside the buffer; see checked().
  Tensor(BufferRef buffer, netcl_dtype dtype, const Layout& layout)
      : buffer_(std::move(buffer)), dtype_(dtype), layout_(layout) {}

  // A tensor over existing memory; fails with INVALID_ARGUMENT when an element lies outside it.
  static std::shared_ptr<Tensor> checked(BufferRef buffer, netcl_dtype dtype, const Layout& layout);
  // New memory for a layout, whose offset is set so that its lowest element is the memory's first.
  // `make` gives memory of so many bytes.
  static std::shared_ptr<Tensor> allocate(const Device& device, netcl_dtype dtype, Layout layout,
                                          FunctionRef<BufferRef(uint64_t)> make);
  static std::shared_ptr<Tensor> allocate(const DeviceRef& device, PoolRef pool, netcl_dtype dtype,
                                          const Layout& layout);
  // New C-order memory of the device's persistent pool.
  static std::shared_ptr<Tensor> allocate(const DeviceRef& device, netcl_dtype dtype, uint32_t rank,
                                          const int64_t* shape);

  const BufferRef& buffer() const noexcept { return buffer_; }
  netcl_dtype dtype() const noexcept { return dtype_; }
  const Layout& layout() const noexcept { return layout_; }
  Device& device() const noexcept { return buffer_->device(); }
  const DeviceRef& device_ref() const noexcept { return buffer_->device_ref(); }
  size_t element_size() const { return dtype_size(dtype_); }
  int64_t element_count() const noexcept { return layout_.element_count(); }
  uint64_t byte_count() const { return static_cast<uint64_t>(element_count()) * element_size(); }
  bool empty() const noexcept { return element_count() == 0; }
  MemoryObject* memory() const noexcept { return buffer_->memory(); }
  uint64_t offset_bytes() const { return static_cast<uint64_t>(layout_.offset) * element_size(); }

  void info(netcl_tensor_info* info) const;

 private:
  BufferRef buffer_;
  netcl_dtype dtype_;
  Layout layout_;
};
using TensorRef = std::shared_ptr<Tensor>;

// What a command does to a tensor: to the bytes from its lowest element to its highest. Null is no
// memory.
Access access_to(const Tensor* tensor, bool write);
inline Access reading(const Tensor& tensor) { return access_to(&tensor, false); }
inline Access writing(const Tensor& tensor) { return access_to(&tensor, true); }

// Views. All fail with INVALID_ARGUMENT naming the argument.
TensorRef slice(const Tensor& tensor, const netcl_range* ranges, uint32_t ranges_count);
TensorRef permute(const Tensor& tensor, const uint32_t* axes, uint32_t axes_count);
TensorRef broadcast(const Tensor& tensor, uint32_t rank, const int64_t* shape);
// The parts of a tensor along an axis below its rank; sizes add up to its extent.
std::vector<TensorRef> split(const Tensor& tensor, uint32_t axis, const int64_t* sizes,
                             uint32_t sizes_count);
TensorRef view(const Tensor& tensor, uint32_t rank, const int64_t* shape, const int64_t* strides,
               int64_t offset);
// The C-order layout of `shape` with a -1 worked out; element counts agree.
Layout reshaped_layout(const Tensor& tensor, uint32_t rank, const int64_t* shape);
// A view with another shape, or null when the strides do not allow one.
TensorRef reshape_view(const Tensor& tensor, const Layout& target);

inline std::string shape_text(const Tensor& tensor) { return shape_text(tensor.layout()); }

}  // namespace netcl
