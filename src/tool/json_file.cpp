// SPDX-License-Identifier: Apache-2.0
#include "json_file.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <cmath>

#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr size_t kDepthMost = 100;

/// Builds the value; `open_` are the arrays and objects around what is read.
class JsonBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonBuilder> {
 public:
  explicit JsonBuilder(JsonValue* root) : root_(root) {}

  bool Null() { return add(JsonValue::Kind::kNull) != nullptr; }
  bool Bool(bool value) {
    add(JsonValue::Kind::kBoolean)->boolean = value;
    return true;
  }
  bool Double(double value) {
    add(JsonValue::Kind::kNumber)->number = value;
    return true;
  }
  bool Int(int value) { return Double(value); }
  bool Uint(unsigned value) { return Double(value); }
  bool Int64(int64_t value) { return Double(static_cast<double>(value)); }
  bool Uint64(uint64_t value) { return Double(static_cast<double>(value)); }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    add(JsonValue::Kind::kText)->text.assign(text, size);
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    key_.assign(text, size);
    return true;
  }
  bool StartObject() { return open(JsonValue::Kind::kObject); }
  bool StartArray() { return open(JsonValue::Kind::kArray); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool EndArray(rapidjson::SizeType) { return close(); }

 private:
  JsonValue* add(JsonValue::Kind kind) {
    JsonValue* value = root_;
    if (!open_.empty()) {
      value = &open_.back()->items.emplace_back();
      value->name = std::move(key_);
    }
    key_.clear();
    value->kind = kind;
    return value;
  }
  bool open(JsonValue::Kind kind) {
    if (open_.size() == kDepthMost) return false;
    open_.push_back(add(kind));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonValue* root_;
  std::vector<JsonValue*> open_;
  std::string key_;
};

const JsonValue& member(const JsonValue& object, const char* name, JsonValue::Kind kind,
                        const char* wanted) {
  const JsonValue* const value = object.find(name);
  if (value == nullptr) throw ToolError(format("\"%s\" is missing", name));
  if (value->kind != kind) throw ToolError(format("\"%s\" is no %s", name, wanted));
  return *value;
}

}  // namespace

const JsonValue* JsonValue::find(const char* wanted) const {
  if (kind != Kind::kObject) return nullptr;
  for (const JsonValue& value : items) {
    if (value.name == wanted) return &value;
  }
  return nullptr;
}

double JsonValue::number_of(const char* wanted) const {
  return member(*this, wanted, Kind::kNumber, "number").number;
}

uint64_t JsonValue::count_of(const char* wanted) const {
  const double value = number_of(wanted);
  if (value >= 0 && value <= 0x1p53 && value == std::trunc(value)) {
    return static_cast<uint64_t>(value);
  }
  throw ToolError(format("\"%s\" is %g, which is no count", wanted, value));
}

bool JsonValue::boolean_of(const char* wanted) const {
  return member(*this, wanted, Kind::kBoolean, "boolean").boolean;
}

const std::string& JsonValue::text_of(const char* wanted) const {
  return member(*this, wanted, Kind::kText, "text").text;
}

const JsonValue& JsonValue::array_of(const char* wanted) const {
  return member(*this, wanted, Kind::kArray, "array");
}

JsonValue read_json_file(const std::string& path) {
  const std::string text = read_file(path);
  JsonValue value;
  JsonBuilder builder(&value);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag |
                              rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (result.Code() == rapidjson::kParseErrorTermination) {
    throw ToolError(format("%s: values lie more than %zu deep", path.c_str(), kDepthMost));
  }
  if (result.IsError()) {
    throw ToolError(format("%s is no JSON: %s At byte %zu", path.c_str(),
                           rapidjson::GetParseError_En(result.Code()), result.Offset()));
  }
  return value;
}

}  // namespace netcl::tool
