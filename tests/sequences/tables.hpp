// The interface as tables, which generate.py writes from the API lock.
#pragma once

#include <cstdint>

namespace sequences {

enum class Class : uint8_t {
  HandleIn,
  HandlesIn,
  HandleOut,
  HandlesOut,
  StructIn,
  StructsIn,
  StructOut,
  StructsOut,
  Int,
  Real,
  Count,
  TextIn,
  TextsIn,
  TextOut,
  IntsIn,
  IntsOut,
  DataIn,
  DataOut,
  Hook,
  UserData,
  ForeignIn,
  ForeignOut,
  Inline,
  Header
};

// A parameter of a function, or a member of a struct.
struct Field {
  const char* name;
  const char* type;  // as in C
  Class kind;
  int16_t of;        // type of handle, number of struct, enum, hook or foreign type; else -1
  int16_t counted;   // index of the field that has the number of entries, else -1
  int16_t counts;    // of a Count: index of the first field whose entries it counts, else -1
  uint16_t offset;   // in its struct
  uint16_t size;     // bytes of the value, or of an entry of what it points to
  uint16_t entries;  // of an Inline array
  uint8_t real;      // 1: its entries are double
  uint8_t is_signed;
};

struct Struct {
  const char* name;
  uint32_t size, first_size;
  const Field* fields;
  uint16_t fields_count;
  uint8_t headed;  // 1: begins with struct_size
};

struct Enum {
  const char* name;
  const int32_t* values;
  uint16_t values_count;
};

union Argument {
  uint64_t bits;
  double real;
  void* pointer;
};

enum class Returns : uint8_t { Status, Nothing, Text, Number };

struct Function {
  const char* name;
  const Field* params;
  uint16_t params_count;
  Returns returns;
  uint32_t weight;
  uint64_t (*call)(const Argument* arguments);
};

struct RuleRow {
  const char* path;
  const char* rule;
};
struct AfterRow {
  const char* function;
  const char* call;
};

extern const Struct kStructs[];
extern const Enum kEnums[];
extern const Function kFunctions[];
extern const uint16_t kFunctionsCount;
extern const RuleRow kRules[];
extern const uint16_t kRulesCount;
extern const AfterRow kAfter[];
extern const uint16_t kAfterCount;
extern const char* const kNeeded[];
extern const uint16_t kNeededCount;
extern const char* const kHandleNames[];  // by netcl_handle_type
constexpr int kHandleTypes = 25;
constexpr int kForeign = 100;  // types of results that are no handles begin here
extern const char* const kForeignNames[];
constexpr int kForeignTypes = 6;
extern const uint8_t kMovable[];  // by netcl_handle_type: one thread at a time

}  // namespace sequences
