# The flags of everything in this tree, as one interface target.
add_library(netcl_flags INTERFACE)
target_compile_options(netcl_flags INTERFACE -Wall -Wextra -Wshadow)
# gcc 12 warns of overlaps inside std::string that cannot happen (its bug 105651).
target_compile_options(netcl_flags INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(netcl_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

set(sanitizers "")
if(NETCL_SANITIZE STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(NETCL_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(NETCL_SANITIZE)
  message(FATAL_ERROR "NETCL_SANITIZE is \"${NETCL_SANITIZE}\"; expected address or thread")
endif()
if(sanitizers)
  target_compile_options(netcl_flags INTERFACE ${sanitizers} -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/tests/ubsan.ignored>)
  # Programs in C are loaded with a library in C++, whose checks need the rest of the runtime.
  target_link_options(netcl_flags INTERFACE ${sanitizers}
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-link-c++-runtime>)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_link_libraries(netcl_flags INTERFACE stdc++)
  endif()
  # Programs of 200 MB: lld links them in less than half the time of gold.
  find_program(NETCL_LLD ld.lld)
  if(NETCL_LLD)
    target_link_options(netcl_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

# Which lines run; tests/fuzz/coverage.sh shows it.
if(NETCL_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "NETCL_COVERAGE needs clang")
  endif()
  target_compile_options(netcl_flags INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(netcl_flags INTERFACE -fprofile-instr-generate)
endif()

# Flags of the library's own objects.
#  -ffp-contract=off: a contracted multiply-add would change the bits from one target to another.
#  -fno-gnu-unique: unique symbols are shared by all libraries of a process, whatever their scope.
add_library(netcl_library_flags INTERFACE)
target_compile_options(netcl_library_flags INTERFACE
  -fvisibility-inlines-hidden -ffp-contract=off -ffunction-sections -fdata-sections
  $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
target_link_libraries(netcl_library_flags INTERFACE netcl_flags)
# A thread of the host may have a stack of 64 KB. Code that is not optimized has larger frames.
if(NOT sanitizers AND NOT NETCL_COVERAGE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_options(netcl_library_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Werror=frame-larger-than=16384>
    $<$<CXX_COMPILER_ID:Clang>:-Wframe-larger-than=16384 -Werror=frame-larger-than>)
endif()
if(NETCL_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "NETCL_FUZZ needs clang; without it the targets replay a corpus")
endif()
