// Runs sequences: in the process itself, and in processes that are watched.
#pragma once

#include <functional>

#include "draw.hpp"

namespace sequences {

void run_sequence(uint64_t seed);
void play_sequence(const std::vector<Call>& calls);

struct Ended {
  std::string kind;  // "" where all was well
  std::string details;
};

// Runs `body` in a process of its own with a folder of its own, and says how that ended.
Ended watched(const std::function<void()>& body);

// The fewest of the calls that fail in the same way.
std::vector<Call> shrunk(std::vector<Call> calls, const std::string& kind, double seconds);

}  // namespace sequences
