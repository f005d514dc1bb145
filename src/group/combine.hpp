// Joining what comes from the ranks: an elementwise expression over as many inputs as there are
// ranks, which the loops of the built-in device compute.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "backend/cpu/elementwise/evaluate.hpp"
#include "core/lru.hpp"
#include "netcl.h"

namespace netcl::group {

// The expression of so many inputs, joined from the first to the last.
std::string joined_text(netcl_reduction kind, netcl_dtype dtype, size_t sources);

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
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    size_t operator()(const Key& key) const noexcept {
      return (key.sources << 8) + (static_cast<size_t>(key.dtype) << 4) +
             static_cast<size_t>(key.kind);
    }
  };
  const netcl::cpu::Evaluation& evaluation(const Key& key);

  LruCache<Key, std::unique_ptr<netcl::cpu::Evaluation>, HashOfKey> known_{64};
};

}  // namespace netcl::group
