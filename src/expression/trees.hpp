// Expressions that are evaluated together: one typed tree with a result for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "expression/tree.hpp"
#include "expression/types.hpp"

namespace netcl::expression {

class Trees : public Accompanied, public std::enable_shared_from_this<Trees> {
 public:
  // Fails when they have more different nodes together than one expression may have.
  explicit Trees(std::vector<std::shared_ptr<const Tree>> list);

  size_t size() const noexcept { return list_.size(); }
  const Tree& operator[](size_t index) const { return *list_[index]; }
  // The canonical texts, "v0 + 1; v0 * v1", by which lists are told apart.
  const std::string& text() const noexcept { return text_; }

 private:
  std::vector<std::shared_ptr<const Tree>> list_;
  std::string text_;
};

// Calls function(); what fails in it names the text.
template <class Function>
auto of_text(size_t index, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    throw Error(error.status(), format("texts[%zu]: ", index) + error.message(),
                error.native_code());
  }
}

// Gives all nodes of all trees their dtypes, as infer does for each tree by itself; what trees have
// in common is there once. `results` has a dtype for each tree, 0 for the one that promotion gives,
// or nothing. Fails as infer does, naming the text.
TypedTree infer(const Trees& trees, const netcl_dtype* inputs, uint32_t count,
                std::span<const netcl_dtype> results);

}  // namespace netcl::expression
