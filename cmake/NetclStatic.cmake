# libnetcl.a: one relocatable object in which only netcl_* is global.
#
# An archive of plain objects would share its weak C++ symbols with the host and mix two C++
# runtimes. So the parts of libstdc++ and of the unwinder that the library uses are linked in here
# as well, and every symbol but netcl_* is made local: a C host links it with gcc, a C++ host of any
# standard library keeps its own. -r needs --force-group-allocation, or the sections of templates
# would stay in groups that the linker of the host merges with the host's own.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
  OUTPUT_VARIABLE libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgcc_eh.a
  OUTPUT_VARIABLE libgcc_eh OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS "${libstdcxx}" OR NOT EXISTS "${libgcc_eh}")
  message(FATAL_ERROR "the static libstdc++ was not found; -DNETCL_BUILD_STATIC=OFF does without")
endif()

set(static_object ${PROJECT_BINARY_DIR}/netcl_all.o)
set(static_archive ${PROJECT_BINARY_DIR}/libnetcl.a)
set(response ${PROJECT_BINARY_DIR}/netcl_objects.rsp)
# Precompiled headers count as objects, which nothing can be linked with.
set(only_objects "$<FILTER:${netcl_object_files},EXCLUDE,[.][gp]ch$>")
file(GENERATE OUTPUT ${response} CONTENT "$<JOIN:${only_objects},\n>\n")
add_executable(plain_symbols ${PROJECT_SOURCE_DIR}/cmake/plain_symbols.c)
add_custom_command(OUTPUT ${static_archive}
  COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -Wl,--force-group-allocation -o ${static_object}
          @${response} ${NETCL_ZLIB} -Wl,--start-group ${libstdcxx} ${libgcc_eh} -Wl,--end-group
  COMMAND plain_symbols ${static_object}
  COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=netcl_*" ${static_object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${static_archive}
  COMMAND ${CMAKE_AR} qcsD ${static_archive} ${static_object}
  DEPENDS plain_symbols ${netcl_object_files} ${response}
  COMMENT "Linking the static library" VERBATIM)
add_custom_target(netcl_archive ALL DEPENDS ${static_archive})
