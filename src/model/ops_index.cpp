// Ops that pick and place elements by indices, and tensors that are made of places.
#include "core/number.hpp"
#include "model/host_arithmetic.hpp"
#include "model/host_select.hpp"
#include "model/op_table.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/gather_nd.hpp"
#include "ops/move/one_hot.hpp"
#include "ops/move/range.hpp"
#include "ops/move/scatter.hpp"
#include "ops/move/scatter_nd.hpp"
#include "ops/move/trilu.hpp"

namespace netcl::model {

namespace {

int32_t axis_attribute(const Call& call, const Tensor& tensor, int64_t fallback) {
  return static_cast<int32_t>(axis_of(call.integer("axis", fallback), tensor.layout().rank));
}

// 0, 1, ... along one axis.
TensorRef places_along(const Call& call, uint32_t rank, uint32_t axis, int64_t count) {
  std::vector<int64_t> shape(rank, 1);
  shape[axis] = count;
  return call.counted(NETCL_I64, shape);
}

void build_gather(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(call.made<ops::gather>("gather", *x, *call.tensor(1), axis_attribute(call, *x, 0)));
}

void build_compress(Call& call) {
  TensorRef x = call.tensor(0);
  const int64_t list[1] = {x->element_count()};
  if (call.find("axis") == nullptr) x = call.reshaped(x, list);
  const int32_t axis = axis_attribute(call, *x, 0);
  const std::vector<int64_t> places =
      chosen_by(call.host(1), x->layout().shape[static_cast<uint32_t>(axis)]);
  const TensorRef indices = call.constant(NETCL_I64, {static_cast<int64_t>(places.size())},
                                          {places.begin(), places.end()});
  call.give(call.made<ops::gather>("gather", *x, *indices, axis));
}

void build_gather_elements(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(call.made<ops::gather_elements>("gather_elements", *x, *call.tensor(1),
                                            axis_attribute(call, *x, 0)));
}

// Null for a reduction that is not known.
const netcl_scatter_mode* find_reduction(const std::string& text) {
  static constexpr std::pair<const char*, netcl_scatter_mode> kModes[] = {
      {"none", NETCL_SCATTER_ASSIGN}, {"add", NETCL_SCATTER_ADD}, {"mul", NETCL_SCATTER_MUL},
      {"max", NETCL_SCATTER_MAX},     {"min", NETCL_SCATTER_MIN},
  };
  for (const auto& [name, mode] : kModes) {
    if (text == name) return &mode;
  }
  return nullptr;
}

void build_scatter(Call& call) {
  const TensorRef x = call.tensor(0);
  const netcl_scatter_mode mode = *find_reduction(call.text("reduction", "none"));
  call.give(call.made<ops::scatter>("scatter", x, *call.tensor(1), *call.tensor(2),
                                    axis_attribute(call, *x, 0), mode, false));
}

void build_gather_nd(Call& call) {
  const int64_t batch_dims = call.integer("batch_dims", 0);
  if (batch_dims < 0 || batch_dims > kRankMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "batch_dims is %lld", static_cast<long long>(batch_dims));
  }
  call.give(call.made<ops::gather_nd>("gather_nd", *call.tensor(0), *call.tensor(1),
                                      static_cast<uint32_t>(batch_dims)));
}

void build_scatter_nd(Call& call) {
  const netcl_scatter_mode mode = *find_reduction(call.text("reduction", "none"));
  call.give(call.made<ops::scatter_nd>("scatter_nd", call.tensor(0), *call.tensor(1),
                                       *call.tensor(2), uint32_t{0}, mode, false));
}

// Rows of a cache from the place of each sequence on.
void build_tensor_scatter(Call& call) {
  const TensorRef x = call.tensor(0), updates = call.tensor(1);
  const uint32_t rank = x->layout().rank;
  const uint32_t axis = axis_of(call.integer("axis", -2), rank);
  TensorRef indices = places_along(call, rank, axis, updates->layout().shape[axis]);
  if (const TensorRef first = call.optional(2)) {
    std::vector<int64_t> shape(rank, 1);
    shape[0] = x->layout().shape[0];
    indices = call.formula("v0 + v1", {indices, call.reshaped(call.cast(first, NETCL_I64), shape)},
                           NETCL_I64);
  }
  if (call.text("mode", "linear") == "circular") {
    indices = call.formula("v0 % " + number_text(x->layout().shape[axis]), {indices}, NETCL_I64);
  }
  indices = broadcast(*indices, rank, updates->layout().shape.data());
  call.give(call.made<ops::scatter>("scatter", x, *indices, *updates, static_cast<int32_t>(axis),
                                    netcl_scatter_mode{NETCL_SCATTER_ASSIGN}, false));
}

// The first elements of each sequence in the other order.
void build_reverse_sequence(Call& call) {
  const TensorRef x = call.tensor(0);
  const uint32_t rank = x->layout().rank;
  const uint32_t time = axis_of(call.integer("time_axis", 0), rank);
  const uint32_t batch = axis_of(call.integer("batch_axis", 1), rank);
  std::vector<int64_t> shape(rank, 1);
  shape[batch] = x->layout().shape[batch];
  const TensorRef lengths = call.reshaped(call.cast(call.tensor(1), NETCL_I64), shape);
  const TensorRef indices =
      call.formula("v0 < v1 ? v1 - 1 - v0 : v0",
                   {places_along(call, rank, time, x->layout().shape[time]), lengths}, NETCL_I64);
  call.give(call.made<ops::gather_elements>("gather_elements", *x,
                                            *broadcast(*indices, rank, x->layout().shape.data()),
                                            static_cast<int32_t>(time)));
}

// ---- Tensors made of places --------------------------------------------------------------------

void build_one_hot(Call& call) {
  TensorRef indices = call.tensor(0);
  const HostValue& values = call.host(2);
  const uint32_t rank = indices->layout().rank + 1;
  if (rank > kRankMax) fail(NETCL_ERROR_UNSUPPORTED, "the result has %u dimensions", rank);
  if (values.count() != 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "values has shape %s; it has 2 elements",
         shape_text(static_cast<uint32_t>(values.shape.size()), values.shape.data()).c_str());
  }
  const DtypeClass kind = dtype_facts(indices->dtype()).kind;
  if (kind == DtypeClass::floating) indices = call.cast(indices, NETCL_I64);
  const std::string bytes = bytes_of(values);
  const size_t size = bytes.size() / 2;
  const auto axis = static_cast<int32_t>(axis_of(call.integer("axis", -1), rank));
  call.give(call.made<ops::one_hot>("one_hot", *indices, call.number(1, 0), axis, values.dtype,
                                    ops::make_element(bytes.data() + size, size),
                                    ops::make_element(bytes.data(), size)));
}

