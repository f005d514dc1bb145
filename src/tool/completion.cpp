// `netcl completion`: scripts by which shells complete commands, options and ops.
//
// SPDX-License-Identifier: Apache-2.0
#include "help_text.hpp"
#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const HelpOption& option : help_options(command)) names.push_back(option.name);
  return names;
}

/// What stands in a command's place: ops, or the names of commands and shells.
std::string operands(const Command& command) {
  const std::string name = command.name;
  if (name == "completion") return "bash zsh fish";
  if (name == "cache") return "list size verify clear";
  if (name != "man") return joined(help_ops(command)) + (name == "bench" ? " group" : "");
  std::vector<std::string> names;
  for (const Command& one : commands()) names.push_back(one.name);
  return joined(names);
}

/// Within single quotes, which shells take as they are.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A text as the description of a word: the part before the first semicolon.
std::string brief(const std::string& text) { return text.substr(0, text.find(';')); }

std::string bash_script() {
  std::string names, cases;
  for (const Command& command : commands()) {
    names += std::string(command.name) + " ";
    cases += std::string("    ") + command.name +
             ")\n      options=" + shell_quoted(joined(option_names(command))) +
             "\n      operands=" + shell_quoted(operands(command)) + " ;;\n";
  }
  std::string values;
  for (const char* name : {"--device", "--dtype", "--strategy"}) {
    values += std::string("    ") + name + ") words=" + shell_quoted(option_values(name)) + " ;;\n";
  }
  return "# Completion of netcl for bash.\n_netcl() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local options= operands= words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '" +
         names +
         "--help --version' -- \"$current\")\n    return\n  fi\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n"
         "  case $before in\n" +
         values +
         "  esac\n"
         "  if [ -z \"$words\" ]; then\n"
         "    case $current in\n      -*) words=$options ;;\n      *) words=$operands ;;\n    "
         "esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _netcl netcl\n";
}

/// A word with its description as zsh's _describe takes it.
std::string described(const std::string& word, const std::string& text) {
  std::string escaped;
  for (const char c : brief(text)) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
  return "      " + shell_quoted(word + (escaped.empty() ? "" : ":" + escaped)) + "\n";
}

std::string zsh_script() {
  std::string names, cases;
  for (const Command& command : commands()) {
    names += described(command.name, command.summary);
    cases += std::string("    ") + command.name + ")\n      options=(\n";
    for (const HelpOption& option : help_options(command)) {
      cases += "  " + described(option.name, option.text);
    }
    cases += "      )\n      operands=(" + operands(command) + ") ;;\n";
  }
  std::string values;
  for (const char* name : {"--device", "--dtype", "--strategy"}) {
    values += std::string("    ") + name + ") compadd -- " + option_values(name) + "; return ;;\n";
  }
  return "#compdef netcl\n# Completion of netcl for zsh.\n_netcl() {\n"
         "  local -a names options operands\n  names=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n    _describe command names\n    return\n  fi\n"
         "  case $words[CURRENT-1] in\n" +
         values +
         "  esac\n"
         "  case $words[2] in\n" +
         cases +
         "  esac\n"
         "  if [[ $PREFIX == -* ]]; then\n    _describe -o option options\n"
         "  else\n    compadd -- $operands\n    _files\n  fi\n}\n"
         "if [ \"$funcstack[1]\" = _netcl ]; then _netcl \"$@\"; else compdef _netcl netcl; fi\n";
}

std::string fish_script() {
  std::string out = "# Completion of netcl for fish.\n";
  for (const Command& command : commands()) {
    out += std::string("complete -c netcl -n __fish_use_subcommand -f -a ") + command.name +
           " -d " + shell_quoted(command.summary) + "\n";
  }
  for (const Command& command : commands()) {
    const std::string where =
        std::string("complete -c netcl -n ") +
        shell_quoted(std::string("__fish_seen_subcommand_from ") + command.name);
    for (const HelpOption& option : help_options(command)) {
      const std::string values = option_values(option.name);
      out += where + " -l " + option.name.substr(2);
      if (!values.empty()) {
        out += " -x -a " + shell_quoted(values);
      } else if (option.takes_value) {
        out += " -r";
      }
      if (!option.text.empty()) out += " -d " + shell_quoted(brief(option.text));
      out += "\n";
    }
    const std::string words = operands(command);
    if (!words.empty()) out += where + " -a " + shell_quoted(words) + "\n";
  }
  return out;
}

int completion(int argc, char** argv) {
  const Options options(argc, argv, {}, {});
  if (options.words().empty()) throw UsageProblem("an argument is missing:", "bash | zsh | fish");
  if (options.words().size() > 1) throw UsageProblem("there is no use for", options.words()[1]);
  const std::string& shell = options.words()[0];
  if (shell == "bash") {
    print("%s", bash_script().c_str());
  } else if (shell == "zsh") {
    print("%s", zsh_script().c_str());
  } else if (shell == "fish") {
    print("%s", fish_script().c_str());
  } else {
    throw UsageProblem("the shells are bash, zsh and fish, unlike", shell);
  }
  return kExitSuccess;
}

}  // namespace

int run_completion(const Command& self, int argc, char** argv) {
  return with_usage(self, completion, argc, argv);
}

}  // namespace netcl::tool
