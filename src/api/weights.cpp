#include "weights/weights.hpp"

#include <algorithm>

#include "api/file_elements.hpp"
#include "api/graph_lists.hpp"
#include "core/allocator.hpp"
#include "core/dtype.hpp"
#include "weights/member.hpp"
#include "weights/write.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// A deflated tensor that is said to be larger than this, and than so many times its bytes in the
// file, is inflated once to see whether that is true.
constexpr uint64_t kBelievedBytes = uint64_t{64} << 20;
constexpr uint64_t kBelievedInflation = 16;

const weights::Entry& entry_at(const weights::File& file, uint32_t index) {
  if (index < file.entries.size()) return file.entries[index];
  fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; %s has %zu tensors", index,
       quoted(file.reader.path().c_str(), 300).c_str(), file.entries.size());
}

Layout entry_layout(const weights::Entry& entry) {
  Layout layout;
  std::copy(entry.shape.begin(), entry.shape.end(), layout.shape.begin());
  layout.rank = static_cast<uint32_t>(entry.shape.size());
  if (entry.quantization != 0) {
    layout.shape[layout.rank - 1] /= entry.block;
    layout.shape[layout.rank++] = static_cast<int64_t>(entry.block_bytes);
  }
  return entry.fortran_order ? fortran_layout(layout.rank, layout.shape.data())
                             : packed_layout(layout.rank, layout.shape.data());
}

// Null where the elements cannot be used as they lie in the file.
TensorRef map_tensor(const weights::Weights& from, const weights::Entry& entry, Layout layout) {
  const size_t element = dtype_size(entry.dtype);
  const bool on_cpu =
      from.device->info().type == NETCL_DEVICE_CPU && from.device->capabilities().integrated != 0;
  if (!from.map || !on_cpu || entry.member.deflated || entry.swap_bytes ||
      entry.dtype == NETCL_BOOL || entry.bytes == 0 || entry.offset % element != 0) {
    return nullptr;
  }
  // Drivers want memory that begins at a multiple of this.
  const uint64_t lead = entry.offset % kHostAlignment;
  const uint64_t bytes = lead + entry.bytes;
  std::shared_ptr<unsigned char> pages = from.file->reader.map(entry.offset - lead, bytes);
  if (pages == nullptr) return nullptr;
  layout.offset = static_cast<int64_t>(lead / element);
  unsigned char* const memory = pages.get();
  return Tensor::checked(Buffer::of_file(from.device, memory, bytes, lead, std::move(pages)),
                         entry.dtype, layout);
}

weights::MemberReader member_reader(const weights::File& file, const weights::Entry& entry) {
  const uint64_t before = entry.member.deflated ? 0 : entry.member.before;
  return {file.reader, entry.member, entry.offset - before, entry.name.c_str()};
}

TensorRef copy_tensor(CreateOptions& create, const weights::File& file, const weights::Entry& entry,
                      const Layout& layout) {
  if (entry.member.deflated && entry.bytes > kBelievedBytes &&
      entry.bytes / kBelievedInflation > entry.member.packed_bytes) {
    weights::MemberReader member = member_reader(file, entry);
    member.skip(entry.member.whole_bytes);
    member.finish();
  }
  TensorRef tensor = Tensor::allocate(create.device(), create.pool(), entry.dtype, layout);
  const TransferPlan plan = create.transfer_plan();
  if (!entry.member.checked) {
    fill_elements(*tensor, entry.bytes, entry.swap_bytes, plan,
                  [&](uint64_t offset, void* data, size_t size) {
                    file.reader.read(entry.offset + offset, data, size);
                  });
    return tensor;
  }
  weights::MemberReader member = member_reader(file, entry);
  member.skip(entry.member.before);
  fill_elements(*tensor, entry.bytes, entry.swap_bytes, plan,
                [&](uint64_t, void* data, size_t size) { member.read(data, size); });
  member.finish();
  return tensor;
}

TensorRef load_tensor(CreateOptions& create, const weights::Weights& from,
                      const weights::Entry& entry) {
  const std::string& path = from.file->reader.path();
  if (entry.dtype == 0 || !entry.refusal.empty()) {
    const std::string why =
        entry.refusal.empty() ? "netcl has no dtype for " + entry.type : entry.refusal;
    fail(NETCL_ERROR_UNSUPPORTED, "%s: tensor %s: %s", quoted(path.c_str(), 300).c_str(),
         weights::shown_name(entry.name).c_str(), why.c_str());
  }
  const Layout layout = entry_layout(entry);
  TensorRef tensor;
  if (create.pool() == nullptr) tensor = map_tensor(from, entry, layout);
  if (tensor != nullptr) return tensor;
  try {
    return copy_tensor(create, *from.file, entry, layout);
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_CORRUPT_DATA) throw;
    throw Error(error.status(), quoted(path.c_str(), 300) + ": " + error.message(), 0);
  }
}

