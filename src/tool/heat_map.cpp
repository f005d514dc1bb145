// SPDX-License-Identifier: Apache-2.0
#include "heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <span>

#include "chart.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

/// Upper ends of the steps of the colour scale, as times of the best; slower is the last step.
constexpr double kSteps[] = {1.02, 1.1, 1.25, 1.5, 2.0, 4.0};
constexpr size_t kStepsCount = sizeof kSteps / sizeof kSteps[0] + 1;
constexpr const char* kStepTexts[kStepsCount] = {"best to 1.02", "1.1", "1.25", "1.5", "2", "4",
                                                 "slower"};
constexpr size_t kMapsMost = 16;
constexpr size_t kOverviewMost = 30;
constexpr size_t kRowsMost = 400;

/// Cut short: how slow it is was not worth knowing.
bool is_slow(const TunedPoint& point) {
  return point.outcome == NETCL_OUTCOME_SLOW && !point.has_time();
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

double number_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

std::vector<std::string> values_of(const TunedCase& one, const std::string& name) {
  std::vector<std::string> values;
  for (const TunedPoint& point : one.points) {
    const std::string value = point.value(name);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  if (std::all_of(values.begin(), values.end(), is_number)) {
    std::sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
      return number_of(a) < number_of(b);
    });
  }
  return values;
}

/// The share of the variance of the logarithms of the times that lies between the values of one
/// parameter: 1 when it alone decides, 0 when the times know nothing of it.
double share_of(const TunedCase& one, const std::string& name) {
  struct Sum {
    double sum = 0;
    double count = 0;
  };
  std::map<std::string, Sum> groups;
  Sum all;
  double squares = 0;
  for (const TunedPoint& point : one.points) {
    if (!point.has_time()) continue;
    const double value = std::log(point.median);
    Sum& group = groups[point.value(name)];
    group.sum += value;
    group.count += 1;
    all.sum += value;
    all.count += 1;
    squares += value * value;
  }
  if (all.count < 2) return 0;
  const double middle = all.sum * all.sum / all.count;
  const double whole = squares - middle;
  double between = -middle;
  for (const auto& [value, group] : groups) between += group.sum * group.sum / group.count;
  return whole > 1e-12 ? std::clamp(between / whole, 0.0, 1.0) : 0.0;
}

size_t step_of(double ratio) {
  size_t step = 0;
  while (step + 1 < kStepsCount && ratio > kSteps[step]) ++step;
  return step;
}

/// What stands in a cell where nothing has a time.
const char* failure_text(netcl_outcome outcome) {
  switch (outcome) {
    case NETCL_OUTCOME_CONSTRAINTS:
      return "no fit";
    case NETCL_OUTCOME_COMPILE:
      return "build";
    case NETCL_OUTCOME_RUNTIME:
      return "driver";
    case NETCL_OUTCOME_CORRECTNESS:
      return "wrong";
    case NETCL_OUTCOME_GUARD:
      return "writes out";
    case NETCL_OUTCOME_TIMEOUT:
      return "time out";
    case NETCL_OUTCOME_HANG:
      return "hangs";
    case NETCL_OUTCOME_CRASH:
      return "crash";
    default:
      return "no time";
  }
}

double least_time(const TunedCase& one) {
  double least = 0;
  for (const TunedPoint& point : one.points) {
    if (point.has_time() && (least == 0 || point.median < least)) least = point.median;
  }
  return least;
}

/// All that share one place in the map.
struct Cell {
  const TunedPoint* fastest = nullptr;
  const TunedPoint* slow = nullptr;
  const TunedPoint* failure = nullptr;
  size_t count = 0;
  size_t failures = 0;
  bool has_best = false;
  bool has_default = false;
};

Cell cell_at(const TunedCase& one, const Influence& across, const std::string& column,
             const Influence* down, const std::string& row) {
  Cell cell;
  for (const TunedPoint& point : one.points) {
    if (point.value(across.name) != column) continue;
    if (down != nullptr && point.value(down->name) != row) continue;
    ++cell.count;
    cell.has_best = cell.has_best || point.is_best;
    cell.has_default = cell.has_default || point.is_default;
    if (is_slow(point)) {
      if (cell.slow == nullptr) cell.slow = &point;
    } else if (!point.has_time()) {
      ++cell.failures;
      if (cell.failure == nullptr) cell.failure = &point;
    } else if (cell.fastest == nullptr || point.median < cell.fastest->median) {
      cell.fastest = &point;
    }
  }
  return cell;
}

