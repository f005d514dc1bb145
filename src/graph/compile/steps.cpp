#include "graph/compile/steps.hpp"

#include <algorithm>
#include <unordered_set>

#include "graph/backward.hpp"
#include "graph/compile/lifetimes.hpp"
#include "graph/recorded_collective.hpp"

namespace netcl::graph {

namespace {

// A call with values of other calls in the places of its own.
class Redirected final : public Node {
 public:
  Redirected(NodeRef inner, const Buffers& buffers)
      : Node(inner->name()), inner_(std::move(inner)), buffers_(buffers) {
    for (const TensorRef& tensor : inner_->reads()) reads_.push_back(replaced(tensor));
    for (const TensorRef& tensor : inner_->writes()) writes_.push_back(replaced(tensor));
    repetition_ = inner_->repetition();
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    inner_->call([&](const TensorRef& tensor) { return substitute(replaced(tensor)); }, run);
  }
  std::optional<Formula> formula() const override {
    std::optional<Formula> formula = inner_->formula();
    if (formula) {
      for (TensorRef& input : formula->inputs) input = replaced(input);
    }
    return formula;
  }
  std::optional<EpilogueFacts> epilogue() const override { return inner_->epilogue(); }
  NodeRef with_epilogue(const ops::Epilogue& epilogue, const TensorRef& result) const override {
    const NodeRef changed = inner_->with_epilogue(epilogue, result);
    return changed == nullptr ? nullptr : std::make_shared<Redirected>(changed, buffers_);
  }
  std::optional<Normalization> normalization() const override {
    std::optional<Normalization> norm = inner_->normalization();
    if (norm) {
      for (TensorRef* const tensor :
           {&norm->x, &norm->scale, &norm->bias, &norm->mean, &norm->variance}) {
        *tensor = replaced(*tensor);
      }
    }
    return norm;
  }
  NodeRef with_normalization(const Normalization& norm, const TensorRef& result) const override {
    const NodeRef changed = inner_->with_normalization(norm, result);
    return changed == nullptr ? nullptr : std::make_shared<Redirected>(changed, buffers_);
  }
  std::string key() const override { return inner_->key(); }
  std::string detail() const override { return inner_->detail(); }
  void add_gradients(Backward& backward) const override { backward.fail_without_derivative(); }

 private:
  TensorRef replaced(const TensorRef& tensor) const { return redirected(tensor, buffers_); }

  const NodeRef inner_;
  const Buffers buffers_;
};

bool has_memory(const TensorRef& tensor) { return tensor != nullptr && !tensor->empty(); }

}  // namespace

TensorRef redirected(const TensorRef& tensor, const Buffers& buffers) {
  if (!has_memory(tensor)) return tensor;
  const auto known = buffers.find(tensor->memory());
  if (known == buffers.end()) return tensor;
  return std::make_shared<Tensor>(known->second, tensor->dtype(), tensor->layout());
}

void redirect(Step* step, const Buffers& buffers) {
  for (const auto list : {step->node->reads(), step->node->writes()}) {
    for (const TensorRef& tensor : list) {
      if (!has_memory(tensor) || buffers.count(tensor->memory()) == 0) continue;
      const Collective* const collective = step->node->collective();
      step->node = collective == nullptr
                       ? std::make_shared<Redirected>(step->node, buffers)
                       : collective_with(*collective, redirected(collective->call.input, buffers),
                                         redirected(collective->call.output, buffers));
      return;
    }
  }
}

void keep_live(Steps* steps, const std::vector<char>& live) {
  Steps left;
  for (size_t i = 0; i < steps->size(); ++i) {
    if (live[i] != 0) left.push_back(std::move((*steps)[i]));
  }
  *steps = std::move(left);
}

UseTable uses_of(const Steps& steps) {
  UseTable table;
  const auto note = [](std::vector<size_t>* list, size_t index) {
    if (list->empty() || list->back() != index) list->push_back(index);
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const TensorRef& tensor : steps[i].node->reads()) {
      if (has_memory(tensor)) note(&table[memory_key(*tensor)].reads, i);
    }
    for (const TensorRef& tensor : steps[i].node->writes()) {
      if (has_memory(tensor)) note(&table[memory_key(*tensor)].writes, i);
    }
  }
  return table;
}

void add_step(std::vector<size_t>* list, size_t step) {
  const auto place = std::lower_bound(list->begin(), list->end(), step);
  if (place == list->end() || *place != step) list->insert(place, step);
}

void remove_step(std::vector<size_t>* list, size_t step) { std::erase(*list, step); }

