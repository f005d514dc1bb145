#include "ops/reduce/scan.hpp"

#include <algorithm>
#include <bit>

#include "backend/cpu/reduce/scan_loops.hpp"
#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::ScanTask;

constexpr int64_t kGroupItemsLeast = 32;
constexpr int64_t kEach = 8;  // elements of an item in a TILE of scan_groups.cl

// The order of the lines does not matter: those that lie side by side in x come last.
void sort_lines(Layout* x, Layout* out) {
  for (uint32_t i = 1; i < x->rank; ++i) {
    for (uint32_t k = i; k > 0 && std::abs(x->strides[k]) > std::abs(x->strides[k - 1]); --k) {
      std::swap(x->shape[k], x->shape[k - 1]);
      std::swap(x->strides[k], x->strides[k - 1]);
      std::swap(out->shape[k], out->shape[k - 1]);
      std::swap(out->strides[k], out->strides[k - 1]);
    }
  }
}

ScanTask make_task(const Tensor& x, const Tensor& out, uint32_t axis, bool reverse) {
  ScanTask task;
  task.dtype = x.dtype();
  Layout layouts[2];
  const Layout* const sources[2] = {&x.layout(), &out.layout()};
  int64_t* const strides[2] = {&task.x_stride, &task.out_stride};
  task.count = x.layout().shape[axis];
  for (int i = 0; i < 2; ++i) {
    layouts[i].offset = sources[i]->offset;
    for (uint32_t d = 0; d < sources[i]->rank; ++d) {
      if (d == axis) continue;
      layouts[i].shape[layouts[i].rank] = sources[i]->shape[d];
      layouts[i].strides[layouts[i].rank++] = sources[i]->strides[d];
      if (i == 0) task.lines *= sources[i]->shape[d];
    }
    *strides[i] = sources[i]->strides[axis];
    // Backwards is forwards along the line turned round.
    if (reverse && task.count > 0) {
      layouts[i].offset += (task.count - 1) * *strides[i];
      *strides[i] = -*strides[i];
    }
  }
  sort_lines(&layouts[0], &layouts[1]);
  coalesce(layouts, 2);
  task.x_lines = layouts[0];
  task.out_lines = layouts[1];
  return task;
}

netcl_dtype compute_dtype(netcl_reduction kind, netcl_dtype dtype) {
  const DtypeFacts& facts = dtype_facts(dtype);
  if (facts.kind == DtypeClass::floating) return dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const bool extreme = kind == NETCL_REDUCTION_MAX || kind == NETCL_REDUCTION_MIN;
  if (extreme && facts.kind == DtypeClass::unsigned_integer) {
    return facts.size == 8 ? NETCL_U64 : NETCL_U32;
  }
  return facts.size == 8 ? NETCL_I64 : NETCL_I32;
}

void scan_natively(const ScanTask& given, const Tensor& x, const Tensor& out, const Run& run) {
  enqueue_native({writing(out), reading(x)}, run, [given](const NativeCall& call) {
    auto own = given;
    own.out_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    netcl::cpu::scan(own, call.threads);
  });
}

// ---- OpenCL -------------------------------------------------------------------------------------

const char* accumulator_name(netcl_reduction kind, netcl_dtype dtype) {
  const bool wraps = kind == NETCL_REDUCTION_SUM || kind == NETCL_REDUCTION_PROD;
  const DtypeFacts& facts = dtype_facts(dtype);
  if (facts.kind == DtypeClass::floating) return dtype == NETCL_F64 ? "double" : "float";
  if (wraps || facts.kind == DtypeClass::unsigned_integer)
    return facts.size == 8 ? "ulong" : "uint";
  return facts.size == 8 ? "long" : "int";
}

