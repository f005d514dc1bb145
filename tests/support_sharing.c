#include "support_sharing.h"
#include "support_sweep_cases.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

void require_files(const Fixture *fixture) {
  if (fixture->info.type != NETCL_DEVICE_CPU) SKIP("files are shared by CPU devices");
}

int open_descriptors(const char *name) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char target[256] = "";
    if (atoi(entry->d_name) == dirfd(folder) || entry->d_name[0] == '.') continue;
    if (name != NULL) {
      const ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
      if (length < 0 || strncmp(target, name, strlen(name)) != 0) continue;
    }
    ++count;
  }
  closedir(folder);
  return count;
}

int open_mappings(const char *name) {
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[512];
  int count = 0;
  assert_non_null(maps);
  while (fgets(line, sizeof line, maps) != NULL) {
    const char *path = strchr(line, '/');
    count += path != NULL && strncmp(path, name, strlen(name)) == 0;
  }
  fclose(maps);
  return count;
}

netcl_tensor *shared_tensor(netcl_device *device, netcl_pool *pool, const float *values,
                            int64_t count) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor *tensor = NULL;
  options.share = 1;
  options.pool = pool;
  OK(netcl_tensor_create_from_host(device, NETCL_F32, 1, &count, NULL, values, (size_t)count * 4,
                                   &options, &tensor));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  return tensor;
}

netcl_shared_memory export_of(netcl_tensor *tensor) {
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  netcl_buffer *buffer = NULL;
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_export(buffer, &memory));
  netcl_buffer_release(buffer);
  return memory;
}

netcl_tensor *import_of(netcl_device *device, const netcl_shared_memory *memory) {
  const int64_t count = (int64_t)(memory->bytes / 4);
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL;
  OK(netcl_buffer_import(device, memory, &buffer));
  assert_int_equal(close(memory->descriptor), 0);
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 1, &count, NULL, &tensor));
  netcl_buffer_release(buffer);
  return tensor;
}

float *map_memory(const netcl_shared_memory *memory, void **whole) {
  *whole = mmap(NULL, memory->total_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->descriptor,
                0);
  assert_true(*whole != MAP_FAILED);
  return (float *)((char *)*whole + memory->offset_bytes);
}

int memory_file(uint64_t bytes, int seals) {
  const int descriptor = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  assert_true(descriptor >= 0);
  assert_int_equal(ftruncate(descriptor, (off_t)bytes), 0);
  for (uint64_t i = 0; i < bytes; ++i) {
    const unsigned char byte = (unsigned char)(i % 251);
    if (bytes <= 65536) assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)i), 1);
  }
  assert_int_equal(fcntl(descriptor, F_ADD_SEALS, seals), 0);
  return descriptor;
}

netcl_shared_memory of_file(int descriptor, uint64_t offset, uint64_t bytes, uint64_t total) {
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  memory.kind = NETCL_SHARE_FILE;
  memory.descriptor = descriptor;
  memory.offset_bytes = offset;
  memory.bytes = bytes;
  memory.total_bytes = total;
  return memory;
}

netcl_status sweep_share(netcl_device *device, void *buffer) {
  const int64_t count = 4;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  netcl_tensor *tensor = NULL;
  netcl_buffer *first = NULL;
  options.share = 1;
  netcl_status status =
      netcl_tensor_create_zeros(device, NETCL_F32, 1, &count, NULL, &options, &tensor);
  if (status == NETCL_OK) status = netcl_tensor_get_buffer(tensor, &first);
  if (status == NETCL_OK) status = netcl_buffer_export(first, &memory);
  if (status == NETCL_OK) {
    status = netcl_buffer_import(device, &memory, buffer);
    close(memory.descriptor);
  }
  netcl_buffer_release(first);
  netcl_tensor_release(tensor);
  return status;
}

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

int send_memory(int socket, const netcl_shared_memory *memory) {
  struct iovec part = {(void *)(uintptr_t)memory, sizeof *memory};
  union control control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  memset(&control, 0, sizeof control);
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.header), &memory->descriptor, sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *memory ? 0 : 1;
}

int receive_memory(int socket, netcl_shared_memory *memory) {
  struct iovec part = {memory, sizeof *memory};
  union control control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  if (got != (ssize_t)sizeof *memory) return 1;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_type != SCM_RIGHTS) return 1;
  memcpy(&memory->descriptor, CMSG_DATA(header), sizeof(int));
  return 0;
}

int send_word(int socket, char word) {
  return send(socket, &word, 1, MSG_NOSIGNAL) == 1 ? 0 : 1;
}

int receive_word(int socket, char word) {
  char got = 0;
  return recv(socket, &got, 1, 0) == 1 && got == word ? 0 : 1;
}
