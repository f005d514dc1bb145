// A sequence as a C program that compiles against netcl.h.
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>

#include "state.hpp"

namespace sequences {
namespace {

class Printer {
 public:
  explicit Printer(std::ostringstream& out) : out_(out) {}

  void call(const Call& call) {
    const Function& function = call.what();
    std::string arguments;
    outs_.clear();
    out_ << "  {\n";
    for (const Node& param : call.params) {
      if (!arguments.empty()) arguments += ", ";
      arguments += expression(param);
    }
    const std::string made = std::string(function.name) + "(" + arguments + ")";
    if (function.returns == Returns::Status) {
      out_ << "    const netcl_status status = " << made << ";\n    say(\"" << call.id << " "
           << function.name << "\", status);\n";
      unsigned number = 0;
      for (const auto& [name, count] : outs_) {
        for (uint64_t i = 0; i < count; i++, number++) {
          out_ << "    if (status == NETCL_OK) h[" << slot(ref_of(call.id, number)) << "] = keep("
               << name << "[" << i << "]);\n";
        }
      }
    } else {
      out_ << "    " << made << ";\n";
    }
    out_ << "  }\n";
  }

  size_t slots() const { return slots_.size(); }

  size_t slot(uint64_t ref) { return slots_.try_emplace(ref, slots_.size()).first->second; }

 private:
  std::string name() { return "v" + std::to_string(names_++); }

  static std::string number(const Field& field, uint64_t bits) {
    char text[64];
    if (field.kind == Class::Real) {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      if (value != value) return "(double)NAN";
      if (value > 1.7e308) return "(double)INFINITY";
      snprintf(text, sizeof text, "%a", value);
      return text;
    }
    const char* sign = field.is_signed ? "" : "u";
    if (field.size == 4) {
      if (field.is_signed) {
        snprintf(text, sizeof text, "(int32_t)0x%xu", static_cast<unsigned>(bits));
      } else {
        snprintf(text, sizeof text, "%uu", static_cast<unsigned>(bits));
      }
      return text;
    }
    if (field.is_signed)
      snprintf(text, sizeof text, "(int64_t)0x%llxu", (unsigned long long)bits);
    else
      snprintf(text, sizeof text, "%llu%s", (unsigned long long)bits, sign);
    return text;
  }

  static std::string bytes_of(const std::string& bytes) {
    std::string text = "{";
    for (const unsigned char byte : bytes) text += std::to_string(byte) + ",";
    if (bytes.empty()) text += "0";
    return text + "}";
  }

  std::string bytes(const Node& node) {
    const std::string made = name();
    out_ << "    static _Alignas(64) unsigned char " << made << "[] = " << bytes_of(node.bytes)
         << ";";
    bool readable = node.bytes.size() > 1 && node.bytes.back() == '\0';
    for (size_t i = 0; i + 1 < node.bytes.size(); i++) {
      if (node.bytes[i] < 0x20 || node.bytes[i] == '*' || node.bytes[i] == '\\') readable = false;
    }
    if (readable) out_ << " /* \"" << node.bytes.c_str() << "\" */";
    out_ << "\n";
    return "(void *)" + made;
  }

  void member(const std::string& owner, const Node& node) {
    const Field& field = *node.field;
    if (field.kind == Class::Inline) {
      const std::string made = bytes(node);
      out_ << "    memcpy(&" << owner << "." << field.name << ", " << made << ", "
           << node.bytes.size() << ");\n";
      return;
    }
    if (node.kind == Node::Zero || (node.kind == Node::Number && node.bits == 0)) return;
    const std::string value = expression(node);
    out_ << "    " << owner << "." << field.name << " = " << value << ";\n";
  }

  std::string structure(const Node& node) {
    const Struct& type = struct_of(*node.field);
    const std::string made = name();
    const uint64_t room = node.room > type.size ? node.room : type.size;
    out_ << "    static union { " << type.name << " s; unsigned char all[" << room << "]; } "
         << made << ";\n    memset(&" << made << ", 0, sizeof " << made << ");\n";
    if (room > type.size && !node.bytes.empty()) {
      out_ << "    memset(" << made << ".all + sizeof(" << type.name << "), " << int{node.bytes[0]}
           << ", " << room - type.size << ");\n";
    }
    for (const Node& kid : node.kids) member(made + ".s", kid);
    if (type.headed) out_ << "    " << made << ".s.struct_size = " << node.struct_size << "u;\n";
    return "&" + made + ".s";
  }

  std::string list(const Node& node) {
    const std::string made = name();
    const size_t count = node.kids.empty() ? 1 : node.kids.size();
    if (node.field->kind == Class::StructsIn) {
      out_ << "    static " << struct_of(*node.field).name << " " << made << "[" << count << "];\n";
      for (size_t i = 0; i < node.kids.size(); i++) {
        for (const Node& kid : node.kids[i].kids) {
          member(made + "[" + std::to_string(i) + "]", kid);
        }
      }
      return made;
    }
    out_ << "    static void *" << made << "[" << count << "];\n";
    for (size_t i = 0; i < node.kids.size(); i++) {
      const std::string value = expression(node.kids[i]);
      out_ << "    " << made << "[" << i << "] = (void *)" << value << ";\n";
    }
    return "(void *)" + made;
  }

  std::string out(const Node& node) {
    const std::string made = name();
    const Class kind = node.field->kind;
    out_ << "    static uint64_t " << made << "[" << node.bits / 8 + 1 << "];\n    memset(" << made
         << ", 0xA5, sizeof " << made << ");\n";
    if (kind == Class::StructOut && struct_of(*node.field).headed) {
      out_ << "    " << made << "[0] = " << node.struct_size << "u;\n";
    }
    if (kind == Class::HandleOut || kind == Class::HandlesOut || kind == Class::ForeignOut) {
      outs_.emplace_back(made, node.bits / 8);
    }
    return "(void *)" + made;
  }

