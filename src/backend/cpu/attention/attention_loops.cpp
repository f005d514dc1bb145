#include "backend/cpu/attention/attention_loops.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "backend/cpu/attention/attention_part.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {

namespace {

// Parts of fewer multiplications than this are handed out several at a time.
constexpr double kPartWork = 1e6;

int32_t count_at(const void* data, const Layout& layout, int64_t index) {
  return static_cast<const int32_t*>(data)[layout.offset + index * layout.strides[0]];
}

// Reads what the sequence of a batch has, and whether that can be.
AttentionSequence sequence_of(const AttentionTask& task, int64_t batch) {
  const AttentionShape& shape = task.shape;
  AttentionSequence sequence{shape.rows, shape.keys, true};
  if (shape.has_query_lengths) {
    sequence.queries = count_at(task.query_lengths, shape.query_lengths, batch);
  }
  if (shape.has_key_lengths) sequence.keys = count_at(task.key_lengths, shape.key_lengths, batch);
  sequence.sound = sequence.queries >= 0 && sequence.queries <= shape.rows && sequence.keys >= 0 &&
                   sequence.keys <= shape.keys;
  if (!sequence.sound || shape.page_size == 0) return sequence;
  Layout row = shape.table;
  row.offset += batch * row.strides[0];
  row.strides[0] = row.strides[1];
  for (int64_t entry = 0; entry < ceil_div(sequence.keys, shape.page_size); ++entry) {
    const int32_t page = count_at(task.table, row, entry);
    if (page < 0 || page >= shape.pages) sequence.sound = false;
  }
  return sequence;
}

template <class T>
class Attention {
 public:
  Attention(const AttentionTask& task, ThreadPool& threads)
      : task_(task), shape_(task.shape), threads_(threads), cut_(cut_attention(shape_)) {
    sequences_.reserve(static_cast<size_t>(shape_.batch));
    for (int64_t b = 0; b < shape_.batch; ++b) sequences_.push_back(sequence_of(task, b));
  }

  void run() {
    const bool joins = cut_.chunks > 1;
    const int64_t parts = cut_.units(shape_) * cut_.chunks;
    const double work = static_cast<double>(cut_.rows) * static_cast<double>(cut_.chunk) *
                        static_cast<double>(shape_.size + shape_.value_size);
    const auto grain = static_cast<int64_t>(std::max(1.0, kPartWork / work));
    const auto workers = static_cast<unsigned>(
        std::min<int64_t>(ceil_div(parts, grain), threads_.thread_count()));
    const int64_t own = AttentionPart<T>::scratch_count(task_, cut_);
    const int64_t each = own + (joins ? 0 : sums_count());
    const ScratchArray<T> memory(threads_, static_cast<size_t>(workers * each));
    const ScratchArray<T> partial(threads_, static_cast<size_t>(joins ? parts * sums_count() : 0));
    Slots slots(workers);
    threads_.parallel_for(parts, grain, [&](int64_t first, int64_t last) {
      struct Slot {
        Slots& slots;
        const unsigned number;
        ~Slot() { slots.give(number); }
      } const slot{slots, slots.take()};
      T* const mine = memory.data() + slot.number * each;
      AttentionPart<T> part(task_, cut_, mine);
      for (int64_t i = first; i < last; ++i) {
        run_part(part, i, joins ? partial.data() + i * sums_count() : mine + own, !joins);
      }
    });
    if (!joins) return;
    const int64_t units = cut_.units(shape_);
    threads_.parallel_for(units, 1, [&](int64_t first, int64_t last) {
      for (int64_t unit = first; unit < last; ++unit) {
        join(unit, partial.data() + unit * cut_.chunks * sums_count());
      }
    });
  }

 private:
  // The numbers that are left of a part.
  int64_t sums_count() const { return round_up(cut_.rows * (shape_.value_size + 2), 16); }
  PartSums<T> sums_at(T* memory) const {
    return {memory, memory + cut_.rows, memory + 2 * cut_.rows};
  }
  // Where a unit lies; its rows may be none, in a sequence of fewer queries.
  PartPlace place_of(int64_t unit) const {
    PartPlace place{};
    place.row = unit % cut_.tiles * cut_.rows;
    place.kv_head = unit / cut_.tiles % shape_.kv_heads;
    place.batch = unit / cut_.tiles / shape_.kv_heads;
    place.rows = std::min(cut_.rows, cut_.rows_all - place.row);
    return place;
  }

