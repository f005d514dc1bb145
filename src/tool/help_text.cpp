// SPDX-License-Identifier: Apache-2.0
#include "help_text.hpp"

#include <algorithm>
#include <cctype>

#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr size_t kTextColumn = 18;

/// "  TERM  TEXT": where the text begins; npos in a line that is a term alone. A term that fills
/// its column has one blank behind it.
size_t text_of_line(const std::string& line) {
  const size_t gap = line.find("  ", 2);
  if (gap != std::string::npos) return line.find_first_not_of(' ', gap);
  const bool full = line.size() > kTextColumn && line[kTextColumn - 1] == ' ';
  return full ? kTextColumn : std::string::npos;
}

void append(const std::string& more, std::string* text) {
  if (!text->empty() && !more.empty()) *text += ' ';
  *text += more;
}

bool is_option_letter(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// "--seed N", "--input NAME=FILE" or "--strategy S", in which a placeholder follows.
bool has_placeholder(const std::string& help, size_t end) {
  return end + 1 < help.size() && help[end] == ' ' &&
         std::isupper(static_cast<unsigned char>(help[end + 1])) != 0;
}

/// The text of the line that begins with an option; empty where none does.
std::string text_of_option(const std::vector<HelpItem>& items, const std::string& name) {
  for (const HelpItem& item : items) {
    if (item.term.substr(0, item.term.find(' ')) == name) return item.text;
  }
  return "";
}

}  // namespace

std::vector<HelpItem> help_items(const std::string& help) {
  std::vector<HelpItem> items;
  bool fresh = true;
  for (const std::string& line : split(help, '\n')) {
    const size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) {
      fresh = true;
      continue;
    }
    if (indent == 2) {
      const size_t text = text_of_line(line);
      std::string term = line.substr(2, text == std::string::npos ? text : text - 2);
      term.erase(term.find_last_not_of(' ') + 1);
      items.push_back({term, text == std::string::npos ? "" : line.substr(text)});
    } else if (fresh || (indent == 0 && !items.back().term.empty())) {
      items.push_back({"", line.substr(indent)});
    } else {
      append(line.substr(indent), &items.back().text);
    }
    fresh = false;
  }
  return items;
}

std::vector<HelpOption> help_options(const Command& command) {
  std::vector<HelpOption> options;
  const std::string help = command.options;
  const std::vector<HelpItem> items = help_items(help);
  for (size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at)) {
    size_t end = at;
    while (end < help.size() && is_option_letter(help[end])) ++end;
    const std::string name = help.substr(at, end - at);
    const bool value = has_placeholder(help, end);
    at = end;
    const auto known = std::find_if(options.begin(), options.end(),
                                    [&](const HelpOption& one) { return one.name == name; });
    if (known != options.end()) {
      known->takes_value = known->takes_value || value;
    } else if (name.size() > 2) {
      options.push_back({name, text_of_option(items, name), value});
    }
  }
  const bool has_help = std::any_of(options.begin(), options.end(),
                                    [](const HelpOption& one) { return one.name == "--help"; });
  if (!has_help) options.push_back({"--help", "explain the command", false});
  return options;
}

std::vector<std::string> help_ops(const Command& command) {
  std::vector<std::string> ops;
  if (command.ops == nullptr) return ops;
  for (const HelpItem& item : help_items(command.ops())) {
    if (!item.term.empty()) ops.push_back(item.term);
  }
  return ops;
}

std::string option_values(const std::string& name) {
  if (name == "--device") return "auto gpu cpu accel builtin";
  if (name == "--dtype") return "f32 f16 bf16 f64";
  if (name == "--strategy") return "auto exhaustive random local annealing genetic";
  return "";
}

}  // namespace netcl::tool
