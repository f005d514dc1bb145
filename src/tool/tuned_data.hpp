// What the tuning database holds, sorted by what was tuned.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TUNED_DATA_HPP
#define NETCL_TOOL_TUNED_DATA_HPP

#include <cstdint>
#include <netcl.h>

#include <string>
#include <utility>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

class Json;
class Options;

/// Names and values of a configuration, in their order.
using ConfigValues = std::vector<std::pair<std::string, std::string>>;

/// One configuration that was tried.
struct TunedPoint {
  ConfigValues config;
  std::string json;
  double median = 0;  ///< nanoseconds; 0 when it has no time
  double low = 0, high = 0;
  uint64_t samples = 0;
  netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
  std::string reason;  ///< what is wrong with it
  bool is_best = false;
  bool is_default = false;

  bool has_time() const { return median > 0; }
  /// The value of a parameter; "" when the configuration has none of that name.
  std::string value(const std::string& name) const;
};

/// One kernel or op with one size on one device.
struct TunedCase {
  netcl_tuning_record key = NETCL_TUNING_RECORD_INIT;  ///< what names it
  std::vector<TunedPoint> points;
  bool has_best = false;
  double best_ns = 0;
  double default_ns = 0;
  std::string best_config;  ///< JSON
  std::string global, local;  ///< "256x16" where formulas gave work sizes, else empty
  std::string why;
  int64_t timestamp = 0;
  std::string unlike;  ///< what keeps it from an exact answer on the devices asked about; or empty
  bool used = true;    ///< dispatch takes it in spite of that

  std::string shape_text() const;
  /// "op.matmul 512x512x512 f32,f32".
  std::string title() const;
  double gain() const { return best_ns > 0 && default_ns > 0 ? default_ns / best_ns : 0.0; }
};

/// The database of this user, or the file of --database.
TuningDatabase open_database(const Options& options);

/// All cases of a database, marked by how well they fit the best of some devices.
std::vector<TunedCase> tuned_cases(netcl_tuning_database* database,
                                   const std::vector<Device>& devices);

/// The devices of this machine that open.
std::vector<Device> all_devices();
std::string config_json(const netcl_config* config);
/// The members of a configuration in JSON; values are as they stand there, texts without quotes.
ConfigValues config_values(const std::string& json);
/// "LOCAL_X=64 TILE=8"; "the default" without values.
std::string config_text(const ConfigValues& values);

/// "1024x16" of up to three extents; empty when there are none.
std::string extents_text(const uint64_t* extents);
/// "1024x16 work items, 64x4 in a group"; empty without a global size.
std::string work_size_text(const std::string& global, const std::string& local);

/// "correct", "compile", ...
const char* outcome_text(netcl_outcome outcome);

/// "count", "budget", ...: why a search stopped.
const char* stop_text(netcl_stop_reason stop);

void print_tuned(const std::vector<TunedCase>& cases);
void write_tuned(Json& json, const char* key, const std::vector<TunedCase>& cases);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TUNED_DATA_HPP
