// What a message takes of a build log: the line that says what is wrong.
#include "core/error.hpp"
#include "kernel/program_cache.hpp"

extern "C" {
#include "support.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;

namespace {

void lines(void**) {
  static const struct {
    const char *log, *wanted;
  } kCases[] = {
      {"", ""},
      {" \n\n", ""},
      {"out of registers", "out of registers"},
      {"\n\r\n  out of registers \r\nmore\n", "out of registers"},
      {"in file a.cl\na.cl:3:1: error: no thing\nnote: here", "a.cl:3:1: error: no thing"},
      {"Error(s) while linking:\nCannot find symbol f in the library\n",
       "Error(s) while linking: Cannot find symbol f in the library"},
      {"Error(s) while linking: \r\n\r\n  Cannot find symbol f\r\nCannot find symbol g",
       "Error(s) while linking: Cannot find symbol f"},
      {"the linker found an error:\nno f\n", "the linker found an error: no f"},
      {"Error(s) while linking:\n\n", "Error(s) while linking:"},
      {"Error(s) while linking:", "Error(s) while linking:"},
  };
  for (const auto& one : kCases) {
    const std::string got = error_line(one.log);
    CHECK(got == one.wanted, "\"%s\" is read as \"%s\"", one.log, got.c_str());
  }
  assert_int_equal(error_line("errors:\n" + std::string(1000, 'x')).size(), 400);
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(lines)};
  return cmocka_run_group_tests_name("error_line", tests, nullptr, nullptr);
}
