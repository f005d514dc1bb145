// The tensors of a group: their checks, and the form in which loops and kernels take them.
#pragma once

#include <span>
#include <vector>

#include "backend/cpu/optimizer/group_loops.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

using netcl::cpu::GroupEntry;
using netcl::cpu::kGroupOperands;

using TensorSpan = std::span<const TensorRef>;

// Where a tensor of an op stands for its caller: "gradients[2]", or "step" with an index below 0.
struct GroupName {
  const char* argument;
  int64_t index = -1;
  std::string text() const;
};

// Fails with INVALID_ARGUMENT when memory that is written may be that of another tensor.
class GroupMemory {
 public:
  void add(const Tensor& tensor, GroupName name, bool written);
  void check();

 private:
  struct Place {
    const UseRecord* memory;
    const MemoryObject* object;  // one of several wraps of the memory
    int64_t first, last;         // in bytes of the object
    GroupName name;
    bool written;
  };
  std::vector<Place> places_;
};

// A float that the device can compute in, on the device of the run.
void check_group_float(const Tensor& tensor, GroupName name, const Run& run);
// f64 stands with f64 alone.
void check_same_width(const Tensor& tensor, GroupName name, const Tensor& first,
                      const char* first_name);
// A tensor of one element; null is none.
void check_control(const TensorRef& tensor, const char* argument, netcl_dtype dtype,
                   const Run& run);
// Its element, or -1.
inline int64_t control_at(const TensorRef& tensor) {
  return tensor == nullptr ? -1 : tensor->layout().offset;
}

// Something about each operand, such as whether it is written.
using GroupFlags = std::array<bool, kGroupOperands>;
// The operands of one entry, null where there is none; the first is there.
using GroupTensors = std::array<const Tensor*, kGroupOperands>;
GroupEntry group_entry(const GroupTensors& tensors);

// Accesses of a command as the loops expect its memory.
void add_group_accesses(const GroupTensors& tensors, const GroupFlags& written,
                        std::vector<Access>* accesses);

}  // namespace netcl::ops
