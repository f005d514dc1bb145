#include "ops/quantization/integer_windows.hpp"

#include <algorithm>

#include "ops/conv2d/conv2d.hpp"
#include "ops/frame/result.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/move.hpp"
#include "ops/quantization/quantize.hpp"

namespace netcl::ops {
namespace {

// Bytes of windows that are laid out at a time.
constexpr int64_t kWindowBytes = int64_t{64} << 20;

void check_bytes(const Tensor& tensor, const char* op, const char* argument, const TensorRef& into,
                 const Run& run) {
  if (!is_matmul_byte(tensor.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; %s takes i8 and u8", argument,
         dtype_facts(tensor.dtype()).name, op);
  }
  require_device(tensor, run, argument);
  refuse_sharing(into, tensor, argument);
}

void check_zero(const TensorRef& zero, const char* argument, const Tensor& operand, const char* of,
                int64_t filters, const TensorRef& into, const Run& run) {
  if (zero == nullptr) return;
  require_device(*zero, run, argument);
  if (zero->dtype() != operand.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and %s is %s; dtypes must be equal", argument,
         dtype_facts(zero->dtype()).name, of, dtype_facts(operand.dtype()).name);
  }
  refuse_sharing(into, *zero, argument);
  if (filters == 0) return require_one_element(*zero, argument);
  require_per_filter(*zero, argument, filters);
}

Conv2dParameters parameters_of(const IntegerConv2dSettings& settings) {
  Conv2dParameters parameters;
  parameters.strides = settings.strides;
  parameters.dilations = settings.dilations;
  parameters.padding = settings.padding;
  parameters.groups = settings.groups;
  return parameters;
}

// One element for each filter as a column for each group; one element for all as it is.
TensorRef filter_column(const Tensor& tensor, int64_t groups) {
  if (tensor.element_count() == 1) return one_element(tensor);
  const int64_t shape[3] = {groups, tensor.layout().shape[0] / groups, 1};
  return reshape_view(tensor, packed_layout(3, shape));
}

}  // namespace

void require_per_filter(const Tensor& tensor, const char* argument, int64_t filters) {
  if (tensor.element_count() == 1) return;
  if (tensor.layout().rank == 1 && tensor.layout().shape[0] == filters) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s has shape %s; it takes one element, or [%lld] for the "
       "filters of w",
       argument, shape_text(tensor).c_str(), static_cast<long long>(filters));
}

