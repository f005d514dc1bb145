#include <algorithm>
#include <cstring>
#include <vector>

#include "api/file_elements.hpp"
#include "core/file.hpp"
#include "tensor/npy.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

TensorRef load(CreateOptions& create, const npy::Header& header, ReadElements read) {
  const Layout layout = header.fortran_order ? fortran_layout(header.rank, header.shape)
                                             : packed_layout(header.rank, header.shape);
  TensorRef tensor = Tensor::allocate(create.device(), create.pool(), header.dtype, layout);
  fill_elements(*tensor, header.data_bytes, header.swap_bytes, create.transfer_plan(), read);
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
      file.read(header.data_offset + offset, data, size);
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
      std::memcpy(piece, static_cast<const unsigned char*>(data) + header.data_offset + offset,
                  size);
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
    wait_until_written(*pinned, timeout_ns);
    const std::string header =
        npy::write_header(pinned->dtype(), pinned->layout().rank, pinned->layout().shape.data());
    FileWriter file(path);
    file.append(header.data(), header.size());
    give_elements(pinned.shared(),
                  [&](unsigned char* data, size_t size) { file.append(data, size); });
    file.commit();
  });
}

}  // extern "C"
