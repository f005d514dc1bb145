#include "group/collective.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/function_ref.hpp"
#include "ops/frame/result.hpp"

namespace netcl::group {

const char* op_name(Op op) noexcept {
  static const char* const kNames[] = {"barrier",
                                       "all_reduce",
                                       "reduce",
                                       "broadcast",
                                       "all_gather",
                                       "gather",
                                       "scatter",
                                       "reduce_scatter",
                                       "all_to_all",
                                       "send",
                                       "receive",
                                       "split",
                                       "netcl_sharded_create",
                                       "netcl_sharded_create_from_root",
                                       "netcl_sharded_reduce",
                                       "netcl_sharded_matmul",
                                       "netcl_reducer_create",
                                       "a reducer's bucket",
                                       "a reducer's run"};
  const auto index = static_cast<size_t>(op);
  return index < std::size(kNames) ? kNames[index] : "something unknown";
}

static bool joins_inputs(Op op) noexcept {
  return op == Op::all_reduce || op == Op::reduce || op == Op::reduce_scatter;
}
// Ops whose tensors are parts of one another along the first dimension.
static bool parts_rows(Op op) noexcept {
  return op == Op::all_gather || op == Op::gather || op == Op::scatter ||
         op == Op::reduce_scatter || op == Op::all_to_all;
}
static bool has_root(Op op) noexcept {
  return op == Op::reduce || op == Op::broadcast || op == Op::gather || op == Op::scatter;
}

bool reads(const Call& call, uint32_t me) noexcept {
  if (call.op == Op::broadcast || call.op == Op::scatter) return me == call.root;
  return call.op != Op::barrier && call.op != Op::split && call.op != Op::receive;
}

bool writes(const Call& call, uint32_t me) noexcept {
  if (call.op == Op::reduce || call.op == Op::gather) return me == call.root;
  if (call.op == Op::broadcast) return me != call.root;
  return call.op != Op::barrier && call.op != Op::split && call.op != Op::send;
}

static void check_kind(const Call& call, netcl_dtype dtype) {
  switch (call.kind) {
    case NETCL_REDUCTION_SUM:
    case NETCL_REDUCTION_PROD:
    case NETCL_REDUCTION_MIN:
    case NETCL_REDUCTION_MAX:
      return;
    case NETCL_REDUCTION_MEAN:
      if (is_float(dtype)) return;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "kind is NETCL_REDUCTION_MEAN and input is %s; means are "
           "of floats",
           dtype_facts(dtype).name);
    default:
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "kind is %d; a group joins by SUM, PROD, MIN, MAX and MEAN", call.kind);
  }
}

// The two tensors of one rank: dtypes, and shapes from dimension `first` on.
static void check_pair(const Call& call, uint32_t first) {
  const Tensor& in = *call.input;
  const Tensor& out = *call.output;
  const auto shape = [](const Tensor& tensor) { return shape_text(tensor); };
  if (in.dtype() != out.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "output is %s; input is %s", dtype_facts(out.dtype()).name,
         dtype_facts(in.dtype()).name);
  }
  const Layout& a = in.layout();
  const Layout& b = out.layout();
  if (a.rank != b.rank ||
      !std::equal(a.shape.begin() + first, a.shape.begin() + a.rank, b.shape.begin() + first)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "output has shape %s; input has %s%s", shape(out).c_str(),
         shape(in).c_str(), first == 0 ? "" : ", and they differ beyond the first dimension");
  }
  if (!ops::may_share(in, out)) return;
  const bool in_place = call.op == Op::all_reduce || call.op == Op::reduce;
  if (in_place && ops::same_elements(in, out)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "output shares its memory with input%s",
       in_place ? " and is not the same elements" : "");
}

