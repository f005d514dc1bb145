#include "model/onnx_tensor.hpp"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/layout.hpp"
#include "core/number.hpp"

namespace netcl::model {

namespace {

using protozero::pbf_wire_type;

// The largest file that is read: that of weights may hold many of them.
constexpr uint64_t kFileBytesMost = uint64_t{1} << 40;

// Field numbers of TensorProto.
enum Field : uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloats = 4,
  kInt32s = 5,
  kStrings = 6,
  kInt64s = 7,
  kName = 8,
  kRaw = 9,
  kDoubles = 10,
  kUint64s = 11,
  kExternal = 13,
  kLocation = 14
};

struct ExternalPlace {
  std::string location;
  uint64_t offset = 0;
  uint64_t length = 0;
  bool has_length = false;
};

struct Parts {
  std::string_view raw;
  bool has_raw = false;
  std::vector<unsigned char> typed;  // elements of the tensor's dtype, packed
  size_t typed_count = 0;
  bool has_typed = false;
  bool is_external = false;
  ExternalPlace external;
};

template <class T>
void append(std::vector<unsigned char>* bytes, T value) {
  const size_t at = bytes->size();
  bytes->resize(at + sizeof value);
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

// An element as its low bytes: int32_data holds what is narrower, and the bits of short floats.
void append_low(std::vector<unsigned char>* bytes, uint64_t value, size_t size) {
  const size_t at = bytes->size();
  bytes->resize(at + size);
  std::memcpy(bytes->data() + at, &value, size);
}

// Calls each(value) for the numbers of a repeated field, packed or not.
template <class Range, class One, class Each>
void read_numbers(protozero::pbf_reader& message, pbf_wire_type one_type, Range range, One one,
                  const std::string& what, Each each) {
  if (message.wire_type() == pbf_wire_type::length_delimited) {
    for (const auto value : range(message)) each(value);
  } else if (message.wire_type() == one_type) {
    each(one(message));
  } else {
    fail_corrupt("%s has elements of another wire type than its field", what.c_str());
  }
}

uint64_t read_natural(const std::string& text, const std::string& what, const char* key) {
  uint64_t value = 0;
  const ReadNumber read = read_number(text.data(), text.data() + text.size(), &value);
  if (read.end != text.data() + text.size() || read.out_of_range || text.empty()) {
    fail_corrupt("%s has the %s %s in its external data, which is no number from 0 on",
                 what.c_str(), key, quoted(text.c_str()).c_str());
  }
  return value;
}

void parse_external(protozero::pbf_reader entry, const std::string& what, ExternalPlace* place) {
  std::string key, value;
  while (entry.next()) {
    if (entry.wire_type() != pbf_wire_type::length_delimited) {
      entry.skip();
    } else if (entry.tag() == 1) {
      key = entry.get_string();
    } else if (entry.tag() == 2) {
      value = entry.get_string();
    } else {
      entry.skip();
    }
  }
  if (key == "location") place->location = value;
  if (key == "offset") place->offset = read_natural(value, what, "offset");
  if (key == "length") {
    place->length = read_natural(value, what, "length");
    place->has_length = true;
  }
}

// Elements in fields of their types, which dtypes narrower than those share.
void parse_typed(protozero::pbf_reader& message, const Constant& constant, const std::string& what,
                 Parts* parts) {
  parts->has_typed = true;
  const size_t size = constant.dtype == 0 ? 0 : dtype_size(constant.dtype);
  const auto add = [&](uint64_t bits) {
    ++parts->typed_count;
    if (size > 0) append_low(&parts->typed, bits, size);
  };
  using Reader = protozero::pbf_reader;
  switch (message.tag()) {
    case kFloats:
      read_numbers(
          message, pbf_wire_type::fixed32, [](Reader& r) { return r.get_packed_float(); },
          [](Reader& r) { return r.get_float(); }, what,
          [&](float v) { add(std::bit_cast<uint32_t>(v)); });
      break;
    case kDoubles:
      read_numbers(
          message, pbf_wire_type::fixed64, [](Reader& r) { return r.get_packed_double(); },
          [](Reader& r) { return r.get_double(); }, what,
          [&](double v) { add(std::bit_cast<uint64_t>(v)); });
      break;
    case kInt32s:
      read_numbers(
          message, pbf_wire_type::varint, [](Reader& r) { return r.get_packed_int32(); },
          [](Reader& r) { return r.get_int32(); }, what,
          [&](int32_t v) { add(static_cast<uint64_t>(static_cast<int64_t>(v))); });
      break;
    case kInt64s:
      read_numbers(
          message, pbf_wire_type::varint, [](Reader& r) { return r.get_packed_int64(); },
          [](Reader& r) { return r.get_int64(); }, what,
          [&](int64_t v) { add(static_cast<uint64_t>(v)); });
      break;
    default:
      read_numbers(
          message, pbf_wire_type::varint, [](Reader& r) { return r.get_packed_uint64(); },
          [](Reader& r) { return r.get_uint64(); }, what, [&](uint64_t v) { add(v); });
  }
}

// The field in which a type's elements stand when they are not raw.
uint32_t typed_field(int32_t onnx_type) {
  switch (static_cast<OnnxType>(onnx_type)) {
    case OnnxType::f32:
      return kFloats;
    case OnnxType::f64:
      return kDoubles;
    case OnnxType::i64:
      return kInt64s;
    case OnnxType::u32:
    case OnnxType::u64:
      return kUint64s;
    default:
      return kInt32s;
  }
}

// A path below the folder of the model: whatever it says, and wherever links lead.
std::string external_path(const ExternalPlace& place, const std::string& what,
                          const std::string& folder) {
  const std::string shown = quoted(place.location.c_str(), 200);
  if (folder.empty()) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "%s lies in a file of its own, %s; a model in memory has no folder to find it in",
         what.c_str(), shown.c_str());
  }
  const std::string path = folder + "/" + place.location;
  const std::unique_ptr<char, decltype(&std::free)> home(realpath(folder.c_str(), nullptr),
                                                         &std::free);
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (place.location.empty() || place.location.find('\0') != std::string::npos || !home || !real) {
    fail(NETCL_ERROR_IO, "%s lies in the file %s, which is not in the model's folder", what.c_str(),
         shown.c_str());
  }
  const std::string inside = std::string(home.get()) + (std::strcmp(home.get(), "/") ? "/" : "");
  if (place.location[0] == '/' || std::strncmp(real.get(), inside.c_str(), inside.size()) != 0) {
    fail(NETCL_ERROR_CORRUPT_DATA,
         "%s lies in the file %s outside of the model's folder, where nothing is read",
         what.c_str(), shown.c_str());
  }
  return real.get();
}

