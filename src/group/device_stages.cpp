#include "group/device_stages.hpp"

#include "ops/frame/result.hpp"
#include "ops/move/copy_peer.hpp"

namespace netcl::group {

std::array<DeviceStage, 2> join_in_parts(std::span<const Header> headers, uint32_t me,
                                         const TensorRef& in, const TensorRef& out,
                                         const ops::Run& run) {
  const Op op = headers[me].op;
  const netcl_dtype dtype = headers[me].dtype;
  const auto element = static_cast<uint64_t>(dtype_size(dtype));
  DeviceStage join{{headers.begin(), headers.end()}, in, nullptr};
  part_elements(join.headers);
  const Flow::Range mine = Flow(join.headers, me).range(me, me);
  const auto count = static_cast<int64_t>(mine.bytes / element);
  join.out = out != nullptr ? ops::row_of(*out, static_cast<int64_t>(mine.offset / element), count)
                            : ops::new_tensor(dtype, 1, &count, run);
  DeviceStage hand_on{join.headers, join.out, out};
  for (Header& header : hand_on.headers) {
    header.op = op == Op::reduce ? Op::gather : Op::all_gather;
    header.in_rows = header.out_rows;
  }
  return {std::move(join), std::move(hand_on)};
}

}  // namespace netcl::group
