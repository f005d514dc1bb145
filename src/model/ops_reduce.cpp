// Reductions, running sums and the largest elements.
#include "model/op_table.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"
#include "ops/reduce/topk.hpp"

namespace netcl::model {

namespace {

struct ReductionRow {
  const char* op;
  netcl_reduction kind;
};
constexpr ReductionRow kReductions[] = {
    {"ReduceSum", NETCL_REDUCTION_SUM},        {"ReduceMean", NETCL_REDUCTION_MEAN},
    {"ReduceMax", NETCL_REDUCTION_MAX},        {"ReduceMin", NETCL_REDUCTION_MIN},
    {"ReduceProd", NETCL_REDUCTION_PROD},      {"ReduceL1", NETCL_REDUCTION_L1},
    {"ReduceL2", NETCL_REDUCTION_L2},          {"ReduceSumSquare", NETCL_REDUCTION_SUM_SQUARE},
    {"ReduceLogSum", NETCL_REDUCTION_LOG_SUM}, {"ReduceLogSumExp", NETCL_REDUCTION_LOG_SUM_EXP},
};

netcl_reduction kind_of(const std::string& op) {
  for (const ReductionRow& row : kReductions) {
    if (op == row.op) return row.kind;
  }
  return NETCL_REDUCTION_SUM;
}

// Without axes all are reduced, or none where the node says so.
void build_reduce(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::vector<int64_t> given = call.has(1) ? call.numbers(1) : call.integers("axes");
  std::vector<int32_t> axes;
  for (const int64_t axis : given) {
    axes.push_back(static_cast<int32_t>(axis_of(axis, x->layout().rank)));
  }
  ops::ReduceRequest request;
  request.kind = kind_of(call.op());
  request.axes = axes;
  request.keepdims = call.integer("keepdims", 1) != 0;
  TensorRef from = x;
  if (axes.empty() && call.integer("noop_with_empty_axes", 0) != 0) {
    // Each element is reduced by itself: a dimension of 1 is put in and taken away.
    if (x->layout().rank == kRankMax) {
      fail(NETCL_ERROR_UNSUPPORTED, "the input has %u dimensions", kRankMax);
    }
    from = graph::with_unit(*x, x->layout().rank);
    axes = {static_cast<int32_t>(x->layout().rank)};
    request.axes = axes;
    request.keepdims = false;
  }
  const bool whole = !is_float(from->dtype()) && from->dtype() != NETCL_BOOL;
  const bool real = request.kind == NETCL_REDUCTION_MEAN || request.kind == NETCL_REDUCTION_L2 ||
                    request.kind == NETCL_REDUCTION_LOG_SUM ||
                    request.kind == NETCL_REDUCTION_LOG_SUM_EXP;
  if (whole && !real) request.dtype = from->dtype();
  const TensorRef made = call.made<ops::reduce>("reduce", *from, request);
  // What is no whole number is one again where the input is made of them.
  call.give(whole ? call.cast(made, from->dtype()) : made);
}

void build_arg(Call& call) {
  const TensorRef x = call.tensor(0);
  const std::array<int32_t, 1> axes = {
      static_cast<int32_t>(axis_of(call.integer("axis", 0), x->layout().rank))};
  ops::ReduceRequest request;
  request.kind = call.op() == "ArgMax" ? NETCL_REDUCTION_ARGMAX : NETCL_REDUCTION_ARGMIN;
  request.axes = axes;
  request.keepdims = call.integer("keepdims", 1) != 0;
  request.select_last = call.integer("select_last_index", 0) != 0;
  call.give(call.made<ops::reduce>("reduce", *x, request));
}

void build_scan(Call& call) {
  const TensorRef x = call.tensor(0);
  const int32_t axis = static_cast<int32_t>(axis_of(call.number(1, 0), x->layout().rank));
  const netcl_reduction kind = call.op() == "CumSum" ? NETCL_REDUCTION_SUM : NETCL_REDUCTION_PROD;
  call.give(call.made<ops::scan>("scan", *x, kind, axis, call.integer("exclusive", 0) != 0,
                                 call.integer("reverse", 0) != 0));
}

void build_topk(Call& call) {
  const TensorRef x = call.tensor(0);
  const int32_t axis = static_cast<int32_t>(axis_of(call.integer("axis", -1), x->layout().rank));
  const int64_t k = call.has(1) ? call.number(1, 0) : call.integer("k", 0);
  const ops::TopkResult made = call.made_into<ops::topk>(
      "topk", ops::TopkResult{}, *x, k, axis, call.integer("largest", 1) == 0, call.wants(1));
  call.give(0, made.values);
  call.give(1, made.indices);
}

constexpr char kReduceAttributes[] = "axes keepdims noop_with_empty_axes";

constexpr OpRow kReduceRows[] = {
    {"ArgMax", "axis keepdims select_last_index", build_arg},
    {"ArgMin", "axis keepdims select_last_index", build_arg},
    {"CumProd", "exclusive reverse", build_scan, "1"},
    {"CumSum", "exclusive reverse", build_scan, "1"},
    {"ReduceL1", kReduceAttributes, build_reduce, "1"},
    {"ReduceL2", kReduceAttributes, build_reduce, "1"},
    {"ReduceLogSum", kReduceAttributes, build_reduce, "1"},
    {"ReduceLogSumExp", kReduceAttributes, build_reduce, "1"},
    {"ReduceMax", kReduceAttributes, build_reduce, "1"},
    {"ReduceMean", kReduceAttributes, build_reduce, "1"},
    {"ReduceMin", kReduceAttributes, build_reduce, "1"},
    {"ReduceProd", kReduceAttributes, build_reduce, "1"},
    {"ReduceSum", kReduceAttributes, build_reduce, "1"},
    {"ReduceSumSquare", kReduceAttributes, build_reduce, "1"},
    {"TopK", "axis k largest sorted", build_topk, "1"},
};

}  // namespace

std::span<const OpRow> reduce_rows() { return kReduceRows; }

}  // namespace netcl::model
