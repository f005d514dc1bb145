// The matrix product: the loops around the register tile. The depth is cut into blocks. A strip of
// packed b stays in the second cache while the panels of packed a pass by, each of which stays in
// the first cache while it meets the whole strip; so c is written along its rows.
#include "backend/cpu/matmul/gemm.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/matmul/gemm_finish.hpp"
#include "backend/cpu/matmul/gemm_kernels.hpp"
#include "backend/cpu/matmul/quantized_loops.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {
namespace {

using gemm_detail::KernelSet;
using gemm_detail::kTileColumnsMax;
using gemm_detail::kTileRowsMax;

// Bytes of one line of a depth block, of a block of packed a, and of one row of a block of b.
constexpr int64_t kDepthBytes = 2048;
constexpr int64_t kBlockABytes = 512 * 1024;
constexpr int64_t kBlockColumnsBytes = 8192;
// Tiles of one row of a strip of b. At the full depth a strip takes half of a second cache: of
// 1 MiB with vectors of 64 bytes, of 512 KiB with shorter ones.
constexpr int64_t kStripTiles = 8;
// The sums of a result that cannot hold them itself are kept in at most about so many bytes.
constexpr int64_t kSumsBytes = int64_t{64} << 20;
// Below this many multiplications waking a second thread costs more than it saves.
constexpr double kSharedWork = 2e6;

// Working memory of one product: small ones live on the stack, larger ones in the pool's block.
class Workspace {
 public:
  Workspace(ThreadPool& pool, std::initializer_list<int64_t> counts, size_t element) : pool_(pool) {
    size_t bytes = 0;
    for (const int64_t count : counts) bytes = end_of(bytes, count, element);
    if (bytes > sizeof inline_) scratch_ = pool.take_scratch(bytes);
    data_ = scratch_.data() != nullptr ? scratch_.data() : inline_;
  }
  ~Workspace() {
    if (scratch_.data() != nullptr) pool_.give_scratch(std::move(scratch_));
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // The next `count` elements. The calls follow the counts of the constructor.
  template <class T>
  T* next(int64_t count) {
    std::byte* const place = data_ + used_;
    used_ = end_of(used_, count, sizeof(T));
    return reinterpret_cast<T*>(place);
  }

 private:
  static size_t end_of(size_t used, int64_t count, size_t element) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<size_t>(count), element, &bytes) ||
        __builtin_add_overflow(bytes, used + kCacheLine - 1, &bytes)) {
      throw std::bad_alloc();
    }
    return bytes / kCacheLine * kCacheLine;
  }

  alignas(kCacheLine) std::byte inline_[8192];
  ThreadPool& pool_;
  Scratch scratch_;
  std::byte* data_ = nullptr;
  size_t used_ = 0;
};

using gemm_detail::factor_of;
using gemm_detail::GemmFinish;
using gemm_detail::kDtypeOf;
using gemm_detail::shifted;
using gemm_detail::transposed;

