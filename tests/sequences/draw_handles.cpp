// Handles for calls: live ones of the right type and device, and new ones where there is none.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "draw.hpp"
#include "netcl.h"

namespace sequences {
namespace {

const char* maker_of(int type) {
  static const char* const makers[] = {"",
                                       "device_open",
                                       "queue_create",
                                       "queue_enqueue_marker",
                                       "pool_create",
                                       "pool_allocate",
                                       "tensor_create_zeros",
                                       "kernel_create",
                                       "expression_create",
                                       "measurement_create",
                                       "timer_create",
                                       "region_begin",
                                       "roofline_create",
                                       "space_create",
                                       "config_create_from_json",
                                       "tuning_database_open",
                                       "search_create",
                                       "ceilings_create",
                                       "benchmark_create",
                                       "tuner_create",
                                       "graph_create",
                                       "group_join",
                                       "model_load_memory",
                                       "sharded_create",
                                       "weights_open",
                                       "reducer_create"};
  return makers[type];
}

Node ref_node(const Field& field, uint64_t ref) {
  Node node = zero_node(field);
  node.kind = Node::Ref;
  node.bits = ref;
  return node;
}

bool is_float(int dtype) { return dtype >= NETCL_F16 && dtype <= NETCL_F64; }

}  // namespace

bool Drawer::usable(const Entry& entry, int type, const Context& context) const {
  return entry.type == type && (entry.side < 0 || entry.side == context.side) &&
         (entry.thread < 0 || entry.thread == thread_);
}

void Drawer::note_tensor(const Entry& entry, Context& context) {
  if (entry.type == NETCL_HANDLE_TENSOR) {
    context.tensor = entry.ref;
    context.tensor_bytes = entry.bytes;
    context.tensor_dtype = entry.dtype;
  }
  if (entry.type == NETCL_HANDLE_GRAPH) context.graph = entry.ref;
}

Node Drawer::handle(const Field& field, int type, Context& context) {
  if (context.on != 0 && context.on_type == type) return ref_node(field, context.on);
  {
    const std::lock_guard guard(objects_.lock);
    std::vector<const Entry*> found;
    for (const Entry& entry : objects_.live) {
      if (usable(entry, type, context) && (!entry.capture || below(8) == 0)) {
        found.push_back(&entry);
      }
    }
    if (!found.empty()) {
      const Entry& entry = *one_of(found);
      note_tensor(entry, context);
      return ref_node(field, entry.ref);
    }
  }
  if (type >= kForeign) return zero_node(field);
  return made_handle(field, type, context);
}

// For a release: what it releases is nobody's from now on.
Node Drawer::taken_handle(const Field& field, int type, Context& context) {
  const std::lock_guard guard(objects_.lock);
  std::vector<size_t> found;
  for (size_t i = 0; i < objects_.live.size(); i++) {
    const Entry& entry = objects_.live[i];
    if (!entry.pinned && usable(entry, type, context)) found.push_back(i);
  }
  if (found.empty()) return zero_node(field);
  const size_t at = one_of(found);
  const Entry entry = objects_.live[at];
  objects_.live.erase(objects_.live.begin() + static_cast<std::ptrdiff_t>(at));
  if (objects_.stale.size() < 64) {
    objects_.stale.push_back(entry);
  } else {
    objects_.stale[below(64)] = entry;
  }
  return ref_node(field, entry.ref);
}

// Makes an object of the type, and what has to be done with it before it is of use.
Node Drawer::made_handle(const Field& field, int type, Context& context) {
  if (context.depth >= 4) return zero_node(field);
  Context inner;
  inner.side = context.side;
  inner.depth = context.depth + 1;
  const Wanted* const wanted = wanted_;
  if (type != NETCL_HANDLE_TENSOR) wanted_ = nullptr;
  const uint32_t before = objects_.next_call;
  const Outcome outcome = run(function_named(maker_of(type)), inner, false);
  wanted_ = wanted;
  if (outcome.status != NETCL_OK || outcome.results.empty()) return zero_node(field);
  const std::lock_guard guard(objects_.lock);
  for (size_t i = objects_.live.size(); i-- > 0;) {
    const Entry& entry = objects_.live[i];
    if (entry.ref >> 8 >= before && usable(entry, type, context)) {
      note_tensor(entry, context);
      return ref_node(field, entry.ref);
    }
  }
  return zero_node(field);
}

int64_t Drawer::extent(const std::string& letter, Context& context) {
  if (letter[0] == '-' || (letter[0] >= '0' && letter[0] <= '9')) {
    return std::strtoll(letter.c_str(), nullptr, 10);
  }
  static const std::vector<int64_t> extents = {1, 2, 3, 4, 4, 4, 5, 8};
  const auto made = context.extents.try_emplace(letter[0], 0);
  if (made.second) made.first->second = one_of(extents);
  return made.first->second;
}

int Drawer::dtype_of(char letter, Context& context) {
  const auto made = context.dtypes.try_emplace(letter, 0);
  if (!made.second) return made.first->second;
  static const std::map<char, std::vector<int>> kinds = {
      {'f', {3, 3, 3, 3, 3, 1, 2, 4}},
      {'F', {3}},
      {'D', {4}},
      {'h', {3, 3, 1, 2}},
      {'i', {7, 8}},
      {'I', {7}},
      {'L', {8}},
      {'q', {5, 9}},
      {'p', {5, 9}},
      {'U', {9}},
      {'B', {13}},
      {'x', {3, 3, 3, 7, 8, 9, 13, 1, 4, 6, 12}}};
  const auto found = kinds.find(letter);
  if (found == kinds.end()) abort();
  return made.first->second = one_of(found->second);
}

Node Drawer::tensor(const Field& field, const std::string& recipe, Context& context) {
  const int dtype = dtype_of(recipe[0], context);
  std::vector<int64_t> shape;
  for (size_t at = 2; at < recipe.size();) {
    const size_t end = std::min(recipe.find(',', at), recipe.size());
    shape.push_back(extent(recipe.substr(at, end - at), context));
    at = end + 1;
  }
  return tensor_like(field, dtype, shape, context);
}

Node Drawer::tensor_like(const Field& field, int dtype, const std::vector<int64_t>& shape,
                         Context& context) {
  {
    const std::lock_guard guard(objects_.lock);
    std::vector<const Entry*> found;
    for (const Entry& entry : objects_.live) {
      const bool used =
          std::find(context.used.begin(), context.used.end(), entry.ref) != context.used.end();
      if (usable(entry, NETCL_HANDLE_TENSOR, context) && entry.dtype == dtype &&
          entry.shape == shape && !entry.capture && !used) {
        found.push_back(&entry);
      }
    }
    if (!found.empty() && (found.size() > 2 || chance(70))) {
      const Entry& entry = *one_of(found);
      note_tensor(entry, context);
      return ref_node(field, entry.ref);
    }
  }
  const Wanted wanted = {dtype, shape};
  const Wanted* const outer = wanted_;
  wanted_ = &wanted;
  Context inner;
  inner.side = context.side;
  inner.depth = context.depth + 1;
  static const std::vector<const char*> makers = {"tensor_create_zeros", "tensor_create_full",
                                                  "tensor_create_from_host",
                                                  "tensor_create_random"};
  const char* maker = is_float(dtype) ? one_of(makers) : makers[below(3)];
  const uint32_t before = objects_.next_call;
  const Outcome outcome = run(function_named(maker), inner, false);
  wanted_ = outer;
  if (outcome.status != NETCL_OK) return zero_node(field);
  const std::lock_guard guard(objects_.lock);
  for (size_t i = objects_.live.size(); i-- > 0;) {
    const Entry& entry = objects_.live[i];
    if (entry.ref >> 8 >= before && usable(entry, NETCL_HANDLE_TENSOR, context)) {
      note_tensor(entry, context);
      return ref_node(field, entry.ref);
    }
  }
  return zero_node(field);
}

Node Drawer::tensors(const Field& field, const Rule* rule, Context& context) {
  Node node = zero_node(field);
  node.kind = Node::List;
  if (rule != nullptr && rule->kind == 't') {
    for (const std::string& recipe : rule->lists[context.way % rule->lists.size()]) {
      node.kids.push_back(tensor(field, recipe, context));
      if (chance(90)) context.used.push_back(node.kids.back().bits);
    }
    return node;
  }
  const uint64_t count = 1 + below(2);
  for (uint64_t i = 0; i < count; i++) node.kids.push_back(handle(field, field.of, context));
  return node;
}

}  // namespace sequences
