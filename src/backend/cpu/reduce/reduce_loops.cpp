// Two walks over the elements. Along rows: the elements of an output are gathered to blocks, unless
// they are packed, and each block is folded with vectors. Along columns: where neighbouring outputs
// lie next to each other and the elements of one do not, whole rows are added to a row of states.
#include "backend/cpu/reduce/reduce_loops.hpp"

#include <cmath>
#include <memory>

#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "backend/cpu/reduce/reduce_source.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {
namespace {

// Outputs whose states a task keeps.
constexpr int64_t kTile = kReduceBlock;
constexpr int64_t kTileLeast = 256;
// Elements of one piece of parallel work, about.
constexpr int64_t kTaskElements = 32768;
// Columns are walked when there are at least so many next to each other.
constexpr int64_t kColumnsLeast = 16;
// Rows up to so long are gathered several at a time.
constexpr int64_t kShortRow = kReduceBlock / 4;
// A packed run of a gathered row is folded in place from so many elements on.
constexpr int64_t kLongRun = 256;

ReduceFold fold_of(netcl_reduction kind, bool last) {
  switch (kind) {
    case NETCL_REDUCTION_MAX:
    case NETCL_REDUCTION_ANY:
      return ReduceFold::largest;
    case NETCL_REDUCTION_MIN:
    case NETCL_REDUCTION_ALL:
      return ReduceFold::smallest;
    case NETCL_REDUCTION_PROD:
      return ReduceFold::product;
    case NETCL_REDUCTION_L1:
      return ReduceFold::sum_absolute;
    case NETCL_REDUCTION_L2:
    case NETCL_REDUCTION_SUM_SQUARE:
      return ReduceFold::sum_square;
    case NETCL_REDUCTION_ARGMAX:
      return last ? ReduceFold::arg_largest_last : ReduceFold::arg_largest;
    case NETCL_REDUCTION_ARGMIN:
      return last ? ReduceFold::arg_smallest_last : ReduceFold::arg_smallest;
    default:
      return ReduceFold::sum;
  }
}

// States of neighbouring outputs.
template <class T>
struct Tile {
  alignas(64) T value[kTile];
  alignas(64) T extra[kTile];
  alignas(64) T pending[kTile];
  alignas(64) int64_t index[kTile];

