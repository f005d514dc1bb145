#include "ops/move/move_rows.hpp"

#include <algorithm>
#include <bit>

namespace netcl::ops {

const char* bits_type(size_t size) {
  switch (size) {
    case 1:
      return "uchar";
    case 2:
      return "ushort";
    case 4:
      return "uint";
    default:
      return "ulong";
  }
}

Layout layout_part(const Layout& layout, uint32_t first, uint32_t count) {
  Layout part;
  part.rank = count;
  std::copy_n(layout.shape.begin() + first, count, part.shape.begin());
  std::copy_n(layout.strides.begin() + first, count, part.strides.begin());
  coalesce(&part, 1);
  return part;
}

bool fits_32_bits(std::initializer_list<const Layout*> layouts, int64_t elements) {
  constexpr int64_t kRoom = int64_t{1} << 30;
  if (elements >= kRoom) return false;
  for (const Layout* layout : layouts) {
    const Span span = touched_span(*layout);
    if (span.last >= kRoom || span.first <= -kRoom) return false;
  }
  return true;
}

void launch_rows(const char* file, const char* kernel, const std::string& flags, int64_t rows,
                 int64_t columns, bool wide, const Arguments& arguments, const Run& run) {
  const netcl_device_capabilities& caps = run.device().capabilities();
  KernelCall call{file, kernel, flags + (wide ? " -DINDEX=long" : " -DINDEX=int")};
  call.rank = 2;
  const uint64_t group = std::min<uint64_t>(256, caps.max_work_group_size);
  const uint64_t wanted = static_cast<uint64_t>(std::clamp<int64_t>(columns, 1, 1 << 20));
  call.local[0] = std::min<uint64_t>(std::bit_floor(group), std::bit_ceil(wanted));
  call.local[0] = std::min<uint64_t>(call.local[0], caps.max_work_item_sizes[0]);
  call.local[1] = std::min<uint64_t>(std::bit_floor(group) / call.local[0],
                                     std::max<uint64_t>(caps.max_work_item_sizes[1], 1));
  // Items go on in steps of the global size, so it is bounded by what fills the device.
  const uint64_t most = uint64_t{caps.compute_units} * 32;
  const uint64_t across = (wanted + call.local[0] - 1) / call.local[0];
  const uint64_t down = (static_cast<uint64_t>(rows) + call.local[1] - 1) / call.local[1];
  const uint64_t groups_across = std::min(across, most);
  const uint64_t groups_down = std::min(down, std::max<uint64_t>(1, most / groups_across));
  call.global[0] = groups_across * call.local[0];
  call.global[1] = std::max<uint64_t>(groups_down, 1) * call.local[1];
  enqueue_kernel(call, arguments, run);
}

}  // namespace netcl::ops
