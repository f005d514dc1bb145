/* Helpers of tests of shared memory: descriptors, tensors, and the way between processes. */
#ifndef NETCL_TESTS_SUPPORT_SHARING_H
#define NETCL_TESTS_SUPPORT_SHARING_H

#include "support.h"

/* Ends a test where shared memory is no file: on devices that are no CPUs. */
void require_files(const Fixture *fixture);

/* Descriptors that this process has open; with a text, those of files whose name begins with it. */
int open_descriptors(const char *name);

/* Mappings of this process whose file's name begins so. */
int open_mappings(const char *name);

/* A tensor of f32 with share = 1 and these values; `pool` may be NULL. */
netcl_tensor *shared_tensor(netcl_device *device, netcl_pool *pool, const float *values,
                            int64_t count);
/* What netcl_buffer_export gives of a tensor's buffer. */
netcl_shared_memory export_of(netcl_tensor *tensor);
/* Imports it and closes the descriptor; a tensor of f32 over all of it. */
netcl_tensor *import_of(netcl_device *device, const netcl_shared_memory *memory);
/* Maps memory as another program would; `whole` receives what is to be unmapped. */
float *map_memory(const netcl_shared_memory *memory, void **whole);

/* A file of `bytes` bytes without a name, with these seals, whose byte i is i % 251. */
int memory_file(uint64_t bytes, int seals);
netcl_shared_memory of_file(int descriptor, uint64_t offset, uint64_t bytes, uint64_t total);

/* Memory with its descriptor through a Unix socket; 0 on success. The sender keeps its own. */
int send_memory(int socket, const netcl_shared_memory *memory);
int receive_memory(int socket, netcl_shared_memory *memory);
/* One byte, by which one process waits for another; 0 on success. */
int send_word(int socket, char word);
int receive_word(int socket, char word);

#endif
