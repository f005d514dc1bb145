// The PTX of attention by matrix units, without a device: its parameters are those that the header
// of the texts names, and ptxas assembles it, where there is one.
#include <cstdlib>
#include <set>
#include <vector>

#include "core/dtype.hpp"
#include "ops/attention/attention_text.hpp"
#include "ptx_checks.hpp"

extern "C" {
#include "support.h"
}

using namespace netcl;
using namespace netcl::ops;

namespace {

std::vector<AttentionUnits> kernels() {
  std::vector<AttentionUnits> all;
  for (const netcl_dtype dtype : {NETCL_F16, NETCL_BF16}) {
    for (uint32_t size = 64; size <= 256; size += 64) {
      for (uint32_t value_size = 64; value_size <= 256; value_size += 64) {
        for (uint32_t warpgroups = 1; warpgroups <= 3; ++warpgroups) {
          if (warpgroups == 3 && (size > 64 || value_size > 64)) continue;
          all.push_back({dtype, size, value_size, warpgroups});
        }
      }
    }
  }
  return all;
}

void texts(void**) {
  std::set<std::string> names;
  const std::string words(14, 'w');
  for (const AttentionUnits& k : kernels()) {
    const std::string name = attention_units_name(k), text = attention_units_text(k);
    CHECK(names.insert(name).second, "two kernels are named %s", name.c_str());
    check_text(name, text);
    check_text(attention_setup_name(k), attention_setup_text(k));
    const std::string wanted = k.joins() ? "ppppp" + words + "f" : "pppppplllllllll" + words + "f";
    CHECK(parameters_of(text) == wanted, "%s has the parameters %s", name.c_str(),
          parameters_of(text).c_str());
    CHECK(parameters_of(attention_setup_text(k)) == "pppppp" + std::string(17, 'l') +
                                                        std::string(12, 'w'),
          "%s has the parameters %s", attention_setup_name(k).c_str(),
          parameters_of(attention_setup_text(k)).c_str());
  }
}

void assembles(void**) {
  const Ptxas ptxas;
  const std::vector<AttentionUnits> all = kernels();
  const size_t step = std::getenv("NETCL_TEST_FULL") != nullptr ? 1 : 9;
  for (size_t i = static_cast<size_t>(random_in(0, static_cast<int64_t>(step) - 1)); i < all.size();
       i += step) {
    ptxas.assemble(attention_units_name(all[i]), attention_units_text(all[i]));
    ptxas.assemble(attention_setup_name(all[i]), attention_setup_text(all[i]));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(assembles)};
  seed_random("attention_text");
  return cmocka_run_group_tests_name("attention_text", tests, nullptr, nullptr);
}