// Weights may share what a file holds, but not so often that a small file takes all memory.
constexpr uint64_t kTakenOften = 4, kTakenAlways = uint64_t{64} << 20;

void read_external(const ExternalPlace& place, uint64_t bytes, const std::string& what,
                   WeightFolder* folder, Constant* constant) {
  if (place.has_length && place.length != bytes) {
    fail_corrupt("%s has %llu bytes of external data; its shape and type need %llu", what.c_str(),
                 static_cast<unsigned long long>(place.length),
                 static_cast<unsigned long long>(bytes));
  }
  const std::string path = external_path(place, what, folder->path);
  const FileReader file(path.c_str());
  if (file.size() > kFileBytesMost || place.offset > file.size() ||
      bytes > file.size() - place.offset) {
    fail_corrupt(
        "%s begins at byte %llu of %s and has %llu bytes; the file has %llu", what.c_str(),
        static_cast<unsigned long long>(place.offset), quoted(place.location.c_str(), 200).c_str(),
        static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(file.size()));
  }
  uint64_t& taken = folder->taken[path];
  taken += bytes;
  if (taken > kTakenOften * file.size() + kTakenAlways) {
    fail(NETCL_ERROR_UNSUPPORTED, "with %s weights take over %llu bytes of %s, which has %llu",
         what.c_str(), static_cast<unsigned long long>(taken),
         quoted(place.location.c_str(), 200).c_str(), static_cast<unsigned long long>(file.size()));
  }
  HostMemory memory = allocate_host(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  auto* const first = static_cast<unsigned char*>(memory.get());
  const std::optional<FileState> state = file.state();
  file.read(place.offset, first, bytes);
  if (state && state == file.state()) constant->place = FilePlace{*state, place.offset};
  constant->data = {reinterpret_cast<const char*>(first), bytes};
  constant->own = {std::shared_ptr<void>(std::move(memory)), first};
}

void keep(const std::vector<unsigned char>& bytes, Constant* constant) {
  std::shared_ptr<unsigned char[]> own(new unsigned char[std::max<size_t>(bytes.size(), 1)]);
  if (!bytes.empty()) std::memcpy(own.get(), bytes.data(), bytes.size());
  constant->data = {reinterpret_cast<const char*>(own.get()), bytes.size()};
  constant->own = std::move(own);
}

// The bytes that a shape needs, checked as those of any tensor.
uint64_t bytes_needed(const Constant& constant, const std::string& what) {
  if (constant.shape.size() > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s has %zu dimensions; tensors have at most %u", what.c_str(),
         constant.shape.size(), kRankMax);
  }
  const size_t size = dtype_size(constant.dtype);
  try {
    const Layout layout = make_layout(static_cast<uint32_t>(constant.shape.size()),
                                      constant.shape.data(), nullptr, size);
    return static_cast<uint64_t>(layout.element_count()) * size;
  } catch (const Error& error) {
    fail_corrupt("%s: %s", what.c_str(), error.what());
  }
}

