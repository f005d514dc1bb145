// Any bytes as the file of a tuning database: lines that are not sound are passed over, what is
// read can be written again, and compacting loses nothing that is in force.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "store/journal.hpp"
#include "store/record.hpp"

static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace netcl::store;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto check = [](std::string_view line) {
    Record record;
    if (decode_line(line, &record) != LineKind::record) return;
    require(!record.key.kernel.empty(), "a record without a kernel");
    require(record.median_ns >= 0.0, "a time that is negative or no number");
    Record again;
    const std::string written = encode_record(record);
    require(decode_line(written, &again) == LineKind::record, "a record does not come back");
    require(again.key == record.key && again.config_text() == record.config_text() &&
                again.kind == record.kind && again.outcome == record.outcome,
            "a record comes back as another");
  };
  for_each_line(text, check);
  // A checksum stops nearly everything, so the bytes are tried with a sound one as well.
  const size_t end = text.find('\n');
  std::string body(text.substr(0, end));
  const size_t mark = body.rfind(",\"crc\":\"");
  if (mark != std::string::npos) body.resize(mark);
  body += ",\"crc\":\"" + netcl::hex_text(netcl::hash128(body)) + "\"}";
  check(body);
  return 0;
}