template <class T>
class GemmRun {
 public:
  GemmRun(int64_t m, int64_t n, int64_t k, T alpha, const GemmOperand& a, const GemmOperand& b,
          T beta, const GemmOperand& c, const GemmFinish<T>& finish, ThreadPool& pool)
      : set_(gemm_detail::kernels<T>()),
        m_(m),
        n_(n),
        k_(k),
        depth_(ceil_div(k, kSteps)),
        alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        c_(c),
        finish_(finish),
        pool_(pool),
        shared_(static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) >
                kSharedWork) {}

  void run(GemmVariant variant) {
    if (k_ == 0 || alpha_ == T{0}) return scale();
    if (variant != GemmVariant::vectorized) return matrix_product();
    for (int64_t column = 0; column < n_; ++column) vector_product(column);
  }

 private:
  static constexpr int64_t kSteps = gemm_detail::kStepsPacked<T>;

  // One step of the outer loops: rows and columns of c, and a block of the depth.
  struct Block {
    int64_t row, rows, column, columns, first, depth;
    T alpha, beta;
    bool finishes;  // what is written to c is the result
    GemmOperand c;  // seen from (row, column) on
    T* packed_a;
    T* packed_b;
  };

  template <class Function>
  void each(int64_t total, int64_t grain, Function&& fn) {
    if (shared_) {
      pool_.parallel_for(total, grain, fn);
    } else if (total > 0) {
      fn(int64_t{0}, total);
    }
  }

  void scale();
  void pack(const GemmOperand& x, int64_t first, int64_t lines, int64_t width, int64_t depth,
            T* target) const;
  void take_off_zeros(const GemmOperand& a, const T* x, int64_t rows, T* sums) const;
  void vector_product(int64_t column);
  void matrix_product();
  void row_blocks(Block block, int64_t rows_step);
  void pack_b(const Block& block);
  void pack_panels(const Block& block, int64_t column, int64_t columns, T* target);
  void multiply(const Block& block);
  void tiles(const Block& block, int64_t row, int64_t rows, int64_t column, int64_t columns);
  void write_tile(const Block& block, int64_t row, int64_t rows, int64_t column, int64_t columns,
                  const T* panel_a, const T* panel_b, int64_t b_step);
  bool reads_b_in_place(int64_t used_columns) const {
    return direct_b_ && used_columns == set_.columns;
  }

  const KernelSet<T>& set_;
  const int64_t m_, n_, k_;
  const int64_t depth_;  // in packed elements, as blocks and panels count it
  const T alpha_, beta_;
  const GemmOperand a_, b_, c_;
  const GemmFinish<T>& finish_;
  ThreadPool& pool_;
  const bool shared_;
  bool direct_b_ = false;
  bool packs_strips_ = false;  // each strip of b just before it is used first, when it is near
};

template <class T>
void GemmRun<T>::scale() {
  each(m_, 64, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      for (int64_t j = 0; j < n_; j += 64) {
        T zeros[64] = {};
        finish_.store(zeros, 64, 1, std::min<int64_t>(64, n_ - j), T{1}, beta_, shifted(c_, i, j),
                      i, j);
      }
    }
  });
}

// Packs lines, the rows of x, from element `first` of the packed depth on.
template <class T>
void GemmRun<T>::pack(const GemmOperand& x, int64_t first, int64_t lines, int64_t width,
                      int64_t depth, T* target) const {
  const GemmOperand from = shifted(x, 0, first * kSteps);
  if constexpr (std::is_same_v<T, int32_t>) {
    set_.pack_bytes(from.dtype, from.data, from.row_stride, from.column_stride, lines, width,
                    std::min(depth * kSteps, k_ - first * kSteps), from.zero, from.zero_row,
                    target);
  } else {
    set_.pack(from.dtype, from.data, from.row_stride, from.column_stride, lines, width, depth,
              target);
  }
}

// What a's zero points add to the products with x of a as it is in memory.
template <class T>
void GemmRun<T>::take_off_zeros(const GemmOperand& a, const T* x, int64_t rows, T* sums) const {
  if constexpr (std::is_same_v<T, int32_t>) {
    if (a.zero == nullptr) return;
    uint32_t all = 0;
    for (int64_t p = 0; p < depth_; ++p) {
      all += static_cast<uint32_t>(x[p] >> 16) +
             static_cast<uint32_t>(static_cast<int16_t>(x[p] & 0xffff));
    }
    for (int64_t i = 0; i < rows; ++i) {
      const int32_t less = -gemm_detail::byte_at(a.dtype, a.zero, i * a.zero_row);
      sums[i] = gemm_detail::wrapped_add(
          sums[i], gemm_detail::wrapped_multiply(less, static_cast<int32_t>(all)));
    }
  }
}