TensorRef images_of(const Tensor& tensor, int64_t first, int64_t count) {
  Layout layout = tensor.layout();
  layout.offset += first * layout.strides[0];
  layout.shape[0] = count;
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

IntegerConvolution::IntegerConvolution(const char* op, const TensorRef& x, const TensorRef& w,
                                       const IntegerConv2dSettings& settings, const TensorRef& into,
                                       const Run& run)
    : x_(x), w_(w), settings_(settings) {
  check_bytes(*x, op, "x", into, run);
  check_bytes(*w, op, "w", into, run);
  shape_ = conv2d_result_shape(*x, *w, parameters_of(settings));
  check_zero(settings.x_zero_point, "options->x_zero_point", *x, "x", 0, into, run);
  check_zero(settings.w_zero_point, "options->w_zero_point", *w, "w",
             std::max<int64_t>(shape_[1], 1), into, run);
  const Layout& kernel = w->layout();
  depth_ = kernel.shape[1] * kernel.shape[2] * kernel.shape[3];
}

void IntegerConvolution::prepare(const Run& run) {
  const Layout& kernel = w_->layout();
  const int64_t groups = settings_.groups;
  const int64_t filters[3] = {groups, shape_[1] / groups, depth_};
  filters_ = reshape_view(*w_, packed_layout(3, filters));
  if (filters_ == nullptr) {
    filters_ = reshape_view(*copy(*w_, nullptr, run), packed_layout(3, filters));
  }
  const Layout& image = x_->layout();
  const int64_t laid_out[7] = {
      1, groups, kernel.shape[1], kernel.shape[2], kernel.shape[3], shape_[2], shape_[3]};
  int64_t bytes = make_layout(7, laid_out, nullptr, 1).element_count();
  const auto& around = settings_.padding;
  const bool pads =
      std::any_of(around.begin(), around.end(), [](int64_t value) { return value != 0; });
  int64_t whole[4] = {1, image.shape[1], image.shape[2] + around[0] + around[2],
                      image.shape[3] + around[1] + around[3]};
  if (pads) bytes = std::max(bytes, make_layout(4, whole, nullptr, 1).element_count());
  images_ = std::clamp<int64_t>(kWindowBytes / std::max<int64_t>(bytes, 1), 1,
                                std::max<int64_t>(shape_[0], 1));
  if (pads) {
    whole[0] = images_;
    padding_ = new_tensor(x_->dtype(), 4, whole, run);
  }
  const TensorRef source = padding_ != nullptr ? padding_ : images_of(*x_, 0, images_);
  if (columns_where_they_lie(*source, images_) != nullptr) return;
  int64_t all[7];
  std::copy(laid_out, laid_out + 7, all);
  all[0] = images_;
  columns_ = new_tensor(x_->dtype(), 7, all, run);
}

// The images with their zero point around them, so that what is around them counts for nothing.
TensorRef IntegerConvolution::padded(int64_t first, int64_t count, const Run& run) const {
  const TensorRef images = images_of(*x_, first, count);
  if (padding_ == nullptr) return images;
  const TensorRef whole = images_of(*padding_, 0, count);
  if (settings_.x_zero_point != nullptr) {
    copy_into(*broadcast(*one_element(*settings_.x_zero_point), 4, whole->layout().shape.data()),
              *whole, run);
  } else {
    const Element zero{};
    fill(*whole, zero.data(), run);
  }
  Layout inner = whole->layout();
  inner.offset += settings_.padding[0] * inner.strides[2] + settings_.padding[1] * inner.strides[3];
  inner.shape[2] = x_->layout().shape[2];
  inner.shape[3] = x_->layout().shape[3];
  copy_into(*images, Tensor(whole->buffer(), whole->dtype(), inner), run);
  return whole;
}

// Every window of an image as a view: [n, G, C / G, KH, KW, OH, OW].
Layout IntegerConvolution::windows(const Layout& image, int64_t count) const {
  const Layout& kernel = w_->layout();
  const auto& strides = settings_.strides;
  const auto& dilations = settings_.dilations;
  Layout view;
  view.rank = 7;
  view.offset = image.offset;
  view.shape = {count,           settings_.groups, kernel.shape[1], kernel.shape[2],
                kernel.shape[3], shape_[2],        shape_[3]};
  view.strides = {image.strides[0],
                  image.strides[1] * kernel.shape[1],
                  image.strides[1],
                  image.strides[2] * dilations[0],
                  image.strides[3] * dilations[1],
                  image.strides[2] * strides[0],
                  image.strides[3] * strides[1]};
  return view;
}

// The windows of images as columns, [n, G, K, OH OW], without a copy; null where they need one.
TensorRef IntegerConvolution::columns_where_they_lie(const Tensor& images, int64_t count) const {
  const Tensor view(images.buffer(), images.dtype(), windows(images.layout(), count));
  return reshape_view(view, columns_layout(count));
}

Layout IntegerConvolution::columns_layout(int64_t count) const {
  const int64_t shape[4] = {count, settings_.groups, depth_, shape_[2] * shape_[3]};
  return packed_layout(4, shape);
}

TensorRef IntegerConvolution::columns(int64_t first, int64_t count, const Run& run) const {
  const TensorRef images = padded(first, count, run);
  if (columns_ == nullptr) return columns_where_they_lie(*images, count);
  const TensorRef packed = images_of(*columns_, 0, count);
  copy_into(Tensor(images->buffer(), images->dtype(), windows(images->layout(), count)), *packed,
            run);
  return reshape_view(*packed, columns_layout(count));
}

void IntegerConvolution::sums(int64_t first, const TensorRef& bias, const Tensor& target,
                              const Run& run) const {
  const int64_t count = target.layout().shape[0];
  const int64_t groups = settings_.groups;
  const TensorRef windows = columns(first, count, run.part());
  MatmulParameters parameters;
  if (settings_.w_zero_point != nullptr) {
    parameters.a_zero_point = filter_column(*settings_.w_zero_point, groups);
  }
  if (settings_.x_zero_point != nullptr) {
    parameters.b_zero_point = one_element(*settings_.x_zero_point);
  }
  if (bias != nullptr) parameters.epilogue.bias = filter_column(*bias, groups);
  const int64_t shape[4] = {count, groups, shape_[1] / groups, shape_[2] * shape_[3]};
  const TensorRef rows = reshape_view(target, packed_layout(4, shape));
  if (rows != nullptr) {
    matmul(*filters_, *windows, parameters, rows, run);
    return;
  }
  const TensorRef made = matmul(*filters_, *windows, parameters, nullptr, run.part());
  copy_into(*reshape_view(*made, packed_layout(4, target.layout().shape.data())), target, run);
}

}  // namespace netcl::ops
