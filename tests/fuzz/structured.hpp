// Mutations that keep the form of a format, so that most of them come past its first checks: a
// target takes its input apart, changes a part, and puts it together with sound lengths and sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/json.hpp"

// libFuzzer's own mutation of bytes; replay.c has one of the same name.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_most);

namespace netcl::fuzz {

// A broken promise stops the fuzzer, which keeps the input.
inline void require(bool held, const char* what, const char* message = "") {
  if (held) return;
  std::fprintf(stderr, "%s%s%s\n", what, message[0] == '\0' ? "" : ": ", message);
  std::abort();
}

// The random numbers of one mutation.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  size_t below(size_t bound) { return bound == 0 ? 0 : static_cast<size_t>(next() >> 11) % bound; }
  bool one_in(size_t count) { return below(count) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return std::data(list)[below(std::size(list))];
  }

 private:
  uint64_t state_;
};

using Words = std::span<const std::string_view>;

inline std::string changed_bytes(std::string_view bytes, size_t room = 16) {
  std::string copy(bytes);
  copy.resize(bytes.size() + room);
  copy.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(copy.data()), bytes.size(), copy.size()));
  return copy;
}

// A number near the places where something overflows or changes its sign.
inline int64_t edge_number(Chance& chance) {
  static constexpr int64_t kEdges[] = {0,
                                       1,
                                       -1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       63,
                                       64,
                                       65,
                                       255,
                                       4096,
                                       4097,
                                       INT32_MAX,
                                       INT64_MAX,
                                       INT64_MIN,
                                       16,
                                       32,
                                       100,
                                       INT64_C(1) << 32,
                                       INT64_C(1) << 40,
                                       5,
                                       10000000};
  const uint64_t beside = chance.one_in(4) ? chance.below(3) - 1 : 0;
  return static_cast<int64_t>(static_cast<uint64_t>(chance.of(kEdges)) + beside);
}

inline Json scalar(Chance& chance, Words words) {
  switch (chance.below(8)) {
    case 0:
      return nullptr;
    case 1:
      return chance.one_in(2);
    case 2:
      return edge_number(chance);
    case 3:
      return static_cast<uint64_t>(chance.below(40));
    case 4:
      return static_cast<double>(chance.below(1000)) / 8;
    case 5:
      return chance.one_in(3) ? -0.5 : 1e300;
    case 6:
      return chance.one_in(4) ? Json::array() : chance.one_in(4) ? Json::object() : Json(-3);
    default:
      return words.empty() ? Json("") : Json(chance.of(words));
  }
}

inline size_t count_of(const Json& json) {
  size_t count = 1;
  for (const Json& child : json) count += count_of(child);
  return count;
}

// The value with its `at`-th part (in the order of the text) changed.
class JsonChange {
 public:
  JsonChange(Chance& chance, Words words) : chance_(chance), words_(words) {}

  Json apply(const Json& json) {
    left_ = chance_.below(count_of(json));
    return copy(json);
  }

 private:
  Json copy(const Json& json) {
    if (left_-- == 0) return changed(json);
    if (json.is_array()) {
      Json list = Json::array();
      for (const Json& child : json) list.push_back(copy(child));
      return list;
    }
    if (!json.is_object()) return json;
    Json object = Json::object();
    for (const auto& [name, value] : json.items()) object.add(name, copy(value));
    return object;
  }

  Json changed(const Json& json) {
    if (json.is_array() && chance_.below(4) != 0) return changed_list(json);
    if (json.is_object() && chance_.below(8) != 0) return changed_object(json);
    if (json.is_string() && chance_.one_in(3)) return Json(changed_bytes(json.text(), 4));
    if (json.is_number_integer() && chance_.one_in(2)) {
      return static_cast<int64_t>(static_cast<uint64_t>(json.get<int64_t>()) + chance_.below(5) -
                                  2);
    }
    if (json.is_boolean() && chance_.one_in(2)) return !json.get<bool>();
    return scalar(chance_, words_);
  }

