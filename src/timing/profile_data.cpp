#include "timing/profile_data.hpp"

#include <algorithm>
#include <bit>

namespace netcl::timing {

std::shared_ptr<RegionNode> RegionNode::child(const char* child_name, uint64_t id,
                                              const std::string& label) {
  for (const auto& node : children) {
    if (node->queue_id == id && node->name == child_name) return node;
  }
  auto node = std::make_shared<RegionNode>();
  node->name = child_name;
  node->queue_id = id;
  node->queue = label;
  node->depth = depth + 1;
  children.push_back(node);
  return node;
}

void RegionNode::clear() {
  calls = host_ns = children_host_ns = 0;
  own = WorkSums{};
  std::erase_if(children, [](const std::shared_ptr<RegionNode>& node) {
    node->clear();
    return node.use_count() == 1 && node->children.empty();
  });
}

Counter::Quantiles Counter::quantiles() const {
  if (times.empty()) return {};
  std::vector<uint64_t> sorted = times;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double p) {
    const double place = p * static_cast<double>(sorted.size() - 1);
    const size_t below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] +
           static_cast<uint64_t>(part * static_cast<double>(sorted[above] - sorted[below]) + 0.5);
  };
  return {at(0.5), at(0.99)};
}

void ProfileData::clear() {
  root.clear();
  counters.clear();
  kept = dropped = failed = untimed = 0;
}

const char* kind_text(CommandKind kind) {
  switch (kind) {
    case CommandKind::kernel:
      return "kernel";
    case CommandKind::native:
      return "native";
    case CommandKind::copy:
      return "copy";
    case CommandKind::fill:
      return "fill";
    case CommandKind::read:
      return "read";
    case CommandKind::write:
      return "write";
    case CommandKind::marker:
      return "marker";
  }
  return "unknown";
}

uint64_t size_bucket(uint64_t size) noexcept {
  if (size == 0) return 0;
  constexpr uint64_t kHighest = uint64_t{1} << 63;
  return size > kHighest ? kHighest : std::bit_ceil(size);
}

}  // namespace netcl::timing
