#include "backend/cpu/attention/attention_part.hpp"

#include <limits>
#include <new>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/matmul/gemm_finish.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "core/dtype.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {

namespace {

using gemm_detail::kDtypeOf;
using gemm_detail::kTileRowsMax;

// Queries of a part, and keys at a time: with heads of 128 elements, packed keys and values take
// 96 KiB and stay in the second cache beside the queries and their sums, and the scores of a strip
// in the first. The keys are a multiple of the rows of every register tile.
constexpr int64_t kTileQueries = 192;
constexpr int64_t kTileKeys = 96;
constexpr int64_t kDirectKeys = 256;
// So few queries read keys and values where they lie: packing them would take longer.
constexpr int64_t kDirectQueries = 8;
// Parts that keys are cut for when there are few queries, and how many keys a part has at least.
constexpr int64_t kPartsWanted = 32;
constexpr int64_t kChunkKeys = 512;

template <class T>
constexpr T kNoScore = -std::numeric_limits<T>::infinity();

bool is_run(const Layout& layout) { return layout.strides[3] == 1 || layout.shape[3] == 1; }

const void* moved(const void* data, int64_t elements, netcl_dtype dtype) {
  return static_cast<const char*>(data) + elements * static_cast<int64_t>(dtype_size(dtype));
}

// Gives out parts of a block of numbers, each at the beginning of a cache line.
template <class T>
class Carver {
 public:
  explicit Carver(T* memory) : memory_(memory) {}
  T* take(int64_t count) {
    T* const place = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += round_up(count, static_cast<int64_t>(kCacheLine / sizeof(T)));
    return place;
  }
  int64_t used() const { return used_; }

 private:
  T* memory_;
  int64_t used_ = 0;
};

}  // namespace

AttentionCut cut_attention(const AttentionShape& shape) {
  AttentionCut cut;
  cut.rows_all = shape.group() * shape.rows;
  cut.direct = cut.rows_all <= kDirectQueries && is_run(shape.k) && is_run(shape.v);
  cut.block = cut.direct ? kDirectKeys : kTileKeys;
  // Parts of equal height.
  cut.tiles = ceil_div(cut.rows_all, kTileQueries);
  cut.rows = ceil_div(cut.rows_all, cut.tiles);
  cut.tiles = ceil_div(cut.rows_all, cut.rows);
  const int64_t units = cut.units(shape);
  const int64_t most = std::max<int64_t>(1, shape.keys / kChunkKeys);
  const int64_t chunks = std::min(ceil_div(kPartsWanted, units), most);
  cut.chunk = std::max(round_up(ceil_div(shape.keys, chunks), cut.block), cut.block);
  cut.chunks = std::max<int64_t>(1, ceil_div(shape.keys, cut.chunk));
  return cut;
}

template <class T>
AttentionPart<T>::AttentionPart(const AttentionTask& task, const AttentionCut& cut, T* memory)
    : task_(task),
      shape_(task.shape),
      set_(gemm_detail::kernels<T>()),
      kernels_(attention_kernels<T>()),
      cut_(cut),
      columns_(set_.columns),
      width_(round_up(cut.rows, columns_)) {
  Carver<T> carver(memory);
  rows_ = carver.take(cut.rows * shape_.size);
  ranges_ = reinterpret_cast<KeyRange*>(
      carver.take(cut.rows * static_cast<int64_t>(sizeof(KeyRange) / sizeof(T))));
  const int64_t lines = cut.direct ? 1 : columns_;
  scores_ = carver.take((round_up(cut.block, kTileRowsMax) + kernels_.lanes) * lines);
  bias_ = carver.take(cut.block * lines);
  if (!cut.direct) {
    const int64_t largest = std::max(shape_.size, shape_.value_size);
    queries_ = carver.take(shape_.size * width_);
    sums_ = carver.take(round_up(shape_.value_size, kTileRowsMax) * width_);
    keys_ = carver.take(round_up(cut.block, set_.rows) * shape_.size);
    values_ = carver.take(round_up(shape_.value_size, set_.rows) * cut.block);
    copy_ = carver.take(shape_.page_size > 0 ? cut.block * largest : 0);
    most_ = carver.take(width_);
    sum_ = carver.take(width_);
    factor_ = carver.take(width_);
  }
  used_ = carver.used();
}

template <class T>
void AttentionPart<T>::run(const PartPlace& place, const AttentionSequence& sequence,
                           const PartSums<T>& sums) {
  place_ = &place;
  sequence_ = &sequence;
  find_ranges();
  for (int64_t r = 0; r < place.rows; ++r) load_query(r, rows_ + r * shape_.size);
  if (cut_.direct) {
    run_direct(sums);
  } else {
    run_tile(sums);
  }
}

