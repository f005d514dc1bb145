// Formulas in which more than v0 ... v63 has a name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "expression/tree.hpp"

namespace netcl::expression {

// A name that stands for an input. Its index may lie above those of v0 ... v63.
struct NamedInput {
  std::string_view name;
  uint32_t index;
};

// What a formula may use: v0 ... v(inputs-1), and the names.
struct Vocabulary {
  uint32_t inputs = NETCL_ARGS_MAX;
  std::span<const NamedInput> names;
};

// Parses text as parse(text) does, with these names.
std::shared_ptr<const Tree> parse(const char* text, const Vocabulary& vocabulary);

// Whether a name means something in every expression: an input, a constant, a function, a cast.
bool is_word_of_language(std::string_view name);

}  // namespace netcl::expression
