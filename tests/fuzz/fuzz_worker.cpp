// Any bytes as what arrives on the socket between a process and its worker: frames, and the jobs
// and results in them. What is understood must come back from its own encoding as it was, and
// pieces of any size must give the same frames.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "structured.hpp"
#include "tune/frame.hpp"
#include "tune/wire.hpp"

using namespace netcl;
using namespace netcl::tune;

using fuzz::require;

static constexpr std::string_view kWords[] = {
    "source",      "kernel",         "flags",       "fast_math",
    "no_preamble", "round_up",       "defines",     "name",
    "text",        "size",           "rank",        "global",
    "local",       "arguments",      "kind",        "access",
    "dtype",       "shape",          "fill",        "a",
    "b",           "bytes",          "exact",       "absolute",
    "relative",    "scalar",         "reinterpret", "setup_kernel",
    "setup_size",  "seeds",          "given",       "seed",
    "outputs",     "reference",      "repeat",      "until",
    "timing",      "limits",         "compile",     "run",
    "best",        "slow",           "blob",        "nan",
    "inf",         "-cl-mad-enable", "k",           "\xc3\xbf\xc2\x80",
    "\xe2\x82\xac"};

// A frame of JSON and other bytes, with lengths that fit them but for now and then; or JSON alone.
FUZZ_MUTATION(text, chance) {
  uint64_t json_bytes = 0;
  if (text.size() < kFrameHeaderBytes || text.substr(0, 7) != "netclwk") {
    return fuzz::changed_json(text, chance, kWords);
  }
  std::memcpy(&json_bytes, text.data() + 8, 8);
  const std::string_view rest = text.substr(kFrameHeaderBytes);
  const auto end = static_cast<size_t>(std::min<uint64_t>(json_bytes, rest.size()));
  std::string blob(rest.substr(end));
  if (chance.one_in(8)) blob = fuzz::changed_bytes(blob);
  const std::string json = fuzz::changed_json(rest.substr(0, end), chance, kWords);
  const size_t claimed = chance.one_in(16) ? chance.below(70000) : json.size();
  return frame_header(claimed, blob.size()) + json + blob;
}

// The frames of a stream that arrives in pieces, as text; ends with what was wrong with it.
static std::vector<std::string> frames_of(std::string_view bytes, size_t piece) {
  std::vector<std::string> found;
  FrameReader reader(1 << 16, 1 << 16);
  try {
    for (size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(bytes.substr(at, piece));
      while (auto frame = reader.take()) {
        // A text that is no UTF-8 does not get through the parser.
        found.push_back(frame->json.dump() + "\n" + frame->blob);
      }
    }
  } catch (const Error& error) {
    require(error.status() == NETCL_ERROR_CORRUPT_DATA, "another error than CORRUPT_DATA");
    found.push_back("bad");
  }
  return found;
}

static Blobs blobs_of(const std::string& blob) {
  Blobs blobs;
  blobs[blob_name(blob)] = std::make_shared<std::string>(blob);
  // Inputs cannot guess a hash.
  blobs["blob"] = std::make_shared<std::string>(blob);
  return blobs;
}

static void try_job(const Json& json, const std::string& blob) {
  try {
    const Job job = job_from_json(json, blobs_of(blob));
    Blobs blobs;
    const Json again = job_to_json(job, &blobs);
    Blobs unused;
    require(job_to_json(job_from_json(again, blobs), &unused) == again, "a job does not come back");
    Job checked = job;
    prepare_job(&checked);
    (void)job_hash(checked);
  } catch (const Error& error) {
    require(error.status() == NETCL_ERROR_CORRUPT_DATA ||
                error.status() == NETCL_ERROR_INVALID_ARGUMENT || error.status() == NETCL_ERROR_IO,
            "a job is refused for a reason of its own");
  }
}

static void try_result(const Json& json) {
  try {
    const JobResult result = result_from_json(json);
    for (const char c : result.message) {
      require(static_cast<unsigned char>(c) >= ' ', "a message holds a control byte");
    }
    const Json again = result_to_json(result);
    require(result_to_json(result_from_json(again)) == again, "a result does not come back");
  } catch (const Error& error) {
    require(error.status() == NETCL_ERROR_CORRUPT_DATA, "a result is refused for another reason");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> whole = frames_of(bytes, size == 0 ? 1 : size);
  require(frames_of(bytes, 7) == whole, "pieces give other frames");
  // The bytes as a text must survive the way there and back.
  const std::string text(bytes.substr(0, 4096));
  const Json coded = Json::object({{"text", text_to_json(text)}});
  require(text_member(parse_json(coded.dump(), "a text"), "text") == text,
          "a text does not come back");
  FrameReader reader(1 << 16, 1 << 16);
  try {
    reader.feed(bytes);
    while (auto frame = reader.take()) {
      try_job(frame->json, frame->blob);
      try_result(frame->json);
    }
  } catch (const Error&) {
    // Said of the frames above.
  }
  // Most mutations break the frame; the JSON is tried on its own as well.
  try {
    const Json json = parse_json(bytes, "an input");
    try_job(json, "");
    try_result(json);
  } catch (const Error&) {
    // No JSON.
  }
  return 0;
}
