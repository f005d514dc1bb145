// The format safetensors: 8 bytes with the length of a header, which is an object of JSON, then the
// bytes of all tensors without gaps. (README.md of huggingface/safetensors is the reference.)
#include <algorithm>
#include <bit>

#include "core/dtype.hpp"
#include "core/json.hpp"
#include "weights/safetensors.hpp"
#include "weights/weights.hpp"

namespace netcl::weights {

const SafetensorsType kSafetensorsTypes[] = {
    {"F64", NETCL_F64, 64},  {"F32", NETCL_F32, 32},   {"F16", NETCL_F16, 16},
    {"I64", NETCL_I64, 64},  {"BF16", NETCL_BF16, 16}, {"I32", NETCL_I32, 32},
    {"I16", NETCL_I16, 16},  {"I8", NETCL_I8, 8},      {"U64", NETCL_U64, 64},
    {"U32", NETCL_U32, 32},  {"U16", NETCL_U16, 16},   {"U8", NETCL_U8, 8},
    {"BOOL", NETCL_BOOL, 8}, {"F8_E4M3", 0, 8},        {"F8_E5M2", 0, 8},
    {"F8_E8M0", 0, 8},       {"C64", 0, 64},           {"", 0, 0},
};

const char* safetensors_type(netcl_dtype dtype) {
  for (const SafetensorsType& type : kSafetensorsTypes) {
    if (type.dtype == dtype) return type.name;
  }
  fail(NETCL_ERROR_INTERNAL, "dtype %d has no type of safetensors", static_cast<int>(dtype));
}

namespace {

// Takes the header as it is read. Where it stands in it is the depth and the member.
class HeaderTaker final : public JsonEvents {
 public:
  explicit HeaderTaker(File* file) : file_(file) {}

  void open(bool object) override {
    ++depth_;
    if (skipped_ != 0) return;
    if (depth_ == 1) {
      if (!object) fail_corrupt("the header is no object of JSON");
    } else if (depth_ == 2) {
      if (!object) fail_corrupt("%s is no object", place().c_str());
      if (!is_metadata_) begin_entry();
    } else if (is_metadata_ || depth_ > 3) {
      refuse_value();
    } else if (!object && (member_ == kShape || member_ == kOffsets)) {
      list_.clear();
    } else if (member_ == kOther) {
      skipped_ = depth_;  // what a later version may add
    } else {
      refuse_value();
    }
  }

  void close() override {
    if (skipped_ == depth_) {
      skipped_ = 0;
    } else if (skipped_ == 0 && depth_ == 3) {
      take_list();
    } else if (skipped_ == 0 && depth_ == 2 && !is_metadata_) {
      end_entry();
    }
    --depth_;
  }

  void name(std::string name) override {
    if (skipped_ != 0) return;
    if (depth_ == 1) {
      is_metadata_ = name == "__metadata__";
      if (is_metadata_ && seen_metadata_) fail_corrupt("the header has \"__metadata__\" twice");
      seen_metadata_ = seen_metadata_ || is_metadata_;
      if (!is_metadata_) check_entry_name(name);
      name_ = std::move(name);
    } else if (is_metadata_) {
      check_name(name, "the key of metadata,");
      key_ = std::move(name);
    } else {
      member_ = name == "dtype"          ? kDtype
                : name == "shape"        ? kShape
                : name == "data_offsets" ? kOffsets
                                         : kOther;
      if (member_ != kOther && (seen_ & member_) != 0) {
        fail_corrupt("%s has the member %s twice", place().c_str(), shown_name(name).c_str());
      }
      seen_ |= member_;
    }
  }

  void value(Json value) override {
    if (skipped_ != 0) return;
    if (depth_ == 0) fail_corrupt("the header is no object of JSON");
    if (depth_ == 1) fail_corrupt("%s is no object", place().c_str());
    if (depth_ == 3) {
      take_number(value);
    } else if (is_metadata_) {
      if (!value.is_string()) {
        fail_corrupt("the metadata of key %s is no text", shown_name(key_).c_str());
      }
      check_metadata_count(file_->metadata.size() + 1);
      file_->metadata.push_back({std::move(key_), value.text(), 0, 0});
    } else if (member_ == kDtype && value.is_string()) {
      entry_.type = value.text();
    } else if (member_ != kOther) {
      refuse_value();
    }
  }

 private:
  enum Part : unsigned { kOther = 0, kDtype = 1, kShape = 2, kOffsets = 4, kAll = 7 };

  std::string place() const { return "tensor " + shown_name(name_); }

  [[noreturn]] void refuse_value() const {
    if (is_metadata_) {
      fail_corrupt("the metadata of key %s is no text", shown_name(key_).c_str());
    }
    fail_corrupt("%s: its %s is no %s", place().c_str(),
                 member_ == kDtype   ? "dtype"
                 : member_ == kShape ? "shape"
                                     : "data_offsets",
                 member_ == kDtype ? "text" : "list of natural numbers");
  }

