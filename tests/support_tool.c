#include "support_tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>

#include "support_process.h"

char tool_output[1 << 20];
char tool_folder[512];

int tool_make_folder(void** state) {
  (void)state;
  process_make_folder(tool_folder, sizeof tool_folder);
  return 0;
}

int tool_remove_folder(void** state) {
  (void)state;
  process_remove_folder(tool_folder);
  return 0;
}

const char* tool_path(const char* name) {
  static char paths[4][1024];
  static unsigned next;
  char* const path = paths[next++ % COUNT_OF(paths)];
  process_join_path(path, sizeof paths[0], tool_folder, name);
  return path;
}

void tool_write(const char* name, const char* text) {
  FILE* const file = fopen(tool_path(name), "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void read_all(FILE* file) {
  size_t size = 0;
  for (size_t part;
       size < sizeof tool_output - 1 &&
       (part = fread(tool_output + size, 1, sizeof tool_output - 1 - size, file)) > 0;) {
    size += part;
  }
  tool_output[size] = '\0';
}

void tool_read(const char* name) {
  FILE* const file = fopen(tool_path(name), "r");
  assert_non_null(file);
  read_all(file);
  fclose(file);
}

int tool_run(const char* tool, const char* format, ...) {
  char arguments[4096], command[8192];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  /* The braces let the arguments send either stream elsewhere. */
  snprintf(command, sizeof command, "{ '%s' %s; } 2>&1", tool, arguments);
  FILE* const pipe = popen(command, "r");
  assert_non_null(pipe);
  read_all(pipe);
  const int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

void tool_check_json(const char* expression) {
  char command[4096], text[4096] = "";
  tool_write("out.json", tool_output);
  snprintf(command, sizeof command,
           "python3 -c \"import json\nj = json.load(open('%s'))\nassert %s, j\" 2>&1",
           tool_path("out.json"), expression);
  FILE* const pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t size = fread(text, 1, sizeof text - 1, pipe);
  text[size] = '\0';
  const int status = pclose(pipe);
  CHECK(status == 0, "%s: %s", expression, text);
}
