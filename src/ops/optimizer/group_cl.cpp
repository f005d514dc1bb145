#include "ops/optimizer/group_cl.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/integer.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

// Elements of a work group, as in group.cl.
constexpr int64_t kElements = 1024;
// Entries of one kernel, as in group.cl.
constexpr size_t kSlotsMost = 64;

netcl_dtype dtype_of(const Tensor* tensor) { return tensor == nullptr ? 0 : tensor->dtype(); }

bool same_dtypes(const PackedGroup::Entry& a, const PackedGroup::Entry& b) {
  return std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(),
                    [](auto* left, auto* right) { return dtype_of(left) == dtype_of(right); });
}

size_t operand_count(const PackedGroup::Entry& entry) {
  return static_cast<size_t>(std::count_if(entry.tensors.begin(), entry.tensors.end(),
                                           [](auto* tensor) { return tensor != nullptr; }));
}

// Whether numbers of elements take 8 bytes.
bool wants_wide(const PackedGroup::Entry& entry) {
  constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
  return entry.count > kMost || std::any_of(entry.offsets.begin(), entry.offsets.end(),
                                            [](int64_t offset) { return offset > kMost; });
}

// How many entries the arguments of one kernel have room for: a power of two.
size_t slots_most(const GroupKernel& kernel, size_t operands, bool wide, const Device& device) {
  constexpr size_t kPointer = 8;
  const size_t place = wide ? 8 : 4;
  // Numbers of 8 bytes may begin behind a gap.
  const size_t room = device.backend().argument_bytes() - kernel.rest_bytes - kPointer;
  const size_t most = room / (operands * kPointer + (2 + operands) * place);
  return std::bit_floor(std::clamp(most, size_t{1}, kSlotsMost));
}

std::string slot_flags(const PackedGroup::Entry& entry, size_t slots, bool wide) {
  std::string flags = format(" -DSLOTS=%zu -DPLACE=%s -DOPERANDS=%zu", slots,
                             wide ? "ulong" : "uint", operand_count(entry));
  size_t index = 0;
  for (const Tensor* tensor : entry.tensors) {
    if (tensor == nullptr) continue;
    flags += format(" -DO%zu=%s", index++, dtype_facts(tensor->dtype()).name);
  }
  return flags;
}

// What group.cl calls Places, in which slots behind the entries have no work group.
template <class Place>
std::vector<Place> places_of(std::span<const PackedGroup::Entry> entries, size_t slots) {
  const size_t operands = operand_count(entries[0]);
  std::vector<Place> places(slots * (2 + operands));
  std::fill_n(places.begin(), slots, std::numeric_limits<Place>::max());
  int64_t groups = 0;
  for (size_t s = 0; s < entries.size(); ++s) {
    places[s] = static_cast<Place>(groups);
    places[slots + s] = static_cast<Place>(entries[s].count);
    groups += ceil_div(entries[s].count, kElements);
    Place* at = places.data() + 2 * slots + s * operands;
    for (size_t o = 0; o < kGroupOperands; ++o) {
      if (entries[s].tensors[o] != nullptr) *at++ = static_cast<Place>(entries[s].offsets[o]);
    }
  }
  return places;
}

// Launches a kernel for entries of one kind.
template <class Place>
void launch_slots(const GroupKernel& kernel, std::span<const PackedGroup::Entry> entries,
                  size_t slots, FunctionRef<void(Arguments*)> add_rest, const Run& run) {
  KernelCall call{kernel.file, kernel.kernel,
                  kernel.flags + slot_flags(entries[0], slots, sizeof(Place) == 8)};
  Arguments arguments;
  add_rest(&arguments);
  for (size_t s = 0; s < slots; ++s) {
    for (size_t o = 0; o < kGroupOperands; ++o) {
      if (entries[0].tensors[o] == nullptr) continue;
      arguments.memory(s < entries.size() ? entries[s].tensors[o]->memory() : nullptr,
                       kernel.written[o]);
    }
  }
  const std::vector<Place> places = places_of<Place>(entries, slots);
  arguments.bytes_in_place(places.data(), places.size() * sizeof(Place));
  call.local[0] = kGroupLanes;
  call.global[0] = static_cast<uint64_t>(group_launch_size(entries)) * kGroupLanes;
  enqueue_kernel(call, arguments, run);
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
  const bool wide = std::any_of(entries.begin(), entries.end(), wants_wide);
  int64_t launched = 0;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    const size_t most = slots_most(kernel, operand_count(entries[begin]), wide, run.device());
    while (end < entries.size() && end - begin < most &&
           same_dtypes(entries[begin], entries[end])) {
      ++end;
    }
    const auto some = entries.subspan(begin, end - begin);
    // One program for every so many entries; those that are not there are null.
    const size_t slots = std::bit_ceil(some.size());
    const auto rest = [&](Arguments* arguments) { add_rest(arguments, launched); };
    const Run own = end == entries.size() ? run : run.without_event();
    if (wide) {
      launch_slots<uint64_t>(kernel, some, slots, rest, own);
    } else {
      launch_slots<uint32_t>(kernel, some, slots, rest, own);
    }
    launched += group_launch_size(some);
  }
}

}  // namespace netcl::ops
