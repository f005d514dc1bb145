// What a late rank has to do with memory: a call of a group that works on memory keeps calls of
// other threads from the same bytes while it waits for the other ranks.
#pragma once

#include "core/error.hpp"
#include "core/function_ref.hpp"

namespace netcl::group {

// Calls what waits for other ranks while it has memory. Where one is late, and another call of this
// process waits for that memory, the error says so: these two may have come in another order there.
inline void wait_with_memory(FunctionRef<void()> wait, FunctionRef<bool()> awaited) {
  try {
    wait();
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_TIMEOUT || !awaited()) throw;
    throw Error(NETCL_ERROR_TIMEOUT,
                format("%s; another call of this process waits for bytes that this one uses: calls "
                       "of groups on the same bytes come in the same order on all ranks",
                       error.what()),
                error.native_code());
  }
}

}  // namespace netcl::group
