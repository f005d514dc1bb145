// Matrix products over a group. What each dimension of the mesh splits says what it does: depth on
// both sides gives sums to join, depth on one side and rows or columns on the other gives panels
// that go round; two such dimensions are SUMMA (van de Geijn and Watts, 1997).
#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "ops/frame/result.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/move.hpp"
#include "sharded/sharded.hpp"

namespace netcl::sharded {

namespace {

// At most so many entries of the depth go round at once: what a rank needs beside its blocks.
constexpr int64_t kPanel = 512;

struct Range {
  int64_t first = 0, end = 0;
};

// A factor: its block, and where in the depth that begins.
struct Factor {
  const Sharded& sharded;
  uint32_t axis;            // the depth
  int dimension;            // of the mesh, that splits the depth; -1: none
  bool goes_round = false;  // in panels
  GroupRef ranks{};         // those that it goes round
  uint32_t panels = 0;      // so many did
  uint64_t bytes = 0;
  Range range(uint32_t rank) const {
    const Box box = sharded.sharding().block(rank, sharded.whole());
    return {box.first[axis], box.first[axis] + box.shape[axis]};
  }
  Range own() const { return range(sharded.group()->rank()); }
  uint32_t parts() const { return sharded.sharding().mesh[static_cast<uint32_t>(dimension)]; }
  int64_t part_end(uint32_t index) const {
    return part_begin(sharded.whole().shape[axis], index + 1, parts());
  }
  // Which part has an entry of the depth, and where that ends.
  uint32_t owner(int64_t at) const {
    uint32_t index = 0;
    while (part_end(index) <= at) ++index;
    return index;
  }
  int64_t owned_end(int64_t at) const { return part_end(owner(at)); }
  TensorRef local(const Range& depth) const {
    Box box = sharded.place();
    const auto origin = box.first;
    box.first[axis] = depth.first;
    box.shape[axis] = depth.end - depth.first;
    return slice_box(*sharded.block(), box, origin);
  }
  TensorRef room(int64_t width, const ops::Run& run) const {
    Box box = sharded.place();
    box.shape[axis] = width;
    return ops::new_tensor(sharded.dtype(), sharded.whole().rank, box.shape.data(), run);
  }
};

class Product {
 public:
  Product(const Sharded& a, const Sharded& b)
      : group_(a.group()),
        a_{a, a.whole().rank - 1, a.sharding().dimension_of(a.whole().rank - 1)},
        b_{b, 0, b.sharding().dimension_of(0)},
        sharding_(a.sharding().replicated()) {}

  // Checks what can be multiplied, and says how; gives what the ranks compare.
  group::Header plan(const ops::MatmulParameters& parameters);
  ShardedRef run(const ops::Run& run);

 private:
  void plan_dimension(uint32_t m);
  void find_ranks();
  void find_dtypes();
  // The product of what this rank has of the depth.
  TensorRef one_product(const ops::Run& run) const;
  TensorRef panels(const ops::Run& run);
  TensorRef panel_of(Factor* factor, const Range& depth, const ops::Run& run,
                     FunctionRef<void()> before);
  void add_panel(const Range& depth, const TensorRef& sum, const ops::Run& run);
  void give_up(bool at_a, bool more) noexcept;
  TensorRef join(const ops::Run& run, FunctionRef<TensorRef(const ops::Run&)> product);

  const GroupRef group_;
  Factor a_, b_;
  Layout whole_{};
  Sharding sharding_;
  uint32_t joined_ = 0;  // dimensions along which products are added up, a bit each
  GroupRef joiners_;     // the ranks along them; null where there are none
  Range depth_;          // what this rank multiplies
  ops::MatmulParameters parameters_;
  netcl_dtype dtype_ = 0;      // of the result
  netcl_dtype sum_dtype_ = 0;  // of what is added up on the way
  TensorRef a_panel_, b_panel_;
  std::string made_;
};

void Product::plan_dimension(uint32_t m) {
  const Sharding& left = a_.sharded.sharding();
  const Sharding& right = b_.sharded.sharding();
  const bool left_depth = a_.dimension == static_cast<int>(m);
  const bool right_depth = b_.dimension == static_cast<int>(m);
  const bool rows = left.splits(m) && !left_depth;
  const bool columns = right.splits(m) && !right_depth;
  if (rows && columns) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "dimension %u of the mesh splits rows of a (%s) and columns of b (%s); the product has "
         "elements for both: one of them has to be redistributed",
         m, left.text().c_str(), right.text().c_str());
  }
  if (rows) sharding_.axes[m] = left.axes[m];
  if (columns) sharding_.axes[m] = static_cast<int32_t>(whole_.rank - 1);
  if (rows && right_depth) {
    b_.goes_round = true;
  } else if (columns && left_depth) {
    a_.goes_round = true;
  } else if (left_depth || right_depth) {
    joined_ |= 1u << m;
    const Range part = left_depth ? a_.own() : b_.own();
    depth_ = {std::max(depth_.first, part.first), std::min(depth_.end, part.end)};
  }
}

