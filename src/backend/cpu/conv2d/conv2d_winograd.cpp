// Winograd's method for 3 x 3 filters: a chunk of tiles is transformed, multiplied by the
// transformed filters (one product for each of the 16 or 36 places of a tile) and transformed back.
#include <algorithm>

#include "backend/cpu/conv2d/conv2d_work.hpp"

namespace netcl::cpu::conv2d_detail {

namespace {

// The depth that one call of the register tile sees, as in the matrix product.
constexpr int64_t kTransformedDepthBytes = 2048;
// Bytes of the products of a block of filters, and of a chunk's transformed inputs.
constexpr int64_t kProductBytes = 512 * 1024;
constexpr int64_t kInputBytes = 1024 * 1024;
constexpr int64_t kPanelsMost = 4;
constexpr int64_t kPanelsMin = 4;

template <class T>
class Winograd final : public PlanarWork<T> {
 public:
  Winograd(const Conv2dTask& task, unsigned threads);

 private:
  using Base = PlanarWork<T>;
  using Base::kernels_;
  using Base::places_;
  using Base::set_;
  using Base::task_;
  using Base::threads_;

  struct Slot {
    T* inputs;
    T* products;
    T* scratch;
    T* outputs;
    TileRun<T>* tiles;
    OutRun* results;
    int64_t tiles_count;
    int64_t results_count;
  };
  struct Chunk {
    int64_t group;
    int64_t first;  // tile
    int64_t tiles;
    int64_t panel;      // the first panel of filters
    int64_t panel_end;  // and behind the last
  };

  void prepare(std::byte* memory, ThreadPool& pool) const override;
  void images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
              ThreadPool& pool) const override;
  Slot slot(std::byte* memory, unsigned index) const;
  void find_runs(const Planes<T>& planes, int64_t first_image, const Chunk& chunk,
                 Slot* slot) const;
  void multiply(const Chunk& chunk, int64_t first, int64_t last, const T* filters,
                const Slot& slot) const;
  void write(const Chunk& chunk, int64_t first, int64_t last, const Slot& slot) const;

