#include <cstdlib>
#include <cstring>
#include <sstream>

#include "draw.hpp"

namespace sequences {
namespace {

std::vector<std::string> cut(const std::string& text, const std::string& mark) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (;;) {
    const size_t end = text.find(mark, at);
    parts.push_back(text.substr(at, end == std::string::npos ? end : end - at));
    if (end == std::string::npos) return parts;
    at = end + mark.size();
  }
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

Rule parse(std::string text) {
  Rule rule;
  if (text[0] == '!') {
    rule.fixed = true;
    text.erase(0, 2);
  }
  if (text[0] == '[') {
    rule.percent = std::atoi(text.c_str() + 1);
    text.erase(0, text.find(']') + 2);
  }
  rule.kind = text == "never" ? '-' : text[0];
  if (rule.kind == '@') rule.special = text.substr(1);
  const std::string rest = text.size() > 2 ? text.substr(2) : "";
  if (rule.kind == 's') rule.texts = cut(rest, "|");
  if (rule.kind == 'i') {
    for (const std::string& word : words(rest)) {
      rule.numbers.push_back(word[0] == '-' ? static_cast<uint64_t>(std::atoll(word.c_str()))
                                            : std::strtoull(word.c_str(), nullptr, 10));
    }
  }
  if (rule.kind == 'd') {
    for (const std::string& word : words(rest)) {
      const double number = std::strtod(word.c_str(), nullptr);
      uint64_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      rule.numbers.push_back(bits);
    }
  }
  if (rule.kind == 'n') {
    for (const std::string& way : cut(rest, "/")) rule.lists.push_back(words(way));
  }
  if (rule.kind == 't') {
    for (const std::string& way : cut(rest, " ; ")) rule.lists.push_back(cut(way, " + "));
  }
  return rule;
}

}  // namespace

const Rule* rule_at(const std::string& path) {
  static const auto* const rules = [] {
    auto* made = new std::unordered_map<std::string, Rule>;
    for (int i = 0; i < kRulesCount; i++) made->emplace(kRules[i].path, parse(kRules[i].rule));
    return made;
  }();
  const auto found = rules->find(path);
  return found == rules->end() ? nullptr : &found->second;
}

}  // namespace sequences