// What each query sees of the part's keys.
template <class T>
void AttentionPart<T>::find_ranges() {
  for (int64_t r = 0; r < place_->rows; ++r) {
    KeyRange range = sequence_->seen(shape_, row_of(r));
    range.first = std::max(range.first, place_->first_key);
    range.last = std::max(range.first, std::min(range.last, place_->last_key));
    new (ranges_ + r) KeyRange(range);
  }
}

template <class T>
typename AttentionPart<T>::Piece AttentionPart<T>::piece(bool values, int64_t key,
                                                         int64_t limit) const {
  const Layout& layout = values ? shape_.v : shape_.k;
  int64_t first = place_->batch, line = key, count = limit;
  if (shape_.page_size > 0) {
    const int64_t entry = key / shape_.page_size;
    first = static_cast<const int32_t*>(
        task_.table)[shape_.table.offset + place_->batch * shape_.table.strides[0] +
                     entry * shape_.table.strides[1]];
    line = key - entry * shape_.page_size;
    count = std::min(limit, shape_.page_size - line);
  }
  const int64_t at = layout.offset + first * layout.strides[0] +
                     place_->kv_head * layout.strides[1] + line * layout.strides[2];
  return {moved(values ? task_.v : task_.k, at, shape_.dtype), count};
}

// Keys are lines of the panels, with their elements as the depth; of values it is the other way.
template <class T>
void AttentionPart<T>::pack_block(bool values, int64_t key, int64_t count, T* target) {
  const Layout& layout = values ? shape_.v : shape_.k;
  const int64_t size = layout.shape[3];
  Piece block = piece(values, key, count);
  netcl_dtype dtype = shape_.dtype;
  int64_t line = layout.strides[2], element = layout.strides[3];
  if (block.count < count) {
    for (int64_t done = 0; done < count;) {
      const Piece part = piece(values, key + done, count - done);
      for (int64_t i = 0; i < part.count; ++i, ++done) {
        gather(dtype, moved(part.data, i * line, dtype), 0, stepped(size, element), 0, size,
               copy_ + done * size);
      }
    }
    block.data = copy_;
    dtype = kDtypeOf<T>;
    line = size;
    element = 1;
  }
  if (values) {
    set_.pack(dtype, block.data, element, line, size, set_.rows, count, target);
  } else {
    set_.pack(dtype, block.data, line, element, count, set_.rows, size, target);
  }
}

template <class T>
void AttentionPart<T>::load_query(int64_t r, T* out) const {
  gather(shape_.dtype, task_.q, start_of(shape_.q, r), stepped(shape_.size, shape_.q.strides[3]), 0,
         shape_.size, out);
}

template <class T>
void AttentionPart<T>::read_bias(int64_t r, int64_t key, int64_t count, T* out) const {
  const int64_t stride = shape_.bias.strides[3];
  const int64_t start = start_of(shape_.bias, r) + key * stride;
  if (shape_.bias_dtype == NETCL_F32 && sizeof(T) == 8) {
    const auto* const from = static_cast<const float*>(task_.bias) + start;
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(from[i * stride]);
  } else {
    gather(shape_.bias_dtype, task_.bias, start, stepped(count, stride), 0, count, out);
  }
}

template <class T>
void AttentionPart<T>::apply_mask(int64_t r, int64_t key, int64_t count, T* scores,
                                  int64_t step) const {
  const int64_t stride = shape_.mask.strides[3];
  const auto* const seen =
      static_cast<const uint8_t*>(task_.mask) + start_of(shape_.mask, r) + key * stride;
  for (int64_t i = 0; i < count; ++i) {
    scores[i * step] = seen[i * stride] == 0 ? kNoScore<T> : scores[i * step];
  }
}

// ---- Tiles: products of blocks, transposed, with a column for each query ----

template <class T>
void AttentionPart<T>::run_tile(const PartSums<T>& sums) {
  const int64_t size = shape_.value_size;
  set_.pack(kDtypeOf<T>, rows_, shape_.size, 1, place_->rows, columns_, shape_.size, queries_);
  std::fill_n(most_, width_, kNoScore<T>);
  std::fill_n(sum_, width_, T(0));
  std::fill_n(sums_, round_up(size, kTileRowsMax) * width_, T(0));
  KeyRange all{place_->last_key, place_->first_key};
  for (int64_t r = 0; r < place_->rows; ++r) {
    if (ranges_[r].first == ranges_[r].last) continue;
    all.first = std::min(all.first, ranges_[r].first);
    all.last = std::max(all.last, ranges_[r].last);
  }
  for (int64_t key = all.first; key < all.last; key += cut_.block) {
    run_block(key, std::min(cut_.block, all.last - key));
  }
  std::copy_n(most_, place_->rows, sums.most);
  std::copy_n(sum_, place_->rows, sums.sum);
  for (int64_t r = 0; r < place_->rows; ++r) {
    const T* const column =
        sums_ + r / columns_ * columns_ * round_up(size, kTileRowsMax) + r % columns_;
    T* const out = sums.values + r * size;
    for (int64_t i = 0; i < size; ++i) out[i] = column[i * columns_];
  }
}

