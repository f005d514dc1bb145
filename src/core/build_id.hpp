// What this build was made from.
#pragma once

namespace netcl {

// 32 hexadecimal digits, the same for the library and the worker of one build and no other.
const char* build_id() noexcept;

}  // namespace netcl
