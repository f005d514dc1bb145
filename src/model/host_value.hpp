// Small tensors that the host works with while a network is recorded: shapes, axes, counts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/onnx_file.hpp"

namespace netcl::model {

// So many elements at most: what is larger is no shape.
inline constexpr int64_t kHostElementsMost = 1 << 20;

// Elements in C order: those of floats in `reals`, all others in `integers`. u64 is kept by its
// bits.
struct HostValue {
  netcl_dtype dtype = NETCL_I64;
  std::vector<int64_t> shape;
  std::vector<int64_t> integers;
  std::vector<double> reals;

  bool is_real() const { return is_float(dtype); }
  size_t count() const { return is_real() ? reals.size() : integers.size(); }
  // One element, which has to be there.
  double real(size_t i) const;
  int64_t integer(size_t i) const;
};
using HostRef = std::shared_ptr<const HostValue>;

// The elements that a shape has. Fails where the host does not hold so many.
int64_t host_count(const std::vector<int64_t>& shape);
// Elements of the device's form, packed, and back. Values that the dtype does not hold become those
// of netcl_op_cast.
HostRef host_value(netcl_dtype dtype, std::vector<int64_t> shape, std::string_view bytes);
std::string bytes_of(const HostValue& value);
// A value of the dtype, with numbers made such as it has: what all that is worked out goes through.
HostRef rounded(HostValue value);
HostValue converted(const HostValue& value, netcl_dtype dtype);

}  // namespace netcl::model
