#include "execute.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "checks.hpp"
#include "netcl.h"

namespace sequences {

uint64_t Results::get(uint64_t ref) const {
  const std::lock_guard guard(lock_);
  const auto found = values_.find(ref);
  return found == values_.end() ? 0 : found->second;
}

void Results::set(uint64_t ref, uint64_t value) {
  const std::lock_guard guard(lock_);
  values_[ref] = value;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kGuard = 0;  // its own redzones begin at the very next byte
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr size_t kGuard = 0;
#else
constexpr size_t kGuard = 32;
#endif
#else
constexpr size_t kGuard = 32;
#endif

void* Memory::take(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, bytes + kGuard + (bytes + kGuard == 0)) != 0) abort();
  std::memset(static_cast<unsigned char*>(memory) + bytes, kPoison, kGuard);
  blocks_.push_back({memory, bytes});
  return memory;
}

void Memory::check_guards(const char* where) const {
  for (const Block& block : blocks_) {
    const auto* guard = static_cast<const unsigned char*>(block.memory) + block.bytes;
    for (size_t i = 0; i < kGuard; i++) {
      if (guard[i] != kPoison) {
        fail(std::string("overrun ") + where,
             "written behind memory of the caller, of " + std::to_string(block.bytes) + " bytes");
      }
    }
  }
}

Memory::~Memory() {
  for (const Block& block : blocks_) free(block.memory);
}

void* Executor::list(const Node& node) {
  const bool structs = node.field->kind == Class::StructsIn;
  const size_t size = structs ? node.field->size : sizeof(void*);
  auto* memory = static_cast<unsigned char*>(memory_.take(node.kids.size() * size));
  std::memset(memory, 0, node.kids.size() * size);
  for (size_t i = 0; i < node.kids.size(); i++) {
    if (!structs) {
      const uint64_t bits = value(node.kids[i]).bits;
      std::memcpy(memory + i * size, &bits, sizeof bits);
      continue;
    }
    for (const Node& member : node.kids[i].kids) {
      write_member(memory + i * size + member.field->offset, member);
    }
  }
  return memory;
}

void Executor::write_member(unsigned char* at, const Node& node) {
  const Field& field = *node.field;
  if (field.kind == Class::Inline) {
    std::memcpy(at, node.bytes.data(), node.bytes.size());
    return;
  }
  const uint64_t bits = value(node).bits;
  const bool number = field.kind == Class::Int || field.kind == Class::Count;
  std::memcpy(at, &bits, number ? field.size : sizeof bits);
}

void* Executor::structure(const Node& node) {
  auto* memory = static_cast<unsigned char*>(memory_.take(node.room));
  std::memset(memory, 0, node.room);
  const Struct& type = struct_of(*node.field);
  if (node.room > type.size && !node.bytes.empty()) {
    std::memset(memory + type.size, node.bytes[0], node.room - type.size);
  }
  for (const Node& member : node.kids) {
    const Field& field = *member.field;
    const size_t bytes = field.kind == Class::Inline ? size_t{field.size} * field.entries : 8;
    const bool number = field.kind == Class::Int || field.kind == Class::Count;
    if (field.offset + (number ? field.size : bytes) > node.room) continue;
    write_member(memory + field.offset, member);
  }
  if (type.headed && node.room >= sizeof(size_t)) {
    std::memcpy(memory, &node.struct_size, sizeof(size_t));
  }
  return memory;
}

void* Executor::out(const Node& node) {
  auto* memory = static_cast<unsigned char*>(memory_.take(node.bits));
  std::memset(memory, kPoison, node.bits);
  const bool headed = node.field->kind == Class::StructOut && struct_of(*node.field).headed;
  if (headed && node.bits >= sizeof(size_t)) {
    std::memcpy(memory, &node.struct_size, sizeof(size_t));
  }
  spans_.push_back({memory, node.bits, headed ? sizeof(size_t) : 0, &node});
  return memory;
}

Argument Executor::value(const Node& node) {
  Argument argument{};
  switch (node.kind) {
    case Node::Zero:
      break;
    case Node::Number:
    case Node::Junk:
      argument.bits = node.bits;
      break;
    case Node::Ref:
      argument.bits = results_.get(node.bits);
      break;
    case Node::Bytes:
      argument.pointer = memory_.take(node.bytes.size());
      std::memcpy(argument.pointer, node.bytes.data(), node.bytes.size());
      break;
    case Node::List:
      argument.pointer = list(node);
      break;
    case Node::Struct:
      argument.pointer = structure(node);
      break;
    case Node::Out:
      argument.pointer = out(node);
      break;
    case Node::HookFn:
      argument.pointer = hook_function(node.field->of, node.bits);
      break;
    case Node::Token:
      argument.pointer = new_token();
      break;
    case Node::Managed:
      argument.pointer = new_managed();
      break;
  }
  return argument;
}

std::string Executor::last_error(netcl_error_info* into) {
  netcl_error_info own = NETCL_ERROR_INFO_INIT;
  netcl_error_info& info = into == nullptr ? own : *into;
  if (netcl_last_error_get_info(&info) != NETCL_OK) fail("no last error", "");
  return std::to_string(info.status) + " " + info.message;
}

