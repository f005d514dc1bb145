// SPDX-License-Identifier: Apache-2.0
#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "roofline.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

/// One logarithmic axis: from values to places in the picture.
struct Axis {
  double low, high;    // values
  double first, last;  // places

  double at(double value) const {
    const double share = std::log(value / low) / std::log(high / low);
    return first + share * (last - first);
  }
  bool holds(double value) const { return value >= low && value <= high; }
};

struct Frame {
  Axis x, y;

  std::string line(double x1, double y1, double x2, double y2, const char* style) const {
    return format("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", style,
                  x.at(x1), y.at(y1), x.at(x2), y.at(y2));
  }
};

std::string label(double x, double y, const char* style, const std::string& text,
                  double turned = 0.0) {
  const std::string turn =
      turned == 0.0 ? "" : format(" transform=\"rotate(%.1f %.1f %.1f)\"", turned, x, y);
  return format("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n", style, x, y, turn.c_str(),
                html(text).c_str());
}

/// A power of ten for an axis: "100 G".
std::string power_text(double value) {
  const std::string text = amount_text(value, "");
  const size_t space = text.find(' ');
  return format("%.0f", std::strtod(text.c_str(), nullptr)) + text.substr(space);
}

std::string ratio_text(double value) {
  return value < 1 ? format("1/%.0f", 1 / value) : format("%.0f", value);
}

/// Grid lines at powers of `base`, with their texts below or beside.
std::string grid(const Frame& frame, double x_base, double x_most, const std::string& x_title,
                 const std::string& y_title, std::string (*x_text)(double),
                 std::string (*y_text)(double)) {
  std::string svg;
  const Axis &x = frame.x, &y = frame.y;
  const double first = std::pow(x_base, std::ceil(std::log(x.low) / std::log(x_base) - 1e-9));
  for (double value = first; value <= x_most * 1.001; value *= x_base) {
    svg += frame.line(value, y.low, value, y.high, "grid");
    svg += label(x.at(value), y.first + 18, "tick mid", x_text(value));
  }
  const double lowest = std::pow(10.0, std::ceil(std::log10(y.low) - 1e-9));
  for (double value = lowest; value <= y.high * 1.001; value *= 10.0) {
    svg += frame.line(x.low, value, x.high, value, "grid");
    svg += label(x.first - 8, y.at(value) + 4, "tick end", y_text(value));
  }
  svg += label((x.first + x.last) / 2, y.first + 40, "axis mid", x_title);
  svg += label(16, (y.first + y.last) / 2, "axis mid", y_title, -90.0);
  return svg;
}

struct Roof {
  double value;
  std::string text;
  const char* style;
};

/// A slanted roof: operations per second that so many bytes per second feed.
std::string memory_roof(const Frame& frame, const Roof& roof, double top) {
  const double from = std::max(frame.x.low, frame.y.low / roof.value);
  const double to = std::min({frame.x.high, frame.y.high / roof.value, top / roof.value});
  if (to <= from) return "";
  std::string svg = frame.line(from, from * roof.value, to, to * roof.value, roof.style);
  const double dx = frame.x.at(to) - frame.x.at(from);
  const double dy = frame.y.at(to * roof.value) - frame.y.at(from * roof.value);
  const double angle = std::atan2(dy, dx) * 180.0 / 3.14159265358979;
  // A little along the line, above it.
  svg += label(frame.x.at(from) + 10 - dy / dx * -4,
               frame.y.at(from * roof.value) + 10 * dy / dx - 7, "roof-text", roof.text, angle);
  return svg;
}

std::string compute_roof(const Frame& frame, const Roof& roof, double feed) {
  const double from = std::max(frame.x.low, roof.value / feed);
  if (from >= frame.x.high || !frame.y.holds(roof.value)) return "";
  return frame.line(from, roof.value, frame.x.high, roof.value, roof.style) +
         label(frame.x.at(from) + 8, frame.y.at(roof.value) - 7, "roof-text", roof.text);
}

