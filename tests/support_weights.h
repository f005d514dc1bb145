/*
 * Writes files of named tensors by hand: safetensors, GGUF and archives of ZIP, sound or not.
 */
#ifndef NETCL_TESTS_SUPPORT_WEIGHTS_H
#define NETCL_TESTS_SUPPORT_WEIGHTS_H

#include "support.h"

/* Bytes that grow. Begins as zeros; bytes_free gives the memory back. */
typedef struct Bytes {
  unsigned char *data;
  size_t size;
  size_t room;
} Bytes;

void bytes_free(Bytes *bytes);
void put_bytes(Bytes *to, const void *data, size_t size);
void put_text(Bytes *to, const char *text);
/* A number of 1, 2, 4 or 8 bytes, the lowest first. */
void put_number(Bytes *to, int size, uint64_t value);
void put_zeros(Bytes *to, size_t count);
/* Overwrites a number. */
void set_number(Bytes *in, size_t at, int size, uint64_t value);

/* 8 bytes of length, the header, the data. */
Bytes safetensors_file(const char *header, const void *data, size_t size);

/* The beginning of a file of GGUF. */
Bytes gguf_begin(uint32_t version, uint64_t tensors, uint64_t values);
void gguf_string(Bytes *to, const char *text);
void gguf_key(Bytes *to, const char *key, uint32_t type);
/* A description: extents in the order of the file, the fastest first. */
void gguf_tensor(Bytes *to, const char *name, uint32_t rank, const uint64_t *extents, uint32_t type,
                 uint64_t offset);
/* Zeros up to a multiple of the alignment. */
void gguf_align(Bytes *to, size_t alignment);

/* An archive that is being written. */
typedef struct Zip {
  Bytes file;
  Bytes list;
  unsigned count;
  int bit64;  /* 1: sizes and places of members in 64 bits, as NumPy has them */
} Zip;

/* A member: `data` is what lies in the file, `whole` how long it is unpacked, `crc` of that. */
void zip_member(Zip *zip, const char *name, int method, const void *data, size_t size, size_t whole,
                uint32_t crc);
void zip_stored(Zip *zip, const char *name, const Bytes *member);
/* Deflated without compression, in blocks of at most 65535 bytes. */
void zip_deflated(Zip *zip, const char *name, const Bytes *member);
/* Ends the archive and frees what else there is of it. */
Bytes zip_end(Zip *zip);
uint32_t crc_of(const void *data, size_t size);
/* A file of .npy, of format 1.0: `header` is the literal of the dictionary. */
Bytes npy_file(const char *header, const void *data, size_t size);

/* A path in a folder of this process, which is made with the first one; valid until the next but
 * three. weights_remove_folder removes the folder with all that is in it. */
const char *weights_path(const char *name);
int weights_remove_folder(void **state);
/* Writes bytes to a path and gives them back to the heap. */
void write_weights(const char *path, Bytes *bytes);
/* Opens bytes as a file that is removed again. */
netcl_status open_bytes(netcl_device *device, const Bytes *bytes, netcl_weights **weights);

/* A tensor by its name, which has to be there. */
netcl_tensor *named_tensor(const netcl_weights *weights, const char *name);
netcl_weights_entry named_entry(const netcl_weights *weights, const char *name);
/* Checks that the value of a key is this text. */
void check_metadata(const netcl_weights *weights, const char *key, const char *wanted);
/* Checks that the bytes are refused, with a message that has the text. */
void refuse_bytes(Fixture *fixture, Bytes bytes, netcl_status status, const char *text);

/* Opens a file with one tensor "w" of 4 floats and metadata "k", through a function of
 * netcl_weights_open; the file is removed again. */
netcl_status open_some_weights(__typeof__(&netcl_weights_open) open, netcl_device *device,
                               netcl_weights **weights);

#endif
