// The gradient of a rotary embedding: a rotation is undone by that of the negative angle, which is
// its transpose as well.
#include "graph/op_gradients.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

void rotary_embedding_gradients(Backward& backward, const TensorRef& x, const TensorRef& cosines,
                                const TensorRef& sines, const ops::RotarySettings& settings) {
  if (backward.wants(cosines)) backward.fail_without_derivative("cos_cache has none");
  if (backward.wants(sines)) backward.fail_without_derivative("sin_cache has none");
  if (!backward.wants(x)) return;
  ops::RotarySettings back = settings;
  back.inverse = !settings.inverse;
  backward.add(x, made<ops::rotary_embedding>(backward, "rotary_embedding", *backward.grad(),
                                              *cosines, *sines, back));
}

}  // namespace netcl::graph
