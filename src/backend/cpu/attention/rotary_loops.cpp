#include "backend/cpu/attention/rotary_loops.hpp"

#include <algorithm>
#include <limits>

#include "backend/cpu/attention/rotary_kernels.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/task_memory.hpp"

namespace netcl::cpu {

namespace {

// Cosines and sines of one token, which all of its heads share.
template <class T>
struct Angles {
  T* cosines;
  T* sines;
  bool sound = false;  // the position is one of the caches
};

template <class T>
class Rotary {
 public:
  Rotary(const RotaryTask& task, ThreadPool& threads)
      : task_(task),
        shape_(task.shape),
        threads_(threads),
        rotate_(shape_.interleaved ? rotary_kernels<T>().interleaved : rotary_kernels<T>().halves),
        x_plain_(shape_.dtype == kRealDtype<T> && shape_.x.strides[3] == 1),
        result_plain_(shape_.dtype == kRealDtype<T> && shape_.result.strides[3] == 1) {}

  // Rows are heads of tokens, those of one token behind each other.
  void run() {
    const int64_t rows = shape_.batch * shape_.tokens * shape_.heads;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / shape_.size);
    threads_.parallel_for(rows, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> memory(threads_, static_cast<size_t>(2 * shape_.pairs + shape_.size));
      Angles<T> angles{memory.data(), memory.data() + shape_.pairs};
      T* const values = angles.sines + shape_.pairs;
      int64_t known = -1;
      for (int64_t row = first; row < last; ++row) {
        const int64_t token = row / shape_.heads;
        if (token != known) find_angles(token, &angles);
        known = token;
        rotate_row(token, row - token * shape_.heads, angles, values);
      }
    });
  }

 private:
  void find_angles(int64_t token, Angles<T>* angles) const {
    const int64_t b = token / shape_.tokens;
    const int64_t t = token - b * shape_.tokens;
    int64_t position = 0;
    if (shape_.position_dtype != 0) {
      const Layout& ids = shape_.ids;
      const int64_t at = ids.offset + b * ids.strides[0] + t * ids.strides[1];
      position = shape_.position_dtype == NETCL_I64 ? static_cast<const int64_t*>(task_.ids)[at]
                                                    : static_cast<const int32_t*>(task_.ids)[at];
      angles->sound = position >= 0 && position < shape_.positions;
      if (!angles->sound) return;
    }
    angles->sound = true;
    const auto read = [&](const void* data, const Layout& layout, T* out) {
      const bool listed = shape_.position_dtype != 0;
      const int64_t at = layout.offset + (listed ? position * layout.strides[0]
                                                 : b * layout.strides[0] + t * layout.strides[1]);
      read_cache(data, at, layout.strides[listed ? 1 : 2], out);
    };
    read(task_.cosines, shape_.cosines, angles->cosines);
    read(task_.sines, shape_.sines, angles->sines);
    if (!shape_.inverse) return;
    for (int64_t i = 0; i < shape_.pairs; ++i) angles->sines[i] = -angles->sines[i];
  }

  void read_cache(const void* data, int64_t at, int64_t step, T* out) const {
    if (shape_.cache_dtype == NETCL_F32 && sizeof(T) == 8) {
      const auto* const from = static_cast<const float*>(data) + at;
      for (int64_t i = 0; i < shape_.pairs; ++i) out[i] = static_cast<T>(from[i * step]);
    } else {
      gather(shape_.cache_dtype, data, at, stepped(shape_.pairs, step), 0, shape_.pairs, out);
    }
  }

  static int64_t row_place(const Layout& layout, int64_t b, int64_t head, int64_t t) {
    return layout.offset + b * layout.strides[0] + head * layout.strides[1] + t * layout.strides[2];
  }

  // What is not plain goes through `values`.
  void rotate_row(int64_t token, int64_t head, const Angles<T>& angles, T* values) const {
    const int64_t b = token / shape_.tokens;
    const int64_t t = token - b * shape_.tokens;
    const int64_t size = shape_.size;
    const int64_t from = row_place(shape_.x, b, head, t);
    const int64_t to = row_place(shape_.result, b, head, t);
    const T* x = static_cast<const T*>(task_.x) + from;
    T* y = static_cast<T*>(task_.result) + to;
    if (!result_plain_) y = values;
    if (!angles.sound) {
      std::fill_n(y, size, std::numeric_limits<T>::quiet_NaN());
    } else {
      if (!x_plain_) {
        gather(shape_.dtype, task_.x, from, stepped(size, shape_.x.strides[3]), 0, size, values);
        x = values;
      }
      rotate_(x, angles.cosines, angles.sines, shape_.pairs, y);
      const int64_t rotated = 2 * shape_.pairs;
      if (x != y) std::copy(x + rotated, x + size, y + rotated);
    }
    if (result_plain_) return;
    scatter(shape_.dtype, task_.result, to, stepped(size, shape_.result.strides[3]), 0, size, y);
  }

  const RotaryTask& task_;
  const RotaryShape& shape_;
  ThreadPool& threads_;
  const RotaryFunction<T> rotate_;
  const bool x_plain_;
  const bool result_plain_;
};

}  // namespace

void rotary_embedding(const RotaryTask& task, ThreadPool& threads) {
  with_real(task.shape.dtype, [&](auto real) { Rotary<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
