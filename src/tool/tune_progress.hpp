// A run of a tuner that can be watched and ended with Ctrl-C.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TUNE_PROGRESS_HPP
#define NETCL_TOOL_TUNE_PROGRESS_HPP

#include <netcl.h>

#include <string>
#include <vector>

namespace netcl::tool {

struct TuneRun {
  bool interrupted = false;
  std::string problem;  ///< why the run as a whole failed; empty when it did not
};

/// Runs a tuner and shows on stderr how it stands: one line that is drawn again on a terminal, else
/// a line now and then. `names` are those of its entries.
TuneRun watch_tuner(netcl_tuner* tuner, const std::vector<std::string>& names, bool quiet);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TUNE_PROGRESS_HPP
