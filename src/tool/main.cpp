// The `netcl` command.
//
// SPDX-License-Identifier: Apache-2.0
#include <netcl.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "commands.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

void print_help() {
  print("usage: netcl COMMAND [ARGUMENTS]\n\n");
  for (const Command& command : commands()) print("  %-10s  %s\n", command.name, command.summary);
  print("\n  netcl COMMAND --help    explain a command\n");
  print("  netcl --version         print the version\n");
}

void print_help(const Command& command) {
  print("usage: netcl %s %s\n\n%s\n\n%s", command.name, command.synopsis, command.summary,
        command.options);
  if (command.ops != nullptr) print("\nops\n%s", command.ops().c_str());
}

bool is_one_of(const char* text, const char* first, const char* second) {
  return std::strcmp(text, first) == 0 || std::strcmp(text, second) == 0;
}

int unknown_command(const char* name) {
  std::fprintf(stderr, "netcl: there is no command \"%s\"; see netcl --help\n", name);
  return kExitUsage;
}

int extra_argument(const char* argument) {
  std::fprintf(stderr, "netcl: there is no use for \"%s\"; see netcl --help\n", argument);
  return kExitUsage;
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    return kExitUsage;
  }
  const char* first = argv[1];
  if (is_one_of(first, "--version", "version")) {
    if (argc > 2) return extra_argument(argv[2]);
    print("netcl %s\n", netcl_version_string());
    return kExitSuccess;
  }
  const bool wants_help = is_one_of(first, "--help", "-h") || std::strcmp(first, "help") == 0;
  if (wants_help && argc == 2) {
    print_help();
    return kExitSuccess;
  }
  if (wants_help && argc > 3) return extra_argument(argv[3]);
  const char* name = wants_help ? argv[2] : first;
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command(name);
  bool explain = wants_help;
  for (int i = 2; i < argc; ++i) explain = explain || is_one_of(argv[i], "--help", "-h");
  if (explain) {
    print_help(*command);
    return kExitSuccess;
  }
  return command->run(*command, argc - 2, argv + 2);
}

}  // namespace

int usage_error(const Command& command, const char* problem, const char* argument) {
  std::fprintf(stderr, "netcl %s: %s \"%s\"\nusage: netcl %s %s\n", command.name, problem, argument,
               command.name, command.synopsis);
  return kExitUsage;
}

const char* backend_name(netcl_backend backend) {
  if (backend == NETCL_BACKEND_OPENCL) return "OpenCL";
  return backend == NETCL_BACKEND_BUILTIN ? "built-in" : "unknown";
}

const char* device_type_name(netcl_device_type type) {
  switch (type) {
    case NETCL_DEVICE_CPU:
      return "CPU";
    case NETCL_DEVICE_GPU:
      return "GPU";
    case NETCL_DEVICE_ACCELERATOR:
      return "accelerator";
    default:
      return "other";
  }
}

const char* strategy_name(netcl_strategy strategy) {
  if (strategy == NETCL_STRATEGY_PORTABLE) return "portable";
  return strategy == NETCL_STRATEGY_OPTIMIZED ? "optimized" : "unknown";
}

}  // namespace netcl::tool

int main(int argc, char** argv) {
  int code = netcl::tool::kExitFailure;
  // A limit on the size of files is an error of the write, not the end of the process.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  try {
    code = netcl::tool::dispatch(argc, argv);
  } catch (const std::exception& problem) {
    std::fflush(stdout);
    std::fprintf(stderr, "netcl: %s\n", problem.what());
  }
  // A full disk or a closed pipe must not look like success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "netcl: the output could not be written\n");
    return netcl::tool::kExitFailure;
  }
  return code;
}
