// The reports of a profile: a tree for people, JSON and CSV for programs.
#include <array>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "timing/profile_data.hpp"

namespace netcl::timing {

namespace {

#define REGION_LINE "%-40s %8s %12s %12s %9s %12s %12s %9s %9s  %s\n"
#define COUNTER_LINE "%-40s %12s %8s %12s %10s %10s %10s %10s %9s %9s  %s\n"

double per_ns(double amount, uint64_t ns) {
  return ns == 0 ? 0.0 : amount / static_cast<double>(ns);
}

std::string ms(uint64_t ns) { return fixed_text(static_cast<double>(ns) * 1e-6, 3); }
std::string us(uint64_t ns) { return fixed_text(static_cast<double>(ns) * 1e-3, 2); }
std::string rate(double amount, uint64_t ns) {
  const double value = per_ns(amount, ns);
  return value < 1e7 ? fixed_text(value, 2) : general_text(value, 3);
}

// Names come from callers; one that holds line ends would tear the table.
std::string one_line(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return name;
}

// In which the operations are done; null when that is not known or not one.
Json dtype_json(const Work& work) {
  return work.dtype == 0 ? Json() : Json(dtype_facts(work.dtype).name);
}

// A region, and what it took with those inside it.
struct RegionRow {
  const RegionNode* node;
  size_t parent;  // its row, or that of the region itself
  WorkSums total;
};

// All regions; those inside one follow it.
std::vector<RegionRow> region_rows(const RegionNode& root) {
  std::vector<RegionRow> rows;
  std::vector<RegionRow> open = {{&root, 0, root.own}};
  while (!open.empty()) {
    const RegionRow row = open.back();
    open.pop_back();
    const size_t place = rows.size();
    rows.push_back(row);
    for (auto child = row.node->children.rbegin(); child != row.node->children.rend(); ++child) {
      open.push_back({child->get(), place, (*child)->own});
    }
  }
  for (size_t i = rows.size(); --i > 0;) rows[rows[i].parent].total.add(rows[i].total);
  rows.erase(rows.begin());
  return rows;
}

// The region of row *at and those inside it; *at is then the row after them.
Json region_json(const std::vector<RegionRow>& rows, size_t* at) {
  const RegionNode& node = *rows[*at].node;
  const WorkSums& total = rows[(*at)++].total;
  Json json;
  json["name"] = node.name;
  json["queue"] = node.queue;
  json["calls"] = node.calls;
  json["host_ns"] = node.host_ns;
  json["host_self_ns"] = node.self_host_ns();
  json["commands"] = total.commands;
  json["commands_self"] = node.own.commands;
  json["device_ns"] = total.device_ns;
  json["device_self_ns"] = node.own.device_ns;
  json["bytes"] = total.work.bytes;
  json["bytes_self"] = node.own.work.bytes;
  json["operations"] = total.work.operations;
  json["operations_self"] = node.own.work.operations;
  json["bytes_written"] = total.work.bytes_written;
  json["dtype"] = dtype_json(total.work);
  json["matrix_units"] = total.work.matrix_units;
  json["children"] = Json::array();
  while (*at < rows.size() && rows[*at].node->depth > node.depth) {
    json["children"].push_back(region_json(rows, at));
  }
  return json;
}

Json counter_json(const CounterKey& key, const Counter& counter) {
  const WorkSums& sums = counter.sums;
  const Counter::Quantiles quantiles = counter.quantiles();
  Json json;
  json["device"] = key.device;
  json["name"] = key.name;
  json["kind"] = kind_text(key.kind);
  json["size_to"] = key.size_to;
  json["calls"] = sums.commands;
  json["total_ns"] = sums.device_ns;
  json["min_ns"] = counter.min_ns;
  json["median_ns"] = quantiles.median;
  json["p99_ns"] = quantiles.p99;
  json["max_ns"] = counter.max_ns;
  json["bytes"] = sums.work.bytes;
  json["bytes_written"] = sums.work.bytes_written;
  json["operations"] = sums.work.operations;
  json["dtype"] = dtype_json(sums.work);
  json["matrix_units"] = sums.work.matrix_units;
  json["gb_per_s"] = per_ns(sums.work.bytes, sums.device_ns);
  json["gflop_per_s"] = per_ns(sums.work.operations, sums.device_ns);
  return json;
}

void add_region_line(const RegionNode& node, const WorkSums& total, std::string* text) {
  const std::string name = std::string(2 * (node.depth - 1), ' ') + one_line(node.name);
  *text += format(REGION_LINE, name.c_str(), number_text(node.calls).c_str(),
                  ms(node.host_ns).c_str(), ms(node.self_host_ns()).c_str(),
                  number_text(total.commands).c_str(),
                  ms(total.device_ns).c_str(), ms(node.own.device_ns).c_str(),
                  rate(total.work.bytes, total.device_ns).c_str(),
                  rate(total.work.operations, total.device_ns).c_str(), node.queue.c_str());
}

void add_counter_line(const CounterKey& key, const Counter& counter, std::string* text) {
  const WorkSums& sums = counter.sums;
  const Counter::Quantiles quantiles = counter.quantiles();
  *text +=
      format(COUNTER_LINE, one_line(key.name).c_str(), number_text(key.size_to).c_str(),
             number_text(sums.commands).c_str(), ms(sums.device_ns).c_str(),
             us(counter.min_ns).c_str(), us(quantiles.median).c_str(),
             us(quantiles.p99).c_str(), us(counter.max_ns).c_str(),
             rate(sums.work.bytes, sums.device_ns).c_str(),
             rate(sums.work.operations, sums.device_ns).c_str(), key.device.c_str());
}

// The kernels, those that took the most time first.
std::vector<const std::pair<const CounterKey, Counter>*> by_time(const ProfileData& data) {
  std::vector<const std::pair<const CounterKey, Counter>*> order;
  for (const auto& entry : data.counters) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.sums.device_ns > b->second.sums.device_ns;
  });
  return order;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

void add_region_csv(const RegionNode& node, const WorkSums& total, const std::string& path,
                    std::string* text) {
  *text +=
      format("region,%s,%s,,%llu,%llu,%llu,%llu,%llu,%llu,,,,,%s,%s\n", csv_field(path).c_str(),
             csv_field(node.queue).c_str(), static_cast<unsigned long long>(node.calls),
             static_cast<unsigned long long>(total.commands),
             static_cast<unsigned long long>(node.host_ns),
             static_cast<unsigned long long>(node.self_host_ns()),
             static_cast<unsigned long long>(total.device_ns),
             static_cast<unsigned long long>(node.own.device_ns),
             number_text(total.work.bytes).c_str(), number_text(total.work.operations).c_str());
}

// Commands that are in no sum, by why.
struct Missing {
  const char* name;  // for programs
  const char* text;
  uint64_t count;
};

std::array<Missing, 4> missing(const ProfileData& data) {
  return {{{"pending", "not complete yet", data.pending},
           {"dropped", "without room for them", data.dropped},
           {"failed", "failed", data.failed},
           {"untimed", "on queues that record no times", data.untimed}}};
}

}  // namespace

