// The checks of `netcl selftest` that allocate and move memory.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "selftest.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr uint64_t kTransferBytes = 64ull << 20;

netcl_transfer_options transfer_options(netcl_toggle async_copy, netcl_toggle use_pinned) {
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.async_copy = async_copy;
  options.use_pinned = use_pinned;
  return options;
}

// The same for a read, which has no copy that could be left for later.
netcl_transfer_options reading(netcl_transfer_options options) {
  options.async_copy = NETCL_DEFAULT;
  return options;
}

Tensor words_tensor(const TestedDevice& tested, size_t count) {
  const auto extent = static_cast<int64_t>(count);
  Tensor tensor;
  check(
      netcl_tensor_create(tested.device, NETCL_U64, 1, &extent, nullptr, nullptr, tensor.receive()),
      "netcl_tensor_create");
  return tensor;
}

void expect_equal(const std::vector<uint64_t>& got, const std::vector<uint64_t>& expected) {
  const auto differing = std::mismatch(got.begin(), got.end(), expected.begin());
  if (differing.first == got.end()) return;
  throw ToolError(format("word %td came back as %016llx, not %016llx",
                         differing.first - got.begin(),
                         static_cast<unsigned long long>(*differing.first),
                         static_cast<unsigned long long>(*differing.second)));
}

/// Writes and reads the same words a few times with the same options; reports the best times.
Outcome round_trip(const TestedDevice& tested, const netcl_transfer_options& options) {
  constexpr int kRounds = 3;
  const netcl_transfer_options read_options = reading(options);
  const size_t count = tested.modest_bytes(kTransferBytes) / sizeof(uint64_t);
  RandomWords random(tested.seed);
  Tensor tensor = words_tensor(tested, count);
  double write_ns = 0;
  double read_ns = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<uint64_t> sent = random.words(count);
    std::vector<uint64_t> received(count, 0xdeadbeefdeadbeefull);
    const Stopwatch write_time;
    check(netcl_tensor_write(tensor.get(), sent.data(), count * sizeof(uint64_t), &options,
                             NETCL_WAIT_FOREVER),
          "netcl_tensor_write");
    check(netcl_tensor_wait(tensor.get(), kPatienceNs), "netcl_tensor_wait");
    const double wrote = write_time.nanoseconds();
    const Stopwatch read_time;
    check(netcl_tensor_read(tensor.get(), received.data(), count * sizeof(uint64_t),
                            &read_options, NETCL_WAIT_FOREVER),
          "netcl_tensor_read");
    const double read = read_time.nanoseconds();
    expect_equal(received, sent);
    write_ns = round == 0 ? wrote : std::min(write_ns, wrote);
    read_ns = round == 0 ? read : std::min(read_ns, read);
  }
  const auto bytes = static_cast<double>(count * sizeof(uint64_t));
  return {Outcome::Verdict::kPass,
          format("write %s, read %s (%s)", rate_text(bytes, write_ns).c_str(),
                 rate_text(bytes, read_ns).c_str(), bytes_text(count * sizeof(uint64_t)).c_str()),
          {{"bytes", bytes}, {"write_ns", write_ns}, {"read_ns", read_ns}}};
}

}  // namespace

Outcome check_allocation(const TestedDevice& tested) {
  const uint64_t bytes = tested.modest_bytes(64ull << 20);
  const auto extent = static_cast<int64_t>(bytes);
  const unsigned char value = 0xa5;
  const Stopwatch time;
  Tensor tensor;
  check(netcl_tensor_create_full(tested.device, NETCL_U8, 1, &extent, nullptr, &value, nullptr,
                                 tensor.receive()),
        "netcl_tensor_create_full");
  check(netcl_tensor_wait(tensor.get(), kPatienceNs), "netcl_tensor_wait");
  const double elapsed = time.nanoseconds();
  std::vector<unsigned char> read(bytes, 0);
  download(tensor, read);
  const auto wrong = std::find_if(read.begin(), read.end(), [&](auto b) { return b != value; });
  if (wrong != read.end()) {
    throw ToolError(
        format("byte %td is %02x after filling with %02x", wrong - read.begin(), *wrong, value));
  }
  return {Outcome::Verdict::kPass,
          format("%s allocated and filled in %s", bytes_text(bytes).c_str(),
                 time_text(elapsed).c_str()),
          {{"bytes", static_cast<double>(bytes)}, {"time_ns", elapsed}}};
}

