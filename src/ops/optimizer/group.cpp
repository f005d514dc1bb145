#include "ops/optimizer/group.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "ops/frame/result.hpp"

namespace netcl::ops {

std::string GroupName::text() const {
  return index < 0 ? argument : format("%s[%lld]", argument, static_cast<long long>(index));
}

void GroupMemory::add(const Tensor& tensor, GroupName name, bool written) {
  if (tensor.empty()) return;
  const auto size = static_cast<int64_t>(tensor.element_size());
  const Span span = touched_span(tensor.layout());
  places_.push_back({tensor.memory()->uses.get(), tensor.memory(), span.first * size,
                     span.last * size, name, written});
}

// Places are gone through in their order in memory. The one that reaches furthest, and the one that
// does so among those that are written, meet any other that overlaps one before it. Where wraps of
// one memory lie in it is not known, so that any two of them do.
void GroupMemory::check() {
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::tie(a.memory, a.object, a.first) < std::tie(b.memory, b.object, b.first);
  });
  const Place* furthest = nullptr;
  const Place* written = nullptr;
  const auto meets = [](const Place* before, const Place& place) {
    return before != nullptr && before->memory == place.memory &&
           (before->object != place.object || place.first < before->last);
  };
  const auto take = [](const Place** kept, const Place& place) {
    const bool stays = *kept != nullptr && (*kept)->memory == place.memory &&
                       ((*kept)->object != place.object || (*kept)->last >= place.last);
    if (!stays) *kept = &place;
  };
  for (const Place& place : places_) {
    const Place* const other = meets(written, place)                     ? written
                               : place.written && meets(furthest, place) ? furthest
                                                                         : nullptr;
    if (other != nullptr) {
      const Place& target = other->written ? *other : place;
      const Place& rest = other->written ? place : *other;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s, which is written, shares its memory with %s; each needs memory of its own",
           target.name.text().c_str(), rest.name.text().c_str());
    }
    take(&furthest, place);
    if (place.written) take(&written, place);
  }
}

void check_group_float(const Tensor& tensor, GroupName name, const Run& run) {
  if (!is_float(tensor.dtype())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it is f16, bf16, f32 or f64", name.text().c_str(),
         dtype_facts(tensor.dtype()).name);
  }
  if (&tensor.device() != &run.device()) require_device(tensor, run, name.text().c_str());
  if (tensor.dtype() == NETCL_F64) require_f64(run, NETCL_F64, name.text().c_str());
}

void check_same_width(const Tensor& tensor, GroupName name, const Tensor& first,
                      const char* first_name) {
  if ((tensor.dtype() == NETCL_F64) == (first.dtype() == NETCL_F64)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and %s is %s; f64 stands with f64 alone",
       name.text().c_str(), dtype_facts(tensor.dtype()).name, first_name,
       dtype_facts(first.dtype()).name);
}

void check_control(const TensorRef& tensor, const char* argument, netcl_dtype dtype,
                   const Run& run) {
  if (tensor == nullptr) return;
  if (tensor->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it is %s", argument,
         dtype_facts(tensor->dtype()).name, dtype_facts(dtype).name);
  }
  const Layout& layout = tensor->layout();
  if (layout.element_count() != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; it has one element", argument,
         shape_text(layout).c_str());
  }
  require_device(*tensor, run, argument);
}

// Dimensions are gone over in the order of the first operand's memory, so that what is packed in
// all operands is one run, whatever its order.
GroupEntry group_entry(const GroupTensors& tensors) {
  std::array<Layout, kGroupOperands> layouts;
  size_t count = 0;
  const Layout& first = tensors[0]->layout();
  std::array<uint32_t, kRankMax> order{};
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.begin() + first.rank, [&](uint32_t a, uint32_t b) {
    return std::abs(first.strides[a]) > std::abs(first.strides[b]);
  });
  for (const Tensor* tensor : tensors) {
    if (tensor == nullptr) continue;
    Layout& turned = layouts[count++] = tensor->layout();
    for (uint32_t d = 0; d < first.rank; ++d) {
      turned.shape[d] = tensor->layout().shape[order[d]];
      turned.strides[d] = tensor->layout().strides[order[d]];
    }
  }
  coalesce(layouts.data(), count);
  GroupEntry entry;
  entry.count = first.element_count();
  count = 0;
  for (size_t o = 0; o < kGroupOperands; ++o) {
    if (tensors[o] == nullptr) continue;
    const Layout& layout = layouts[count++];
    const bool packed = layout.rank == 0 || (layout.rank == 1 && layout.strides[0] == 1);
    entry.operands[o] = {layout, tensors[o]->dtype(), packed};
  }
  return entry;
}

void add_group_accesses(const GroupTensors& tensors, const GroupFlags& written,
                        std::vector<Access>* accesses) {
  for (size_t o = 0; o < kGroupOperands; ++o) {
    accesses->push_back(access_to(tensors[o], written[o]));
  }
}

}  // namespace netcl::ops