// As netcl_op_matmul has it, whatever the way.
void Product::find_dtypes() {
  const netcl_dtype input = a_.sharded.dtype();
  const netcl_dtype own = is_float(input) ? input : NETCL_I32;
  const bool is_short = is_float(input) && dtype_size(input) == 2;
  dtype_ = parameters_.dtype == 0 ? own : parameters_.dtype;
  sum_dtype_ = is_short ? NETCL_F32 : own;
  if (dtype_ == own || dtype_ == sum_dtype_) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %s; products of %s give %s%s",
       dtype_facts(dtype_).name, dtype_facts(input).name, dtype_facts(own).name,
       is_short ? " or f32" : "");
}

group::Header Product::plan(const ops::MatmulParameters& parameters) {
  const Layout& a = a_.sharded.whole();
  const Layout& b = b_.sharded.whole();
  require_one_group(a_.sharded, b_.sharded, "a", "b");
  if (a.rank < 2 || b.rank != 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a has shape %s and b has %s; a is [..., M, K] and b [K, N]",
         shape_text(a).c_str(), shape_text(b).c_str());
  }
  if (a.shape[a.rank - 1] != b.shape[0]) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a has shape %s, whose depth is not that of b, %s",
         shape_text(a).c_str(), shape_text(b).c_str());
  }
  const Sharding& left = a_.sharded.sharding();
  const Sharding& right = b_.sharded.sharding();
  if (left.mesh != right.mesh) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a has %s and b has %s; both lie on one mesh",
         left.text().c_str(), right.text().c_str());
  }
  whole_.rank = a.rank;
  whole_.shape = a.shape;
  whole_.shape[a.rank - 1] = b.shape[1];
  depth_ = {0, b.shape[0]};
  for (uint32_t m = 0; m < left.mesh_rank; ++m) plan_dimension(m);
  depth_.end = std::max(depth_.first, depth_.end);
  parameters_ = parameters;
  find_dtypes();
  // Of factors without depth, no memory bounds the rows and columns.
  whole_ = result_shape(whole_, sum_dtype_, "a " + shape_text(a) + " and b " + shape_text(b));
  group::Header header;
  header.dtype = a_.sharded.dtype();
  header.rank = a.rank;
  header.shape = a.shape;
  struct {
    Sharding left, right;
    int64_t columns;
    netcl_dtype dtype, asked;
    netcl_precision precision;
    netcl_variant variant;
  } asked{left,
          right,
          b.shape[1],
          b_.sharded.dtype(),
          parameters.dtype,
          parameters.precision,
          parameters.variant};
  header.mark = hash128(&asked, sizeof asked).low;
  return header;
}

void Product::find_ranks() {
  const Sharding& mesh = a_.sharded.sharding();
  if (a_.goes_round) a_.ranks = ranks_along(group_, mesh, 1u << a_.dimension);
  if (b_.goes_round) b_.ranks = ranks_along(group_, mesh, 1u << b_.dimension);
  if (joined_ != 0) joiners_ = ranks_along(group_, mesh, joined_);
}

TensorRef Product::one_product(const ops::Run& run) const {
  ops::MatmulParameters parameters = parameters_;
  if (joined_ != 0) parameters.dtype = sum_dtype_;
  return ops::matmul(*a_.local(depth_), *b_.local(depth_), parameters, nullptr, run);
}

// A factor's part of a panel. `before` comes first, so that the other ranks hear of what it throws.
TensorRef Product::panel_of(Factor* factor, const Range& depth, const ops::Run& run,
                            FunctionRef<void()> before) {
  if (!factor->goes_round) return factor->local(depth);
  const GroupRef& ranks = factor->ranks;
  group::Call call{group::Op::broadcast};
  call.root = factor->owner(depth.first);
  ranks->call(&call, [&] {
    before();
    call.input = call.root == ranks->rank() ? factor->local(depth)
                                            : factor->room(depth.end - depth.first, run);
    call.output = call.input;
    return run;
  });
  factor->bytes += call.input->byte_count();
  ++factor->panels;
  return call.input;
}

