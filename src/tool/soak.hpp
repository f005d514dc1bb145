// A load that goes on for hours: what is done, what it took, and what that says.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_SOAK_HPP
#define NETCL_TOOL_SOAK_HPP

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "owned.hpp"
#include "selftest.hpp"

namespace netcl::tool {

/// What one thread of the load has of its own.
struct SoakWorker {
  Queue queue;
  Pool pool;
  RandomWords random{0};
};

/// Kinds of work, each of which checks its result. Shared by all threads.
class SoakLoad {
 public:
  SoakLoad(netcl_device* device, uint64_t seed);
  ~SoakLoad();
  SoakLoad(const SoakLoad&) = delete;
  SoakLoad& operator=(const SoakLoad&) = delete;

  /// Every second worker has a queue of its own.
  SoakWorker worker(uint64_t seed, unsigned number) const;
  /// Does each kind of work some times, so that nothing has to be compiled later.
  void warm_up(SoakWorker& worker) const;
  /// Does one piece of work; throws ToolError when it fails or its result is not the reference.
  void step(SoakWorker& worker) const;
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Data;
  struct Work {
    const char* name;
    unsigned weight;  ///< of a hundred or so
    void (*run)(const Data& data, SoakWorker& worker);
  };
  std::unique_ptr<Data> data_;
  std::vector<Work> works_;
  unsigned weights_ = 0;
  std::vector<std::string> left_out_;
};

/// How often what time was taken, in steps of about one percent.
class Latencies {
 public:
  Latencies() : counts_(kBuckets) {}
  void add(double ns);
  void add(const Latencies& other);
  uint64_t count() const { return count_; }
  /// In nanoseconds; 0 without any.
  double percentile(double percent) const;

 private:
  static constexpr size_t kPerOctave = 64, kBuckets = kPerOctave * 40;
  std::vector<uint32_t> counts_;
  uint64_t count_ = 0;
};

/// The measured part of a run is cut into these; a tenth is two of them.
inline constexpr size_t kSoakParts = 20;
inline constexpr std::array<double, 3> kSoakPercents = {50.0, 99.0, 99.9};

/// What is looked at from outside, beside the latencies.
struct SoakSample {
  uint64_t resident = 0;     ///< bytes
  uint64_t descriptors = 0;  ///< that are open
};
SoakSample soak_sample();
/// The files below netcl's folder with their sizes.
using SoakFiles = std::map<std::string, uint64_t>;
SoakFiles soak_files(const std::string& folder);
uint64_t total_bytes(const SoakFiles& files);

struct SoakPart {
  Latencies work;
  Latencies control;  ///< of work that is always the same, without netcl
  std::vector<SoakSample> samples;
};

struct SoakChange {
  double first = 0, last = 0;  ///< tenths
  double change() const { return first > 0 ? last / first - 1 : 0; }
};

struct SoakLatency {
  double percent = 0;
  SoakChange work, control;
  bool judged = false;     ///< there is enough to tell it from
  bool separated = false;  ///< the last five parts are all above, or all below, the first five
  bool steady = false;     ///< the control did not move
  bool moved = false;
};

struct SoakVerdict {
  SoakChange resident, descriptors;
  double resident_middle = 0;  ///< the tenth in the middle
  std::array<SoakLatency, kSoakPercents.size()> latencies;
  uint64_t files_first = 0, files_last = 0;  ///< bytes
  std::vector<std::string> reasons;          ///< none: all is well
};
/// In a run of fewer seconds only what is gross counts, and latencies that rose.
inline constexpr double kSoakBrief = 600;
/// Latencies of a run of fewer seconds are not judged.
inline constexpr double kSoakGlance = 10;
/// `early` are the files behind the first tenth, `late` those in the end.
SoakVerdict soak_verdict(const std::vector<SoakPart>& parts, const SoakFiles& early,
                         const SoakFiles& late, double seconds);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_SOAK_HPP
