#include "draw.hpp"

#include <algorithm>
#include <cstring>

#include "netcl.h"

namespace sequences {
namespace {

const Rule* find_rule(const Field& field, const std::string& path, const char* owner) {
  if (const Rule* rule = rule_at(path)) return rule;
  const std::string name = field.name;
  if (owner != nullptr) {
    const std::string base = owner + std::strlen("netcl_");
    if (const Rule* rule = rule_at(base + "." + name)) return rule;
    if (const Rule* rule = rule_at(base + ".*")) return rule;
  }
  return rule_at("*." + name);
}

bool special_fits(const std::string& name, Class kind) {
  static const std::map<std::string, Class> kinds = {{"hook", Class::Hook},
                                                     {"destroy", Class::Hook},
                                                     {"user_data", Class::UserData},
                                                     {"managed", Class::ForeignIn},
                                                     {"kernel_args", Class::StructsIn},
                                                     {"ranges", Class::StructsIn},
                                                     {"capabilities", Class::StructIn},
                                                     {"graph", Class::HandleIn},
                                                     {"graph_inputs", Class::HandlesIn},
                                                     {"graph_outputs", Class::HandlesIn},
                                                     {"graph_like_outputs", Class::HandlesIn},
                                                     {"graph_seeds", Class::HandlesIn},
                                                     {"shape", Class::IntsIn},
                                                     {"strides", Class::IntsIn},
                                                     {"samples", Class::IntsIn},
                                                     {"metric_values", Class::IntsIn},
                                                     {"tensor_data", Class::DataIn},
                                                     {"host_data", Class::DataIn},
                                                     {"npy", Class::DataIn},
                                                     {"one", Class::DataIn},
                                                     {"zero_copy", Class::DataIn},
                                                     {"element", Class::DataIn},
                                                     {"data", Class::DataIn}};
  const auto found = kinds.find(name);
  return found == kinds.end() || found->second == kind;
}

// Whether a rule is about values of the field's kind: names are used for several things.
bool fits(const Rule& rule, const Field& field) {
  switch (rule.kind) {
    case 'i':
      return field.kind == Class::Int || field.kind == Class::Count;
    case 'd':
      return field.kind == Class::Real;
    case 's':
      return field.kind == Class::TextIn || field.kind == Class::TextsIn;
    case 'n':
      return field.kind == Class::IntsIn || field.kind == Class::Inline;
    case 't':
      return field.of == NETCL_HANDLE_TENSOR &&
             (field.kind == Class::HandleIn || field.kind == Class::HandlesIn);
    case '@':
      return special_fits(rule.special, field.kind);
    case 'h':
      return field.kind == Class::HandleIn || field.kind == Class::HandlesIn;
    default:
      return true;
  }
}

bool is_out(const Field& field) {
  return field.kind == Class::HandleOut || field.kind == Class::HandlesOut ||
         field.kind == Class::StructOut || field.kind == Class::StructsOut ||
         field.kind == Class::TextOut || field.kind == Class::IntsOut ||
         field.kind == Class::DataOut || field.kind == Class::ForeignOut;
}

bool is_optional_struct(const Field& field) {
  for (const char* name : {"options", "run", "launch", "tuning", "random", "capabilities"}) {
    if (std::strcmp(field.name, name) == 0) return true;
  }
  return false;
}

bool is_needed(const std::string& path) {
  for (int i = 0; i < kNeededCount; i++) {
    if (path == kNeeded[i]) return true;
  }
  return false;
}

unsigned share(const Field& field, const Rule* rule, const std::string& path, bool member) {
  if (rule != nullptr && rule->fixed) return 100;
  if (rule != nullptr && rule->percent >= 0) return static_cast<unsigned>(rule->percent);
  if (member) return 25;
  if (field.kind != Class::StructIn || !is_optional_struct(field)) return 100;
  return is_needed(path) ? 100 : 55;
}

size_t entries_of(const Node& node) {
  if (node.kind == Node::List) return node.kids.size();
  if (node.kind == Node::Out) return node.bits / std::max<size_t>(1, node.field->size);
  if (node.kind != Node::Bytes) return 0;
  return node.bytes.size() / std::max<size_t>(1, node.field->size);
}

}  // namespace

bool is_release(const Function& function) { return function.returns == Returns::Nothing; }

Node zero_node(const Field& field) {
  Node node;
  node.field = &field;
  return node;
}

Node number_node(const Field& field, uint64_t bits) {
  Node node = zero_node(field);
  node.kind = Node::Number;
  node.bits = bits;
  return node;
}

Node bytes_node(const Field& field, std::string bytes) {
  Node node = zero_node(field);
  node.kind = Node::Bytes;
  node.bytes = std::move(bytes);
  return node;
}

Node Drawer::draw_number(const Field& field, const Rule* rule, bool member, Context& context) {
  const bool dtype = std::strcmp(field.name, "dtype") == 0 && !member;
  if (dtype && wanted_ != nullptr) {
    return number_node(field, static_cast<uint64_t>(context.dtype = wanted_->dtype));
  }
  uint64_t bits = 0;
  if (rule != nullptr && !rule->numbers.empty()) {
    bits = one_of(rule->numbers);
  } else if (field.kind == Class::Real) {
    const double number = member ? 0 : 1;
    std::memcpy(&bits, &number, sizeof bits);
  } else if (field.of >= 0 && (!member || rule != nullptr)) {
    const Enum& values = kEnums[field.of];
    bits = static_cast<uint64_t>(int64_t{values.values[below(values.values_count)]});
  } else if (!member) {
    bits = below(3);
  }
  if (dtype) context.dtype = static_cast<int>(bits);
  if (std::strcmp(field.name, "separate") == 0) context.separate = bits != 0;
  return number_node(field, bits);
}

Node Drawer::draw_text(const Field& field, const Rule* rule, bool member, Context& context) {
  if (rule == nullptr && member) return zero_node(field);
  const auto text = [this, rule] { return rule == nullptr ? "name" : one_of(rule->texts); };
  if (field.kind == Class::TextsIn) {
    Node node = zero_node(field);
    node.kind = Node::List;
    const uint64_t count = 1 + below(2);
    for (uint64_t i = 0; i < count; i++) {
      node.kids.push_back(bytes_node(field, text() + std::string(1, '\0')));
    }
    return node;
  }
  const bool named = !context.named.empty() && std::strcmp(field.name, "name") == 0;
  context.text = named ? context.named : text();
  return bytes_node(field, context.text + std::string(1, '\0'));
}

Node Drawer::draw_ints(const Field& field, const Rule* rule, Context& context) {
  std::string bytes;
  const auto& tokens = rule->lists[context.way % rule->lists.size()];
  std::vector<int64_t> values;
  for (const std::string& token : tokens) values.push_back(extent(token, context));
  if (field.kind == Class::Inline) values.resize(field.entries);
  for (const int64_t value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), field.size);
  }
  if (std::strcmp(field.name, "shape") == 0) {
    context.shape = values;
    context.shape_drawn = true;
  }
  return bytes_node(field, bytes);
}

