// The commands of the tool.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_COMMANDS_HPP
#define NETCL_TOOL_COMMANDS_HPP

#include <netcl.h>

#include <span>
#include <string>

namespace netcl::tool {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
/// Of `netcl bench --compare`: an op is slower, beyond noise.
inline constexpr int kExitSlower = 3;

/// One command: `netcl NAME ARGUMENTS`. Arguments begin after the name.
struct Command {
  const char* name;
  const char* synopsis;  ///< arguments, as the help shows them
  const char* summary;   ///< one line
  const char* options;   ///< lines that explain the arguments
  std::string (*ops)();  ///< the help ends with these ops; null: with none
  int (*run)(const Command& self, int argc, char** argv);
};

std::span<const Command> commands();
/// The command of that name; null when there is none.
const Command* find_command(const char* name);

/// Prints what is wrong with the arguments to stderr; returns kExitUsage.
int usage_error(const Command& command, const char* problem, const char* argument);

/// Names as the tool prints them.
const char* backend_name(netcl_backend backend);
const char* device_type_name(netcl_device_type type);
const char* strategy_name(netcl_strategy strategy);

int run_info(const Command& self, int argc, char** argv);
int run_selftest(const Command& self, int argc, char** argv);
int run_bench_command(const Command& self, int argc, char** argv);
int run_roofline(const Command& self, int argc, char** argv);
int run_report(const Command& self, int argc, char** argv);
int run_cache(const Command& self, int argc, char** argv);
int run_tune(const Command& self, int argc, char** argv);
int run_trace(const Command& self, int argc, char** argv);
int run_run(const Command& self, int argc, char** argv);
int run_model(const Command& self, int argc, char** argv);
int run_soak(const Command& self, int argc, char** argv);
int run_man(const Command& self, int argc, char** argv);
int run_completion(const Command& self, int argc, char** argv);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_COMMANDS_HPP
