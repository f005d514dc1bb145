#include "core/json.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/number.hpp"
#include "core/utf8.hpp"

namespace netcl {

namespace {

void add_escape(unsigned char c, std::string* out) {
  static constexpr char kNamed[] = "\b\t\n\f\r\"\\";
  static constexpr char kLetters[] = "btnfr\"\\";
  *out += '\\';
  for (size_t i = 0; i + 1 < sizeof kNamed; ++i) {
    if (kNamed[i] == static_cast<char>(c)) {
      *out += kLetters[i];
      return;
    }
  }
  static constexpr char kDigits[] = "0123456789abcdef";
  *out += "u00";
  *out += kDigits[c >> 4];
  *out += kDigits[c & 15];
}

void add_line(int indent, size_t level, std::string* out) {
  if (indent < 0) return;
  *out += '\n';
  out->append(static_cast<size_t>(indent) * level, ' ');
}

}  // namespace

Json::Json(std::string value) : value_(std::make_unique<std::string>(std::move(value))) {}

Json::Json(const Json& other) {
  if (const auto* text = std::get_if<Text>(&other.value_)) {
    value_ = std::make_unique<std::string>(**text);
  } else if (const List* list = other.list()) {
    value_ = std::make_unique<List>(*list);
  } else {
    std::visit(
        [this](const auto& held) {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_copy_assignable_v<Held>) value_ = held;
        },
        other.value_);
  }
}

// What was moved from is null, not a text or a list without one.
Json::Json(Json&& other) noexcept : value_(std::exchange(other.value_, std::monostate())) {}

Json& Json::operator=(Json other) noexcept {
  value_.swap(other.value_);
  return *this;
}

Json::~Json() = default;

Json Json::array(std::initializer_list<Json> values) {
  Json made;
  made.value_ = std::make_unique<List>();
  for (const Json& value : values) made.push_back(value);
  return made;
}

Json Json::object(Members members) {
  Json made;
  made.list_to_extend(true);
  for (const auto& [name, value] : members) made.add(std::string(name), value);
  return made;
}

const Json::List* Json::list() const noexcept {
  const auto* held = std::get_if<std::unique_ptr<List>>(&value_);
  return held == nullptr ? nullptr : held->get();
}

Json::List& Json::list_to_extend(bool named) {
  if (is_null()) {
    auto made = std::make_unique<List>();
    made->named = named;
    value_ = std::move(made);
  }
  auto* const held = std::get_if<std::unique_ptr<List>>(&value_);
  if (held == nullptr || (*held)->named != named) fail_type(named ? "object" : "array");
  return **held;
}

bool Json::is_number_integer() const noexcept {
  const auto* natural = std::get_if<uint64_t>(&value_);
  return std::holds_alternative<int64_t>(value_) || (natural != nullptr && *natural <= INT64_MAX);
}

bool Json::is_number() const noexcept {
  return std::holds_alternative<int64_t>(value_) || is_number_unsigned() || is_number_float();
}

bool Json::is_array() const noexcept { return list() != nullptr && !list()->named; }
bool Json::is_object() const noexcept { return list() != nullptr && list()->named; }

void Json::fail_type(const char* wanted) {
  fail(NETCL_ERROR_CORRUPT_DATA, "JSON holds a value that is no %s where one has to be", wanted);
}

bool Json::get_bool() const {
  const auto* held = std::get_if<bool>(&value_);
  if (held == nullptr) fail_type("bool");
  return *held;
}

int64_t Json::get_integer() const {
  if (const auto* held = std::get_if<int64_t>(&value_)) return *held;
  if (!is_number_integer()) fail_type("integer");
  return static_cast<int64_t>(std::get<uint64_t>(value_));
}

uint64_t Json::get_natural() const {
  const auto* held = std::get_if<uint64_t>(&value_);
  if (held == nullptr) fail_type("natural number");
  return *held;
}

double Json::get_real() const {
  if (const auto* held = std::get_if<double>(&value_)) return *held;
  if (const auto* held = std::get_if<uint64_t>(&value_)) return static_cast<double>(*held);
  const auto* held = std::get_if<int64_t>(&value_);
  if (held == nullptr) fail_type("number");
  return static_cast<double>(*held);
}

const std::string& Json::text() const {
  const auto* held = std::get_if<Text>(&value_);
  if (held == nullptr) fail_type("text");
  return **held;
}

size_t Json::size() const noexcept { return list() == nullptr ? 0 : list()->values.size(); }

const Json* Json::begin() const noexcept {
  return list() == nullptr ? nullptr : list()->values.data();
}

void Json::push_back(Json value) { list_to_extend(false).values.push_back(std::move(value)); }

const Json* Json::find(std::string_view name) const noexcept {
  if (!is_object()) return end();
  const std::vector<std::string>& names = list()->names;
  return begin() + (std::find(names.begin(), names.end(), name) - names.begin());
}

const Json& Json::at(std::string_view name) const {
  const Json* const found = find(name);
  if (found == end()) fail_type("object with the member that is looked for");
  return *found;
}

Json& Json::operator[](std::string_view name) {
  List& members = list_to_extend(true);
  const auto at = static_cast<size_t>(find(name) - begin());
  if (at == members.values.size()) add(std::string(name), Json());
  return members.values[at];
}

void Json::add(std::string name, Json value) {
  List& members = list_to_extend(true);
  members.values.push_back(std::move(value));
  try {
    members.names.push_back(std::move(name));
  } catch (...) {
    members.values.pop_back();
    throw;
  }
}

Json::Items Json::items() const noexcept { return Items(is_object() ? list() : nullptr); }

void Json::write(int indent, size_t level, std::string* out) const {
  if (const List* const held = list()) {
    *out += held->named ? '{' : '[';
    for (size_t i = 0; i < held->values.size(); ++i) {
      if (i > 0) *out += ',';
      add_line(indent, level + 1, out);
      if (held->named) {
        add_json_text(held->names[i], out);
        *out += indent < 0 ? ":" : ": ";
      }
      held->values[i].write(indent, level + 1, out);
    }
    if (!held->values.empty()) add_line(indent, level, out);
    *out += held->named ? '}' : ']';
  } else if (const auto* flag = std::get_if<bool>(&value_)) {
    *out += *flag ? "true" : "false";
  } else if (const auto* negative = std::get_if<int64_t>(&value_)) {
    *out += number_text(*negative);
  } else if (const auto* natural = std::get_if<uint64_t>(&value_)) {
    *out += number_text(*natural);
  } else if (const auto* real = std::get_if<double>(&value_)) {
    *out += std::isfinite(*real) ? real_text(*real) : "null";
  } else if (is_string()) {
    add_json_text(text(), out);
  } else {
    *out += "null";
  }
}

std::string Json::dump(int indent) const {
  std::string out;
  write(indent, 0, &out);
  return out;
}

bool operator==(const Json& a, const Json& b) noexcept {
  if (a.is_string() && b.is_string()) return a.text() == b.text();
  const Json::List* const one = a.list();
  const Json::List* const other = b.list();
  if (one == nullptr || other == nullptr) return a.value_ == b.value_;
  return one->named == other->named && one->names == other->names && one->values == other->values;
}

void add_json_text(std::string_view text, std::string* out) {
  *out += '"';
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    bool sound = true;
    const size_t length = utf8_length(text, &sound);
    if (first < 0x20 || first == '"' || first == '\\') {
      add_escape(first, out);
    } else if (sound) {
      out->append(text, 0, length);
    } else {
      *out += "\xef\xbf\xbd";
    }
    text.remove_prefix(length);
  }
  *out += '"';
}

}  // namespace netcl