void drop_unneeded(Steps* steps, const Interface& interface) {
  std::unordered_set<const MemoryObject*> needed;
  for (const TensorRef& output : interface.outputs) {
    if (has_memory(output)) needed.insert(output->memory());
  }
  std::vector<char> live(steps->size());
  for (size_t i = steps->size(); i-- > 0;) {
    const Node& node = *(*steps)[i].node;
    if (node.collective() != nullptr) live[i] = 1;
    for (const TensorRef& written : node.writes()) {
      if (!has_memory(written)) continue;
      if (!is_planned(*written) || needed.count(written->memory()) != 0) live[i] = 1;
    }
    if (live[i] == 0) continue;
    for (const TensorRef& read : node.reads()) {
      if (has_memory(read)) needed.insert(read->memory());
    }
  }
  keep_live(steps, live);
}

std::vector<TensorRef> reads_for_empty(const Steps& steps) {
  std::unordered_set<const MemoryObject*> wanted;
  std::vector<TensorRef> reads;
  for (size_t i = steps.size(); i-- > 0;) {
    const auto is_wanted = [&](const TensorRef& written) {
      return written != nullptr && (written->empty() || wanted.count(written->memory()) != 0);
    };
    const Node& node = *steps[i].node;
    if (std::none_of(node.writes().begin(), node.writes().end(), is_wanted)) continue;
    for (const TensorRef& read : node.reads()) {
      if (!has_memory(read)) continue;
      wanted.insert(read->memory());
      reads.push_back(read);
    }
  }
  return reads;
}

// Whether a call may be left out for one that gives the same before it.
static bool may_share(const Node& first, const Node& again, size_t step, const Interface& interface,
                      UseTable* table, Lifetimes* lifetimes) {
  Lifetimes::Changes changes;
  for (const TensorRef& read : again.reads()) {
    if (!has_memory(read)) continue;
    Uses& own = changes.try_emplace(memory_key(*read), (*table)[memory_key(*read)]).first->second;
    remove_step(&own.reads, step);
  }
  for (size_t w = 0; w < again.writes().size(); ++w) {
    const MemoryKey from = memory_key(*first.writes()[w]), to = memory_key(*again.writes()[w]);
    Uses& own = changes.try_emplace(from, (*table)[from]).first->second;
    for (const size_t reader : (*table)[to].reads) add_step(&own.reads, reader);
    changes[to] = Uses();
    const bool given = std::any_of(
        interface.outputs.begin(), interface.outputs.end(),
        [&](const TensorRef& output) { return has_memory(output) && memory_key(*output) == to; });
    // Of several results all or none are shared, which is not known yet.
    if (given && again.writes().size() == 1) lifetimes->give_away(*table, from);
  }
  return lifetimes->change(table, std::move(changes));
}

void share_equal(Steps* steps, Interface* interface, const MemoryLimit& limit) {
  UseTable table = uses_of(*steps);
  Lifetimes lifetimes(*steps, *interface, limit);
  std::unordered_map<MemoryKey, uint64_t> versions;
  std::unordered_map<std::string, const Node*> known;
  Buffers buffers;
  std::vector<char> live(steps->size(), 1);
  for (size_t i = 0; i < steps->size(); ++i) {
    redirect(&(*steps)[i], buffers);
    const NodeRef& node = (*steps)[i].node;
    std::string key = node->key();
    bool own = !key.empty();
    for (const TensorRef& written : node->writes()) {
      own = own && has_memory(written) && is_planned(*written) &&
            table.at(memory_key(*written)).writes.size() == 1;
    }
    const auto add = [&key](uint64_t value) {
      key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    add(node->repetition());
    for (const TensorRef& read : node->reads()) {
      add(has_memory(read) ? reinterpret_cast<uintptr_t>(read->memory()) : 0);
      add(has_memory(read) ? versions[memory_key(*read)] : 0);
    }
    for (const TensorRef& written : node->writes()) {
      if (has_memory(written)) ++versions[memory_key(*written)];
    }
    if (!own) continue;
    const auto [found, added] = known.try_emplace(std::move(key), node.get());
    if (added || !may_share(*found->second, *node, i, *interface, &table, &lifetimes)) continue;
    live[i] = 0;
    for (size_t w = 0; w < node->writes().size(); ++w) {
      buffers[node->writes()[w]->memory()] = found->second->writes()[w]->buffer();
    }
  }
  for (TensorRef& output : interface->outputs) output = redirected(output, buffers);
  keep_live(steps, live);
}

}  // namespace netcl::graph
