// The launches of kernels/reduce/reduce_*.cl.
#include <algorithm>
#include <bit>

#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/variant.hpp"
#include "ops/reduce/reduce_cl.hpp"

namespace netcl::ops {
namespace {

// Columns that a group does side by side.
constexpr int64_t kGroupColumns = 32;
constexpr int64_t kColumnsLeast = 16;
// A group shares a packed run that is at least so long.
constexpr int64_t kRunLeast = 256;
// Outputs whose elements are next to each other: from so many on, items of a warp share one.
constexpr int64_t kWarp = 32;
constexpr int64_t kShortOutputs = 16384;
constexpr int64_t kShortRun = 16384;

enum Fold { kSum, kProduct, kLargest, kSmallest, kPlaceOfLargest, kPlaceOfSmallest };
enum Map { kMapKeep, kMapSquare, kMapAbsolute, kMapTruth, kMapExp };
enum Finalize { kNothing, kMean, kRoot, kLog, kShiftAndLog, kFinite };

// What one pass over the elements computes.
struct Pass {
  Fold fold = kSum;
  Map map = kMapKeep;
  Finalize finish = kNothing;
  netcl_dtype out_dtype = 0;
  const Layout* out_layout = nullptr;
  Access out{};
  Access shift{};
};

Pass pass_of(netcl_reduction kind) {
  Pass pass;
  switch (kind) {
    case NETCL_REDUCTION_MEAN:
      pass.finish = kMean;
      break;
    case NETCL_REDUCTION_MAX:
      pass.fold = kLargest;
      break;
    case NETCL_REDUCTION_MIN:
      pass.fold = kSmallest;
      break;
    case NETCL_REDUCTION_PROD:
      pass.fold = kProduct;
      break;
    case NETCL_REDUCTION_L1:
      pass.map = kMapAbsolute;
      break;
    case NETCL_REDUCTION_L2:
      pass.map = kMapSquare;
      pass.finish = kRoot;
      break;
    case NETCL_REDUCTION_SUM_SQUARE:
      pass.map = kMapSquare;
      break;
    case NETCL_REDUCTION_LOG_SUM:
      pass.finish = kLog;
      break;
    case NETCL_REDUCTION_LOG_SUM_EXP:
      pass.map = kMapExp;
      pass.finish = kShiftAndLog;
      break;
    case NETCL_REDUCTION_ARGMAX:
      pass.fold = kPlaceOfLargest;
      break;
    case NETCL_REDUCTION_ARGMIN:
      pass.fold = kPlaceOfSmallest;
      break;
    case NETCL_REDUCTION_ANY:
      pass.fold = kLargest;
      pass.map = kMapTruth;
      break;
    case NETCL_REDUCTION_ALL:
      pass.fold = kSmallest;
      pass.map = kMapTruth;
      break;
    default:
      break;
  }
  return pass;
}

// The OpenCL C type of accumulators and its range. Sums of integers are unsigned: they wrap around.
struct Accumulator {
  const char* name;
  const char* lowest;
  const char* highest;
  int64_t bytes;
};

Accumulator accumulator_of(netcl_dtype dtype, Fold fold) {
  const bool wraps = fold == kSum || fold == kProduct;
  switch (dtype) {
    case NETCL_F32:
      return {"float", "0", "0", 4};
    case NETCL_F64:
      return {"double", "0", "0", 8};
    case NETCL_I32:
      if (!wraps) return {"int", "INT_MIN", "INT_MAX", 4};
      [[fallthrough]];
    case NETCL_U32:
      return {"uint", "0u", "UINT_MAX", 4};
    case NETCL_I64:
      if (!wraps) return {"long", "LONG_MIN", "LONG_MAX", 8};
      [[fallthrough]];
    case NETCL_U64:
      return {"ulong", "0ul", "ULONG_MAX", 8};
    default:
      return {"int", "0", "1", 4};
  }
}

class ReduceLauncher {
 public:
  ReduceLauncher(const ReduceTask& task, const Tensor& x, const Pass& pass, const Run& run)
      : task_(task),
        x_(x),
        pass_(pass),
        run_(run),
        accumulator_(accumulator_of(task.dtype, pass.fold)) {
    arrange();
  }

