// A group of tensors that an op goes over together: each entry has some operands of one shape.
#pragma once

#include <array>
#include <vector>

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/thread_pool.hpp"

namespace netcl::cpu {

inline constexpr size_t kGroupOperands = 6;

struct GroupOperand {
  Layout layout;          // with the offset; all operands of an entry are gone over in one order
  netcl_dtype dtype = 0;  // 0: the entry has no such operand
  bool packed = false;    // its elements follow each other
};

struct GroupEntry {
  std::array<GroupOperand, kGroupOperands> operands;
  int64_t count = 0;  // elements
};

// Where operand `o` of entry `e` is among the memory of a command.
inline size_t group_memory(size_t e, size_t o) { return e * kGroupOperands + o; }

// Cuts a group into chunks, so that threads share large tensors and take many small ones.
class GroupChunks {
 public:
  static constexpr int64_t kChunk = 16384;

  explicit GroupChunks(const std::vector<GroupEntry>& entries) {
    ends_.reserve(entries.size());
    for (const GroupEntry& entry : entries) {
      elements_ += entry.count;
      chunks_ += (entry.count + kChunk - 1) / kChunk;
      ends_.push_back(chunks_);
    }
  }
  int64_t count() const { return chunks_; }
  // Chunks for one thread at a time: all of a group that is not worth a second thread.
  int64_t grain() const { return elements_ <= 2 * kChunk ? chunks_ + 1 : 1; }
  // Calls function(entry index, first element, last element) for a chunk.
  template <class Function>
  void visit(const std::vector<GroupEntry>& entries, int64_t chunk, Function&& function) const {
    size_t low = 0, high = ends_.size() - 1;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (chunk < ends_[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const int64_t first = (chunk - (low == 0 ? 0 : ends_[low - 1])) * kChunk;
    const int64_t count = entries[low].count;
    function(low, first, first + kChunk < count ? first + kChunk : count);
  }

 private:
  std::vector<int64_t> ends_;
  int64_t chunks_ = 0;
  int64_t elements_ = 0;
};

// Elements of an operand as packed numbers of type T: in their place where they lie so, else as a
// copy in `block`.
template <class T>
T* group_load(const GroupOperand& operand, void* memory, int64_t first, int64_t count, T* block) {
  if (operand.packed && operand.dtype == kRealDtype<T>) {
    return static_cast<T*>(memory) + operand.layout.offset + first;
  }
  gather(operand.dtype, memory, 0, operand.layout, first, count, block);
  return block;
}
// Writes what group_load gave back to its place.
template <class T>
void group_store(const GroupOperand& operand, void* memory, int64_t first, int64_t count,
                 const T* values, const T* block) {
  if (values == block) scatter(operand.dtype, memory, 0, operand.layout, first, count, values);
}

}  // namespace netcl::cpu
