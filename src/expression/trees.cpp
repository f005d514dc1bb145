#include "expression/trees.hpp"

#include "expression/graft.hpp"
#include "expression/join.hpp"

namespace netcl::expression {

Trees::Trees(std::vector<std::shared_ptr<const Tree>> list) : list_(std::move(list)) {
  TreeBuilder all;
  std::vector<uint32_t> inputs;
  for (size_t k = 0; k < list_.size(); ++k) {
    const Tree& tree = *list_[k];
    of_text(k, [&] {
      while (inputs.size() < tree.arity()) {
        inputs.push_back(all.input(static_cast<uint32_t>(inputs.size())));
      }
      graft(&all, tree, inputs);
    });
    text_ += (k == 0 ? "" : "; ") + tree.text();
  }
}

TypedTree infer(const Trees& trees, const netcl_dtype* inputs, uint32_t count,
                std::span<const netcl_dtype> results) {
  std::vector<TypedTree> typed;
  for (size_t k = 0; k < trees.size(); ++k) {
    const netcl_dtype result = results.empty() ? 0 : results[k];
    typed.push_back(of_text(k, [&] { return infer(trees[k], inputs, count, result); }));
  }
  if (typed.size() == 1) return std::move(typed[0]);
  TreeJoiner joiner;
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < count; ++i) values.push_back(joiner.add_input(inputs[i]));
  std::vector<TypedResult> stored;
  for (const TypedTree& tree : typed) {
    stored.push_back({joiner.add_tree(tree, values)[0], tree.result()});
  }
  return joiner.finish(stored);
}

}  // namespace netcl::expression