static void read_counts(const Call& call, uint32_t size, Header* header) {
  if (call.counts.empty()) {
    if (header->in_rows % size != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "input has %lld entries along the first dimension, which are no %u equal parts; counts "
           "is NULL",
           static_cast<long long>(header->in_rows), size);
    }
    std::fill_n(header->counts.begin(), size, header->in_rows / size);
    return;
  }
  if (call.counts.size() != size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "counts_count is %zu; the group has %u ranks",
         call.counts.size(), size);
  }
  int64_t left = header->in_rows;
  for (uint32_t i = 0; i < size; ++i) {
    const int64_t count = call.counts[i];
    if (count < 0 || count > left) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "counts[%u] is %lld; input has %lld entries along the first dimension", i,
           static_cast<long long>(count), static_cast<long long>(header->in_rows));
    }
    header->counts[i] = count;
    left -= count;
  }
  if (left != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "counts add up to %lld; input has %lld entries along the first dimension",
         static_cast<long long>(header->in_rows - left), static_cast<long long>(header->in_rows));
  }
}

Header describe(const Call& call, uint32_t me, uint32_t size) {
  Header header;
  header.op = call.op;
  header.kind = call.kind;
  header.message_of = call.message_of;
  header.mark = call.mark;
  if (has_root(call.op)) {
    header.root = call.root;
    if (call.root >= size) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "root is %u; the group has %u ranks", call.root, size);
    }
  }
  header.out_rows = -1;
  if (call.op == Op::barrier || call.op == Op::split) return header;
  const bool rows = parts_rows(call.op);
  const bool in = reads(call, me);
  const bool out = writes(call, me);
  const Tensor& shown = in && call.op != Op::scatter ? *call.input : *call.output;
  const Layout& layout = shown.layout();
  if (rows && layout.rank == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has rank 0; it is parted along the first dimension",
         in && call.op != Op::scatter ? "input" : "output");
  }
  if (in && out) check_pair(call, rows ? 1 : 0);
  if (joins_inputs(call.op)) check_kind(call, shown.dtype());
  header.dtype = shown.dtype();
  header.rank = layout.rank;
  header.shape = layout.shape;
  header.row_bytes = shown.element_size();
  const auto count = [&](const TensorRef& tensor) {
    return rows ? tensor->layout().shape[0] : tensor->element_count();
  };
  if (in) header.in_rows = count(call.input);
  if (out) header.out_rows = count(call.output);
  if (rows) {
    for (uint32_t d = 1; d < layout.rank; ++d) {
      header.row_bytes *= static_cast<uint64_t>(layout.shape[d]);
    }
    // What is joined is alike on all ranks, what is parted or put together need not be.
    header.shape[0] = call.op == Op::reduce_scatter ? header.in_rows : 0;
  }
  if (call.op == Op::all_to_all) read_counts(call, size, &header);
  return header;
}

namespace {

// A call whose message an all_to_all is, and what its mark stands for.
struct Asked {
  const char* call;
  const char* marked;
};
constexpr Asked kAsked[] = {{nullptr, nullptr},  // itself
                            {"netcl_sharded_create_from_root", "other options"},
                            {"netcl_sharded_redistribute", "another x, or options"},
                            {"netcl_sharded_gather", "another x, or root"},
                            {"netcl_sharded_exchange_halo", "another x, pads or options"}};

const Asked& asked_of(const Header& header) noexcept {
  const auto at = static_cast<size_t>(header.message_of);
  return kAsked[at < std::size(kAsked) ? at : 0];
}

const char* call_name(const Header& header) noexcept {
  const char* const call = asked_of(header).call;
  return call != nullptr ? call : op_name(header.op);
}

const char* what_is_marked(const Header& header) noexcept {
  if (const char* const marked = asked_of(header).marked) return marked;
  const Op op = header.op;
  if (op == Op::split) return "other colors";
  if (op == Op::reducer_bucket) return "other gradients in a bucket";
  if (op == Op::all_reduce) return "other gradients in a bucket, or other calls in its graph";
  return op < Op::split ? "other options, or other calls in its graph" : "other options";
}

// What two headers differ in, as "rank 2 has A, rank 0 has B"; "" for nothing.
class Comparison {
 public:
  Comparison(const Header& first, const Header& other, uint32_t first_name, uint32_t other_name)
      : a_(first), b_(other), first_(first_name), other_(other_name) {}

