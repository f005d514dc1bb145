// Convolution as a matrix product whose column matrix never exists: a strip of its columns is
// copied from the input, a block of the depth at a time, straight into the panels that the register
// tile reads, and stays in the second cache while the filters pass by.
#include <algorithm>

#include "backend/cpu/conv2d/conv2d_work.hpp"

namespace netcl::cpu::conv2d_detail {

namespace {

using gemm_detail::kTileColumnsMax;
using gemm_detail::kTileRowsMax;

// Bytes of one line of a depth block, and of a strip with its sums: most of the second cache.
constexpr int64_t kDepthBytes = 2048;
constexpr int64_t kStripBytes = 640 * 1024;
// Below this many multiplications waking a second thread costs more than it saves.
constexpr double kSharedWork = 2e6;
constexpr int64_t kPanelsMax = 16;  // of a strip
// Filters that meet no more columns than this are read in place, because packing them would take
// too long beside the products. Up to so many last columns are worked out one by one then.
constexpr int64_t kInPlaceColumns = 400;
constexpr int64_t kSingleColumns = 4;
// A part of the filters that a thread gets has at least so many panels, as each copies the strip.
constexpr int64_t kPartPanels = 4;

template <class T>
class ImplicitGemm final : public PlanarWork<T> {
 public:
  ImplicitGemm(const Conv2dTask& task, unsigned threads);

 private:
  using Base = PlanarWork<T>;
  using Base::depth_;
  using Base::images_most_;
  using Base::kernels_;
  using Base::out_pixels_;
  using Base::places_;
  using Base::set_;
  using Base::task_;
  using Base::threads_;

  // What one thread works with.
  struct Slot {
    T* columns;
    T* sums;
    T* filters;
    T* single;  // the last columns, each of them in one piece
    PixelRun<T>* pixels;
    OutRun* results;
    int64_t pixel_counts[kPanelsMax];
    int64_t result_counts[kPanelsMax];
  };
  // The strip under way.
  struct Strip {
    int64_t group;
    int64_t first;  // column
    int64_t columns;
    int64_t panels;
    int64_t panel;      // the first panel of filters
    int64_t panel_end;  // and behind the last
  };

  void prepare(std::byte* memory, ThreadPool& pool) const override;
  void images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
              ThreadPool& pool) const override;
  Slot slot(std::byte* memory, unsigned index) const;
  void strip(const Planes<T>& planes, int64_t first_image, const Strip& strip, Slot& slot,
             const std::byte* memory) const;
  void copy_columns(const Planes<T>& group, const Strip& strip, const Slot& slot, int64_t first,
                    int64_t depth) const;
  void multiply(const Strip& strip, int64_t block, int64_t panel, const T* a, Slot& slot,
                const FilterRows& w, const Finish<T>& finish) const;
  void multiply_single(const Strip& strip, int64_t block, int64_t panel, const Slot& slot,
                       const FilterRows& w, T* sums, int64_t step) const;
  void prefetch(const FilterRows& w, int64_t filter, int64_t rows, int64_t first,
                int64_t depth) const;
  void prefetch_next(const FilterRows& w, const Strip& strip, int64_t block, int64_t panel) const;

  // Of so many columns of a panel, those that are worked out one by one.
  int64_t single_columns(int64_t used) const {
    const int64_t rest = used % set_.lanes;
    return in_place_ && rest <= kSingleColumns ? rest : 0;
  }

  int64_t block_depth(int64_t block) const {
    return std::min(depth_step_, depth_ - block * depth_step_);
  }

