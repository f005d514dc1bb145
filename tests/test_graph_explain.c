/* What netcl_graph_explain shows of names, and which names there are. */
#include <stdio.h>

#include "support_graph.h"

/* 1 when a text is UTF-8: no byte stands alone. */
static int is_text(const char* text) {
  for (const unsigned char* at = (const unsigned char*)text; *at != 0;) {
    const int more = *at < 0x80 ? 0 : *at < 0xc2 ? -1 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    if (more < 0) return 0;
    ++at;
    for (int i = 0; i < more; ++i, ++at) {
      if ((*at & 0xc0) != 0x80) return 0;
    }
  }
  return 1;
}

static void register_tripled(const char* name) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  options.forward = "v0 * 3";
  OK(netcl_primitive_register(name, &options));
}

/* Names of every length: one is cut between two bytes of a character where bytes are counted. */
static void long_names(void** state) {
  Fixture* fixture = *state;
  static const char* const kLetters[] = {"e", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9d\x84\x9e"};
  for (size_t letter = 0; letter < COUNT_OF(kLetters); ++letter) {
    for (int first = 0; first < 4; ++first) {
      char name[128] = "", text[2048];
      memset(name, 'a', (size_t)first);
      while (strlen(name) + strlen(kLetters[letter]) <= 124) strcat(name, kLetters[letter]);
      register_tripled(name);
      netcl_run_options run = captured_calls(fixture);
      netcl_tensor *x = counting_vector(fixture, 4, 1), *y = NULL;
      OK(netcl_op_primitive(name, &x, 1, NULL, &run, &y));
      for (int compiled = 0; compiled < 2; ++compiled) {
        if (compiled) OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
        for (netcl_graph_format f = NETCL_GRAPH_FORMAT_TEXT; f <= NETCL_GRAPH_FORMAT_DOT; ++f) {
          OK(netcl_graph_explain(run.graph, f, text, sizeof text, NULL));
          CHECK(is_text(text), "no UTF-8: %s", text);
        }
      }
      RELEASE(x, y);
      netcl_graph_release(run.graph);
      OK(netcl_primitive_unregister(name));
    }
  }
}

/* A name is on one line, whatever it names. */
static void wrong_names(void** state) {
  Fixture* fixture = *state;
  static const char* const kWrong[] = {"\xff\xfe", "two\nlines", "\x01",    "\x7f",
                                       "a\tb",     "\xc2\x85",   "cut \xc3"};
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_queue* queue = NULL;
  netcl_region* region = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  options.arity = 1;
  options.forward = "v0 * 3";
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    static const char kText[] = "names are UTF-8 without control characters";
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText, netcl_primitive_register(kWrong[i], &options));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText,
               netcl_region_begin(queue, NULL, kWrong[i], &region));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText, netcl_region_push(queue, kWrong[i]));
  }
  assert_null(region);
  netcl_queue_release(queue);
  register_tripled("\xc3\xa9\xc2\xa0 \"<|>\\");
  OK(netcl_primitive_unregister("\xc3\xa9\xc2\xa0 \"<|>\\"));
}

static netcl_status record_nothing(const netcl_graph_call* call, netcl_tensor** outputs,
                                   void* user_data) {
  (void)user_data;
  outputs[0] = call->inputs[0];
  return netcl_tensor_retain(outputs[0]);
}

/* Numbers are those of messages; an empty graph says what is missing. */
static void numbers(void** state) {
  Fixture* fixture = *state;
  char text[2048];
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *x = counting_vector(fixture, 4, 1), *unused = formula("cos(v0)", x, NULL, &run);
  netcl_tensor *y = sum_of(x, &run), *made = NULL;
  uint32_t count = 0;
  OK(netcl_graph_compile(run.graph, &x, 1, &y, 1, NULL));
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
  CHECK(strstr(text, "\n   0 reduce: ") != NULL && strstr(text, "; call 1\n") != NULL, "%s", text);
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_JSON, text, sizeof text, NULL));
  CHECK(strstr(text, "\"calls\":[\"1 reduce\"]") != NULL, "%s", text);
  RELEASE(unused, y);
  OK(netcl_graph_clear(run.graph));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "ops and launches whose run->graph it is",
             netcl_graph_compile(run.graph, &x, 1, &x, 1, NULL));
  netcl_graph_release(run.graph);
  netcl_graph* graph = NULL;
  OK(netcl_graph_create_from_function(fixture->device, record_nothing, NULL, NULL, 1, NULL,
                                      &graph));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "call->run",
             netcl_graph_evaluate(graph, &x, 1, NULL, &made, 1, &count));
  netcl_graph_release(graph);
  RELEASE(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(long_names),
      DEVICE_TEST(wrong_names),
      DEVICE_TEST(numbers),
  };
  return cmocka_run_group_tests_name("graph_explain", tests, NULL, NULL);
}
