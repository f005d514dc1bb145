# Embedded kernels, the objects, and the shared library.
file(GLOB kernel_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cl)
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
list(FILTER library_sources EXCLUDE REGEX "/src/tool/")
add_library(netcl_objects OBJECT ${library_sources} ${embedded_cpp})
set_target_properties(netcl_objects PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden)
target_include_directories(netcl_objects
  PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
string(TOLOWER "${CMAKE_CXX_COMPILER_ID}" compiler_name)
string(REPLACE "gnu" "gcc" compiler_name "${compiler_name}")
target_compile_definitions(netcl_objects PRIVATE
  NETCL_ABI_VERSION=${NETCL_ABI_VERSION}
  "NETCL_COMPILER=\"${compiler_name} ${CMAKE_CXX_COMPILER_VERSION}\""
  "NETCL_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
target_link_libraries(netcl_objects PUBLIC netcl_headers PRIVATE netcl_library_flags)

add_library(netcl SHARED $<TARGET_OBJECTS:netcl_objects>)
add_library(netcl::netcl ALIAS netcl)
set(version_script ${PROJECT_SOURCE_DIR}/cmake/netcl.map)
set_target_properties(netcl PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${NETCL_ABI_VERSION}
  LINKER_LANGUAGE CXX LINK_DEPENDS ${version_script})
target_include_directories(netcl INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(netcl PRIVATE $<BUILD_INTERFACE:netcl_flags> Threads::Threads
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