std::string cell_title(const Cell& cell, double least) {
  std::string text;
  if (cell.fastest != nullptr) {
    text = format("%s: %s, %.2f times the fastest", config_text(cell.fastest->config).c_str(),
                  time_text(cell.fastest->median).c_str(), cell.fastest->median / least);
    if (cell.fastest->outcome == NETCL_OUTCOME_SLOW) text += ", cut short";
    if (cell.count > 1) text += format("; the fastest of %zu", cell.count);
    if (cell.failures > 0) text += format(", %zu of which failed", cell.failures);
  } else {
    const TunedPoint& point = cell.slow != nullptr ? *cell.slow : *cell.failure;
    text = config_text(point.config) + ": " + outcome_text(point.outcome);
    if (!point.reason.empty()) text += ": " + point.reason;
    if (cell.count > 1) text += format("; none of %zu has a time", cell.count);
  }
  if (cell.has_best) text += "; chosen";
  if (cell.has_default) text += "; the default";
  return text;
}

struct Box {
  double x, y, width, height;
};

std::string cell_svg(const Cell& cell, const Box& box, double least) {
  if (cell.count == 0) {
    return format("<circle class=\"none\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>\n",
                  box.x + box.width / 2, box.y + box.height / 2);
  }
  const double right = box.x + box.width, bottom = box.y + box.height;
  const double middle_x = box.x + box.width / 2, middle_y = box.y + box.height / 2 + 4;
  std::string svg = "<g class=\"cell\"><title>" + html(cell_title(cell, least)) + "</title>";
  std::string style = "fail", text;
  const bool failed = cell.fastest == nullptr && cell.slow == nullptr;
  if (cell.fastest != nullptr) {
    const double ratio = cell.fastest->median / least;
    style = format("h%zu", step_of(ratio));
    text = format(ratio < 9.995 ? "%.2f" : ratio < 99.95 ? "%.1f" : "%.0f", ratio);
  } else if (!failed) {
    style = format("h%zu", kStepsCount - 1);
    text = "slow";
  } else {
    text = failure_text(cell.failure->outcome);
    if (box.width < 7.5 * static_cast<double>(text.size())) text = "x";
  }
  svg +=
      format("<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"/>",
             style.c_str(), cell.has_best ? " chosen" : "", box.x + 1.5, box.y + 1.5, box.width - 3,
             box.height - 3);
  if (failed) {
    // Stripes tell a failure from a colour without seeing colours.
    svg +=
        format("<path class=\"stripe\" d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\"/>", box.x + 4,
               box.y + 14, box.x + 14, box.y + 4, right - 14, bottom - 4, right - 4, bottom - 14);
  }
  svg += format("<text class=\"t-%s mid\" x=\"%.1f\" y=\"%.1f\">%s%s</text>", style.c_str(),
                middle_x, middle_y, text.c_str(), cell.has_default ? " d" : "");
  return svg + "</g>\n";
}

std::string legend(double y) {
  std::string svg;
  double x = 116;
  svg +=
      format("<text class=\"end\" x=\"%.0f\" y=\"%.1f\">times the fastest</text>\n", x - 8, y + 12);
  for (size_t i = 0; i < kStepsCount; ++i) {
    svg += format(
        "<rect class=\"h%zu\" x=\"%.1f\" y=\"%.1f\" width=\"26\" height=\"16\" rx=\"3\"/>"
        "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
        i, x, y, x + 32, y + 12, kStepTexts[i]);
    x += i == 0 ? 118 : 74;
  }
  x += 16;
  svg += format(
      "<rect class=\"fail\" x=\"%.1f\" y=\"%.1f\" width=\"26\" height=\"16\" rx=\"3\"/>"
      "<text x=\"%.1f\" y=\"%.1f\">failed</text>\n"
      "<rect class=\"key-chosen\" x=\"%.1f\" y=\"%.1f\" width=\"26\" height=\"16\" rx=\"3\"/>"
      "<text x=\"%.1f\" y=\"%.1f\">chosen</text>\n<text x=\"%.1f\" y=\"%.1f\">d: default</text>\n",
      x, y, x + 32, y + 12, x + 84, y, x + 116, y + 12, x + 172, y + 12);
  return svg;
}

