// The tuning database in formats of others.
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace netcl::store {

// The measurements among the records as T4 JSON: times in milliseconds, one result per record.
std::string export_t4(const std::vector<const Record*>& records);
// One row per record, with a header.
std::string export_csv(const std::vector<const Record*>& records);

}  // namespace netcl::store
