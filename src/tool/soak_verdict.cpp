// What a soak says: numbers of its first tenth against those of its last.
//
// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "soak.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr size_t kTenth = kSoakParts / 10, kQuarter = kSoakParts / 4;
/// How many must have taken longer for a percentile to say something.
constexpr double kTail = 5;

Latencies tenth(const std::vector<SoakPart>& parts, size_t first, Latencies SoakPart::*which) {
  Latencies all;
  for (size_t i = first; i < first + kTenth; ++i) all.add(parts[i].*which);
  return all;
}

double middle(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The median of what was sampled in a tenth.
double tenth_of_samples(const std::vector<SoakPart>& parts, size_t first,
                        uint64_t SoakSample::*which) {
  std::vector<double> values;
  for (size_t i = first; i < first + kTenth; ++i) {
    for (const SoakSample& sample : parts[i].samples) {
      values.push_back(static_cast<double>(sample.*which));
    }
  }
  return middle(values);
}

/// By chance, of parts that do not depend on each other, in 1 of 126 runs.
bool separated(const std::vector<SoakPart>& parts, double percent) {
  double first_low = HUGE_VAL, first_high = 0, last_low = HUGE_VAL, last_high = 0;
  for (size_t i = 0; i < kQuarter; ++i) {
    const double first = parts[i].work.percentile(percent);
    const double last = parts[kSoakParts - 1 - i].work.percentile(percent);
    first_low = std::min(first_low, first);
    first_high = std::max(first_high, first);
    last_low = std::min(last_low, last);
    last_high = std::max(last_high, last);
  }
  return last_low > first_high || last_high < first_low;
}

/// What changed by less than `allowed` either way is the same.
SoakLatency judge(const std::vector<SoakPart>& parts, double percent, double seconds) {
  const bool brief = seconds < kSoakBrief;
  const double allowed = brief ? 0.5 : 0.05;
  constexpr size_t kLast = kSoakParts - kTenth;
  SoakLatency result;
  result.percent = percent;
  uint64_t least = UINT64_MAX;
  for (const SoakPart& part : parts) least = std::min(least, part.work.count());
  const auto change = [&](Latencies SoakPart::*which) {
    return SoakChange{tenth(parts, 0, which).percentile(percent),
                      tenth(parts, kLast, which).percentile(percent)};
  };
  result.work = change(&SoakPart::work);
  result.control = change(&SoakPart::control);
  result.judged =
      seconds >= kSoakGlance && static_cast<double>(least) * (100 - percent) / 100 >= kTail;
  result.separated = separated(parts, percent);
  result.steady = std::fabs(result.control.change()) <= allowed;
  const double moved = result.work.change();
  result.moved = result.judged && result.separated && result.steady &&
                 (brief ? moved : std::fabs(moved)) > allowed;
  return result;
}

}  // namespace

void Latencies::add(double ns) {
  const double octaves = std::log2(std::max(ns, 1.0));
  const auto bucket = static_cast<size_t>(octaves * kPerOctave);
  ++counts_[std::min(bucket, kBuckets - 1)];
  ++count_;
}

void Latencies::add(const Latencies& other) {
  for (size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
}

double Latencies::percentile(double percent) const {
  const double wanted = static_cast<double>(count_) * percent / 100;
  double below = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    const double here = counts_[i];
    if (here > 0 && below + here >= wanted) {
      const double place = static_cast<double>(i) + (wanted - below) / here;
      return std::exp2(place / kPerOctave);
    }
    below += here;
  }
  return 0;
}

SoakSample soak_sample() {
  SoakSample sample;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "re")) {
    unsigned long long all = 0, resident = 0;
    if (std::fscanf(file, "%llu %llu", &all, &resident) == 2) {
      sample.resident = resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    }
    std::fclose(file);
  }
  if (DIR* const folder = opendir("/proc/self/fd")) {
    while (readdir(folder) != nullptr) ++sample.descriptors;
    closedir(folder);
  }
  return sample;
}

