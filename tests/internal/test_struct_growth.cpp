// A struct that has grown since its first release, as the interface reads and writes it. Today's
// structs are tried with the callers of every function in test_options and its like; here one grows
// by two members, which no released struct has to do for the test.
#include "api/structs.hpp"

extern "C" {
#include "support.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;

namespace {

struct First {
  size_t struct_size;
  uint32_t mode, reserved;
};
struct Grown {
  size_t struct_size;
  uint32_t mode, reserved;
  double alpha;
  const void* table;
};
struct Later {
  Grown grown;
  uint64_t unknown;
};

}  // namespace

template <>
inline constexpr size_t netcl::api::kFirstSize<Grown> = sizeof(First);
template <>
inline constexpr const char* netcl::api::kStructName<Grown> = "Grown";

namespace {

// The status of reading a struct, and what was read.
netcl_status read(const void* given, Grown* read) {
  try {
    *read = api::read_options(static_cast<const Grown*>(given), "options");
  } catch (const Error& error) {
    return error.status();
  }
  return NETCL_OK;
}

// What is said of a size that is refused.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return std::string();
}

void sizes_in_messages(void**) {
  Grown given = {};
  const auto read_it = [&] { (void)api::read_struct(&given, "options"); };
  const auto check_it = [&] { api::check_info(&given, "info"); };
  const auto read_none = [] { (void)api::read_struct<Grown>(nullptr, "options"); };
  assert_string_equal(refusal(read_none).c_str(), "options is NULL; a Grown is needed");
  given.struct_size = 15;
  assert_string_equal(refusal(read_it).c_str(),
                      "options->struct_size is 15; sizeof the struct is 32, and 16 the least that "
                      "is accepted");
  given.struct_size = 65537;
  assert_string_equal(refusal(read_it).c_str(),
                      "options->struct_size is 65537; sizeof the struct is 32, and 65536 the most "
                      "that is accepted");
  assert_string_equal(refusal(check_it).c_str(),
                      "info->struct_size is 65537; sizeof the struct is 32, and 65536 the most "
                      "that is accepted");
  given.struct_size = 7;
  assert_string_equal(refusal(check_it).c_str(),
                      "info->struct_size is 7; sizeof the struct is 32, and 8 the least that is "
                      "accepted");
}

void older_callers(void**) {
  const Grown whole = {sizeof(Grown), 7, 0, 0.5, &whole};
  Grown got;
  // With heap memory of its very size a sanitizer sees what is read past the end.
  for (size_t size = sizeof(First); size <= sizeof(Grown); size += 8) {
    auto* given = static_cast<unsigned char*>(malloc(size));
    memcpy(given, &whole, size);
    memcpy(given, &size, sizeof size);
    memset(&got, POISON, sizeof got);
    assert_int_equal(read(given, &got), NETCL_OK);
    assert_int_equal(got.struct_size, sizeof(Grown));
    assert_int_equal(got.mode, 7);
    assert_true(got.alpha == (size > sizeof(First) ? 0.5 : 0.0));
    assert_ptr_equal(got.table, size == sizeof(Grown) ? &whole : nullptr);
    free(given);
  }
  for (size_t size = 0; size < sizeof(First); ++size) {
    First given = {size, 7, 0};
    assert_int_equal(read(&given, &got), NETCL_ERROR_INVALID_ARGUMENT);
  }
  assert_int_equal(read(nullptr, &got), NETCL_OK);
  assert_int_equal(got.struct_size, sizeof(Grown));
  assert_int_equal(got.mode, 0);
}

void newer_callers(void**) {
  Later given = {{sizeof(Later), 7, 0, 0.5, nullptr}, 0};
  Grown got;
  assert_int_equal(read(&given, &got), NETCL_OK);
  assert_int_equal(got.struct_size, sizeof(Grown));
  assert_true(got.alpha == 0.5);
  given.unknown = uint64_t{1} << 63;
  assert_int_equal(read(&given, &got), NETCL_ERROR_UNSUPPORTED);
  given.grown.struct_size = api::kStructMax + 1;
  assert_int_equal(read(&given, &got), NETCL_ERROR_INVALID_ARGUMENT);
}

void information_for_older_and_newer_callers(void**) {
  const Grown full = {sizeof(Grown), 7, 0, 0.5, &full};
  unsigned char given[sizeof(Later) + 8];
  for (size_t size = sizeof(size_t); size <= sizeof(Later); ++size) {
    memset(given, POISON, sizeof given);
    memcpy(given, &size, sizeof size);
    auto* info = reinterpret_cast<Grown*>(given);
    api::check_info(info, "info");
    api::write_info(info, full);
    assert_int_equal(info->struct_size, size);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&full);
    for (size_t at = sizeof(size_t); at < sizeof given; ++at) {
      const unsigned wanted = at >= size ? POISON : at >= sizeof(Grown) ? 0 : bytes[at];
      assert_int_equal(given[at], wanted);
    }
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(sizes_in_messages),
      cmocka_unit_test(older_callers),
      cmocka_unit_test(newer_callers),
      cmocka_unit_test(information_for_older_and_newer_callers),
  };
  return cmocka_run_group_tests_name("struct_growth", tests, nullptr, nullptr);
}
