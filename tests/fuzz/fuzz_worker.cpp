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
#include "tune/frame.hpp"
#include "tune/wire.hpp"

using namespace netcl;
using namespace netcl::tune;

static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
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
