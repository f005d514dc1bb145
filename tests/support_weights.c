#include "support_weights.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

void bytes_free(Bytes *bytes) {
  free(bytes->data);
  memset(bytes, 0, sizeof *bytes);
}

void put_bytes(Bytes *to, const void *data, size_t size) {
  if (to->size + size > to->room) {
    to->room = 2 * (to->size + size);
    to->data = realloc(to->data, to->room);
    assert_non_null(to->data);
  }
  if (size > 0) memcpy(to->data + to->size, data, size);
  to->size += size;
}

void put_text(Bytes *to, const char *text) { put_bytes(to, text, strlen(text)); }

void put_number(Bytes *to, int size, uint64_t value) {
  for (int i = 0; i < size; ++i) {
    const unsigned char byte = (unsigned char)(value >> (8 * i));
    put_bytes(to, &byte, 1);
  }
}

void put_zeros(Bytes *to, size_t count) {
  for (size_t i = 0; i < count; ++i) put_number(to, 1, 0);
}

void set_number(Bytes *in, size_t at, int size, uint64_t value) {
  assert_true(at + (size_t)size <= in->size);
  for (int i = 0; i < size; ++i) in->data[at + (size_t)i] = (unsigned char)(value >> (8 * i));
}

Bytes safetensors_file(const char *header, const void *data, size_t size) {
  Bytes file = {0};
  put_number(&file, 8, strlen(header));
  put_text(&file, header);
  put_bytes(&file, data, size);
  return file;
}

Bytes gguf_begin(uint32_t version, uint64_t tensors, uint64_t values) {
  Bytes file = {0};
  put_text(&file, "GGUF");
  put_number(&file, 4, version);
  put_number(&file, 8, tensors);
  put_number(&file, 8, values);
  return file;
}

void gguf_string(Bytes *to, const char *text) {
  put_number(to, 8, strlen(text));
  put_text(to, text);
}

void gguf_key(Bytes *to, const char *key, uint32_t type) {
  gguf_string(to, key);
  put_number(to, 4, type);
}

void gguf_tensor(Bytes *to, const char *name, uint32_t rank, const uint64_t *extents, uint32_t type,
                 uint64_t offset) {
  gguf_string(to, name);
  put_number(to, 4, rank);
  for (uint32_t d = 0; d < rank; ++d) put_number(to, 8, extents[d]);
  put_number(to, 4, type);
  put_number(to, 8, offset);
}

void gguf_align(Bytes *to, size_t alignment) {
  put_zeros(to, (alignment - to->size % alignment) % alignment);
}

uint32_t crc_of(const void *data, size_t size) {
  uint32_t sum = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) {
    sum ^= ((const unsigned char *)data)[i];
    for (int b = 0; b < 8; ++b) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~sum;
}

void zip_member(Zip *zip, const char *name, int method, const void *data, size_t size, size_t whole,
                uint32_t crc) {
  const size_t place = zip->file.size;
  for (int listed = 0; listed < 2; ++listed) {
    Bytes *to = listed ? &zip->list : &zip->file;
    put_text(to, listed ? "PK\1\2" : "PK\3\4");
    if (listed) put_number(to, 2, 45);
    put_number(to, 2, zip->bit64 ? 45 : 20);
    put_number(to, 2, 0);
    put_number(to, 2, (uint64_t)method);
    put_number(to, 4, 0x21 << 16);
    put_number(to, 4, crc);
    put_number(to, 4, zip->bit64 ? UINT32_MAX : size);
    put_number(to, 4, zip->bit64 ? UINT32_MAX : whole);
    put_number(to, 2, strlen(name));
    put_number(to, 2, zip->bit64 ? (listed ? 28 : 20) : 0);
    if (listed) {
      put_zeros(to, 10);
      put_number(to, 4, zip->bit64 ? UINT32_MAX : place);
    }
    put_text(to, name);
    if (zip->bit64) {
      put_number(to, 2, 1);
      put_number(to, 2, listed ? 24 : 16);
      put_number(to, 8, whole);
      put_number(to, 8, size);
      if (listed) put_number(to, 8, place);
    }
  }
  put_bytes(&zip->file, data, size);
  zip->count++;
}

void zip_stored(Zip *zip, const char *name, const Bytes *member) {
  zip_member(zip, name, 0, member->data, member->size, member->size,
             crc_of(member->data, member->size));
}

void zip_deflated(Zip *zip, const char *name, const Bytes *member) {
  Bytes packed = {0};
  for (size_t at = 0; at == 0 || at < member->size;) {
    const size_t left = member->size - at, size = left < 65535 ? left : 65535;
    put_number(&packed, 1, size == left);
    put_number(&packed, 2, size);
    put_number(&packed, 2, ~size & 0xffff);
    put_bytes(&packed, member->data + at, size);
    at += size;
    if (size == 0) break;
  }
  zip_member(zip, name, 8, packed.data, packed.size, member->size,
             crc_of(member->data, member->size));
  bytes_free(&packed);
}

