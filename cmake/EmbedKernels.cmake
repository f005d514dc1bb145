# Writes OUTPUT, a C++ file that holds the text of each file of KERNELS as a byte array, and a hash
# over KERNELS and GENERATORS. Both are lists separated by "|". Byte arrays, because compilers limit
# the length of string literals.
string(REPLACE "|" ";" KERNELS "${KERNELS}")
string(REPLACE "|" ";" GENERATORS "${GENERATORS}")
set(hashes "")
set(arrays "")
set(rows "")
set(count 0)
foreach(file ${KERNELS})
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  file(SIZE ${file} size)
  file(SHA256 ${file} hash)
  string(APPEND hashes "${name}=${hash};")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REPEAT "0x..," 16 row)
  string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "const unsigned char kText${count}[] = {\n${bytes}0x00};\n")
  string(APPEND rows
    "    {\"${name}\", reinterpret_cast<const char*>(kText${count}), ${size}},\n")
  math(EXPR count "${count} + 1")
endforeach()
foreach(file ${GENERATORS})
  get_filename_component(name ${file} NAME)
  file(SHA256 ${file} hash)
  string(APPEND hashes "${name}=${hash};")
endforeach()
string(SHA256 version "${hashes}")
string(SUBSTRING ${version} 0 32 version)
file(WRITE ${OUTPUT}.new "// Generated from kernels/*/*.cl at build time.
#include \"kernel/embedded.hpp\"

namespace netcl {
namespace {
${arrays}}  // namespace

extern const EmbeddedKernel kEmbeddedKernels[] = {
${rows}    {nullptr, nullptr, 0},
};
extern const size_t kEmbeddedKernelCount = ${count};
extern const char kCodegenVersion[] = \"${version}\";

}  // namespace netcl
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
