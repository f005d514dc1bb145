// Any bytes as a formula: refused with the column (a long one with the limit), or a value or an
// error for each lookup.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "tune/formula.hpp"

static void require(bool held, const char* what, const char* message) {
  if (held) return;
  std::fprintf(stderr, "%s: %s\n", what, message);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace netcl::tune;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Value integer = int64_t{3}, real = 0.5, word = std::string("fast"), flag = true;
  const SpaceFormula::Lookup lookup = [&](const std::string& name) -> const Value* {
    return name == "X" ? &integer : name == "F" ? &real : name == "S" ? &word
         : name == "B" ? &flag : nullptr;
  };
  try {
    const SpaceFormula formula(text);
    require(formula.text() == text, "a formula that is not its text", "");
    for (int form = 0; form < 5; ++form) {
      try {
        if (form == 0) (void)formula.evaluate(lookup);
        if (form == 1) (void)formula.holds(lookup);
        if (form == 2) (void)formula.integer(lookup);
        if (form == 3) (void)formula.real(lookup);
        if (form == 4) require(formula.list(lookup, 64).size() <= 64, "a list too long", "");
      } catch (const netcl::Error& error) {
        require(error.status() == NETCL_ERROR_INVALID_ARGUMENT, "another error", error.what());
      }
    }
  } catch (const netcl::Error& error) {
    require(error.status() == NETCL_ERROR_INVALID_ARGUMENT, "another error", error.what());
    const char* const named = size > 8192 ? "the limit is 8192" : "column";
    require(error.message().find(named) != std::string::npos, "not named", error.what());
  }
  return 0;
}