// The range of an integer dtype as OpenCL C names it.
std::string range_flags(netcl_dtype dtype) {
  static constexpr const char* kNames[] = {"CHAR", "SHRT", "INT", "LONG"};
  const DtypeFacts& facts = dtype_facts(dtype);
  const char* const name = kNames[std::countr_zero(unsigned{facts.size})];
  if (facts.kind == DtypeClass::signed_integer) {
    return format("-DLOWEST=%s_MIN -DHIGHEST=%s_MAX", name, name);
  }
  // Small unsigned elements are computed in uint.
  return format("-DLOWEST=0u -DHIGHEST=%s%s_MAX%s", facts.size == 8 ? "" : "((uint)",
                facts.size == 1   ? "UCHAR"
                : facts.size == 2 ? "USHRT"
                : facts.size == 4 ? "UINT"
                                  : "ULONG",
                facts.size == 8 ? "" : ")");
}

// FOLD of the kernels.
int fold_of(netcl_reduction kind) {
  switch (kind) {
    case NETCL_REDUCTION_SUM:
      return 0;
    case NETCL_REDUCTION_PROD:
      return 1;
    case NETCL_REDUCTION_MAX:
      return 2;
    case NETCL_REDUCTION_MIN:
      return 3;
    default:
      fail(NETCL_ERROR_INTERNAL, "scans have no kind %d", kind);
  }
}

class ScanLauncher {
 public:
  ScanLauncher(const ScanTask& task, const Tensor& x, const Tensor& out, const Run& run)
      : task_(task), x_(x), out_(out), run_(run) {
    const int64_t units = std::max<int64_t>(run.device().capabilities().compute_units, 1);
    // Neighbouring items are to have neighbouring elements: of lines that lie side by side
    // or, in a group, of one line.
    const uint32_t rank = task.x_lines.rank;
    const bool side_by_side = rank > 0 && std::abs(task.x_lines.strides[rank - 1]) == 1 &&
                              task.x_lines.shape[rank - 1] >= 32;
    groups_ = !side_by_side && task.count >= 64;
    const DtypeFacts& facts = dtype_facts(task.dtype);
    const int64_t total = task.lines * task.count;
    int64_t chunk = task.count;
    if (groups_) {
      // Short lines take small groups.
      const auto wanted = static_cast<uint64_t>(
          std::clamp(ceil_div(task.count, kEach), kGroupItemsLeast, kGroupItems));
      items_ = static_cast<int64_t>(
          std::min(std::bit_ceil(wanted),
                   std::bit_floor(uint64_t{run.device().capabilities().max_work_group_size})));
      wide_ = facts.size >= 4 && fours_aligned();
      const int64_t tile = items_ * kEach;
      chunk = std::max(4 * tile, ceil_div(ceil_div(total, 16 * units), tile) * tile);
      if (task.lines >= 4 * units) chunk = task.count;
    } else {
      items_ = 64;
      chunk = std::max<int64_t>(256, total / (units * 2048));
    }
    chunk_ = std::clamp<int64_t>(chunk, 1, task.count);
    chunks_ = ceil_div(task.count, chunk_);
  }

  void launch() {
    if (chunks_ > 1) {
      const int64_t size = dtype_size(task_.compute) == 8 ? 8 : 4;
      states_ = new_memory(static_cast<uint64_t>(2 * task_.lines * chunks_ * size), run_);
      launch_stage(0, "netcl_scan_totals", task_.lines * chunks_, run_.without_event());
      launch_stage(1, "netcl_scan_offsets", task_.lines, run_.without_event());
    }
    launch_stage(2, groups_ ? "netcl_scan_group" : "netcl_scan_lines", task_.lines * chunks_, run_);
  }

 private:
  bool fours_aligned() const;
  void launch_stage(int stage, const char* kernel, int64_t work, const Run& run) const;

  const ScanTask& task_;
  const Tensor& x_;
  const Tensor& out_;
  const Run& run_;
  bool groups_ = false;
  bool wide_ = false;
  int64_t items_ = 1;
  int64_t chunk_ = 1;
  int64_t chunks_ = 1;
  BufferRef states_;
};