template <class T>
void AttentionPart<T>::run_block(int64_t key, int64_t count) {
  pack_block(false, key, count, keys_);
  pack_block(true, key, count, values_);
  int finite = -1;  // whether all values are; not known yet
  for (int64_t first = 0; first < place_->rows; first += columns_) {
    const Strip strip = strip_of(first, key, count);
    if (strip.from >= strip.to) continue;
    multiply_scores(strip);
    if (shape_.bias_dtype != 0) add_bias(strip, key);
    for (int64_t i = 0; shape_.has_mask && i < strip.queries; ++i) {
      apply_mask(first + i, key + strip.from, strip.to - strip.from,
                 scores_ + strip.from * columns_ + i, columns_);
    }
    if (strip.hides) hide(strip, key);
    T* const sums = sums_ + first * round_up(shape_.value_size, kTileRowsMax);
    const SoftmaxState<T> state{most_ + first, sum_ + first, factor_ + first};
    if (kernels_.weigh(scores_ + strip.from * columns_, columns_, strip.to - strip.from,
                       strip.width, state)) {
      kernels_.rescale(sums, columns_, shape_.value_size, strip.width, state.factor);
    }
    // 0 times what is not finite would be NaN.
    if (finite < 0) {
      finite = kernels_.finite(values_, round_up(shape_.value_size, set_.rows) * count) ? 1 : 0;
    }
    add_values(strip, count, finite == 0);
  }
}

template <class T>
typename AttentionPart<T>::Strip AttentionPart<T>::strip_of(int64_t first, int64_t key,
                                                            int64_t count) const {
  Strip strip{first, std::min(columns_, place_->rows - first), 0, count, 0, false};
  strip.width = round_up(strip.queries, kernels_.lanes);
  int64_t all_from = 0, all_to = count;  // what all queries see
  for (int64_t r = first; r < first + strip.queries; ++r) {
    const int64_t from = std::clamp<int64_t>(ranges_[r].first - key, 0, count);
    const int64_t to = std::clamp<int64_t>(ranges_[r].last - key, from, count);
    all_from = std::max(all_from, from);
    all_to = std::min(all_to, to);
    if (from == to) continue;
    strip.from = std::min(strip.from, from);
    strip.to = std::max(strip.to, to);
  }
  strip.from = strip.from / set_.rows * set_.rows;
  strip.hides = all_from > strip.from || all_to < strip.to;
  return strip;
}

template <class T>
void AttentionPart<T>::multiply_scores(const Strip& strip) {
  const T cap = static_cast<T>(shape_.softcap);
  const T scale = static_cast<T>(cap > 0 ? shape_.scale / shape_.softcap : shape_.scale);
  const T* const queries = queries_ + strip.first * shape_.size;
  for (int64_t i = strip.from; i < strip.to; i += set_.rows) {
    set_.tile(std::min(set_.rows, strip.to - i), strip.width, shape_.size, keys_ + i * shape_.size,
              queries, columns_, scale, T(0), scores_ + i * columns_, columns_);
  }
  if (cap > 0) {
    kernels_.cap(scores_ + strip.from * columns_, columns_, strip.to - strip.from, strip.width,
                 cap);
  }
}

template <class T>
void AttentionPart<T>::add_bias(const Strip& strip, int64_t key) {
  const Layout& layout = shape_.bias;
  const int64_t count = strip.to - strip.from, first = key + strip.from;
  T* const scores = scores_ + strip.from * columns_;
  if (shape_.group() == 1) {
    const int64_t at = start_of(layout, strip.first) + first * layout.strides[3];
    set_.pack(shape_.bias_dtype, moved(task_.bias, at, shape_.bias_dtype), layout.strides[2],
              layout.strides[3], strip.queries, columns_, count, bias_);
    kernels_.add(bias_, count * columns_, scores);
    return;
  }
  for (int64_t i = 0; i < strip.queries; ++i) {
    read_bias(strip.first + i, first, count, bias_);
    for (int64_t n = 0; n < count; ++n) scores[n * columns_ + i] += bias_[n];
  }
}

