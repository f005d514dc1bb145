// `netcl man`: manual pages, made of what --help says.
//
// SPDX-License-Identifier: Apache-2.0
#include "help_text.hpp"
#include "options.hpp"
#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

/// Text for roff: nothing in it is a command or an escape, and a hyphen is one to be copied.
std::string roff(const std::string& text) {
  std::string out;
  if (!text.empty() && (text[0] == '.' || text[0] == '\'')) out = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '^') {
      out += "\\(ha";
    } else {
      out += c;
    }
  }
  return out;
}

/// A page has no date: the same version gives the same bytes.
std::string page_begin(const std::string& name, const std::string& summary) {
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return ".\\\" SPDX-License-Identifier: Apache-2.0\n.TH \"" + roff(title) + "\" 1 \"\" \"netcl " +
         netcl_version_string() + "\" \"netcl\"\n.SH NAME\n" + roff(name) + " \\- " +
         roff(summary) + "\n";
}

std::string items_text(const std::vector<HelpItem>& items) {
  std::string out;
  bool began = false;
  for (const HelpItem& item : items) {
    if (!item.term.empty()) {
      out += ".TP\n.B " + roff(item.term) + "\n" + roff(item.text) + "\n";
    } else {
      out += (began ? ".PP\n" : "") + roff(item.text) + "\n";
    }
    began = true;
  }
  return out;
}

constexpr char kFiles[] =
    ".SH FILES\n.TP\n.I ~/.cache/netcl\nPrograms, ceilings and results of tuning; see\n"
    ".BR netcl\\-cache (1).\n";

std::string main_page() {
  std::string out = page_begin("netcl", "OpenCL compute from the shell");
  out += ".SH SYNOPSIS\n.B netcl\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    out += ".TP\n.BR netcl\\-" + roff(command.name) + " (1)\n" + roff(command.summary) + "\n";
  }
  out +=
      ".SH OPTIONS\n.TP\n.BI \"netcl \" COMMAND \" \\-\\-help\"\nexplain a command\n"
      ".TP\n.B netcl \\-\\-version\nprint the version\n"
      ".SH EXIT STATUS\n0 when all went well, 1 when something failed, 2 when the arguments are "
      "wrong.\nCommands that have others say so.\n";
  return out + kFiles;
}

std::string command_page(const Command& command) {
  const std::string name = std::string("netcl-") + command.name;
  std::string out = page_begin(name, command.summary);
  out += ".SH SYNOPSIS\n.B netcl " + roff(command.name) + "\n" + roff(command.synopsis) + "\n";
  out += ".SH OPTIONS\n" + items_text(help_items(command.options));
  if (command.ops != nullptr) out += ".SH OPS\n" + items_text(help_items(command.ops()));
  out +=
      ".SH EXIT STATUS\n0 when all went well, 1 when something failed, 2 when the arguments are "
      "wrong;\nothers stand above.\n";
  return out + ".SH SEE ALSO\n.BR netcl (1)\n";
}

int man(int argc, char** argv) {
  const Options options(argc, argv, {}, {"--folder"});
  if (options.has("--folder")) {
    options.refuse_words("with --folder");
    const std::string folder = options.text("--folder");
    write_file(folder + "/netcl.1", main_page());
    for (const Command& command : commands()) {
      write_file(folder + "/netcl-" + command.name + ".1", command_page(command));
    }
    return kExitSuccess;
  }
  if (options.words().empty()) {
    print("%s", main_page().c_str());
    return kExitSuccess;
  }
  if (options.words().size() > 1) throw UsageProblem("there is no use for", options.words()[1]);
  const Command* const command = find_command(options.words()[0].c_str());
  if (command == nullptr) throw UsageProblem("there is no command", options.words()[0]);
  print("%s", command_page(*command).c_str());
  return kExitSuccess;
}

}  // namespace

int run_man(const Command& self, int argc, char** argv) {
  return with_usage(self, man, argc, argv);
}

}  // namespace netcl::tool
