// From source to what is known of a program, and from there to a binary and back.
#include <cctype>
#include <functional>
#include <sstream>

#include "fake.hpp"

namespace fake {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    if (is_word(text[i])) {
      size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      words.push_back(text.substr(i, end - i));
      i = end;
    } else {
      if (text[i] == '*') words.emplace_back("*");
      ++i;
    }
  }
  return words;
}

Parameter parse_parameter(const std::string& text) {
  Parameter parameter;
  std::vector<std::string> words = words_of(text);
  if (!words.empty()) {
    parameter.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) {
    if (word == "__global" || word == "global") {
      parameter.address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    } else if (word == "__local" || word == "local") {
      parameter.address = CL_KERNEL_ARG_ADDRESS_LOCAL;
    } else if (word == "__constant" || word == "constant") {
      parameter.address = CL_KERNEL_ARG_ADDRESS_CONSTANT;
    } else if (word == "const") {
      parameter.is_const = true;
    } else if (word != "restrict" && word != "volatile") {
      parameter.type += word;
    }
  }
  return parameter;
}

Function parse_function(const std::string& head) {
  Function function;
  const size_t open = head.find('('), close = head.find(')', open);
  const std::vector<std::string> words = words_of(head.substr(0, open));
  if (!words.empty()) function.name = words.back();
  std::istringstream list(head.substr(open + 1, close - open - 1));
  std::string one;
  while (std::getline(list, one, ',')) function.parameters.push_back(parse_parameter(one));
  return function;
}

// "NAME VALUE" of a macro without parameters. The first definition counts, as where the source has
// its own between #ifndef and #endif.
void define(const std::string& text, Macros* macros) {
  std::istringstream words(text);
  std::string name, value;
  if (!(words >> name) || name.find('(') != std::string::npos) return;
  std::getline(words >> std::ws, value);
  macros->emplace(name, value);
}

}  // namespace

Code parse_source(const std::string& source, const std::string& options) {
  Code code;
  std::istringstream flags(options);
  std::string line, rest;
  while (flags >> line) {
    if (line.rfind("-D", 0) != 0) continue;
    const size_t at = line.find('=');
    code.macros.emplace(line.substr(2, at - 2),
                        at == std::string::npos ? "1" : line.substr(at + 1));
  }
  std::istringstream lines(source);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "#define") {
      std::getline(words >> std::ws, line);
      define(line, &code.macros);
    } else if (first != "#line") {
      rest += line + "\n";
    }
  }
  for (size_t at = rest.find("__kernel"); at != std::string::npos;
       at = rest.find("__kernel", at + 1)) {
    const size_t open = rest.find('(', at);
    if (open != std::string::npos && rest.find(')', open) != std::string::npos) {
      code.functions.push_back(parse_function(rest.substr(at)));
    }
  }
  code.rest = std::to_string(std::hash<std::string>()(rest));
  return code;
}

std::string encode_binary(const Code& code, const std::vector<std::string>& without) {
  Macros macros = code.macros;
  for (const std::string& name : without) macros.erase(name);
  std::string text = "fake binary " + code.rest + "\n";
  for (const auto& [name, value] : macros) text += "macro " + name + " " + value + "\n";
  for (const Function& function : code.functions) {
    text += "kernel " + function.name + "\n";
    for (const Parameter& parameter : function.parameters) {
      text += "parameter " + std::to_string(parameter.address) +
              (parameter.is_const ? " 1 " : " 0 ") + parameter.name + " " + parameter.type + "\n";
    }
  }
  return text;
}

bool decode_binary(const std::string& binary, Code* code) {
  std::istringstream lines(binary);
  std::string line, word;
  if (!std::getline(lines, line) || line.rfind("fake binary ", 0) != 0) return false;
  code->rest = line.substr(12);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "macro") {
      std::getline(words >> std::ws, line);
      define(line, &code->macros);
    } else if (word == "kernel") {
      words >> word;
      code->functions.push_back({word, {}});
    } else if (word == "parameter" && !code->functions.empty()) {
      Parameter parameter;
      words >> parameter.address >> parameter.is_const >> parameter.name >> parameter.type;
      code->functions.back().parameters.push_back(parameter);
    }
  }
  return true;
}

}  // namespace fake
