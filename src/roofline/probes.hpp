// The probes behind ceilings: what is run, and how its times become a figure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "device/device.hpp"

namespace netcl::roofline {

// One run of a probe: bytes moved, operations done or commands run in some time.
struct Timed {
  double amount = 0;
  double ns = 0;
};

// One way to reach a limit: a kernel, a vector width, a number of items.
struct Way {
  std::string name;
  std::function<Timed(uint64_t passes)> run;
};

// A limit and the ways to it, the best of which counts.
struct Limit {
  netcl_ceiling_kind kind = 0;
  netcl_dtype dtype = 0;
  uint64_t working_set = 0;
  double weight = 1.0;  // its share of the budget
  bool repeats = true;  // more passes take more time
  std::vector<Way> ways{};
};

// Queues and memory of the probes on a device. They are the probes' own, so that no queue of the
// caller changes and no profile sees them.
class ProbeDevice {
 public:
  ProbeDevice(Device& device, uint64_t budget_ns);
  ProbeDevice(const ProbeDevice&) = delete;
  ProbeDevice& operator=(const ProbeDevice&) = delete;

  Device& device() const noexcept { return device_; }
  // The memory that probes read and write, a power of two of bytes in two halves.
  backend::Buffer& memory() const noexcept { return *memory_; }
  const backend::BufferRef& shared_memory() const noexcept { return memory_; }
  uint64_t half_bytes() const noexcept { return memory_->bytes() / 2; }

  // Enqueues one command and waits for it; its time on the device.
  using Enqueue = std::function<void(backend::Stream&, backend::EventRef*)>;
  double time_on_device(const Enqueue& enqueue);
  // Enqueues commands without times and waits for them; the time on the host.
  double time_on_host(const std::function<void(backend::Stream&)>& enqueue);

 private:
  void wait(backend::Event& event);

  Device& device_;
  std::unique_ptr<backend::Stream> plain_;
  std::unique_ptr<backend::Stream> profiled_;
  backend::BufferRef memory_;
};

// The limits of caches are measured with these working sets, as far as the memory goes.
inline constexpr uint64_t kWorkingSets[] = {
    uint64_t{64} << 10, uint64_t{256} << 10, uint64_t{1} << 20,  uint64_t{4} << 20,
    uint64_t{16} << 20, uint64_t{64} << 20,  uint64_t{256} << 20};

// The limits of a device in the order in which they are best measured. They refer to `probes`.
std::vector<Limit> kernel_limits(ProbeDevice& probes);   // of an OpenCL device
std::vector<Limit> native_limits(ProbeDevice& probes);   // of the built-in device
std::vector<Limit> command_limits(ProbeDevice& probes);  // launches and transfers, of any device

// Builds the kernels of a limit, so that no budget is spent on a compiler.
void prepare(const Limit& limit);

// Runs the ways to a limit for about `budget_ns`, each of them twice at least and the best one five
// times after a first run that does not count. When no way works, the row has no value, and
// `problem` receives why.
netcl_ceiling measure_limit(const Limit& limit, double budget_ns, std::string* problem);

}  // namespace netcl::roofline