Outcome check_blocking_transfer(const TestedDevice& tested) {
  return round_trip(tested, transfer_options(NETCL_OFF, NETCL_OFF));
}

Outcome check_pinned_transfer(const TestedDevice& tested) {
  return round_trip(tested, transfer_options(NETCL_OFF, NETCL_ON));
}

/// A write that returns early must have taken what the array held, and a read with an event must
/// have delivered when the event says so.
Outcome check_async_transfer(const TestedDevice& tested) {
  const size_t count = tested.modest_bytes(kTransferBytes) / sizeof(uint64_t);
  const std::vector<uint64_t> expected = RandomWords(tested.seed + 1).words(count);
  std::vector<uint64_t> host = expected;
  Tensor tensor = words_tensor(tested, count);
  Event written;
  Event read;
  netcl_transfer_options options = transfer_options(NETCL_ON, NETCL_DEFAULT);
  options.event = written.receive();
  const Stopwatch time;
  check(netcl_tensor_write(tensor.get(), host.data(), count * sizeof(uint64_t), &options,
                           NETCL_WAIT_FOREVER),
        "netcl_tensor_write");
  const double returned = time.nanoseconds();
  std::memset(host.data(), 0xee, count * sizeof(uint64_t));
  options = reading(options);
  options.event = read.receive();
  check(netcl_tensor_read(tensor.get(), host.data(), count * sizeof(uint64_t), &options,
                          NETCL_WAIT_FOREVER),
        "netcl_tensor_read");
  check(netcl_event_wait(read.get(), kPatienceNs), "netcl_event_wait");
  const double elapsed = time.nanoseconds();
  expect_equal(host, expected);
  check(netcl_event_wait(written.get(), 0), "netcl_event_wait on the write");
  const auto bytes = static_cast<double>(count * sizeof(uint64_t));
  return {Outcome::Verdict::kPass,
          format("write returned after %s, there and back %s", time_text(returned).c_str(),
                 rate_text(2 * bytes, elapsed).c_str()),
          {{"bytes", bytes}, {"write_returned_ns", returned}, {"round_trip_ns", elapsed}}};
}

Outcome check_pool_reuse(const TestedDevice& tested) {
  constexpr uint64_t kBytes = 1 << 20;
  constexpr int kLeases = 2000;
  Pool pool;
  check(netcl_pool_create(tested.device, nullptr, pool.receive()), "netcl_pool_create");
  Buffer buffer;
  const Stopwatch first;
  check(netcl_pool_allocate(pool.get(), kBytes, buffer.receive()), "netcl_pool_allocate");
  const double miss_ns = first.nanoseconds();
  buffer.reset();
  const Stopwatch rest;
  for (int i = 0; i < kLeases; ++i) {
    check(netcl_pool_allocate(pool.get(), kBytes, buffer.receive()), "netcl_pool_allocate");
    buffer.reset();
  }
  const double hit_ns = rest.nanoseconds() / kLeases;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  check(netcl_pool_get_info(pool.get(), &info), "netcl_pool_get_info");
  if (info.hits != kLeases || info.misses != 1) {
    throw ToolError(format("%d leases of one size made %llu hits and %llu misses", kLeases + 1,
                           static_cast<unsigned long long>(info.hits),
                           static_cast<unsigned long long>(info.misses)));
  }
  if (info.bytes_in_use != 0 || info.bytes_cached < kBytes) {
    throw ToolError(format("%llu bytes in use and %llu cached after the last release",
                           static_cast<unsigned long long>(info.bytes_in_use),
                           static_cast<unsigned long long>(info.bytes_cached)));
  }
  return {Outcome::Verdict::kPass,
          format("hit %s, first lease %s", time_text(hit_ns).c_str(), time_text(miss_ns).c_str()),
          {{"hit_ns", hit_ns}, {"miss_ns", miss_ns}}};
}

}  // namespace netcl::tool