  std::string difference() const {
    if (a_.op != b_.op || a_.message_of != b_.message_of) {
      return say("calls", call_name(b_), call_name(a_));
    }
    if (a_.root != b_.root) return say("has root", number(b_.root), number(a_.root));
    if (a_.kind != b_.kind) return say("has kind", number(b_.kind), number(a_.kind));
    if (a_.mark != b_.mark) return say("has", what_is_marked(a_), "its own");
    // The root alone knows more.
    if (a_.op == Op::sharded_from_root) return std::string();
    if (a_.dtype != b_.dtype) return say("has dtype", dtype(b_), dtype(a_));
    if (a_.rank != b_.rank || a_.shape != b_.shape) return say("has shape", shape(b_), shape(a_));
    return std::string();
  }

 private:
  std::string say(const char* verb, const std::string& other, const std::string& first) const {
    return format("%s: rank %u %s %s, rank %u %s", call_name(a_), other_, verb, other.c_str(),
                  first_, first.c_str());
  }
  static std::string number(int64_t value) { return format("%lld", static_cast<long long>(value)); }
  static std::string dtype(const Header& header) {
    const DtypeFacts* const facts = dtype_facts_or_null(header.dtype);
    return facts == nullptr ? "none" : facts->name;
  }
  static std::string shape(const Header& header) {
    const std::string text =
        shape_text(std::min<uint32_t>(header.rank, kRankMax), header.shape.data());
    return parts_rows(header.op) && header.op != Op::reduce_scatter
               ? text + " apart from the first dimension"
               : text;
  }

  const Header& a_;
  const Header& b_;
  uint32_t first_, other_;
};

// Adds up what is of one entry of each header. More than fits is told, and no number: where each is
// empty beyond the first dimension, no memory bounds it.
class RowSum {
 public:
  RowSum(std::span<const Header> headers, std::span<const uint32_t> names, const char* what)
      : headers_(headers), names_(names), what_(what) {}

  // False where the sum leaves 63 bits, which problem() then tells.
  bool add_up(FunctionRef<int64_t(const Header&)> rows) {
    for (size_t r = 0; r < headers_.size(); ++r) {
      const int64_t own = rows(headers_[r]);
      if (!__builtin_add_overflow(sum_, own, &sum_)) continue;
      problem_ = format(
          "%s: %s of rank %u is %lld; with those of the ranks before it that is more than "
          "2^63 - 1",
          op_name(headers_[0].op), what_, names_[r], static_cast<long long>(own));
      return false;
    }
    return true;
  }
  int64_t sum() const noexcept { return sum_; }
  const std::string& problem() const noexcept { return problem_; }

 private:
  const std::span<const Header> headers_;
  const std::span<const uint32_t> names_;
  const char* const what_;
  int64_t sum_ = 0;
  std::string problem_;
};

// Whether the outputs have room for exactly what comes.
std::string wrong_rows(std::span<const Header> headers, std::span<const uint32_t> names) {
  const Op op = headers[0].op;
  const uint32_t root = headers[0].root;
  const auto one = [&](uint32_t rank, const char* what, int64_t got, int64_t wanted) {
    return format("%s: the %s of rank %u has %lld entries along the first dimension; it takes %lld",
                  op_name(op), what, names[rank], static_cast<long long>(got),
                  static_cast<long long>(wanted));
  };
  if (op == Op::scatter || op == Op::reduce_scatter) {
    const uint32_t source = op == Op::scatter ? root : 0;
    RowSum parts(headers, names, "the first extent of the output");
    if (!parts.add_up([](const Header& header) { return header.out_rows; })) return parts.problem();
    if (headers[source].in_rows != parts.sum()) {
      return one(source, "input", headers[source].in_rows, parts.sum());
    }
    return std::string();
  }
  const bool all_to_all = op == Op::all_to_all;
  if (!all_to_all && op != Op::all_gather && op != Op::gather) return std::string();
  for (uint32_t r = 0; r < headers.size(); ++r) {
    const std::string what =
        all_to_all ? format("counts[%u]", r) : std::string("the first extent of the input");
    RowSum comes(headers, names, what.c_str());
    const bool fits = comes.add_up(
        [&](const Header& header) { return all_to_all ? header.counts[r] : header.in_rows; });
    if (!fits) return comes.problem();
    if (headers[r].out_rows < 0) continue;
    if (headers[r].out_rows != comes.sum()) {
      return one(r, "output", headers[r].out_rows, comes.sum());
    }
  }
  return std::string();
}

}  // namespace