  int64_t edge_;   // outputs per tile
  int64_t index_;  // of the transforms
  int64_t places_per_tile_;
  int64_t down_;
  int64_t across_;
  int64_t filter_panels_;
  int64_t panels_;           // of tiles in a chunk
  int64_t block_panels_;     // of filters in a block
  int64_t filters_at_once_;  // that are transformed back before their results are written
  int64_t filter_step_;      // from place to place
  int64_t input_step_;
  int64_t parts_ = 1;
  unsigned slots_ = 1;
  size_t filters_place_ = 0;
  size_t slots_place_ = 0;
  size_t slot_bytes_ = 0;
  size_t slot_places_[6] = {};
};

template <class T>
Winograd<T>::Winograd(const Conv2dTask& task, unsigned threads) : Base(task, threads) {
  const int64_t element = sizeof(T);
  const int64_t width = set_.columns;
  edge_ = task.winograd_tile == 2 ? 2 : 4;
  index_ = edge_ == 2 ? 0 : 1;
  places_per_tile_ = (edge_ + 2) * (edge_ + 2);
  down_ = ceil_div(task_.out[0], edge_);
  across_ = ceil_div(task_.out[1], edge_);
  filter_panels_ = ceil_div(task_.filters, set_.rows);
  // Results with the filters innermost are written for a panel of filters together.
  filters_at_once_ = task_.result.strides[1] == 1 ? set_.rows : 1;
  // Steps that are no multiple of a page keep the places of a tile apart in the caches.
  filter_step_ = round_up(task_.channels * set_.rows, 16) + 16;
  input_step_ = task_.channels * width + 16;
  const int64_t tiles_most = this->images_most_ * down_ * across_;
  const int64_t panel_bytes = places_per_tile_ * input_step_ * element;
  panels_ = std::clamp<int64_t>(kInputBytes / panel_bytes, 1, kPanelsMost);
  panels_ = std::min(panels_, ceil_div(tiles_most, width));
  if (threads_ > 1) {
    // Each thread should get a few chunks, or else parts of the filters.
    const int64_t wanted = 3 * int64_t{threads_};
    panels_ = std::clamp<int64_t>(ceil_div(tiles_most, width) / wanted, 1, panels_);
    const int64_t chunks = ceil_div(tiles_most, panels_ * width) * task_.groups;
    parts_ =
        std::clamp<int64_t>(wanted / chunks, 1, std::max<int64_t>(1, filter_panels_ / kPanelsMin));
  }
  const int64_t product_bytes = places_per_tile_ * panels_ * width * set_.rows * element;
  block_panels_ = std::clamp<int64_t>(kProductBytes / product_bytes, 1, filter_panels_);
  slots_ = threads_;

  filters_place_ = places_.template take<T>(
      task_.groups * filter_panels_ * places_per_tile_ * filter_step_ + kSlack);
  const int64_t tiles = panels_ * width;
  Places own;
  const int64_t inputs = panels_ * places_per_tile_ * input_step_;
  const int64_t packed = 9 * task_.channels * set_.rows + kSlack;  // see prepare()
  slot_places_[0] = own.take<T>(std::max(inputs, packed));
  slot_places_[1] = own.take<T>(tiles * block_panels_ * set_.rows * places_per_tile_);
  slot_places_[2] = own.take<T>(winograd_scratch(tiles, edge_));
  slot_places_[3] = own.take<T>(filters_at_once_ * edge_ * tiles * edge_ + 4 * kSlack);
  slot_places_[4] = own.take<TileRun<T>>(tiles);
  slot_places_[5] = own.take<OutRun>(tiles * edge_);
  slot_bytes_ = own.bytes();
  slots_place_ = places_.take_bytes(slots_, slot_bytes_);
  this->bytes_ = places_.bytes();
}

template <class T>
auto Winograd<T>::slot(std::byte* memory, unsigned index) const -> Slot {
  std::byte* const base = memory + slots_place_ + index * slot_bytes_;
  const auto numbers = [&](int i) { return reinterpret_cast<T*>(base + slot_places_[i]); };
  Slot slot{numbers(0), numbers(1), numbers(2), numbers(3), nullptr, nullptr, 0, 0};
  slot.tiles = reinterpret_cast<TileRun<T>*>(base + slot_places_[4]);
  slot.results = reinterpret_cast<OutRun*>(base + slot_places_[5]);
  return slot;
}

// Filters are packed with neighbouring filters side by side, which are the lanes of the transform.
template <class T>
void Winograd<T>::prepare(std::byte* memory, ThreadPool& pool) const {
  const FilterRows w = this->filter_rows(memory);
  T* const filters = reinterpret_cast<T*>(memory + filters_place_);
  for_each_item(pool, task_.groups * filter_panels_, slots_, [&](int64_t item, unsigned index) {
    T* const packed = slot(memory, index).inputs;
    const int64_t row = item % filter_panels_ * set_.rows;
    set_.pack(w.dtype, w.at(item / filter_panels_ * task_.filters + row, 0), w.row_stride,
              w.depth_stride, std::min(set_.rows, task_.filters - row), set_.rows,
              9 * task_.channels, packed);
    // Zeros, so that what vectors read past the end is no number that is slow to work with.
    std::fill_n(packed + 9 * task_.channels * set_.rows, kSlack, T{0});
    kernels_.filters_in[index_](packed, task_.channels, set_.rows, filter_step_,
                                filters + item * places_per_tile_ * filter_step_);
  });
}

template <class T>
void Winograd<T>::images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
                         ThreadPool& pool) const {
  const int64_t tiles = count * down_ * across_;
  const int64_t chunk_tiles = panels_ * set_.columns;
  const int64_t chunks = ceil_div(tiles, chunk_tiles);
  const T* const filters = reinterpret_cast<const T*>(memory + filters_place_);
  for_each_item(pool, task_.groups * chunks * parts_, slots_, [&](int64_t item, unsigned index) {
    Slot mine = slot(memory, index);
    Chunk chunk;
    const int64_t part = item % parts_;
    chunk.group = item / parts_ / chunks;
    chunk.first = item / parts_ % chunks * chunk_tiles;
    chunk.tiles = std::min(chunk_tiles, tiles - chunk.first);
    chunk.panel = part * filter_panels_ / parts_;
    chunk.panel_end = (part + 1) * filter_panels_ / parts_;
    find_runs(planes, first, chunk, &mine);
    kernels_.tiles_in[index_](mine.tiles, mine.tiles_count, this->window(planes), task_.channels,
                              chunk.tiles, set_.columns, input_step_,
                              places_per_tile_ * input_step_, mine.scratch, mine.inputs);
    for (int64_t panel = chunk.panel; panel < chunk.panel_end; panel += block_panels_) {
      const int64_t last = std::min(panel + block_panels_, chunk.panel_end);
      multiply(chunk, panel, last, filters, mine);
      write(chunk, panel, last, mine);
    }
  });
}

