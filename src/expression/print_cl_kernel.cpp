// Whole kernels: parameters, the loop over elements, loads and stores of every storage dtype.
#include <algorithm>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "expression/print_cl.hpp"
#include "expression/print_cl_helpers.hpp"

namespace netcl::expression {

namespace {

using Access = OperandShape::Access;

bool any_strided(const TypedTree& tree, const KernelPlan& plan) {
  for (size_t k = 0; k < plan.inputs.size(); ++k) {
    if (tree.used[k] && plan.inputs[k].access == Access::strided) return true;
  }
  return std::any_of(plan.outputs.begin(), plan.outputs.end(), [](const OperandShape& output) {
    return output.access == Access::strided;
  });
}

// What the names of an output and of its strides end in: nothing for the first.
std::string output_number(uint32_t k) { return k == 0 ? "" : number_text(k); }

void check_plan(const TypedTree& tree, const KernelPlan& plan) {
  const uint32_t w = plan.vector_width;
  const bool strided = any_strided(tree, plan);
  const bool sound = plan.inputs.size() == tree.inputs.size() &&
                     plan.outputs.size() == tree.results.size() && !tree.results.empty() &&
                     (tree.copied_input < 0 || tree.results.size() == 1) &&
                     (w == 1 || ((w == 4 || w == 8) && !strided)) &&
                     (!strided || (plan.rank >= 1 && plan.rank <= NETCL_RANK_MAX));
  bool dtypes = sound;
  for (size_t k = 0; dtypes && k < tree.inputs.size(); ++k) {
    dtypes = plan.inputs[k].dtype == tree.inputs[k];
  }
  for (size_t k = 0; dtypes && k < tree.results.size(); ++k) {
    dtypes = plan.outputs[k].dtype == tree.results[k].dtype &&
             plan.outputs[k].access != Access::scalar;
  }
  if (!dtypes) fail(NETCL_ERROR_INTERNAL, "the plan of an expression kernel contradicts its tree");
  if (tree.needs_f64 && !plan.f64_ok) {
    fail(NETCL_ERROR_UNSUPPORTED, "the expression computes in f64, and the device has no fp64");
  }
}

class KernelPrinter {
 public:
  KernelPrinter(const TypedTree& tree, const KernelPlan& plan)
      : tree_(tree), plan_(plan), strided_(any_strided(tree, plan)),
        copy_(tree.copied_input >= 0), index_(plan.index64 ? "long" : "int"),
        count_(plan.index64 ? "ulong" : "uint"), arguments_(kernel_arguments(tree, plan)) {
    for (const ArgumentRole& argument : arguments_) {
      if (argument.kind == ArgumentRole::Kind::literal) literals_.push_back(argument.operand);
    }
  }
  std::string run(const char* name);

 private:
  // The type a buffer's elements have in the source. Copies move integers: a float load may change
  // the bits of a NaN.
  std::string storage(netcl_dtype dtype) const;
  std::string parameters() const;
  std::string load(netcl_dtype dtype, const std::string& pointer, const std::string& at,
                   uint32_t width) const;
  std::string store(uint32_t output, const std::string& value, uint32_t width) const;
  bool copies_bits(uint32_t output) const;
  std::string load_bits(uint32_t input, uint32_t width) const;
  std::string store_bits(uint32_t output, const std::string& value, uint32_t width) const;
  std::string position(const std::string& operand, const OperandShape& shape) const;
  std::string value_type(netcl_dtype dtype, uint32_t width) const;
  std::string constants() const;
  std::string body(uint32_t width, std::string* helpers) const;
  std::string coordinates() const;
  std::string store_helpers(uint32_t width) const;

