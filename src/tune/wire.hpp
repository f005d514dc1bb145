// Jobs and results as JSON, for the way to the worker and back. Texts are taken byte by byte, so
// that a source in any encoding arrives as it was.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "tune/job.hpp"

namespace netcl::tune {

// The bytes of jobs by their hash: they are sent beside the JSON, and only once.
using Blobs = std::map<std::string, Bytes>;

std::string blob_name(const std::string& bytes);

// The limit `cancel` stays behind. `blobs` receives what the job needs.
Json job_to_json(const Job& job, Blobs* blobs);
// Fails with CORRUPT_DATA naming the member that is missing, of another type or out of range, and
// for bytes that are not among `blobs`.
Job job_from_json(const Json& json, const Blobs& blobs);

Json result_to_json(const JobResult& result);
// The same for a result. Messages are cut and lose control bytes: they come from a process that
// anything may have happened to.
JobResult result_from_json(const Json& json);

// A text from a process that may be in any state, as it may stand in a message: UTF-8 of at most
// `most` bytes without control characters, but for line ends where `lines` says so.
std::string clean_text(std::string text, size_t most, bool lines);

// Members of a message; CORRUPT_DATA naming the member.
const Json& member(const Json& json, const char* name);
std::string text_member(const Json& json, const char* name);
uint64_t number_member(const Json& json, const char* name, uint64_t most = UINT64_MAX);
bool flag_member(const Json& json, const char* name);
Json text_to_json(const std::string& text);

}  // namespace netcl::tune
