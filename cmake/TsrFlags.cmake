# tsr_flags: the compile options of every target of Tessera.
add_library(tsr_flags INTERFACE)
target_compile_features(tsr_flags INTERFACE c_std_11)
target_compile_definitions(tsr_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
target_compile_options(tsr_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  $<$<BOOL:${TSR_WERROR}>:-Werror>)
if(NOT TSR_SHARED_INSIDE)
  target_compile_options(tsr_flags INTERFACE -fvisibility=hidden) # except what TESSERA_API marks
endif()
if(NOT APPLE) # installed static libraries leave out what no public function uses (TsrInstall.cmake)
  target_compile_options(tsr_flags INTERFACE -ffunction-sections -fdata-sections)
endif()
# The same bytes wherever the source is built; a debugger of a Debug build wants the true paths.
target_compile_options(tsr_flags INTERFACE
  $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=build -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)
if(EMSCRIPTEN) # size_t has 32 bits: sizes are checked where memory is allocated
  target_compile_options(tsr_flags INTERFACE -Wno-shorten-64-to-32)
  # emcc, a program in Python, takes longer to start than most files to compile: its clang is called as emcc calls it.
  file(WRITE ${PROJECT_BINARY_DIR}/empty.c "")
  separate_arguments(emcc_flags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}")
  execute_process(COMMAND ${CMAKE_C_COMPILER} -v ${emcc_flags} -c empty.c -o empty.o WORKING_DIRECTORY ${PROJECT_BINARY_DIR} ERROR_VARIABLE said)
  if(said MATCHES "\"([^\"\n]+)\" (-target [^\n]*) -v ")
    set(CMAKE_C_COMPILE_OBJECT "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
  endif()
endif()
if(NOT TSR_WITH_OPENMP)
  target_compile_options(tsr_flags INTERFACE -Wno-unknown-pragmas)
endif()
if(TSR_FAULTS)
  target_compile_definitions(tsr_flags INTERFACE TSR_FAULTS)
endif()
if(TSR_SANITIZE)
  target_compile_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE})
endif()
# Debug builds, of which `./dev check` makes several with some two hundred programs each, are linked with gold where it is installed:
# three to seven times as fast as GNU ld.
find_program(TSR_GOLD NAMES ld.gold)
mark_as_advanced(TSR_GOLD)
if(TSR_GOLD)
  target_link_options(tsr_flags INTERFACE $<$<CONFIG:Debug>:-fuse-ld=gold>)
endif()
if(TSR_FUZZ) # coverage for libFuzzer in all code of Tessera; the fuzz targets link libFuzzer (tests/fuzz)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "TSR_FUZZ needs clang: see the preset fuzz")
  endif()
  target_compile_options(tsr_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(tsr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
# A change of the shared library does not link the programs of the build tree again.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
# Installed tools find the library inside relative to themselves, so the prefix may be moved. For libraries outside the folders of the
# system, configure with -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON.
if(BUILD_SHARED_LIBS AND TSR_SHARED_INSIDE)
  file(RELATIVE_PATH tsr_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/tessera)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/${tsr_bin_to_lib}")
endif()
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
