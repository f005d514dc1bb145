// Convolutions by matrix units: windows of images are the rows of a matrix product whose tiles are
// copied as they are needed, so that nothing is written out beforehand. x, w and y have their
// channels innermost there; what has another order is copied.
#include <algorithm>
#include <array>
#include <bit>

#include "core/dtype.hpp"
#include "ops/conv2d/conv2d_cl.hpp"
#include "ops/conv2d/conv2d_windows.hpp"
#include "ops/frame/result.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

Conv2dWindows conv2d_windows(const int64_t (&out)[3], const int64_t (&strides)[2]) {
  // Results of a box, and elements along a side of the image that a tensor map takes for it.
  constexpr int64_t kMost = 64, kSideMost = 256;
  Conv2dWindows best;
  for (int64_t w = 1; w <= std::min({out[0], kMost, kSideMost / strides[0]}); ++w) {
    for (int64_t h = 1; h <= std::min({out[1], kMost / w, kSideMost / strides[1]}); ++h) {
      const int64_t n = std::clamp<int64_t>(out[2], 1, kMost / (w * h));
      Conv2dWindows next{{w, h, n},
                         {ceil_div(out[0], w), ceil_div(out[1], h), ceil_div(out[2], n)}};
      if (best.count() == 0 || next.count() <= best.count()) best = next;
    }
  }
  return best;
}

namespace conv2d_cl {
namespace {

// What copies and sums of a pass over some images may take.
constexpr int64_t kPassBytes = int64_t{1} << 30;
// Elements that tensor maps count in, and results of a box.
constexpr int64_t kGrain = 8, kBox = 64;
constexpr int64_t kBytes = 2;
// Filters that an item of the last step takes where neighbours of y are results of one filter.
constexpr int64_t kFilters = 8;
// Of convolutions: their variants are numbers from 16 times this on.
constexpr int kVariantOp = NETCL_VARIANT_CONV2D_NAIVE / 16;

// Channels innermost, everything else at multiples of 16 bytes, forward. A dimension of extent 1
// has no stride.
bool mapped(const Layout& layout) {
  if (layout.offset % kGrain != 0 || (layout.strides[1] != 1 && layout.shape[1] != 1)) return false;
  for (const uint32_t d : {0, 2, 3}) {
    if (layout.shape[d] != 1 && (layout.strides[d] % kGrain != 0 || layout.strides[d] <= 0)) {
      return false;
    }
  }
  return true;
}

int64_t step_of(const Layout& layout, uint32_t d) {
  return layout.shape[d] == 1 ? kGrain : layout.strides[d];
}

// The same of filters, whose places follow each other at one distance.
bool filters_mapped(const Layout& w) {
  return mapped(w) &&
         (w.shape[2] == 1 || w.shape[3] == 1 || w.strides[2] == w.shape[3] * w.strides[3]);
}

int64_t place_step(const Layout& w) { return w.shape[3] != 1 ? w.strides[3] : step_of(w, 2); }

// Channels innermost, as tensor maps have them.
Layout channels_last(const Layout& like) {
  Layout to = like;
  const int64_t pitch = round_up(like.shape[1], kGrain);
  to.offset = 0;
  to.strides = {like.shape[2] * like.shape[3] * pitch, 1, like.shape[3] * pitch, pitch};
  return to;
}

// Some of the images.
Layout images_of(Layout layout, int64_t first, int64_t count) {
  layout.offset += first * layout.strides[0];
  layout.shape[0] = count;
  return layout;
}

Tensor part_of(const Tensor& tensor, const Layout& layout) {
  return Tensor(tensor.buffer(), tensor.dtype(), layout);
}

// Bytes: of the first element, and from row to row, matrix to matrix, stack to stack.
void add_place(int64_t first, const std::array<int64_t, 3>& steps, int64_t size, Arguments* list) {
  list->scalar(first * size);
  for (const int64_t step : steps) list->scalar(step * size);
}

uint32_t word(int64_t value) { return static_cast<uint32_t>(value); }

class UnitsConvolution {
 public:
  explicit UnitsConvolution(const Plan& plan)
      : plan_(plan),
        p_(plan.p),
        pitch_(round_up(p_.filters, 4)),
        deep_(window_depth(p_.channels)),
        stages_(ceil_div(p_.channels, deep_) * p_.kernel[0] * p_.kernel[1]),
        depth_(ceil_div(stages_, std::max<int64_t>(p_.config.split_k, 1))) {
    const bool plain = p_.scale == nullptr && p_.residual == nullptr &&
                       wgmma_activation(p_.activation, p_.x.dtype());
    kernel_.dtype = kernel_.b_dtype = kernel_.out_dtype = p_.x.dtype();
    kernel_.tile_m = p_.config.tile_m;
    kernel_.tile_n = p_.config.tile_n;
    kernel_.batch_rank = 2;
    kernel_.windows = true;
    kernel_.row_bytes = static_cast<uint32_t>(deep_ * kBytes);
    kernel_.store = plain && pieces() == 1 ? WgmmaStore::boxes : WgmmaStore::sums;
    if (boxes()) {
      kernel_.bias_dtype = p_.shift != nullptr ? p_.shift->dtype() : 0;
      kernel_.activation = p_.activation;
    }
  }

