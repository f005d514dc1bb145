// Gradients of pooling over regions. Regions are constants.
#include "graph/rule.hpp"
#include "graph/op_gradients.hpp"

namespace netcl::graph {

void roi_pool_gradients(Backward& backward, const TensorRef& x, const TensorRef& rois,
                        const TensorRef& images, const ops::RoiPoolSettings& settings) {
  if (!backward.wants(x)) return;
  const auto& shape = x->layout().shape;
  const TensorRef& grad = backward.grad();
  if (settings.kind == NETCL_ROI_POOLING_AVERAGE) {
    const std::array<int64_t, 4> whole = {shape[0], shape[1], shape[2], shape[3]};
    backward.add(x, made<ops::roi_pool_gradient>(backward, "roi_pool_gradient", *grad, *rois,
                                                 *images, whole, settings));
    return;
  }
  // The element that a bin is of has all of its gradient.
  TensorRef updates = made<ops::contiguous>(backward, "contiguous", grad);
  if (settings.kind == NETCL_ROI_POOLING_MAX_SAMPLE) {
    const TensorRef weights = made<ops::roi_pool_weights>(backward, "roi_pool_weights", *x, *rois,
                                                          *images, settings);
    updates = formula(backward, "v0 * v1", {updates, weights}, x->dtype());
  }
  const TensorRef places =
      made<ops::roi_pool_places>(backward, "roi_pool_places", *x, *rois, *images, settings);
  const int64_t count = x->element_count(), bins = places->element_count();
  const Layout list = packed_layout(1, &bins);
  const TensorRef sums = made<ops::scatter>(
      backward, "scatter", reshape_view(*zeros_like(backward, *x), packed_layout(1, &count)),
      *reshape_view(*places, list), *reshape_view(*updates, list), int32_t{0},
      netcl_scatter_mode{NETCL_SCATTER_ADD}, false);
  backward.add(x, reshape_view(*sums, packed_layout(4, shape.data())));
}

// A weight is that of a place, which no small change of x moves.
void roi_pool_weights_gradients(Backward&, const TensorRef&, const TensorRef&, const TensorRef&,
                                const ops::RoiPoolSettings&) {}

// It is linear in the gradient that comes in: each bin has the average of what its elements have.
void roi_pool_gradient_gradients(Backward& backward, const TensorRef& grad, const TensorRef& rois,
                                 const TensorRef& images, const std::array<int64_t, 4>&,
                                 const ops::RoiPoolSettings& settings) {
  if (!backward.wants(grad)) return;
  backward.add(grad, made<ops::roi_pool>(backward, "roi_pool", *backward.grad(), *rois, *images,
                                         settings));
}

}  // namespace netcl::graph