// An element of a column of b is used once, so the rows of a stream through without being packed.
template <class T>
void GemmRun<T>::vector_product(int64_t column) {
  constexpr int64_t kGrain = 256;
  Workspace workspace(pool_, {depth_}, sizeof(T));
  T* const x = workspace.next<T>(depth_);
  pack(transposed(shifted(b_, 0, column)), 0, 1, 1, depth_, x);
  each(m_, kGrain, [&](int64_t begin, int64_t end) {
    T sums[kGrain];
    for (int64_t first = begin; first < end; first += kGrain) {
      const int64_t rows = std::min(kGrain, end - first);
      const GemmOperand a = shifted(a_, first, 0);
      if (a_.column_stride == 1) {
        set_.dot_rows(a.dtype, a.data, a.row_stride, rows, k_, x, sums);
      } else {
        std::fill_n(sums, rows, T{0});
        set_.add_columns(a.dtype, a.data, a.column_stride, rows, k_, x, sums);
      }
      take_off_zeros(a, x, rows, sums);
      finish_.store_column(sums, rows, alpha_, beta_, shifted(c_, first, column), first, column);
    }
  });
}

template <class T>
void GemmRun<T>::matrix_product() {
  const int64_t element = sizeof(T);
  const int64_t depth_step = std::min(depth_, kDepthBytes / element);
  const int64_t depth_blocks = ceil_div(depth_, depth_step);
  // A result that is narrower than the sums would round after each depth block.
  const bool own_sums = depth_blocks > 1 && c_.dtype != kDtypeOf<T>;
  int64_t columns_step = kBlockColumnsBytes / element;
  if (own_sums) {
    columns_step = std::clamp(kSumsBytes / element / m_, set_.columns, columns_step);
  }
  columns_step = round_up(std::min(columns_step, n_), set_.columns);
  // Blocks of equal height: a last block of a few rows would waste its packed b.
  const int64_t rows_most = std::max(kBlockABytes / (depth_step * element), set_.rows);
  int64_t rows_step = round_up(ceil_div(m_, ceil_div(m_, rows_most)), set_.rows);
  if (shared_ && pool_.thread_count() > 1) {
    rows_step *= std::min<int64_t>(4 * pool_.thread_count(), ceil_div(m_, rows_step));
  }
  direct_b_ = b_.dtype == kDtypeOf<T> && b_.column_stride == 1 && m_ <= 2 * set_.rows;
  packs_strips_ = !direct_b_ && (!shared_ || pool_.thread_count() == 1);

  const int64_t count_a = std::min(rows_step, round_up(m_, set_.rows)) * depth_step;
  const int64_t count_b = (direct_b_ ? set_.columns : columns_step) * depth_step;
  int64_t count_sums = 0;
  if (own_sums && __builtin_mul_overflow(m_, std::min(columns_step, n_), &count_sums)) {
    throw std::bad_alloc();
  }
  Workspace workspace(pool_, {count_a, count_b, count_sums}, element);
  Block block{};
  block.packed_a = workspace.next<T>(count_a);
  block.packed_b = workspace.next<T>(count_b);
  T* const sums = workspace.next<T>(count_sums);
  for (int64_t column = 0; column < n_; column += columns_step) {
    block.column = column;
    block.columns = std::min(columns_step, n_ - column);
    const GemmOperand c_block = shifted(c_, 0, column);
    block.c = own_sums ? GemmOperand{sums, block.columns, 1, kDtypeOf<T>} : c_block;
    for (int64_t first = 0; first < depth_; first += depth_step) {
      block.first = first;
      block.depth = std::min(depth_step, depth_ - first);
      block.alpha = own_sums ? T{1} : alpha_;
      block.beta = first > 0 ? T{1} : own_sums ? T{0} : beta_;
      block.finishes = !own_sums && first + block.depth == depth_;
      if (!packs_strips_) pack_b(block);
      row_blocks(block, rows_step);
    }
    if (!own_sums) continue;
    each(m_, 16, [&](int64_t begin, int64_t end) {
      finish_.store(sums + begin * block.columns, block.columns, end - begin, block.columns, alpha_,
                    beta_, shifted(c_block, begin, 0), begin, column);
    });
  }
}