  int64_t filter_panels_;
  int64_t depth_step_;
  int64_t depth_blocks_;
  int64_t strip_columns_;
  int64_t parts_ = 1;
  bool in_place_;
  bool packs_ahead_;
  bool plain_;     // a 1 x 1 filter over whole planes: columns are rows of the planes
  bool identity_;  // results are the sums themselves
  bool shared_;
  unsigned slots_ = 1;
  size_t packed_place_ = 0;
  size_t slots_place_ = 0;
  size_t slot_bytes_ = 0;
  size_t slot_places_[6] = {};
};

template <class T>
ImplicitGemm<T>::ImplicitGemm(const Conv2dTask& task, unsigned threads) : Base(task, threads) {
  const int64_t element = sizeof(T);
  const int64_t width = set_.columns;
  filter_panels_ = ceil_div(task_.filters, set_.rows);
  depth_blocks_ = ceil_div(depth_, kDepthBytes / element);
  depth_step_ = ceil_div(depth_, depth_blocks_);
  depth_blocks_ = ceil_div(depth_, depth_step_);
  const int64_t rows = depth_blocks_ > 1 ? filter_panels_ * set_.rows : 0;
  const int64_t columns_most = images_most_ * out_pixels_;
  strip_columns_ = kStripBytes / element / (depth_step_ + rows) / width * width;
  strip_columns_ = std::clamp(strip_columns_, 2 * width, kPanelsMax * width);
  strip_columns_ = std::min(strip_columns_, round_up(columns_most, width));

  const double work = static_cast<double>(task_.batch * out_pixels_) *
                      static_cast<double>(task_.groups * task_.filters) *
                      static_cast<double>(depth_);
  shared_ = threads_ > 1 && work > kSharedWork;
  int64_t strips = ceil_div(columns_most, strip_columns_);
  if (shared_) {
    const int64_t wanted = ceil_div(3 * int64_t{threads_}, task_.groups);
    if (strips < wanted) {
      const int64_t least = 2 * width;
      strip_columns_ = std::clamp(round_up(ceil_div(columns_most, wanted), width),
                                  std::min(least, strip_columns_), strip_columns_);
      strips = ceil_div(columns_most, strip_columns_);
    }
    parts_ =
        std::clamp<int64_t>(wanted / strips, 1, std::max<int64_t>(1, filter_panels_ / kPartPanels));
    slots_ = static_cast<unsigned>(std::min<int64_t>(threads_, task_.groups * strips * parts_));
  }
  // Filters that meet only one or two strips are packed into the first cache when they are met.
  // Whether they are read in place must not depend on the number of threads: bits do on it.
  const int64_t rounds = ceil_div(task_.batch, images_most_);
  in_place_ = this->filters_along_depth() && columns_most * rounds <= kInPlaceColumns;
  packs_ahead_ = !in_place_ && strips * rounds > 2;

  plain_ = task_.size[0] == 1 && task_.out[0] == 1 && task_.kernel[0] == 1 &&
           task_.kernel[1] == 1 && task_.out[1] == task_.size[1] && task_.strides[1] == 1 &&
           task_.padding[0] == 0 && task_.padding[1] == 0;
  identity_ = task_.scale == nullptr && task_.shift == nullptr && task_.residual.data == nullptr &&
              task_.activation == NETCL_ACTIVATION_NONE && task_.result.dtype == kDtypeOf<T>;

  const int64_t packed = filter_panels_ * set_.rows * depth_step_;
  if (packs_ahead_) packed_place_ = places_.template take<T>(task_.groups * depth_blocks_ * packed);
  Places own;
  slot_places_[0] = own.take<T>(strip_columns_ * depth_step_);
  slot_places_[1] = own.take<T>(strip_columns_ * rows);
  slot_places_[2] = own.take<T>(packs_ahead_ ? 0 : set_.rows * depth_step_);
  slot_places_[5] = own.take<T>(in_place_ ? kSingleColumns * depth_step_ : 0);
  slot_places_[3] = own.take<PixelRun<T>>(strip_columns_ / width * (width + 1));
  slot_places_[4] = own.take<OutRun>(strip_columns_);
  slot_bytes_ = own.bytes();
  slots_place_ = places_.take_bytes(slots_, slot_bytes_);
  this->bytes_ = places_.bytes();
}

template <class T>
auto ImplicitGemm<T>::slot(std::byte* memory, unsigned index) const -> Slot {
  std::byte* const base = memory + slots_place_ + index * slot_bytes_;
  Slot slot;
  slot.columns = reinterpret_cast<T*>(base + slot_places_[0]);
  slot.sums = reinterpret_cast<T*>(base + slot_places_[1]);
  slot.filters = reinterpret_cast<T*>(base + slot_places_[2]);
  slot.single = reinterpret_cast<T*>(base + slot_places_[5]);
  slot.pixels = reinterpret_cast<PixelRun<T>*>(base + slot_places_[3]);
  slot.results = reinterpret_cast<OutRun*>(base + slot_places_[4]);
  return slot;
}

template <class T>
void ImplicitGemm<T>::prepare(std::byte* memory, ThreadPool& pool) const {
  if (!packs_ahead_) return;
  const FilterRows w = this->filter_rows(memory);
  T* const packed = reinterpret_cast<T*>(memory + packed_place_);
  const int64_t per_group = depth_blocks_ * filter_panels_;
  pool.parallel_for(task_.groups * per_group, 8, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t block = item % per_group / filter_panels_;
      const int64_t row = item % filter_panels_ * set_.rows;
      const int64_t filter = item / per_group * task_.filters + row;
      prefetch(w, filter + set_.rows, std::min(set_.rows, task_.filters - row - set_.rows),
               block * depth_step_, block_depth(block));
      set_.pack(w.dtype, w.at(filter, block * depth_step_), w.row_stride, w.depth_stride,
                std::min(set_.rows, task_.filters - row), set_.rows, block_depth(block),
                packed + item * set_.rows * depth_step_);
    }
  });
}

