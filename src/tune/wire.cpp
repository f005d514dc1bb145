#include "tune/wire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "tune/wire_structs.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kMessageBytes = 1000;
constexpr size_t kWireLogBytes = 4096;
constexpr size_t kListMost = 4096;
constexpr size_t kSamplesMost = 10000000;

[[noreturn]] void bad_member(const char* name, const char* what) {
  netcl::fail(NETCL_ERROR_CORRUPT_DATA, "member %s of a message %s", name, what);
}

const Json& list_member(const Json& json, const char* name, size_t most) {
  const Json& list = member(json, name);
  if (!list.is_array()) bad_member(name, "is no list");
  if (list.size() > most) bad_member(name, "is too long");
  return list;
}

template <class Enum>
Enum choice_member(const Json& json, const char* name, Enum last) {
  return static_cast<Enum>(number_member(json, name, static_cast<uint64_t>(last)));
}

std::string text_from_json(const Json& json, const char* name) {
  if (!json.is_string()) bad_member(name, "is no text");
  const std::string& text = json.text();
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first < 0x80) {
      bytes += text[i];
      continue;
    }
    // The characters U+0080 to U+00FF stand for the bytes of the same number.
    const bool pair = (first == 0xc2 || first == 0xc3) && i + 1 < text.size();
    if (!pair) bad_member(name, "holds a character that is no byte");
    bytes += static_cast<char>(((first & 3) << 6) | (static_cast<unsigned char>(text[++i]) & 0x3f));
  }
  return bytes;
}

Json bytes_to_json(const Bytes& bytes, Blobs* blobs) {
  if (bytes == nullptr) return nullptr;
  const std::string name = blob_name(*bytes);
  (*blobs)[name] = bytes;
  return name;
}

Bytes bytes_from_json(const Json& json, const char* name, const Blobs& blobs) {
  if (json.is_null()) return nullptr;
  const auto found = blobs.find(text_from_json(json, name));
  if (found == blobs.end()) bad_member(name, "names bytes that are not there");
  return found->second;
}

Json size_to_json(const JobSize& size) {
  Json json;
  json["rank"] = size.rank;
  json["global"] = size.global;
  json["local"] = size.local;
  return json;
}

void sizes_from_json(const Json& json, const char* name, uint64_t* sizes) {
  const Json& list = list_member(json, name, 3);
  if (list.size() != 3) bad_member(name, "has not three sizes");
  for (size_t d = 0; d < 3; ++d) {
    if (!list[d].is_number_unsigned()) bad_member(name, "holds what is no size");
    sizes[d] = list[d].get<uint64_t>();
  }
}

JobSize size_from_json(const Json& json) {
  JobSize size;
  size.rank = static_cast<uint32_t>(number_member(json, "rank", NETCL_LAUNCH_RANK_MAX));
  sizes_from_json(json, "global", size.global);
  sizes_from_json(json, "local", size.local);
  return size;
}

Json argument_to_json(const JobArgument& argument, Blobs* blobs) {
  Json json;
  json["kind"] = static_cast<int>(argument.kind);
  json["access"] = static_cast<int>(argument.access);
  json["name"] = text_to_json(argument.name);
  json["dtype"] = argument.dtype;
  json["shape"] = argument.shape;
  json["fill"] = static_cast<int>(argument.fill.kind);
  json["a"] = real_to_json(argument.fill.a);
  json["b"] = real_to_json(argument.fill.b);
  json["bytes"] = bytes_to_json(argument.fill.bytes, blobs);
  json["exact"] = argument.tolerance.exact;
  json["absolute"] = real_to_json(argument.tolerance.absolute);
  json["relative"] = real_to_json(argument.tolerance.relative);
  json["scalar"] = text_to_json(argument.scalar);
  json["local"] = argument.local_bytes;
  json["reinterpret"] = argument.reinterpret;
  return json;
}

JobArgument argument_from_json(const Json& json, const Blobs& blobs) {
  JobArgument argument;
  argument.kind = choice_member(json, "kind", JobArgument::Kind::null);
  argument.access = choice_member(json, "access", JobArgument::Access::inout);
  argument.name = text_member(json, "name");
  argument.dtype = static_cast<netcl_dtype>(number_member(json, "dtype", NETCL_BOOL));
  for (const Json& extent : list_member(json, "shape", NETCL_RANK_MAX)) {
    if (!extent.is_number_integer()) bad_member("shape", "holds what is no extent");
    argument.shape.push_back(extent.get<int64_t>());
  }
  argument.fill.kind = choice_member(json, "fill", Fill::Kind::scaled);
  argument.fill.a = real_member(json, "a");
  argument.fill.b = real_member(json, "b");
  argument.fill.bytes = bytes_from_json(member(json, "bytes"), "bytes", blobs);
  argument.tolerance.exact = flag_member(json, "exact");
  argument.tolerance.absolute = real_member(json, "absolute");
  argument.tolerance.relative = real_member(json, "relative");
  argument.scalar = text_member(json, "scalar");
  argument.local_bytes = number_member(json, "local");
  argument.reinterpret = flag_member(json, "reinterpret");
  return argument;
}

