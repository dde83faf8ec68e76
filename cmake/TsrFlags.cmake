# tsr_flags: what every target of ours is compiled with.
add_library(tsr_flags INTERFACE)
target_compile_features(tsr_flags INTERFACE c_std_11)
target_compile_definitions(tsr_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
target_compile_options(tsr_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  $<$<BOOL:${TSR_WERROR}>:-Werror>)
if(TSR_FAULTS)
  target_compile_definitions(tsr_flags INTERFACE TSR_FAULTS)
endif()
if(TSR_SANITIZE)
  target_compile_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(tsr_flags INTERFACE -fsanitize=${TSR_SANITIZE})
endif()
if(TSR_FUZZ) # coverage for libFuzzer in all of our code; the targets themselves link libFuzzer (tests/fuzz)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "TSR_FUZZ needs clang: see the preset fuzz")
  endif()
  target_compile_options(tsr_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(tsr_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
# A program of the build tree is not linked again because the shared library changed.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
# Installed tools find the shared library from wherever the prefix is moved to; and what it was linked with outside the
# system's folders.
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH tsr_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(CMAKE_INSTALL_RPATH "$ORIGIN/${tsr_bin_to_lib};$ORIGIN")
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
