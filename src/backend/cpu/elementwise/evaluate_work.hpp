// One evaluation under way, for the files that run it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/elementwise/evaluate.hpp"

namespace netcl::cpu {

// Of so many inputs the next block is fetched ahead; more would push each other out.
inline constexpr size_t kFetched = 8;

// Where rows of the last dimension are long, strided operands are evaluated row by row, and those
// that are dense along it are used in place. Some rows beside each other make a panel, best along a
// dimension in which inputs are dense that are not along the last one.
struct Evaluation::Panels {
  uint32_t dimension = 0;  // in which the rows of a panel lie beside each other
  bool across = false;     // some inputs are dense in it
  int64_t rows = 0;        // of a panel; 0 when there are no panels
  int64_t gathered = 1;    // rows that are gathered at once: all with `across`, else one
  int64_t columns = 0;     // of a block
  int64_t width = 0;       // of a panel, in columns
  int64_t row_groups = 0;
  int64_t column_groups = 0;
  int64_t count = 0;
};

struct Evaluation::Work {
  const EvaluateOperand* inputs;
  const EvaluateOperand* outputs;
  int64_t block;
  size_t slot_bytes;
  uint64_t stream;     // a bit for each output that goes past the caches
  size_t output_slot;  // bytes into the scratch memory, of the first output, with stream
  size_t scratch_bytes;
  Panels panels;
  size_t panel_slots;  // bytes into the scratch memory, with panels

  bool streams(size_t output) const noexcept { return (stream >> output & 1) != 0; }
};

inline int64_t groups(int64_t count, int64_t size) { return (count + size - 1) / size; }

inline std::byte* address(const EvaluateOperand& operand, int64_t element, size_t size) {
  return static_cast<std::byte*>(operand.base) + element * static_cast<int64_t>(size);
}

}  // namespace netcl::cpu