  void run_part(AttentionPart<T>& part, int64_t index, T* memory, bool alone) {
    const PartPlace whole = place_of(index / cut_.chunks);
    const AttentionSequence& sequence = sequences_[static_cast<size_t>(whole.batch)];
    PartPlace place = whole;
    place.first_key = index % cut_.chunks * cut_.chunk;
    // A chunk behind the sequence's keys has none.
    place.last_key =
        std::max(place.first_key, std::min(place.first_key + cut_.chunk, sequence.keys));
    place.rows = std::clamp<int64_t>(sequence.queries * shape_.group() - place.row, 0, place.rows);
    const PartSums<T> sums = sums_at(memory);
    if (sequence.sound && place.rows > 0) part.run(place, sequence, sums);
    if (!alone) return;
    for (int64_t r = 0; r < whole.rows; ++r) {
      finish(whole, r, sequence, sums.values + r * shape_.value_size, sums.most[r], sums.sum[r]);
    }
  }

  // Adds up the parts of a unit into the first, in their order.
  void join(int64_t unit, T* memory) {
    const PartPlace place = place_of(unit);
    const AttentionSequence& sequence = sequences_[static_cast<size_t>(place.batch)];
    const PartSums<T> into = sums_at(memory);
    const int64_t size = shape_.value_size;
    for (int64_t r = 0; r < place.rows; ++r) {
      if (!sequence.sound || place.row + r >= sequence.queries * shape_.group()) {
        finish(place, r, sequence, into.values, T(0), T(0));
        continue;
      }
      T most = into.most[r];
      for (int64_t c = 1; c < cut_.chunks; ++c) {
        const T other = sums_at(memory + c * sums_count()).most[r];
        most = other > most || std::isnan(other) ? other : most;
      }
      T* const out = into.values + r * size;
      T sum = T(0);
      for (int64_t c = 0; c < cut_.chunks; ++c) {
        const PartSums<T> part = sums_at(memory + c * sums_count());
        const T factor = part.most[r] == most ? T(1) : std::exp(part.most[r] - most);
        sum += factor * part.sum[r];
        const T* const values = part.values + r * size;
        for (int64_t i = 0; i < size; ++i) {
          // A part without weight has nothing to add, also to what is infinite.
          const T term = factor == T(0) ? T(0) : factor * values[i];
          out[i] = c == 0 ? term : out[i] + term;
        }
      }
      finish(place, r, sequence, out, most, sum);
    }
  }

  // Writes a row of the result, whose values are still times the sum.
  void finish(const PartPlace& place, int64_t r, const AttentionSequence& sequence, T* values,
              T most, T sum) {
    const int64_t group = shape_.group();
    const int64_t row = (place.row + r) / group;
    const int64_t head = place.kv_head * group + (place.row + r) % group;
    const int64_t size = shape_.value_size;
    T lse = T(0);
    if (!sequence.sound) {
      lse = std::numeric_limits<T>::quiet_NaN();
      std::fill_n(values, size, lse);
    } else if (row >= sequence.queries || sum == T(0)) {
      lse = -std::numeric_limits<T>::infinity();
      std::fill_n(values, size, T(0));
    } else {
      lse = most + std::log(sum);
      const T factor = T(1) / sum;
      for (int64_t i = 0; i < size; ++i) values[i] *= factor;
    }
    const Layout& layout = shape_.result;
    scatter(shape_.dtype, task_.result,
            layout.offset + place.batch * layout.strides[0] + head * layout.strides[1] +
                row * layout.strides[2],
            stepped(size, layout.strides[3]), 0, size, values);
    if (!shape_.wants_lse) return;
    const Layout& sums = shape_.lse;
    static_cast<T*>(task_.lse)[sums.offset + place.batch * sums.strides[0] +
                               head * sums.strides[1] + row * sums.strides[2]] = lse;
  }

  const AttentionTask& task_;
  const AttentionShape& shape_;
  ThreadPool& threads_;
  const AttentionCut cut_;
  std::vector<AttentionSequence> sequences_;
};

}  // namespace

void attention(const AttentionTask& task, ThreadPool& threads) {
  with_real(task.shape.dtype,
            [&](auto real) { Attention<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
