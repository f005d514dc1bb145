/* Running the netcl command and looking at what it prints. */
#ifndef NETCL_TESTS_SUPPORT_TOOL_H
#define NETCL_TESTS_SUPPORT_TOOL_H

#include "support.h"

/* What the last command printed, stderr too. */
extern char tool_output[1 << 20];

/* A folder of this program, made by tool_make_folder and removed by tool_remove_folder. */
extern char tool_folder[512];
int tool_make_folder(void** state);
int tool_remove_folder(void** state);
/* NAME in the folder; the text stays until the fourth call after this one. */
const char* tool_path(const char* name);
void tool_write(const char* name, const char* text);
/* Reads a file of the folder to tool_output. */
void tool_read(const char* name);

/* Runs "TOOL ARGUMENTS", where a shell reads the arguments; gives the exit code. */
int tool_run(const char* tool, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* The output is JSON of which the expression, in Python with `j` for it, is true. */
void tool_check_json(const char* expression);

#define SAYS(text) \
  CHECK(strstr(tool_output, (text)) != NULL, "no \"%s\" in\n%s", (text), tool_output)
#define RUNS(code, ...)                                                              \
  do {                                                                               \
    const int got_ = tool_run(NETCL_TOOL_FILE, __VA_ARGS__);                         \
    CHECK(got_ == (code), "%s: exit code %d:\n%s", #__VA_ARGS__, got_, tool_output); \
  } while (0)

#endif