  const TypedTree& tree_;
  const KernelPlan& plan_;
  const bool strided_;
  const bool copy_;
  const std::string index_;
  const std::string count_;
  const std::vector<ArgumentRole> arguments_;
  std::vector<uint32_t> literals_;  // that are arguments
};

std::string KernelPrinter::storage(netcl_dtype dtype) const {
  if (copy_) {
    const size_t size = dtype_size(dtype);
    return size == 1 ? "uchar" : size == 2 ? "ushort" : size == 4 ? "uint" : "ulong";
  }
  return dtype == NETCL_F16 ? "half" : dtype_facts(dtype).cl_name;
}

std::string KernelPrinter::value_type(netcl_dtype dtype, uint32_t width) const {
  if (!copy_) return cl_type(compute_dtype(dtype), width);
  return width == 1 ? storage(dtype) : storage(dtype) + number_text(width);
}

std::string KernelPrinter::parameters() const {
  std::string out;
  for (const ArgumentRole& argument : arguments_) {
    const uint32_t k = argument.operand;
    const uint32_t d = argument.dimension;
    if (!out.empty()) out += ",\n    ";
    switch (argument.kind) {
      case ArgumentRole::Kind::input_pointer:
        out += "__global const " + storage(tree_.inputs[k]) + " *v" + number_text(k);
        break;
      case ArgumentRole::Kind::input_offset:
        out += "const " + index_ + " o" + number_text(k);
        break;
      case ArgumentRole::Kind::output_pointer:
        out += "__global " + storage(tree_.results[k].dtype) + " *out" + output_number(k);
        break;
      case ArgumentRole::Kind::output_offset:
        out += "const " + index_ + " oo" + output_number(k);
        break;
      case ArgumentRole::Kind::count: out += "const " + count_ + " n"; break;
      case ArgumentRole::Kind::extent:
        out += "const " + count_ + " e" + number_text(d);
        break;
      case ArgumentRole::Kind::input_stride:
        out += "const " + index_ + " s" + number_text(k) + "_" + number_text(d);
        break;
      case ArgumentRole::Kind::output_stride:
        out += "const " + index_ + " so" + output_number(k) + "_" + number_text(d);
        break;
      case ArgumentRole::Kind::literal:
        out += "const " + cl_type(tree_.nodes[k].dtype, 1) + " k" + number_text(k);
        break;
    }
  }
  return out;
}

std::string KernelPrinter::load(netcl_dtype dtype, const std::string& pointer,
                                const std::string& at, uint32_t width) const {
  const std::string w = width == 1 ? "" : number_text(width);
  const std::string place = pointer + " + " + at;
  if (dtype == NETCL_F16 && !copy_) {
    if (width == 1) return "vload_half(0, " + place + ")";
    // Only the vector of 3 has another stride for aligned loads, and it is not used here.
    if (plan_.aligned) return "vloada_half" + w + "(0, " + place + ")";
    // Lane by lane: PoCL 3.1 reads the vectors of vload_half<n> as if they were aligned, and
    // crashes.
    std::string lanes;
    for (uint32_t lane = 0; lane < width; ++lane) {
      if (lane > 0) lanes += ", ";
      lanes += "vload_half(" + number_text(lane) + ", " + place + ")";
    }
    return "(float" + w + ")(" + lanes + ")";
  }
  std::string raw;
  if (width == 1) {
    raw = pointer + "[" + at + "]";
  } else if (plan_.aligned) {
    raw = "*(__global const " + storage(dtype) + w + " *)(" + place + ")";
  } else {
    raw = "vload" + w + "(0, " + place + ")";
  }
  if (copy_) return raw;
  if (dtype == NETCL_BF16) return "as_float" + w + "(convert_uint" + w + "(" + raw + ") << 16)";
  if (dtype == NETCL_BOOL) {
    return "NX_BOOL" + number_text(width) + "(" + raw + " != (uchar" + w + ")(0))";
  }
  return raw;
}

std::string KernelPrinter::store(uint32_t output, const std::string& value,
                                 uint32_t width) const {
  const std::string w = width == 1 ? "" : number_text(width);
  const std::string number = output_number(output);
  const std::string at = "(" + position("o" + number, plan_.outputs[output]) + ")";
  const std::string place = "out" + number + " + " + at;
  const netcl_dtype dtype = tree_.results[output].dtype;
  if (dtype == NETCL_F16 && !copy_) {
    if (width == 1) return "vstore_half_rte(" + value + ", 0, " + place + ");";
    if (plan_.aligned) return "vstorea_half" + w + "_rte(" + value + ", 0, " + place + ");";
    std::string lanes;
    for (uint32_t lane = 0; lane < width; ++lane) {
      const char digit = "0123456789abcdef"[lane];
      if (lane > 0) lanes += "\n    ";
      lanes += "vstore_half_rte(" + value + ".s" + digit + ", " + number_text(lane) + ", " +
               place + ");";
    }
    return lanes;
  }
  std::string stored = value;
  if (dtype == NETCL_BF16 && !copy_) {
    const Helper& helper = find_helper("round_bf16", true);
    stored = "convert_ushort" + w + "(as_uint" + w + "(" +
             helper_name(helper, NETCL_F32, NETCL_F32, width) + "(" + value + ")) >> 16)";
  }
  if (width == 1) return "out" + number + "[" + at + "] = " + stored + ";";
  if (plan_.aligned) {
    return "*(__global " + storage(dtype) + w + " *)(" + place + ") = " + stored + ";";
  }
  return "vstore" + w + "(" + stored + ", 0, " + place + ");";
}

// Of several results one that is an input goes as bytes where a number in between might change it,
// a NaN or a truth value. Bytes may lie in the same memory as anything, to compilers too.
bool KernelPrinter::copies_bits(uint32_t output) const {
  const netcl_dtype dtype = tree_.results[output].dtype;
  return tree_.results.size() > 1 && copied_input(tree_, output) >= 0 &&
         (dtype == NETCL_F16 || dtype == NETCL_BF16 || dtype == NETCL_BOOL);
}

std::string bits_type(uint32_t bytes) {
  return bytes == 1 ? "uchar" : "uchar" + number_text(bytes);
}

std::string KernelPrinter::load_bits(uint32_t input, uint32_t width) const {
  const OperandShape& shape = plan_.inputs[input];
  const std::string number = number_text(input);
  const bool is_one = shape.access == Access::scalar;
  const uint32_t size = static_cast<uint32_t>(dtype_size(shape.dtype));
  const uint32_t bytes = size * (is_one ? 1 : width);
  const std::string place =
      "v" + number + " + " + (is_one ? "o" + number : "(" + position(number, shape) + ")");
  const std::string bits = "(__global const uchar *)(" + place + ")";
  const std::string loaded =
      bytes == 1 ? "*" + bits : "vload" + number_text(bytes) + "(0, " + bits + ")";
  if (!is_one || width == 1) return loaded;
  std::string repeated = "(" + bits_type(size * width) + ")(" + loaded;
  for (uint32_t lane = 1; lane < width; ++lane) repeated += ", " + loaded;
  return repeated + ")";
}

std::string KernelPrinter::store_bits(uint32_t output, const std::string& value,
                                      uint32_t width) const {
  const OperandShape& shape = plan_.outputs[output];
  const std::string number = output_number(output);
  const uint32_t bytes = static_cast<uint32_t>(dtype_size(shape.dtype)) * width;
  const std::string bits =
      "(__global uchar *)(out" + number + " + (" + position("o" + number, shape) + "))";
  if (bytes == 1) return "*" + bits + " = " + value + ";";
  return "vstore" + number_text(bytes) + "(" + value + ", 0, " + bits + ");";
}

// Index of the current element of an operand, whose offset and strides end in `operand`.
std::string KernelPrinter::position(const std::string& operand, const OperandShape& shape) const {
  std::string text = "o" + operand;
  if (shape.access == Access::contiguous) return text + " + (" + index_ + ")i";
  for (uint32_t d = 0; d < plan_.rank; ++d) {
    const std::string dimension = number_text(d);
    text += " + c" + dimension + " * s" + operand + "_" + dimension;
  }
  return text;
}

// What stores need beside the helpers of values.
std::string KernelPrinter::store_helpers(uint32_t width) const {
  const bool rounds =
      std::any_of(tree_.results.begin(), tree_.results.end(),
                  [](const TypedResult& result) { return result.dtype == NETCL_BF16; });
  if (!rounds) return "";
  const Helper& helper = find_helper("round_bf16", true);
  const std::string name = helper_name(helper, NETCL_F32, NETCL_F32, width);
  return "#ifndef " + name + "_\n#define " + name + "_\n" +
         helper_text(helper, NETCL_F32, NETCL_F32, width) + "#endif\n";
}

std::string KernelPrinter::coordinates() const {
  if (!strided_) return "";
  std::string out = "    " + count_ + " rest = i;\n";
  for (uint32_t d = plan_.rank; d-- > 0;) {
    const std::string e = number_text(d);
    if (d == 0) {
      out += "    const " + index_ + " c0 = (" + index_ + ")rest;\n";
    } else {
      out += "    const " + index_ + " c" + e + " = (" + index_ + ")(rest % e" + e + ");\n";
      out += "    rest /= e" + e + ";\n";
    }
  }
  return out;
}

// Loads that are the same for every element.
std::string KernelPrinter::constants() const {
  std::string out;
  for (size_t k = 0; k < tree_.inputs.size(); ++k) {
    if (!tree_.used[k] || plan_.inputs[k].access != Access::scalar) continue;
    const std::string number = number_text(k);
    out += "  const " + value_type(tree_.inputs[k], 1) + " y" + number + " = " +
           load(tree_.inputs[k], "v" + number, "o" + number, 1) + ";\n";
  }
  return out;
}

std::string KernelPrinter::body(uint32_t width, std::string* helpers) const {
  std::string out = width == 1 ? coordinates() : "";
  for (size_t k = 0; k < tree_.inputs.size(); ++k) {
    if (!tree_.used[k]) continue;
    const OperandShape& shape = plan_.inputs[k];
    const std::string number = number_text(k);
    const std::string type = value_type(shape.dtype, width);
    const std::string value =
        shape.access == Access::scalar
            ? "(" + type + ")(y" + number + ")"
            : load(shape.dtype, "v" + number, "(" + position(number, shape) + ")", width);
    out += "    const " + type + " x" + number + " = " + value + ";\n";
  }
  std::vector<std::string> values{"x" + number_text(std::max(tree_.copied_input, 0))};
  if (!copy_) {
    ValueCode code = expression_cl(tree_, width, literals_);
    *helpers += code.helpers;
    out += code.statements;
    values = code.results;
    *helpers += store_helpers(width);
  }
  // All loads stand before all stores.
  const auto results = static_cast<uint32_t>(tree_.results.size());
  for (uint32_t k = 0; k < results; ++k) {
    if (!copies_bits(k)) continue;
    const auto size = static_cast<uint32_t>(dtype_size(tree_.results[k].dtype));
    values[k] = "b" + number_text(k);
    out += "    const " + bits_type(size * width) + " " + values[k] + " = " +
           load_bits(static_cast<uint32_t>(copied_input(tree_, k)), width) + ";\n";
  }
  for (uint32_t k = 0; k < results; ++k) {
    const std::string stored =
        copies_bits(k) ? store_bits(k, values[k], width) : store(k, values[k], width);
    out += "    " + stored + "\n";
  }
  return out;
}

std::string KernelPrinter::run(const char* name) {
  const uint32_t width = plan_.vector_width;
  const std::string w = number_text(width);
  std::string helpers;
  std::string loops;
  const std::string step = "(" + count_ + ")get_global_size(0)";
  const std::string first = "(" + count_ + ")get_global_id(0)";
  if (width > 1) {
    loops += "  const " + count_ + " whole = n / " + w + "u;\n";
    loops += "  for (" + count_ + " g = " + first + "; g < whole; g += " + step + ") {\n";
    loops += "    const " + count_ + " i = g * " + w + "u;\n" + body(width, &helpers) + "  }\n";
  }
  const std::string start = width > 1 ? "whole * " + w + "u + " + first : first;
  loops += "  for (" + count_ + " i = " + start + "; i < n; i += " + step + ") {\n" +
           body(1, &helpers) + "  }\n";
  std::string out;
  if (tree_.needs_f64) out += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  // Products and sums keep their own roundings, so that all devices agree on them.
  out += "#pragma OPENCL FP_CONTRACT OFF\n";
  out += helpers;
  out += std::string("__kernel void ") + name + "(\n    " + parameters() + ") {\n";
  return out + constants() + loops + "}\n";
}

// What compilers treat by the values of operands: with a value that is known, powers, shifts and
// divisions of integers become other and faster code.
bool depends_on_values(const TypedNode& node) {
  const bool divides = node.op == Op::div || node.op == Op::mod;
  return node.op == Op::pow || node.op == Op::ipow || op_facts(node.op).rule == Rule::shift ||
         (divides && !is_float(node.dtype));
}

void add_literals(const TypedTree& tree, std::vector<ArgumentRole>* list) {
  constexpr size_t kLiteralsMax = 16;
  // Every device takes 1 KiB of arguments, and none is larger than a pointer.
  constexpr size_t kArgumentsMax = 1024 / 8;
  std::vector<bool> fixed(tree.nodes.size());
  for (const TypedNode& node : tree.nodes) {
    if (!depends_on_values(node)) continue;
    for (uint32_t i = 0; i < op_facts(node.op).arity; ++i) fixed[node.args[i]] = true;
  }
  size_t most = list->size() < kArgumentsMax ? kArgumentsMax - list->size() : 0;
  most = std::min(most, kLiteralsMax);
  for (uint32_t i = 0; i < tree.nodes.size() && most > 0; ++i) {
    const TypedNode& node = tree.nodes[i];
    if (node.op != Op::literal || node.dtype == NETCL_BOOL || fixed[i]) continue;
    const uint32_t size = static_cast<uint32_t>(dtype_size(node.dtype));
    list->push_back({ArgumentRole::Kind::literal, i, 0, size, literal_bits(node)});
    --most;
  }
}

void add_strides(const TypedTree& tree, const KernelPlan& plan, uint32_t word,
                 std::vector<ArgumentRole>* list) {
  using Kind = ArgumentRole::Kind;
  for (uint32_t d = 0; d < plan.rank; ++d) list->push_back({Kind::extent, 0, d, word});
  const uint32_t inputs = static_cast<uint32_t>(plan.inputs.size());
  for (uint32_t k = 0; k < inputs; ++k) {
    if (!tree.used[k] || plan.inputs[k].access != Access::strided) continue;
    for (uint32_t d = 0; d < plan.rank; ++d) list->push_back({Kind::input_stride, k, d, word});
  }
  for (uint32_t k = 0; k < plan.outputs.size(); ++k) {
    if (plan.outputs[k].access != Access::strided) continue;
    for (uint32_t d = 0; d < plan.rank; ++d) list->push_back({Kind::output_stride, k, d, word});
  }
}

}  // namespace

std::vector<ArgumentRole> kernel_arguments(const TypedTree& tree, const KernelPlan& plan) {
  using Kind = ArgumentRole::Kind;
  const uint32_t word = plan.index64 ? 8 : 4;
  std::vector<ArgumentRole> list;
  const uint32_t inputs = static_cast<uint32_t>(plan.inputs.size());
  for (uint32_t k = 0; k < inputs; ++k) {
    if (!tree.used[k]) continue;
    list.push_back({Kind::input_pointer, k, 0, 0});
    list.push_back({Kind::input_offset, k, 0, word});
  }
  for (uint32_t k = 0; k < plan.outputs.size(); ++k) {
    list.push_back({Kind::output_pointer, k, 0, 0});
    list.push_back({Kind::output_offset, k, 0, word});
  }
  list.push_back({Kind::count, 0, 0, word});
  if (any_strided(tree, plan)) add_strides(tree, plan, word, &list);
  add_literals(tree, &list);
  return list;
}

std::string kernel_source(const TypedTree& tree, const KernelPlan& plan, const char* kernel_name) {
  check_plan(tree, plan);
  return KernelPrinter(tree, plan).run(kernel_name);
}

}  // namespace netcl::expression
