#include <cmath>

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "roofline/analysis.hpp"
#include "roofline/ncu.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Of a report; a longer text is a size that somebody got wrong.
constexpr size_t kReportBytesMost = size_t{1} << 32;

// A result that the caller gives back to the library.
netcl_roofline_result read_result(const netcl_roofline_result* given) {
  netcl_roofline_result result = read_struct(given, "result");
  for (const double value : {result.efficiency_pct, result.compute_sol_pct, result.memory_sol_pct,
                             result.headroom_pct}) {
    if (!std::isfinite(value)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "result holds the percentage %g", value);
    }
  }
  result.ceiling[sizeof result.ceiling - 1] = '\0';
  result.warnings[sizeof result.warnings - 1] = '\0';
  result.kernel[sizeof result.kernel - 1] = '\0';
  return result;
}

}  // namespace

extern "C" {

netcl_status netcl_roofline_create(const netcl_roofline_options* options,
                                   netcl_roofline** roofline) {
  return guarded([&] {
    require(roofline, "roofline");
    const netcl_roofline_options checked = read_options(options, "options");
    *roofline = make_handle<netcl_roofline>(std::make_shared<roofline::Analyzer>(checked));
  });
}

netcl_status netcl_roofline_retain(netcl_roofline* roofline) {
  return retain_handle(roofline, "roofline");
}
void netcl_roofline_release(netcl_roofline* roofline) { release_handle(roofline); }

netcl_status netcl_roofline_analyze_metrics(const netcl_roofline* roofline,
                                            const char* const* names, const double* values,
                                            uint32_t metrics_count, netcl_roofline_result* result) {
  return guarded([&] {
    const auto pinned = pin(roofline, "roofline");
    check_info(result, "result");
    require_most(metrics_count, NETCL_LIST_MAX, "metrics_count");
    if (metrics_count > 0) {
      require(names, "names");
      require(values, "values");
    }
    roofline::Metrics metrics;
    for (uint32_t i = 0; i < metrics_count; ++i) {
      if (names[i] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "names[%u] is NULL", i);
      if (!std::isfinite(values[i])) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%u] of %s is %g; leave a missing metric out", i,
             quoted(names[i]).c_str(), values[i]);
      }
      metrics.set(names[i], values[i]);
    }
    netcl_roofline_result full = NETCL_ROOFLINE_RESULT_INIT;
    pinned->analyze(metrics, &full);
    write_info(result, full);
  });
}

netcl_status netcl_roofline_analyze_ncu(const netcl_roofline* roofline, const char* text,
                                        size_t text_size, const netcl_ncu_options* options,
                                        netcl_roofline_result* result) {
  return guarded([&] {
    const auto pinned = pin(roofline, "roofline");
    require(text, "text");
    if (text_size > kReportBytesMost) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "text_size is %zu; a report has at most %zu bytes",
           text_size, kReportBytesMost);
    }
    check_info(result, "result");
    const netcl_ncu_options checked = read_options(options, "options");
    require_flag(checked.exact, "options->exact");
    if (checked.policy < NETCL_NCU_MEDIAN || checked.policy > NETCL_NCU_LONGEST) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->policy is %d, which is none", checked.policy);
    }
    netcl_roofline_result full = NETCL_ROOFLINE_RESULT_INIT;
    roofline::analyze_ncu(*pinned, std::string_view(text, text_size), checked, &full);
    write_info(result, full);
  });
}

netcl_status netcl_roofline_should_stop(netcl_roofline* roofline,
                                        const netcl_roofline_result* result, uint32_t* stop) {
  return guarded([&] {
    const auto pinned = pin(roofline, "roofline");
    const netcl_roofline_result checked = read_result(result);
    require(stop, "stop");
    *stop = !pinned->should_stop(checked).empty();
  });
}

netcl_status netcl_roofline_get_reason(const netcl_roofline* roofline, char* buffer,
                                       size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(pin(roofline, "roofline")->reason(), buffer, capacity, length); });
}

netcl_status netcl_roofline_reset_history(netcl_roofline* roofline) {
  return guarded([&] { pin(roofline, "roofline")->reset_history(); });
}

netcl_status netcl_roofline_format(const netcl_roofline_result* result, netcl_format format,
                                   char* buffer, size_t capacity, size_t* length) {
  return guarded([&] {
    const netcl_roofline_result checked = read_result(result);
    if (format == NETCL_FORMAT_CSV) {
      fail(NETCL_ERROR_UNSUPPORTED, "format is CSV; a result is TEXT or JSON");
    }
    if (format != NETCL_FORMAT_TEXT && format != NETCL_FORMAT_JSON) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "format is %d, which is none", format);
    }
    write_text(format == NETCL_FORMAT_TEXT ? roofline::format_text(checked)
                                           : roofline::format_json(checked),
               buffer, capacity, length);
  });
}

}  // extern "C"