Node Drawer::draw_struct(const Field& field, const std::string& path, Context& context) {
  Node node = zero_node(field);
  const Struct& type = struct_of(field);
  node.kind = Node::Struct;
  node.room = node.struct_size = type.size;
  std::vector<Node> nodes;
  draw_fields(type.fields, type.fields_count, path + ".", type.name, context, nodes);
  for (Node& member : nodes) {
    const Class kind = member.field->kind;
    const bool number = kind == Class::Int || kind == Class::Real || kind == Class::Count;
    if (number && member.kind == Node::Zero) member.kind = Node::Number;
    if (kind != Class::Header && member.kind != Node::Zero) node.kids.push_back(std::move(member));
  }
  return node;
}

Node Drawer::draw_by_rule(const Field& field, const Rule* rule, const std::string& path,
                          Context& context, bool member) {
  if (rule != nullptr && rule->kind == '@' && rule->special != "enum" &&
      rule->special != "struct" && rule->special != "out") {
    return special(field, rule->special, context);
  }
  switch (field.kind) {
    case Class::Int:
    case Class::Real:
      return draw_number(field, rule, member, context);
    case Class::TextIn:
    case Class::TextsIn:
      return draw_text(field, rule, member, context);
    case Class::Inline:
    case Class::IntsIn:
      return rule == nullptr || rule->lists.empty() ? zero_node(field)
                                                    : draw_ints(field, rule, context);
    case Class::StructIn:
      return member && rule == nullptr ? zero_node(field) : draw_struct(field, path, context);
    case Class::HandleIn:
      if (member && rule == nullptr) return zero_node(field);
      if (is_release(kFunctions[context.function])) return taken_handle(field, field.of, context);
      if (rule != nullptr && rule->kind == 't') {
        return tensor(field, rule->lists[context.way % rule->lists.size()][0], context);
      }
      return handle(field, field.of, context);
    case Class::HandlesIn:
      return member && rule == nullptr ? zero_node(field) : tensors(field, rule, context);
    case Class::Hook:
      return special(field, "hook", context);
    case Class::ForeignIn:
      return handle(field, kForeign + field.of, context);
    default:
      return zero_node(field);
  }
}

