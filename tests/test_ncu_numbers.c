/* Reports of Nsight Compute: numbers with decimal points and commas, grouped or not. */
#include <math.h>
#include <stdio.h>

#include "support_ncu.h"

static const char* duration_report(const char* unit, const char* value, const char* other) {
  static char text[1024];
  snprintf(text, sizeof text,
           LONG_HEAD ROW("1", "0", "k", "Elapsed Cycles", "cycle", "%s")
               ROW("1", "0", "k", MEMORY, "%%", "50") ROW("1", "0", "k", DURATION, "%s", "%s"),
           other, unit, value);
  return text;
}

static double duration_of(const char* value, const char* other) {
  return read_ncu(duration_report("nsecond", value, other), NULL, NETCL_NCU_FIRST).time_ns;
}

static void refused_duration(const char* value, const char* other, const char* wanted) {
  refused_ncu(duration_report("nsecond", value, other), wanted);
}

/* Nanoseconds are whole; longer units are decimals, so a point is one and a comma may be. */
static void numbers_of_longer_units(void** state) {
  (void)state;
  static const struct {
    const char* unit;
    double ns;
  } kUnits[] = {{"usecond", 1e3}, {"us", 1e3}, {"msecond", 1e6}, {"second", 1e9}};
  static const struct {
    const char *value, *other;
    double wanted;
  } kRead[] = {{"117.344", "1", 117.344},
               {"117,34", "1", 117.34},
               {"117,344", "584,998,877.44", 117344},
               {"117,344", "61.84", 117344},
               {"1,117,344", "1", 1117344},
               {"1,117.344", "1", 1117.344}};
  for (size_t u = 0; u < COUNT_OF(kUnits); ++u) {
    for (size_t i = 0; i < COUNT_OF(kRead); ++i) {
      const char* const text = duration_report(kUnits[u].unit, kRead[i].value, kRead[i].other);
      const double got = read_ncu(text, NULL, NETCL_NCU_FIRST).time_ns;
      const double wanted = kRead[i].wanted * kUnits[u].ns;
      CHECK(fabs(got - wanted) <= 1e-9 * wanted, "\"%s\" %s is read as %.9g ns", kRead[i].value,
            kUnits[u].unit, got);
    }
    refused_ncu(duration_report(kUnits[u].unit, "117,344", "1"),
                "line 4: " DURATION
                " is \"117,344\", which can be 117344 or 117.344: no other number "
                "tells which; write the report with LC_ALL=C");
    refused_ncu(duration_report(kUnits[u].unit, "117,344", "61,84"), "decimal commas");
  }
}

static void numbers(void** state) {
  (void)state;
  static const struct {
    const char *value, *other;
    double wanted;
  } kRead[] = {{"117344", "1", 117344},
               {"117,344", "1", 117344},
               {"117,344", "584,998,877.44", 117344},
               {"117.344", "584,998,877.44", 117.344},
               {"117.34", "1", 117.34},
               {"117,34", "1", 117.34},
               {"21.058.944", "61,84", 21058944},
               {"9.420.231,80", "61,84", 9420231.8},
               {"9,420,231.80", "1", 9420231.8},
               {"0.344", "61,84", 0.344},
               {"1234.567", "61,84", 1234.567},
               {"117 344", "61,84", 117344},
               {"117\xe2\x80\xaf"
                "344",
                "61,84", 117344},
               {"117\xc2\xa0"
                "344,5",
                "61,84", 117344.5},
               {"117'344", "1", 117344},
               {"(!) 1,234.5", "1", 1234.5},
               {" (!) 12.5 (6; 8)", "1", 12.5},
               {" 7 ", "1", 7}};
  for (size_t i = 0; i < COUNT_OF(kRead); ++i) {
    const double got = duration_of(kRead[i].value, kRead[i].other);
    CHECK(fabs(got - kRead[i].wanted) <= 1e-9 * kRead[i].wanted, "\"%s\" is read as %.9g",
          kRead[i].value, got);
  }
  /* 1,000 times apart, and nothing tells which it is. */
  refused_duration("117.344", "61,84",
                   "line 4: " DURATION
                   " is \"117.344\", which can be 117.344 or 117344: other "
                   "numbers have decimal commas; write the report with LC_ALL=C");
  refused_duration("117.344", "4.963.609.951,19", "other numbers have decimal commas");
  refused_duration("117.344", "1", "no other number tells which");
  refused_duration("117,344", "61,84", "which can be 117344 or 117.344");
  static const char* const kWrong[] = {"1e3", "12,34,5", "1.23.456", "1,2.3,4", "0x10",  "1 (2",
                                       "inf", "fast",    "1..2",     ",5",      "117 34"};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "is \"%s\", which is no number", kWrong[i]);
    refused_duration(kWrong[i], "1", wanted);
  }
  refused_duration("-5", "1", "is \"-5\", which is negative");
  refused_duration("-1,234.5", "1", "which is negative");
  refused_duration("-5-", "1", "which is no number");
  refused_duration("--5", "1", "which is no number");
  /* A share has no thousands. */
  refused_ncu(LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "53,261"), "which can be 53261 or 53.261");
  assert_true(
      read_ncu(LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "53.261"), NULL, 0).memory_sol_pct ==
      53.261);
  refused_ncu(LONG_HEAD ROW("1", "0", "k", DURATION, "cycle", "7"), "has the unit \"cycle\"");
  refused_ncu(LONG_HEAD ROW("1", "0", "k", MEMORY, "byte", "53"),
              "has the unit \"byte\", which is no percentage");
  /* A report that was cut: what is left of the number is another one. */
  refused_ncu(LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "55.5") "\"0\",\"1\",\"k\",\"7",
              "line 3 is \"\"0\",\"1\",\"k\",\"7\": a quote is open where the text ends");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_longer_units),
      cmocka_unit_test(numbers),
  };
  seed_random("ncu_numbers");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
