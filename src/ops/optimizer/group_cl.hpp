// Kernels that go over several tensors of a group at once; see kernels/optimizer/group.cl.
#pragma once

#include "core/function_ref.hpp"
#include "ops/optimizer/group.hpp"

namespace netcl::ops {

inline constexpr uint64_t kGroupLanes = 128;

// The tensors of a group as kernels take them: packed. Others are copied, and what is written of
// them is copied back by finish().
class PackedGroup {
 public:
  PackedGroup(std::span<const GroupTensors> entries, const GroupFlags& written, const Run& run);

  struct Entry {
    GroupTensors tensors{};
    std::array<int64_t, kGroupOperands> offsets{};
    int64_t count = 0;
  };
  // Those that are not empty; neighbours have the same dtypes where that is possible.
  std::span<const Entry> entries() const { return entries_; }
  bool wants_finish() const { return !back_.empty(); }
  void finish(const Run& run) const;

 private:
  struct Copy {
    TensorRef packed;
    const Tensor* target;
  };
  std::vector<Entry> entries_;
  std::vector<TensorRef> copies_;
  std::vector<Copy> back_;
};

// How many work groups the entries take together.
int64_t group_launch_size(std::span<const PackedGroup::Entry> entries);

struct GroupKernel {
  const char* file;
  const char* kernel;
  std::string flags;  // beside those of group.cl
  size_t rest_bytes;  // of the arguments that `add_rest` adds
  const GroupFlags& written;
};
// Launches a kernel for all entries: once for each mixture of dtypes, for up to 64 entries as far
// as the device takes their arguments. add_rest(arguments, group) adds the arguments
// in front of the tensors; `group` work groups were launched before. The last launch has run's
// event and work.
void launch_group(const GroupKernel& kernel, std::span<const PackedGroup::Entry> entries,
                  FunctionRef<void(Arguments*, int64_t)> add_rest, const Run& run);

// A tensor of one element as two arguments of a kernel.
inline void add_control(const TensorRef& tensor, bool write, Arguments* arguments) {
  arguments->memory(access_to(tensor.get(), write));
  arguments->scalar(tensor == nullptr ? int64_t{0} : tensor->layout().offset);
}
inline constexpr size_t kControlBytes = 16;

// A number in the type that a kernel computes in.
inline void add_real(double value, bool f64, Arguments* arguments) {
  if (f64) {
    arguments->scalar(value);
  } else {
    arguments->scalar(static_cast<float>(value));
  }
}

}  // namespace netcl::ops