template <class T>
void Winograd<T>::find_runs(const Planes<T>& planes, int64_t first_image, const Chunk& chunk,
                            Slot* slot) const {
  const int64_t row_step = panels_ * set_.columns * edge_;
  slot->tiles_count = 0;
  slot->results_count = 0;
  for (int64_t at = 0; at < chunk.tiles;) {
    const int64_t image = (chunk.first + at) / (down_ * across_);
    const int64_t y = (chunk.first + at) / across_ % down_ * edge_;
    const int64_t x = (chunk.first + at) % across_ * edge_;
    const int64_t count = std::min(across_ - x / edge_, chunk.tiles - at);
    const T* const plane =
        planes.data + image * planes.image + chunk.group * task_.channels * planes.channel;
    slot->tiles[slot->tiles_count++] = {at, count, plane, y - task_.padding[0],
                                        x - task_.padding[1]};
    for (int64_t row = 0; row < std::min(edge_, task_.out[0] - y); ++row) {
      slot->results[slot->results_count++] =
          this->out_run(first_image + image, y + row, x, row * row_step + at * edge_,
                        std::min(count * edge_, task_.out[1] - x));
    }
    at += count;
  }
}

// The products lie as [tile panel][filter][place][tile], so that each filter's are together.
template <class T>
void Winograd<T>::multiply(const Chunk& chunk, int64_t first, int64_t last, const T* filters,
                           const Slot& slot) const {
  const int64_t width = set_.columns;
  const int64_t depth_step = kTransformedDepthBytes / static_cast<int64_t>(sizeof(T));
  const int64_t panel_filters = block_panels_ * set_.rows;
  for (int64_t place = 0; place < places_per_tile_; ++place) {
    for (int64_t depth = 0; depth < task_.channels; depth += depth_step) {
      const int64_t depth_here = std::min(depth_step, task_.channels - depth);
      for (int64_t panel = first; panel < last; ++panel) {
        const int64_t rows = std::min(set_.rows, task_.filters - panel * set_.rows);
        const int64_t index = (chunk.group * filter_panels_ + panel) * places_per_tile_ + place;
        const T* const a = filters + index * filter_step_ + depth * set_.rows;
        for (int64_t p = 0; p * width < chunk.tiles; ++p) {
          const T* const b =
              slot.inputs + (p * places_per_tile_ + place) * input_step_ + depth * width;
          T* const c =
              slot.products +
              ((p * panel_filters + (panel - first) * set_.rows) * places_per_tile_ + place) *
                  width;
          set_.tile(rows, std::min(width, chunk.tiles - p * width), depth_here, a, b, width, T{1},
                    depth == 0 ? T{0} : T{1}, c, places_per_tile_ * width);
        }
      }
    }
  }
}

template <class T>
void Winograd<T>::write(const Chunk& chunk, int64_t first, int64_t last, const Slot& slot) const {
  const int64_t width = set_.columns;
  const int64_t panel_filters = block_panels_ * set_.rows;
  const int64_t row_step = panels_ * width * edge_;
  const Finish<T> finish = this->finish();
  const int64_t filter_end = std::min(last * set_.rows, task_.filters);
  for (int64_t filter = first * set_.rows; filter < filter_end; filter += filters_at_once_) {
    const int64_t filters = std::min(filters_at_once_, filter_end - filter);
    for (int64_t i = 0; i < filters; ++i) {
      for (int64_t p = 0; p * width < chunk.tiles; ++p) {
        const int64_t place = p * panel_filters + filter + i - first * set_.rows;
        kernels_.tiles_out[index_](slot.products + place * places_per_tile_ * width, width,
                                   std::min(width, chunk.tiles - p * width), row_step,
                                   slot.outputs + i * edge_ * row_step + p * width * edge_);
      }
    }
    kernels_.finish(finish, slot.outputs, edge_ * row_step, chunk.group * task_.filters + filter,
                    filters, slot.results, slot.results_count);
  }
}

}  // namespace

template <class T>
std::unique_ptr<Conv2dWork> make_winograd(const Conv2dTask& task, unsigned threads) {
  return std::make_unique<Winograd<T>>(task, threads);
}

template std::unique_ptr<Conv2dWork> make_winograd<float>(const Conv2dTask&, unsigned);
template std::unique_ptr<Conv2dWork> make_winograd<double>(const Conv2dTask&, unsigned);

}  // namespace netcl::cpu::conv2d_detail