template <class T>
void AttentionPart<T>::hide(const Strip& strip, int64_t key) {
  for (int64_t i = 0; i < strip.queries; ++i) {
    const KeyRange& range = ranges_[strip.first + i];
    const int64_t from = std::clamp(range.first - key, strip.from, strip.to);
    const int64_t to = std::clamp(range.last - key, from, strip.to);
    for (int64_t n = strip.from; n < from; ++n) scores_[n * columns_ + i] = kNoScore<T>;
    for (int64_t n = to; n < strip.to; ++n) scores_[n * columns_ + i] = kNoScore<T>;
  }
}

template <class T>
void AttentionPart<T>::add_values(const Strip& strip, int64_t count, bool careful) {
  if (careful) return add_seen_values(strip, count);
  const int64_t size = shape_.value_size;
  T* const sums = sums_ + strip.first * round_up(size, kTileRowsMax);
  for (int64_t i = 0; i < size; i += set_.rows) {
    set_.tile(std::min(set_.rows, size - i), strip.width, strip.to - strip.from,
              values_ + i * count + strip.from * set_.rows, scores_ + strip.from * columns_,
              columns_, T(1), T(1), sums + i * columns_, columns_);
  }
}

// The same without the values that have no weight.
template <class T>
void AttentionPart<T>::add_seen_values(const Strip& strip, int64_t count) {
  T* const sums = sums_ + strip.first * round_up(shape_.value_size, kTileRowsMax);
  for (int64_t i = 0; i < shape_.value_size; ++i) {
    const T* const panel = values_ + i / set_.rows * set_.rows * count + i % set_.rows;
    for (int64_t n = strip.from; n < strip.to; ++n) {
      const T value = panel[n * set_.rows];
      for (int64_t r = 0; r < strip.queries; ++r) {
        const T weight = scores_[n * columns_ + r];
        if (weight != T(0)) sums[i * columns_ + r] += weight * value;
      }
    }
  }
}

// ---- Few queries: products by rows, keys and values where they lie ----

template <class T>
void AttentionPart<T>::run_direct(const PartSums<T>& sums) {
  std::fill_n(sums.most, place_->rows, kNoScore<T>);
  std::fill_n(sums.sum, place_->rows, T(0));
  std::fill_n(sums.values, place_->rows * shape_.value_size, T(0));
  for (int64_t key = place_->first_key; key < place_->last_key; key += cut_.block) {
    const int64_t last = std::min(key + cut_.block, place_->last_key);
    for (int64_t r = 0; r < place_->rows; ++r) {
      const int64_t from = std::max(key, ranges_[r].first), to = std::min(last, ranges_[r].last);
      if (from < to) run_row(r, from, to, sums);
    }
  }
}

template <class T>
void AttentionPart<T>::run_row(int64_t r, int64_t key, int64_t last, const PartSums<T>& sums) {
  const int64_t count = last - key, padded = round_up(count, kernels_.lanes);
  for (int64_t done = 0; done < count;) {
    const Piece keys = piece(false, key + done, count - done);
    set_.dot_rows(shape_.dtype, keys.data, shape_.k.strides[2], keys.count, shape_.size,
                  rows_ + r * shape_.size, scores_ + done);
    done += keys.count;
  }
  std::fill(scores_ + count, scores_ + padded, T(0));
  const T cap = static_cast<T>(shape_.softcap);
  const T scale = static_cast<T>(cap > 0 ? shape_.scale / shape_.softcap : shape_.scale);
  for (int64_t i = 0; i < count; ++i) scores_[i] *= scale;
  if (cap > 0) kernels_.cap(scores_, 0, 1, padded, cap);
  if (shape_.bias_dtype != 0) {
    read_bias(r, key, count, bias_);
    for (int64_t i = 0; i < count; ++i) scores_[i] += bias_[i];
  }
  if (shape_.has_mask) apply_mask(r, key, count, scores_, 1);
  std::fill(scores_ + count, scores_ + padded, kNoScore<T>);

  const int64_t size = shape_.value_size;
  T* const out = sums.values + r * size;
  const T factor = kernels_.weigh_row(scores_, padded, sums.most + r, sums.sum + r);
  if (factor != T(1)) {
    for (int64_t i = 0; i < size; ++i) out[i] *= factor;
  }
  // Values of no weight are not read.
  for (int64_t first = 0; first < count;) {
    if (scores_[first] == T(0)) {
      ++first;
      continue;
    }
    int64_t end = first + 1;
    while (end < count && scores_[end] != T(0)) ++end;
    const Piece values = piece(true, key + first, end - first);
    set_.add_columns(shape_.dtype, values.data, shape_.v.strides[2], size, values.count,
                     scores_ + first, out);
    first += values.count;
  }
}

template class AttentionPart<float>;
template class AttentionPart<double>;

}  // namespace netcl::cpu
