// What the help of a command says, taken apart: for manual pages and for the completions of shells.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_HELP_TEXT_HPP
#define NETCL_TOOL_HELP_TEXT_HPP

#include <string>
#include <vector>

#include "commands.hpp"

namespace netcl::tool {

/// A term with what it means, or a paragraph, which has no term.
struct HelpItem {
  std::string term;
  std::string text;
};

/// Lines such as "  --device SEL    the device", with the lines that go on below the text.
std::vector<HelpItem> help_items(const std::string& help);

struct HelpOption {
  std::string name;  ///< "--device"
  std::string text;  ///< empty where it is named inside a text alone
  bool takes_value = false;
};

/// All options that the help of a command names, --help among them, in their order.
std::vector<HelpOption> help_options(const Command& command);

/// The ops that the help ends with; none where the command takes none.
std::vector<std::string> help_ops(const Command& command);

/// The values of an option that takes one of a few words, with a blank between them; or empty.
std::string option_values(const std::string& name);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_HELP_TEXT_HPP
