// A block interpreter: every op runs over a block of values that stays in the first-level cache.
// Blocks are so short that the processor reads the next one while it still computes this one.
// Contiguous operands are used in place, others are gathered into a block first; those that are
// transposed for several blocks at once, by tiles, so that a cache line is read once.
#include "backend/cpu/elementwise/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/elementwise/evaluate_walk.hpp"
#include "backend/cpu/elementwise/evaluate_work.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "core/small_array.hpp"

namespace netcl::cpu {

namespace {

// The least work of one call of a piece, in blocks: it pays for the constants of the piece.
constexpr int64_t kPieceBlocks = 128;

// Slots of one power of two apart would fight for the same lines of a cache.
constexpr size_t kSkew = 2 * kCacheLine;

template <class T>
void fill_block(std::byte* slot, uint64_t bits, int64_t count) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  std::fill_n(reinterpret_cast<T*>(slot), count, value);
}

}  // namespace

void Evaluation::fill_constants(const Work& work, std::byte* scratch, size_t slot_bytes,
                                int64_t block) const {
  for (const Constant& constant : constants_) {
    std::byte* const slot = scratch + constant.slot * slot_bytes;
    uint64_t bits = constant.bits;
    if (constant.input != kNoNode) {
      const EvaluateOperand& input = work.inputs[constant.input];
      std::memcpy(&bits, address(input, input.layout->offset, constant.size), constant.size);
    }
    switch (constant.size) {
      case 1:
        fill_block<uint8_t>(slot, bits, block);
        break;
      case 2:
        fill_block<uint16_t>(slot, bits, block);
        break;
      case 4:
        fill_block<uint32_t>(slot, bits, block);
        break;
      default:
        fill_block<uint64_t>(slot, bits, block);
    }
  }
}

// A run along the last dimension, from the element at `position` on.
void Evaluation::write_run(const Work& work, size_t output, const void* result, int64_t position,
                           int64_t n, std::span<const void* const> ahead) const {
  const size_t size = outputs_[output].size;
  std::byte* const target = address(work.outputs[output], position, size);
  if (outputs_[output].access == Access::contiguous) {
    const size_t bytes = static_cast<size_t>(n) * size;
    if (work.streams(output)) {
      stream_copy(target, result, bytes, ahead);
    } else if (target != result) {
      // memmove, because a copy onto itself is allowed.
      std::memmove(target, result, bytes);
    }
    return;
  }
  const Layout& layout = *work.outputs[output].layout;
  copy_run(target, layout.strides[layout.rank - 1], result, 1, n, size);
}

// A block from the element of linear index `first` on.
void Evaluation::write_block(const Work& work, size_t output, const void* result, int64_t first,
                             int64_t n, std::span<const void* const> ahead) const {
  const Layout& target = *work.outputs[output].layout;
  if (outputs_[output].access == Access::contiguous) {
    return write_run(work, output, result, target.offset + first, n, ahead);
  }
  const size_t size = outputs_[output].size;
  const uint32_t last = target.rank - 1;
  const int64_t across = last > 0 ? target.strides[last - 1] : 0;
  walk_rows(target, first, n, [&](int64_t place, int64_t done, int64_t rows, int64_t count) {
    const auto* const values = static_cast<const std::byte*>(result);
    copy_rows(address(work.outputs[output], place, size), across, target.strides[last],
              values + static_cast<size_t>(done) * size, count, 1, rows, count, size);
  });
}

void Evaluation::run_instructions(void* const* places, int64_t n) const {
  for (const Instruction& instruction : instructions_) {
    const void* const in[3] = {places[instruction.in[0]], places[instruction.in[1]],
                               places[instruction.in[2]]};
    instruction.function(places[instruction.out], in, static_cast<size_t>(n));
  }
}

void Evaluation::run_block(const Work& work, void** places, int64_t first, int64_t n) const {
  // What the block after the next reads, fetched while this one's result is written: the
  // processor's own prefetching rests meanwhile, and stops at each page. The next one's would come
  // too late.
  std::array<const void*, kFetched> ahead;
  size_t fetched = 0;
  for (size_t p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    if (place.kind == Place::slot) continue;
    const bool reads = place.kind == Place::input;
    if (!reads && work.streams(place.index)) continue;
    const EvaluateOperand& operand = (reads ? work.inputs : work.outputs)[place.index];
    places[p] = address(operand, operand.layout->offset + first,
                        reads ? input_sizes_[place.index] : outputs_[place.index].size);
    if (reads && fetched < ahead.size()) {
      ahead[fetched++] = static_cast<const std::byte*>(places[p]) +
                         2 * static_cast<size_t>(n) * input_sizes_[place.index];
    }
  }
  for (const Gather& gather : gathers_) {
    const EvaluateOperand& input = work.inputs[gather.input];
    const size_t size = input_sizes_[gather.input];
    std::byte* const slot = static_cast<std::byte*>(places[gather.place]);
    const Layout& layout = *input.layout;
    const uint32_t last = layout.rank - 1;
    const int64_t across = last > 0 ? layout.strides[last - 1] : 0;
    walk_rows(layout, first, n, [&](int64_t place, int64_t done, int64_t rows, int64_t count) {
      std::byte* const to = slot + static_cast<size_t>(done) * size;
      const std::byte* const from = address(input, place, size);
      if (rows == 1) {
        copy_run(to, 1, from, layout.strides[last], count, size);
      } else {
        copy_rows(to, count, 1, from, across, layout.strides[last], rows, count, size);
      }
    });
  }
  run_instructions(places, n);
  for (size_t k = 0; k < outputs_.size(); ++k) {
    write_block(work, k, places[outputs_[k].place], first, n, {ahead.data(), fetched});
    if (work.streams(k)) fetched = 0;
  }
}

