// Mixed precision: what of a network's f32 is of a short dtype on the device, and in which of the
// two each node computes. What a node gives has the dtype that it computes in, so that f32 goes on
// from a sum to what follows, up to the next product. Elementwise nodes take either as it comes,
// and what one of them alone takes of another stays f32: the graph compiler makes one kernel of
// both.
#pragma once

#include <string>
#include <string_view>

#include "model/host_value.hpp"

namespace netcl::model {

// What a value says of the dtype that a node computes in.
enum class Vote : uint8_t {
  by_dtype,
  none,  // one number, which is as good in either
  shorter,
  wide,  // a result in f32
  must,  // numbers that the short dtype does not hold
};

// How the nodes of an op compute.
enum class Width {
  follows,      // in f32 where an input asks for it
  shorter,      // in the short dtype, with sums in f32
  wide,         // in f32, and so is what they give
  wide_within,  // in f32; what they give is short again
  norm,         // follows the first input; the others are f32
};
Width width_of(const FileNode& node) noexcept;

// The dtypes in which a node takes what is f32 or short, and gives such; 0: as it comes.
struct Widths {
  netcl_dtype first = 0;
  netcl_dtype others = 0;
  netcl_dtype result = 0;
};

class Precision {
 public:
  // 0: all of f32 is f32.
  explicit Precision(netcl_dtype short_dtype) : short_(short_dtype) {}

  bool on() const noexcept { return short_ != 0; }
  netcl_dtype short_dtype() const noexcept { return short_; }
  bool is_short(netcl_dtype dtype) const noexcept { return on() && dtype == short_; }
  // Whether a value of this dtype may stand for one of f32.
  bool is_either(netcl_dtype dtype) const noexcept {
    return on() && (dtype == short_ || dtype == NETCL_F32);
  }

  // Packed elements of f32 in the short dtype. False where one gets infinite.
  bool shorten(std::string_view bytes, std::string* made) const;
  // Of f32 elements that the host knows.
  Vote vote_of(const HostValue& value) const;

 private:
  bool overflows(double value) const noexcept;

  netcl_dtype short_;
};

}  // namespace netcl::model
