#include "tune/worker_reply.hpp"

#include <utility>

#include "core/error.hpp"
#include "tune/wire.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kTextBytes = 1000;

[[noreturn]] void bad_reply(const char* what) {
  fail(NETCL_ERROR_CORRUPT_DATA, "a message of the worker %s", what);
}

WorkerReply::Kind reply_kind(const std::string& name) {
  using Kind = WorkerReply::Kind;
  constexpr std::pair<const char*, Kind> kKinds[] = {
      {"welcome", Kind::welcome}, {"ready", Kind::ready},     {"failed", Kind::failed},
      {"phase", Kind::phase},     {"results", Kind::results}, {"lost", Kind::lost}};
  for (const auto& [known, kind] : kKinds) {
    if (name == known) return kind;
  }
  bad_reply("is of no known kind");
}

void read_failure(const Json& json, WorkerReply* reply) {
  // A failure that claims to be a success, or a code that is none, would reach the caller as such.
  const uint64_t code = number_member(json, "status", -NETCL_ERROR_RANK_LOST);
  if (code == 0) bad_reply("tells of a failure without an error");
  reply->status = -static_cast<netcl_status>(code);
  reply->text = clean_text(text_member(json, "message"), kTextBytes, false);
}

void read_phase(const Json& json, size_t jobs, WorkerReply* reply) {
  if (jobs == 0) bad_reply("is about a job where there is none");
  reply->phase =
      static_cast<Phase>(number_member(json, "phase", static_cast<uint64_t>(Phase::time)));
  reply->index = static_cast<size_t>(number_member(json, "index", jobs - 1));
}

void read_results(const Json& json, size_t jobs, WorkerReply* reply) {
  const Json& list = member(json, "results");
  if (!list.is_array() || list.size() != jobs) bad_reply("has not one result for each job");
  reply->stuck = flag_member(json, "stuck");
  reply->distrusted = flag_member(json, "distrusted");
  for (const Json& result : list) reply->results.push_back(result_from_json(result));
}

}  // namespace

WorkerReply reply_from_json(const Json& json, size_t jobs) {
  WorkerReply reply;
  reply.kind = reply_kind(text_member(json, "kind"));
  switch (reply.kind) {
    case WorkerReply::Kind::welcome:
      reply.text = clean_text(text_member(json, "build"), kTextBytes, false);
      break;
    case WorkerReply::Kind::failed:
      read_failure(json, &reply);
      break;
    case WorkerReply::Kind::phase:
      read_phase(json, jobs, &reply);
      break;
    case WorkerReply::Kind::results:
      read_results(json, jobs, &reply);
      break;
    case WorkerReply::Kind::ready:
    case WorkerReply::Kind::lost:
      break;
  }
  return reply;
}

}  // namespace netcl::tune
