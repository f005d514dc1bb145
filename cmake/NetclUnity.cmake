# Compiles the files of a program in groups.
function(netcl_group_program target)
  if(NETCL_UNITY)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${NETCL_UNITY})
  endif()
endfunction()

# Compiles the files of a layer, the first folder below src, in groups: what they include is read
# once for a group. Neighbours in a folder are in one group.
function(netcl_group_sources target group_size)
  set(folders "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src)
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # Groups of one folder are of nearly one size, so that none is compiled much longer.
    list(LENGTH sources_${folder} count)
    math(EXPR groups "(${count} + ${group_size} - 1) / ${group_size}")
    math(EXPR each "(${count} + ${groups} - 1) / ${groups}")
    set(index 0)
    foreach(source IN LISTS sources_${folder})
      math(EXPR group "${index} / ${each}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
