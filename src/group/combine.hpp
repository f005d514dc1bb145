// Joining what comes from the ranks: an elementwise expression over as many inputs as there are
// ranks, which the loops of the built-in device compute.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "backend/cpu/elementwise/evaluate.hpp"
#include "netcl.h"

namespace netcl::group {

class Combine {
 public:
  // out = sources joined in their order; `out` may be one of them. Packed elements.
  void run(netcl_dtype dtype, netcl_reduction kind, std::span<const void* const> sources, void* out,
           int64_t count);

 private:
  struct Key {
    netcl_dtype dtype;
    netcl_reduction kind;
    size_t sources;
    auto operator<=>(const Key&) const = default;
  };
  const netcl::cpu::Evaluation& evaluation(const Key& key);

  std::map<Key, std::unique_ptr<netcl::cpu::Evaluation>> known_;
};

}  // namespace netcl::group
