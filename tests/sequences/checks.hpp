// What is checked beside the values of a call.
#pragma once

#include <vector>

#include "netcl.h"
#include "state.hpp"

namespace sequences {

constexpr unsigned char kPoison = 0xA5;
constexpr uint64_t kPoisonWord = 0xA5A5A5A5A5A5A5A5u;

// The last error before a call.
constexpr char kBefore[] = "the error before this call";

extern thread_local bool hook_ran;

// A status that the header has, with a message that is one line of UTF-8 and is about it.
void check_error(const char* function, int32_t status, const netcl_error_info& info);

bool is_destroy(const Node& node);
// Says what has to be true of a token in the end.
void expect_destroyed(void* token, bool destroyed);

}  // namespace sequences
