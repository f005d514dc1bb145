// Any bytes given as a file of ceilings: an error with a message, or rows that survive being
// written and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "roofline/ceilings.hpp"

// A broken promise stops the fuzzer, which keeps the input.
static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace netcl;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  roofline::CeilingTable table;
  try {
    table = roofline::from_json(text, "the input");
  } catch (const Error& error) {
    require(error.status() == NETCL_ERROR_CORRUPT_DATA, "an error other than CORRUPT_DATA");
    require(std::strstr(error.what(), "the input") != nullptr, "an error that does not say where");
    return 0;
  }
  const std::string written = roofline::to_json(table);
  require(roofline::to_json(roofline::from_json(written, "the output")) == written,
          "what was written reads differently");
  return 0;
}