Node Drawer::draw(const Field& field, const std::string& path, const char* owner,
                  Context& context) {
  const bool member = owner != nullptr;
  if (pinning_) {
    const std::string name = field.name;
    const bool other = context.depth == 2;
    if (name == "selector") {
      return bytes_node(field, (other ? "builtin" : settings.device) + std::string(1, '\0'));
    }
    if (name == "separate") return number_node(field, other && settings.device == "builtin");
    if (path == "device_open.options") return draw_struct(field, path, context);
    if (path == "pool_allocate.bytes") return number_node(field, 4096);
  }
  const Rule* rule = find_rule(field, path, owner);
  if (rule != nullptr && !fits(*rule, field)) rule = nullptr;
  if (rule != nullptr && rule->kind == '-') return zero_node(field);
  if (!chance(share(field, rule, path, member))) return zero_node(field);
  return draw_by_rule(field, rule, path, context, member);
}

Node Drawer::draw_count(const Field& field, const std::vector<Node>& nodes, const std::string& path,
                        const char* owner) {
  const Rule* rule = find_rule(field, path, owner);
  if (rule != nullptr && rule->kind == '-') return number_node(field, 0);
  if (rule != nullptr && rule->fixed && !rule->numbers.empty()) {
    return number_node(field, one_of(rule->numbers));
  }
  const Node& counted = nodes[static_cast<size_t>(field.counts)];
  if (!is_out(*counted.field)) return number_node(field, entries_of(counted));
  static const std::vector<uint64_t> capacities = {0, 1, 16, 2000};
  const bool handles = counted.field->kind == Class::HandlesOut;
  return number_node(field, handles ? below(3) : one_of(capacities));
}

Node Drawer::draw_out(const Field& field, const std::vector<Node>& nodes, Context& context) {
  Node node = zero_node(field);
  node.kind = Node::Out;
  node.bits = field.size;
  if (field.counted >= 0) {
    node.bits *= nodes[static_cast<size_t>(field.counted)].bits;
    if (node.bits == 0) return zero_node(field);
  }
  const std::string function = kFunctions[context.function].name;
  if (function == "netcl_kernel_create_matmul" && field.kind == Class::IntsOut) node.bits *= 2;
  if (function == "netcl_tensor_read" && field.kind == Class::DataOut) {
    node.bits = context.tensor_bytes;
    if (node.bits == 0) return zero_node(field);
  }
  if (field.kind == Class::StructOut) node.struct_size = node.bits;
  if (std::strcmp(field.name, "length") == 0 && chance(20)) return zero_node(field);
  return node;
}