// True when four elements of a line, from a multiple of four on, are one aligned vector.
bool ScanLauncher::fours_aligned() const {
  const auto aligned = [](const Layout& lines) {
    return lines.offset % 4 == 0 &&
           std::all_of(lines.strides.begin(), lines.strides.begin() + lines.rank,
                       [](int64_t stride) { return stride % 4 == 0; });
  };
  return task_.x_stride == 1 && task_.out_stride == 1 && aligned(task_.x_lines) &&
         aligned(task_.out_lines);
}

// The type of four elements in memory.
const char* vector_of(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F32:
      return "float4";
    case NETCL_F64:
      return "double4";
    case NETCL_I32:
      return "int4";
    case NETCL_U32:
      return "uint4";
    case NETCL_I64:
      return "long4";
    default:
      return "ulong4";
  }
}

void ScanLauncher::launch_stage(int stage, const char* kernel, int64_t work, const Run& run) const {
  KernelCall call{
      groups_ ? "scan_groups.cl" : "scan_lines.cl", kernel,
      format("-DX=%s -DACC=%s -DREAL=%d -DFOLD=%d -DEXCLUSIVE=%d -DSTAGE=%d %s",
             dtype_facts(task_.dtype).name, accumulator_name(task_.kind, task_.dtype),
             is_float(task_.dtype) ? 1 : 0, fold_of(task_.kind),
             task_.exclusive && stage == 2 ? 1 : 0, stage, range_flags(task_.dtype).c_str())};
  if (groups_) {
    call.flags += format(" -DWIDE=%d -DITEMS=%lld -DVECTOR=%s", wide_ && stage != 1 ? 1 : 0,
                         static_cast<long long>(items_), vector_of(task_.dtype));
  }
  call.local[0] = static_cast<uint64_t>(items_);
  call.global[0] = static_cast<uint64_t>(groups_ ? work * items_ : ceil_div(work, items_) * items_);
  Arguments arguments;
  arguments.memory(reading(x_));
  arguments.layout(task_.x_lines);
  arguments.scalar(task_.x_stride);
  arguments.memory(writing(out_));
  arguments.layout(task_.out_lines);
  arguments.scalar(task_.out_stride);
  arguments.scalar(task_.count);
  arguments.scalar(task_.lines);
  arguments.scalar(chunk_);
  arguments.scalar(chunks_);
  arguments.memory(states_ == nullptr ? nullptr : states_->memory(), true);
  enqueue_kernel(call, arguments, run);
}

}  // namespace

TensorRef scan(const Tensor& x, netcl_reduction kind, int32_t axis, bool exclusive, bool reverse,
               const TensorRef& into, const Run& run) {
  require_device(x, run, "x");
  if (kind != NETCL_REDUCTION_SUM && kind != NETCL_REDUCTION_PROD && kind != NETCL_REDUCTION_MAX &&
      kind != NETCL_REDUCTION_MIN) {
    fail(kind < NETCL_REDUCTION_SUM || kind > NETCL_REDUCTION_ALL ? NETCL_ERROR_INVALID_ARGUMENT
                                                                  : NETCL_ERROR_UNSUPPORTED,
         "kind is %d; scans are SUM (%d), PROD (%d), MAX (%d) and MIN (%d)", kind,
         NETCL_REDUCTION_SUM, NETCL_REDUCTION_PROD, NETCL_REDUCTION_MAX, NETCL_REDUCTION_MIN);
  }
  const Layout& layout = x.layout();
  const uint32_t along = checked_axis(axis, layout.rank, "axis");
  if (x.dtype() == NETCL_BOOL) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is bool; scans take integers and floats");
  }
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x", true);
  const TensorRef result = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  ScanTask task = make_task(x, *result, along, reverse);
  task.kind = kind;
  task.exclusive = exclusive;
  task.compute = compute_dtype(kind, x.dtype());
  const Run declared = with_work(run, [&] {
    return work_of("scan", x.dtype(), static_cast<double>(x.element_count()), {&x}, {result.get()});
  });
  if (runs_native(run.device())) {
    scan_natively(task, x, *result, declared);
  } else {
    ScanLauncher(task, x, *result, declared).launch();
  }
  return result;
}

}  // namespace netcl::ops
