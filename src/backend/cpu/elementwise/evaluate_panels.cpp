// Strided operands with long rows: inputs that are dense along the rows are used in place, and
// those that are transposed are gathered for several rows at once, by tiles, so that a cache line
// is read once.
#include <algorithm>
#include <array>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/elementwise/evaluate_walk.hpp"
#include "backend/cpu/elementwise/evaluate_work.hpp"
#include "backend/cpu/move/transpose_tile.hpp"

namespace netcl::cpu {

namespace {

// Rows of a panel from memory in which they are dense across, at most `height` at once.
void gather_lines(std::byte* to, size_t row_bytes, const std::byte* from, int64_t stride,
                  int64_t height, int64_t n, size_t size) {
  const auto move = [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kEdge = 64 / sizeof(T);
    const auto row = static_cast<int64_t>(row_bytes / sizeof(T));
    for (int64_t r = 0; r < height; r += kEdge) {
      transpose_strip(reinterpret_cast<const T*>(from) + r, reinterpret_cast<T*>(to) + r * row,
                      std::min(kEdge, height - r), n, stride, row);
    }
  };
  switch (size) {
    case 1:
      return move(uint8_t{});
    case 2:
      return move(uint16_t{});
    case 4:
      return move(uint32_t{});
    default:
      return move(uint64_t{});
  }
}

bool is_dense_across(const Layout& layout, uint32_t dimension) {
  const int64_t along = layout.strides[layout.rank - 1];
  return layout.strides[dimension] == 1 && (along > 1 || along < -1);
}

int64_t position(const Layout& layout, const int64_t* at) {
  int64_t sum = layout.offset;
  for (uint32_t d = 0; d < layout.rank; ++d) sum += at[d] * layout.strides[d];
  return sum;
}

}  // namespace

Evaluation::Panels Evaluation::choose_panels(const EvaluateOperand* inputs,
                                             const Layout& shape) const {
  // Shorter rows cost more than they save.
  constexpr int64_t kColumnsLeast = 32;
  constexpr int64_t kRowsLeast = 4;
  constexpr int64_t kBlocks = 8;  // of a panel that nothing is dense across
  Panels panels;
  const uint32_t last = shape.rank - 1;
  if (shape.rank < 2 || shape.shape[last] < kColumnsLeast) return panels;
  for (uint32_t d = 0; d < last && !panels.across; ++d) {
    if (shape.shape[d] < kRowsLeast) continue;
    panels.dimension = d;
    for (const Gather& gather : gathers_) {
      if (!is_dense_across(*inputs[gather.input].layout, d)) continue;
      const auto line = static_cast<int64_t>(kCacheLine / input_sizes_[gather.input]);
      panels.rows = std::max(panels.rows, line);
      panels.across = true;
    }
  }
  if (!panels.across) {
    const bool any = std::any_of(gathers_.begin(), gathers_.end(), [&](const Gather& gather) {
      return inputs[gather.input].layout->strides[last] == 1;
    });
    if (!any || shape.shape[last] < block_ / 2) return panels;
    panels.dimension = last - 1;
  }
  // Blocks of a row that are of about one length, in whole cache lines.
  const int64_t pieces = groups(shape.shape[last], block_);
  const int64_t lines = groups(groups(shape.shape[last], pieces), kCacheLine);
  panels.columns = std::min({lines * static_cast<int64_t>(kCacheLine), block_, shape.shape[last]});
  panels.width = panels.columns;
  panels.gathered = panels.across ? panels.rows : 1;
  if (!panels.across) {
    panels.rows = pieces == 1 ? kBlocks : 1;
    panels.width *= pieces == 1 ? 1 : kBlocks;
  }
  const int64_t height = shape.shape[panels.dimension];
  panels.row_groups = groups(height, panels.rows);
  panels.column_groups = groups(shape.shape[last], panels.width);
  const int64_t others = shape.element_count() / height / shape.shape[last];
  panels.count = others * panels.row_groups * panels.column_groups;
  return panels;
}

// The rows of inputs that cannot be used in place, each input's in slots of its own.
void Evaluation::gather_panel(const Work& work, std::byte* gathered, const int64_t* at,
                              int64_t height, int64_t n) const {
  const Panels& panels = work.panels;
  for (const Gather& gather : gathers_) {
    const EvaluateOperand& input = work.inputs[gather.input];
    const Layout& layout = *input.layout;
    const size_t size = input_sizes_[gather.input];
    const std::byte* const from = address(input, position(layout, at), size);
    const int64_t along = layout.strides[layout.rank - 1];
    if (is_dense_across(layout, panels.dimension)) {
      gather_lines(gathered, work.slot_bytes, from, along, height, n, size);
    } else if (along != 1) {
      const int64_t across = layout.strides[panels.dimension] * static_cast<int64_t>(size);
      for (int64_t row = 0; row < height; ++row) {
        copy_run(gathered + static_cast<size_t>(row) * work.slot_bytes, 1, from + row * across,
                 along, n, size);
      }
    }
    gathered += static_cast<size_t>(panels.gathered) * work.slot_bytes;
  }
}

// One row; `gathered` is where the first input's gathered values of it are.
void Evaluation::run_row(const Work& work, std::byte* gathered, void** places, const int64_t* at,
                         int64_t n) const {
  const Panels& panels = work.panels;
  std::array<const void*, kFetched> ahead;
  size_t fetched = 0;
  // What is read next: the next row, or what follows in this one.
  const auto fetch = [&](const Layout& layout, const void* place, size_t size) {
    if (fetched == ahead.size()) return;
    const int64_t step = panels.rows > 1 ? layout.strides[panels.dimension] : n;
    ahead[fetched++] = static_cast<const std::byte*>(place) + step * static_cast<int64_t>(size);
  };
  for (size_t p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    if (place.kind == Place::slot) continue;
    const bool reads = place.kind == Place::input;
    if (!reads && work.streams(place.index)) continue;
    const EvaluateOperand& operand = (reads ? work.inputs : work.outputs)[place.index];
    const size_t size = reads ? input_sizes_[place.index] : outputs_[place.index].size;
    places[p] = address(operand, position(*operand.layout, at), size);
    if (reads) fetch(*operand.layout, places[p], size);
  }
  for (const Gather& gather : gathers_) {
    const EvaluateOperand& input = work.inputs[gather.input];
    const Layout& layout = *input.layout;
    void*& place = places[gather.place];
    place = gathered;
    if (layout.strides[layout.rank - 1] == 1) {
      const size_t size = input_sizes_[gather.input];
      place = address(input, position(layout, at), size);
      fetch(layout, place, size);
    }
    gathered += static_cast<size_t>(panels.gathered) * work.slot_bytes;
  }
  run_instructions(places, n);
  for (size_t k = 0; k < outputs_.size(); ++k) {
    write_run(work, k, places[outputs_[k].place], position(*work.outputs[k].layout, at), n,
              {ahead.data(), fetched});
    if (work.streams(k)) fetched = 0;
  }
}

void Evaluation::run_panel(const Work& work, std::byte* gathered, void** places,
                           int64_t index) const {
  const Panels& panels = work.panels;
  const Layout& shape = *work.outputs[0].layout;
  const uint32_t last = shape.rank - 1;
  // The next panel lies where the memory of the inputs goes on.
  const bool down = panels.across;
  const int64_t inner = down ? panels.row_groups : panels.column_groups;
  const int64_t outer = down ? panels.column_groups : panels.row_groups;
  const int64_t i = index % inner;
  const int64_t o = index / inner % outer;
  index /= inner * outer;
  int64_t at[kRankMax] = {};
  at[panels.dimension] = (down ? i : o) * panels.rows;
  at[last] = (down ? o : i) * panels.width;
  for (uint32_t d = last; d-- > 0;) {
    if (d == panels.dimension) continue;
    at[d] = index % shape.shape[d];
    index /= shape.shape[d];
  }
  int64_t& row = at[panels.dimension];
  const int64_t end = std::min(row + panels.rows, shape.shape[panels.dimension]);
  if (panels.across) {
    const int64_t n = std::min(panels.columns, shape.shape[last] - at[last]);
    gather_panel(work, gathered, at, end - row, n);
    for (; row < end; ++row, gathered += work.slot_bytes) run_row(work, gathered, places, at, n);
    return;
  }
  const int64_t first = at[last];
  const int64_t stop = std::min(first + panels.width, shape.shape[last]);
  for (; row < end; ++row) {
    for (at[last] = first; at[last] < stop; at[last] += panels.columns) {
      const int64_t n = std::min(panels.columns, stop - at[last]);
      gather_panel(work, gathered, at, 1, n);
      run_row(work, gathered, places, at, n);
    }
  }
}

}  // namespace netcl::cpu
