#include "model/node_facts.hpp"

namespace netcl::model {

const Attribute* NodeFacts::find(const char* name) const noexcept {
  for (const Attribute& attribute : node_.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

const Attribute* NodeFacts::find_of(const char* name, Attribute::Kind kind,
                                    const char* what) const {
  const Attribute* const found = find(name);
  if (found == nullptr || found->kind == kind) return found;
  fail(NETCL_ERROR_CORRUPT_DATA, "the attribute %s is not %s", name, what);
}

int64_t NodeFacts::integer(const char* name, int64_t fallback) const {
  const Attribute* const found = find_of(name, Attribute::Kind::integer, "an integer");
  return found == nullptr ? fallback : found->integer;
}

double NodeFacts::real(const char* name, double fallback) const {
  const Attribute* const found = find_of(name, Attribute::Kind::real, "a float");
  return found == nullptr ? fallback : found->real;
}

std::string NodeFacts::text(const char* name, const char* fallback) const {
  const Attribute* const found = find_of(name, Attribute::Kind::text, "a text");
  return found == nullptr ? fallback : found->text;
}

std::vector<int64_t> NodeFacts::integers(const char* name, std::vector<int64_t> fallback) const {
  const Attribute* const found = find_of(name, Attribute::Kind::integers, "a list of integers");
  return found == nullptr ? fallback : found->integers;
}

std::vector<double> NodeFacts::reals(const char* name) const {
  const Attribute* const found = find_of(name, Attribute::Kind::reals, "a list of floats");
  return found == nullptr ? std::vector<double>() : found->reals;
}

std::vector<std::string> NodeFacts::texts(const char* name) const {
  const Attribute* const found = find_of(name, Attribute::Kind::texts, "a list of texts");
  return found == nullptr ? std::vector<std::string>() : found->texts;
}

}  // namespace netcl::model
