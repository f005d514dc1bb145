#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fake.hpp"

extern "C" int fake_fail_hits;
int fake_fail_hits = 0;

namespace fake {

namespace {

bool matches(const Rule& rule, const std::string& kernel, const Macros& facts) {
  if (rule.kernel != "*" && rule.kernel != kernel) return false;
  for (const auto& [name, value] : rule.when) {
    const auto found = facts.find(name);
    if (found == facts.end() || found->second != value) return false;
  }
  return true;
}

void read_line(const std::string& line, Script* script) {
  std::istringstream words(line);
  std::string first;
  if (!(words >> first) || first[0] == '#') return;
  if (first == "seed") {
    words >> script->seed;
  } else if (first == "noise") {
    words >> script->noise;
  } else if (first == "drift") {
    words >> script->drift;
  } else if (first == "memory") {
    words >> script->memory;
  } else if (first == "arguments") {
    words >> script->argument_bytes;
  } else if (first == "log") {
    script->log = true;
  } else if (first == "share") {
    script->share = true;
  } else if (first == "gpus") {
    words >> script->gpus;
  } else if (first == "batches") {
    std::string word;
    words >> word;
    if (word == "take") {
      words >> script->batch_ms;
    } else {
      script->batches = word;
    }
  } else if (first == "same") {
    std::string name;
    while (words >> name) script->same.push_back(name);
  } else {
    Rule rule;
    rule.kernel = first;
    std::string word;
    while (words >> word && word != ":") {
      const size_t at = word.find('=');
      if (at == std::string::npos) {
        std::fprintf(stderr, "fake OpenCL: not understood: %s\n", line.c_str());
        std::abort();
      }
      rule.when[word.substr(0, at)] = word.substr(at + 1);
    }
    words >> rule.action;
    while (words >> word) rule.words.push_back(word);
    script->rules.push_back(rule);
  }
}

}  // namespace

const Rule* Script::find(const std::string& kernel, const Macros& facts, const char* action) const {
  const Rule* found = nullptr;
  for (const Rule& rule : rules) {
    if (rule.action == action && matches(rule, kernel, facts)) found = &rule;
  }
  return found;
}

Script read_script() {
  Script script;
  const char* path = std::getenv("NETCL_FAKE_CL_SCRIPT");
  if (path == nullptr) return script;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) read_line(line, &script);
  return script;
}

void note_launch(const std::string& line) {
  const char* path = std::getenv("NETCL_FAKE_CL_LOG");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "ae")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

std::atomic<bool>& device_gone() {
  static std::atomic<bool> gone{false};
  return gone;
}

cl_int injected(const char* function) {
  if (device_gone() && std::string_view(function).starts_with("clEnqueue")) return kIllegalAccess;
  static auto* const mutex = new std::mutex();
  static auto* const last = new std::string();
  static int calls = 0;
  const char* given = std::getenv("NETCL_FAKE_CL_FAIL");
  if (given == nullptr) return CL_SUCCESS;
  const std::lock_guard<std::mutex> lock(*mutex);
  if (*last != given) {
    *last = given;
    calls = 0;
  }
  std::istringstream words(*last);
  std::string name, nth;
  cl_int code = CL_SUCCESS;
  if (!(words >> name >> nth >> code) || name != function) return CL_SUCCESS;
  const int from = std::atoi(nth.c_str());
  const bool fails = ++calls == from || (calls > from && nth.back() == '+');
  if (fails) ++fake_fail_hits;
  return fails ? code : CL_SUCCESS;
}

std::mutex& mutex() {
  static auto* const mutex = new std::mutex();
  return *mutex;
}

uint64_t& clock_ns() {
  static uint64_t clock = 1000000;
  return clock;
}

}  // namespace fake