Json given_to_json(const Reference& reference, Blobs* blobs) {
  Json list = Json::array();
  for (const Reference::Outputs& given : reference.given) {
    Json json;
    json["seed"] = given.seed;
    json["outputs"] = Json::array();
    for (const Bytes& bytes : given.outputs) json["outputs"].push_back(bytes_to_json(bytes, blobs));
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<Reference::Outputs> given_from_json(const Json& list, const Blobs& blobs) {
  std::vector<Reference::Outputs> all;
  for (const Json& json : list) {
    Reference::Outputs given;
    given.seed = number_member(json, "seed");
    for (const Json& bytes : list_member(json, "outputs", NETCL_ARGS_MAX)) {
      given.outputs.push_back(bytes_from_json(bytes, "outputs", blobs));
    }
    all.push_back(std::move(given));
  }
  return all;
}

Json limits_to_json(const Job::Limits& limits) {
  Json json;
  json["compile"] = limits.compile_ns;
  json["run"] = limits.run_ns;
  json["best"] = real_to_json(limits.best_ns);
  json["slow"] = real_to_json(limits.slow_factor);
  return json;
}

Job::Limits limits_from_json(const Json& json) {
  Job::Limits limits;
  limits.compile_ns = number_member(json, "compile");
  limits.run_ns = number_member(json, "run");
  limits.best_ns = real_member(json, "best");
  limits.slow_factor = real_member(json, "slow");
  return limits;
}

// A job within a job is its reference and has none itself.
Job job_from(const Json& json, const Blobs& blobs, bool nested) {
  Job job;
  job.source = text_member(json, "source");
  job.kernel = text_member(json, "kernel");
  for (const Json& flag : list_member(json, "flags", kListMost)) {
    job.flags.push_back(text_from_json(flag, "flags"));
  }
  job.fast_math = flag_member(json, "fast_math");
  job.no_preamble = flag_member(json, "no_preamble");
  job.round_up = flag_member(json, "round_up");
  for (const Json& define : list_member(json, "defines", kListMost)) {
    job.defines.emplace_back(text_member(define, "name"), text_member(define, "text"));
  }
  job.size = size_from_json(member(json, "size"));
  for (const Json& argument : list_member(json, "arguments", NETCL_ARGS_MAX)) {
    job.arguments.push_back(argument_from_json(argument, blobs));
  }
  job.setup_kernel = text_member(json, "setup_kernel");
  job.setup_size = size_from_json(member(json, "setup_size"));
  job.seeds.clear();
  for (const Json& seed : list_member(json, "seeds", kListMost)) {
    if (!seed.is_number_unsigned()) bad_member("seeds", "holds what is no seed");
    job.seeds.push_back(seed.get<uint64_t>());
  }
  job.reference.given = given_from_json(list_member(json, "given", kListMost), blobs);
  const Json& reference = member(json, "reference");
  if (!reference.is_null()) {
    if (nested) bad_member("reference", "stands in a reference");
    job.reference.job = std::make_shared<Job>(job_from(reference, blobs, true));
  }
  job.repeat = flag_member(json, "repeat");
  job.until = choice_member(json, "until", Job::Until::timed);
  job.timing = timing_from_json(member(json, "timing"));
  job.limits = limits_from_json(member(json, "limits"));
  return job;
}

}  // namespace

std::string clean_text(std::string text, size_t most, bool lines) {
  for (char& byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if ((value < ' ' && !(lines && byte == '\n')) || value == 0x7f) byte = ' ';
  }
  text = utf8_escaped(text);
  // U+0080 to U+009F, of which terminals take some for commands.
  for (size_t at = text.find('\xc2'); at != std::string::npos; at = text.find('\xc2', at + 1)) {
    if (static_cast<unsigned char>(text[at + 1]) < 0xa0) text.replace(at, 2, 2, ' ');
  }
  text.resize(utf8_prefix(text, most).size());
  return text;
}

std::string blob_name(const std::string& bytes) {
  return hex_text(hash128(bytes)) + format("-%zu", bytes.size());
}

const Json& member(const Json& json, const char* name) {
  if (!json.is_object()) bad_member(name, "is looked for in what is no object");
  const auto found = json.find(name);
  if (found == json.end()) bad_member(name, "is missing");
  return *found;
}

std::string text_member(const Json& json, const char* name) {
  return text_from_json(member(json, name), name);
}

uint64_t number_member(const Json& json, const char* name, uint64_t most) {
  const Json& value = member(json, name);
  if (!value.is_number_unsigned()) bad_member(name, "is no number from 0 on");
  const auto number = value.get<uint64_t>();
  if (number > most) bad_member(name, "is too large");
  return number;
}

bool flag_member(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_boolean()) bad_member(name, "is neither true nor false");
  return value.get<bool>();
}

