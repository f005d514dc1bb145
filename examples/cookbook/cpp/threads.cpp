#include "cookbook.hpp"

#include <future>

void recipe_threads(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  std::vector<std::future<float>> sums;
  for (netcl::tensor& part : x.split(0, {2, 2})) {  // views of x, one for each thread
    sums.push_back(std::async(std::launch::async, [part = std::move(part)] {
      return netcl::to_value<float>(netcl::op::reduce(part, netcl::reduction::sum));
    }));
  }
  float total = 0;
  for (auto& sum : sums) total += sum.get();  // what a thread threw is thrown here
  require(total == 10, "the sum");
  // [end]
}
