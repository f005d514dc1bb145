// The format GGUF of ggml: key-values, descriptions of tensors, then their bytes, each at a
// multiple of the alignment. (docs/gguf.md of ggml is the reference.)
#include <bit>
#include <cstring>

#include "core/dtype.hpp"
#include "weights/gguf.hpp"
#include "weights/weights.hpp"

namespace netcl::weights {

namespace {

constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kAlignmentMost = uint64_t{1} << 30;
constexpr uint64_t kKeyBytesMost = 65535;
// The least that a description takes: a name without bytes, a type and the like.
constexpr uint64_t kEntryBytesLeast = 24, kValueBytesLeast = 13;

struct Type {
  uint32_t number;
  const char* name;
  int64_t block;
  uint64_t block_bytes;  // 0: not known here
  netcl_dtype dtype = 0;
  netcl_quantization quantization = 0;
};

// ggml_type; the names that end in _n_n were taken out again.
constexpr Type kGgufTypes[] = {
    {0, "F32", 1, 4, NETCL_F32},
    {1, "F16", 1, 2, NETCL_F16},
    {2, "Q4_0", 32, 18, NETCL_U8, NETCL_QUANTIZATION_Q4_0},
    {3, "Q4_1", 32, 20},
    {4, "Q4_2", 1, 0},
    {5, "Q4_3", 1, 0},
    {6, "Q5_0", 32, 22},
    {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34, NETCL_U8, NETCL_QUANTIZATION_Q8_0},
    {9, "Q8_1", 1, 0},
    {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},
    {12, "Q4_K", 256, 144, NETCL_U8, NETCL_QUANTIZATION_Q4_K},
    {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},
    {15, "Q8_K", 256, 292},
    {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98},
    {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},
    {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136},
    {24, "I8", 1, 1, NETCL_I8},
    {25, "I16", 1, 2, NETCL_I16},
    {26, "I32", 1, 4, NETCL_I32},
    {27, "I64", 1, 8, NETCL_I64},
    {28, "F64", 1, 8, NETCL_F64},
    {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2, NETCL_BF16},
    {31, "Q4_0_4_4", 1, 0},
    {32, "Q4_0_4_8", 1, 0},
    {33, "Q4_0_8_8", 1, 0},
    {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},
    {39, "MXFP4", 32, 17},
    {40, "NVFP4", 64, 36},
};

void set_type(uint32_t number, Entry* entry) {
  for (const Type& type : kGgufTypes) {
    if (type.number != number) continue;
    entry->type = type.name;
    entry->dtype = type.dtype;
    entry->quantization = type.quantization;
    entry->block = type.block;
    entry->block_bytes = type.block_bytes;
    // A block is bytes, whatever is in them.
    entry->swap_bytes = std::endian::native != std::endian::little && type.quantization == 0;
    return;
  }
  entry->type = format("type %u", number);
}

// What a key of the file itself says, which is a number.
uint64_t alignment_of(const File& file) {
  for (const Metadata& pair : file.metadata) {
    if (pair.key != "general.alignment") continue;
    uint64_t value = 0;
    if (pair.type == kGgufU32) value = read_little<uint32_t>(file.header.data() + pair.at);
    if (value < 1 || value > kAlignmentMost || !std::has_single_bit(value)) {
      fail_corrupt("general.alignment is no u32 that is a power of two of at most 2^30");
    }
    return value;
  }
  return kDefaultAlignment;
}

Entry read_entry(GgufReader* reader) {
  Entry entry;
  const std::string_view name = reader->text("the name of a tensor", kHeaderBytesMost);
  check_entry_name(name);
  entry.name = name;
  const std::string shown = shown_name(entry.name);
  const std::string what = "tensor " + shown;
  const auto rank = reader->number<uint32_t>(what.c_str());
  check_rank(rank, entry.name);
  entry.shape.resize(rank);
  // The fastest dimension comes first.
  for (size_t d = rank; d-- > 0;) {
    const auto extent = reader->number<uint64_t>(what.c_str());
    if (extent > INT64_MAX) {
      fail_corrupt("%s: shape[%zu] is %llu", what.c_str(), d,
                   static_cast<unsigned long long>(extent));
    }
    entry.shape[d] = static_cast<int64_t>(extent);
  }
  set_type(reader->number<uint32_t>(what.c_str()), &entry);
  if (entry.quantization != 0) check_rank(rank + 1, entry.name);  // blocks have a dimension
  entry.offset = reader->number<uint64_t>(what.c_str());
  if (entry.block_bytes > 0) entry.bytes = bytes_of(entry);
  return entry;
}

// From offsets in the data to such in the file, where all of it has to be.
void place(Entry* entry, uint64_t start, uint64_t alignment, uint64_t file_bytes) {
  if (entry->offset % alignment != 0) {
    fail_corrupt("tensor %s begins at byte %llu of the data, no multiple of the alignment %llu",
                 shown_name(entry->name).c_str(), static_cast<unsigned long long>(entry->offset),
                 static_cast<unsigned long long>(alignment));
  }
  const uint64_t there = file_bytes > start ? file_bytes - start : 0;
  if (entry->offset > there || entry->bytes > there - entry->offset) {
    fail_corrupt(
        "tensor %s has %llu bytes from byte %llu of the data on, of which the file has "
        "%llu",
        shown_name(entry->name).c_str(), static_cast<unsigned long long>(entry->bytes),
        static_cast<unsigned long long>(entry->offset), static_cast<unsigned long long>(there));
  }
  entry->offset += start;
}

uint32_t read_version(GgufReader* reader) {
  const auto version = reader->number<uint32_t>("the version");
  if (version == 2 || version == 3) return version;
  if ((version & 0xffff) == 0 && version != 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "the file of GGUF has big-endian numbers");
  }
  fail(NETCL_ERROR_UNSUPPORTED, "the version of GGUF is %u; 2 and 3 are read", version);
}

}  // namespace

void read_gguf(File* file) {
  GgufReader reader(file->reader, &file->header);
  reader.skip(4, "the magic");
  file->version = read_version(&reader);
  const auto tensors = reader.number<uint64_t>("the number of tensors");
  const auto values = reader.number<uint64_t>("the number of key-values");
  reader.check_count(values, kValueBytesLeast, "key-values");
  reader.check_count(tensors, kEntryBytesLeast, "tensors");
  check_entry_count(tensors);
  check_metadata_count(values);
  for (uint64_t i = 0; i < values; ++i) {
    Metadata pair;
    const std::string_view key = reader.text("a key", kKeyBytesMost);
    check_name(key, "the key of metadata,");
    pair.key = key;
    const std::string what = "the value of " + shown_name(pair.key);
    pair.type = reader.number<uint32_t>(what.c_str());
    pair.at = reader.at();
    reader.skip_value(pair.type, what.c_str());
    file->metadata.push_back(std::move(pair));
  }
  for (uint64_t i = 0; i < tensors; ++i) file->entries.push_back(read_entry(&reader));
  const uint64_t alignment = alignment_of(*file);
  const uint64_t start = (reader.at() + alignment - 1) / alignment * alignment;
  for (Entry& entry : file->entries) place(&entry, start, alignment, file->reader.size());
  ordered_by_place(*file);
  reader.finish();
}

}  // namespace netcl::weights
