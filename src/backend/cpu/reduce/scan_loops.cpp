// A unit of work is a line, or neighbouring lines whose elements lie in rows. Units are cut into
// chunks at fixed places. One thread goes through the chunks of a unit in order; several threads
// first take the totals of the chunks, and then scan each with what is before it. Both give the
// same bits, because a chunk adds up what it has itself in one way only.
#include "backend/cpu/reduce/scan_loops.hpp"

#include <memory>
#include <vector>

#include "backend/cpu/reduce/reduce_source.hpp"
#include "backend/cpu/reduce/scan_kernels.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {
namespace {

constexpr int64_t kChunk = 32768;
constexpr int64_t kChunkRows = 2048;
constexpr int64_t kWidth = 512;  // lines of a unit that goes by rows
constexpr int64_t kWidthLeast = 16;

// What is before the first element. Small integers are computed in wider ones; their extremes begin
// at the ends of their own range.
template <class T>
T neutral_of(const ScanTask& task, T neutral) {
  const bool extreme = task.kind == NETCL_REDUCTION_MAX || task.kind == NETCL_REDUCTION_MIN;
  if (!extreme || is_float(task.dtype) || dtype_size(task.dtype) >= 4) return neutral;
  const int bits = 8 * static_cast<int>(dtype_size(task.dtype));
  const bool is_signed = dtype_facts(task.dtype).kind == DtypeClass::signed_integer;
  const int64_t lowest = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t highest = lowest + (int64_t{1} << bits) - 1;
  return static_cast<T>(task.kind == NETCL_REDUCTION_MAX ? lowest : highest);
}

template <class T>
class Scan {
 public:
  Scan(const ScanTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        kernels_(scan_kernels<T>(task.kind)),
        neutral_(neutral_of(task, kernels_.neutral)),
        load_(task.dtype, task.compute),
        store_(task.compute, task.dtype),
        size_(static_cast<int64_t>(dtype_size(task.dtype))),
        x_lines_(with_dimension(task.x_lines)),
        out_lines_(with_dimension(task.out_lines)) {
    const uint32_t inner = x_lines_.rank - 1;
    const int64_t line = x_lines_.shape[inner];
    rows_ = x_lines_.strides[inner] == 1 && out_lines_.strides[inner] == 1 && line >= kWidthLeast &&
            task.lines > 1 && (task.x_stride != 1 || task.out_stride != 1);
    width_ = rows_ ? std::min(line, kWidth) : 1;
    tiles_ = rows_ ? ceil_div(line, width_) : 1;
    units_ = rows_ ? task.lines / line * tiles_ : task.lines;
    chunk_ = rows_ ? kChunkRows : kChunk;
    chunks_ = ceil_div(task.count, chunk_);
  }

  void run() {
    const int64_t threads = pool_.thread_count();
    const int64_t work = task_.lines * task_.count;
    if (threads == 1 || chunks_ == 1 || units_ >= 2 * threads) {
      const int64_t grain = std::max<int64_t>(1, kChunk * units_ / std::max<int64_t>(work, 1));
      parallel_for_tasks<Buffers>(
          pool_, units_, grain, [&](int64_t first, int64_t last, Buffers& buffers) {
            for (int64_t unit = first; unit < last; ++unit) run_in_order(unit, &buffers);
          });
      return;
    }
    for (int64_t unit = 0; unit < units_; ++unit) run_together(unit, 4 * threads);
  }

 private:
  // States of the lines of a unit.
  struct States {
    explicit States(int64_t width, T neutral)
        : values(static_cast<size_t>(2 * width)), lines(width) {
      clear(neutral);
    }
    void clear(T neutral) {
      std::fill(values.begin(), values.begin() + lines, neutral);
      std::fill(values.begin() + lines, values.end(), T(0));
    }
    ScanColumns<T> columns() { return {values.data(), values.data() + lines}; }
    std::vector<T> values;
    int64_t lines;
  };
  struct Buffers {
    alignas(64) T x[kReduceBlock];
    alignas(64) T out[kReduceBlock];
    alignas(64) unsigned char raw[kReduceBlock * 8];
    ReduceWriter::Buffers write;
    ReduceConverter::Buffers convert;
  };

  int64_t width_of(int64_t unit) const {
    if (!rows_) return 1;
    const int64_t line = x_lines_.shape[x_lines_.rank - 1];
    return std::min(width_, line - unit % tiles_ * width_);
  }
  int64_t first_line(int64_t unit) const {
    if (!rows_) return unit;
    return unit / tiles_ * x_lines_.shape[x_lines_.rank - 1] + unit % tiles_ * width_;
  }
  const unsigned char* source(int64_t at) const {
    return static_cast<const unsigned char*>(task_.x_data) + at * size_;
  }
  unsigned char* target(int64_t at) const {
    return static_cast<unsigned char*>(task_.out_data) + at * size_;
  }
  bool direct() const { return load_.direct() && store_.direct(); }

  void merge(States* a, States* b) const;
  void run_in_order(int64_t unit, Buffers* buffers) const;
  void run_together(int64_t unit, int64_t together) const;
  // Scans a chunk after what is `before` it; without `write` only `total` is worked out.
  void run_chunk(int64_t unit, int64_t chunk, States* before, States* total, bool write,
                 Buffers* buffers) const;
  void run_line(int64_t unit, int64_t begin, int64_t end, States* before, States* total, bool write,
                Buffers* buffers) const;
  void run_rows(int64_t unit, int64_t begin, int64_t end, States* before, States* total, bool write,
                Buffers* buffers) const;

  const ScanTask& task_;
  ThreadPool& pool_;
  const ScanKernels<T>& kernels_;
  const T neutral_;
  const ReduceConverter load_;
  const ReduceWriter store_;
  const int64_t size_;
  const Layout x_lines_, out_lines_;
  bool rows_ = false;
  int64_t width_ = 1, tiles_ = 1, units_ = 1, chunk_ = 1, chunks_ = 1;
};

template <class T>
void Scan<T>::merge(States* a, States* b) const {
  const ScanColumns<T> left = a->columns(), right = b->columns();
  for (int64_t j = 0; j < a->lines; ++j) {
    ScanState<T> state{left.value[j], left.extra[j]};
    kernels_.merge(&state, ScanState<T>{right.value[j], right.extra[j]});
    left.value[j] = state.value;
    left.extra[j] = state.extra;
  }
}

template <class T>
void Scan<T>::run_in_order(int64_t unit, Buffers* buffers) const {
  States before(width_of(unit), neutral_);
  States total(width_of(unit), neutral_);
  for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
    total.clear(neutral_);
    run_chunk(unit, chunk, &before, &total, true, buffers);
    merge(&before, &total);
  }
}

// Some chunks at a time, so that they are still in a cache when they are read again.
template <class T>
void Scan<T>::run_together(int64_t unit, int64_t together) const {
  const States neutral(width_of(unit), neutral_);
  std::vector<States> before(static_cast<size_t>(together), neutral);
  std::vector<States> totals(static_cast<size_t>(together), neutral);
  States carry = neutral;
  for (int64_t first = 0; first < chunks_; first += together) {
    const int64_t count = std::min(together, chunks_ - first);
    parallel_for_tasks<Buffers>(pool_, count, 1, [&](int64_t begin, int64_t end, Buffers& buffers) {
      for (int64_t i = begin; i < end; ++i) {
        States* const total = &totals[static_cast<size_t>(i)];
        total->clear(neutral_);
        States none = neutral;
        run_chunk(unit, first + i, &none, total, false, &buffers);
      }
    });
    for (int64_t i = 0; i < count; ++i) {
      before[static_cast<size_t>(i)] = carry;
      merge(&carry, &totals[static_cast<size_t>(i)]);
    }
    parallel_for_tasks<Buffers>(pool_, count, 1, [&](int64_t begin, int64_t end, Buffers& buffers) {
      for (int64_t i = begin; i < end; ++i) {
        States total = neutral;
        run_chunk(unit, first + i, &before[static_cast<size_t>(i)], &total, true, &buffers);
      }
    });
  }
}

template <class T>
void Scan<T>::run_chunk(int64_t unit, int64_t chunk, States* before, States* total, bool write,
                        Buffers* buffers) const {
  const int64_t begin = chunk * chunk_;
  const int64_t end = std::min(task_.count, begin + chunk_);
  (this->*(rows_ ? &Scan::run_rows : &Scan::run_line))(unit, begin, end, before, total, write,
                                                             buffers);
}

template <class T>
void Scan<T>::run_line(int64_t unit, int64_t begin, int64_t end, States* before, States* total,
                       bool write, Buffers* buffers) const {
  const int64_t from = element_at(x_lines_, unit);
  const int64_t to = element_at(out_lines_, unit);
  const ScanState<T> start{before->values[0], before->values[1]};
  ScanState<T> state{total->values[0], total->values[1]};
  const bool in_place = direct() && task_.x_stride == 1 && task_.out_stride == 1;
  const int64_t step = in_place ? end - begin : kReduceBlock;
  for (int64_t i = begin; i < end; i += step) {
    const int64_t n = std::min(step, end - i);
    const unsigned char* raw = source(from + i * task_.x_stride);
    if (task_.x_stride != 1) {
      move_run(buffers->raw, raw, task_.x_stride, n, static_cast<size_t>(size_), true);
      raw = buffers->raw;
    }
    const T* const x =
        in_place ? reinterpret_cast<const T*>(raw)
                 : static_cast<const T*>(load_.values(raw, n, buffers->x, &buffers->convert));
    if (!write) {
      kernels_.total(x, n, &state);
      continue;
    }
    unsigned char* const place = target(to + i * task_.out_stride);
    if (in_place) {
      kernels_.run(x, reinterpret_cast<T*>(place), n, task_.exclusive, start, &state);
      continue;
    }
    kernels_.run(x, buffers->out, n, task_.exclusive, start, &state);
    copy_run(place, task_.out_stride, store_.stored(buffers->out, n, &buffers->write), 1, n,
             static_cast<size_t>(size_));
  }
  total->values[0] = state.value;
  total->values[1] = state.extra;
}

template <class T>
void Scan<T>::run_rows(int64_t unit, int64_t begin, int64_t end, States* before, States* total,
                       bool write, Buffers* buffers) const {
  const int64_t width = width_of(unit);
  const int64_t from = element_at(x_lines_, first_line(unit));
  const int64_t to = element_at(out_lines_, first_line(unit));
  const auto rows = std::make_unique<T[]>(static_cast<size_t>(2 * (kScanRows + 1) * width));
  T* const results = rows.get() + kScanRows * width;
  T* const scratch = results + kScanRows * width;
  for (int64_t row = begin; row < end; row += kScanRows) {
    const int64_t count = std::min(kScanRows, end - row);
    const T* in[kScanRows];
    T* out[kScanRows];
    for (int64_t r = 0; r < count; ++r) {
      in[r] = static_cast<const T*>(load_.values(source(from + (row + r) * task_.x_stride), width,
                                                 rows.get() + r * width, &buffers->convert));
      out[r] = direct() ? reinterpret_cast<T*>(target(to + (row + r) * task_.out_stride))
                        : results + r * width;
    }
    kernels_.run_rows(in, write ? out : nullptr, count, width, task_.exclusive, before->columns(),
                      total->columns(), scratch);
    if (!write || direct()) continue;
    for (int64_t r = 0; r < count; ++r) {
      std::memcpy(target(to + (row + r) * task_.out_stride),
                  store_.stored(out[r], width, &buffers->write),
                  static_cast<size_t>(width * size_));
    }
  }
}

}  // namespace

void scan(const ScanTask& task, ThreadPool& pool) {
  switch (task.compute) {
    case NETCL_F32:
      return Scan<float>(task, pool).run();
    case NETCL_F64:
      return Scan<double>(task, pool).run();
    case NETCL_I32:
      return Scan<int32_t>(task, pool).run();
    case NETCL_I64:
      return Scan<int64_t>(task, pool).run();
    case NETCL_U32:
      return Scan<uint32_t>(task, pool).run();
    default:
      return Scan<uint64_t>(task, pool).run();
  }
}

}  // namespace netcl::cpu