  bool builds() const {
    const auto text = [&] { return wgmma_text(kernel_); };
    return builds_units(plan_.run.device(), wgmma_name(kernel_), text);
  }

  void run() {
    TensorRef filters;
    const Tensor* w = &p_.w;
    if (!filters_mapped(plan_.w)) w = (filters = copied(p_.w)).get();
    const int64_t images = images_of_pass();
    for (int64_t first = 0; first < p_.batch; first += images) {
      const bool last = first + images >= p_.batch;
      pass(*w, first, std::min(images, p_.batch - first),
           last ? plan_.run : plan_.run.without_event());
    }
  }

 private:
  bool boxes() const { return kernel_.store == WgmmaStore::boxes; }
  int64_t pieces() const { return ceil_div(stages_, depth_); }
  // Copies of results begin at multiples of so many elements, and end there.
  bool y_fits() const { return mapped(plan_.y) && p_.filters % kGrain == 0; }

  TensorRef copied(const Tensor& from) const {
    const TensorRef into = new_tensor(from.dtype(), channels_last(from.layout()), plan_.run);
    return copy(from, into, plan_.run.without_event());
  }

  int64_t images_of_pass() const {
    const int64_t results = p_.out[0] * p_.out[1];
    int64_t bytes = 0;
    if (!mapped(plan_.x)) {
      bytes += p_.size[0] * p_.size[1] * round_up(p_.channels, kGrain) * kBytes;
    }
    if (!boxes()) {
      bytes += results * pitch_ * pieces() * 4;
    } else if (!y_fits()) {
      bytes += results * round_up(p_.filters, kGrain) * kBytes;
    }
    if (bytes == 0) return p_.batch;
    return std::clamp<int64_t>(room_for(plan_, kPassBytes) / bytes, 1, p_.batch);
  }

  void pass(const Tensor& w, int64_t first, int64_t count, const Run& run) {
    Tensor x = part_of(p_.x, images_of(plan_.x, first, count));
    TensorRef turned;
    if (!mapped(x.layout())) turned = copied(x);
    const Tensor& from = turned != nullptr ? *turned : x;
    const Layout y = images_of(plan_.y, first, count);
    if (!boxes()) {
      const BufferRef sums = new_memory(
          static_cast<uint64_t>(count * p_.out[0] * p_.out[1] * pitch_ * pieces() * 4), run);
      launch(from, w, writing(*sums), sums_layout(count), run.without_event());
      return finish(*sums, first, count, run);
    }
    if (y_fits()) return launch(from, w, writing(p_.result), y, run);
    const TensorRef results = new_tensor(p_.x.dtype(), channels_last(y), run);
    launch(from, w, writing(*results), results->layout(), run.without_event());
    copy(*results, std::make_shared<Tensor>(part_of(p_.result, y)), run);
  }

  Layout sums_layout(int64_t count) const {
    Layout layout = images_of(plan_.y, 0, count);
    layout.offset = 0;
    layout.strides = {p_.out[0] * p_.out[1] * pitch_, 1, p_.out[1] * pitch_, pitch_};
    return layout;
  }

  void launch(const Tensor& x, const Tensor& w, const Access& c, const Layout& y, const Run& run) {
    const int64_t out[3] = {p_.out[1], p_.out[0], y.shape[0]};
    const Conv2dWindows windows = conv2d_windows(out, {p_.strides[1], p_.strides[0]});
    const int64_t rows = windows.count() * kBox;
    const int64_t groups =
        std::min(plan_.units(),
                 ceil_div(rows, kernel_.tile_m) * ceil_div(p_.filters, kernel_.tile_n) * pieces());
    const BufferRef scratch = new_memory(static_cast<uint64_t>(groups * kWgmmaScratch), run);
    Arguments list;
    list.memory(reading(x));
    list.memory(reading(w));
    list.memory(writing(*scratch));
    list.memory(c);
    const bool biased = kernel_.bias_dtype != 0;
    if (biased) list.memory(reading(*p_.shift));
    add_lengths(x.layout(), w.layout(), y, &list);
    add_words(windows, out[2], &list);
    list.scalar(1.0f);
    list.scalar(static_cast<float>(p_.alpha));
    list.scalar(static_cast<float>(p_.beta));
    const auto text = [&] { return wgmma_text(kernel_); };
    FunctionRef<std::string()> assembled = text;
    const std::string name = wgmma_name(kernel_);
    KernelCall call{nullptr, name.c_str(), ""};
    call.assembled = &assembled;
    call.local[0] = wgmma_items(kernel_);
    call.global[0] = static_cast<uint64_t>(groups) * call.local[0];
    enqueue_kernel(call, list, run);
  }