void Drawer::draw_fields(const Field* fields, size_t count, const std::string& path,
                         const char* owner, Context& context, std::vector<Node>& nodes) {
  nodes.resize(count);
  for (size_t i = 0; i < count; i++) {
    nodes[i].field = &fields[i];
    if (is_out(fields[i]) || fields[i].kind == Class::Count) continue;
    nodes[i] = draw(fields[i], path + fields[i].name, owner, context);
  }
  for (size_t i = 0; i < count; i++) {
    if (fields[i].kind != Class::Count) continue;
    nodes[i] = draw_count(fields[i], nodes, path + fields[i].name, owner);
  }
  for (size_t i = 0; i < count; i++) {
    if (!is_out(fields[i])) continue;
    if (owner != nullptr) {
      const Rule* rule = find_rule(fields[i], path + fields[i].name, owner);
      if (rule == nullptr || rule->special != "out") continue;
      if (!chance(share(fields[i], rule, path, true))) continue;
    }
    nodes[i] = draw_out(fields[i], nodes, context);
    if (context.function == function_named("netcl_tensor_read") && owner == nullptr) {
      nodes[2] = number_node(fields[2], context.tensor_bytes);
    }
  }
}

Outcome Drawer::run(int function, Context& context, bool may_be_wrong) {
  Call call;
  context.function = function;
  context.way = random_();
  call.function = static_cast<uint16_t>(function);
  call.thread = static_cast<uint16_t>(thread_);
  const Function& what = call.what();
  const std::string path = std::string(what.name + std::strlen("netcl_")) + ".";
  draw_fields(what.params, what.params_count, path, nullptr, context, call.params);
  if (may_be_wrong && chance(settings.wrong)) make_wrong(call, context);
  call.id = objects_.next_call++;
  {
    const std::lock_guard guard(objects_.lock);
    std::string bytes;
    append(bytes, call);
    const uint64_t used = shared->used;
    if (used + bytes.size() > kJournalBytes) fail("journal full", "");
    std::memcpy(shared->journal + used, bytes.data(), bytes.size());
    shared->used = used + bytes.size();
  }
  Outcome outcome = executor_.execute(call);
  if (outcome.status == NETCL_OK) note_results(call, outcome, context);
  return outcome;
}

int Drawer::choose() {
  static const auto* const sums = [] {
    auto* made = new std::vector<uint64_t>;
    uint64_t sum = 0;
    for (int i = 0; i < kFunctionsCount; i++) {
      const bool only = settings.only == kFunctions[i].name;
      made->push_back(sum += uint64_t{kFunctions[i].weight} * (only ? 100 : 1));
    }
    return made;
  }();
  size_t live = 0;
  {
    const std::lock_guard guard(objects_.lock);
    live = objects_.live.size();
    if (live > 60 + 20 * static_cast<size_t>(settings.threads) && chance(40)) {
      const Entry& entry = objects_.live[below(live)];
      if (entry.type <= kHandleTypes) {
        return function_named((std::string(kHandleNames[entry.type]) + "_release").c_str());
      }
    }
  }
  const uint64_t at = below(sums->back());
  return static_cast<int>(std::upper_bound(sums->begin(), sums->end(), at) - sums->begin());
}

void Drawer::step() {
  Context context;
  context.side = chance(6) ? 1 : 0;
  run(choose(), context, true);
}

void Drawer::prologue() {
  pinning_ = true;
  for (const int side : {0, 1}) {
    Context context;
    context.side = side;
    context.depth = 1 + side;  // 2: the other device
    run(function_named("device_open"), context, false);
  }
  for (const char* name : {"device_get_queue", "device_get_pool", "pool_allocate",
                           "queue_enqueue_marker", "device_get_cl_context", "device_get_cl_device",
                           "queue_get_cl_queue", "buffer_get_cl_mem", "event_get_cl_event"}) {
    Context context;
    run(function_named(name), context, false);
  }
  pinning_ = false;
}

}  // namespace sequences