void Product::add_panel(const Range& depth, const TensorRef& sum, const ops::Run& run) {
  ops::MatmulParameters parameters = parameters_;
  parameters.dtype = sum->dtype();
  parameters.beta = depth.first == depth_.first ? 0.0 : 1.0;
  (void)ops::matmul(*a_panel_, *b_panel_, parameters, sum, run);
}

// Others may wait for this rank where it does not come any more: at the panel of the other factor,
// and where products are joined.
void Product::give_up(bool at_a, bool more) noexcept {
  if (a_.goes_round && b_.goes_round && (at_a || more)) {
    (at_a ? b_ : a_).ranks->refuse(group::Op::broadcast);
  }
  if (joiners_ != nullptr) joiners_->refuse(group::Op::all_reduce);
}

TensorRef Product::panels(const ops::Run& run) {
  const ops::Run part = run.without_event();
  const Box place = sharding_.block(group_->rank(), whole_);
  TensorRef sum;
  Range depth{}, last{};
  // The product of one panel is enqueued when the ranks meet for the next.
  const auto work = [&] {
    if (sum == nullptr) {
      sum = ops::new_tensor(sum_dtype_, whole_.rank, place.shape.data(), part);
    } else if (last.end != last.first) {
      add_panel(last, sum, part);
    }
    last = {};
  };
  for (int64_t at = depth_.first; at < depth_.end; at = depth.end) {
    depth = {at, std::min(at + kPanel, depth_.end)};
    if (a_.goes_round) depth.end = std::min(depth.end, a_.owned_end(at));
    if (b_.goes_round) depth.end = std::min(depth.end, b_.owned_end(at));
    bool at_a = true;
    try {
      TensorRef left = panel_of(&a_, depth, part, work);
      at_a = false;
      TensorRef right = panel_of(&b_, depth, part, work);
      a_panel_ = std::move(left);
      b_panel_ = std::move(right);
    } catch (...) {
      give_up(at_a, depth.end < depth_.end);
      throw;
    }
    last = depth;
  }
  const auto rest = [&](const ops::Run& end) {
    add_panel(last, sum, end);
    return sum;
  };
  if (joiners_ != nullptr) return join(run, rest);
  return rest(sum_dtype_ == dtype_ ? run : part);
}

// The sum of the products of all ranks along the joined dimensions.
TensorRef Product::join(const ops::Run& run, FunctionRef<TensorRef(const ops::Run&)> product) {
  const ops::Run part = run.without_event();
  group::Call call{group::Op::all_reduce};
  call.kind = NETCL_REDUCTION_SUM;
  joiners_->call(&call, [&] {
    call.input = product(part);
    call.output = call.input;
    return sum_dtype_ == dtype_ ? run : part;
  });
  made_ += format("matmul: all_reduce of %u ranks, %llu bytes of %s\n", joiners_->size(),
                  static_cast<unsigned long long>(call.input->byte_count()),
                  dtype_facts(sum_dtype_).name);
  return call.input;
}

ShardedRef Product::run(const ops::Run& run) {
  find_ranks();
  TensorRef block;
  if (a_.goes_round || b_.goes_round) {
    block = panels(run);
  } else if (joiners_ != nullptr) {
    block = join(run, [&](const ops::Run& part) { return one_product(part); });
  } else {
    block = one_product(run);
  }
  if (block->dtype() != dtype_) block = ops::cast(*block, dtype_, nullptr, run);
  std::string text;
  for (const Factor* factor : {&a_, &b_}) {
    if (!factor->goes_round) continue;
    text += format("matmul: broadcast of %u panels of %s among %u ranks, %llu bytes\n",
                   factor->panels, factor == &a_ ? "a" : "b", factor->ranks->size(),
                   static_cast<unsigned long long>(factor->bytes));
  }
  text += made_;
  if (text.empty()) text = "matmul: nothing is sent\n";
  return std::make_shared<Sharded>(group_, whole_, sharding_, std::move(block), std::move(text));
}

}  // namespace

ShardedRef matmul(const Sharded& a, const Sharded& b,
                  FunctionRef<ops::Run(ops::MatmulParameters*)> prepare) {
  std::optional<ops::Run> run;
  Product product(a, b);
  (void)a.group()->agree(group::Op::sharded_matmul, 0, [&] {
    ops::MatmulParameters parameters;
    run.emplace(prepare(&parameters));
    return product.plan(parameters);
  });
  return product.run(*run);
}

}  // namespace netcl::sharded
