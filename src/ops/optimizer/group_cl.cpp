#include "ops/optimizer/group_cl.hpp"

#include <algorithm>
#include <limits>

#include "core/integer.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

// Elements of a work group, as in group.cl.
constexpr int64_t kElements = 1024;
// What every device takes as arguments of one kernel, in bytes, and the tensors of a kernel.
constexpr size_t kArgumentBytes = 1024;
constexpr size_t kSlots = 8;

netcl_dtype dtype_of(const Tensor* tensor) { return tensor == nullptr ? 0 : tensor->dtype(); }

bool same_dtypes(const PackedGroup::Entry& a, const PackedGroup::Entry& b) {
  return std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(),
                    [](auto* left, auto* right) { return dtype_of(left) == dtype_of(right); });
}

size_t operand_count(const PackedGroup::Entry& entry) {
  return static_cast<size_t>(std::count_if(entry.tensors.begin(), entry.tensors.end(),
                                           [](auto* tensor) { return tensor != nullptr; }));
}

std::string slot_flags(const PackedGroup::Entry& entry, size_t slots) {
  std::string flags = format(" -DSLOTS=%zu -DOPERANDS=%zu", slots, operand_count(entry));
  size_t index = 0;
  for (const Tensor* tensor : entry.tensors) {
    if (tensor == nullptr) continue;
    flags += format(" -DO%zu=%s", index++, dtype_facts(tensor->dtype()).name);
  }
  return flags;
}

}  // namespace

PackedGroup::PackedGroup(std::span<const GroupTensors> entries, const GroupFlags& written,
                         const Run& run) {
  for (const GroupTensors& tensors : entries) {
    if (tensors[0]->empty()) continue;
    const GroupEntry arranged = group_entry(tensors);
    Entry entry;
    entry.count = arranged.count;
    const bool packed =
        std::all_of(arranged.operands.begin(), arranged.operands.end(),
                    [](const auto& operand) { return operand.dtype == 0 || operand.packed; });
    for (size_t o = 0; o < kGroupOperands; ++o) {
      const Tensor* const tensor = tensors[o];
      if (tensor == nullptr) continue;
      entry.tensors[o] = tensor;
      entry.offsets[o] = tensor->layout().offset;
      if (packed) {
        entry.offsets[o] = arranged.operands[o].layout.offset;
        continue;
      }
      if (tensor->layout().is_c_contiguous()) continue;
      const Layout& layout = tensor->layout();
      copies_.push_back(new_tensor(tensor->dtype(), layout.rank, layout.shape.data(), run));
      copy_into(*tensor, *copies_.back(), run.part());
      if (written[o]) back_.push_back({copies_.back(), tensor});
      entry.tensors[o] = copies_.back().get();
      entry.offsets[o] = copies_.back()->layout().offset;
    }
    const auto same = std::find_if(entries_.rbegin(), entries_.rend(),
                                   [&](const Entry& other) { return same_dtypes(other, entry); });
    entries_.insert(same.base(), entry);
  }
}

void PackedGroup::finish(const Run& run) const {
  Run last = run;
  last.declared = true;
  for (const Copy& copy : back_) {
    copy_into(*copy.packed, *copy.target, &copy == &back_.back() ? last : run.part());
  }
}

int64_t group_launch_size(std::span<const PackedGroup::Entry> entries) {
  int64_t groups = 0;
  for (const auto& entry : entries) groups += ceil_div(entry.count, kElements);
  return groups;
}

void launch_group(const GroupKernel& kernel, std::span<const PackedGroup::Entry> entries,
                  FunctionRef<void(Arguments*, int64_t)> add_rest, const Run& run) {
  int64_t launched = 0;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    const size_t slot_bytes = 16 + 16 * operand_count(entries[begin]);
    const size_t most = std::min(kSlots, (kArgumentBytes - kernel.rest_bytes) / slot_bytes);
    while (end < entries.size() && end - begin < most &&
           same_dtypes(entries[begin], entries[end])) {
      ++end;
    }
    const size_t slots = end - begin == 1 ? 1 : most;
    KernelCall call{kernel.file, kernel.kernel, kernel.flags + slot_flags(entries[begin], slots)};
    Arguments arguments;
    add_rest(&arguments, launched);
    int64_t groups = 0;
    for (size_t s = 0; s < slots; ++s) {
      const bool used = begin + s < end;
      const PackedGroup::Entry& entry = entries[used ? begin + s : begin];
      arguments.scalar(used ? groups : std::numeric_limits<int64_t>::max());
      arguments.scalar(used ? entry.count : int64_t{0});
      if (used) groups += ceil_div(entry.count, kElements);
      for (size_t o = 0; o < kGroupOperands; ++o) {
        if (entry.tensors[o] == nullptr) continue;
        arguments.memory(used ? entry.tensors[o]->memory() : nullptr, kernel.written[o]);
        arguments.scalar(used ? entry.offsets[o] : int64_t{0});
      }
    }
    call.local[0] = kGroupLanes;
    call.global[0] = static_cast<uint64_t>(groups) * kGroupLanes;
    enqueue_kernel(call, arguments, end == entries.size() ? run : run.without_event());
    launched += groups;
  }
}

}  // namespace netcl::ops