void Evaluation::run_piece(const Work& work, int64_t first, int64_t last) const {
  constexpr size_t kSmall = 4096;
  alignas(kCacheLine) std::byte small[kSmall];
  std::unique_ptr<std::byte[]> large;
  std::byte* scratch = small;
  if (work.scratch_bytes > kSmall) {
    large.reset(new std::byte[work.scratch_bytes + kCacheLine]);
    // Vector loads and stores of a whole cache line are fastest when they do not straddle two.
    const uintptr_t start =
        (reinterpret_cast<uintptr_t>(large.get()) + kCacheLine - 1) & ~(kCacheLine - 1);
    scratch = reinterpret_cast<std::byte*>(start);
  }
  SmallArray<void*, 32> places(places_.size());
  for (size_t p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    if (place.kind == Place::slot) places[p] = scratch + place.index * work.slot_bytes;
    if (place.kind == Place::output && work.streams(place.index)) {
      places[p] = scratch + work.output_slot + place.index * work.slot_bytes;
    }
  }
  if (work.panels.rows > 0) {
    fill_constants(work, scratch, work.slot_bytes, work.panels.columns);
    for (int64_t panel = first; panel < last; ++panel) {
      run_panel(work, scratch + work.panel_slots, places.data(), panel);
    }
  } else {
    const int64_t block = std::min(work.block, last - first);
    fill_constants(work, scratch, work.slot_bytes, block);
    for (int64_t at = first; at < last; at += work.block) {
      run_block(work, places.data(), at, std::min(work.block, last - at));
    }
  }
  if (work.stream != 0) stream_fence();
}

// True for a large packed result that no input shares memory with.
bool Evaluation::streams(const Work& work, size_t output, const EvaluateOperand* inputs) const {
  const EvaluateOperand& operand = work.outputs[output];
  const Layout& layout = *operand.layout;
  const auto size = static_cast<int64_t>(outputs_[output].size);
  const auto start =
      reinterpret_cast<uintptr_t>(address(operand, layout.offset, outputs_[output].size));
  bool stream = outputs_[output].access == Access::contiguous &&
                layout.element_count() * size >= kStreamBytes && start % kCacheLine == 0;
  for (size_t k = 0; stream && k < input_sizes_.size(); ++k) {
    stream = inputs[k].base != operand.base;
  }
  for (uint32_t d = 0; stream && work.panels.rows > 0 && d + 1 < layout.rank; ++d) {
    stream = layout.strides[d] * size % static_cast<int64_t>(kCacheLine) == 0;
  }
  return stream;
}

void Evaluation::run(const EvaluateOperand* inputs, const EvaluateOperand* outputs,
                     ThreadPool& threads, bool one_by_one) const {
  const Layout& shape = *outputs[0].layout;
  const int64_t total = shape.element_count();
  Work work{inputs, outputs, one_by_one ? 1 : block_, 0, 0, 0, 0, {}, 0};
  if (!one_by_one) work.panels = choose_panels(inputs, shape);
  const int64_t used = std::min(total, work.block);
  work.slot_bytes =
      (static_cast<size_t>(used) * largest_size_ + kCacheLine - 1) / kCacheLine * kCacheLine;
  if (used == work.block && !one_by_one) work.slot_bytes += kSkew;
  for (size_t k = 0; !one_by_one && k < outputs_.size(); ++k) {
    if (streams(work, k, inputs)) work.stream |= uint64_t{1} << k;
  }
  work.output_slot = slots_ * work.slot_bytes;
  work.panel_slots = work.output_slot + (work.stream != 0 ? outputs_.size() * work.slot_bytes : 0);
  const size_t rows = gathers_.size() * static_cast<size_t>(work.panels.gathered);
  work.scratch_bytes = work.panel_slots + rows * work.slot_bytes;
  // Pieces are whole blocks, so what is in one vector does not depend on the number of threads.
  if (work.panels.rows > 0) {
    const int64_t blocks = work.panels.rows * groups(work.panels.width, work.panels.columns);
    const int64_t grain = std::max<int64_t>(1, kPieceBlocks / blocks);
    threads.parallel_for(work.panels.count, grain,
                         [&](int64_t first, int64_t last) { run_piece(work, first, last); });
    return;
  }
  const int64_t blocks = (total + work.block - 1) / work.block;
  const int64_t fair = blocks / (int64_t{8} * threads.thread_count());
  const int64_t grain = std::clamp<int64_t>(fair, kPieceBlocks, 8 * kPieceBlocks) * work.block;
  threads.parallel_for(total, one_by_one ? std::max<int64_t>(grain, 1 << 15) : grain,
                       [&](int64_t first, int64_t last) { run_piece(work, first, last); });
}

}  // namespace netcl::cpu