SoakFiles soak_files(const std::string& folder) {
  SoakFiles files;
  DIR* const stream = folder.empty() ? nullptr : opendir(folder.c_str());
  if (stream == nullptr) return files;
  while (const struct dirent* item = readdir(stream)) {
    const std::string name = item->d_name, path = folder + "/" + name;
    struct stat facts;
    if (name == "." || name == ".." || lstat(path.c_str(), &facts) != 0) continue;
    if (S_ISDIR(facts.st_mode)) files.merge(soak_files(path));
    if (S_ISREG(facts.st_mode)) files[path] = static_cast<uint64_t>(facts.st_size);
  }
  closedir(stream);
  return files;
}

uint64_t total_bytes(const SoakFiles& files) {
  uint64_t sum = 0;
  for (const auto& [path, bytes] : files) sum += bytes;
  return sum;
}

static std::string most_grown(const SoakFiles& early, const SoakFiles& late) {
  std::string most;
  uint64_t by = 0;
  for (const auto& [path, bytes] : late) {
    const auto before = early.find(path);
    const uint64_t had = before == early.end() ? 0 : before->second;
    if (bytes <= had || bytes - had <= by) continue;
    by = bytes - had;
    most = path;
  }
  return format("most of it %s, by %s", most.c_str(), bytes_text(by).c_str());
}

SoakVerdict soak_verdict(const std::vector<SoakPart>& parts, const SoakFiles& early,
                         const SoakFiles& late, double seconds) {
  constexpr size_t kLast = kSoakParts - kTenth;
  SoakVerdict verdict;
  verdict.resident = {tenth_of_samples(parts, 0, &SoakSample::resident),
                      tenth_of_samples(parts, kLast, &SoakSample::resident)};
  verdict.resident_middle =
      tenth_of_samples(parts, (kSoakParts - kTenth) / 2, &SoakSample::resident);
  const double room = 0.01 * verdict.resident.first + (seconds < kSoakBrief ? 32.0 * kMiB : 0.0);
  const double grown = verdict.resident.last - verdict.resident.first;
  // Nothing was seen of a tenth in which the process was stopped.
  const bool seen = verdict.resident.first != 0 && verdict.resident.last != 0;
  // What goes on growing has half of it in the second half; what has levelled off filled a cache.
  if (seen && grown > room && verdict.resident.last - verdict.resident_middle > room / 2) {
    verdict.reasons.push_back(format("resident memory grew by %s, or %.1f %%",
                                     bytes_text(static_cast<uint64_t>(grown)).c_str(),
                                     100 * verdict.resident.change()));
  }
  verdict.descriptors = {tenth_of_samples(parts, 0, &SoakSample::descriptors),
                         tenth_of_samples(parts, kLast, &SoakSample::descriptors)};
  if (seen && verdict.descriptors.last > verdict.descriptors.first + 8) {
    verdict.reasons.push_back(format("open descriptors went from %.0f to %.0f",
                                     verdict.descriptors.first, verdict.descriptors.last));
  }
  for (size_t i = 0; i < kSoakPercents.size(); ++i) {
    const SoakLatency& one = verdict.latencies[i] = judge(parts, kSoakPercents[i], seconds);
    if (!one.moved) continue;
    verdict.reasons.push_back(format("p%g of latency went from %s to %s", one.percent,
                                     time_text(one.work.first).c_str(),
                                     time_text(one.work.last).c_str()));
  }
  verdict.files_first = total_bytes(early);
  verdict.files_last = total_bytes(late);
  if (verdict.files_last > verdict.files_first + verdict.files_first / 100 + kMiB / 16) {
    verdict.reasons.push_back(
        format("netcl's files grew from %s to %s, %s", bytes_text(verdict.files_first).c_str(),
               bytes_text(verdict.files_last).c_str(), most_grown(early, late).c_str()));
  }
  return verdict;
}

}  // namespace netcl::tool
