// A C++ host without exceptions around the static library. It brings its own weak symbols of the
// standard library, built with other flags, and must share none of them with the library.
#include <netcl.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

// The library's throws must not land here, and its own operator new must not be replaced.
static unsigned long allocations = 0;

void* operator new(std::size_t size) {
  ++allocations;
  return __builtin_malloc(size);
}
void operator delete(void* pointer) noexcept { __builtin_free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { __builtin_free(pointer); }

int main() {
  std::map<std::string, std::vector<int>> own;
  for (int i = 0; i < 100; ++i) {
    own[std::to_string(i % 10) + " is a long key of the host"].push_back(i);
  }
  const unsigned long before = allocations;
  int failures = own.size() == 10 ? 0 : 1;
  for (int i = 0; i < 1000; ++i) {
    netcl_expression* expression = nullptr;
    const std::string bad(static_cast<std::size_t>(i % 50) + 1, '(');
    if (netcl_expression_create(bad.c_str(), &expression) != NETCL_ERROR_INVALID_ARGUMENT) {
      ++failures;
    }
    if (netcl_last_error_message()[0] == '\0') ++failures;
    if (netcl_expression_create("v0 * 2 + 1", &expression) != NETCL_OK) ++failures;
    netcl_expression_release(expression);
  }
  uint64_t live = 1;
  if (netcl_library_get_live_count(NETCL_HANDLE_EXPRESSION, &live) != NETCL_OK || live != 0) {
    ++failures;
  }
  // Only the texts that the loop itself makes may have come from the host's operator new.
  if (allocations - before > 1000) ++failures;
  std::printf("C++ host without exceptions: %d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
