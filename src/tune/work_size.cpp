#include "tune/work_size.hpp"

#include "core/ascii.hpp"
#include "core/error.hpp"

namespace netcl::tune {

namespace {

// The parts between the commas that stand in no brackets and in no text.
std::vector<std::string_view> split_extents(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

SizeFormulas::SizeFormulas(const char* name, std::string_view text) : name_(name), text_(text) {
  if (text.empty()) return;
  const std::vector<std::string_view> parts = split_extents(text);
  if (parts.size() > kMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s, which has %zu extents; a launch has 1 to %zu",
         name, quoted(text_.c_str(), 200).c_str(), parts.size(), kMost);
  }
  for (std::string_view part : parts) {
    while (!part.empty() && is_space(part.front())) part.remove_prefix(1);
    try {
      extents_.emplace_back(part);
    } catch (const Error& error) {
      throw Error(error.status(),
                  format("%s, extent %zu: %s", name, extents_.size(), error.message().c_str()));
    }
  }
}

std::vector<std::string> SizeFormulas::names() const {
  std::vector<std::string> all;
  for (const SpaceFormula& extent : extents_) {
    all.insert(all.end(), extent.names().begin(), extent.names().end());
  }
  return all;
}

std::string SizeFormulas::formula_text(size_t extent) const {
  return std::string(name_) + " " + quoted(extents_[extent].text().c_str(), 200);
}

std::string SizeFormulas::value_text(const SpaceFormula::Lookup& lookup, size_t extent,
                                     uint64_t value) const {
  std::string text = formula_text(extent) + format(" is %lld", static_cast<long long>(value));
  const char* between = " with ";
  for (const std::string& name : extents_[extent].names()) {
    const Value* known = lookup(name);
    if (known == nullptr) continue;
    text += between + name + " = " + shown_value(*known);
    between = ", ";
  }
  return text;
}

void SizeFormulas::evaluate(const SpaceFormula::Lookup& lookup, uint32_t rank,
                            uint64_t* extents) const {
  uint64_t items = 1;
  for (size_t d = 0; d < extents_.size(); ++d) {
    int64_t value = 0;
    try {
      value = extents_[d].integer(lookup);
    } catch (const Error& error) {
      throw Error(error.status(), std::string(name_) + ": " + error.message());
    }
    const auto bits = static_cast<uint64_t>(value);
    if (value < 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s; a size is 1 or more",
           value_text(lookup, d, bits).c_str());
    }
    if (d >= rank && value != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s; the launch has %u dimensions, so it has to be 1",
           value_text(lookup, d, bits).c_str(), rank);
    }
    if (d < rank) extents[d] = bits;
    if (__builtin_mul_overflow(items, bits, &items) || items > INT64_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s; the items exceed 2^63 - 1",
           value_text(lookup, d, bits).c_str());
    }
  }
}

}  // namespace netcl::tune
