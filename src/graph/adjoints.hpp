// The gradients of what lies in memory, while the calls of a graph are gone through backwards: of
// each element, that of the value which it has at that time.
#pragma once

#include <unordered_map>
#include <vector>

#include "graph/backward.hpp"

namespace netcl::graph {

class Adjoints {
 public:
  explicit Adjoints(const Caller& caller) : caller_(caller) {}

  // Adds a gradient of the elements of `at`, which has its shape and dtype. It is not written to,
  // and must not change afterwards.
  void add(const Tensor& at, TensorRef gradient);
  // The gradient of the elements of `at`, in its shape; null when nothing was added there.
  TensorRef get(const Tensor& at);
  bool has(const Tensor& at) const { return pieces_.count(at.memory()) != 0; }
  // Forgets the gradient of elements that were written anew, and all of them.
  void clear(const Tensor& at);
  void forget(const MemoryObject* memory) { pieces_.erase(memory); }
  void drop() noexcept { pieces_.clear(); }

  // From here on, in front of call `writer`, nobody knows whether elements of `at` are those behind
  // it: whatever would be added to their gradient fails, until they are opened again.
  void close(const TensorRef& at, size_t writer) { closed_.push_back({at, writer}); }
  void open(const TensorRef& at) {
    std::erase_if(closed_, [&](const Closed& closed) { return closed.at == at; });
  }

 private:
  struct Piece {
    TensorRef at;      // the elements, in the order of memory, without dimensions of extent 1
    TensorRef value;   // their gradients, of the same shape
    bool own = false;  // nobody else knows `value`, so it may be written to
  };
  struct Closed {
    TensorRef at;
    size_t writer;
  };
  void check_open(const Tensor& at) const;
  bool add_parts(const Tensor& at, const TensorRef& gradient);
  Piece piece_of(const Tensor& at, const TensorRef& gradient) const;
  void join(Piece* piece, const Piece& more);
  void spread(Piece* piece);

  const Caller& caller_;
  std::unordered_map<const MemoryObject*, Piece> pieces_;
  std::vector<Closed> closed_;
};

}  // namespace netcl::graph
