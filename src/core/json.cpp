#include "core/json.hpp"

#include <set>
#include <vector>

#include "core/error.hpp"

namespace netcl {

Json parse_json(std::string_view text, const char* what) {
  constexpr int kDepthMost = 64;
  if (text.size() > kJsonBytesMost) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s has %zu bytes of JSON; the limit is %zu", what, text.size(),
         kJsonBytesMost);
  }
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDepthMost) {
      fail(NETCL_ERROR_CORRUPT_DATA, "%s is nested more than %d deep", what, kDepthMost);
    }
    if (event == Json::parse_event_t::object_start) {
      names.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      names.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const std::string& name = value.get_ref<const std::string&>();
      if (!names.back().insert(name).second) {
        fail(NETCL_ERROR_CORRUPT_DATA, "%s has the member %s twice in one object", what,
             quoted(name.c_str()).c_str());
      }
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::exception& error) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s is no JSON: %.200s", what, error.what());
  }
}

bool is_utf8(std::string_view text) {
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace netcl