  std::string expression(const Node& node) {
    const Field& field = *node.field;
    const bool plain =
        field.kind == Class::Int || field.kind == Class::Count || field.kind == Class::Real;
    switch (node.kind) {
      case Node::Zero:
        return plain ? "0" : "NULL";
      case Node::Number:
        return number(field, node.bits);
      case Node::Ref:
        return "h[" + std::to_string(slot(node.bits)) + "]";
      case Node::Junk:
        return "(void *)(uintptr_t)" + std::to_string(node.bits) + "u";
      case Node::Bytes:
        return bytes(node);
      case Node::List:
        return list(node);
      case Node::Struct:
        return structure(node);
      case Node::Out:
        return out(node);
      case Node::HookFn: {
        const char* const kinds[] = {"works", "works", "fails", "odd"};
        return std::string(field.type + std::strlen("netcl_")) + "_" + kinds[node.bits];
      }
      case Node::Token:
        return "(void *)h";
      case Node::Managed:
        return "new_managed()";
    }
    return "0";
  }

  std::ostringstream& out_;
  std::unordered_map<uint64_t, size_t> slots_;
  std::vector<std::pair<std::string, uint64_t>> outs_;
  unsigned names_ = 0;
};

const char kBegin[] = R"(#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netcl.h"

/* What calls gave: handles and other pointers. */
static void *h[HANDLES];

static inline void *keep(uint64_t word) {
  return word == 0xA5A5A5A5A5A5A5A5u ? NULL : (void *)(uintptr_t)word;
}
static inline void say(const char *call, netcl_status status) {
  printf("%s: %s %s\n", call, netcl_status_name(status),
         status == NETCL_OK ? "" : netcl_last_error_message());
}
)";

void print_hooks(std::ostringstream& out) {
  out << "/* Functions of the host. */\n#define UNUSED __attribute__((unused)) static\n"
         "UNUSED void log_fn_works(const netcl_log_record *r, void *d) { (void)r; (void)d; }\n"
         "UNUSED void destroy_fn_works(void *d) { (void)d; }\n";
  const struct {
    const char *name, *params, *works;
  } hooks[] = {
      {"primitive_fn", "const netcl_primitive_call *c, netcl_tensor **made, void *d",
       "netcl_op_expression_text(c->grad || c->inputs_count > 1 ? \"v0 * v1\" : \"v0\", c->grad ? "
       "(netcl_tensor *[]){c->grad, c->inputs[0]} : c->inputs, c->grad ? 2 : c->inputs_count, "
       "NULL, "
       "c->run, made)"},
      {"graph_fn", "const netcl_graph_call *c, netcl_tensor **made, void *d",
       "netcl_op_expression_text(\"v0 + exp(v1)\", (netcl_tensor *[]){c->inputs[0], "
       "c->inputs[c->inputs_count - 1]}, 2, NULL, c->run, made)"},
      {"work_fn", "netcl_queue *c, void *d", "netcl_queue_flush(c)"}};
  for (const auto& hook : hooks) {
    const bool makes = std::strstr(hook.params, "made") != nullptr;
    const char* unused = makes ? "(void)c; (void)made; (void)d;" : "(void)c; (void)d;";
    out << "UNUSED netcl_status " << hook.name << "_works(" << hook.params << ") {\n  " << unused
        << "\n  return " << hook.works << ";\n}\n";
    out << "UNUSED netcl_status " << hook.name << "_fails(" << hook.params << ") {\n  " << unused
        << "\n  return netcl_last_error_set(-16, 0, \"no file\"), -16;\n}\n";
    out << "UNUSED netcl_status " << hook.name << "_odd(" << hook.params << ") {\n  " << unused
        << "\n  return 0;\n}\n";
  }
  out << "UNUSED void *new_managed(void) { return calloc(1, 256); /* a DLManagedTensor */ }\n\n";
}

}  // namespace

std::string print_program(const std::vector<Call>& calls, const std::string& why) {
  std::ostringstream body, out;
  std::map<int, size_t> threads;  // each with the number of its calls
  for (const Call& call : calls) threads[call.thread]++;
  Printer printer(body);
  for (const auto& thread : threads) {
    body << "static void *thread_" << thread.first << "(void *unused) {\n";
    for (const Call& call : calls) {
      if (call.thread == thread.first) printer.call(call);
    }
    body << "  return unused;\n}\n\n";
  }
  std::string line = why.substr(0, why.find('\n'));
  for (char& letter : line) {
    if (letter == '*' || static_cast<unsigned char>(letter) < 0x20) letter = ' ';
  }
  out << "/* " << line << " */\n#define HANDLES " << printer.slots() + 1 << "\n" << kBegin;
  print_hooks(out);
  out << body.str() << "int main(void) {\n  pthread_t threads[" << kThreadsMost
      << "];\n  (void)threads;\n";
  // What comes before all threads has the highest number.
  if (threads.count(kPrologue) > 0) out << "  thread_" << kPrologue << "(NULL);\n";
  for (const auto& thread : threads) {
    if (thread.first == kPrologue) continue;
    out << "  pthread_create(&threads[" << thread.first << "], NULL, thread_" << thread.first
        << ", NULL);\n";
  }
  for (const auto& thread : threads) {
    if (thread.first != kPrologue)
      out << "  pthread_join(threads[" << thread.first << "], NULL);\n";
  }
  out << "  return 0;\n}\n";
  return out.str();
}

}  // namespace sequences
