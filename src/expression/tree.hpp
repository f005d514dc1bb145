// An elementwise expression as an immutable tree: what the text says, before any dtype is known.
// Nodes that are equal are one node, and every node comes after its arguments, so a pass over the
// expression (inference, printing, differentiation) is one loop over an array.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "expression/op.hpp"
#include "netcl.h"

namespace netcl::expression {

inline constexpr size_t kTextMax = 64 * 1024;  // bytes of text, given or canonical
inline constexpr uint32_t kDepthMax = 200;     // constructs open at once while parsing
inline constexpr uint32_t kNodesMax = 4096;

enum class LiteralKind : uint8_t { boolean, integer, floating };

struct TreeNode {
  Op op = Op::literal;
  LiteralKind kind = LiteralKind::boolean;  // of a literal
  netcl_dtype dtype = 0;                    // that a cast converts to
  uint32_t input = 0;                       // k of an input vk
  std::array<uint32_t, 3> args{};           // indexes of nodes before this one
  uint64_t integer = 0;                     // value of a boolean or integer literal
  double real = 0;                          // value of a floating literal
};

// What a layer above keeps beside a tree, such as its compiled forms; it goes with the tree.
class TreeCompanion {
 public:
  virtual ~TreeCompanion() = default;
};

// What has a companion, of one type only.
class Accompanied {
 public:
  Accompanied() = default;
  ~Accompanied() { delete companion_.load(std::memory_order_acquire); }
  Accompanied(const Accompanied&) = delete;
  Accompanied& operator=(const Accompanied&) = delete;

  // The companion, made at the first call.
  template <class T>
  T& companion() const {
    TreeCompanion* known = companion_.load(std::memory_order_acquire);
    if (known == nullptr) {
      auto fresh = std::make_unique<T>();
      if (companion_.compare_exchange_strong(known, fresh.get())) known = fresh.release();
    }
    return *static_cast<T*>(known);
  }

 private:
  mutable std::atomic<TreeCompanion*> companion_{nullptr};
};

class Tree : public Accompanied, public std::enable_shared_from_this<Tree> {
 public:
  const std::vector<TreeNode>& nodes() const noexcept { return nodes_; }
  uint32_t root() const noexcept { return static_cast<uint32_t>(nodes_.size()) - 1; }
  // One more than the highest input used, 0 when there is none.
  uint32_t arity() const noexcept { return arity_; }
  // The canonical infix form; parsing it gives an equal tree.
  const std::string& text() const noexcept { return text_; }

 private:
  friend class TreeBuilder;
  std::vector<TreeNode> nodes_;
  uint32_t arity_ = 0;
  std::string text_;
};

// Makes trees bottom up. The parser uses it, and so can a pass that derives one tree from another.
class TreeBuilder {
 public:
  uint32_t input(uint32_t index);
  uint32_t boolean(bool value);
  uint32_t integer(uint64_t value);
  uint32_t floating(double value);
  uint32_t cast(netcl_dtype dtype, uint32_t argument);
  uint32_t apply(Op op, const uint32_t* args);
  // One of the nodes made so far, until the next one is made.
  const TreeNode& node(uint32_t index) const noexcept { return nodes_[index]; }

  // The tree under `root`; nodes it does not reach are left out. The builder is spent then.
  std::shared_ptr<const Tree> finish(uint32_t root);

 private:
  using Key = std::array<uint64_t, 7>;
  uint32_t intern(const TreeNode& node);

  std::vector<TreeNode> nodes_;
  std::map<Key, uint32_t> known_;
};

// Parses text. Fails with INVALID_ARGUMENT naming the column (in bytes, from 1) and what was
// expected there. Uses no recursion, so no text can exhaust the stack.
std::shared_ptr<const Tree> parse(const char* text);

// The canonical text of the nodes under `root`.
std::string canonical_text(const std::vector<TreeNode>& nodes, uint32_t root);

}  // namespace netcl::expression