template <class T>
void GemmRun<T>::pack_b(const Block& block) {
  // Read in place, only the last panel needs packing, when it is not whole.
  const int64_t from = direct_b_ ? block.columns / set_.columns * set_.columns : 0;
  const int64_t panels = ceil_div(block.columns - from, set_.columns);
  each(panels, 4, [&](int64_t begin, int64_t end) {
    const int64_t column = from + begin * set_.columns;
    const int64_t used = std::min(block.columns, from + end * set_.columns) - column;
    pack_panels(block, column, used, block.packed_b + (column - from) * block.depth);
  });
}

template <class T>
void GemmRun<T>::pack_panels(const Block& block, int64_t column, int64_t columns, T* target) {
  if constexpr (std::is_same_v<T, float>) {
    if (b_.quantized != nullptr) {
      return pack_quantized(*b_.quantized, block.column + column, columns, set_.columns,
                            block.first, block.depth, target);
    }
  }
  pack(transposed(shifted(b_, 0, block.column + column)), block.first, columns, set_.columns,
       block.depth, target);
}

template <class T>
void GemmRun<T>::row_blocks(Block block, int64_t rows_step) {
  const GemmOperand c = block.c;
  for (int64_t row = 0; row < m_; row += rows_step) {
    block.row = row;
    block.rows = std::min(rows_step, m_ - row);
    block.c = shifted(c, row, 0);
    const int64_t panels = ceil_div(block.rows, set_.rows);
    each(panels, 8, [&](int64_t begin, int64_t end) {
      const int64_t start = begin * set_.rows;
      const int64_t used = std::min(block.rows, end * set_.rows) - start;
      pack(shifted(a_, row + start, 0), block.first, used, set_.rows, block.depth,
           block.packed_a + start * block.depth);
    });
    multiply(block);
  }
}

// Cuts a block of c into pieces, which are what the threads share: strips of b, and for several
// threads also runs of rows that are high enough to pay for loading the strip.
template <class T>
void GemmRun<T>::multiply(const Block& block) {
  int64_t row_step = round_up(block.rows, set_.rows);
  if (shared_ && pool_.thread_count() > 1) {
    const int64_t wanted = ceil_div(block.rows, 4 * int64_t{pool_.thread_count()});
    row_step = std::min(row_step, round_up(std::max(wanted, 8 * set_.rows), set_.rows));
  }
  const int64_t column_step = kStripTiles * set_.columns;
  const int64_t row_pieces = ceil_div(block.rows, row_step);
  const int64_t column_pieces = ceil_div(block.columns, column_step);
  each(row_pieces * column_pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t row = piece % row_pieces * row_step;
      const int64_t column = piece / row_pieces * column_step;
      const int64_t columns = std::min(column_step, block.columns - column);
      if (packs_strips_ && block.row == 0) {
        pack_panels(block, column, columns, block.packed_b + column * block.depth);
      }
      tiles(block, row, std::min(row_step, block.rows - row), column, columns);
    }
  });
}

template <class T>
void GemmRun<T>::tiles(const Block& block, int64_t row, int64_t rows, int64_t column,
                       int64_t columns) {
  for (int64_t i = row; i < row + rows; i += set_.rows) {
    const int64_t used_rows = std::min(set_.rows, row + rows - i);
    const T* const panel_a = block.packed_a + i * block.depth;
    for (int64_t j = column; j < column + columns; j += set_.columns) {
      const int64_t used_columns = std::min(set_.columns, column + columns - j);
      if (reads_b_in_place(used_columns)) {
        const GemmOperand b = shifted(b_, block.first, block.column + j);
        write_tile(block, i, used_rows, j, used_columns, panel_a, static_cast<const T*>(b.data),
                   b.row_stride);
      } else {
        write_tile(block, i, used_rows, j, used_columns, panel_a,
                   block.packed_b + (direct_b_ ? 0 : j * block.depth), set_.columns);
      }
    }
  }
}

