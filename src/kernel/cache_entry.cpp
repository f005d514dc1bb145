#include "kernel/cache_entry.hpp"

#include <cstring>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace netcl::kernel {

// The fixed part of an entry, all numbers little-endian:
//   0 magic (8)  8 format version (4)  12 zero (4)  16 total bytes (8)  24 key bytes (8)
//   32 payload bytes (8)  40 checksum of everything else (16)  56 key text, then payload
static constexpr char kMagic[] = "\x89NETCLP\n";
static constexpr size_t kMagicSize = 8;
static constexpr uint32_t kFormatVersion = 1;
static constexpr size_t kChecksumAt = 40;
static constexpr size_t kHeaderSize = 56;

namespace {

class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  void number(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_->push_back(static_cast<char>(value >> (8 * i)));
  }
  void text(std::string_view value) {
    number(value.size(), 8);
    out_->append(value);
  }

 private:
  std::string* out_;
};

// Reads what Writer wrote. After the first thing that does not fit, everything reads as empty and
// good() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number(size_t bytes) {
    if (rest_.size() < bytes) good_ = false;
    if (!good_) return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
    }
    rest_.remove_prefix(bytes);
    return value;
  }
  std::string text() {
    const uint64_t size = number(8);
    if (size > rest_.size()) good_ = false;
    if (!good_) return std::string();
    std::string value(rest_.substr(0, static_cast<size_t>(size)));
    rest_.remove_prefix(static_cast<size_t>(size));
    return value;
  }
  // How many items follow, each of at least `item_size` bytes, so that a damaged count cannot ask
  // for more memory than the bytes themselves take.
  size_t count(size_t item_size) {
    const uint64_t value = number(4);
    if (value > rest_.size() / item_size) good_ = false;
    return good_ ? static_cast<size_t>(value) : 0;
  }
  bool good() const { return good_; }
  bool finished() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

static Hash128 checksum(std::string_view entry) {
  return hash128(entry.substr(0, kChecksumAt), entry.substr(kHeaderSize));
}

std::string encode_entry(std::string_view key, std::string_view payload) {
  std::string out(kMagic, kMagicSize);
  out.reserve(kHeaderSize + key.size() + payload.size());
  Writer writer(&out);
  writer.number(kFormatVersion, 4);
  writer.number(0, 4);
  writer.number(kHeaderSize + key.size() + payload.size(), 8);
  writer.number(key.size(), 8);
  writer.number(payload.size(), 8);
  out.append(kHeaderSize - kChecksumAt, '\0');
  out.append(key);
  out.append(payload);
  const Hash128 sum = checksum(out);
  std::string sum_bytes;
  Writer sum_writer(&sum_bytes);
  sum_writer.number(sum.low, 8);
  sum_writer.number(sum.high, 8);
  out.replace(kChecksumAt, sum_bytes.size(), sum_bytes);
  return out;
}

std::optional<EntryView> decode_entry(std::string_view bytes, std::string* reason) {
  if (bytes.size() < kHeaderSize) {
    *reason = format("%zu bytes are too few for an entry", bytes.size());
    return std::nullopt;
  }
  if (std::memcmp(bytes.data(), kMagic, kMagicSize) != 0) {
    *reason = "it does not begin like an entry";
    return std::nullopt;
  }
  Reader reader(bytes.substr(kMagicSize));
  const uint64_t version = reader.number(4);
  const uint64_t zero = reader.number(4);
  const uint64_t total = reader.number(8);
  const uint64_t key_size = reader.number(8);
  const uint64_t payload_size = reader.number(8);
  const Hash128 sum{reader.number(8), reader.number(8)};
  if (zero != 0) {
    *reason = "bytes of its head that are to be 0 are not";
    return std::nullopt;
  }
  if (version != kFormatVersion) {
    *reason = format("it has format version %llu, this library has %u",
                     static_cast<unsigned long long>(version), kFormatVersion);
    return std::nullopt;
  }
  const uint64_t body = bytes.size() - kHeaderSize;
  // Subtracting from what is there cannot overflow, adding two lengths could.
  if (total != bytes.size() || key_size > body || payload_size != body - key_size) {
    *reason = format("its lengths do not fit its %zu bytes", bytes.size());
    return std::nullopt;
  }
  if (checksum(bytes) != sum) {
    *reason = "its checksum is wrong";
    return std::nullopt;
  }
  return EntryView{bytes.substr(kHeaderSize, static_cast<size_t>(key_size)),
                   bytes.substr(kHeaderSize + static_cast<size_t>(key_size))};
}

// The smallest encodings of the parts of a program.
static constexpr size_t kArgBytesMin = 4 + 1 + 8 + 8 + 4;
static constexpr size_t kKernelBytesMin = 8 + 4 + 3 * 8;

std::string serialize(const ProgramEntry& program) {
  std::string out;
  Writer writer(&out);
  writer.number(program.kernels.size(), 4);
  for (const KernelRecord& kernel : program.kernels) {
    writer.text(kernel.name);
    for (const uint64_t extent : kernel.required_local_size) writer.number(extent, 8);
    writer.number(kernel.args.size(), 4);
    for (const ArgRecord& arg : kernel.args) {
      writer.number(arg.address_qualifier, 4);
      writer.number(arg.is_const ? 1 : 0, 1);
      writer.text(arg.type_name);
      writer.text(arg.name);
      writer.number(arg.size, 4);
    }
  }
  writer.text(program.binary);
  return out;
}

static KernelRecord read_kernel(Reader* reader, bool* sound) {
  KernelRecord kernel;
  kernel.name = reader->text();
  for (uint64_t& extent : kernel.required_local_size) extent = reader->number(8);
  const size_t args = reader->count(kArgBytesMin);
  kernel.args.reserve(args);
  for (size_t i = 0; i < args && reader->good(); ++i) {
    ArgRecord arg;
    arg.address_qualifier = static_cast<uint32_t>(reader->number(4));
    const uint64_t is_const = reader->number(1);
    *sound = *sound && is_const <= 1;
    arg.is_const = is_const == 1;
    arg.type_name = reader->text();
    arg.name = reader->text();
    arg.size = static_cast<uint32_t>(reader->number(4));
    kernel.args.push_back(std::move(arg));
  }
  return kernel;
}

std::optional<ProgramEntry> deserialize(std::string_view payload) {
  Reader reader(payload);
  ProgramEntry program;
  bool sound = true;
  const size_t kernels = reader.count(kKernelBytesMin);
  program.kernels.reserve(kernels);
  for (size_t i = 0; i < kernels && reader.good(); ++i) {
    program.kernels.push_back(read_kernel(&reader, &sound));
  }
  program.binary = reader.text();
  if (!sound || !reader.finished()) return std::nullopt;
  return program;
}

}  // namespace netcl::kernel
