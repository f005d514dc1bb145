// The rule for products with few rows or columns. The numbers were measured on an H200:
// tests/bench/notes/matmul_thin.txt.
#include <algorithm>
#include <bit>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

constexpr int64_t kLinesMost = 16;
// A depth that gives the items of a group something to share.
constexpr int64_t kDepthLeast = 256;
// Sums of an item, which all are in local memory in the end.
constexpr int64_t kSumsMost = 32;
// Of 16 bits so many elements are read by items that multiply one by one as fast as by matrix
// units, which join what several groups have added up in a launch of their own.
constexpr int64_t kShortOf16Bits = int64_t{1} << 25;

// The long operand: how it lies, and its lines, which are columns of the result, beside those of
// the other one.
struct Long {
  bool deep, across;
  int64_t lines, others;
  int64_t element;  // bytes

  explicit Long(const MatmulCase& p)
      : lines(std::max(p.m, p.n)),
        others(std::min(p.m, p.n)),
        element(static_cast<int64_t>(dtype_size(p.dtype))) {
    const bool b = p.m <= p.n;
    const UnitStride unit = b ? p.b : p.a;
    deep = unit == (b ? UnitStride::rows : UnitStride::columns);
    across = unit == (b ? UnitStride::columns : UnitStride::rows);
  }
  int64_t vector() const { return 16 / element; }
};

// With more lines matrix units, or tiles, are faster.
int64_t most_lines(const VariantTarget& target, const MatmulCase& p, const Long& x) {
  if (x.element == 1) {
    return x.deep && !(p.in_place && matrix_units_obstacle(target, p).empty()) ? 8 : 4;
  }
  if (x.element != 2) return x.deep && x.element != 4 ? 8 : 4;
  return x.deep && x.lines <= kShortOf16Bits / p.k ? 8 : 2;
}

int64_t units_of(const VariantTarget& target) {
  return std::max<int64_t>(target.capabilities.compute_units, 1);
}

int64_t groups_of(const MatmulCase& p, const Long& x, int64_t columns) {
  return product_up_to(ceil_div(x.lines, columns), p.batch, INT32_MAX);
}

// An operand along the depth: an item has `each` columns, which `sharers` items add up. Where there
// are few columns more share them.
void share_depth(const VariantTarget& target, const MatmulCase& p, const Long& x, int64_t lines,
                 int64_t* each, int64_t* sharers) {
  *each = lines > 1 ? 4 : x.element == 2 ? 1 : 2;
  *sharers = *each == 2 ? 32 : 64;
  if (x.element != 2 && lines > 4) *each = 1;
  const auto few = [&] {
    return 2 * groups_of(p, x, *each * kThinItems / *sharers) < 3 * units_of(target);
  };
  const int64_t most = kSumsMost / (compute_bytes(p.dtype) == 8 ? 2 : 1);
  while (*each > 1 && (*each * lines > most || few())) *each /= 2;
  while (*sharers < kThinItems && few()) *sharers *= 2;
}

// An operand across it: groups of `items`, of which `teams` have a vector each of columns. There
// are to be enough groups, and enough items for all of their loads to keep the memory busy.
void share_columns(const VariantTarget& target, const MatmulCase& p, const Long& x, int64_t* teams,
                   int64_t* items) {
  const int64_t units = units_of(target);
  *teams = x.element <= 2 ? 16 : 8;
  while (*teams > 2 && 10 * groups_of(p, x, *teams * x.vector()) < 9 * units) *teams /= 2;
  const int64_t groups = groups_of(p, x, *teams * x.vector());
  // The sums of a vector of all items are in local memory at a time.
  const int64_t fit = 8192 / x.vector() / (compute_bytes(p.dtype) == 8 ? 2 : 1);
  const int64_t takes = static_cast<int64_t>(std::bit_floor(std::min(
      target.capabilities.max_work_group_size, target.capabilities.max_work_item_sizes[0])));
  const int64_t most = std::min(fit, takes);
  *items = std::min<int64_t>(most, groups >= 4 * units       ? 256
                                   : 4 * groups >= 5 * units ? 512
                                                             : 1024);
}

}  // namespace

bool has_thin_form(const MatmulCase& p) {
  const Long x(p);
  return p.units && x.others <= kLinesMost && (x.deep || x.across);
}

bool prefers_thin(const VariantTarget& target, const MatmulCase& p) {
  const Long x(p);
  if (p.k < kDepthLeast || x.others > most_lines(target, p, x) || !has_thin_form(p)) return false;
  // Few columns make too few groups, unless all items of a group share a line.
  return 2 * groups_of(p, x, x.deep ? 1 : 2 * x.vector()) >= units_of(target);
}

void configure_thin(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  const Long x(p);
  const auto lines = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(x.others)));
  int64_t each = x.vector(), columns = 0, items = kThinItems;
  if (x.deep) {
    int64_t sharers = 0;
    share_depth(target, p, x, lines, &each, &sharers);
    columns = each * items / sharers;
  } else {
    int64_t teams = 0;
    share_columns(target, p, x, &teams, &items);
    columns = teams * each;
  }
  const auto thin = static_cast<uint32_t>(lines), wide = static_cast<uint32_t>(columns);
  const bool turned = p.n < p.m;
  c->tile_m = turned ? wide : thin;
  c->tile_n = turned ? thin : wide;
  c->tile_k = 1;
  c->work_per_thread_m = turned ? static_cast<uint32_t>(each) : thin;
  c->work_per_thread_n = turned ? thin : static_cast<uint32_t>(each);
  c->local_size_1d = c->local_size_2d[0] = static_cast<uint32_t>(items);
  c->local_size_2d[1] = 1;
  set_kernel(c, "netcl_matmul_thin");
}

}  // namespace netcl::ops::variant_rules