template <class T>
void ImplicitGemm<T>::images(const Planes<T>& planes, int64_t first, int64_t count,
                             std::byte* memory, ThreadPool& pool) const {
  const int64_t columns = count * out_pixels_;
  const int64_t strips = ceil_div(columns, strip_columns_);
  const auto work = [&](int64_t item, unsigned index) {
    Slot mine = slot(memory, index);
    Strip what;
    const int64_t part = item % parts_;
    what.group = item / parts_ / strips;
    what.first = item / parts_ % strips * strip_columns_;
    what.columns = std::min(strip_columns_, columns - what.first);
    what.panels = ceil_div(what.columns, set_.columns);
    what.panel = part * filter_panels_ / parts_;
    what.panel_end = (part + 1) * filter_panels_ / parts_;
    strip(planes, first, what, mine, memory);
  };
  const int64_t items = task_.groups * strips * parts_;
  if (shared_) {
    for_each_item(pool, items, slots_, work);
  } else {
    for (int64_t item = 0; item < items; ++item) work(item, 0);
  }
}

template <class T>
void ImplicitGemm<T>::strip(const Planes<T>& planes, int64_t first_image, const Strip& strip,
                            Slot& slot, const std::byte* memory) const {
  const int64_t width = set_.columns;
  const FilterRows w = this->filter_rows(memory);
  const Finish<T> finish = this->finish();
  Planes<T> group = planes;
  group.data += strip.group * task_.channels * planes.channel;
  for (int64_t p = 0; p < strip.panels; ++p) {
    const int64_t used = std::min(width, strip.columns - p * width);
    PixelRun<T>* const pixels = slot.pixels + p * (width + 1);
    auto counts = this->runs(group, first_image, strip.first + p * width, used, pixels,
                             slot.results + p * width);
    if (used < width) {
      pixels[counts.pixels++] = {used, width - used, nullptr, 0, 0};
    }
    slot.pixel_counts[p] = counts.pixels;
    slot.result_counts[p] = counts.results;
  }
  for (int64_t block = 0; block < depth_blocks_; ++block) {
    const int64_t first = block * depth_step_;
    const int64_t depth = block_depth(block);
    copy_columns(group, strip, slot, first, depth);
    for (int64_t panel = strip.panel; panel < strip.panel_end; ++panel) {
      const T* a = slot.filters;
      if (in_place_) {
        a = static_cast<const T*>(w.at(strip.group * task_.filters + panel * set_.rows, first));
        prefetch_next(w, strip, block, panel);
      } else if (packs_ahead_) {
        const int64_t index = (strip.group * depth_blocks_ + block) * filter_panels_ + panel;
        a = reinterpret_cast<const T*>(memory + packed_place_) + index * set_.rows * depth_step_;
      } else {
        const int64_t row = panel * set_.rows;
        set_.pack(w.dtype, w.at(strip.group * task_.filters + row, first), w.row_stride,
                  w.depth_stride, std::min(set_.rows, task_.filters - row), set_.rows, depth,
                  slot.filters);
        prefetch_next(w, strip, block, panel);
      }
      multiply(strip, block, panel, a, slot, w, finish);
    }
  }
}

// Columns of a block of the depth into panels.
template <class T>
void ImplicitGemm<T>::copy_columns(const Planes<T>& group, const Strip& strip, const Slot& slot,
                                   int64_t first, int64_t depth) const {
  const int64_t width = set_.columns;
  const int64_t image = strip.first / out_pixels_;
  if (plain_ && (strip.first + strip.columns - 1) / out_pixels_ == image) {
    const T* const source = group.data + image * group.image + first * group.channel +
                            (strip.first - image * out_pixels_);
    set_.pack(kDtypeOf<T>, source, 1, group.channel, strip.columns, width, depth, slot.columns);
  } else {
    const Window window = this->window(group);
    for (int64_t p = 0; p < strip.panels; ++p) {
      kernels_.columns(slot.pixels + p * (width + 1), slot.pixel_counts[p], window, first,
                       first + depth, width, slot.columns + p * width * depth);
    }
  }
  const int64_t used = strip.columns - (strip.panels - 1) * width;
  const int64_t singles = single_columns(used);
  const T* const panel = slot.columns + (strip.panels - 1) * width * depth + used - singles;
  for (int64_t i = 0; i < singles; ++i) {
    for (int64_t p = 0; p < depth; ++p) slot.single[i * depth + p] = panel[p * width + i];
  }
}

