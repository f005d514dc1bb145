#include "backend/cpu/optimizer/optimizer_loops.hpp"

#include <cmath>

#include "backend/cpu/task_memory.hpp"

namespace netcl::cpu {

namespace {

// Elements that are converted at a time.
constexpr int64_t kBlock = 1024;

template <class T>
struct Blocks {
  T values[kGroupOperands][kBlock];
};

template <class T>
OptimizerFactors<T> factors_of(const OptimizerTask& task, double factor, double scale,
                               int64_t step) {
  const OptimizerNumbers& n = task.numbers;
  OptimizerFactors<double> f;
  f.learning_rate = n.learning_rate * factor;
  f.gradient = 1.0 / scale;
  f.momentum = f.kept = n.momentum;
  f.epsilon = n.epsilon;
  f.square_kept = n.beta2;
  f.square_share = 1.0 - n.beta2;
  if (task.kind.decoupled) {
    f.shrink = 1.0 - f.learning_rate * n.weight_decay;
  } else {
    f.decay = n.weight_decay;
  }
  const auto done = static_cast<double>(step);
  switch (task.kind.rule) {
    case OptimizerRule::sgd:
      f.share = 1.0 - n.dampening;
      if (n.dampening != 0 && step == 0) f.kept = 0, f.share = 1;
      break;
    case OptimizerRule::adam:
      f.share = 1.0 - n.beta1;
      // 1 - beta^steps, of which a beta close to 1 leaves few digits otherwise.
      f.learning_rate /= -std::expm1((done + 1) * std::log(n.beta1));
      f.root = 1.0 / std::sqrt(-std::expm1((done + 1) * std::log(n.beta2)));
      break;
    case OptimizerRule::rmsprop:
      f.share = 1.0 - n.beta2;
      break;
    case OptimizerRule::adagrad:
      f.learning_rate /= 1.0 + done * n.learning_rate_decay;
      break;
  }
  const auto as = [](double value) { return static_cast<T>(value); };
  return {as(f.learning_rate), as(f.gradient), as(f.decay),  as(f.shrink),
          as(f.momentum),      as(f.kept),     as(f.share),  as(f.square_kept),
          as(f.square_share),  as(f.root),     as(f.epsilon)};
}

template <class T>
void update_elements(const OptimizerTask& task, const OptimizerFactors<T>& factors, size_t e,
                     void* const* memory, int64_t first, int64_t last, Blocks<T>& blocks) {
  const GroupEntry& entry = task.entries[e];
  const bool mastered = entry.operands[kMaster].dtype != 0;
  const size_t target = mastered ? kMaster : kParameter;
  for (int64_t at = first; at < last; at += kBlock) {
    const int64_t count = std::min(kBlock, last - at);
    T* values[kGroupOperands] = {};
    for (size_t o = 0; o < kGroupOperands; ++o) {
      if (entry.operands[o].dtype == 0 || (mastered && o == kParameter)) continue;
      values[o] =
          group_load(entry.operands[o], memory[group_memory(e, o)], at, count, blocks.values[o]);
    }
    OptimizerRun<T> run{values[target], values[kGradient], {}, static_cast<size_t>(count)};
    std::copy_n(values + kState, kOptimizerStates, run.states);
    optimizer_update(task.kind, factors, run);
    for (size_t o = 0; o < kGroupOperands; ++o) {
      if (values[o] == nullptr || o == kGradient) continue;
      group_store(entry.operands[o], memory[group_memory(e, o)], at, count, values[o],
                  blocks.values[o]);
    }
    if (mastered) {
      scatter(entry.operands[kParameter].dtype, memory[group_memory(e, kParameter)], 0,
              entry.operands[kParameter].layout, at, count, values[kMaster]);
    }
  }
}

template <class T>
void update_all(const OptimizerTask& task, const OptimizerFactors<T>& factors, void* const* memory,
                ThreadPool& threads) {
  const GroupChunks chunks(task.entries);
  parallel_for_tasks<Blocks<T>>(
      threads, chunks.count(), chunks.grain(), [&](int64_t from, int64_t to, Blocks<T>& blocks) {
        for (int64_t chunk = from; chunk < to; ++chunk) {
          chunks.visit(task.entries, chunk, [&](size_t e, int64_t first, int64_t last) {
            update_elements(task, factors, e, memory, first, last, blocks);
          });
        }
      });
}

}  // namespace

void optimizer_step(const OptimizerTask& task, void* const* memory, ThreadPool& threads) {
  void* const* const own = memory + task.entries.size() * kGroupOperands;
  const auto number = [&](OptimizerControl control, int64_t at, double otherwise) {
    return at < 0 ? otherwise : double{static_cast<const float*>(own[control])[at]};
  };
  const OptimizerControls& controls = task.controls;
  if (number(kFoundInf, controls.found_inf, 0.0) != 0.0) return;
  const double factor = number(kFactor, controls.factor, 1.0);
  const double scale = number(kScale, controls.scale, 1.0);
  int64_t* const step =
      controls.step < 0 ? nullptr : static_cast<int64_t*>(own[kStep]) + controls.step;
  const int64_t done = step == nullptr ? 0 : *step;
  if (task.f64) {
    update_all(task, factors_of<double>(task, factor, scale, done), memory, threads);
  } else {
    update_all(task, factors_of<float>(task, factor, scale, done), memory, threads);
  }
  if (step != nullptr) *step = static_cast<int64_t>(static_cast<uint64_t>(done) + 1);
}

}  // namespace netcl::cpu
