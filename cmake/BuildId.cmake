# Writes OUTPUT, a C++ file with the hash of each file of SOURCES (a file that lists them, one per
# line) and of FLAGS: the library and its worker work together only when they are made from the
# same.
file(STRINGS ${SOURCES} files)
set(hashes "${FLAGS};")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(SHA256 ${file} hash)
  string(APPEND hashes "${name}=${hash};")
endforeach()
string(SHA256 id "${hashes}")
string(SUBSTRING ${id} 0 32 id)
file(WRITE ${OUTPUT}.new "// Generated from the sources at build time.
#include \"core/build_id.hpp\"

namespace netcl {
static const char kText[] = \"netcl-build-${id}\";
const char* build_id() noexcept { return kText + 12; }
}  // namespace netcl
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
