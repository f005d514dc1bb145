// A graph made from a function of the host. What the function records for inputs of some dtypes and
// shapes is compiled, which gives a form, and kept to be run again.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "core/lru.hpp"
#include "graph/graph.hpp"

namespace netcl::graph {

class GraphFunction {
 public:
  virtual ~GraphFunction() = default;
  // Records calls into a capture, and gives `count` values of it. `bound` is that of form().
  virtual std::vector<TensorRef> record(const GraphRef& capture, std::span<const TensorRef> inputs,
                                        uint32_t count, std::string_view bound) const = 0;
};

struct FormsOptions {
  uint32_t outputs = 0;
  size_t most = 16;
  bool fuse = true;
  bool may_ignore = false;  // inputs
};

class Forms {
 public:
  Forms(DeviceRef device, std::unique_ptr<const GraphFunction> function, FormsOptions options);
  ~Forms();

  const FormsOptions& options() const noexcept { return options_; }
  // The form for such inputs, which is made where there is none. Calls the function without a lock.
  // `bound` is what else a form depends on, such as values that the function was told.
  CompiledGraphRef form(std::span<const TensorRef> inputs, std::string_view bound = {});
  void clear() noexcept;

  // The forms that are kept, beginning with the one that was used last.
  std::vector<CompiledGraphRef> kept() const;
  // Those that are being compiled, as far as they are known.
  std::vector<CompiledGraphRef> under_way() const;

 private:
  // A form that some thread makes. What changes is guarded by the mutex of all.
  struct Flight {
    GraphRef capture;
    CompiledGraphRef made;
    // A copy for each who waits: an exception that threads share is freed by the last of them.
    std::optional<Error> failure;
    bool over = false;
    uint64_t clears = 0;  // it is kept where none came since
  };
  using FlightRef = std::shared_ptr<Flight>;

  void check_inputs(std::span<const TensorRef> inputs) const;
  CompiledGraphRef wait_for(const FlightRef& flight, std::unique_lock<std::mutex>* lock);
  CompiledGraphRef make(const std::string& key, const FlightRef& flight,
                        std::span<const TensorRef> inputs, std::string_view bound);
  CompiledGraphRef record(Flight* flight, std::span<const TensorRef> inputs,
                          std::string_view bound);
  void land(const std::string& key, const FlightRef& flight, CompiledGraphRef made,
            std::optional<Error> failure);

  const DeviceRef device_;
  const std::unique_ptr<const GraphFunction> function_;
  const FormsOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable over_;
  uint64_t clears_ = 0;
  LruCache<std::string, CompiledGraphRef> kept_;
  std::unordered_map<std::string, FlightRef> flights_;
};

}  // namespace netcl::graph