double best_of(const std::vector<netcl_ceiling>& ceilings, netcl_ceiling_kind first,
               netcl_ceiling_kind last) {
  double best = 0;
  for (const netcl_ceiling& row : ceilings) {
    if (row.kind >= first && row.kind <= last) best = std::max(best, row.value);
  }
  return best;
}

std::vector<Roof> compute_roofs(const std::vector<netcl_ceiling>& ceilings) {
  std::vector<Roof> roofs;
  for (const netcl_ceiling& row : ceilings) {
    const bool tensor = row.kind == NETCL_CEILING_TENSOR;
    const bool known = row.kind == NETCL_CEILING_COMPUTE && row.dtype != NETCL_I32;
    if (!tensor && !known) continue;
    roofs.push_back({row.value,
                     format("%s%s  %s", netcl_dtype_name(row.dtype), tensor ? " matrix units" : "",
                            ceiling_value(row).c_str()),
                     row.dtype == NETCL_F32 && !tensor ? "roof" : "roof minor"});
  }
  return roofs;
}

double decade(double value, bool up) {
  const double power = std::log10(value);
  return std::pow(10.0, up ? std::ceil(power) : std::floor(power));
}

Frame roofline_frame(const std::vector<BenchRow>& rows, double top, double memory) {
  // The ridge and all points have to be in the picture.
  double x_low = 1.0 / 16, x_high = std::max(64.0, 8 * top / memory), y_low = top / 1e3;
  for (const BenchRow& row : rows) {
    const netcl_statistics& s = row.statistics;
    if (!missing_point(row).empty()) continue;
    x_low = std::min(x_low, s.operations / s.bytes / 1.5);
    x_high = std::max(x_high, s.operations / s.bytes * 1.5);
    y_low = std::min(y_low, s.operations / s.median * 1e9 / 1.5);
  }
  // Two octaves more on the left are room for the names of the slanted roofs.
  x_low = std::exp2(std::floor(std::log2(x_low)) - 2);
  x_high = std::exp2(std::ceil(std::log2(x_high)));
  return {{x_low, x_high, 74, 944}, {decade(y_low, false), decade(1.5 * top, true), 440, 20}};
}

std::string point(const Frame& frame, const BenchRow& row, size_t number) {
  const netcl_statistics& s = row.statistics;
  const double x = s.operations / s.bytes, y = s.operations / s.median * 1e9;
  const char* const grade = row.result.efficiency_pct >= 90   ? "good"
                            : row.result.efficiency_pct >= 60 ? "fair"
                                                              : "poor";
  const std::string title =
      format("%s %s: %s, %s, %.0f%% of the roof (%s)", row.what.op.c_str(),
             row.what.sizes_text().c_str(), time_text(s.median).c_str(),
             amount_text(y, "FLOP/s").c_str(), row.result.efficiency_pct, row.result.ceiling);
  return format(
      "<g class=\"point %s\"><title>%s</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/>"
      "<text x=\"%.1f\" y=\"%.1f\">%zu</text></g>\n",
      grade, html(title).c_str(), frame.x.at(x), frame.y.at(y), frame.x.at(x), frame.y.at(y) + 3.5,
      number);
}

std::string svg_open(int height, const char* title) {
  return format(
      "<div class=\"chart\"><svg viewBox=\"0 0 960 %d\" role=\"img\" aria-label=\"%s\">\n", height,
      title);
}

}  // namespace

std::string html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string missing_point(const BenchRow& row) {
  const netcl_statistics& s = row.statistics;
  if (!row.problem.empty()) return row.problem;
  if (!(s.median > 0)) return "it has no time on the device";
  if (!(s.operations > 0) && !(s.bytes > 0)) {
    return "it declares no work: a launch does so by the work of its netcl_launch_options";
  }
  if (!(s.operations > 0)) return "it only moves data: it has no operations per byte";
  if (!(s.bytes > 0)) return "it declares operations, but no bytes";
  return "";
}

