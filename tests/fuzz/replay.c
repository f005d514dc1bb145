/*
 * Runs a fuzz target without libFuzzer: over every file of the folder that is named, then over
 * mutations of them. The mutations are the same in every run, so a failure can be repeated.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A target's own mutation; not all have one. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                                                     unsigned seed);
/* What libFuzzer calls the mutation of bytes that targets build theirs on. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

enum { kSizeMax = 65536, kFilesMax = 512, kMutations = 4000 };

static uint8_t *files[kFilesMax];
static size_t sizes[kFilesMax];
static int files_count;

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Each input lies in a block of its own size, so that a read past the end is seen by the tools. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (copy == NULL) return;
  if (size) memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *data = malloc(kSizeMax);
  if (file != NULL && data != NULL && files_count < kFilesMax) {
    sizes[files_count] = fread(data, 1, kSizeMax, file);
    files[files_count++] = data;
    data = NULL;
  }
  free(data);
  if (file != NULL) fclose(file);
}

static void load_folder(const char *folder) {
  struct dirent **entries = NULL;
  int i, count = scandir(folder, &entries, NULL, alphasort);
  for (i = 0; i < count; i++) {
    char path[4096];
    if (entries[i]->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
      load(path);
    }
    free(entries[i]);
  }
  free(entries);
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  uint64_t changes = 1 + next() % 6;
  while (changes-- > 0) {
    size_t at = size ? next() % size : 0;
    switch (next() % 5) {
      case 0: if (size) data[at] ^= (uint8_t)(1u << next() % 8); break;
      case 1: if (size) data[at] = (uint8_t)next(); break;
      case 2: size = at; break;
      case 3: if (size) { memmove(data + at, data + at + 1, size - at - 1); size--; } break;
      default:
        if (size < most) {
          memmove(data + at + 1, data + at, size - at);
          data[at] = (uint8_t)next();
          size++;
        }
    }
  }
  return size;
}

static size_t mutate(uint8_t *data, size_t size) {
  if (LLVMFuzzerCustomMutator == NULL) return LLVMFuzzerMutate(data, size, kSizeMax);
  return LLVMFuzzerCustomMutator(data, size, kSizeMax, (unsigned)next());
}

int main(int argc, char **argv) {
  static uint8_t work[kSizeMax];
  int i;
  for (i = 1; i < argc; i++) load_folder(argv[i]);
  run(NULL, 0);
  for (i = 0; i < files_count; i++) run(files[i], sizes[i]);
  for (i = 0; i < kMutations; i++) {
    size_t size = next() % 64;
    if (files_count > 0) {
      int pick = (int)(next() % (uint64_t)files_count);
      size = sizes[pick];
      memcpy(work, files[pick], size);
    } else {
      size_t at;
      for (at = 0; at < size; at++) work[at] = (uint8_t)next();
    }
    size = mutate(work, size);
    run(work, size);
  }
  printf("%d files and %d mutations replayed\n", files_count, (int)kMutations);
  for (i = 0; i < files_count; i++) free(files[i]);
  return 0;
}
