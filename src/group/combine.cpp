#include "group/combine.hpp"

#include <vector>

#include "backend/cpu/thread_pool.hpp"
#include "core/error.hpp"
#include "expression/iteration.hpp"
#include "expression/tree.hpp"

namespace netcl::group {

std::string joined_text(netcl_reduction kind, netcl_dtype dtype, size_t sources) {
  const bool smallest = kind == NETCL_REDUCTION_MIN;
  const bool largest = kind == NETCL_REDUCTION_MAX;
  const bool product = kind == NETCL_REDUCTION_PROD;
  const char* const sign =
      dtype == NETCL_BOOL ? (smallest || product ? "&&" : "||") : (product ? "*" : "+");
  std::string text = "v0";
  for (size_t i = 1; i < sources; ++i) {
    if (dtype != NETCL_BOOL && (smallest || largest)) {
      text = format("%s(%s, v%zu)", smallest ? "min" : "max", text.c_str(), i);
    } else {
      text += format(" %s v%zu", sign, i);
    }
  }
  if (kind == NETCL_REDUCTION_MEAN) text = format("(%s) / %zu.0", text.c_str(), sources);
  return text;
}

namespace {

Layout packed(int64_t count) noexcept { return packed_layout(1, &count); }

}  // namespace

const netcl::cpu::Evaluation& Combine::evaluation(const Key& key) {
  if (const auto* const known = known_.find(key)) return **known;
  const auto tree = expression::parse(joined_text(key.kind, key.dtype, key.sources).c_str());
  const std::vector<netcl_dtype> inputs(key.sources, key.dtype);
  const expression::TypedTree typed =
      expression::infer(*tree, inputs.data(), static_cast<uint32_t>(inputs.size()), key.dtype);
  const std::vector<netcl::cpu::Evaluation::Access> accesses(key.sources + 1,
                                                             expression::access_of(packed(2)));
  return *known_.insert(
      key, std::make_unique<netcl::cpu::Evaluation>(typed, accesses.data(), accesses.data()));
}

void Combine::run(netcl_dtype dtype, netcl_reduction kind, std::span<const void* const> sources,
                  void* out, int64_t count) {
  if (count == 0) return;
  const netcl::cpu::Evaluation& work = evaluation({dtype, kind, sources.size()});
  const Layout layout = packed(count);
  netcl::cpu::EvaluateOperand inputs[NETCL_GROUP_SIZE_MAX];
  for (size_t i = 0; i < sources.size(); ++i) {
    inputs[i] = {const_cast<void*>(sources[i]), &layout};
  }
  const netcl::cpu::EvaluateOperand output{out, &layout};
  work.run(inputs, &output, netcl::cpu::process_threads(), false);
}

}  // namespace netcl::group
