// The probes of the built-in device.
#include <algorithm>

#include "backend/cpu/ceilings_kernels.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "roofline/probes.hpp"

namespace netcl::roofline {

namespace {

using netcl::cpu::CeilingKernels;
using netcl::cpu::kCeilingGrain;
using netcl::cpu::ThreadPool;

// Results of threads lie so far apart that they do not fight for a cache line.
constexpr size_t kApart = 256;

template <class Function>
double timed(Function&& function) {
  const uint64_t begin = monotonic_ns();
  function();
  return static_cast<double>(monotonic_ns() - begin);
}

template <class T>
Limit compute(ThreadPool& threads, netcl_dtype dtype, double (*kernel)(int64_t, T*)) {
  Limit limit{NETCL_CEILING_COMPUTE};
  limit.dtype = dtype;
  limit.weight = 3.0;
  const auto values = std::make_shared<std::vector<unsigned char>>(threads.thread_count() * kApart);
  limit.ways.push_back(
      {format("multiply-adds, dtype %d", dtype), [&threads, kernel, values](uint64_t passes) {
         Timed run;
         std::vector<double> done(threads.thread_count(), 0.0);
         run.ns = timed([&] {
           threads.parallel_for(threads.thread_count(), 1, [&](int64_t first, int64_t) {
             const size_t at = static_cast<size_t>(first);
             T* const out = reinterpret_cast<T*>(values->data() + at * kApart);
             done[at] = kernel(static_cast<int64_t>(64 * passes), out);
           });
         });
         for (const double operations : done) run.amount += operations;
         return run;
       }});
  return limit;
}

// Reads, writes or copies `bytes` of the memory. For a cache each thread has one part of it and
// stays there for all passes.
Limit access(ProbeDevice& probes, netcl_ceiling_kind kind, uint64_t working_set, bool stream) {
  const CeilingKernels& kernels = netcl::cpu::ceiling_kernels();
  ThreadPool& threads = probes.device().backend().threads();
  const bool memory = working_set == 0;
  const int access = memory ? kind - NETCL_CEILING_MEMORY_READ : kind - NETCL_CEILING_CACHE_READ;
  const uint64_t all = memory ? probes.memory().bytes() : working_set;
  const bool copies = access == 2;
  const auto count = static_cast<int64_t>((copies ? all / 2 : all) / sizeof(float));
  auto* const x = static_cast<float*>(probes.memory().host_pointer());
  float* const y = x + (copies ? probes.half_bytes() / sizeof(float) : 0);
  int64_t grain = int64_t{1} << 18;
  if (!memory) {
    const int64_t parts = threads.thread_count();
    grain = std::max((count / parts + kCeilingGrain - 1) / kCeilingGrain, int64_t{1});
    grain *= kCeilingGrain;
  }
  Limit limit{kind};
  limit.working_set = working_set;
  limit.weight = memory ? 4.0 : 1.0;
  const auto sums = std::make_shared<std::atomic<float>>(0.0f);
  limit.ways.push_back(
      {format("access %d to %llu bytes%s", access, static_cast<unsigned long long>(all),
              stream ? " past the caches" : ""),
       [&threads, &kernels, x, y, count, grain, access, copies, stream, sums](uint64_t passes) {
         const auto times = static_cast<int64_t>(passes);
         Timed run;
         run.ns = timed([&] {
           threads.parallel_for(count, grain, [&](int64_t first, int64_t last) {
             const int64_t n = last - first;
             if (access == 0) sums->store(kernels.read(x + first, n, times));
             if (access == 1) kernels.write(1.25f, stream, y + first, n, times);
             if (access == 2) kernels.copy(x + first, stream, y + first, n, times);
           });
         });
         run.amount = static_cast<double>(count) * sizeof(float) * (copies ? 2.0 : 1.0) *
                      static_cast<double>(passes);
         return run;
       }});
  return limit;
}

}  // namespace

std::vector<Limit> native_limits(ProbeDevice& probes) {
  const CeilingKernels& kernels = netcl::cpu::ceiling_kernels();
  ThreadPool& threads = probes.device().backend().threads();
  std::vector<Limit> all;
  all.push_back(compute(threads, NETCL_F32, kernels.compute_f32));
  all.push_back(compute(threads, NETCL_F64, kernels.compute_f64));
  all.push_back(compute(threads, NETCL_I32, kernels.compute_i32));
  for (int i = 0; i < 3; ++i) {
    Limit limit = access(probes, NETCL_CEILING_MEMORY_READ + i, 0, false);
    if (i > 0) {
      Limit past = access(probes, NETCL_CEILING_MEMORY_READ + i, 0, true);
      limit.ways.push_back(std::move(past.ways[0]));
    }
    all.push_back(std::move(limit));
  }
  for (const uint64_t bytes : kWorkingSets) {
    if (bytes > probes.memory().bytes()) break;
    for (int i = 0; i < 3; ++i) {
      all.push_back(access(probes, NETCL_CEILING_CACHE_READ + i, bytes, false));
    }
  }
  return all;
}

}  // namespace netcl::roofline
