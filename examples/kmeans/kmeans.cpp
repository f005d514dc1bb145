/*
 * kmeans: finds groups of points, as k-means does, with netcl.hpp: kmeans [POINTS [DEVICE]]
 *
 * Points and centres stay on the device; the host sees one number per step, how far the farthest
 * centre moved. The same by plain loops says whether it is right. C++17 and later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <netcl.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

constexpr int64_t kGroups = 4, kFeatures = 2;
constexpr int kSteps = 50;
constexpr float kMoved = 1e-5f;

std::vector<float> scattered_points(int64_t count) {
  std::mt19937 random(7);
  std::normal_distribution<float> near(0, 0.6f);
  const float middles[kGroups][kFeatures] = {{0, 0}, {5, 1}, {1, 6}, {6, 6}};
  std::vector<float> points;
  for (int64_t i = 0; i < count; i++) {
    for (float middle : middles[i % kGroups]) points.push_back(middle + near(random));
  }
  return points;
}

/** What one step works with. All of it lies on the device. */
struct Clusters {
  netcl::tensor points;   // [N, 1, F]
  netcl::tensor centres;  // [K, F]
  netcl::tensor labels;   // [N], i64: the centre that each point is nearest to
};

/** Gives each point to its nearest centre. */
netcl::tensor assign(const Clusters& now) {
  // Broadcast to [N, K, F]; the square is formed and summed in one pass over it.
  const auto gaps = netcl::op::expression_text("(v0 - v1) * (v0 - v1)", {now.points, now.centres});
  const auto distances =
      netcl::op::reduce(gaps, netcl::reduction::sum, netcl::reduce_options().axes({2}));
  return netcl::op::reduce(distances, netcl::reduction::argmin, netcl::reduce_options().axes({1}));
}

/** The mean of each centre's points. A centre without any stays at the origin. */
netcl::tensor means(netcl::device_ref device, const Clusters& now) {
  const int64_t count = now.points.info().shape()[0];
  const auto adding = netcl::scatter_options().mode(netcl::scatter_mode::add);
  const auto flat = now.points.reshape({count, kFeatures});
  const auto by_feature = now.labels.reshape({count, 1}).broadcast({count, kFeatures});
  const auto sums = netcl::op::scatter(
      netcl::tensor::create_zeros(device, netcl::dtype::f32, {kGroups, kFeatures}), by_feature,
      flat, 0, adding);
  const auto sizes = netcl::op::scatter(
      netcl::tensor::create_zeros(device, netcl::dtype::f32, {kGroups, 1}),
      now.labels.reshape({count, 1}),
      netcl::tensor::create_full(device, netcl::dtype::f32, {count, 1}, 1), 0, adding);
  return netcl::op::expression_text("v0 / max(v1, 1)", {sums, sizes});
}

/** The greatest distance along an axis between what was and what is. */
float moved(const netcl::tensor& before, const netcl::tensor& after) {
  const auto gaps = netcl::op::expression_text("abs(v0 - v1)", {before, after});
  return netcl::to_value<float>(netcl::op::reduce(gaps, netcl::reduction::max));
}

int find_clusters(netcl::device_ref device, Clusters& clusters) {
  for (int step = 1; step <= kSteps; step++) {
    clusters.labels = assign(clusters);
    netcl::tensor next = means(device, clusters);
    const float shift = moved(clusters.centres, next);
    clusters.centres = std::move(next);  // the centres before are given back here
    if (shift < kMoved) return step;
  }
  return kSteps;
}

/** The same by plain loops. */
std::vector<double> plain_centres(const std::vector<float>& points) {
  std::vector<double> centres(points.begin(), points.begin() + kGroups * kFeatures);
  for (int step = 0; step < kSteps; step++) {
    std::vector<double> sums(centres.size()), sizes(kGroups);
    for (size_t i = 0; i < points.size(); i += kFeatures) {
      size_t best = 0;
      double nearest = INFINITY;
      for (size_t k = 0; k < kGroups; k++) {
        const double dx = points[i] - centres[2 * k], dy = points[i + 1] - centres[2 * k + 1];
        if (dx * dx + dy * dy < nearest) nearest = dx * dx + dy * dy, best = k;
      }
      sums[2 * best] += points[i];
      sums[2 * best + 1] += points[i + 1];
      sizes[best]++;
    }
    for (size_t k = 0; k < centres.size(); k++) centres[k] = sums[k] / std::fmax(sizes[k / 2], 1);
  }
  return centres;
}

int run(int64_t count, const char* selector) {
  const auto device = netcl::device::open(selector);
  const auto info = device.info();
  const std::vector<float> points = scattered_points(count);
  Clusters clusters;
  clusters.points = netcl::tensor_from(device, points, {count, 1, kFeatures});
  // The first points, one of each group, are where the centres begin.
  clusters.centres =
      clusters.points.slice({{0, kGroups, 1}, {0, 1, 1}, {0, kFeatures, 1}}).reshape(
          {kGroups, kFeatures});
  const int steps = find_clusters(device, clusters);

  const std::vector<float> found = netcl::to_vector<float>(clusters.centres);
  const std::vector<double> wanted = plain_centres(points);
  std::printf("%.*s: %lld points, %d steps\n", static_cast<int>(info.name().size()),
              info.name().data(), static_cast<long long>(count), steps);
  double worst = 0;
  for (size_t k = 0; k < found.size(); k += kFeatures) {
    std::printf("  centre %zu: %8.4f %8.4f\n", k / kFeatures, static_cast<double>(found[k]),
                static_cast<double>(found[k + 1]));
  }
  for (size_t i = 0; i < found.size(); i++) {
    worst = std::fmax(worst, std::fabs(found[i] - wanted[i]));
  }
  std::printf("  plain loops differ by %.1e\n", worst);
  return worst < 1e-3 && steps < kSteps ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int64_t count = argc > 1 ? std::atoll(argv[1]) : 20000;
    return run(count, argc > 2 ? argv[2] : "auto");
  } catch (const netcl::error& failed) {
    std::fprintf(stderr, "kmeans: %s\n", failed.what());
    return 1;
  }
}
