// The launches of kernels/reduce/topk.cl.
#include <algorithm>
#include <bit>

#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/reduce/topk.hpp"

namespace netcl::ops {
namespace {

// Rows are done so many at a time that their items take at most about so many bytes.
constexpr int64_t kItemsBytes = int64_t{256} << 20;

class TopkLauncher {
 public:
  TopkLauncher(const TopkPlan& plan, const Tensor& x, const Tensor& values, const Tensor* indices,
               const Run& run)
      : plan_(plan), x_(x), values_(values), indices_(indices), run_(run) {
    const netcl_device_capabilities& caps = run.device().capabilities();
    long_ = dtype_size(plan.dtype) == 8 || plan.count > int64_t{UINT32_MAX};
    item_bytes_ = long_ ? 16 : 8;
    group_ = std::min<int64_t>(kGroupItems,
                               static_cast<int64_t>(std::bit_floor(caps.max_work_group_size)));
    tile_ = std::min<int64_t>(
        1024, static_cast<int64_t>(std::bit_floor(caps.local_memory_bytes / 2)) / item_bytes_);
    selects_ = 4 * plan.k <= tile_;
  }

  void launch() {
    const int64_t width = selects_ ? plan_.count : ceil_div(plan_.count, tile_) * tile_;
    const int64_t batch = std::clamp<int64_t>(kItemsBytes / (width * item_bytes_), 1, plan_.rows);
    for (BufferRef& items : items_) {
      items = new_memory(static_cast<uint64_t>(batch * width * item_bytes_), run_);
    }
    for (int64_t first = 0; first < plan_.rows; first += batch) {
      const int64_t rows = std::min(batch, plan_.rows - first);
      current_ = 0;
      make_items(first, rows, width);
      const int64_t sorted = selects_ ? select(rows, width) : sort(rows, width);
      write(first, rows, sorted, first + rows == plan_.rows ? run_ : run_.without_event());
    }
  }

 private:
  std::string flags() const;
  MemoryObject* items(int which) const { return items_[which]->memory(); }
  // Launches over `work` items in groups of `local`.
  void go(KernelCall call, int64_t work, int64_t local, const Arguments& arguments,
          const Run& run) const;
  void make_items(int64_t first, int64_t rows, int64_t width);
  void sort_tiles(int64_t rows, int64_t width, int64_t tiles, int64_t keep, int64_t kept_width);
  // Both give the width of the rows that hold the result at their beginnings.
  int64_t select(int64_t rows, int64_t width);
  int64_t sort(int64_t rows, int64_t width);
  void write(int64_t first, int64_t rows, int64_t width, const Run& run) const;

  const TopkPlan& plan_;
  const Tensor& x_;
  const Tensor& values_;
  const Tensor* const indices_;
  const Run& run_;
  bool long_ = false;
  bool selects_ = false;
  int64_t item_bytes_ = 8;
  int64_t group_ = 1;
  int64_t tile_ = 1;
  BufferRef items_[2];
  int current_ = 0;  // the buffer that holds the items
};

std::string TopkLauncher::flags() const {
  const DtypeFacts& facts = dtype_facts(plan_.dtype);
  int form = facts.size == 8 ? 1 : 0;
  if (facts.kind == DtypeClass::signed_integer) form = facts.size == 8 ? 4 : 2;
  if (facts.kind == DtypeClass::unsigned_integer) form = facts.size == 8 ? 5 : 3;
  if (facts.kind == DtypeClass::boolean) form = 3;
  // A key of 32 bits in a long item is turned round within 64: the order is the same.
  return format("-DX=%s -DFORM=%d -DLARGEST=%d -DLONG_ITEM=%d -DTILE=%lld -DITEMS=%lld", facts.name,
                form, plan_.smallest ? 0 : 1, long_ ? 1 : 0, static_cast<long long>(tile_),
                static_cast<long long>(group_));
}

void TopkLauncher::go(KernelCall call, int64_t work, int64_t local, const Arguments& arguments,
                      const Run& run) const {
  call.flags = flags();
  call.local[0] = static_cast<uint64_t>(local);
  call.global[0] = static_cast<uint64_t>(ceil_div(work, local) * local);
  enqueue_kernel(call, arguments, run);
}

void TopkLauncher::make_items(int64_t first, int64_t rows, int64_t width) {
  Arguments arguments;
  arguments.memory(reading(x_));
  arguments.layout(plan_.lines[0]);
  arguments.scalar(plan_.strides[0]);
  arguments.scalar(plan_.count);
  arguments.scalar(first);
  arguments.scalar(rows);
  arguments.scalar(width);
  arguments.memory(items(0), true);
  go({"topk.cl", "netcl_topk_items", ""}, rows * width, group_, arguments, run_.without_event());
}

void TopkLauncher::sort_tiles(int64_t rows, int64_t width, int64_t tiles, int64_t keep,
                              int64_t kept_width) {
  Arguments arguments;
  arguments.memory(items(current_), true);
  arguments.scalar(width);
  arguments.scalar(tiles);
  arguments.scalar(keep);
  arguments.scalar(kept_width);
  arguments.memory(items(1 - current_), true);
  go({"topk.cl", "netcl_topk_sort_tiles", ""}, rows * tiles * group_, group_, arguments,
     run_.without_event());
  current_ = 1 - current_;
}

// Parts keep their first k items, and what is left is gone through again until one part is.
int64_t TopkLauncher::select(int64_t rows, int64_t width) {
  for (;;) {
    const int64_t parts = ceil_div(width, tile_);
    const int64_t kept = parts * plan_.k;
    sort_tiles(rows, width, parts, plan_.k, kept);
    if (parts == 1) return kept;
    width = kept;
  }
}

int64_t TopkLauncher::sort(int64_t rows, int64_t width) {
  sort_tiles(rows, width, width / tile_, tile_, width);
  constexpr int64_t kMerged = 16;
  for (int64_t run = tile_; run < width; run *= 2) {
    Arguments arguments;
    arguments.memory(items(current_), false);
    arguments.scalar(width);
    arguments.scalar(rows);
    arguments.scalar(run);
    arguments.scalar(kMerged);
    arguments.memory(items(1 - current_), true);
    go({"topk.cl", "netcl_topk_merge", ""}, rows * ceil_div(width, kMerged), group_,
       arguments, run_.without_event());
    current_ = 1 - current_;
  }
  return width;
}

void TopkLauncher::write(int64_t first, int64_t rows, int64_t width, const Run& run) const {
  Arguments arguments;
  arguments.memory(items(current_), false);
  arguments.scalar(width);
  arguments.scalar(first);
  arguments.scalar(rows);
  arguments.scalar(plan_.k);
  arguments.memory(reading(x_));
  arguments.layout(plan_.lines[0]);
  arguments.scalar(plan_.strides[0]);
  arguments.memory(writing(values_));
  arguments.layout(plan_.lines[1]);
  arguments.scalar(plan_.strides[1]);
  arguments.scalar(static_cast<int32_t>(indices_ != nullptr ? 1 : 0));
  arguments.memory(access_to(indices_, true));
  arguments.layout(plan_.lines[2]);
  arguments.scalar(plan_.strides[2]);
  go({"topk.cl", "netcl_topk_write", ""}, rows * plan_.k, group_, arguments, run);
}

}  // namespace

void launch_topk(const TopkPlan& plan, const Tensor& x, const Tensor& values, const Tensor* indices,
                 const Run& run) {
  TopkLauncher(plan, x, values, indices, run).launch();
}

}  // namespace netcl::ops
