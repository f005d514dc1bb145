// Makes calls wrong, and notes what right ones gave.
#include <algorithm>
#include <cstring>
#include <limits>

#include "draw.hpp"
#include "netcl.h"

namespace sequences {
namespace {

bool is_fixed(const Node& node, const std::string& path, const char* owner) {
  const Rule* rule = rule_at(path);
  if (rule == nullptr && owner != nullptr) {
    rule = rule_at(std::string(owner + std::strlen("netcl_")) + "." + node.field->name);
  }
  if (rule == nullptr) rule = rule_at(std::string("*.") + node.field->name);
  return rule != nullptr && rule->fixed;
}

struct Target {
  Node* node;
  bool direct;
};

void collect(Node& node, const std::string& path, const char* owner, bool direct,
             std::vector<Target>& targets) {
  if (!is_fixed(node, path, owner)) targets.push_back({&node, direct});
  const bool structs = node.kind == Node::Struct;
  for (Node& kid : node.kids) {
    const char* inner = structs ? struct_of(*node.field).name : owner;
    collect(kid, structs ? path + "." + kid.field->name : path, inner, false, targets);
  }
}

}  // namespace

bool Drawer::mutate_handle(Node& node, Call& call, bool direct, const Context& context) {
  // What a release gives back was taken from the live ones, and it gives back nothing else of them.
  const bool releases = is_release(call.what());
  if (releases && node.kind == Node::Ref) return false;
  const int type = node.field->of;
  const std::lock_guard guard(objects_.lock);
  switch (below(5)) {
    case 0:
      node.kind = Node::Zero;
      return true;
    case 1: {
      static const std::vector<uint64_t> junk = {1, 8, 0xdeadbeef, ~uint64_t{0}, 0x7fff00000010};
      node.kind = Node::Junk;
      node.bits = one_of(junk);
      if (direct) call.refused = 1;
      return true;
    }
    case 2: {
      std::vector<const Entry*> found;
      for (const Entry& entry : objects_.stale) {
        if (entry.type == type && (entry.thread < 0 || entry.thread == thread_)) {
          found.push_back(&entry);
        }
      }
      if (found.empty()) return false;
      const Entry& entry = *one_of(found);
      const bool live = std::any_of(objects_.live.begin(), objects_.live.end(),
                                    [&entry](const Entry& e) { return e.value == entry.value; });
      if (releases && live) return false;
      node.kind = Node::Ref;
      node.bits = entry.ref;
      if (direct && !live && settings.threads == 1) call.refused = 1;
      return true;
    }
    default: {
      const bool other_type = releases || below(2) == 0;
      std::vector<const Entry*> found;
      for (const Entry& entry : objects_.live) {
        if (entry.type > kHandleTypes || (entry.thread >= 0 && entry.thread != thread_)) continue;
        if (other_type ? entry.type != type : entry.type == type && entry.side != context.side) {
          found.push_back(&entry);
        }
      }
      if (found.empty()) return false;
      node.kind = Node::Ref;
      node.bits = one_of(found)->ref;
      if (direct && other_type) call.refused = 1;
      return true;
    }
  }
}

bool Drawer::mutate_number(Node& node, bool direct) {
  const Field& field = *node.field;
  if (field.kind == Class::Real) {
    static const std::vector<double> odd = {0,
                                            -1,
                                            -0.0,
                                            1e308,
                                            1e-310,
                                            std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::quiet_NaN()};
    const double number = one_of(odd);
    std::memcpy(&node.bits, &number, sizeof number);
    return true;
  }
  if (field.kind == Class::Count) {
    // No array may be said to be longer than it is, unless nothing of it is read.
    static const std::vector<uint64_t> beyond = {65537, 0x7fffffff, 0x80000000, 0xffffffff};
    bool lists = field.size == 4;
    if (direct) {
      const Field* counted = &field - field.offset / 8 + field.counts;
      if (counted->kind == Class::TextOut || counted->kind == Class::DataOut ||
          counted->kind == Class::StructsOut || counted->kind == Class::IntsOut ||
          counted->kind == Class::HandlesOut) {
        lists = false;
      }
    }
    if (lists && below(2) == 0)
      node.bits = one_of(beyond);
    else
      node.bits = node.bits == 0 ? 0 : below(node.bits);
    return true;
  }
  static const std::vector<uint64_t> small = {0, 1, 2, 99, 0x7fffffff, 0x80000000, 0xffffffff};
  static const std::vector<uint64_t> large = {0,
                                              1,
                                              ~uint64_t{0},
                                              uint64_t{1} << 40,
                                              uint64_t{1} << 62,
                                              uint64_t{1} << 63,
                                              (uint64_t{1} << 63) - 1};
  node.bits = one_of(field.size == 8 ? large : small);
  return true;
}

bool Drawer::mutate_struct(Node& node) {
  const Struct& type = struct_of(*node.field);
  if (!type.headed) return false;
  static const std::vector<uint64_t> odd = {0, 7, 8, 65537, uint64_t{1} << 40, ~uint64_t{0}};
  switch (below(4)) {
    case 0:
      node.struct_size = one_of(odd);
      node.room = node.struct_size > 65536 ? type.size : std::max<uint64_t>(8, node.struct_size);
      break;
    case 1:
      node.room = node.struct_size = type.first_size - 1 - below(4);
      break;
    default:
      node.room = node.struct_size = type.size + 8 * (1 + below(4));
      node.bytes = std::string(1, below(2) == 0 ? '\0' : '\1');
  }
  return true;
}

bool Drawer::mutate_bytes(Node& node) {
  const Class kind = node.field->kind;
  if (node.kind != Node::Bytes) return false;
  if (kind != Class::Inline && below(4) == 0) {
    node = zero_node(*node.field);
    return true;
  }
  if (node.bytes.empty()) return false;
  if (kind == Class::DataIn || node.field->size != 8) {
    node.bytes[below(node.bytes.size())] = static_cast<char>(below(256));
    return true;
  }
  static const std::vector<uint64_t> odd = {0, ~uint64_t{0}, uint64_t{1} << 40, uint64_t{1} << 62,
                                            uint64_t{1} << 63};
  const uint64_t value = one_of(odd);
  std::memcpy(&node.bytes[8 * below(node.bytes.size() / 8)], &value, sizeof value);
  return true;
}

bool Drawer::mutate(Node& node, Call& call, bool direct, const Context& context) {
  switch (node.field->kind) {
    case Class::HandleIn:
      return mutate_handle(node, call, direct, context);
    case Class::HandlesIn:
    case Class::TextsIn:
    case Class::StructsIn:
      if (node.kind == Node::Ref) return mutate_handle(node, call, false, context);
      if (node.kind != Node::List || node.kids.empty()) return false;
      if (below(3) == 0 && node.field->kind != Class::StructsIn)
        node.kids[0] = zero_node(*node.field);
      else {
        node = zero_node(*node.field);
      }
      return true;
    case Class::StructIn:
      if (node.kind != Node::Struct) return false;
      if (below(6) != 0) return mutate_struct(node);
      node = zero_node(*node.field);
      return true;
    case Class::StructOut:
      if (node.kind != Node::Out) return false;
      if (below(3) == 0) {
        node = zero_node(*node.field);
        return true;
      }
      node.bits = below(2) == 0 ? struct_of(*node.field).size + 64 : 8 + below(node.bits);
      node.struct_size = below(8) == 0 ? below(8) : node.bits;
      return true;
    case Class::Int:
    case Class::Real:
    case Class::Count:
      return mutate_number(node, direct);
    case Class::TextIn: {
      static const std::vector<std::string> odd = {"",
                                                   "\xff\xfe",
                                                   "a\x01"
                                                   "b",
                                                   "\xc3",
                                                   "a\nb",
                                                   "nothing",
                                                   std::string(5000, 'x'),
                                                   "/",
                                                   "."};
      if (below(5) == 0)
        node = zero_node(*node.field);
      else
        node = bytes_node(*node.field, one_of(odd) + std::string(1, '\0'));
      return true;
    }
    case Class::DataIn:
    case Class::IntsIn:
    case Class::Inline:
      return mutate_bytes(node);
    case Class::HandleOut:
    case Class::HandlesOut:
    case Class::IntsOut:
    case Class::TextOut:
    case Class::DataOut:
    case Class::StructsOut:
      if (node.kind != Node::Out) return false;
      node = zero_node(*node.field);
      return true;
    case Class::Hook:
      if (node.kind != Node::HookFn) return false;
      node = zero_node(*node.field);
      return true;
    default:
      return false;
  }
}

void Drawer::make_wrong(Call& call, const Context& context) {
  std::vector<Target> targets;
  const std::string path = call.what().name + std::strlen("netcl_");
  for (Node& param : call.params) {
    collect(param, path + "." + param.field->name, nullptr, true, targets);
  }
  if (targets.empty()) return;
  // What stands in a text with a size beside it is made wrong by its bytes alone.
  for (int tries = 0; tries < 4; tries++) {
    const Target target = one_of(targets);
    const Field& field = *target.node->field;
    if (field.kind == Class::TextIn && field.counted >= 0) {
      if (target.node->bytes.empty()) continue;
      target.node->bytes[below(target.node->bytes.size())] = static_cast<char>(below(256));
      return;
    }
    if (mutate(*target.node, call, target.direct, context)) return;
  }
}

void Drawer::note_results(const Call& call, const Outcome& outcome, const Context& context) {
  const std::string name = call.what().name;
  const std::vector<int> types = results_of(call);
  std::vector<Entry> made;
  if (name.size() > 7 && name.compare(name.size() - 7, 7, "_retain") == 0 &&
      call.params[0].kind == Node::Ref) {
    const uint64_t ref = call.params[0].bits;
    made.emplace_back(call.params[0].field->of, ref, results_.get(ref), context.side, false);
  }
  for (size_t i = 0; i < types.size() && i < outcome.results.size(); i++) {
    const int type = types[i];
    if (outcome.results[i] == 0) continue;
    if (type >= kForeign && type != kForeign + 5 && !pinning_) continue;
    made.emplace_back(type, ref_of(call.id, static_cast<unsigned>(i)), outcome.results[i],
                      context.side, pinning_ || type >= kForeign);
  }
  for (Entry& entry : made) {
    if (entry.type <= kHandleTypes && kMovable[entry.type] != 0) entry.thread = thread_;
    if (entry.type == NETCL_HANDLE_EXPRESSION || entry.type == NETCL_HANDLE_ROOFLINE ||
        entry.type == NETCL_HANDLE_CEILINGS || entry.type == NETCL_HANDLE_SPACE ||
        entry.type == NETCL_HANDLE_CONFIG || entry.type == NETCL_HANDLE_TUNING_DATABASE ||
        entry.type == NETCL_HANDLE_SEARCH) {
      entry.side = -1;
    }
    if (entry.type == NETCL_HANDLE_DEVICE && !pinning_ && context.separate) entry.side = 1;
    if (entry.type != NETCL_HANDLE_TENSOR) continue;
    netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
    if (netcl_tensor_get_info(reinterpret_cast<netcl_tensor*>(entry.value), &info) != NETCL_OK) {
      fail("a new tensor without facts: " + name, netcl_last_error_message());
    }
    entry.dtype = info.dtype;
    entry.shape.assign(info.shape, info.shape + info.rank);
    entry.bytes = info.byte_count;
  }
  const bool captured = note_graph(call, outcome);
  for (Entry& entry : made) {
    if (entry.type == NETCL_HANDLE_TENSOR) entry.capture = captured;
  }
  {
    const std::lock_guard guard(objects_.lock);
    objects_.live.insert(objects_.live.end(), made.begin(), made.end());
  }
  for (int i = 0; i < kAfterCount && !made.empty(); i++) {
    if (name != std::string("netcl_") + kAfter[i].function) continue;
    Context inner;
    inner.side = context.side;
    inner.depth = context.depth + 1;
    inner.on = made[0].ref;
    inner.on_type = made[0].type;
    const std::string after = kAfter[i].call;
    const size_t blank = after.find(' ');
    if (blank != std::string::npos) inner.named = after.substr(blank + 1);
    run(function_named(after.substr(0, blank).c_str()), inner, false);
  }
}

bool Drawer::note_graph(const Call& call, const Outcome& outcome) {
  uint64_t graph = 0;
  std::vector<uint64_t> inputs;
  for (const Node& param : call.params) {
    walk(param, [&graph](const Node& node) {
      if (node.kind == Node::Ref && std::strcmp(node.field->name, "graph") == 0) graph = node.bits;
    });
    if (param.field->kind == Class::HandleIn && param.field->of == NETCL_HANDLE_TENSOR) {
      inputs.push_back(param.bits);
    }
    for (const Node& kid : param.kids) {
      if (param.kind == Node::List && kid.kind == Node::Ref) inputs.push_back(kid.bits);
    }
  }
  const std::lock_guard guard(objects_.lock);
  const bool creates = std::strcmp(call.what().name, "netcl_graph_create") == 0;
  if (creates && call.params[1].kind == Node::Struct) {
    for (const Node& kid : call.params[1].kids) {
      const bool off = kid.bits == NETCL_OFF && std::strcmp(kid.field->name, "execute") == 0;
      if (off) objects_.graphs[outcome.results[0]].capture = true;
    }
  }
  if (graph == 0 || outcome.results.empty()) return false;
  GraphNotes& notes = objects_.graphs[results_.get(graph)];
  notes.calls.push_back({inputs, ref_of(call.id, 0)});
  return notes.capture;
}

}  // namespace sequences
