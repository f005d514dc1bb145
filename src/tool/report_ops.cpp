// SPDX-License-Identifier: Apache-2.0
#include "report_ops.hpp"

#include <algorithm>

#include "chart.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

const char* grade_of(double percent) {
  return percent >= 90 ? "good" : percent >= 60 ? "fair" : "poor";
}

std::string variant_cell(const BenchRow& row) {
  return format("<td title=\"%s\">%s</td>", html(row.why).c_str(), html(row.variant).c_str());
}

/// In a small window, where rows have no columns, data-of and data-is say what a cell is.
std::string number_cell(const std::string& number, const char* of) {
  if (number.empty()) return "<td class=\"n\"></td>";
  return format("<td class=\"n\" data-of=\"%s\">%s</td>", of, number.c_str());
}

/// The share of the roof and what limits it, or why there is none.
std::string share_cells(const BenchRow& row) {
  if (!row.analyzed) return "<td colspan=\"2\">" + html(missing_point(row)) + "</td>";
  const double percent = row.result.efficiency_pct;
  return format(
      "<td class=\"share\"><div class=\"bar %s\"><s><i style=\"width:%.1f%%\"></i></s><b>%s</b>"
      "</div></td><td data-is=\"limit\">%s</td>",
      grade_of(percent), std::min(percent, 100.0), percent_text(percent).c_str(),
      html(row.result.ceiling).c_str());
}

std::string op_row(const BenchRow& row, size_t number) {
  const std::string name = html(row.what.op), sizes = html(row.what.sizes_text());
  const std::string begin = format("<tr><td class=\"number\">%zu</td><td>%s</td><td>%s</td>",
                                   number, name.c_str(), sizes.c_str());
  if (!row.problem.empty()) {
    return begin + "<td colspan=\"7\">" + html(row.problem) + "</td></tr>\n";
  }
  const double flops = row.gigaflops(), bytes = row.statistics.bytes;
  const std::string intensity =
      flops > 0 && bytes > 0 ? format("%.2f", row.statistics.operations / bytes) : "";
  return begin + variant_cell(row) +
         format("<td class=\"n\">%s</td>", time_text(row.statistics.median).c_str()) +
         number_cell(format("%.1f", row.gigabytes_per_second()), "GB/s") +
         number_cell(flops > 0 ? format("%.1f", flops) : "", "GFLOP/s") +
         number_cell(intensity, "op/byte") + share_cells(row) + "</tr>\n";
}

}  // namespace

std::string percent_text(double percent) {
  return format(percent < 10 ? "%.1f%%" : "%.0f%%", percent);
}

std::string ops_table(const std::vector<BenchRow>& rows, size_t first) {
  std::string out =
      "<table class=\"wide rows\"><thead><tr><th></th><th>op</th><th>size</th><th>variant</th>"
      "<th class=\"n\">time</th><th class=\"n\">GB/s</th><th class=\"n\">GFLOP/s</th>"
      "<th class=\"n\">op/byte</th><th>share of the roof</th><th>limit</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < rows.size(); ++i) out += op_row(rows[i], first + i);
  return out + "</tbody></table>\n";
}

std::string ops_warnings(const std::vector<BenchRow>& rows) {
  std::string out;
  for (const BenchRow& row : rows) {
    if (!row.analyzed || row.result.warnings_count == 0) continue;
    out += format("<li>%s %s: %s</li>\n", html(row.what.op).c_str(),
                  html(row.what.sizes_text()).c_str(), html(row.result.warnings).c_str());
  }
  return out.empty() ? out : "<ul class=\"warnings\">\n" + out + "</ul>\n";
}

std::string missing_points(const std::vector<BenchRow>& rows) {
  std::string out;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string why = missing_point(rows[i]);
    if (why.empty()) continue;
    out += format("<li>%zu, %s %s: %s</li>\n", i + 1, html(rows[i].what.op).c_str(),
                  html(rows[i].what.sizes_text()).c_str(), html(why).c_str());
  }
  return out.empty() ? out : "<p>Without a point:</p>\n<ul class=\"missing\">\n" + out + "</ul>\n";
}

}  // namespace netcl::tool
