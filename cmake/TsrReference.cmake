# The target `reference`: pages about each public function from the comments of tessera.h, as HTML and man pages of section 3, in
# BUILD/reference. Only where doxygen is found.
find_program(TSR_DOXYGEN NAMES doxygen)
if(NOT TSR_DOXYGEN)
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
add_custom_target(reference COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/reference
                  COMMAND ${TSR_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM)