Bytes zip_end(Zip *zip) {
  Bytes file = zip->file;
  const size_t at = file.size;
  put_bytes(&file, zip->list.data, zip->list.size);
  if (zip->bit64) {
    const size_t place = file.size;
    put_text(&file, "PK\6\6");
    put_number(&file, 8, 44);
    put_number(&file, 4, 45 << 16 | 45);
    put_number(&file, 8, 0);
    put_number(&file, 8, zip->count);
    put_number(&file, 8, zip->count);
    put_number(&file, 8, zip->list.size);
    put_number(&file, 8, at);
    put_text(&file, "PK\6\7");
    put_number(&file, 4, 0);
    put_number(&file, 8, place);
    put_number(&file, 4, 1);
  }
  put_text(&file, "PK\5\6");
  put_number(&file, 4, 0);
  for (int i = 0; i < 2; ++i) put_number(&file, 2, zip->bit64 ? 0xffff : zip->count);
  put_number(&file, 4, zip->bit64 ? UINT32_MAX : zip->list.size);
  put_number(&file, 4, zip->bit64 ? UINT32_MAX : at);
  put_number(&file, 2, 0);
  bytes_free(&zip->list);
  memset(zip, 0, sizeof *zip);
  return file;
}

Bytes npy_file(const char *header, const void *data, size_t size) {
  Bytes file = {0};
  const size_t text = strlen(header), padded = (10 + text + 1 + 63) / 64 * 64 - 10;
  put_bytes(&file, "\x93NUMPY\1", 8);
  put_number(&file, 2, padded);
  put_text(&file, header);
  while (file.size < 10 + padded - 1) put_text(&file, " ");
  put_text(&file, "\n");
  put_bytes(&file, data, size);
  return file;
}

static char folder[64];

const char *weights_path(const char *name) {
  static char paths[4][200];
  static int next;
  char *path = paths[next++ % 4];
  if (folder[0] == '\0') {
    strcpy(folder, "/tmp/netcl-weights-XXXXXX");
    assert_non_null(mkdtemp(folder));
  }
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

int weights_remove_folder(void **state) {
  (void)state;
  DIR *stream = folder[0] == '\0' ? NULL : opendir(folder);
  if (stream == NULL) return 0;
  for (struct dirent *item = readdir(stream); item != NULL; item = readdir(stream)) {
    if (item->d_name[0] != '.') unlink(weights_path(item->d_name));
  }
  closedir(stream);
  const int result = rmdir(folder); /* fails where a temporary file is left */
  folder[0] = '\0';
  return result;
}

void write_weights(const char *path, Bytes *bytes) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  if (bytes->size > 0) assert_int_equal(fwrite(bytes->data, 1, bytes->size, stream), bytes->size);
  assert_int_equal(fclose(stream), 0);
  bytes_free(bytes);
}

netcl_status open_bytes(netcl_device *device, const Bytes *bytes, netcl_weights **weights) {
  const char *path = weights_path("bytes");
  Bytes copy = {0};
  put_bytes(&copy, bytes->data, bytes->size);
  write_weights(path, &copy);
  const netcl_status status = netcl_weights_open(device, path, NULL, weights);
  unlink(path);
  return status;
}

static uint32_t place_of(const netcl_weights *weights, const char *name) {
  uint32_t index = UINT32_MAX;
  OK(netcl_weights_find(weights, name, &index));
  return index;
}

netcl_tensor *named_tensor(const netcl_weights *weights, const char *name) {
  netcl_tensor *tensor = NULL;
  OK(netcl_weights_get_tensor(weights, place_of(weights, name), NULL, &tensor));
  return tensor;
}

netcl_weights_entry named_entry(const netcl_weights *weights, const char *name) {
  netcl_weights_entry entry = NETCL_WEIGHTS_ENTRY_INIT;
  OK(netcl_weights_get_entry(weights, place_of(weights, name), &entry));
  assert_string_equal(entry.name, name);
  return entry;
}

void check_metadata(const netcl_weights *weights, const char *key, const char *wanted) {
  char text[400];
  size_t length = 0;
  OK(netcl_weights_get_metadata(weights, key, text, sizeof text, &length));
  assert_string_equal(text, wanted);
  assert_int_equal(length, strlen(wanted));
}

void refuse_bytes(Fixture *fixture, Bytes bytes, netcl_status status, const char *text) {
  netcl_weights *weights = NULL;
  const netcl_status got = open_bytes(fixture->device, &bytes, &weights);
  CHECK(got == status, "%s, not %s, for \"%s\": %s", netcl_status_name(got),
        netcl_status_name(status), text, netcl_last_error_message());
  CHECK(weights == NULL, "an output beside an error");
  CHECK(strstr(netcl_last_error_message(), text) != NULL, "\"%s\" is not in: %s", text,
        netcl_last_error_message());
  bytes_free(&bytes);
}