template <class T>
void GemmRun<T>::write_tile(const Block& block, int64_t row, int64_t rows, int64_t column,
                            int64_t columns, const T* panel_a, const T* panel_b, int64_t b_step) {
  const GemmOperand c = shifted(block.c, row, column);
  const bool finishes = block.finishes && finish_.any();
  const bool whole = columns % set_.lanes == 0 && set_.tile_rows(rows) == rows;
  if (!finishes && whole && c.column_stride == 1 && c.dtype == kDtypeOf<T>) {
    set_.tile(rows, columns, block.depth, panel_a, panel_b, b_step, block.alpha, block.beta,
              static_cast<T*>(c.data), c.row_stride);
    return;
  }
  alignas(64) T sums[kTileRowsMax * kTileColumnsMax];
  set_.tile(rows, columns, block.depth, panel_a, panel_b, b_step, T{1}, T{0}, sums, set_.columns);
  if (finishes) {
    finish_.store(sums, set_.columns, rows, columns, block.alpha, block.beta, c, block.row + row,
                  block.column + column);
  } else {
    set_.merge(sums, set_.columns, rows, columns, block.alpha, block.beta, c.dtype, c.data,
               c.row_stride, c.column_stride);
  }
}

template <class T>
void run_product(GemmVariant variant, int64_t m, int64_t n, int64_t k, double alpha,
                 const GemmOperand& a, const GemmOperand& b, double beta, const GemmOperand& c,
                 const GemmEpilogue& epilogue, ThreadPool& pool) {
  const KernelSet<T>& set = gemm_detail::kernels<T>();
  const GemmFinish<T> finish(set, epilogue);
  if (variant == GemmVariant::naive || variant == GemmVariant::tiled) {
    gemm_detail::run_plain(variant, m, n, alpha == 0.0 ? 0 : k, factor_of<T>(alpha), a, b,
                           factor_of<T>(beta), c, finish, pool);
  } else {
    GemmRun<T>(m, n, k, factor_of<T>(alpha), a, b, factor_of<T>(beta), c, finish, pool)
        .run(variant);
  }
}

}  // namespace

void gemm(GemmVariant variant, int64_t m, int64_t n, int64_t k, double alpha, const GemmOperand& a,
          const GemmOperand& b, double beta, const GemmOperand& c, const GemmEpilogue& epilogue,
          ThreadPool& pool) {
  if (m <= 0 || n <= 0) return;
  if (b.quantized != nullptr && m <= kQuantizedRowsMost) {
    const GemmFinish<float> finish(gemm_detail::kernels<float>(), epilogue);
    return quantized_product(m, a, *b.quantized, static_cast<float>(beta), c, finish, pool);
  }
  if (a.dtype == NETCL_F64 || b.dtype == NETCL_F64 || c.dtype == NETCL_F64) {
    run_product<double>(variant, m, n, k, alpha, a, b, beta, c, epilogue, pool);
  } else if (c.dtype == NETCL_I32) {
    run_product<int32_t>(variant, m, n, k, alpha, a, b, beta, c, epilogue, pool);
  } else {
    run_product<float>(variant, m, n, k, alpha, a, b, beta, c, epilogue, pool);
  }
}

void gemm(int64_t m, int64_t n, int64_t k, double alpha, const GemmOperand& a, const GemmOperand& b,
          double beta, const GemmOperand& c, ThreadPool& pool) {
  // Rows of c are written as vectors, so a result that is contiguous along its columns is computed
  // as its transpose; a single row is a matrix-vector product that way.
  if (n != 1 && (m == 1 || (c.column_stride != 1 && c.row_stride == 1))) {
    gemm(n, m, k, alpha, transposed(b), transposed(a), beta, transposed(c), pool);
    return;
  }
  const bool vector = n == 1 && (a.column_stride == 1 || a.row_stride == 1);
  gemm(vector ? GemmVariant::vectorized : GemmVariant::register_tiled, m, n, k, alpha, a, b, beta,
       c, GemmEpilogue{}, pool);
}

}  // namespace netcl::cpu