  void add_lengths(const Layout& x, const Layout& w, const Layout& y, Arguments* list) const {
    const auto along = [](const Layout& layout) {
      return std::array<int64_t, 3>{step_of(layout, 3), step_of(layout, 2), step_of(layout, 0)};
    };
    add_place(x.offset, along(x), kBytes, list);
    add_place(w.offset, {step_of(w, 0), place_step(w), kGrain}, kBytes, list);
    add_place(y.offset, along(y), boxes() ? kBytes : 4, list);
    if (kernel_.bias_dtype != 0) {
      const Layout& bias = p_.shift->layout();
      add_place(bias.offset, {bias.strides[0], 0, 0},
                static_cast<int64_t>(dtype_size(kernel_.bias_dtype)), list);
    }
    list->scalar(y.shape[0] * p_.out[0] * p_.out[1] * pitch_ * 4);
    list->scalar(int64_t{0});
  }

  void add_words(const Conv2dWindows& windows, int64_t images, Arguments* list) const {
    const int64_t places = p_.kernel[0] * p_.kernel[1];
    // Results that are copied in boxes may need more stages than there are.
    const int64_t depth = pieces() == 1 ? INT32_MAX : depth_;
    for (const int64_t value :
         {windows.count() * kBox, p_.filters, stages_ * deep_, int64_t{1}, int64_t{1}, p_.size[0],
          images, places, int64_t{1}, pieces(), depth}) {
      list->scalar(word(value));
    }
    const WgmmaWindows more{.channels = word(p_.channels),
                            .in_width = word(p_.size[1]),
                            .out_width = word(p_.out[1]),
                            .out_height = word(p_.out[0]),
                            .stages = word(stages_ / places),
                            .box_w = word(windows.box[0]),
                            .box_h = word(windows.box[1]),
                            .box_n = word(windows.box[2]),
                            .boxes_w = word(windows.boxes[0]),
                            .boxes_h = word(windows.boxes[1]),
                            .stride_w = word(p_.strides[1]),
                            .stride_h = word(p_.strides[0]),
                            .dilation_w = word(p_.dilations[1]),
                            .dilation_h = word(p_.dilations[0]),
                            .padding_w = word(p_.padding[1]),
                            .padding_h = word(p_.padding[0]),
                            .kernel_w = word(p_.kernel[1])};
    using Words = std::array<uint32_t, sizeof(WgmmaWindows) / sizeof(uint32_t)>;
    for (const uint32_t each : std::bit_cast<Words>(more)) list->scalar(each);
  }

  void finish(const Buffer& sums, int64_t first, int64_t count, const Run& run) const {
    const int64_t results = count * p_.out[0] * p_.out[1];
    const bool along = plan_.y.strides[1] == 1;
    KernelCall call{.file = "conv2d_matrix_units.cl",
                    .kernel = "netcl_conv2d_units_finish",
                    .flags = plan_.flags() + format(" -DNETCL_ALONG_FILTERS=%d -DNETCL_FILTERS=%d",
                                                    along ? 1 : 0, static_cast<int>(kFilters))};
    call.rank = 2;
    call.local[0] = 64;
    call.global[0] = static_cast<uint64_t>(round_up(along ? p_.filters : results, 64));
    call.global[1] = static_cast<uint64_t>(
        std::min(along ? results : ceil_div(p_.filters, kFilters), kGroupsMost));
    Arguments list;
    list.memory(reading(sums));
    for (const int64_t value : {pieces(), results, pitch_}) list.scalar(value);
    list.memory(writing(p_.result));
    list.layout(images_of(plan_.y, first, count));
    plan_.add_epilogue(images_of(plan_.residual, first, count), &list);
    enqueue_kernel(call, list, run);
  }

  const Plan& plan_;
  const Conv2dProblem& p_;
  const int64_t pitch_;           // of sums: whole pairs of filters
  const int64_t deep_;            // channels of a stage
  const int64_t stages_, depth_;  // of all places of a filter, and of a piece
  WgmmaKernel kernel_;
};

}  // namespace

bool run_units(Plan& plan) {
  UnitsConvolution convolution(plan);
  const bool requested = variant_rules::wanted_variant(plan.p.request, kVariantOp).variant != 0;
  if (!requested && !convolution.builds()) return false;
  convolution.run();
  return true;
}

}  // namespace conv2d_cl
}  // namespace netcl::ops
