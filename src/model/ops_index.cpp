// Ops that pick and place elements by indices, and tensors that are made of places.
#include "core/number.hpp"
#include "model/host_arithmetic.hpp"
#include "model/host_select.hpp"
#include "model/op_table.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/one_hot.hpp"
#include "ops/move/range.hpp"
#include "ops/move/scatter.hpp"
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

// Those that are negative count from the end.
TensorRef positive(const Call& call, const TensorRef& indices, int64_t extent) {
  const std::string text = "v0 < 0 ? v0 + " + number_text(extent) + " : v0";
  return call.formula(text, {call.cast(indices, NETCL_I64)}, NETCL_I64);
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

TensorRef combined_at(const Call& call, const TensorRef& x, const Tensor& indices,
                      const Tensor& updates, int32_t axis) {
  const netcl_scatter_mode mode = *find_reduction(call.text("reduction", "none"));
  return call.made<ops::scatter>("scatter", x, indices, updates, axis, mode, false);
}

void build_scatter(Call& call) {
  const TensorRef x = call.tensor(0);
  call.give(combined_at(call, x, *call.tensor(1), *call.tensor(2), axis_attribute(call, *x, 0)));
}

// ---- Indices of several dimensions -------------------------------------------------------------

// A row that no tensor has, however many follow it.
constexpr int64_t kNowhere = int64_t{1} << 60;

// The last dimension of `indices` names a place in dimensions of x from `first` on.
struct Places {
  TensorRef rows;  // [batch, places]: numbers of rows of all x
  int64_t batch = 1;
  int64_t each = 1;       // places of one of the batch
  int64_t row_count = 1;  // of one of the batch
  int64_t row_length = 1;
};

Places places_of_indices(const Call& call, const Tensor& x, const TensorRef& indices,
                         uint32_t first) {
  const Layout& from = indices->layout();
  const Layout& shape = x.layout();
  const int64_t depth = from.rank > first ? from.shape[from.rank - 1] : -1;
  if (depth < 1 || first + depth > shape.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices of shape %s do not fit an input of shape %s",
         shape_text(from).c_str(), shape_text(shape).c_str());
  }
  Places places;
  for (uint32_t d = 0; d < first; ++d) places.batch *= shape.shape[d];
  for (uint32_t d = first; d + 1 < from.rank; ++d) places.each *= from.shape[d];
  const uint32_t last = first + static_cast<uint32_t>(depth);
  for (uint32_t d = first; d < last; ++d) places.row_count *= shape.shape[d];
  for (uint32_t d = last; d < shape.rank; ++d) places.row_length *= shape.shape[d];
  if (indices->element_count() != places.batch * places.each * depth) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices of shape %s do not fit an input of shape %s",
         shape_text(from).c_str(), shape_text(shape).c_str());
  }
  const int64_t flat[3] = {places.batch, places.each, depth};
  const TensorRef list = call.reshaped(indices, flat);
  const int64_t plane[2] = {places.batch, places.each};
  TensorRef rows = call.formula("v0 * " + number_text(places.row_count),
                                {places_along(call, 2, 0, places.batch)}, NETCL_I64);
  int64_t stride = places.row_count;
  for (uint32_t d = first; d < last; ++d) {
    const TensorRef part = call.reshaped(graph::part_of(*list, 2, d - first, 1), plane);
    stride = shape.shape[d] == 0 ? 0 : stride / shape.shape[d];
    // A place outside of one dimension is none of x, whatever the others are.
    rows = call.formula("v1 < 0 || v1 >= " + number_text(shape.shape[d]) + " ? " +
                            number_text(kNowhere) + " : v0 + v1 * " + number_text(stride),
                        {rows, positive(call, part, shape.shape[d])}, NETCL_I64);
  }
  places.rows = std::move(rows);
  return places;
}

void build_gather_nd(Call& call) {
  const TensorRef x = call.tensor(0), indices = call.tensor(1);
  const int64_t batch_dims = call.integer("batch_dims", 0);
  if (batch_dims < 0 || batch_dims >= indices->layout().rank || batch_dims >= x->layout().rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "batch_dims is %lld", static_cast<long long>(batch_dims));
  }
  const auto first = static_cast<uint32_t>(batch_dims);
  const Places places = places_of_indices(call, *x, indices, first);
  const int64_t rows[2] = {places.batch * places.row_count, places.row_length};
  const int64_t list[1] = {places.batch * places.each};
  const TensorRef made = call.made<ops::gather>("gather", *call.reshaped(x, rows),
                                                *call.reshaped(places.rows, list), int32_t{0});
  std::vector<int64_t> shape = shape_of(*indices);
  const int64_t depth = shape.back();
  shape.pop_back();
  for (uint32_t d = first + static_cast<uint32_t>(depth); d < x->layout().rank; ++d) {
    shape.push_back(x->layout().shape[d]);
  }
  call.give(call.reshaped(made, shape));
}

void build_scatter_nd(Call& call) {
  const TensorRef x = call.tensor(0);
  const Places places = places_of_indices(call, *x, call.tensor(1), 0);
  const int64_t rows[2] = {places.row_count, places.row_length};
  const int64_t updates[2] = {places.each, places.row_length};
  const int64_t list[2] = {places.each, 1};
  const TensorRef indices = broadcast(*call.reshaped(places.rows, list), 2, updates);
  const TensorRef made = combined_at(call, call.reshaped(x, rows), *indices,
                                     *call.reshaped(call.tensor(2), updates), 0);
  call.give(call.reshaped(made, shape_of(*x)));
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