void check_saved_name(const char* name, uint32_t index, netcl_weights_format format) {
  const std::string argument = netcl::format("names[%u]", index);
  require_name(name, argument.c_str());
  const std::string_view text(name);
  if (text.size() > weights::kNameBytesMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %zu bytes, of which at most %zu are allowed: %s",
         argument.c_str(), text.size(), weights::kNameBytesMost, quoted(name).c_str());
  }
  if (format == NETCL_WEIGHTS_SAFETENSORS && text == "__metadata__") {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is \"__metadata__\", which is no tensor in safetensors",
         argument.c_str());
  }
}

// Fails where two of the texts are equal; `argument` is what their array is called.
void refuse_twins(std::vector<std::string_view> texts, const char* argument) {
  std::sort(texts.begin(), texts.end());
  const auto twin = std::adjacent_find(texts.begin(), texts.end());
  if (twin == texts.end()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %s twice", argument,
       quoted(std::string(*twin).c_str()).c_str());
}

void require_same(uint32_t one, const char* one_name, uint32_t other, const char* other_name) {
  if (one == other) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u and %s %u; they have to be equal", one_name, one,
       other_name, other);
}

std::vector<weights::MetadataPair> read_metadata(const netcl_weights_save_options* given,
                                                 netcl_weights_format format) {
  const netcl_weights_save_options options = read_options(given, "options");
  require_array(options.keys, options.keys_count, "options->keys");
  require_array(options.values, options.values_count, "options->values");
  require_same(options.keys_count, "options->keys_count", options.values_count,
               "options->values_count");
  if (options.keys_count > 0 && format != NETCL_WEIGHTS_SAFETENSORS) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->keys_count is %u; files of format %d have no metadata", options.keys_count,
         format);
  }
  std::vector<weights::MetadataPair> pairs;
  std::vector<std::string_view> keys;
  for (uint32_t i = 0; i < options.keys_count; ++i) {
    require_name(options.keys[i], netcl::format("options->keys[%u]", i).c_str());
    const std::string value = netcl::format("options->values[%u]", i);
    require(options.values[i], value.c_str());
    if (!is_utf8(options.values[i])) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is no UTF-8", value.c_str());
    }
    pairs.emplace_back(options.keys[i], options.values[i]);
    keys.push_back(pairs.back().first);
  }
  refuse_twins(std::move(keys), "options->keys");
  return pairs;
}

void check_format(netcl_weights_format format) {
  if (format == NETCL_WEIGHTS_SAFETENSORS || format == NETCL_WEIGHTS_NPZ) return;
  if (format == NETCL_WEIGHTS_GGUF) {
    fail(NETCL_ERROR_UNSUPPORTED, "format is NETCL_WEIGHTS_GGUF, which is read and not written");
  }
  fail(NETCL_ERROR_INVALID_ARGUMENT, "format is %d, which is no netcl_weights_format", format);
}

}  // namespace

extern "C" {

netcl_status netcl_weights_open(netcl_device* device, const char* path,
                                const netcl_weights_options* options, netcl_weights** weights) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require_text(path, "path");
    const netcl_weights_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    const bool map = resolve_toggle(checked.map, true, "options->map");
    require(weights, "weights");
    *weights = make_handle<netcl_weights>(std::make_shared<const weights::Weights>(
        weights::Weights{pinned.shared(), weights::open_file(path), map}));
  });
}

netcl_status netcl_weights_retain(netcl_weights* weights) {
  return retain_handle(weights, "weights");
}
void netcl_weights_release(netcl_weights* weights) { release_handle(weights); }

netcl_status netcl_weights_get_info(const netcl_weights* weights, netcl_weights_info* info) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    check_info(info, "info");
    const weights::File& file = *pinned->file;
    netcl_weights_info full = NETCL_WEIGHTS_INFO_INIT;
    full.format = file.format;
    full.version = file.version;
    full.tensor_count = static_cast<uint32_t>(file.entries.size());
    full.metadata_count = static_cast<uint32_t>(file.metadata.size());
    full.file_bytes = file.reader.size();
    write_info(info, full);
  });
}

