#include <array>
#include <vector>

#include "api/create.hpp"
#include "tensor/dlpack_abi.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

netcl_dtype dtype_of(const DLDataType& type) {
  if (type.lanes != 1) {
    fail(NETCL_ERROR_UNSUPPORTED, "managed->dl_tensor.dtype.lanes is %u; only 1 is supported",
         type.lanes);
  }
  struct Row {
    uint8_t code, bits;
    netcl_dtype dtype;
  };
  static constexpr Row kRows[] = {
      {kDLFloat, 16, NETCL_F16}, {kDLBfloat, 16, NETCL_BF16}, {kDLFloat, 32, NETCL_F32},
      {kDLFloat, 64, NETCL_F64}, {kDLInt, 8, NETCL_I8},       {kDLInt, 16, NETCL_I16},
      {kDLInt, 32, NETCL_I32},   {kDLInt, 64, NETCL_I64},     {kDLUInt, 8, NETCL_U8},
      {kDLUInt, 16, NETCL_U16},  {kDLUInt, 32, NETCL_U32},    {kDLUInt, 64, NETCL_U64},
      {kDLBool, 8, NETCL_BOOL}};
  for (const Row& row : kRows) {
    if (row.code == type.code && row.bits == type.bits) return row.dtype;
  }
  fail(NETCL_ERROR_UNSUPPORTED,
       "managed->dl_tensor.dtype has code %u with %u bits, for which there "
       "is no dtype",
       type.code, type.bits);
}

DLDataType type_of(netcl_dtype dtype) {
  const DtypeFacts& facts = dtype_facts(dtype);
  const uint8_t bits = static_cast<uint8_t>(facts.size * 8);
  switch (facts.kind) {
    case DtypeClass::boolean:
      return {kDLBool, bits, 1};
    case DtypeClass::signed_integer:
      return {kDLInt, bits, 1};
    case DtypeClass::unsigned_integer:
      return {kDLUInt, bits, 1};
    case DtypeClass::floating:
      break;
  }
  return {static_cast<uint8_t>(dtype == NETCL_BF16 ? kDLBfloat : kDLFloat), bits, 1};
}

void call_deleter(DLManagedTensor* managed) {
  if (managed->deleter != nullptr) managed->deleter(managed);
}

// The layout with its offset from dl_tensor.data, in elements.
Layout layout_of(const DLTensor& source, netcl_dtype dtype) {
  const size_t element = dtype_size(dtype);
  if (source.ndim < 0 || source.ndim > NETCL_RANK_MAX) {
    fail(NETCL_ERROR_UNSUPPORTED, "managed->dl_tensor.ndim is %d; ranks up to %d are supported",
         source.ndim, NETCL_RANK_MAX);
  }
  Layout layout =
      make_layout(static_cast<uint32_t>(source.ndim), source.shape, source.strides, element);
  if (source.byte_offset % element != 0 || source.byte_offset > static_cast<uint64_t>(INT64_MAX)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "managed->dl_tensor.byte_offset is %llu; it must be a "
         "multiple of the element's %zu bytes",
         static_cast<unsigned long long>(source.byte_offset), element);
  }
  const auto offset = static_cast<int64_t>(source.byte_offset / element);
  int64_t end = 0;
  if (__builtin_add_overflow(offset, touched_span(layout).last, &end) ||
      __builtin_mul_overflow(end, static_cast<int64_t>(element), &end)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "managed->dl_tensor.byte_offset is %llu; the elements end past 2^63 - 1 bytes",
         static_cast<unsigned long long>(source.byte_offset));
  }
  layout.offset = offset;
  return layout;
}

TensorRef import_host(CreateOptions& create, DLManagedTensor* managed, netcl_dtype dtype,
                      Layout layout) {
  const size_t element = dtype_size(dtype);
  const Span span = touched_span(layout);
  const uint64_t bytes = static_cast<uint64_t>(span.last - span.first) * element;
  layout.offset -= span.first;
  if (bytes > 0) require(managed->dl_tensor.data, "managed->dl_tensor.data");
  uintptr_t address = reinterpret_cast<uintptr_t>(managed->dl_tensor.data), end = 0;
  if (__builtin_add_overflow(address, span.first * static_cast<int64_t>(element), &address) ||
      __builtin_add_overflow(address, bytes, &end)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "managed->dl_tensor.data is %p; with its shape, strides and byte_offset of %llu it leaves "
         "the address space",
         managed->dl_tensor.data, static_cast<unsigned long long>(managed->dl_tensor.byte_offset));
  }
  if (address % element != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "managed->dl_tensor.data is %p; it must be aligned to the element's %zu bytes",
         managed->dl_tensor.data, element);
  }
  void* const lowest = reinterpret_cast<void*>(address);
  if (create.device()->builtin() && !create.share()) {
    BufferRef buffer = Buffer::in_place(create.device(), lowest, bytes);
    return std::make_shared<Tensor>(std::move(buffer), dtype, layout);
  }
  TensorRef tensor = Tensor::allocate(create.device(), create.pool(), dtype, layout);
  write_bytes({tensor->buffer().get(), 0, bytes}, lowest, create.transfer_plan());
  return tensor;
}

TensorRef import_opencl(CreateOptions& create, DLManagedTensor* managed, netcl_dtype dtype,
                        const Layout& layout) {
  create.device()->require_opencl("a kDLOpenCL tensor");
  create.refuse_share("that of managed");
  require(managed->dl_tensor.data, "managed->dl_tensor.data");
  auto* mem = static_cast<struct _cl_mem*>(managed->dl_tensor.data);
  return Tensor::checked(Buffer::from_cl(create.device(), mem), dtype, layout);
}

