#include "api/file_elements.hpp"

#include <algorithm>
#include <vector>

#include "ops/move/move.hpp"
#include "tensor/npy.hpp"

namespace netcl::api {

// Small, since memory may be running short.
static constexpr uint64_t kPieceBytes = uint64_t{8} << 20;

void fill_elements(const Tensor& tensor, uint64_t bytes, bool swap_bytes, const TransferPlan& plan,
                   ReadElements read) {
  std::vector<unsigned char> piece(static_cast<size_t>(std::min(bytes, kPieceBytes)));
  const size_t element = tensor.element_size();
  for (uint64_t offset = 0; offset < bytes; offset += kPieceBytes) {
    const auto size = static_cast<size_t>(std::min(kPieceBytes, bytes - offset));
    read(offset, piece.data(), size);
    if (swap_bytes) npy::swap_bytes(piece.data(), size / element, element);
    // What a file holds in a bool is anything; here it is 0 or 1.
    if (tensor.dtype() == NETCL_BOOL) {
      for (size_t i = 0; i < size; ++i) piece[i] = piece[i] != 0;
    }
    write_bytes({tensor.buffer().get(), offset, size}, piece.data(), plan);
  }
}

void give_elements(const TensorRef& tensor, TakeElements take) {
  const QueueRef queue = QueueSet::of(tensor->device()).default_queue();
  TensorRef packed = tensor;
  if (!packed->layout().is_c_contiguous()) {
    packed = ops::copy(*tensor, nullptr, {*queue, {}, nullptr});
  }
  const uint64_t total = packed->byte_count();
  std::vector<unsigned char> piece(static_cast<size_t>(std::min(total, kPieceBytes)));
  TransferPlan plan;
  plan.queue = queue.get();
  for (uint64_t offset = 0; offset < total; offset += kPieceBytes) {
    const auto size = static_cast<size_t>(std::min(kPieceBytes, total - offset));
    read_bytes({packed->buffer().get(), packed->offset_bytes() + offset, size}, piece.data(), plan);
    take(piece.data(), size);
  }
}

Layout fortran_layout(uint32_t rank, const int64_t* shape) {
  Layout layout = packed_layout(rank, shape);
  int64_t stride = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    layout.strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  return layout;
}

}  // namespace netcl::api
