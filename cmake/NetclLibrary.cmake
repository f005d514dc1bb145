# Embedded kernels, the objects, and the shared library.
file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*/*.cl)
file(GLOB generator_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/expression/print_cl*.cpp)
list(SORT kernel_files)
list(SORT generator_files)
set(embedded_cpp ${PROJECT_BINARY_DIR}/generated/kernels.cpp)
string(JOIN "|" kernel_list ${kernel_files})
string(JOIN "|" generator_list ${generator_files})
add_custom_command(OUTPUT ${embedded_cpp}
  COMMAND ${CMAKE_COMMAND} "-DKERNELS=${kernel_list}" "-DGENERATORS=${generator_list}"
          -DOUTPUT=${embedded_cpp} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
  DEPENDS ${kernel_files} ${generator_files} ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
  COMMENT "Embedding the kernels" VERBATIM)

file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
list(FILTER library_sources EXCLUDE REGEX "/src/(tool|worker)/")
set(simd_sources "")
foreach(source IN LISTS library_sources)
  file(STRINGS ${source} targets REGEX "hwy/foreach_target.h" LIMIT_COUNT 1)
  if(targets)
    list(APPEND simd_sources ${source})
  endif()
endforeach()

# The library and its worker recognise each other by what they were made from.
set(build_id_cpp ${PROJECT_BINARY_DIR}/generated/build_id.cpp)
set(build_id_list ${PROJECT_BINARY_DIR}/generated/build_id.txt)
file(GLOB_RECURSE build_id_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp
  ${PROJECT_SOURCE_DIR}/src/*.hpp)
list(FILTER build_id_files EXCLUDE REGEX "/src/tool/")
list(APPEND build_id_files ${kernel_files} ${PROJECT_SOURCE_DIR}/include/netcl.h)
list(SORT build_id_files)
string(JOIN "\n" build_id_text ${build_id_files})
file(CONFIGURE OUTPUT ${build_id_list} CONTENT "${build_id_text}\n")
add_custom_command(OUTPUT ${build_id_cpp}
  COMMAND ${CMAKE_COMMAND} "-DSOURCES=${build_id_list}"
          "-DFLAGS=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}"
          -DOUTPUT=${build_id_cpp} -P ${PROJECT_SOURCE_DIR}/cmake/BuildId.cmake
  DEPENDS ${build_id_files} ${build_id_list} ${PROJECT_SOURCE_DIR}/cmake/BuildId.cmake
  COMMENT "Naming the build" VERBATIM)
# What has no long loops gains nothing from -O3 (tests/bench/notes/gate.txt). Each check of a
# sanitizer is one more way out of a function, and clang's time grows with their square: without
# --full such files are not optimized, which takes a third of the time; nothing checks that the sums
# of a pointer and an index, of which SIMD loops are full, do not overflow (what lies outside an
# array is found all the same), and no step of such a loop is written out several times. SIMD code
# is compiled for AVX2 alone where this machine has it: the baseline, which emulates vectors, takes
# several times as long, and nothing would run it. What counts lines is built the same way.
set(plain_sources ${library_sources})
list(REMOVE_ITEM plain_sources ${simd_sources})
if((NETCL_SANITIZE OR NETCL_COVERAGE) AND NOT NETCL_TEST_FULL)
  set(plain_options -O0)
  list(FILTER plain_sources EXCLUDE REGEX "/src/(core|tune)/")
  set(simd_options -fno-sanitize=pointer-overflow -DNETCL_SHORT_LOOPS)
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("int main() {
    return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") &&
           __builtin_cpu_supports(\"bmi2\") && __builtin_cpu_supports(\"aes\") ? 0 : 1; }"
    NETCL_HAS_AVX2)
  if(NETCL_HAS_AVX2)
    list(APPEND simd_options -march=haswell -maes -mpclmul)
    set_source_files_properties(${simd_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  set_source_files_properties(${simd_sources} PROPERTIES COMPILE_OPTIONS "${simd_options}")
else()
  set(plain_options $<$<CONFIG:Release>:-O2>)
  list(FILTER plain_sources EXCLUDE REGEX "/src/(backend/cpu|core)/")
endif()
list(REMOVE_ITEM library_sources ${plain_sources})
# Fuzz targets are guided by what runs in the code that they enter. Elsewhere it is counted with
# --full alone: that takes a third of the time of the compiler and of the tests.
set(parser_sources "")
set(counted)
set(plain_counted)
if(NETCL_FUZZ)
  set(counted -fsanitize=fuzzer-no-link)
  if(NETCL_TEST_FULL)
    set(plain_counted ${counted})
  else()
    set(parser_sources ${plain_sources})
    list(FILTER parser_sources INCLUDE REGEX
      "/src/(expression|model|roofline|store|tensor|timing|weights)/")
    list(REMOVE_ITEM plain_sources ${parser_sources})
    set_property(SOURCE ${simd_sources} APPEND PROPERTY
      COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
  endif()
endif()

# Where the worker is installed, as seen from the library: a package may be put anywhere.
set(NETCL_WORKER_FOLDER ${CMAKE_INSTALL_LIBEXECDIR}/netcl)
file(RELATIVE_PATH NETCL_WORKER_FROM_LIBRARY
  /prefix/${CMAKE_INSTALL_LIBDIR} /prefix/${NETCL_WORKER_FOLDER}/netcl-worker)
string(TOLOWER "${CMAKE_CXX_COMPILER_ID}" compiler_name)
string(REPLACE "gnu" "gcc" compiler_name "${compiler_name}")

# Objects of the library from the given sources. Files with SIMD code are compiled once per
# instruction set and stay alone. The gate's --full goes without groups and a precompiled header
# under ThreadSanitizer, which shows where a file does not include what it uses.
function(netcl_add_objects target)
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden)
  target_include_directories(${target}
    PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE
    NETCL_ABI_VERSION=${NETCL_ABI_VERSION} $<$<BOOL:${NETCL_SANITIZE}>:NETCL_SANITIZED>
    "NETCL_COMPILER=\"${compiler_name} ${CMAKE_CXX_COMPILER_VERSION}\""
    "NETCL_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\""
    "NETCL_WORKER_FROM_LIBRARY=\"${NETCL_WORKER_FROM_LIBRARY}\"")
  target_link_libraries(${target} PUBLIC netcl_headers PRIVATE netcl_library_flags)
  if(NETCL_UNITY)
    set(grouped_sources ${ARGN})
    list(REMOVE_ITEM grouped_sources ${simd_sources} ${embedded_cpp} ${build_id_cpp})
    netcl_group_sources(${target} ${NETCL_UNITY} ${grouped_sources})
  endif()
  if(NETCL_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv>
      <cmath> <condition_variable> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <limits>
      <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <type_traits>
      <unordered_map> <utility> <vector> <netcl.h>)
    # Out of a precompiled header gcc looks into std::string as if it were not the system's.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-array-bounds>)
  endif()
endfunction()
include(NetclUnity)
netcl_add_objects(netcl_objects ${library_sources} ${embedded_cpp} ${build_id_cpp})
target_compile_options(netcl_objects PRIVATE ${counted})
netcl_add_objects(netcl_plain_objects ${plain_sources})
target_compile_options(netcl_plain_objects PRIVATE ${plain_options} ${plain_counted})
set(netcl_object_files $<TARGET_OBJECTS:netcl_objects> $<TARGET_OBJECTS:netcl_plain_objects>)
if(parser_sources)
  netcl_add_objects(netcl_parser_objects ${parser_sources})
  target_compile_options(netcl_parser_objects PRIVATE ${plain_options} ${counted})
  list(APPEND netcl_object_files $<TARGET_OBJECTS:netcl_parser_objects>)
endif()

add_library(netcl SHARED ${netcl_object_files})
add_library(netcl::netcl ALIAS netcl)
set(version_script ${PROJECT_SOURCE_DIR}/cmake/netcl.map)
set_target_properties(netcl PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${NETCL_ABI_VERSION}
  LINKER_LANGUAGE CXX LINK_DEPENDS ${version_script})
target_include_directories(netcl INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(netcl PRIVATE $<BUILD_INTERFACE:netcl_flags> ${NETCL_ZLIB} Threads::Threads
  ${CMAKE_DL_LIBS})
# nodelete: the library's threads would run unmapped code after a dlclose.
target_link_options(netcl PRIVATE
  LINKER:--version-script=${version_script} LINKER:-z,nodelete LINKER:-z,relro LINKER:-z,now
  LINKER:--gc-sections)
if(NOT NETCL_SANITIZE AND NOT NETCL_FUZZ)
  # A C++ runtime shared with the host was seen to abort when the library is loaded beside another
  # unwinder. Sanitizers bring parts of their own runtime with the program, so they go without.
  target_link_options(netcl PRIVATE -static-libstdc++ -static-libgcc LINKER:--no-undefined)
endif()

# The process in which candidate kernels run. It holds the library's objects, so that it starts with
# nothing to find, and exports nothing.
file(GLOB worker_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/worker/*.cpp)
add_executable(netcl_worker ${worker_sources} ${netcl_object_files})
set_target_properties(netcl_worker PROPERTIES OUTPUT_NAME netcl-worker)
target_link_libraries(netcl_worker PRIVATE $<BUILD_INTERFACE:netcl_objects> netcl_library_flags
  Threads::Threads ${CMAKE_DL_LIBS} m)
target_link_options(netcl_worker PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:--gc-sections)
if(NOT NETCL_SANITIZE AND NOT NETCL_FUZZ)
  target_link_options(netcl_worker PRIVATE -static-libstdc++ -static-libgcc)
endif()
# What uses the library in this build may start the worker.
add_dependencies(netcl netcl_worker)
