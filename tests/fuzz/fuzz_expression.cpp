// Any text either is refused with a message that names the trouble, or parses, and then its
// canonical text parses to an expression with the same canonical text and arity.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "netcl.h"

namespace {

// A failure must stop the fuzzer, whatever the build type.
void require(bool condition) {
  if (!condition) std::abort();
}

std::string text_of(const netcl_expression* expression) {
  size_t length = 0;
  require(netcl_expression_get_text(expression, nullptr, 0, &length) == NETCL_OK);
  std::vector<char> buffer(length + 1, 'x');
  require(netcl_expression_get_text(expression, buffer.data(), buffer.size(), nullptr) == NETCL_OK);
  require(buffer[length] == 0 && std::strlen(buffer.data()) == length);
  return std::string(buffer.data(), length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  netcl_expression* expression = nullptr;
  const netcl_status status = netcl_expression_create(input.c_str(), &expression);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_INVALID_ARGUMENT && expression == nullptr);
    require(netcl_last_error_message()[0] != 0);
    return 0;
  }
  uint32_t arity = 0;
  require(netcl_expression_get_arity(expression, &arity) == NETCL_OK && arity <= NETCL_ARGS_MAX);
  const std::string canonical = text_of(expression);
  for (const char c : canonical) require(c >= ' ' && c <= '~');
  netcl_expression* again = nullptr;
  require(netcl_expression_create(canonical.c_str(), &again) == NETCL_OK);
  uint32_t arity_again = 0;
  require(netcl_expression_get_arity(again, &arity_again) == NETCL_OK && arity_again == arity);
  require(text_of(again) == canonical);
  netcl_expression_release(again);
  netcl_expression_release(expression);
  uint64_t live = 1;
  require(netcl_library_get_live_count(NETCL_HANDLE_EXPRESSION, &live) == NETCL_OK && live == 0);
  return 0;
}