  Json changed_list(const Json& json) {
    const size_t size = json.size(), at = chance_.below(size);
    const size_t how = chance_.below(3);
    Json list = Json::array();
    for (size_t i = 0; i < size; ++i) {
      if (how == 0 && i == at) continue;
      list.push_back(json[i]);
      if (how == 1 && i == at) list.push_back(json[i]);
    }
    if (how == 2 || size == 0) list.push_back(scalar(chance_, words_));
    return list;
  }

  Json changed_object(const Json& json) {
    const size_t at = chance_.below(json.size()), how = chance_.below(4);
    Json object = Json::object();
    size_t i = 0;
    for (const auto& [name, value] : json.items()) {
      const bool here = i++ == at;
      if (here && how == 0) continue;
      object.add(here && how == 1 && !words_.empty() ? std::string(chance_.of(words_)) : name,
                 here && how == 2 ? scalar(chance_, words_) : value);
    }
    if (how == 3 && !words_.empty()) {
      object[chance_.of(words_)] = scalar(chance_, words_);
    }
    return object;
  }

  Chance& chance_;
  Words words_;
  size_t left_ = 0;
};

// Spellings that a value cannot have: numbers beyond a double or close to zero, half a character.
inline void misspell(std::string* text, Chance& chance) {
  static constexpr std::string_view kNumbers[] = {"1e999",
                                                  "-1e-999",
                                                  "0.00001e-400",
                                                  "1e99999999999999999999",
                                                  "1e-99999999999999999999",
                                                  "-1",
                                                  "1E+2",
                                                  "18446744073709551616",
                                                  "01",
                                                  "1,5"};
  static constexpr std::string_view kDigits = "0123456789";
  const bool number = chance.one_in(2);
  const size_t at = number ? text->find_first_of(kDigits, chance.below(text->size()))
                           : text->find('"', chance.below(text->size()));
  if (at == std::string::npos) return;
  if (!number) {
    text->insert(at + 1, chance.one_in(2) ? "\\udc00" : "\\u00e9\\n");
    return;
  }
  const size_t end = std::min(text->find_first_not_of(kDigits, at), text->size());
  text->replace(at, end - at, chance.of(kNumbers));
}

// A document with up to three changes; what is no JSON is changed byte by byte.
inline std::string changed_json(std::string_view text, Chance& chance, Words words) {
  Json json;
  try {
    json = parse_json(text, "an input");
  } catch (const Error&) {
    return changed_bytes(text);
  }
  for (size_t i = chance.below(3) + 1; i > 0; --i) json = JsonChange(chance, words).apply(json);
  std::string made = json.dump();
  if (chance.one_in(16)) misspell(&made, chance);
  return made;
}

// One mutation of a target: `change` gets the input and gives another one. Now and then the bytes
// are changed as they are, and so they are where the result is too long.
template <class Change>
size_t mutate(uint8_t* data, size_t size, size_t most, unsigned seed, const Change& change) {
  Chance chance(seed);
  if (!chance.one_in(8)) {
    const std::string made =
        change(std::string_view(reinterpret_cast<const char*>(data), size), chance);
    if (!made.empty() && made.size() <= most) {
      std::memcpy(data, made.data(), made.size());
      return made.size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

}  // namespace netcl::fuzz

// Defines the mutation of a target: FUZZ_MUTATION(text, chance) { return ...; }
#define FUZZ_MUTATION(text, chance)                                                     \
  static std::string fuzz_mutation(std::string_view text, netcl::fuzz::Chance& chance); \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most,    \
                                            unsigned seed) {                            \
    return netcl::fuzz::mutate(data, size, most, seed, fuzz_mutation);                  \
  }                                                                                     \
  static std::string fuzz_mutation(std::string_view text, netcl::fuzz::Chance& chance)