netcl_status netcl_weights_get_entry(const netcl_weights* weights, uint32_t index,
                                     netcl_weights_entry* entry) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    const weights::Entry& from = entry_at(*pinned->file, index);
    check_info(entry, "entry");
    netcl_weights_entry full = NETCL_WEIGHTS_ENTRY_INIT;
    full.dtype = from.refusal.empty() ? from.dtype : 0;
    full.quantization = from.quantization;
    full.rank = static_cast<uint32_t>(from.shape.size());
    std::copy(from.shape.begin(), from.shape.end(), full.shape);
    full.byte_count = from.bytes;
    copy_text(full.type, sizeof full.type, from.type.c_str());
    copy_text(full.name, sizeof full.name, from.name.c_str());
    write_info(entry, full);
  });
}

netcl_status netcl_weights_find(const netcl_weights* weights, const char* name, uint32_t* index) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    require_name(name, "name");
    require(index, "index");
    const size_t found = pinned->file->find_entry(name);
    if (found == SIZE_MAX) {
      fail(NETCL_ERROR_NOT_FOUND, "name is %s, which none of the %zu tensors of %s has",
           quoted(name, 300).c_str(), pinned->file->entries.size(),
           quoted(pinned->file->reader.path().c_str(), 300).c_str());
    }
    *index = static_cast<uint32_t>(found);
  });
}

netcl_status netcl_weights_get_tensor(const netcl_weights* weights, uint32_t index,
                                      const netcl_tensor_options* options, netcl_tensor** tensor) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    const weights::Entry& entry = entry_at(*pinned->file, index);
    require(tensor, "tensor");
    CreateOptions create(options, *pinned->device);
    create.refuse_borrow();
    create.refuse_take_ownership();
    create.give(load_tensor(create, *pinned, entry), tensor);
  });
}

netcl_status netcl_weights_get_metadata_key(const netcl_weights* weights, uint32_t index,
                                            char* buffer, size_t capacity, size_t* length) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    const auto& metadata = pinned->file->metadata;
    if (index >= metadata.size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; %s has %zu values of metadata", index,
           quoted(pinned->file->reader.path().c_str(), 300).c_str(), metadata.size());
    }
    write_text(metadata[index].key, buffer, capacity, length);
  });
}

netcl_status netcl_weights_get_metadata(const netcl_weights* weights, const char* key, char* buffer,
                                        size_t capacity, size_t* length) {
  return guarded([&] {
    const auto pinned = pin(weights, "weights");
    require_name(key, "key");
    const size_t found = pinned->file->find_key(key);
    if (found == SIZE_MAX) {
      fail(NETCL_ERROR_NOT_FOUND, "key is %s, which is none of the %zu in the metadata of %s",
           quoted(key, 300).c_str(), pinned->file->metadata.size(),
           quoted(pinned->file->reader.path().c_str(), 300).c_str());
    }
    write_text(pinned->file->metadata_text(found), buffer, capacity, length);
  });
}

netcl_status netcl_weights_save(const char* path, netcl_weights_format format,
                                const char* const* names, uint32_t names_count,
                                netcl_tensor* const* tensors, uint32_t tensors_count,
                                const netcl_weights_save_options* options, uint64_t timeout_ns) {
  return guarded([&] {
    require_text(path, "path");
    check_format(format);
    require_array(names, names_count, "names");
    const std::vector<TensorRef> pinned = pin_tensors(tensors, tensors_count, "tensors");
    require_same(names_count, "names_count", tensors_count, "tensors_count");
    std::vector<weights::Saved> saved;
    for (uint32_t i = 0; i < names_count; ++i) {
      check_saved_name(names[i], i, format);
      require_content(*pinned[i], netcl::format("tensors[%u]", i).c_str());
      const Layout& layout = pinned[i]->layout();
      saved.push_back({names[i], pinned[i]->dtype(), layout.rank, layout.shape.data(),
                       pinned[i]->byte_count()});
    }
    refuse_twins({names, names + names_count}, "names");
    const auto metadata = read_metadata(options, format);
    const Deadline deadline(timeout_ns);
    for (const TensorRef& tensor : pinned) wait_until_written(*tensor, deadline, timeout_ns);
    const auto give = [&](size_t i, weights::TakePiece take) { give_elements(pinned[i], take); };
    if (format == NETCL_WEIGHTS_NPZ) return weights::write_npz(path, saved, give);
    weights::write_safetensors(path, saved, metadata, give);
  });
}

}  // extern "C"
