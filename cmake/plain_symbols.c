/*
 * plain_symbols FILE.o: turns the unique symbols of an object file into plain global ones.
 *
 * objcopy can make global and weak symbols local but leaves unique ones (STB_GNU_UNIQUE) as they
 * are, and libstdc++.a has some. A unique symbol is shared by all libraries of a process.
 */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

typedef ElfW(Ehdr) Header;
typedef ElfW(Shdr) Section;
typedef ElfW(Sym) Symbol;

static int fail(const char *path, const char *what) {
  fprintf(stderr, "%s: %s\n", path, what);
  return 1;
}

int main(int argc, char **argv) {
  Header header;
  unsigned i;
  unsigned long changed = 0;
  FILE *file;
  if (argc != 2) return fail(argv[0], "one object file is expected");
  file = fopen(argv[1], "r+b");
  if (file == NULL || fread(&header, sizeof header, 1, file) != 1) {
    return fail(argv[1], "cannot be read");
  }
  for (i = 0; i < header.e_shnum; i++) {
    Section section;
    unsigned long k;
    long at = (long)header.e_shoff + (long)i * header.e_shentsize;
    if (fseek(file, at, SEEK_SET) != 0 || fread(&section, sizeof section, 1, file) != 1) {
      return fail(argv[1], "a section header cannot be read");
    }
    if (section.sh_type != SHT_SYMTAB) continue;
    for (k = 0; k < section.sh_size / sizeof(Symbol); k++) {
      Symbol symbol;
      at = (long)section.sh_offset + (long)(k * sizeof symbol);
      if (fseek(file, at, SEEK_SET) != 0 || fread(&symbol, sizeof symbol, 1, file) != 1) {
        return fail(argv[1], "a symbol cannot be read");
      }
      if (ELF64_ST_BIND(symbol.st_info) != STB_GNU_UNIQUE) continue;
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(symbol.st_info));
      if (fseek(file, at, SEEK_SET) != 0 || fwrite(&symbol, sizeof symbol, 1, file) != 1) {
        return fail(argv[1], "a symbol cannot be written");
      }
      changed++;
    }
  }
  if (fclose(file) != 0) return fail(argv[1], "cannot be written");
  printf("%lu unique symbols made plain\n", changed);
  return 0;
}
