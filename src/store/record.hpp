// What the tuning database remembers: records of one JSON line each, with a checksum.
//
//   {"v":1,"t":"best","kernel":...,"src":...,"flags":...,"dtypes":...,"layout":...,"shape":[...],
//    "scalars":[...],"part":...,"driver":...,"space":...,"cfg":{...},"unset":[...],
//    "global":[...],"local":[...],"st":"correct",
//    "ns":{"med":...,"lo":...,"hi":...,"compile":...,"default":...,"samples":[...]},"why":...,
//    "ts":...,"crc":"32 hexadecimal digits"}
//
// "v" and "crc" (the last member, over the bytes before its comma) keep their meaning in every
// version; members that are not known stay with the line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"
#include "core/json.hpp"
#include "netcl.h"

namespace netcl::store {

inline constexpr size_t kShapeMost = 24;
inline constexpr size_t kScalarsMost = 16;
inline constexpr size_t kLineMost = size_t{1} << 20;

// "correct", "runtime", ...: the words of T4 and a few more. UNKNOWN for a word that is none.
const char* outcome_name(netcl_outcome outcome);
netcl_outcome outcome_of(std::string_view name);
// Whether a configuration with this outcome can be what a tuning run chose: one that is correct, or
// the best so far of a run that was cancelled, or one of which that is not known.
bool may_be_best(netcl_outcome outcome);

// What a result belongs to. A result is used for another driver and for near shapes and scalars;
// all other members have to agree.
struct Key {
  std::string kernel;  // name of the kernel or op
  std::string source;  // hash of its text
  std::string flags;
  std::string dtypes;  // "f32,f32"
  std::string layout;
  std::string part;  // the device, see device/part.hpp
  std::string driver;
  std::vector<int64_t> shape;
  std::vector<int64_t> scalars;  // of a kernel: the arguments that say which problem it is

  friend bool operator==(const Key&, const Key&) = default;
  // All members but driver, shape and scalars, as one text, and of the part its family: what could
  // answer.
  std::string group() const;
  // All of them.
  std::string text() const;
};

enum class RecordKind : uint8_t {
  best,         // the configuration that a tuning run chose
  measurement,  // how one configuration did
  quarantine    // a configuration that must not be used again
};

struct Record {
  RecordKind kind = RecordKind::measurement;
  Key key;
  std::string space;             // fingerprint of the space that was searched; empty: none
  Json config = Json::object();  // names and values
  // Macros whose value of 0 in `config` leaves them to the source.
  std::vector<std::string> unset;
  // The work size of this configuration where a formula gave it, as many extents as the launch has;
  // else empty. `local` alone is empty for a kernel that is compiled for one local size.
  std::vector<int64_t> global, local;
  netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
  std::string reason;
  double median_ns = 0;
  double low_ns = 0;  // interval of the median
  double high_ns = 0;
  double compile_ns = 0;
  double default_ns = 0;  // of a best: the median of the default configuration
  std::vector<double> samples;
  int64_t timestamp = 0;  // seconds since 1970

  // Names sorted, so that equal configurations are equal texts.
  std::string config_text() const;
  std::optional<int64_t> integer(const char* name) const;
};

// The line of a record, without its line end.
std::string encode_record(const Record& record);

enum class LineKind : uint8_t {
  record,   // a record of this version
  foreign,  // of a version that is not known: kept, not used
  damaged   // torn, changed, or no record at all
};
// `record` is filled for LineKind::record only. Never throws for what stands in the line.
LineKind decode_line(std::string_view line, Record* record);

// What a later line on the same subject replaces.
std::string subject_of(const Record& record);

}  // namespace netcl::store