void set_data(Parts&& parts, const std::string& what, WeightFolder* folder, Constant* constant) {
  const uint64_t bytes = bytes_needed(*constant, what);
  if (parts.is_external) return read_external(parts.external, bytes, what, folder, constant);
  const size_t size = dtype_size(constant->dtype);
  const uint64_t there = parts.has_raw ? parts.raw.size() : parts.typed_count * size;
  if (there != bytes) {
    fail_corrupt(
        "%s has %llu bytes of data; its shape %s and type %s need %llu", what.c_str(),
        static_cast<unsigned long long>(there),
        shape_text(static_cast<uint32_t>(constant->shape.size()), constant->shape.data()).c_str(),
        type_name(constant->onnx_type).c_str(), static_cast<unsigned long long>(bytes));
  }
  if (parts.has_raw && constant->dtype != NETCL_BOOL) {
    constant->data = parts.raw;
    if (folder->state) {
      constant->place =
          FilePlace{*folder->state, static_cast<uint64_t>(parts.raw.data() - folder->model)};
    }
    return;
  }
  if (parts.has_raw) parts.typed.assign(parts.raw.begin(), parts.raw.end());
  // What a file holds in a bool is anything; here it is 0 or 1.
  if (constant->dtype == NETCL_BOOL) {
    for (unsigned char& byte : parts.typed) byte = byte != 0;
  }
  keep(parts.typed, constant);
}

// Type, shape and name come in any order with the elements, whose width they decide.
Constant read_head(protozero::pbf_reader message, const std::string& what) {
  Constant constant;
  while (message.next()) {
    const pbf_wire_type wire = message.wire_type();
    if (message.tag() == kDims) {
      read_numbers(
          message, pbf_wire_type::varint,
          [](protozero::pbf_reader& r) { return r.get_packed_int64(); },
          [](protozero::pbf_reader& r) { return r.get_int64(); }, what,
          [&](int64_t extent) {
            if (constant.shape.size() > 64) fail_corrupt("%s has over 64 dimensions", what.c_str());
            constant.shape.push_back(extent);
          });
    } else if (message.tag() == kDataType && wire == pbf_wire_type::varint) {
      constant.onnx_type = message.get_int32();
    } else if (message.tag() == kName && wire == pbf_wire_type::length_delimited) {
      constant.name = message.get_string();
    } else {
      message.skip();
    }
  }
  constant.dtype = dtype_of(constant.onnx_type);
  return constant;
}

}  // namespace

void fail_corrupt(const char* pattern, ...) {
  char text[1024];
  va_list list;
  va_start(list, pattern);
  std::vsnprintf(text, sizeof text, pattern, list);
  va_end(list);
  throw Error(NETCL_ERROR_CORRUPT_DATA, text);
}

int64_t Constant::count() const noexcept {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

Constant parse_tensor(protozero::pbf_reader message, const std::string& given,
                      WeightFolder* folder) {
  Constant constant = read_head(message, given);
  const std::string what = given.empty() ? "weight " + quoted(constant.name.c_str(), 200) : given;
  Parts parts;
  while (message.next()) {
    const pbf_wire_type wire = message.wire_type();
    const uint32_t tag = message.tag();
    if (tag == kSegment) fail_corrupt("%s is a segment of a tensor", what.c_str());
    if (tag == kRaw && wire == pbf_wire_type::length_delimited) {
      const protozero::data_view view = message.get_view();
      parts.raw = {view.data(), view.size()};
      parts.has_raw = true;
    } else if (tag == kExternal && wire == pbf_wire_type::length_delimited) {
      parse_external(message.get_message(), what, &parts.external);
    } else if (tag == kLocation && wire == pbf_wire_type::varint) {
      parts.is_external = message.get_int32() == 1;
    } else if (constant.dtype != 0 && tag == typed_field(constant.onnx_type)) {
      parse_typed(message, constant, what, &parts);
    } else {
      message.skip();
    }
  }
  if (constant.dtype != 0) set_data(std::move(parts), what, folder, &constant);
  return constant;
}

}  // namespace netcl::model
