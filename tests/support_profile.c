#include "support_profile.h"

#include <stdio.h>

#include "support_process.h"

static char folder[512];

netcl_queue* profile_queue(Fixture* fixture) {
  netcl_queue* queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  return queue;
}

netcl_tensor* profile_operand(Fixture* fixture, int64_t count) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &tensor));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  return tensor;
}

void profile_work(netcl_tensor* tensor, netcl_queue* queue) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = tensor;
  OK(netcl_op_expression_text("v0 * 0.5 + 1", &tensor, 1, NULL, &run, NULL));
}

void profile_start(const char* trace_path) {
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  options.trace_path = trace_path;
  OK(netcl_profile_reset());
  OK(netcl_profile_start(&options));
}

char* profile_report(netcl_format format) {
  size_t length = 0;
  OK(netcl_profile_report(format, NULL, 0, &length));
  char* text = malloc(length + 1);
  OK(netcl_profile_report(format, text, length + 1, NULL));
  return text;
}

/* ---- Traces, read by Python's JSON */

static const char kCheck[] =
    "import json, sys\n"
    "path, least = sys.argv[1], int(sys.argv[2])\n"
    "events = json.load(open(path))\n"
    "lanes, starts, ends = {}, {}, {}\n"
    "for e in events:\n"
    "    if e['ph'] == 'X':\n"
    "        b = round(e['ts'] * 1000); d = round(e['dur'] * 1000)\n"
    "        assert b >= 0 and d >= 0, e\n"
    "        lanes.setdefault((e['pid'], e['tid']), []).append((b, -d, e['name'], e['cat']))\n"
    "    elif e['ph'] == 's':\n"
    "        assert e['id'] not in starts; starts[e['id']] = e\n"
    "    elif e['ph'] == 'f':\n"
    "        assert e['id'] not in ends and e['bp'] == 'e'; ends[e['id']] = e\n"
    "    else:\n"
    "        assert e['ph'] == 'M', e\n"
    "assert set(starts) == set(ends), 'flows do not match'\n"
    "for lane, slices in lanes.items():\n"
    "    stack = []\n"
    "    for b, d, name, cat in sorted(slices):\n"
    "        while stack and stack[-1] <= b: stack.pop()\n"
    "        assert not stack or b - d <= stack[-1], ('overlap', lane, name)\n"
    "        stack.append(b - d)\n"
    "    named = [e for e in events if e['ph'] == 'M' and e['name'] == 'thread_name'\n"
    "             and (e['pid'], e['tid']) == lane]\n"
    "    assert len(named) == 1, lane\n"
    "def inside(flow, cat):\n"
    "    t = round(flow['ts'] * 1000)\n"
    "    return any(s[0] <= t <= s[0] - s[1] and s[3] == cat\n"
    "               for s in lanes.get((flow['pid'], flow['tid']), []))\n"
    "assert all(inside(f, 'enqueue') for f in starts.values())\n"
    "assert all(inside(f, 'device') for f in ends.values())\n"
    "count = sum(1 for s in sum(lanes.values(), []) if s[3] == 'device')\n"
    "assert count == len(starts) and count >= least, count\n"
    "devices = {l for l, s in lanes.items() if s[0][3] == 'device'}\n"
    "hosts = {l for l, s in lanes.items() if s[0][3] != 'device'}\n"
    "print(count, len(devices), len(hosts), len({p for p, t in devices}))\n";

TraceFacts check_trace(const char* path, int least) {
  char script[600], command[1400], output[4096] = "";
  process_join_path(script, sizeof script, folder, "check.py");
  FILE* file = fopen(script, "w");
  assert_non_null(file);
  fputs(kCheck, file);
  fclose(file);
  snprintf(command, sizeof command, "python3 '%s' '%s' %d 2>&1", script, path, least);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  const size_t size = fread(output, 1, sizeof output - 1, pipe);
  output[size] = '\0';
  TraceFacts facts = {0, 0, 0, 0};
  const int status = pclose(pipe);
  CHECK(status == 0 && sscanf(output, "%d %d %d %d", &facts.commands, &facts.queue_lanes,
                              &facts.host_lanes, &facts.devices) == 4,
        "the trace %s is wrong:\n%s", path, output);
  return facts;
}

char* trace_file(const char* name) {
  static char path[600];
  process_join_path(path, sizeof path, folder, name);
  return path;
}

int make_trace_folder(void** state) {
  (void)state;
  process_make_folder(folder, sizeof folder);
  return 0;
}

int remove_trace_folder(void** state) {
  (void)state;
  process_remove_folder(folder);
  return 0;
}