// What netcl_tensor_to_dlpack or netcl_buffer_get_cuda_address gave comes back, or a part of it.
TensorRef import_cuda(CreateOptions& create, DLManagedTensor* managed, netcl_dtype dtype,
                      Layout layout) {
  create.refuse_share("that of managed");
  require(managed->dl_tensor.data, "managed->dl_tensor.data");
  const auto data = reinterpret_cast<uintptr_t>(managed->dl_tensor.data);
  BufferRef buffer = Buffer::from_cuda(create.device(), data);
  const share::CudaPlace place = buffer == nullptr ? share::CudaPlace() : buffer->lend_cuda();
  if (place.address == 0 || place.device != managed->dl_tensor.device.device_id) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "managed->dl_tensor.data is %p of kDLCUDA device %d, which lies in no memory of device %s "
         "that was made with share = 1 and told to others",
         managed->dl_tensor.data, managed->dl_tensor.device.device_id,
         create.device()->text().c_str());
  }
  const uint64_t first = data - place.address;
  if (first % dtype_size(dtype) != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "managed->dl_tensor.data is %p; it must be aligned to the element's %zu bytes",
         managed->dl_tensor.data, dtype_size(dtype));
  }
  if (__builtin_add_overflow(layout.offset, static_cast<int64_t>(first / dtype_size(dtype)),
                             &layout.offset)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "managed->dl_tensor.byte_offset is %llu, beyond any memory",
         static_cast<unsigned long long>(managed->dl_tensor.byte_offset));
  }
  return Tensor::checked(std::move(buffer), dtype, layout);
}

// True where the host may be told an address: nothing else can be wanted of the built-in device,
// and what is shared is for others.
bool on_host(const Tensor& tensor) {
  const Buffer& buffer = *tensor.buffer();
  return tensor.device().builtin() || (buffer.exportable() && buffer.host_pointer() != nullptr);
}

void tell_place(const Tensor& tensor, DLTensor* out) {
  const Buffer& buffer = *tensor.buffer();
  if (on_host(tensor)) {
    out->device = {kDLCPU, 0};
    out->data = buffer.host_pointer();
  } else if (const share::CudaPlace place = buffer.lend_cuda(); place.address != 0) {
    out->device = {kDLCUDA, place.device};
    out->data = reinterpret_cast<void*>(static_cast<uintptr_t>(place.address));
  } else {
    const uint32_t index = tensor.device().info().index;
    out->device = {kDLOpenCL, index == UINT32_MAX ? 0 : static_cast<int32_t>(index)};
    if (buffer.memory() != nullptr) out->data = static_cast<void*>(buffer.lend_cl_mem());
  }
}

// What an exported tensor keeps alive, together with the arrays its DLTensor points to.
struct Export {
  DLManagedTensor managed{};
  TensorRef tensor;
  std::array<int64_t, kRankMax> shape;
  std::array<int64_t, kRankMax> strides;
};

}  // namespace

extern "C" {

static void delete_export(DLManagedTensor* managed) {
  // Runs in the importer's code: nothing may be thrown into it.
  try {
    delete static_cast<Export*>(managed->manager_ctx);
  } catch (...) {
  }
}

netcl_status netcl_tensor_create_from_dlpack(netcl_device* device, struct DLManagedTensor* managed,
                                             const netcl_tensor_options* options,
                                             netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(managed, "managed");
    require(tensor, "tensor");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    const DLTensor& source = managed->dl_tensor;
    const netcl_dtype dtype = dtype_of(source.dtype);
    const Layout layout = layout_of(source, dtype);
    TensorRef made;
    if (source.device.device_type == kDLCPU) {
      made = import_host(create, managed, dtype, layout);
    } else if (source.device.device_type == kDLOpenCL) {
      made = import_opencl(create, managed, dtype, layout);
    } else if (source.device.device_type == kDLCUDA) {
      made = import_cuda(create, managed, dtype, layout);
    } else {
      fail(NETCL_ERROR_UNSUPPORTED,
           "managed->dl_tensor.device.device_type is %d; kDLCPU (1), kDLCUDA (2) and "
           "kDLOpenCL (4) are supported",
           static_cast<int>(source.device.device_type));
    }
    // The producer's tensor is taken over in the last step, which cannot fail: until then it is the
    // caller's. A copy is done with it at once.
    const BufferRef buffer = made->buffer();
    create.give(std::move(made), tensor);
    if (buffer->borrowed() || source.device.device_type == kDLCUDA) {
      buffer->set_deleter([managed] { call_deleter(managed); });
    } else {
      call_deleter(managed);
    }
  });
}

netcl_status netcl_tensor_to_dlpack(netcl_tensor* tensor, uint64_t timeout_ns,
                                    struct DLManagedTensor** managed) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(managed, "managed");
    require_content(*pinned, "tensor");
    wait_until_written(*pinned, timeout_ns, true);
    auto made = std::make_unique<Export>();
    const Layout& layout = pinned->layout();
    made->tensor = pinned.shared();
    made->shape = layout.shape;
    made->strides = layout.strides;
    DLTensor& out = made->managed.dl_tensor;
    tell_place(*pinned, &out);
    out.ndim = static_cast<int32_t>(layout.rank);
    out.dtype = type_of(pinned->dtype());
    out.shape = made->shape.data();
    out.strides = made->strides.data();
    out.byte_offset = pinned->offset_bytes();
    made->managed.manager_ctx = made.get();
    made->managed.deleter = delete_export;
    *managed = &made.release()->managed;
  });
}

}  // extern "C"
