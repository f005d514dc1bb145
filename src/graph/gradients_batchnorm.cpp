// Gradients of batch normalisations.
#include "core/number.hpp"
#include "graph/channel_norm.hpp"
#include "graph/formula_gradient.hpp"
#include "graph/op_gradients.hpp"

namespace netcl::graph {

namespace {

// What was given to the activation, from values that are normal: of mean 0 and variance 1.
TensorRef scaled(const Backward& backward, const TensorRef& normal,
                 const ops::BatchnormSettings& settings) {
  const uint32_t rank = normal->layout().rank;
  TensorRef given = normal;
  if (settings.scale != nullptr) {
    given = formula(backward, "v0 * v1",
                    {given, per_channel(backward, settings.scale, rank, given->dtype())});
  }
  if (settings.bias != nullptr) {
    given = formula(backward, "v0 + v1",
                    {given, per_channel(backward, settings.bias, rank, given->dtype())});
  }
  return given;
}

Activation activation_of(const ops::BatchnormSettings& settings) {
  return {settings.activation, settings.alpha, settings.beta};
}

void add_inference(Backward& backward, const TensorRef& x, const TensorRef& mean,
                   const TensorRef& variance, const ops::BatchnormSettings& settings) {
  const uint32_t rank = x->layout().rank;
  const netcl_dtype wide = wide_dtype(*x);
  const TensorRef grad = activation_gradient(
      backward, activation_of(settings), backward.grad(), backward.result(), [&] {
        const std::string text = "(v0 - v1) * rsqrt(v2 + " + literal(settings.epsilon) + ")";
        return scaled(backward,
                      formula(backward, text.c_str(),
                              {x, per_channel(backward, mean, rank, wide),
                               per_channel(backward, variance, rank, wide)},
                              wide),
                      settings);
      });
  add_channel_gradients(backward, {settings.scale, settings.bias, mean, variance, settings.epsilon},
                        grad, [&] { return x; });
  if (!backward.wants(x)) return;
  const TensorRef factor = channel_factor(
      backward, settings.scale, per_channel(backward, variance, rank, wide), settings.epsilon);
  backward.add(x, formula(backward, "v0 * v1", {grad, factor}, x->dtype()));
}

// The statistics of the batch itself.
class Training {
 public:
  Training(Backward& backward, const TensorRef& x, const ops::BatchnormSettings& settings)
      : backward_(backward), x_(x), settings_(settings) {
    const Layout& shape = x->layout();
    const int64_t count = shape.element_count() / shape.shape[1];
    share_ = " * " + literal(1.0 / static_cast<double>(count));
    const TensorRef mean = mean_of(channel_sums(backward, widened(backward, x)));
    centred_ = wide("v0 - v1", {x, mean});
    variance_ = mean_of(channel_squares(backward, centred_));
    // A root for each channel, not for each element.
    const TensorRef root = channel_factor(backward, nullptr, variance_, settings.epsilon);
    normal_ = wide("v0 * v1", {centred_, root});
  }

  void add_result() const {
    const uint32_t rank = x_->layout().rank;
    const TensorRef grad = activation_gradient(
        backward_, activation_of(settings_), backward_.grad(), backward_.result(),
        [&] { return scaled(backward_, normal_, settings_); });
    const TensorRef sum = channel_sums(backward_, grad);
    const TensorRef along = channel_sums(backward_, wide("v0 * v1", {grad, normal_}));
    if (backward_.wants(settings_.bias)) backward_.add(per_channel(*settings_.bias, rank), sum);
    if (backward_.wants(settings_.scale)) {
      backward_.add(per_channel(*settings_.scale, rank), along);
    }
    if (!backward_.wants(x_)) return;
    const TensorRef factor =
        channel_factor(backward_, settings_.scale, variance_, settings_.epsilon);
    const std::string text = "(v0 - (v1 + v2 * v3)" + share_ + ") * v4";
    backward_.add(
        x_, formula(backward_, text.c_str(), {grad, sum, along, normal_, factor}, x_->dtype()));
  }

  // The running statistics take some of those of the batch.
  void add_statistics(const TensorRef& mean, const TensorRef& variance) const {
    if (!backward_.wants(x_)) return;
    const uint32_t rank = x_->layout().rank;
    const std::string taken = share_ + " * " + literal(1.0 - settings_.momentum);
    if (mean != nullptr) {
      const TensorRef each = wide(("v0" + taken).c_str(), {per_channel(*mean, rank)});
      backward_.add(x_, repeated(*each, x_->layout()));
    }
    if (variance != nullptr) {
      const std::string text = "2 * v0 * v1" + taken;
      backward_.add(x_, wide(text.c_str(), {centred_, per_channel(*variance, rank)}));
    }
  }

 private:
  TensorRef wide(const char* text, std::initializer_list<TensorRef> inputs) const {
    return formula(backward_, text, inputs, wide_dtype(*x_));
  }
  TensorRef mean_of(const TensorRef& sums) const {
    return wide(("v0" + share_).c_str(), {sums});
  }

  Backward& backward_;
  const TensorRef& x_;
  const ops::BatchnormSettings& settings_;
  std::string share_;  // divides by the elements of a channel
  TensorRef centred_;
  TensorRef variance_;
  TensorRef normal_;
};

}  // namespace

void batchnorm_gradients(Backward& backward, const TensorRef& x, const TensorRef& mean,
                         const TensorRef& variance, const ops::BatchnormSettings& settings) {
  if (!settings.training) return add_inference(backward, x, mean, variance, settings);
  // An empty batch leaves the running statistics as they are.
  const std::string kept = x->empty() ? "v0" : "v0 * " + literal(settings.momentum);
  const auto add_kept = [&](const TensorRef& running, const TensorRef& grad) {
    if (grad == nullptr || !backward.wants(running)) return;
    backward.add(running, formula(backward, kept.c_str(), {grad}, running->dtype()));
  };
  add_kept(mean, backward.grad(1));
  add_kept(variance, backward.grad(2));
  if (x->empty()) return;
  if (!backward.wants(x) && !backward.wants(settings.scale) && !backward.wants(settings.bias)) {
    return;
  }
  const Training batch(backward, x, settings);
  if (backward.grad() != nullptr) batch.add_result();
  batch.add_statistics(backward.grad(1), backward.grad(2));
}

}  // namespace netcl::graph
