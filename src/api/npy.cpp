#include <algorithm>
#include <cstring>
#include <vector>

#include "api/create.hpp"
#include "core/allocator.hpp"
#include "core/file.hpp"
#include "ops/move/move.hpp"
#include "tensor/npy.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Files go through memory in pieces, so that one larger than the host's memory can be moved: small
// ones, since it may be running short.
constexpr uint64_t kPieceBytes = uint64_t{8} << 20;

// Gives the bytes [offset, offset + size) of a file's data.
using ReadPiece = FunctionRef<void(uint64_t offset, void* data, size_t size)>;

// A Fortran-order file has its first dimension packed: the strides grow from the front.
Layout file_layout(const npy::Header& header) {
  Layout layout = packed_layout(header.rank, header.shape);
  if (!header.fortran_order) return layout;
  int64_t stride = 1;
  for (uint32_t d = 0; d < header.rank; ++d) {
    layout.strides[d] = stride;
    stride *= std::max<int64_t>(header.shape[d], 1);
  }
  return layout;
}

TensorRef load(CreateOptions& create, const npy::Header& header, ReadPiece read) {
  TensorRef tensor =
      Tensor::allocate(create.device(), create.pool(), header.dtype, file_layout(header));
  const TransferPlan plan = create.transfer_plan();
  const uint64_t total = header.data_bytes;
  std::vector<unsigned char> piece(std::min(total, kPieceBytes));
  const size_t element = dtype_size(header.dtype);
  for (uint64_t offset = 0; offset < total; offset += kPieceBytes) {
    const size_t size = static_cast<size_t>(std::min(kPieceBytes, total - offset));
    read(header.data_offset + offset, piece.data(), size);
    if (header.swap_bytes) npy::swap_bytes(piece.data(), size / element, element);
    // What a file holds in a bool is anything; here it is 0 or 1.
    if (header.dtype == NETCL_BOOL) {
      for (size_t i = 0; i < size; ++i) piece[i] = piece[i] != 0;
    }
    write_bytes({tensor->buffer().get(), offset, size}, piece.data(), plan);
  }
  return tensor;
}

// As npy::parse, with the file's name in what is wrong with it.
npy::Header parse_file(const char* path, const std::vector<unsigned char>& head, uint64_t size) {
  try {
    return npy::parse(head.data(), head.size(), size);
  } catch (const Error& error) {
    fail(error.status(), "%s: %s", quoted(path, 300).c_str(), error.what());
  }
}

}  // namespace

extern "C" {

netcl_status netcl_tensor_load_npy(netcl_device* device, const char* path,
                                   const netcl_tensor_options* options, netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(path, "path");
    require(tensor, "tensor");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    const FileReader file(path);
    std::vector<unsigned char> head(
        static_cast<size_t>(std::min<uint64_t>(file.size(), npy::kHeaderBytesMax)));
    file.read(0, head.data(), head.size());
    const npy::Header header = parse_file(path, head, file.size());
    TensorRef made = load(create, header, [&](uint64_t offset, void* data, size_t size) {
      file.read(offset, data, size);
    });
    create.give(std::move(made), tensor);
  });
}

netcl_status netcl_tensor_create_from_npy(netcl_device* device, const void* data, size_t data_size,
                                          const netcl_tensor_options* options,
                                          netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(data, "data");
    require(tensor, "tensor");
    CreateOptions create(options, *pinned);
    create.refuse_borrow();
    create.refuse_take_ownership();
    const npy::Header header = npy::parse(data, data_size);
    TensorRef made = load(create, header, [&](uint64_t offset, void* piece, size_t size) {
      std::memcpy(piece, static_cast<const unsigned char*>(data) + offset, size);
    });
    create.give(std::move(made), tensor);
  });
}

netcl_status netcl_tensor_save_npy(const netcl_tensor* tensor, const char* path,
                                   uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(path, "path");
    require_content(*pinned, "tensor");
    QueueSet& queues = QueueSet::of(pinned->device());
    wait_until_written(*pinned, timeout_ns);
    const QueueRef queue = queues.default_queue();
    TensorRef packed = pinned.shared();
    if (!packed->layout().is_c_contiguous())
      packed = ops::copy(*pinned, nullptr, {*queue, {}, nullptr});
    const std::string header =
        npy::write_header(packed->dtype(), packed->layout().rank, packed->layout().shape.data());
    FileWriter file(path);
    file.append(header.data(), header.size());
    const uint64_t total = packed->byte_count();
    std::vector<unsigned char> piece(std::min(total, kPieceBytes));
    TransferPlan plan;
    plan.queue = queue.get();
    for (uint64_t offset = 0; offset < total; offset += kPieceBytes) {
      const size_t size = static_cast<size_t>(std::min(kPieceBytes, total - offset));
      read_bytes({packed->buffer().get(), packed->offset_bytes() + offset, size}, piece.data(),
                 plan);
      file.append(piece.data(), size);
    }
    file.commit();
  });
}

}  // extern "C"