void Executor::check_outputs(const Call& call, int32_t status) {
  for (const Span& span : spans_) {
    const std::string where = std::string(call.what().name) + "." + span.node->field->name;
    if (status != NETCL_OK) {
      for (size_t i = span.header; i < span.bytes; i++) {
        if (span.memory[i] == kPoison || span.memory[i] == 0) continue;
        fail("output written on error: " + where, "byte " + std::to_string(i) + " after " +
                                                      netcl_status_name(status) + ": " +
                                                      netcl_last_error_message());
      }
    }
    const Field& field = *span.node->field;
    if (status != NETCL_OK || field.counted < 0) continue;
    // Arrays that calls write are parameters, whose count may have been made smaller.
    const uint64_t room = call.params[static_cast<size_t>(field.counted)].bits * field.size;
    for (size_t i = room; i < span.bytes; i++) {
      if (span.memory[i] != kPoison) fail("written beyond the capacity: " + where, "");
    }
    if (field.kind == Class::TextOut && room > 0 && room <= span.bytes &&
        std::memchr(span.memory, 0, room) == nullptr) {
      fail("text without an end: " + where, "");
    }
  }
}

void Executor::check(const Call& call, int32_t status) {
  const Function& function = call.what();
  const std::string before = last_error_;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  last_error_ = last_error(&info);
  if (function.returns == Returns::Status && status != NETCL_OK) {
    check_error(function.name, status, info);
    if (settings.verbose) {
      snprintf(shared->refusal[call.function], sizeof shared->refusal[0], "%s: %.150s",
               netcl_status_name(status), info.message);
    }
  } else if (!hooked_ && last_error_ != before &&
             std::strcmp(function.name, "netcl_last_error_set") != 0) {
    fail(std::string("last error changed by success: ") + function.name,
         before + " became " + last_error_);
  }
  if (function.returns == Returns::Status && status == NETCL_OK && call.refused) {
    fail(std::string("bad handle accepted: ") + function.name, "it gave NETCL_OK");
  }
  check_outputs(call, status);
  if (printed_bytes() > 0) fail(std::string("printed: ") + function.name, "on stdout or stderr");
}

void Executor::take_results(const Call& call, Outcome& outcome) {
  const char* const name = call.what().name;
  const bool some = std::strcmp(name, "netcl_graph_evaluate") == 0 ||
                    std::strcmp(name, "netcl_model_evaluate") == 0;
  for (const Span& span : spans_) {
    const Class kind = span.node->field->kind;
    if (kind != Class::HandleOut && kind != Class::HandlesOut && kind != Class::ForeignOut) {
      continue;
    }
    const Field& field = *span.node->field;
    const bool several = kind == Class::HandlesOut;
    const uint64_t count = several ? call.params[static_cast<size_t>(field.counted)].bits : 1;
    for (size_t i = 0; i + 8 <= span.bytes; i += 8) {
      uint64_t bits = 0;
      std::memcpy(&bits, span.memory + i, sizeof bits);
      if (bits == kPoisonWord && outcome.status == NETCL_OK && !some && i / 8 < count) {
        fail(std::string("output not written: ") + call.what().name, field.name);
      }
      const bool given = outcome.status == NETCL_OK && bits != kPoisonWord;
      outcome.results.push_back(given ? bits : 0);
    }
  }
}

Outcome Executor::execute(const Call& call) {
  const Function& function = call.what();
  spans_.clear();
  Argument arguments[16];
  void *token = nullptr, *managed = nullptr;
  bool destroys = false;
  for (size_t i = 0; i < call.params.size(); i++) {
    arguments[i] = value(call.params[i]);
    if (call.params[i].kind == Node::Token) token = arguments[i].pointer;
    if (call.params[i].kind == Node::Managed) managed = arguments[i].pointer;
    if (call.params[i].kind == Node::HookFn && is_destroy(call.params[i])) destroys = true;
  }
  // So that an error without a message is seen whatever failed before.
  netcl_last_error_set(NETCL_ERROR_NOT_FOUND, 0, kBefore);
  last_error_ = last_error();
  hook_ran = false;
  shared->running[thread_] = call.function;
  shared->begun[thread_] = now_ns();
  const uint64_t returned = function.call(arguments);
  shared->begun[thread_] = 0;
  hooked_ = hook_ran;
  Outcome outcome;
  if (function.returns == Returns::Status) outcome.status = static_cast<int32_t>(returned);
  if (function.returns == Returns::Text && returned == 0) fail("no text", function.name);
  check(call, outcome.status);
  take_results(call, outcome);
  for (size_t i = 0; i < outcome.results.size(); i++) {
    results_.set(ref_of(call.id, static_cast<unsigned>(i)), outcome.results[i]);
  }
  if (managed != nullptr && outcome.status != NETCL_OK) release_managed(managed);
  if (token != nullptr) {
    const bool always = std::strcmp(function.name, "netcl_log_set_callback") != 0;
    expect_destroyed(token, destroys && (always || outcome.status == NETCL_OK));
  }
  (outcome.status == NETCL_OK ? shared->good : shared->bad)[call.function]++;
  shared->calls++;
  return outcome;
}

void Executor::end_thread() {
  while (netcl_region_pop() == NETCL_OK) {
  }
  while (netcl_device_pop() == NETCL_OK) {
  }
}

}  // namespace sequences
