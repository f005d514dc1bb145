/* Helpers of the tests of profiles: work that is recorded, reports, and traces as another program
 * reads them. */
#ifndef NETCL_TESTS_SUPPORT_PROFILE_H
#define NETCL_TESTS_SUPPORT_PROFILE_H

#include "support.h"

netcl_queue* profile_queue(Fixture* fixture);
/* A tensor of `count` elements whose making is over. */
netcl_tensor* profile_operand(Fixture* fixture, int64_t count);
/* One command in place on the tensor. */
void profile_work(netcl_tensor* tensor, netcl_queue* queue);
/* Forgets what was recorded and starts; trace_path may be NULL. */
void profile_start(const char* trace_path);
/* The report in a form; the caller frees it. */
char* profile_report(netcl_format format);

/* What a trace holds. */
typedef struct TraceFacts {
  int commands, queue_lanes, host_lanes, devices;
} TraceFacts;

/* Setup and teardown of a group: a folder for traces. */
int make_trace_folder(void** state);
int remove_trace_folder(void** state);
/* The path of a file in that folder, until the next call. */
char* trace_file(const char* name);
/* Reads a trace with Python's JSON and fails the test unless its slices nest, its flows match and
 * it holds at least so many commands. */
TraceFacts check_trace(const char* path, int least);

#endif