void build_trilu(Call& call) {
  const bool upper = call.integer("upper", 1) != 0;
  call.give(call.made<ops::trilu>("trilu", *call.tensor(0), upper, call.number(1, 0)));
}

void build_eye_like(Call& call) {
  const TensorRef x = call.tensor(0);
  const netcl_dtype asked = dtype_of(static_cast<int32_t>(call.integer("dtype", 0)));
  call.give(call.filled<ops::eye>(asked == 0 ? x->dtype() : asked, shape_of(*x),
                                  call.integer("k", 0)));
}

void build_constant_of_shape(Call& call) {
  const std::vector<int64_t> shape = call.numbers(0);
  const Attribute* const given = call.find("value");
  TensorRef number;
  if (given == nullptr) {
    number = call.constant(NETCL_F32, {}, {0});
  } else if (given->tensor == nullptr || given->tensor->dtype == 0 || given->tensor->count() != 1) {
    fail(NETCL_ERROR_CORRUPT_DATA, "the attribute value is not one number");
  } else {
    number = upload(call.device(), given->tensor->dtype, {}, given->tensor->data);
  }
  if (shape.size() > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions", shape.size());
  }
  call.give(broadcast(*number, static_cast<uint32_t>(shape.size()), shape.data()));
}

std::string refuse_reduction(const NodeFacts& node) {
  const std::string reduction = node.text("reduction", "none");
  return find_reduction(reduction) != nullptr ? "" : "reduction " + shown(reduction);
}

std::string refuse_eye(const NodeFacts& node) {
  const int64_t type = node.integer("dtype", 1);
  return dtype_of(static_cast<int32_t>(type)) != 0 ? "" : "a result of another type";
}

constexpr OpRow kIndexRows[] = {
    {"Compress", "axis", build_compress, "1"},
    {"ConstantOfShape", "value", build_constant_of_shape, "0"},
    {"EyeLike", "dtype k", build_eye_like, "", refuse_eye},
    {"Gather", "axis", build_gather},
    {"GatherElements", "axis", build_gather_elements},
    {"GatherND", "batch_dims", build_gather_nd},
    {"NonMaxSuppression", "center_point_box", nullptr},
    {"NonZero", "", nullptr},
    {"OneHot", "axis", build_one_hot, "12"},
    {"ReverseSequence", "batch_axis time_axis", build_reverse_sequence},
    {"Scatter", "axis", build_scatter},
    {"ScatterElements", "axis reduction", build_scatter, "", refuse_reduction},
    {"ScatterND", "reduction", build_scatter_nd, "", refuse_reduction},
    {"TensorScatter", "axis mode", build_tensor_scatter},
    {"Trilu", "upper", build_trilu, "1"},
    {"Unique", "axis sorted", nullptr},
};

}  // namespace

std::span<const OpRow> index_rows() { return kIndexRows; }

}  // namespace netcl::model
