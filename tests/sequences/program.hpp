// Calls with their arguments as data, which processes hand on to each other, and which are printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tables.hpp"

namespace sequences {

// Functions of the host that stand for arguments; see hooks.cpp.
enum HookId : uint8_t { kHookNone, kHookWorks, kHookFails, kHookOdd, kHooksEnd };

// A value of an argument, a member or an entry.
struct Node {
  enum Kind : uint8_t {
    Zero,    // 0 or NULL
    Number,  // bits
    Ref,     // what call `bits >> 8` gave as its result `bits & 255`
    Junk,    // bits, where a handle belongs
    Bytes,   // memory with these bytes
    List,    // memory with a pointer or a struct for each of kids
    Struct,  // memory with a struct: kids are its members
    Out,     // poisoned memory of bits bytes
    HookFn,  // bits: HookId
    Token,   // user_data that wants to be destroyed
    Managed  // a DLManagedTensor of the host
  };
  Kind kind = Zero;
  const Field* field = nullptr;
  uint64_t bits = 0;
  uint64_t struct_size = 0;  // Struct: what it says of itself
  uint64_t room = 0;         // Struct, Out: bytes of its memory
  std::string bytes;
  std::vector<Node> kids;
};

struct Call {
  uint32_t id = 0;
  uint16_t thread = 0;
  uint16_t function = 0;
  uint8_t refused = 0;  // a handle is surely bad: the call must not give NETCL_OK
  std::vector<Node> params;
  const Function& what() const { return kFunctions[function]; }
};

uint64_t ref_of(uint32_t call, unsigned result);

// Calls as bytes; the tables are where they were when processes come from one by fork.
void append(std::string& bytes, const Call& call);
std::vector<Call> calls_in(const unsigned char* bytes, size_t size);

// Does something with each node of a call, parents first.
template <class Do>
void walk(Node& node, Do&& act) {
  act(node);
  for (Node& kid : node.kids) walk(kid, act);
}

template <class Do>
void walk(const Node& node, Do&& act) {
  act(node);
  for (const Node& kid : node.kids) walk(kid, act);
}

// How many results a call can have, and the type of each: a handle type, or kForeign + number.
std::vector<int> results_of(const Call& call);

int function_named(const char* name);  // "netcl_" may be left out; -1 when there is none
const Struct& struct_of(const Field& field);

constexpr uint16_t kPrologue = 99;  // thread of the calls that come before all threads

// The calls as a C program.
std::string print_program(const std::vector<Call>& calls, const std::string& why);

}  // namespace sequences