std::string disagreement(std::span<const Header> headers, std::span<const uint32_t> names) {
  for (uint32_t r = 0; r < headers.size(); ++r) {
    if (headers[r].refused != 0) {
      return format("rank %u refused its call of %s", names[r], op_name(headers[r].op));
    }
  }
  const bool pair = is_pair(headers[0].op);
  if (pair && headers[1].op == headers[0].op) {
    return format("ranks %u and %u both call %s for each other", names[0], names[1],
                  op_name(headers[0].op));
  }
  for (uint32_t r = 1; r < headers.size(); ++r) {
    Header first = headers[0];
    if (pair) first.op = headers[r].op;
    const std::string found = Comparison(first, headers[r], names[0], names[r]).difference();
    if (!found.empty()) return found;
  }
  return wrong_rows(headers, names);
}

void part_elements(std::span<Header> headers) noexcept {
  constexpr uint64_t kLine = 64;
  const auto size = static_cast<int64_t>(headers.size());
  const int64_t count = headers[0].in_rows;
  // Parts begin at whole cache lines.
  const auto line = static_cast<int64_t>(kLine / headers[0].row_bytes);
  const int64_t part = (count / line + size - 1) / size * line;
  for (int64_t r = 0; r < size; ++r) {
    Header& header = headers[static_cast<size_t>(r)];
    const int64_t first = std::min(count, part * r);
    header.out_rows = (r + 1 == size ? count : std::min(count, first + part)) - first;
    header.op = Op::reduce_scatter;
  }
}

uint64_t Flow::rows_before(uint32_t rank, int64_t Header::*rows) const noexcept {
  int64_t sum = 0;
  for (uint32_t r = 0; r < rank; ++r) sum += header(r).*rows;
  return static_cast<uint64_t>(sum);
}

bool Flow::joins() const noexcept { return joins_inputs(headers_[0].op); }

bool Flow::same_for_all() const noexcept {
  const Op op = headers_[0].op;
  return op != Op::scatter && op != Op::reduce_scatter && op != Op::all_to_all;
}

Flow::Range Flow::range(uint32_t from, uint32_t to) const noexcept {
  const Header& source = header(from);
  const uint64_t all = static_cast<uint64_t>(source.in_rows) * source.row_bytes;
  const uint32_t root = source.root;
  switch (source.op) {
    case Op::all_reduce:
    case Op::all_gather:
      return {0, all};
    case Op::reduce:
    case Op::gather:
      return {0, to == root ? all : 0};
    case Op::broadcast:
      return {0, from == root && to != root ? all : 0};
    case Op::send:
      return {0, to != from ? all : 0};
    case Op::scatter:
      if (from != root) return {};
      [[fallthrough]];
    case Op::reduce_scatter:
      return {rows_before(to, &Header::out_rows) * source.row_bytes,
              static_cast<uint64_t>(header(to).out_rows) * source.row_bytes};
    case Op::all_to_all: {
      const int64_t* const counts = source.counts.data();
      const int64_t before = std::accumulate(counts, counts + to, int64_t{0});
      return {static_cast<uint64_t>(before) * source.row_bytes,
              static_cast<uint64_t>(counts[to]) * source.row_bytes};
    }
    default:
      return {};
  }
}

uint64_t Flow::place(uint32_t from) const noexcept {
  const Header& own = header(me_);
  if (own.op == Op::all_gather || own.op == Op::gather) {
    return rows_before(from, &Header::in_rows) * own.row_bytes;
  }
  if (own.op != Op::all_to_all) return 0;
  int64_t before = 0;
  for (uint32_t r = 0; r < from; ++r) before += header(r).counts[me_];
  return static_cast<uint64_t>(before) * own.row_bytes;
}

uint64_t Flow::payload(uint32_t from) const noexcept {
  const Header& source = header(from);
  if (source.op == Op::receive) return 0;
  return static_cast<uint64_t>(source.in_rows) * source.row_bytes;
}

uint64_t Flow::longest() const noexcept {
  uint64_t most = 0;
  for (uint32_t from = 0; from < headers_.size(); ++from) {
    for (uint32_t to = 0; to < headers_.size(); ++to) {
      most = std::max(most, range(from, to).bytes);
    }
  }
  return most;
}

}  // namespace netcl::group
