#include "backend/cpu/optimizer/scaling_loops.hpp"

#include <cmath>
#include <limits>

#include "backend/cpu/task_memory.hpp"

namespace netcl::cpu {

namespace {

// Elements that are converted at a time.
constexpr int64_t kScalingBlock = 1024;

template <class T>
struct Block {
  T values[kScalingBlock];
};

// Calls function(chunk, T*, count) for packed elements of each chunk, in their order within it.
// What it changes is written back with `writes`.
template <class T, class Function>
void visit_elements(const std::vector<GroupEntry>& entries, void* const* memory, bool writes,
                    ThreadPool& threads, const Function& function) {
  const GroupChunks chunks(entries);
  const auto visit = [&](int64_t chunk, Block<T>& block) {
    chunks.visit(entries, chunk, [&](size_t e, int64_t first, int64_t last) {
      const GroupOperand& operand = entries[e].operands[0];
      void* const data = memory[group_memory(e, 0)];
      for (int64_t at = first; at < last; at += kScalingBlock) {
        const int64_t count = std::min(kScalingBlock, last - at);
        T* const values = group_load(operand, data, at, count, block.values);
        function(chunk, values, count);
        if (writes) group_store(operand, data, at, count, values, block.values);
      }
    });
  };
  parallel_for_tasks<Block<T>>(threads, chunks.count(), chunks.grain(),
                               [&](int64_t from, int64_t to, Block<T>& block) {
                                 for (int64_t c = from; c < to; ++c) visit(c, block);
                               });
}

// The sum of squares of numbers / divisor. It has several parts, which a compiler may do at once.
template <class T>
double squares(const T* values, int64_t count, double divisor) {
  constexpr int64_t kParts = 8;
  double parts[kParts] = {};
  const auto square = [divisor](T value) {
    const double x = divisor == 1 ? value : value / divisor;
    return x * x;
  };
  int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (int64_t k = 0; k < kParts; ++k) parts[k] += square(values[i + k]);
  }
  for (; i < count; ++i) parts[i % kParts] += square(values[i]);
  return ((parts[0] + parts[1]) + (parts[2] + parts[3])) +
         ((parts[4] + parts[5]) + (parts[6] + parts[7]));
}

// The sums of chunks are added in their order, so that threads do not change the bits; what single
// additions lose is kept. What is not finite stays plain.
double added(const double* sums, int64_t count) {
  double sum = 0, lost = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double addend = sums[i] - lost;
    const double next = sum + addend;
    lost = std::isfinite(next) ? (next - sum) - addend : 0.0;
    sum = next;
  }
  return sum;
}

template <class T>
double sum_of_squares(const std::vector<GroupEntry>& entries, void* const* memory, double divisor,
                      ThreadPool& threads) {
  const int64_t count = GroupChunks(entries).count();
  const ScratchArray<double> sums(threads, static_cast<size_t>(count));
  std::fill_n(sums.data(), count, 0.0);
  visit_elements<T>(entries, memory, false, threads, [&](int64_t chunk, T* values, int64_t n) {
    sums.data()[chunk] += squares(values, n, divisor);
  });
  return added(sums.data(), count);
}

double largest(const std::vector<GroupEntry>& entries, void* const* memory, ThreadPool& threads) {
  const int64_t count = GroupChunks(entries).count();
  const ScratchArray<double> most(threads, static_cast<size_t>(count));
  std::fill_n(most.data(), count, 0.0);
  visit_elements<double>(entries, memory, false, threads,
                         [&](int64_t chunk, double* values, int64_t n) {
                           double& own = most.data()[chunk];
                           for (int64_t i = 0; i < n; ++i)
                             own = std::max(own, std::fabs(values[i]));
                         });
  return count == 0 ? 0.0 : *std::max_element(most.data(), most.data() + count);
}

template <class T>
double norm_of(const std::vector<GroupEntry>& entries, void* const* memory, ThreadPool& threads) {
  const double sum = sum_of_squares<T>(entries, memory, 1.0, threads);
  if constexpr (std::is_same_v<T, double>) {
    // Squares of f64 may have left the range, and those of f32 have not.
    if (!std::isnan(sum) && (sum < 0x1p-900 || std::isinf(sum))) {
      const double most = largest(entries, memory, threads);
      if (most == 0.0 || std::isinf(most)) return most;
      return most * std::sqrt(sum_of_squares<T>(entries, memory, most, threads));
    }
  }
  return std::sqrt(sum);
}

template <class T>
void multiply(const std::vector<GroupEntry>& entries, T factor, void* const* memory,
              ThreadPool& threads) {
  visit_elements<T>(entries, memory, true, threads, [factor](int64_t, T* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) values[i] *= factor;
  });
}

bool computed_in_f64(const std::vector<GroupEntry>& entries) {
  return !entries.empty() && entries[0].operands[0].dtype == NETCL_F64;
}

template <class T>
bool unscale_as(const std::vector<GroupEntry>& entries, const float* scale, void* const* memory,
                ThreadPool& threads) {
  std::atomic<bool> found{false};
  const T factor = scale == nullptr ? T(1) : static_cast<T>(1.0 / double{*scale});
  visit_elements<T>(entries, memory, scale != nullptr, threads,
                    [&](int64_t, T* values, int64_t count) {
                      bool bad = false;
                      for (int64_t i = 0; i < count; ++i) {
                        bad = bad || !(std::fabs(values[i]) <= std::numeric_limits<T>::max());
                      }
                      if (bad) found.store(true, std::memory_order_relaxed);
                      if (scale == nullptr) return;
                      for (int64_t i = 0; i < count; ++i) values[i] *= factor;
                    });
  return found.load(std::memory_order_relaxed);
}

}  // namespace

double clip_by_norm(const std::vector<GroupEntry>& entries, double max_norm, void* const* memory,
                    ThreadPool& threads) {
  const bool wide = computed_in_f64(entries);
  const double norm =
      wide ? norm_of<double>(entries, memory, threads) : norm_of<float>(entries, memory, threads);
  const double factor = max_norm / (norm + 1e-6);
  if (factor >= 1.0) return norm;
  if (wide) {
    multiply(entries, factor, memory, threads);
  } else {
    multiply(entries, static_cast<float>(factor), memory, threads);
  }
  return norm;
}

bool unscale(const std::vector<GroupEntry>& entries, const float* scale, void* const* memory,
             ThreadPool& threads) {
  return computed_in_f64(entries) ? unscale_as<double>(entries, scale, memory, threads)
                                  : unscale_as<float>(entries, scale, memory, threads);
}

void update_loss_scale(const LossScaleRule& rule, float found_inf, float* scale, int64_t* tracker) {
  if (found_inf != 0.0f) {
    *scale *= static_cast<float>(rule.backoff_factor);
    *tracker = 0;
    return;
  }
  const int64_t clean = static_cast<int64_t>(static_cast<uint64_t>(*tracker) + 1);
  *tracker = clean == rule.growth_interval ? 0 : clean;
  const float grown = *scale * static_cast<float>(rule.growth_factor);
  if (clean == rule.growth_interval && std::isfinite(grown)) *scale = grown;
}

}  // namespace netcl::cpu