std::string map_svg(const TunedCase& one, const std::vector<Influence>& all) {
  const Influence& across = all[0];
  const Influence* const down = all.size() > 1 ? &all[1] : nullptr;
  const double least = least_time(one);
  std::vector<std::string> rows = {""};
  if (down != nullptr) rows = down->values;
  size_t longest = 4;
  for (const std::string& row : rows) longest = std::max(longest, row.size());
  const double left = std::min(260.0, 40 + 7.5 * static_cast<double>(longest));
  const double width = std::min(
      132.0, (944 - left) / static_cast<double>(std::max<size_t>(across.values.size(), 1)));
  const double height = 32, top = 44;
  const double bottom = top + height * static_cast<double>(rows.size());
  std::string svg = format(
      "<div class=\"chart\"><svg class=\"heat\" viewBox=\"0 0 960 %.0f\" role=\"img\" "
      "aria-label=\"Times of %s\">\n",
      bottom + 44, html(one.title()).c_str());
  svg += format("<text class=\"axis mid\" x=\"%.1f\" y=\"17\">%s</text>\n",
                left + width * static_cast<double>(across.values.size()) / 2,
                html(across.name).c_str());
  if (down != nullptr) {
    svg += format("<text class=\"axis end\" x=\"%.1f\" y=\"36\">%s</text>\n", left - 8,
                  html(down->name).c_str());
  }
  for (size_t c = 0; c < across.values.size(); ++c) {
    std::string name = across.values[c];
    const auto fits = static_cast<size_t>(width / 6.5);
    if (name.size() > fits && fits > 4) name = ".." + name.substr(name.size() - fits + 2);
    svg += format("<text class=\"mid\" x=\"%.1f\" y=\"36\">%s</text>\n",
                  left + width * (static_cast<double>(c) + 0.5), html(name).c_str());
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    const double y = top + height * static_cast<double>(r);
    svg += format("<text class=\"end\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", left - 8,
                  y + height / 2 + 4, html(rows[r]).c_str());
    for (size_t c = 0; c < across.values.size(); ++c) {
      const Cell cell = cell_at(one, across, across.values[c], down, rows[r]);
      svg += cell_svg(cell, {left + width * static_cast<double>(c), y, width, height}, least);
    }
  }
  return svg + legend(bottom + 16) + "</svg></div>\n";
}

std::string case_table(const TunedCase& one, const std::vector<Influence>& all) {
  std::vector<const TunedPoint*> points;
  for (const TunedPoint& point : one.points) points.push_back(&point);
  std::stable_sort(points.begin(), points.end(), [](const TunedPoint* a, const TunedPoint* b) {
    if (a->has_time() != b->has_time()) return a->has_time();
    if (is_slow(*a) != is_slow(*b)) return is_slow(*a);
    return a->has_time() && a->median < b->median;
  });
  const double least = least_time(one);
  std::string out = format(
      "<details><summary>All %zu configurations as a table</summary>\n<table class=\"wide\">"
      "<thead><tr>",
      points.size());
  for (const Influence& parameter : all) out += "<th>" + html(parameter.name) + "</th>";
  out +=
      "<th class=\"n\">time</th><th class=\"n\">times the fastest</th><th>outcome</th></tr>"
      "</thead><tbody>\n";
  for (size_t i = 0; i < points.size() && i < kRowsMost; ++i) {
    const TunedPoint& point = *points[i];
    out += "<tr>";
    for (const Influence& parameter : all) {
      out += "<td>" + html(point.value(parameter.name)) + "</td>";
    }
    std::string outcome = outcome_text(point.outcome);
    if (!point.reason.empty()) outcome += ": " + point.reason;
    if (point.is_best) outcome += ", chosen";
    if (point.is_default) outcome += ", the default";
    out += format("<td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s</td></tr>\n",
                  point.has_time() ? time_text(point.median).c_str() : "",
                  point.has_time() ? format("%.2f", point.median / least).c_str() : "",
                  html(outcome).c_str());
  }
  out += "</tbody></table>\n";
  if (points.size() > kRowsMost) out += format("<p>The first %zu.</p>\n", kRowsMost);
  return out + "</details>\n";
}

