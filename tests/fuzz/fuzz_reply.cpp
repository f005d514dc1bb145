// Any bytes as what a hostile worker sends to the process that started it: CORRUPT_DATA, or a reply
// that holds what it may hold.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/utf8.hpp"
#include "structured.hpp"
#include "tune/frame.hpp"
#include "tune/wire.hpp"
#include "tune/worker_reply.hpp"

using namespace netcl;
using namespace netcl::tune;
using fuzz::require;

static constexpr std::string_view kWords[] = {"kind",
                                              "welcome",
                                              "build",
                                              "ready",
                                              "failed",
                                              "status",
                                              "message",
                                              "phase",
                                              "index",
                                              "results",
                                              "stuck",
                                              "distrusted",
                                              "lost",
                                              "outcome",
                                              "statistics",
                                              "samples",
                                              "compile",
                                              "from_cache",
                                              "log",
                                              "hash_low",
                                              "hash_high",
                                              "global",
                                              "local",
                                              "max_local",
                                              "local_memory",
                                              "private_memory",
                                              "first_run",
                                              "deterministic",
                                              "median",
                                              "count",
                                              "nan",
                                              "inf",
                                              "-inf",
                                              "\xc2\x9b[2J",
                                              "\xc3\xbf\xc2\x80",
                                              "\xe2\x82\xac",
                                              "a\nb\x7f"};

// The frame's lengths fit its JSON but for now and then.
FUZZ_MUTATION(text, chance) {
  const std::string_view json =
      text.size() > kFrameHeaderBytes ? text.substr(kFrameHeaderBytes) : text;
  const std::string made = fuzz::changed_json(json, chance, kWords);
  const size_t claimed = chance.one_in(16) ? chance.below(100) : made.size();
  return frame_header(claimed, chance.one_in(16) ? chance.below(9) : 0) + made;
}

static void check_text(const std::string& text, size_t most, bool lines) {
  require(text.size() <= most && is_utf8(text), "a text is too long or no UTF-8");
  std::string flat = text;
  if (lines) std::replace(flat.begin(), flat.end(), '\n', ' ');
  require(is_utf8_line(flat), "a text holds control characters");
}

static void check_reply(const WorkerReply& reply, size_t jobs) {
  check_text(reply.text, 1000, false);
  if (reply.kind == WorkerReply::Kind::failed) {
    require(reply.status < 0 && reply.status >= NETCL_ERROR_RANK_LOST, "a failure without a code");
  }
  if (reply.kind == WorkerReply::Kind::phase)
    require(reply.index < jobs, "a job that is not there");
  if (reply.kind == WorkerReply::Kind::results) require(reply.results.size() == jobs, "results");
  for (const JobResult& result : reply.results) {
    check_text(result.message, 1000, false);
    check_text(result.build_log, 4096, true);
    const Json again = result_to_json(result);
    require(result_to_json(result_from_json(again)) == again, "a result does not come back");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const size_t jobs : {size_t{0}, size_t{1}, size_t{2}}) {
    FrameReader reader(1 << 20, 0);
    try {
      // In pieces, as a socket gives them.
      for (size_t at = 0; at < size; at += 100) reader.feed(bytes.substr(at, 100));
      while (const auto frame = reader.take())
        check_reply(reply_from_json(frame->json, jobs), jobs);
    } catch (const Error& error) {
      require(error.status() == NETCL_ERROR_CORRUPT_DATA, "another error", error.what());
      require(error.message().size() < 2000 && is_utf8_line(error.message()), "a bad message");
    }
  }
  return 0;
}
