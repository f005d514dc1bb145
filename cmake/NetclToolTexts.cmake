# Manual pages and completions of shells, which the command writes itself: they cannot differ from
# what it takes. A build for another machine goes without them, as does one with sanitizers.
set(text_folder ${PROJECT_BINARY_DIR}/texts)
add_custom_command(OUTPUT ${text_folder}/netcl.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${text_folder}/man
  COMMAND netcl_tool man --folder ${text_folder}/man
  COMMAND netcl_tool completion bash > ${text_folder}/netcl.bash
  COMMAND netcl_tool completion zsh > ${text_folder}/_netcl
  COMMAND netcl_tool completion fish > ${text_folder}/netcl.fish
  DEPENDS netcl_tool COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(netcl_tool_texts ALL DEPENDS ${text_folder}/netcl.fish)
set(NETCL_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "Where the completion for zsh is installed, from the prefix")
install(DIRECTORY ${text_folder}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools
  FILES_MATCHING PATTERN "*.1")
install(FILES ${text_folder}/netcl.bash RENAME netcl COMPONENT tools
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${text_folder}/_netcl DESTINATION ${NETCL_ZSH_FOLDER} COMPONENT tools)
install(FILES ${text_folder}/netcl.fish COMPONENT tools
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
