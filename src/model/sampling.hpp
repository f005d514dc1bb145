// Elements between those of an image, at coordinates that the device has.
#pragma once

#include "model/node_call.hpp"

namespace netcl::model {

enum class Sampling { nearest, linear, cubic };
// What lies outside of an image: zeros, its nearest edge, or its mirror image.
enum class Outside { zeros, border, reflection };

// The elements along one axis that each result is made of: tap t at places[t] with weights[t].
// Nearest ones have no weights.
struct Taps {
  std::vector<TensorRef> places;  // i64, times the stride of the axis
  std::vector<TensorRef> weights;
};

struct SampledAxis {
  int64_t extent = 1;
  int64_t stride = 1;
  // The mirror goes through the centres of the outermost elements, else along their outer edges.
  bool mirror_centres = false;
};

// `coordinates` count elements from the centre of the first one, as f32 or f64.
Taps taps_at(const Call& call, const TensorRef& coordinates, const SampledAxis& axis,
             Sampling sampling, Outside outside);

// [B, C, ...] as rows of channels, [B S, C], which lie together wherever one is read.
TensorRef channel_rows(const Call& call, const TensorRef& x);
// Such rows at places, however these are shaped: [P, C]. Places outside give zeros.
TensorRef rows_at(const Call& call, const TensorRef& rows, const TensorRef& places);
// The same numbers for all channels: [P, 1].
TensorRef row_numbers(const Call& call, const TensorRef& numbers);
// All combinations of taps [B, 1, P] of several axes in planes [B, C, S], added up in f64 for f64
// and in f32 else; of nearest elements the one combination that there is: [B, C, P].
TensorRef sampled_at(const Call& call, const TensorRef& planes, const std::vector<Taps>& axes);

// Elements that the host counts, as a tensor along `axis` of `rank` axes.
TensorRef numbers_along(const Call& call, uint32_t rank, uint32_t axis, netcl_dtype dtype,
                        std::vector<double> numbers);

}  // namespace netcl::model
