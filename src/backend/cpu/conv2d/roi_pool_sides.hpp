// Where the samples and elements of bins lie along one side of an image.
// kernels/conv2d/roi_pool_common.cl has the same, step by step.
#pragma once

#include <algorithm>
#include <cmath>

#include "backend/cpu/conv2d/roi_pool_loops.hpp"
#include "backend/cpu/task_memory.hpp"

namespace netcl::cpu {

// The samples of one bin along one side: those that may lie within the image, and how many it has
// in all. R is what places are computed in.
template <class R>
struct RoiSide {
  R begin;        // the place of the bin's first sample
  R step;         // to the next one
  R low;          // the first sample that may lie within, or element of the bin
  int64_t count;  // of those
  R asked;        // samples of the bin
};

template <class R>
RoiSide<R> sampled_side(const RoiPoolSettings& settings, R from, R to, int64_t bins, int64_t bin,
                        int64_t extent) {
  const R scale = static_cast<R>(settings.scale);
  const R offset = settings.half_pixel ? R(0.5) : R(0);
  const R start = from * scale - offset;
  R size = to * scale - offset - start;
  if (!settings.half_pixel) size = std::fmax(size, R(1));
  size /= static_cast<R>(bins);
  RoiSide<R> side{};
  side.asked = settings.samples > 0 ? static_cast<R>(settings.samples) : std::ceil(size);
  // Also where it is no number.
  if (!(side.asked > 0)) return {};
  side.step = size / side.asked;
  side.begin = start + static_cast<R>(bin) * size + R(0.5) * side.step;
  R high = side.asked - 1;
  // Steps that the region asks for are longer than half an element.
  R most = 2 * static_cast<R>(extent) + 16;
  if (settings.samples > 0) {
    most = side.asked;
  } else if (side.step > 0) {
    side.low = std::fmax(R(0), std::floor((-1 - side.begin) / side.step) - 1);
    high = std::fmin(high, std::ceil((static_cast<R>(extent) - side.begin) / side.step) + 1);
  }
  const R count = high - side.low + 1;
  if (count > 0) side.count = static_cast<int64_t>(std::fmin(count, most));
  return side;
}

// The elements of one bin along one side, rounded outwards and cut at the image.
template <class R>
RoiSide<R> element_side(const RoiPoolSettings& settings, R from, R to, int64_t bins, int64_t bin,
                        int64_t extent) {
  const R scale = static_cast<R>(settings.scale), end = static_cast<R>(extent);
  const R start = std::round(from * scale);
  const R size = std::fmax(std::round(to * scale) - start + 1, R(1)) / static_cast<R>(bins);
  RoiSide<R> side{};
  side.low = std::fmin(std::fmax(std::floor(static_cast<R>(bin) * size) + start, R(0)), end);
  const R high = std::fmin(std::fmax(std::ceil(static_cast<R>(bin + 1) * size) + start, R(0)), end);
  if (high > side.low) side.count = static_cast<int64_t>(high - side.low);
  return side;
}

// The two elements around a sample, the nearer end where it lies before or behind all.
template <class R>
struct RoiTap {
  int64_t low;
  int64_t high;
  R weight;  // of the second
};

template <class R>
bool tap_at(const RoiSide<R>& side, int64_t n, int64_t extent, RoiTap<R>* tap) {
  const R place = side.begin + (side.low + static_cast<R>(n)) * side.step;
  if (!(place >= -1 && place <= static_cast<R>(extent))) return false;
  const R inside = std::fmin(std::fmax(place, R(0)), static_cast<R>(extent - 1));
  tap->low = std::min(static_cast<int64_t>(inside), extent - 1);
  tap->high = std::min(tap->low + 1, extent - 1);
  tap->weight = inside - static_cast<R>(tap->low);
  return true;
}

// What the elements of a side weigh in each of the bins, for means: those of all samples of a bin
// are the sums along one side of those along the other.
template <class R>
class RoiWeights {
 public:
  struct Part {
    int64_t element;
    R weight;
  };

  // A bin has an element once, and the bins of a region hardly share any: the samples of each lie
  // in order, and between those of its neighbours.
  RoiWeights(ThreadPool& threads, int64_t bins, int64_t extent)
      : bins_(bins),
        extent_(extent),
        parts_(threads, static_cast<size_t>(2 * extent + 4 * bins + 8)),
        ends_(threads, static_cast<size_t>(bins)) {}

  void set(const RoiPoolSettings& settings, R from, R to) {
    count_ = 0;
    low_ = extent_;
    high_ = 0;
    for (int64_t bin = 0; bin < bins_; ++bin) {
      const RoiSide<R> side = sampled_side(settings, from, to, bins_, bin, extent_);
      const int64_t first = count_;
      RoiTap<R> tap;
      for (int64_t n = 0; n < side.count; ++n) {
        if (!tap_at(side, n, extent_, &tap)) continue;
        add(first, tap.low, 1 - tap.weight);
        add(first, tap.high, tap.weight);
      }
      ends_.data()[bin] = count_;
      asked_ = side.asked;
    }
  }

  const Part* begin(int64_t bin) const {
    return parts_.data() + (bin == 0 ? 0 : ends_.data()[bin - 1]);
  }
  const Part* end(int64_t bin) const { return parts_.data() + ends_.data()[bin]; }
  // Samples of each bin.
  R asked() const { return asked_; }
  // All elements are in [low, low + width).
  int64_t low() const { return low_; }
  int64_t width() const { return std::max<int64_t>(high_ - low_, 0); }

 private:
  void add(int64_t first, int64_t element, R weight) {
    Part* const parts = parts_.data();
    for (int64_t i = count_; i > std::max(first, count_ - 2); --i) {
      if (parts[i - 1].element != element) continue;
      parts[i - 1].weight += weight;
      return;
    }
    parts[count_++] = {element, weight};
    low_ = std::min(low_, element);
    high_ = std::max(high_, element + 1);
  }

  const int64_t bins_;
  const int64_t extent_;
  const ScratchArray<Part> parts_;
  const ScratchArray<int64_t> ends_;
  int64_t count_ = 0;
  int64_t low_ = 0;
  int64_t high_ = 0;
  R asked_ = 0;
};

}  // namespace netcl::cpu
