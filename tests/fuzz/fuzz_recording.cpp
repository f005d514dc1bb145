// Any bytes as a recording (T4, or a cache file of Kernel Tuner): a search on it ends, or
// CORRUPT_DATA with a message. Works through the public header alone.
#include <cmath>
#include <cstdint>

#include "netcl.h"
#include "structured.hpp"

using netcl::fuzz::require;

static constexpr std::string_view kWords[] = {"results",
                                              "configuration",
                                              "measurements",
                                              "name",
                                              "value",
                                              "unit",
                                              "units",
                                              "timeunit",
                                              "time_unit",
                                              "times",
                                              "runtimes",
                                              "objectives",
                                              "invalidity",
                                              "correct",
                                              "compile",
                                              "metadata",
                                              "cache",
                                              "tune_params_keys",
                                              "time",
                                              "ns",
                                              "us",
                                              "ms",
                                              "s",
                                              "fortnights",
                                              "A",
                                              "B",
                                              "A,B",
                                              "1,2",
                                              "True,x",
                                              "0.5,false",
                                              "True",
                                              "InvalidConfig"};

FUZZ_MUTATION(text, chance) {
  std::string made = netcl::fuzz::changed_json(text, chance, kWords);
  // A file of a run that was killed lacks its end.
  if (chance.one_in(8) && made.ends_with("}}")) made.resize(made.size() - 2);
  return made;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.evaluations = 8;
  options.samples = 2;
  options.seed = size;
  netcl_replay_result result = NETCL_REPLAY_RESULT_INIT;
  const char* const text = size > 0 ? reinterpret_cast<const char*>(data) : "";
  const netcl_status status = netcl_search_replay(text, size, &options, &result);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_CORRUPT_DATA, "a damaged recording is not CORRUPT_DATA",
            netcl_last_error_message());
    require(netcl_last_error_message()[0] != '\0', "an error without a message");
    return 0;
  }
  require(result.valid > 0 && result.valid <= result.recorded + result.valid, "counts do not fit");
  require(std::isfinite(result.optimum) && result.optimum > 0, "an optimum that is no time");
  require(result.best == 0 || result.best >= result.optimum, "a search is below the optimum");
  return 0;
}