  ReduceColumns<T> columns(int64_t first = 0) {
    return {value + first, extra + first, index + first, pending + first};
  }
  void clear(int64_t width, T neutral) {
    std::fill_n(value, width, neutral);
    std::fill_n(extra, width, T(0));
    std::fill_n(pending, width, T(0));
    std::fill_n(index, width, int64_t{-1});
  }
};

template <class T>
class Reduction {
 public:
  Reduction(const ReduceTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        converter_(task.x_dtype, task.dtype),
        size_(static_cast<int64_t>(dtype_size(task.x_dtype))),
        kept_(with_dimension(task.kept)),
        reduced_(with_dimension(task.reduced)),
        out_(with_dimension(task.out)) {
    row_packed_ = reduced_.rank == 1 && (reduced_.strides[0] == 1 || task.count <= 1);
    columns_ = kept_.strides[kept_.rank - 1] == 1 && kept_.shape[kept_.rank - 1] >= kColumnsLeast &&
               task.count > 1 && reduced_.strides[reduced_.rank - 1] != 1;
    all_ = kept_;
    for (uint32_t d = 0; d < task.reduced.rank; ++d) {
      all_.shape[all_.rank] = task.reduced.shape[d];
      all_.strides[all_.rank++] = task.reduced.strides[d];
    }
    coalesce(&all_, 1);
    all_ = with_dimension(all_);
  }

  void run() {
    if (task_.kind != NETCL_REDUCTION_LOG_SUM_EXP)
      return pass(fold_of(task_.kind, task_.select_last));
    if constexpr (std::is_floating_point_v<T>) {
      shift_ = std::make_unique<T[]>(static_cast<size_t>(task_.outputs));
      finding_shift_ = true;
      pass(ReduceFold::largest);
      finding_shift_ = false;
      exp_ = math_kernel(expression::Op::exp, task_.dtype);
      pass(ReduceFold::sum);
    }
  }

 private:
  struct Buffers {
    alignas(64) unsigned char raw[kReduceBlock * 8];
    alignas(64) T values[kReduceBlock];
    ReduceConverter::Buffers convert;
  };
  struct Rows {
    alignas(64) T values[kReduceRowsStep][kTile];
    ReduceConverter::Buffers convert;
  };
  // What a task works in: rows or columns, and then the results.
  struct Task {
    Tile<T> tile;
    union {
      Buffers buffers;
      Rows rows;
      ReduceWriter::Buffers results;
    };
  };

  void pass(ReduceFold fold);
  void row_task(int64_t first, int64_t rows, int64_t begin, int64_t end, Task* task) const;
  void column_task(int64_t first, int64_t width, int64_t begin, int64_t end, Task* task) const;
  void add_row(ReduceState<T>* state, int64_t output, int64_t begin, int64_t end,
               Buffers* buffers) const;
  void add_short_rows(int64_t first, int64_t rows, Tile<T>* tile, Buffers* buffers) const;
  void add(ReduceState<T>* state, const T* x, int64_t n, int64_t index, int64_t output,
           T* scratch) const;
  const T* row_values(int64_t at, int64_t width, int64_t output, T* target,
                      ReduceConverter::Buffers* convert) const;
  void exponentials(const T* x, int64_t n, const T* shift, bool one_shift, T* target) const;
  void finish(int64_t first, int64_t width, const ReduceColumns<T>& states,
              ReduceWriter::Buffers* results) const;
  void write(int64_t first, int64_t width, const T* values, const int64_t* index,
             ReduceWriter::Buffers* results) const;
  T finished(T value, T extra, int64_t output) const;
  const unsigned char* element(int64_t at) const {
    return static_cast<const unsigned char*>(task_.x_data) + at * size_;
  }

  const ReduceTask& task_;
  ThreadPool& pool_;
  const ReduceConverter converter_;
  const int64_t size_;
  Layout kept_, reduced_, out_;
  Layout all_;  // kept and then reduced dimensions, to gather whole rows
  bool row_packed_ = false;
  bool columns_ = false;
  const ReduceKernels<T>* kernels_ = nullptr;
  std::unique_ptr<T[]> shift_;  // LOG_SUM_EXP: what is taken out of the exponents
  bool finding_shift_ = false;
  BlockFunction exp_ = nullptr;
};

template <class T>
void Reduction<T>::pass(ReduceFold fold) {
  kernels_ = &reduce_kernels<T>(fold);
  const int64_t pieces = std::clamp<int64_t>(task_.pieces, 1, std::max<int64_t>(task_.count, 1));
  const int64_t piece = ceil_div(std::max<int64_t>(task_.count, 1), pieces);
  // Tiles of outputs: where they are cut changes no bits.
  const int64_t line = columns_ ? kept_.shape[kept_.rank - 1] : task_.outputs;
  int64_t tile = std::clamp(kTaskElements / piece, int64_t{1}, kTile);
  if (columns_) {
    const int64_t wanted = ceil_div(line, 4 * int64_t{pool_.thread_count()});
    tile = std::clamp((wanted + 63) / 64 * 64, kTileLeast, kTile);
  }
  tile = std::min(tile, line);
  const int64_t tiles = ceil_div(line, tile);
  const int64_t groups = task_.outputs / line * tiles;
  std::unique_ptr<T[]> values;
  std::unique_ptr<int64_t[]> indexes;
  if (pieces > 1) {
    values = std::make_unique<T[]>(static_cast<size_t>(2 * pieces * task_.outputs));
    if (kernels_->uses_index) {
      indexes = std::make_unique<int64_t[]>(static_cast<size_t>(pieces * task_.outputs));
    }
  }
  const auto kept_states = [&](int64_t p, int64_t first) -> ReduceColumns<T> {
    T* const at = values.get() + 2 * p * task_.outputs + first;
    return {at, at + task_.outputs,
            indexes != nullptr ? indexes.get() + p * task_.outputs + first : nullptr, nullptr};
  };
  const auto run_task = [&](int64_t number, Task* task) {
    const int64_t p = number / groups;
    const int64_t group = number % groups;
    const int64_t first = group / tiles * line + group % tiles * tile;
    const int64_t width = std::min(tile, line - group % tiles * tile);
    const int64_t begin = std::min(task_.count, p * piece);
    const int64_t end = std::min(task_.count, begin + piece);
    Tile<T>& states = task->tile;
    states.clear(width, kernels_->neutral);
    (this->*(columns_ ? &Reduction::column_task : &Reduction::row_task))(first, width, begin, end,
                                                                         task);
    if (pieces == 1) return finish(first, width, states.columns(), &task->results);
    const ReduceColumns<T> kept = kept_states(p, first);
    std::copy_n(states.value, width, kept.value);
    std::copy_n(states.extra, width, kept.extra);
    if (kept.index != nullptr) std::copy_n(states.index, width, kept.index);
  };
  const int64_t tasks = pieces * groups;
  const int64_t each = std::max<int64_t>(tile * piece, 1);
  parallel_for_tasks<Task>(pool_, tasks, std::max<int64_t>(1, kTaskElements / each),
                           [&](int64_t begin, int64_t end, Task& task) {
                             for (int64_t i = begin; i < end; ++i) run_task(i, &task);
                           });
  if (pieces == 1) return;
  parallel_for_tasks<ReduceWriter::Buffers>(
      pool_, task_.outputs, kTile, [&](int64_t begin, int64_t end, ReduceWriter::Buffers& results) {
        const ReduceColumns<T> total = kept_states(0, begin);
        for (int64_t p = 1; p < pieces; ++p) {
          kernels_->merge(total, kept_states(p, begin), end - begin);
        }
        finish(begin, end - begin, total, &results);
      });
}

template <class T>
void Reduction<T>::exponentials(const T* x, int64_t n, const T* shift, bool one_shift,
                                T* target) const {
  for (int64_t i = 0; i < n; ++i) target[i] = x[i] - shift[one_shift ? 0 : i];
  const void* const in = target;
  exp_(target, &in, static_cast<size_t>(n));
}

template <class T>
void Reduction<T>::add(ReduceState<T>* state, const T* x, int64_t n, int64_t index, int64_t output,
                       T* scratch) const {
  const bool plain = task_.variant == NETCL_VARIANT_REDUCTION_SEQUENTIAL;
  const auto function = plain ? kernels_->add_plain : kernels_->add;
  if (exp_ == nullptr) return function(state, x, n, index);
  for (int64_t i = 0; i < n; i += kReduceBlock) {
    const int64_t m = std::min(kReduceBlock, n - i);
    exponentials(x + i, m, shift_.get() + output, true, scratch);
    function(state, scratch, m, index + i);
  }
}

template <class T>
void Reduction<T>::add_row(ReduceState<T>* state, int64_t output, int64_t begin, int64_t end,
                           Buffers* buffers) const {
  const int64_t at = element_at(kept_, output);
  if (row_packed_ && converter_.direct()) {
    const T* const x = reinterpret_cast<const T*>(element(at + begin));
    return add(state, x, end - begin, begin, output, buffers->values);
  }
  Layout row = reduced_;
  row.offset = at;
  const int64_t stride = row.strides[row.rank - 1];
  for (int64_t i = begin; i < end;) {
    if (row_packed_ || (stride == 1 && row.shape[row.rank - 1] >= kLongRun)) {
      // Runs are folded where they lie, at most to the end of one.
      const int64_t inner = row_packed_ ? end : row.shape[row.rank - 1];
      int64_t n = std::min(end - i, inner - i % inner);
      if (!converter_.direct()) n = std::min(n, kReduceBlock);
      const unsigned char* const raw = element(row_packed_ ? at + i : element_at(row, i));
      const void* const x = converter_.values(raw, n, buffers->values, &buffers->convert);
      add(state, static_cast<const T*>(x), n, i, output, buffers->values);
      i += n;
      continue;
    }
    const int64_t n = std::min(kReduceBlock, end - i);
    walk(row, i, n, [&](int64_t place, int64_t done, int64_t run) {
      copy_run(buffers->raw + done * size_, 1, element(place), stride, run,
               static_cast<size_t>(size_));
    });
    const void* const x = converter_.values(buffers->raw, n, buffers->values, &buffers->convert);
    add(state, static_cast<const T*>(x), n, i, output, buffers->values);
    i += n;
  }
}

// Several whole rows per block.
template <class T>
void Reduction<T>::add_short_rows(int64_t first, int64_t rows, Tile<T>* tile,
                                  Buffers* buffers) const {
  const int64_t step = kReduceBlock / task_.count;
  const int64_t stride = all_.strides[all_.rank - 1];
  for (int64_t row = 0; row < rows; row += step) {
    const int64_t n = std::min(step, rows - row);
    const unsigned char* raw = buffers->raw;
    if (all_.rank == 1 && stride == 1) {
      raw = element(all_.offset + (first + row) * task_.count);
    } else {
      walk(all_, (first + row) * task_.count, n * task_.count,
           [&](int64_t place, int64_t done, int64_t run) {
             copy_run(buffers->raw + done * size_, 1, element(place), stride, run,
                      static_cast<size_t>(size_));
           });
    }
    const T* const x = static_cast<const T*>(
        converter_.values(raw, n * task_.count, buffers->values, &buffers->convert));
    for (int64_t r = 0; r < n; ++r) {
      ReduceState<T> state{kernels_->neutral};
      add(&state, x + r * task_.count, task_.count, 0, first + row + r,
          exp_ == nullptr ? nullptr : buffers->values + r * task_.count);
      tile->value[row + r] = state.value;
      tile->extra[row + r] = state.extra;
      tile->index[row + r] = state.index;
    }
  }
}

template <class T>
void Reduction<T>::row_task(int64_t first, int64_t rows, int64_t begin, int64_t end,
                            Task* task) const {
  if (begin >= end) return;
  Buffers* const buffers = &task->buffers;
  Tile<T>* const tile = &task->tile;
  const bool whole = begin == 0 && end == task_.count;
  if (whole && task_.count <= kShortRow && !(row_packed_ && converter_.direct())) {
    return add_short_rows(first, rows, tile, buffers);
  }
  for (int64_t row = 0; row < rows; ++row) {
    ReduceState<T> state{kernels_->neutral};
    add_row(&state, first + row, begin, end, buffers);
    tile->value[row] = state.value;
    tile->extra[row] = state.extra;
    tile->index[row] = state.index;
  }
}

// The values of neighbouring outputs from one row.
template <class T>
const T* Reduction<T>::row_values(int64_t at, int64_t width, int64_t output, T* target,
                                  ReduceConverter::Buffers* convert) const {
  const T* const x =
      static_cast<const T*>(converter_.values(element(at), width, target, convert));
  if (exp_ == nullptr) return x;
  exponentials(x, width, shift_.get() + output, false, target);
  return target;
}

template <class T>
void Reduction<T>::column_task(int64_t first, int64_t width, int64_t begin, int64_t end,
                               Task* task) const {
  Rows* const rows = &task->rows;
  const ReduceColumns<T> columns = task->tile.columns();
  const int64_t base = element_at(kept_, first);
  int64_t pending = 0;
  for (int64_t row = begin; row < end; row += kReduceRowsStep) {
    const int64_t count = std::min(kReduceRowsStep, end - row);
    const T* pointers[kReduceRowsStep];
    for (int64_t r = 0; r < count; ++r) {
      pointers[r] = row_values(base + element_at(reduced_, row + r), width, first,
                               rows->values[r], &rows->convert);
    }
    kernels_->add_rows(columns, pointers, count, width, row);
    pending += count;
    if (pending == kReduceRowsMax || row + count == end) {
      kernels_->settle(columns, width);
      pending = 0;
    }
  }
}

template <class T>
T Reduction<T>::finished(T value, T extra, int64_t output) const {
  if constexpr (std::is_floating_point_v<T>) {
    const T total = reduce_total(value, extra);
    switch (task_.kind) {
      case NETCL_REDUCTION_MEAN:
        return total / static_cast<T>(task_.count);
      case NETCL_REDUCTION_L2:
        return std::sqrt(total);
      case NETCL_REDUCTION_LOG_SUM:
        return std::log(total);
      case NETCL_REDUCTION_LOG_SUM_EXP:
        return shift_[static_cast<size_t>(output)] + std::log(total);
      default:
        return kernels_->uses_extra ? total : value;
    }
  } else {
    return value;
  }
}

template <class T>
void Reduction<T>::finish(int64_t first, int64_t width, const ReduceColumns<T>& states,
                          ReduceWriter::Buffers* results) const {
  if (finding_shift_) {
    // An infinity or NaN shows in the exponentials themselves.
    for (int64_t i = 0; i < width; ++i) {
      shift_[static_cast<size_t>(first + i)] =
          states.value[i] - states.value[i] == 0 ? states.value[i] : T(0);
    }
    return;
  }
  if (kernels_->uses_index) return write(first, width, nullptr, states.index, results);
  for (int64_t i = 0; i < width; ++i) {
    states.value[i] = finished(states.value[i], states.extra[i], first + i);
  }
  write(first, width, states.value, nullptr, results);
}

template <class T>
void Reduction<T>::write(int64_t first, int64_t width, const T* values,
                         const int64_t* index, ReduceWriter::Buffers* results) const {
  const auto size = static_cast<int64_t>(dtype_size(task_.out_dtype));
  const ReduceWriter writer(index != nullptr ? NETCL_I64 : task_.dtype, task_.out_dtype);
  const void* const data =
      writer.stored(index != nullptr ? static_cast<const void*>(index) : values, width, results);
  walk(out_, first, width, [&](int64_t place, int64_t done, int64_t run) {
    copy_run(static_cast<unsigned char*>(task_.out_data) + place * size,
             out_.strides[out_.rank - 1], static_cast<const unsigned char*>(data) + done * size, 1,
             run, static_cast<size_t>(size));
  });
}

}  // namespace

void reduce(const ReduceTask& task, ThreadPool& pool) {
  switch (task.dtype) {
    case NETCL_F32:
      return Reduction<float>(task, pool).run();
    case NETCL_F64:
      return Reduction<double>(task, pool).run();
    case NETCL_I32:
      return Reduction<int32_t>(task, pool).run();
    case NETCL_I64:
      return Reduction<int64_t>(task, pool).run();
    case NETCL_U32:
      return Reduction<uint32_t>(task, pool).run();
    case NETCL_U64:
      return Reduction<uint64_t>(task, pool).run();
    default:
      return Reduction<uint8_t>(task, pool).run();
  }
}

}  // namespace netcl::cpu
