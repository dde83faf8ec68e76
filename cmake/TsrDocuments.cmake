# The man pages and the shell completions, in docs/man and completions of the build folder, made from the tables of options: each tool
# prints its tables (--describe-options), and awk puts them into docs/man/TOOL.1.in and completions/tessera.bash.
#
# A cross build without an emulator cannot run the tools. It installs the pages of another build, if TSR_MANUALS names that folder, or
# none; and completions without tables, which ask the tools.
set(TSR_MANUALS "" CACHE PATH "Install the man pages in this folder instead of making them: build/PRESET/docs/man of another build")
set(tsr_manuals_dir ${PROJECT_BINARY_DIR}/docs/man)
set(tsr_completions_dir ${PROJECT_BINARY_DIR}/completions)
find_program(TSR_AWK awk)
mark_as_advanced(TSR_AWK)
get_property(tools GLOBAL PROPERTY TSR_TOOLS)
set(tsr_manuals "")
set(tsr_options "")
set(tsr_tools_run ON)
if((CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR) OR NOT TSR_AWK)
  set(tsr_tools_run OFF)
endif()

if(TSR_MANUALS)
  foreach(tool ${tools})
    list(APPEND tsr_manuals ${TSR_MANUALS}/${tool}.1)
  endforeach()
elseif(NOT tsr_tools_run)
  message(STATUS "No man pages: this build cannot run the tools or has no awk; set TSR_MANUALS to docs/man of another build")
endif()
if(tsr_tools_run)
  foreach(tool ${tools})
    set(page ${PROJECT_SOURCE_DIR}/docs/man/${tool}.1.in)
    add_custom_command(OUTPUT ${tsr_manuals_dir}/${tool}.options COMMENT "Options of ${tool}"
      COMMAND ${CMAKE_COMMAND} -E make_directory ${tsr_manuals_dir}
      COMMAND ${tool} --describe-options=${tool} > ${tsr_manuals_dir}/${tool}.options.new
      COMMAND ${CMAKE_COMMAND} -E rename ${tsr_manuals_dir}/${tool}.options.new ${tsr_manuals_dir}/${tool}.options
      DEPENDS ${tool} VERBATIM)
    list(APPEND tsr_options ${tsr_manuals_dir}/${tool}.options)
    if(NOT TSR_MANUALS)
      add_custom_command(OUTPUT ${tsr_manuals_dir}/${tool}.1 COMMENT "Man page of ${tool}"
        COMMAND ${TSR_AWK} -v partial=$<BOOL:${TSR_LEFT_OUT}> -f ${PROJECT_SOURCE_DIR}/docs/man/fill.awk ${tsr_manuals_dir}/${tool}.options ${page}
                > ${tsr_manuals_dir}/${tool}.1.new
        COMMAND ${CMAKE_COMMAND} -E rename ${tsr_manuals_dir}/${tool}.1.new ${tsr_manuals_dir}/${tool}.1
        DEPENDS ${tsr_manuals_dir}/${tool}.options ${page} ${PROJECT_SOURCE_DIR}/docs/man/fill.awk VERBATIM)
      list(APPEND tsr_manuals ${tsr_manuals_dir}/${tool}.1)
    endif()
  endforeach()
  set(completions ${PROJECT_SOURCE_DIR}/completions)
  add_custom_command(OUTPUT ${tsr_completions_dir}/tessera.bash COMMENT "Shell completions"
    COMMAND ${CMAKE_COMMAND} -E make_directory ${tsr_completions_dir}
    COMMAND ${TSR_AWK} -f ${completions}/fill.awk ${tsr_options} ${completions}/tessera.bash > ${tsr_completions_dir}/tessera.bash.new
    COMMAND ${CMAKE_COMMAND} -E rename ${tsr_completions_dir}/tessera.bash.new ${tsr_completions_dir}/tessera.bash
    DEPENDS ${tsr_options} ${completions}/tessera.bash ${completions}/fill.awk VERBATIM)
  set(tsr_completion_bash ${tsr_completions_dir}/tessera.bash)
else()
  set(tsr_completion_bash ${PROJECT_SOURCE_DIR}/completions/tessera.bash)
endif()
add_custom_target(documents ALL DEPENDS ${tsr_manuals} ${tsr_completion_bash})

foreach(page ${tsr_manuals})
  cmake_path(GET page STEM tool)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${tsr_component_${tool}})
endforeach()
foreach(tool ${tools}) # bash loads the completion of a command by the name of the command
  install(FILES ${tsr_completion_bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT ${tsr_component_${tool}} RENAME ${tool})
  install(FILES ${PROJECT_SOURCE_DIR}/completions/tessera.fish # so does fish; its completion runs the one for bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT ${tsr_component_${tool}} RENAME ${tool}.fish)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/completions/_tessera DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
