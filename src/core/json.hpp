// JSON in and out, through one door: texts of others are limited in size and depth, and an object
// that names a member twice is refused instead of losing one of the two. A failed allocation
// throws std::bad_alloc and leaves nothing behind; destroying a value allocates nothing.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace netcl {

inline constexpr size_t kJsonBytesMost = size_t{64} << 20;
inline constexpr size_t kJsonDepthMost = 64;

template <class T>
concept JsonNumber = std::is_arithmetic_v<T> && !std::same_as<T, char>;

// A value: null, a bool, a number, a text, an array, or an object whose members keep their order.
// Integers that are not negative are uint64_t, negative ones int64_t, all other numbers double.
class Json {
 public:
  using Members = std::initializer_list<std::pair<std::string_view, Json>>;

  Json() noexcept = default;  // null
  Json(std::nullptr_t) noexcept {}
  Json(bool value) noexcept : value_(value) {}
  template <JsonNumber T>
  requires(!std::same_as<T, bool>) Json(T value)
  noexcept;
  Json(std::string value);
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <JsonNumber T, size_t N>
  Json(const T (&values)[N]) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(Json other) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> values = {});
  static Json object(Members members = {});

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const noexcept { return std::holds_alternative<bool>(value_); }
  // A whole number that fits int64_t.
  bool is_number_integer() const noexcept;
  // A whole number that fits uint64_t.
  bool is_number_unsigned() const noexcept { return std::holds_alternative<uint64_t>(value_); }
  bool is_number_float() const noexcept { return std::holds_alternative<double>(value_); }
  bool is_number() const noexcept;
  bool is_string() const noexcept { return std::holds_alternative<Text>(value_); }
  bool is_array() const noexcept;
  bool is_object() const noexcept;

  // The value as a bool, a number or a std::string; CORRUPT_DATA when it is of another type.
  // Numbers are converted.
  template <class T>
  T get() const;
  const std::string& text() const;

  // Elements of an array, or the values of an object's members. Other values have none.
  size_t size() const noexcept;
  const Json* begin() const noexcept;
  const Json* end() const noexcept { return begin() + size(); }
  const Json& operator[](size_t index) const noexcept { return begin()[index]; }
  void push_back(Json value);  // null becomes an array

  // The member's value, or end().
  const Json* find(std::string_view name) const noexcept;
  bool contains(std::string_view name) const noexcept { return find(name) != end(); }
  // The member's value; CORRUPT_DATA when there is none.
  const Json& at(std::string_view name) const;
  // The member, made when there is none; null becomes an object.
  Json& operator[](std::string_view name);
  // Adds a member that is not there yet, without looking for it.
  void add(std::string name, Json value);

  class Items;
  // An object's members as pairs of name and value.
  Items items() const noexcept;

  // As text: on one line, or with members and elements on lines of their own that are indented by
  // `indent` blanks per level. Numbers read back as they are; those that are not finite are null.
  // Bytes that are no UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;

  friend bool operator==(const Json& a, const Json& b) noexcept;

 private:
  struct List;
  using Text = std::unique_ptr<std::string>;
  using Value =
      std::variant<std::monostate, bool, int64_t, uint64_t, double, Text, std::unique_ptr<List>>;

  const List* list() const noexcept;
  List& list_to_extend(bool named);
  bool get_bool() const;
  int64_t get_integer() const;
  uint64_t get_natural() const;
  double get_real() const;
  [[noreturn]] static void fail_type(const char* wanted);
  void write(int indent, size_t level, std::string* out) const;

  Value value_;
};

struct Json::List {
  bool named = false;
  std::vector<std::string> names;  // of an object: one for each value
  std::vector<Json> values;
};

class Json::Items {
 public:
  class Iterator {
   public:
    Iterator(const List* list, size_t at) noexcept : list_(list), at_(at) {}
    std::pair<const std::string&, const Json&> operator*() const noexcept {
      return {list_->names[at_], list_->values[at_]};
    }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator&) const noexcept = default;

   private:
    const List* list_;
    size_t at_;
  };

  explicit Items(const List* list) noexcept : list_(list) {}
  Iterator begin() const noexcept { return {list_, 0}; }
  Iterator end() const noexcept { return {list_, list_ == nullptr ? 0 : list_->names.size()}; }

 private:
  const List* list_;
};

template <JsonNumber T>
requires(!std::same_as<T, bool>) Json::Json(T value)
noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    value_ = static_cast<double>(value);
  } else if (value < 0) {
    value_ = static_cast<int64_t>(value);
  } else {
    value_ = static_cast<uint64_t>(value);
  }
}

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, std::string>) {
    return text();
  } else if constexpr (std::same_as<T, bool>) {
    return get_bool();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(get_real());
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(get_natural());
  } else {
    return static_cast<T>(get_integer());
  }
}

// What stands in a text of JSON, told in its order, for what is too large to be held as one value.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual void open(bool object) = 0;  // an object or an array begins
  virtual void close() = 0;
  virtual void name(std::string name) = 0;  // of the member that comes next
  virtual void value(Json value) = 0;       // no object and no array
};

// Fails with CORRUPT_DATA naming `what` (a file, say), the line, the column and what is wrong
// there. What it calls may throw too.
void read_json(std::string_view text, size_t bytes_most, const char* what, JsonEvents* events);
// The same as one value, in which no object has a member twice.
Json parse_json(std::string_view text, const char* what);

// Adds the text in quotes, with the escapes that JSON needs.
void add_json_text(std::string_view text, std::string* out);

}  // namespace netcl