Json text_to_json(const std::string& text) {
  std::string coded;
  coded.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      coded += c;
    } else {
      coded += static_cast<char>(0xc0 | (byte >> 6));
      coded += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return coded;
}

Json job_to_json(const Job& job, Blobs* blobs) {
  Json json;
  json["source"] = text_to_json(job.source);
  json["kernel"] = text_to_json(job.kernel);
  json["flags"] = Json::array();
  for (const std::string& flag : job.flags) json["flags"].push_back(text_to_json(flag));
  json["fast_math"] = job.fast_math;
  json["no_preamble"] = job.no_preamble;
  json["round_up"] = job.round_up;
  json["defines"] = Json::array();
  for (const auto& [name, text] : job.defines) {
    Json define;
    define["name"] = text_to_json(name);
    define["text"] = text_to_json(text);
    json["defines"].push_back(std::move(define));
  }
  json["size"] = size_to_json(job.size);
  json["arguments"] = Json::array();
  for (const JobArgument& argument : job.arguments) {
    json["arguments"].push_back(argument_to_json(argument, blobs));
  }
  json["setup_kernel"] = text_to_json(job.setup_kernel);
  json["setup_size"] = size_to_json(job.setup_size);
  json["seeds"] = job.seeds;
  json["given"] = given_to_json(job.reference, blobs);
  json["reference"] =
      job.reference.job == nullptr ? Json(nullptr) : job_to_json(*job.reference.job, blobs);
  json["repeat"] = job.repeat;
  json["until"] = static_cast<int>(job.until);
  json["timing"] = timing_to_json(job.timing);
  json["limits"] = limits_to_json(job.limits);
  return json;
}

Job job_from_json(const Json& json, const Blobs& blobs) { return job_from(json, blobs, false); }

Json result_to_json(const JobResult& result) {
  Json json;
  json["outcome"] = result.outcome;
  json["message"] = text_to_json(result.message);
  json["statistics"] = statistics_to_json(result.statistics);
  json["samples"] = result.samples;
  json["compile"] = result.compile_ns;
  json["from_cache"] = result.from_cache;
  json["log"] = text_to_json(result.build_log);
  json["hash_low"] = result.program_hash.low;
  json["hash_high"] = result.program_hash.high;
  json["global"] = result.global;
  json["local"] = result.local;
  json["max_local"] = result.max_local_size;
  json["local_memory"] = result.local_memory_bytes;
  json["private_memory"] = result.private_memory_bytes;
  json["first_run"] = result.first_run_ns;
  json["deterministic"] = result.deterministic;
  return json;
}

JobResult result_from_json(const Json& json) {
  JobResult result;
  result.outcome =
      static_cast<netcl_outcome>(number_member(json, "outcome", NETCL_OUTCOME_CANCELLED));
  result.message = clean_text(text_member(json, "message"), kMessageBytes, false);
  result.statistics = statistics_from_json(member(json, "statistics"));
  for (const Json& sample : list_member(json, "samples", kSamplesMost)) {
    if (!sample.is_number()) bad_member("samples", "holds what is no number");
    const double value = sample.get<double>();
    if (!std::isfinite(value) || value < 0) bad_member("samples", "holds what is no time");
    result.samples.push_back(value);
  }
  result.compile_ns = number_member(json, "compile");
  result.from_cache = flag_member(json, "from_cache");
  result.build_log = clean_text(text_member(json, "log"), kWireLogBytes, true);
  result.program_hash = {number_member(json, "hash_low"), number_member(json, "hash_high")};
  sizes_from_json(json, "global", result.global);
  sizes_from_json(json, "local", result.local);
  result.max_local_size = number_member(json, "max_local");
  result.local_memory_bytes = number_member(json, "local_memory");
  result.private_memory_bytes = number_member(json, "private_memory");
  result.first_run_ns = number_member(json, "first_run");
  result.deterministic = flag_member(json, "deterministic");
  return result;
}

}  // namespace netcl::tune
