// `netcl tune --replay FILE`: how well strategies search, on recorded times.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TUNE_REPLAY_HPP
#define NETCL_TOOL_TUNE_REPLAY_HPP

#include <netcl.h>

namespace netcl::tool {

class Options;

/// Replays the recording of --replay with several seeds and shows the medians; gives an exit code.
int replay_recording(const Options& options, netcl_search_options search);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TUNE_REPLAY_HPP