std::string roofline_chart(const std::vector<netcl_ceiling>& ceilings,
                           const std::vector<BenchRow>& rows) {
  const std::vector<Roof> computes = compute_roofs(ceilings);
  double top = 0;
  for (const Roof& roof : computes) top = std::max(top, roof.value);
  const double memory = best_of(ceilings, NETCL_CEILING_MEMORY_READ, NETCL_CEILING_MEMORY_COPY);
  const double cache = best_of(ceilings, NETCL_CEILING_CACHE_READ, NETCL_CEILING_CACHE_COPY);
  if (!(top > 0) || !(memory > 0)) return "<p>There are no ceilings to draw.</p>\n";
  const Frame frame = roofline_frame(rows, top, memory);
  std::string svg = svg_open(490, "Roofline");
  svg += grid(frame, 4.0, frame.x.high, "operations per byte", "operations per second", ratio_text,
              power_text);
  const double feed = std::max(cache, memory);
  for (const Roof& roof : computes) svg += compute_roof(frame, roof, feed);
  svg += memory_roof(frame, {memory, "memory  " + amount_text(memory, "B/s"), "roof"}, top);
  if (cache > memory) {
    svg += memory_roof(frame, {cache, "caches  " + amount_text(cache, "B/s"), "roof minor"}, top);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (missing_point(rows[i]).empty()) svg += point(frame, rows[i], i + 1);
  }
  return svg + "</svg></div>\n";
}

std::string cache_chart(const std::vector<netcl_ceiling>& ceilings) {
  static constexpr const char* kNames[] = {"read", "write", "copy"};
  double sets = 0, least = 0, most = 0, smallest = 0;
  for (const netcl_ceiling& row : ceilings) {
    if (row.kind < NETCL_CEILING_MEMORY_READ || row.kind > NETCL_CEILING_CACHE_COPY) continue;
    const auto size = static_cast<double>(row.working_set);
    sets = std::max(sets, size);
    if (size > 0) smallest = smallest > 0 ? std::min(smallest, size) : size;
    most = std::max(most, row.value);
    least = least > 0 ? std::min(least, row.value) : row.value;
  }
  if (!(sets > 0) || !(least > 0)) return "";
  // The memory stands behind the largest working set.
  const double behind = sets * 8;
  const Frame frame = {{smallest / 1.4, behind * 1.4, 74, 944},
                       {decade(least, false), decade(most, true), 240, 20}};
  std::string svg = svg_open(290, "Rates by working set");
  svg += grid(
      frame, 4.0, sets, "working set", "bytes per second",
      [](double value) { return bytes_text(static_cast<uint64_t>(value + 0.5)); }, power_text);
  for (int i = 0; i < 3; ++i) {
    std::string path;
    std::string dots;
    const auto add = [&](double size, const netcl_ceiling& row) {
      const double x = frame.x.at(size), y = frame.y.at(row.value);
      path += format("%s%.1f %.1f", path.empty() ? "M" : "L", x, y);
      dots += format(
          "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s: %s</title>"
          "</circle>\n",
          i, x, y, html(ceiling_name(row)).c_str(), ceiling_value(row).c_str());
    };
    for (const netcl_ceiling& row : ceilings) {
      if (row.kind == NETCL_CEILING_CACHE_READ + i) add(static_cast<double>(row.working_set), row);
    }
    const netcl_ceiling* const memory = find_ceiling(ceilings, NETCL_CEILING_MEMORY_READ + i);
    if (memory != nullptr) add(behind, *memory);
    svg += format("<path class=\"line s%d\" d=\"%s\"/>\n", i, path.c_str()) + dots;
    svg +=
        format("<text class=\"key s%d\" x=\"%d\" y=\"34\">%s</text>\n", i, 780 + 60 * i, kNames[i]);
  }
  svg += label(frame.x.at(behind), frame.y.first + 18, "tick mid", "memory");
  return svg + "</svg></div>\n";
}

}  // namespace netcl::tool