std::string influence_text(const std::vector<Influence>& all) {
  std::string text;
  for (const Influence& parameter : all) {
    text += (text.empty() ? "" : ", ") + parameter.name + format(" %.0f%%", 100 * parameter.share);
  }
  return text;
}

std::string overview_table(std::span<const TunedCase> cases) {
  std::string out =
      "<table class=\"wide\"><thead><tr><th style=\"width:34%\">tuned</th>"
      "<th class=\"n\">default</th><th class=\"n\">chosen</th><th class=\"n\">gain</th>"
      "<th class=\"n\">tried</th><th class=\"n\">failed</th><th>choice</th></tr></thead><tbody>\n";
  for (const TunedCase& one : cases) {
    const auto failed = static_cast<size_t>(std::count_if(
        one.points.begin(), one.points.end(),
        [](const TunedPoint& point) { return !point.has_time() && !is_slow(point); }));
    const std::string choice =
        one.has_best ? config_text(config_values(one.best_config)) : "not finished";
    out += format(
        "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
        "<td class=\"n\">%zu</td><td class=\"n\">%zu</td><td>%s</td></tr>\n",
        html(one.title()).c_str(), one.default_ns > 0 ? time_text(one.default_ns).c_str() : "",
        one.best_ns > 0 ? time_text(one.best_ns).c_str() : "",
        one.gain() > 0 ? format("%.2fx", one.gain()).c_str() : "", one.points.size(), failed,
        html(one.unlike.empty() ? choice : choice + " (" + one.unlike + ")").c_str());
  }
  return out + "</tbody></table>\n";
}

// So many that the maps below stay in sight; the others are folded.
std::string overview(const std::vector<TunedCase>& cases) {
  const size_t shown = std::min(cases.size(), kOverviewMost);
  const std::span<const TunedCase> all(cases);
  std::string out = overview_table(all.first(shown));
  if (shown == cases.size()) return out;
  return out + format("<details><summary>The other %zu</summary>\n", cases.size() - shown) +
         overview_table(all.subspan(shown)) + "</details>\n";
}

}  // namespace

std::vector<Influence> influences(const TunedCase& one) {
  std::vector<Influence> all;
  for (const TunedPoint& point : one.points) {
    for (const auto& [name, value] : point.config) {
      const std::string& wanted = name;
      const bool known = std::any_of(all.begin(), all.end(), [&](const Influence& parameter) {
        return parameter.name == wanted;
      });
      if (!known) all.push_back({name, values_of(one, name), share_of(one, name)});
    }
  }
  std::erase_if(all, [](const Influence& parameter) { return parameter.values.size() < 2; });
  std::stable_sort(all.begin(), all.end(),
                   [](const Influence& a, const Influence& b) { return a.share > b.share; });
  return all;
}

std::string tuning_section(const std::vector<TunedCase>& cases) {
  std::string out = "<section><h2>Tuning</h2>\n";
  if (cases.empty()) {
    return out +
           "<p>Nothing has been tuned on this device yet; <code>netcl tune matmul:1024</code> "
           "does it for a product of matrices.</p></section>\n";
  }
  out +=
      "<p>What the tuning database has. Calls of these sizes, and of sizes near them, use what was "
      "chosen, unless it says why not.</p>\n" +
      overview(cases);
  size_t maps = 0;
  for (const TunedCase& one : cases) {
    const std::vector<Influence> all = influences(one);
    if (all.empty() || !(least_time(one) > 0)) continue;
    if (++maps > kMapsMost) break;
    out += "<h3>" + html(one.title()) + "</h3>\n<p>";
    out += all.size() > 2 ? "Each cell is the fastest of the configurations that share its two "
                            "values. "
                          : "";
    out += "Share of the spread that each parameter explains: " + html(influence_text(all)) + "." +
           (one.why.empty() ? "" : " Chosen: " + html(one.why) + ".") + "</p>\n" +
           map_svg(one, all) + case_table(one, all);
  }
  if (maps > kMapsMost) {
    out += format("<p>Maps of the first %zu; <code>netcl tune --list</code> shows all.</p>\n",
                  kMapsMost);
  }
  return out + "</section>\n";
}

}  // namespace netcl::tool