  void begin_entry() {
    check_entry_count(file_->entries.size() + 1);
    entry_ = Entry();
    member_ = kOther;
    seen_ = 0;
  }

  void take_number(const Json& value) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX) refuse_value();
    if (list_.size() >= 2 && member_ == kOffsets) {
      fail_corrupt("%s: its data_offsets are more than two", place().c_str());
    }
    if (member_ == kShape) check_rank(list_.size() + 1, name_);
    list_.push_back(value.get<int64_t>());
  }

  void take_list() {
    if (member_ == kShape) {
      entry_.shape = list_;
    } else if (list_.size() != 2 || list_[1] < list_[0]) {
      fail_corrupt("%s: its data_offsets are no beginning and end", place().c_str());
    } else {
      entry_.offset = static_cast<uint64_t>(list_[0]);
      entry_.bytes = static_cast<uint64_t>(list_[1] - list_[0]);
    }
  }

  void end_entry() {
    if ((seen_ & kAll) != kAll) {
      fail_corrupt("%s has no %s", place().c_str(),
                   (seen_ & kDtype) == 0   ? "dtype"
                   : (seen_ & kShape) == 0 ? "shape"
                                           : "data_offsets");
    }
    check_name(entry_.type, "a dtype,");
    entry_.name = name_;
    // The bits of others are not known here.
    for (const SafetensorsType& type : kSafetensorsTypes) {
      if (entry_.type != type.name || type.bits == 0) continue;
      entry_.dtype = type.dtype;
      entry_.block_bytes = type.bits / 8;
      check_bytes();
    }
    entry_.swap_bytes = std::endian::native != std::endian::little && entry_.block_bytes > 1;
    file_->entries.push_back(std::move(entry_));
  }

  void check_bytes() const {
    const uint64_t wanted = bytes_of(entry_);
    if (wanted == entry_.bytes) return;
    fail_corrupt("%s has %llu bytes; its shape and dtype %s need %llu", place().c_str(),
                 static_cast<unsigned long long>(entry_.bytes), entry_.type.c_str(),
                 static_cast<unsigned long long>(wanted));
  }

  File* file_;
  Entry entry_;
  std::string name_;  // of the tensor
  std::string key_;
  std::vector<int64_t> list_;
  size_t depth_ = 0;
  size_t skipped_ = 0;  // the depth of what is not looked at; 0: none
  unsigned member_ = kOther;
  unsigned seen_ = 0;
  bool is_metadata_ = false;
  bool seen_metadata_ = false;
};

// Tensors lie one after the other up to the end.
void check_places(File* file, uint64_t start) {
  const uint64_t there = file->reader.size() - start;
  uint64_t next = 0;
  for (const Entry* entry : ordered_by_place(*file)) {
    if (entry->offset != next) {
      fail_corrupt("bytes %llu to %llu of the data are of no tensor: %s begins behind them",
                   static_cast<unsigned long long>(next),
                   static_cast<unsigned long long>(entry->offset), shown_name(entry->name).c_str());
    }
    if (entry->bytes > there - next) {
      fail_corrupt("tensor %s ends at byte %llu of the data, of which the file has %llu",
                   shown_name(entry->name).c_str(),
                   static_cast<unsigned long long>(entry->offset + entry->bytes),
                   static_cast<unsigned long long>(there));
    }
    next += entry->bytes;
  }
  if (next != there) {
    fail_corrupt("the file has %llu bytes of data, its tensors %llu",
                 static_cast<unsigned long long>(there), static_cast<unsigned long long>(next));
  }
  for (Entry& entry : file->entries) entry.offset += start;
}

}  // namespace

void read_safetensors(File* file) {
  unsigned char bytes[8];
  file->reader.read(0, bytes, sizeof bytes);
  uint64_t length = 0;
  for (size_t i = sizeof bytes; i-- > 0;) length = length << 8 | bytes[i];
  const uint64_t there = file->reader.size() - sizeof bytes;
  if (length > kHeaderBytesMost || length > there) {
    fail_corrupt("the header has %llu bytes; at most %llu are read, and %llu are there",
                 static_cast<unsigned long long>(length),
                 static_cast<unsigned long long>(kHeaderBytesMost),
                 static_cast<unsigned long long>(there));
  }
  std::string header(static_cast<size_t>(length), '\0');
  file->reader.read(sizeof bytes, header.data(), header.size());
  HeaderTaker taker(file);
  read_json(header, kHeaderBytesMost, "the header", &taker);
  check_places(file, sizeof bytes + length);
}

}  // namespace netcl::weights