std::string report_json(const ProfileData& data) {
  Json json;
  json["regions"] = Json::array();
  const std::vector<RegionRow> rows = region_rows(data.root);
  for (size_t at = 0; at < rows.size();) json["regions"].push_back(region_json(rows, &at));
  json["outside"] = Json::object({{"commands", data.root.own.commands},
                                  {"device_ns", data.root.own.device_ns},
                                  {"bytes", data.root.own.work.bytes},
                                  {"operations", data.root.own.work.operations}});
  json["kernels"] = Json::array();
  for (const auto* entry : by_time(data)) {
    json["kernels"].push_back(counter_json(entry->first, entry->second));
  }
  for (const Missing& one : missing(data)) json[one.name] = one.count;
  return json.dump(1) + "\n";
}

std::string report_csv(const ProfileData& data) {
  std::string text =
      "kind,name,where,size_to,calls,commands,host_ns,host_self_ns,device_ns,device_self_ns,"
      "min_ns,median_ns,p99_ns,max_ns,bytes,operations\n";
  std::vector<std::string> path;
  for (const RegionRow& row : region_rows(data.root)) {
    path.resize(row.node->depth);
    path.back() = (path.size() < 2 ? "" : path[path.size() - 2] + "/") + row.node->name;
    add_region_csv(*row.node, row.total, path.back(), &text);
  }
  if (const WorkSums& own = data.root.own; own.commands > 0) {
    const std::string ns = number_text(own.device_ns);
    text += "outside,(outside),,,," + number_text(own.commands) + ",,," + ns + "," + ns + ",,,,," +
            number_text(own.work.bytes) + "," + number_text(own.work.operations) + "\n";
  }
  for (const Missing& one : missing(data)) {
    if (one.count == 0) continue;
    text += std::string("missing,") + one.name + ",,,," + number_text(one.count) + ",,,,,,,,,,\n";
  }
  for (const auto* entry : by_time(data)) {
    const CounterKey& key = entry->first;
    const Counter& counter = entry->second;
    const Counter::Quantiles quantiles = counter.quantiles();
    const auto count = static_cast<unsigned long long>(counter.sums.commands);
    const auto total = static_cast<unsigned long long>(counter.sums.device_ns);
    text += format("%s,%s,%s,%llu,%llu,%llu,,,%llu,%llu,%llu,%llu,%llu,%llu,%s,%s\n",
                   kind_text(key.kind), csv_field(key.name).c_str(), csv_field(key.device).c_str(),
                   static_cast<unsigned long long>(key.size_to), count, count, total, total,
                   static_cast<unsigned long long>(counter.min_ns),
                   static_cast<unsigned long long>(quantiles.median),
                   static_cast<unsigned long long>(quantiles.p99),
                   static_cast<unsigned long long>(counter.max_ns),
                   number_text(counter.sums.work.bytes).c_str(),
                   number_text(counter.sums.work.operations).c_str());
  }
  return text;
}

std::string report_text(const ProfileData& data) {
  std::string text = format(REGION_LINE, "region", "calls", "host ms", "self ms", "commands",
                            "device ms", "self ms", "GB/s", "GFLOP/s", "queue");
  for (const RegionRow& row : region_rows(data.root)) {
    add_region_line(*row.node, row.total, &text);
  }
  if (const WorkSums& own = data.root.own; own.commands > 0) {
    text += format(REGION_LINE, "(outside)", "", "", "", number_text(own.commands).c_str(),
                   ms(own.device_ns).c_str(), ms(own.device_ns).c_str(),
                   rate(own.work.bytes, own.device_ns).c_str(),
                   rate(own.work.operations, own.device_ns).c_str(), "");
  }
  text += "\n" + format(COUNTER_LINE, "kernel", "size up to", "calls", "total ms", "min us",
                        "median us", "p99 us", "max us", "GB/s", "GFLOP/s", "device");
  for (const auto* entry : by_time(data)) add_counter_line(entry->first, entry->second, &text);
  for (const Missing& one : missing(data)) {
    if (one.count > 0) text += format("%s commands %s\n", number_text(one.count).c_str(), one.text);
  }
  return text;
}

}  // namespace netcl::timing