// Fetches what is packed next, so that it is near by then. The parts of rows that a panel takes are
// too short for the processor to see them coming.
template <class T>
void ImplicitGemm<T>::prefetch(const FilterRows& w, int64_t filter, int64_t rows, int64_t first,
                               int64_t depth) const {
  if (w.depth_stride != 1) return;
  const int64_t bytes = depth * static_cast<int64_t>(element_bytes(w.dtype));
  for (int64_t row = 0; row < rows; ++row) {
    const char* const line = static_cast<const char*>(w.at(filter + row, first));
    for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(line + at, 0, 2);
  }
}

template <class T>
void ImplicitGemm<T>::prefetch_next(const FilterRows& w, const Strip& strip, int64_t block,
                                    int64_t panel) const {
  if (++panel == strip.panel_end) {
    panel = strip.panel;
    if (++block == depth_blocks_) return;
  }
  const int64_t row = panel * set_.rows;
  prefetch(w, strip.group * task_.filters + row, std::min(set_.rows, task_.filters - row),
           block * depth_step_, block_depth(block));
}

// A panel of filters times all columns of the strip, for one block of the depth.
template <class T>
void ImplicitGemm<T>::multiply(const Strip& strip, int64_t block, int64_t panel, const T* a,
                               Slot& slot, const FilterRows& w, const Finish<T>& finish) const {
  alignas(64) T tile[kTileRowsMax * kTileColumnsMax];
  const int64_t width = set_.columns;
  const int64_t row = panel * set_.rows;
  const int64_t rows = std::min(set_.rows, task_.filters - row);
  const bool whole = depth_blocks_ == 1;
  const int64_t filter = strip.group * task_.filters + row;
  const bool direct = whole && identity_ && finish.result_column == 1 &&
                      (in_place_ || set_.tile_rows(rows) == rows);
  const int64_t depth = block_depth(block);
  const int64_t step = whole ? width : strip_columns_;
  for (int64_t p = 0; p < strip.panels; ++p) {
    const int64_t used = std::min(width, strip.columns - p * width);
    const T* const b = slot.columns + p * width * depth;
    const OutRun* const results = slot.results + p * width;
    const bool straight = direct && slot.result_counts[p] == 1 && used % set_.lanes == 0;
    T* const sums =
        straight ? static_cast<T*>(finish.result) + results->result + filter * finish.result_filter
        : whole  ? tile
                 : slot.sums + row * step + p * width;
    const int64_t sums_step = straight ? finish.result_filter : step;
    if (in_place_) {
      const int64_t singles = single_columns(used);
      if (used > singles) {
        kernels_.rows(rows, used - singles, depth, a, w.row_stride, b, width, block > 0, sums,
                      sums_step);
      }
      if (singles > 0) {
        multiply_single(strip, block, panel, slot, w, sums + used - singles, sums_step);
      }
    } else {
      set_.tile(rows, used, depth, a, b, width, T{1}, block == 0 ? T{0} : T{1}, sums, sums_step);
    }
    if (straight || block + 1 < depth_blocks_) continue;
    kernels_.finish(finish, sums, step, filter, rows, results, slot.result_counts[p]);
  }
}

// The last columns: each is the product of rows of filters with one vector.
template <class T>
void ImplicitGemm<T>::multiply_single(const Strip& strip, int64_t block, int64_t panel,
                                      const Slot& slot, const FilterRows& w, T* sums,
                                      int64_t step) const {
  T values[kTileRowsMax];
  const int64_t depth = block_depth(block);
  const int64_t row = panel * set_.rows;
  const int64_t rows = std::min(set_.rows, task_.filters - row);
  const int64_t singles = single_columns(strip.columns % set_.columns);
  const void* const filters = w.at(strip.group * task_.filters + row, block * depth_step_);
  for (int64_t i = 0; i < singles; ++i) {
    set_.dot_rows(w.dtype, filters, w.row_stride, rows, depth, slot.single + i * depth, values);
    for (int64_t r = 0; r < rows; ++r) {
      sums[r * step + i] = block > 0 ? sums[r * step + i] + values[r] : values[r];
    }
  }
}

}  // namespace

template <class T>
std::unique_ptr<Conv2dWork> make_implicit_gemm(const Conv2dTask& task, unsigned threads) {
  return std::make_unique<ImplicitGemm<T>>(task, threads);
}

template std::unique_ptr<Conv2dWork> make_implicit_gemm<float>(const Conv2dTask&, unsigned);
template std::unique_ptr<Conv2dWork> make_implicit_gemm<double>(const Conv2dTask&, unsigned);

}  // namespace netcl::cpu::conv2d_detail
