# The target `reference`: pages about each public function from the comments of tessera.h, as HTML and man pages of section 3, in
# BUILD/reference. Only where doxygen is found. With TSR_REFERENCE they are part of every build, and are installed.
option(TSR_REFERENCE "Make and install the man pages and the HTML of the public functions (doxygen)" OFF)
find_program(TSR_DOXYGEN NAMES doxygen)
if(NOT TSR_DOXYGEN)
  if(TSR_REFERENCE)
    message(STATUS "Reference of the public functions: left out, doxygen was not found")
  endif()
  return()
endif()
# Doxygen reads comments that begin with two stars: reference.sed adds the second one.
file(WRITE ${PROJECT_BINARY_DIR}/Doxyfile "
PROJECT_NAME = Tessera
PROJECT_NUMBER = ${PROJECT_VERSION}
PROJECT_BRIEF = \"${PROJECT_DESCRIPTION}\"
INPUT = ${PROJECT_SOURCE_DIR}/include/tessera/tessera.h
INPUT_FILTER = \"sed -E -f ${PROJECT_SOURCE_DIR}/cmake/reference.sed\"
OUTPUT_DIRECTORY = ${PROJECT_BINARY_DIR}/reference
EXTRACT_ALL = YES
OPTIMIZE_OUTPUT_FOR_C = YES
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = TESSERA_API= TESSERA_CHECKED=
HAVE_DOT = NO
FULL_PATH_NAMES = NO
GENERATE_HTML = YES
GENERATE_MAN = YES
MAN_LINKS = YES
GENERATE_LATEX = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_AS_ERROR = NO
")
set(tsr_reference ${PROJECT_BINARY_DIR}/reference)
add_custom_command(OUTPUT ${tsr_reference}/html/index.html
  COMMAND ${CMAKE_COMMAND} -E make_directory ${tsr_reference}
  COMMAND ${TSR_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
  COMMAND find ${tsr_reference}/man/man3 -name "tessera*.3" -exec sed -i -f ${PROJECT_SOURCE_DIR}/cmake/reference_man.sed {} +
  DEPENDS ${PROJECT_SOURCE_DIR}/include/tessera/tessera.h ${PROJECT_SOURCE_DIR}/cmake/reference.sed
          ${PROJECT_SOURCE_DIR}/cmake/reference_man.sed ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
if(NOT TSR_REFERENCE)
  add_custom_target(reference DEPENDS ${tsr_reference}/html/index.html)
  return()
endif()
add_custom_target(reference ALL DEPENDS ${tsr_reference}/html/index.html)
add_dependencies(installed reference)
install(DIRECTORY ${tsr_reference}/html DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libtessera-doc COMPONENT doc) # the package's folder
# Of the pages about single constants and fields there are hundreds: only those of functions, structs and the header.
install(DIRECTORY ${tsr_reference}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT doc
        FILES_MATCHING PATTERN "tessera_*.3" PATTERN "tessera.h.3")