  void launch() {
    if (config_.variant == NETCL_VARIANT_REDUCTION_SEQUENTIAL) return launch_sequential();
    const bool kept = config_.variant == NETCL_VARIANT_REDUCTION_WORKGROUP;
    if (kept) take_states();
    const Run first = kept ? run_.without_event() : run_;
    launch_groups(first, kept);
    if (kept) launch_join();
  }

 private:
  bool finds_place() const {
    return pass_.fold == kPlaceOfLargest || pass_.fold == kPlaceOfSmallest;
  }
  bool real() const { return is_float(task_.dtype); }
  void arrange();
  bool columns_aligned() const;
  std::string flags(const std::string& more) const;
  int64_t group_items() const;
  void take_states();
  void add_front(Arguments* arguments) const;
  void add_result(Arguments* arguments) const;
  void add_states(Arguments* arguments, bool write) const;
  void launch_sequential() const;
  void launch_groups(const Run& run, bool kept) const;
  void launch_join() const;

  const ReduceTask& task_;
  const Tensor& x_;
  const Pass& pass_;
  const Run& run_;
  VariantConfig config_;
  const Accumulator accumulator_;
  bool columns_ = false;
  bool wide_ = false;  // four columns per item
  bool packed_ = false;
  int64_t line_ = 1;
  int64_t pieces_ = 1;
  int64_t piece_ = 1;
  BufferRef values_, extras_, places_;
};

// True when four neighbouring columns are one aligned vector wherever they begin.
bool ReduceLauncher::columns_aligned() const {
  const auto fours = [](int64_t n) { return n % 4 == 0; };
  const Layout &kept = task_.kept, &reduced = task_.reduced;
  return fours(kept.offset) && fours(kept.shape[kept.rank - 1]) &&
         std::all_of(kept.strides.begin(), kept.strides.begin() + kept.rank - 1, fours) &&
         std::all_of(reduced.strides.begin(), reduced.strides.begin() + reduced.rank, fours);
}

void ReduceLauncher::arrange() {
  const Layout &kept = task_.kept, &reduced = task_.reduced;
  const bool rows_packed = reduced.rank > 0 && reduced.strides[reduced.rank - 1] == 1;
  columns_ = kept.rank > 0 && kept.strides[kept.rank - 1] == 1 &&
             kept.shape[kept.rank - 1] >= kColumnsLeast && task_.count > 1 && !rows_packed;
  wide_ = columns_ && !finds_place() && columns_aligned();
  packed_ = rows_packed && (reduced.rank == 1 || reduced.shape[reduced.rank - 1] >= kRunLeast);
  line_ = columns_ ? kept.shape[kept.rank - 1] : task_.outputs;
  config_ = choose_reduction(run_.device(), task_.outputs, task_.count, task_.x_dtype,
                             task_.variant, columns_);
  pieces_ = config_.variant == NETCL_VARIANT_REDUCTION_WORKGROUP
                ? std::clamp<int64_t>(config_.groups, 1, task_.count)
                : 1;
  piece_ = ceil_div(task_.count, pieces_);
}

std::string ReduceLauncher::flags(const std::string& more) const {
  return format(
      "-DX=%s -DOUT=%s -DACC=%s -DLOWEST=%s -DHIGHEST=%s -DREAL=%d -DFOLD=%d -DMAP=%d "
      "-DLAST=%d -DFINISH=%d%s",
      dtype_facts(task_.x_dtype).name, dtype_facts(pass_.out_dtype).name, accumulator_.name,
      accumulator_.lowest, accumulator_.highest, real() ? 1 : 0, pass_.fold, pass_.map,
      task_.select_last && finds_place() ? 1 : 0, pass_.finish, more.c_str());
}

// The largest power of two that the device takes.
int64_t ReduceLauncher::group_items() const {
  const uint64_t limit = run_.device().capabilities().max_work_group_size;
  return std::min<int64_t>(kGroupItems, static_cast<int64_t>(std::bit_floor(limit)));
}

void ReduceLauncher::take_states() {
  const int64_t states = pieces_ * task_.outputs;
  values_ = new_memory(static_cast<uint64_t>(states * accumulator_.bytes), run_);
  if (real() && pass_.fold == kSum) {
    extras_ = new_memory(static_cast<uint64_t>(states * accumulator_.bytes), run_);
  }
  if (finds_place()) places_ = new_memory(static_cast<uint64_t>(states * 8), run_);
}

void ReduceLauncher::add_front(Arguments* arguments) const {
  arguments->memory(reading(x_));
  arguments->layout(task_.kept);
  arguments->layout(task_.reduced);
  arguments->scalar(task_.count);
  arguments->scalar(task_.outputs);
}

void ReduceLauncher::add_result(Arguments* arguments) const {
  arguments->memory(pass_.shift);
  arguments->memory(pass_.out);
  arguments->layout(*pass_.out_layout);
}

void ReduceLauncher::add_states(Arguments* arguments, bool write) const {
  for (const BufferRef& states : {values_, extras_, places_}) {
    arguments->memory(states == nullptr ? nullptr : states->memory(), write);
  }
}

void ReduceLauncher::launch_sequential() const {
  KernelCall call{"reduce_sequential.cl", "netcl_reduction_sequential", flags("")};
  const int64_t local = std::min<int64_t>(64, group_items());
  call.local[0] = static_cast<uint64_t>(local);
  call.global[0] = static_cast<uint64_t>(ceil_div(task_.outputs, local) * local);
  Arguments arguments;
  add_front(&arguments);
  add_result(&arguments);
  enqueue_kernel(call, arguments, run_);
}

void ReduceLauncher::launch_groups(const Run& run, bool kept) const {
  const int64_t items = group_items();
  const bool narrow = piece_ < 1024 || (task_.outputs >= kShortOutputs && piece_ <= kShortRun);
  int64_t lanes = std::min<int64_t>(items, narrow ? kWarp : kGroupItems);
  if (columns_) lanes = std::max<int64_t>(items / kGroupColumns, 1);
  const int64_t rows = items / lanes * (wide_ ? 4 : 1);
  KernelCall call{"reduce_groups.cl",
                  kept ? "netcl_reduction_workgroup" : "netcl_reduction_parallel",
                  flags(format(" -DCOLUMNS=%d -DPACKED=%d -DPIECES=%d -DLANES=%lld -DITEMS=%lld",
                               columns_ ? (wide_ ? 4 : 1) : 0, packed_ ? 1 : 0, kept ? 1 : 0,
                               static_cast<long long>(lanes), static_cast<long long>(items)))};
  call.local[0] = static_cast<uint64_t>(items);
  call.global[0] =
      static_cast<uint64_t>(task_.outputs / line_ * ceil_div(line_, rows) * pieces_ * items);
  Arguments arguments;
  add_front(&arguments);
  arguments.scalar(line_);
  arguments.scalar(piece_);
  add_result(&arguments);
  add_states(&arguments, true);
  enqueue_kernel(call, arguments, run);
}

void ReduceLauncher::launch_join() const {
  const int64_t items = std::min<int64_t>(group_items(), pieces_ <= 64 ? 32 : 256);
  KernelCall call{"reduce_join.cl", "netcl_reduction_join",
                  flags(format(" -DITEMS=%lld", static_cast<long long>(items)))};
  call.local[0] = static_cast<uint64_t>(items);
  call.global[0] = static_cast<uint64_t>(task_.outputs * items);
  Arguments arguments;
  add_states(&arguments, false);
  arguments.scalar(pieces_);
  arguments.scalar(task_.count);
  arguments.scalar(task_.outputs);
  add_result(&arguments);
  enqueue_kernel(call, arguments, run_);
}

}  // namespace

void launch_reduce(const ReduceTask& task, const Tensor& x, const Tensor& out, const Run& run) {
  Pass pass = pass_of(task.kind);
  BufferRef shift;
  if (task.kind == NETCL_REDUCTION_LOG_SUM_EXP) {
    const auto size = static_cast<int64_t>(dtype_size(task.dtype));
    shift = new_memory(static_cast<uint64_t>(task.outputs * size), run);
    const Layout packed = packed_layout(1, &task.outputs);
    Pass largest;
    largest.fold = kLargest;
    largest.finish = kFinite;
    largest.out_dtype = task.dtype;
    largest.out_layout = &packed;
    largest.out = writing(*shift);
    const Run first = run.without_event();
    ReduceLauncher(task, x, largest, first).launch();
    pass.shift = reading(*shift);
  }
  pass.out_dtype = task.out_dtype;
  pass.out_layout = &task.out;
  pass.out = writing(out);
  ReduceLauncher(task, x, pass, run).launch();
}

}  // namespace netcl::ops
