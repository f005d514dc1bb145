#include "program.hpp"

#include <cstring>
#include <unordered_map>

namespace sequences {
namespace {

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(const unsigned char*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

void put_node(std::string& bytes, const Node& node) {
  put(bytes, node.kind);
  put(bytes, node.field);
  put(bytes, node.bits);
  put(bytes, node.struct_size);
  put(bytes, node.room);
  put(bytes, static_cast<uint32_t>(node.bytes.size()));
  bytes += node.bytes;
  put(bytes, static_cast<uint32_t>(node.kids.size()));
  for (const Node& kid : node.kids) put_node(bytes, kid);
}

Node take_node(const unsigned char*& at) {
  Node node;
  node.kind = take<Node::Kind>(at);
  node.field = take<const Field*>(at);
  node.bits = take<uint64_t>(at);
  node.struct_size = take<uint64_t>(at);
  node.room = take<uint64_t>(at);
  const uint32_t size = take<uint32_t>(at);
  node.bytes.assign(reinterpret_cast<const char*>(at), size);
  at += size;
  const uint32_t kids = take<uint32_t>(at);
  for (uint32_t i = 0; i < kids; i++) node.kids.push_back(take_node(at));
  return node;
}

}  // namespace

uint64_t ref_of(uint32_t call, unsigned result) { return (uint64_t{call} << 8) | result; }

void append(std::string& bytes, const Call& call) {
  std::string body;
  put(body, call.id);
  put(body, call.thread);
  put(body, call.function);
  put(body, call.refused);
  put(body, static_cast<uint32_t>(call.params.size()));
  for (const Node& node : call.params) put_node(body, node);
  put(bytes, static_cast<uint64_t>(body.size()));
  bytes += body;
}

std::vector<Call> calls_in(const unsigned char* bytes, size_t size) {
  std::vector<Call> calls;
  const unsigned char* at = bytes;
  while (at + sizeof(uint64_t) <= bytes + size) {
    const uint64_t body = take<uint64_t>(at);
    const unsigned char* end = at + body;
    if (body == 0 || end > bytes + size) break;
    Call call;
    call.id = take<uint32_t>(at);
    call.thread = take<uint16_t>(at);
    call.function = take<uint16_t>(at);
    call.refused = take<uint8_t>(at);
    const uint32_t params = take<uint32_t>(at);
    for (uint32_t i = 0; i < params; i++) call.params.push_back(take_node(at));
    calls.push_back(std::move(call));
    at = end;
  }
  return calls;
}

std::vector<int> results_of(const Call& call) {
  std::vector<int> types;
  for (const Node& param : call.params) {
    walk(param, [&types](const Node& node) {
      if (node.kind != Node::Out) return;
      const Class kind = node.field->kind;
      if (kind == Class::ForeignOut) types.push_back(kForeign + node.field->of);
      if (kind == Class::HandleOut) types.push_back(node.field->of);
      if (kind != Class::HandlesOut) return;
      for (uint64_t i = 0; i < node.bits / 8; i++) types.push_back(node.field->of);
    });
  }
  return types;
}

int function_named(const char* name) {
  static const auto* const numbers = [] {
    auto* made = new std::unordered_map<std::string, int>;
    for (int i = 0; i < kFunctionsCount; i++) made->emplace(kFunctions[i].name, i);
    return made;
  }();
  auto found = numbers->find(name);
  if (found == numbers->end()) found = numbers->find(std::string("netcl_") + name);
  return found == numbers->end() ? -1 : found->second;
}

const Struct& struct_of(const Field& field) { return kStructs[field.of]; }

}  // namespace sequences
