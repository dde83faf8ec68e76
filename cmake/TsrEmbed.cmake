# tsr_embed(OUT NAME name FILES file... [TYPE type HEADER header] [WHOLE_NAMES]): write the C file OUT into the build tree, with the
# texts of the files. Without TYPE it is const char NAME[], the files one after the other. With TYPE it is the table `const TYPE NAME[]` of rows
# {name of the file without its suffix, text} and an empty row at the end; WHOLE_NAMES keeps the suffixes. The build makes OUT anew
# when a file changes; the caller globs with CONFIGURE_DEPENDS where files may come and go.
function(tsr_embed out)
  cmake_parse_arguments(arg "WHOLE_NAMES" "NAME;TYPE;HEADER" "FILES" ${ARGN})
  set(paths "")
  foreach(file ${arg_FILES})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND paths ${file})
  endforeach()
  list(SORT paths)
  list(JOIN paths "|" files)
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${out}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/${out} -DNAME=${arg_NAME} -DTYPE=${arg_TYPE}
            -DHEADER=${arg_HEADER} -DWHOLE_NAMES=${arg_WHOLE_NAMES} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM)
endfunction()
